// This file determines the memory limit of a run.

package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
)

// memoryLimit is the maximum number of bytes that a run may use.
type memoryLimit struct {
	byteSize
	// machine reports that the limit is the available memory of the machine, which is
	// less than --max-memory.
	machine bool
}

// advice follows the size in an error and explains the limit.
func (l memoryLimit) advice() string {
	if l.machine {
		return ", which is all that this machine has available"
	}
	return "; --max-memory raises the limit"
}

// limitOf returns the limit of a run whose --max-memory is asked. A run may not use
// more than the machine has available, because the Go runtime ends a process whose
// allocation the system refuses, and no caller can prevent that.
func limitOf(asked byteSize) memoryLimit {
	if have := availableMemory(); have < asked {
		return memoryLimit{have, true}
	}
	return memoryLimit{byteSize: asked}
}

// availableMemory returns how much memory the system had available at the first call, in
// whole MiB. Tests replace it.
var availableMemory = sync.OnceValue(func() byteSize { return max(systemMemory()>>20<<20, 1<<20) })

// read reads a file within the limit (readFile).
func (l memoryLimit) read(path string) ([]byte, error) { return readFile(path, l) }

// readFile reads a file, or returns an error before it allocates memory if the file is
// larger than the limit. The size of a pipe or a device is not known before.
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
