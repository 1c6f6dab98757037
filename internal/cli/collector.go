package cli

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// collector says when memory is collected. A run is short and nearly all that
// one program allocates lives to its end, so the collector would find little:
// it does not look before the heap has a size that is normal for the input. Of
// many small programs each is garbage before the next but one begins, so that
// a small heap serves all of them: pages that were touched once are used again.
var collector struct {
	sync.Mutex
	works bool
	least int  // bytes below which nobody looks, without a text
	floor int  // the same with the text that is read
	ran   bool // there has been a collection
	// percent is how much of what is alive may be garbage, as it was set last.
	percent int
	many    bool // programs follow each other
	// reserved says that they have a heap in large pages.
	reserved bool
}

// Heaps in bytes.
const (
	heapOfSmall = 128 << 20 // for a small program,
	heapOfRun   = 32 << 20  // for one that is run,
	heapPerText = 4         // and for each byte of text
	heapOfMany  = 56 << 20  // for programs that follow each other,
	heapOfFiles = 32 << 20  // the same in small pages, of which each costs its first use
)

// TuneCollector is called by pto-opt at its start. Whoever sets GOGC decides
// for himself.
func TuneCollector() { tuneCollector(heapOfSmall) }

// TuneCollectorForRun is called by pto-run: memories of a core are megabytes, so
// that without a floor the shortest of runs would be collected once.
func TuneCollectorForRun() { tuneCollector(heapOfRun) }

// tuneCollectorForMany is called by a tool that runs many small kernels. What
// one of them leaves behind is more than what lives on, so that without a floor
// memory would be collected, and given back to the system, after each.
func tuneCollectorForMany() {
	expectMany()
	tuneCollector(heapOfFiles)
}

// tuneCollector sets the least heap of collections.
func tuneCollector(floor int) {
	collector.Lock()
	defer collector.Unlock()
	if os.Getenv("GOGC") != "" {
		return
	}
	collector.least = floor
	collectFrom(floor)
	if !collector.works {
		collector.works = true
		watch()
	}
}

// watch sets the next goal after each collection, which clears the watch away.
func watch() {
	runtime.AddCleanup(&sentinel{}, func(int) {
		collector.Lock()
		defer collector.Unlock()
		collector.ran = true
		collectFrom(collector.floor)
		watch()
	}, 0)
}

// growth is how much garbage there may be, in percent of what is alive.
const growth = 200

type sentinel struct{ _ [16]byte }

// scanned returns the bytes of the heap that the last collection found alive,
// and those of all that it looked at: growth is counted in parts of these. They
// follow from the goal that the runtime set, percent of growth after it; its
// package metrics would tell them, but describes all its metrics at each start.
func scanned(percent int) (live, all int) {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	roots := int(s.StackInuse) + globals
	live = max(0, (100*int(s.NextGC)-percent*roots)/(100+percent))
	return live, live + roots
}

// globals is about how many bytes of variables the collector looks at.
const globals = 576 << 10

// expectText is told the size of a text that will be read.
func expectText(size int) {
	collector.Lock()
	defer collector.Unlock()
	if !collector.works {
		return
	}
	heap, pages := collector.least+heapPerText*size, heapPerText*size
	if collector.many {
		heap, pages = heapOfMany, heapOfMany
	}
	switch {
	case size >= largeText && !collector.reserved:
		collector.reserved = collector.many
		reserveHeap(pages)
	case collector.many && !collector.reserved:
		heap = heapOfFiles
	}
	collectFrom(heap)
}

// largeText is the size of a text that is worth a heap in large pages.
const largeText = 4 << 20

// expectMany is told that many programs will follow each other.
func expectMany() {
	collector.Lock()
	defer collector.Unlock()
	collector.many = true
}

// collectFrom sets the heap size of the next collection.
func collectFrom(bytes int) {
	collector.floor = bytes
	live, all := 0, 0
	if collector.ran {
		live, all = scanned(collector.percent)
	}
	collector.percent = min(max(growth, 100*(bytes-live)/max(all, leastHeap)), math.MaxInt32)
	debug.SetGCPercent(collector.percent)
}

// leastHeap is what counts as alive at least.
const leastHeap = 4 << 20
