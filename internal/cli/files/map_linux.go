// This file maps input files into memory on Linux.

package files

import (
	"os"
	"sync"
	"syscall"
	"unsafe"
)

// mapText returns the text of a file by mapping it into memory. The result ok is false if
// the system does not support that. The text stays mapped until the process ends, because
// the parsed program refers to it. The file must not be truncated during the run, but it
// may be replaced.
//
// The result passed is a function. While the parser advances, the caller passes it the
// offset that the parser has reached. The system can then reclaim the memory of the text
// before this offset. If the process accesses such text later, the system reads it from
// the file once more.
func mapText(f *os.File, size int) (text string, passed func(off int), ok bool) {
	b, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil || len(b) == 0 {
		return "", nil, false
	}
	var mu sync.Mutex
	done := 0
	passed = func(off int) {
		mu.Lock()
		defer mu.Unlock()
		// Other goroutines are still busy with what is just in front.
		if off -= 2 * releaseStep; off >= done+releaseStep {
			off -= off % releaseStep
			syscall.Madvise(b[done:off], syscall.MADV_DONTNEED)
			done = off
		}
	}
	return unsafe.String(&b[0], len(b)), passed, true
}

// releaseStep is the number of bytes of mapped text that are released at a time, a
// multiple of the page size.
const releaseStep = 1 << 20
