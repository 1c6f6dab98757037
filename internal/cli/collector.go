// This file tunes the garbage collector for tools that run briefly.

package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// collector is the state of tuning Go's garbage collector. A run is short, and most of
// its memory lives until the end, so frequent collections find little garbage.
var collector struct {
	sync.Mutex
	large bool // a large text gets a heap of its own
	// ballast is memory that nothing touches, so that it occupies addresses
	// only. It counts as alive, which keeps the heap size at which the next
	// collection starts from falling below what collectFrom was given.
	ballast []byte
}

// Sizes in bytes. BenchmarkHeap measures their effect.
const (
	// goHeap is the heap size of Go's first collection with 100 percent growth.
	goHeap = 4 << 20
	// leastHeap is the heap size of the first collection.
	leastHeap = 32 << 20
	// largeText is the size of a text from which on it gets a heap of its own.
	largeText = 4 << 20
	// heapPerText is the size of this heap per byte of text.
	heapPerText = 5
)

// growth is the amount of garbage, in percent of the reachable memory, that triggers a
// collection.
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

// tuneCollectorForMany tunes the collector for many programs in sequence. The memory of
// each becomes garbage soon, so a small heap is reused for all of them without touching
// new pages.
func tuneCollectorForMany() {
	collector.Lock()
	defer collector.Unlock()
	collector.large = false
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(growth)
	}
}

// expectText announces the size of a text before it is read.
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
