// This file determines the memory limit of a run.

package limit

import (
	"fmt"
	"io"
	"os"
	"sync"
)

// Memory describes how much memory a run may use: the maximum number of bytes, and
// whether an option or the machine determines it.
type Memory struct {
	Bytes
	// machine reports that the limit is the available memory of the machine, because
	// this is less than --max-memory.
	machine bool
}

// Advice returns the end of an error message about an exceeded memory limit. It explains
// how to raise the limit, or that the machine has no more memory.
func (l Memory) Advice() string {
	if l.machine {
		return ", which is all that this machine has available"
	}
	return "; --max-memory raises the limit"
}

// MemoryOf returns the memory limit of a run. The parameter asked is the value of
// --max-memory. The limit is at most the available memory of the machine, because the Go
// runtime ends the process if the system refuses an allocation.
func MemoryOf(asked Bytes) Memory {
	if have := AvailableMemory(); have < asked {
		return Memory{have, true}
	}
	return Memory{Bytes: asked}
}

// AvailableMemory returns the memory that the system had available at the first call,
// rounded down to MiB. Tests replace it.
var AvailableMemory = sync.OnceValue(func() Bytes { return max(systemMemory()>>20<<20, 1<<20) })

// Read reads a file. It returns an error if the file exceeds the limit.
func (l Memory) Read(path string) ([]byte, error) { return ReadFile(path, l) }

// ReadFile reads a file. If the size of the file exceeds the limit, it returns an error
// before it allocates memory. Pipes and devices have no known size, so they are read up
// to the limit.
func ReadFile(path string, limit Memory) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		if info.Size() > int64(limit.Bytes) {
			return nil, fmt.Errorf("%s: %w", path, TooLarge(limit))
		}
		data := make([]byte, info.Size())
		n, err := io.ReadFull(f, data)
		if err == io.ErrUnexpectedEOF || err == io.EOF { // it has become shorter
			err = nil
		}
		return data[:n], err
	}
	return ReadAll(f, limit)
}
