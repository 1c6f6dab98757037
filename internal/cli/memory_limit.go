// This file determines the memory limit of a run.

package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
)

// memoryLimit describes how much memory a run may use: the maximum number of bytes, and
// whether an option or the machine determines it.
type memoryLimit struct {
	byteSize
	// machine reports that the limit is the available memory of the machine, because
	// this is less than --max-memory.
	machine bool
}

// advice returns the end of an error message about an exceeded memory limit. It explains
// how to raise the limit, or that the machine has no more memory.
func (l memoryLimit) advice() string {
	if l.machine {
		return ", which is all that this machine has available"
	}
	return "; --max-memory raises the limit"
}

// limitOf returns the memory limit of a run. The parameter asked is the value of
// --max-memory. The limit is at most the available memory of the machine, because the Go
// runtime ends the process if the system refuses an allocation.
func limitOf(asked byteSize) memoryLimit {
	if have := availableMemory(); have < asked {
		return memoryLimit{have, true}
	}
	return memoryLimit{byteSize: asked}
}

// availableMemory returns the memory that the system had available at the first call,
// rounded down to MiB. Tests replace it.
var availableMemory = sync.OnceValue(func() byteSize { return max(systemMemory()>>20<<20, 1<<20) })

// read reads a file. It returns an error if the file exceeds the limit.
func (l memoryLimit) read(path string) ([]byte, error) { return readFile(path, l) }

// readFile reads a file. If the size of the file exceeds the limit, it returns an error
// before it allocates memory. Pipes and devices have no known size, so they are read up
// to the limit.
func readFile(path string, limit memoryLimit) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		if info.Size() > int64(limit.byteSize) {
			return nil, fmt.Errorf("%s: %w", path, tooLarge(limit))
		}
		data := make([]byte, info.Size())
		n, err := io.ReadFull(f, data)
		if err == io.ErrUnexpectedEOF || err == io.EOF { // it has become shorter
			err = nil
		}
		return data[:n], err
	}
	return readAll(f, limit)
}
