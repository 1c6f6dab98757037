// This file tunes the garbage collector for tools that run briefly.

package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// collector decides when garbage is collected. A run is short and most of what
// it allocates for one program lives to its end, so a collector that starts
// early looks often and finds little.
var collector struct {
	sync.Mutex
	large bool // a large text gets a heap of its own
	// ballast is memory that nothing touches, so that it occupies addresses
	// only. It counts as alive, which keeps the heap size at which the next
	// collection starts from falling below what collectFrom was given.
	ballast []byte
}

// Sizes in bytes. BenchmarkHeap shows what they gain.
const (
	goHeap      = 4 << 20  // at which Go collects first at 100 percent of growth
	leastHeap   = 32 << 20 // of the heap at the first collection
	largeText   = 4 << 20  // of a text that gets a heap of its own
	heapPerText = 5        // of that heap, for each byte of text
)

// growth is how much garbage there may be, in percent of what is alive.
const growth = 200

// TuneCollector prepares for one program in a process of its own, which has a
// budget. pto-opt and pto-run call it at their start. It leaves the choice to users who set GOGC.
func TuneCollector() {
	ownProcess = true
	if os.Getenv("GOGC") != "" {
		return
	}
	collector.Lock()
	defer collector.Unlock()
	collector.large = true
	debug.SetGCPercent(100 * leastHeap / goHeap)
	runtime.AddCleanup(&[16]byte{}, func(int) { debug.SetGCPercent(growth) }, 0) // at the first collection
}

// tuneCollectorForMany prepares for programs that follow each other. Each is
// garbage before the next but one begins, so a small heap, whose pages are
// touched already, serves all of them.
func tuneCollectorForMany() {
	collector.Lock()
	defer collector.Unlock()
	collector.large = false
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(growth)
	}
}

// expectText announces the size of a text that will be read.
func expectText(size int) {
	collector.Lock()
	defer collector.Unlock()
	if collector.large && size >= largeText {
		collectFrom(heapPerText*size + leastHeap)
		reserveHeap(heapPerText * size)
	}
}

// collectFrom sets the heap size, in bytes, below which the garbage collector does not
// run.
func collectFrom(bytes int) {
	debug.SetGCPercent(-1) // making the ballast must not start a collection
	collector.ballast = make([]byte, bytes*100/(100+growth))
	debug.SetGCPercent(growth)
}
