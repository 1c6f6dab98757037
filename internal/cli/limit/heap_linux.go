// This file reserves large pages for the heap on Linux.

package limit

import (
	"runtime"
	"syscall"
	"unsafe"
)

// reserveHeap grows the heap by a number of bytes in large pages. A large program touches
// hundreds of megabytes; BenchmarkHeap measures the cost of page faults for small pages.
//
// Go's runtime has no function that grows the heap. Therefore reserveHeap allocates one
// large object, requests large pages for it, and runs the garbage collector. The runtime
// then uses the freed memory for small objects.
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
