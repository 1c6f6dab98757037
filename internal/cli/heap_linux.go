package cli

import (
	"runtime"
	"syscall"
	"unsafe"
)

// reserveHeap makes the heap grow by a number of bytes in large pages. A large
// program touches hundreds of megabytes once, and the faults of small pages
// were a fifth of the processor time.
//
// The runtime of Go cannot be asked for this, but memory that it got for one
// large object serves small ones when that object is gone.
func reserveHeap(bytes int) {
	b := make([]byte, bytes)
	at := uintptr(unsafe.Pointer(&b[0]))
	from, to := (at+largePage-1)&^(largePage-1), (at+uintptr(bytes))&^(largePage-1)
	if from < to {
		syscall.Madvise(b[from-at:to-at], adviseLargePages) // where there are none, nothing is lost
	}
	b = nil
	runtime.GC()
}

const (
	largePage        = 2 << 20
	adviseLargePages = 14 // MADV_HUGEPAGE
)
