// This file tunes the garbage collector for tools that run briefly.

package limit

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// collector holds the settings of Go's garbage collector for this process. A run is
// short, and most of its memory is used until the end. Frequent collections would
// therefore find little garbage, so the process makes the first collections start later.
var collector struct {
	sync.Mutex
	// large means that the heap is enlarged before a large program is read.
	large bool
	// ballast is memory that is never accessed, so that it occupies addresses but no
	// pages. It counts as reachable, so the next collection does not start at a smaller
	// heap size than the one passed to collectFrom.
	ballast []byte
}

// Heap sizes in bytes at which the garbage collector starts. Larger sizes avoid
// collections in short runs. BenchmarkHeap measures how the sizes affect the time of the
// tools.
const (
	// goHeap is the heap size in bytes at which Go starts its first collection by
	// default.
	goHeap = 4 << 20
	// leastHeap is the heap size in bytes at which a tool starts its first collection.
	leastHeap = 32 << 20
	// largeText is the size in bytes of programs that need a larger heap before the
	// first collection.
	largeText = 4 << 20
	// heapPerText is the size of this larger heap in bytes per byte of program text.
	heapPerText = 12
)

// growth is the amount of garbage, in percent of the reachable memory, that triggers a
// collection.
const growth = 200

// OwnProcess is true if the process runs a single tool, so that the tool may end the
// process.
var OwnProcess bool

// TuneCollector tunes the garbage collector for a process that handles one program.
// pto-opt and pto-run call it when they start. It does nothing if the user sets GOGC.
func TuneCollector() {
	OwnProcess = true
	if os.Getenv("GOGC") != "" {
		return
	}
	collector.Lock()
	defer collector.Unlock()
	collector.large = true
	debug.SetGCPercent(100 * leastHeap / goHeap)
	runtime.AddCleanup(&[16]byte{}, func(int) { debug.SetGCPercent(growth) }, 0) // at the first collection
}

// TuneCollectorForMany tunes the collector for many programs in sequence. The memory of
// each program soon becomes garbage. A small heap is reused for all of them, so that
// fewer memory pages are touched.
func TuneCollectorForMany() {
	collector.Lock()
	defer collector.Unlock()
	collector.large = false
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(growth)
	}
}

// ExpectText prepares the garbage collector for a program of size bytes, before the
// program is read. For a large program, it reserves memory for the heap and raises the
// heap size at which the next collection starts.
func ExpectText(size int) {
	collector.Lock()
	defer collector.Unlock()
	if collector.large && size >= largeText {
		StartHeap(size)
		reserveHeap(heapPerText * size)
	}
}

// StartHeap sets the heap size at which the garbage collector starts to run, for a program
// of size bytes.
func StartHeap(size int) { collectFrom(heapPerText*size + leastHeap) }

// collectFrom sets the heap size in bytes at which the garbage collector starts to run.
func collectFrom(bytes int) {
	debug.SetGCPercent(-1) // making the ballast must not start a collection
	collector.ballast = make([]byte, bytes*100/(100+growth))
	debug.SetGCPercent(growth)
}
