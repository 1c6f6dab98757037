package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// collector says when memory is collected. A run is short and nearly all it
// allocates lives to its end, so the collector would find little; it does not
// look before the heap has a size that is normal for the input.
var collector struct {
	sync.Mutex
	waits bool // it is set up here and has not run yet
}

// TuneCollector is called by a tool at its start. Whoever sets GOGC decides
// for himself.
func TuneCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	collector.waits = true
	collectFrom(heapOfSmall)
	// The first collection clears this away. From then on a heap of three times
	// what is alive will do.
	runtime.AddCleanup(&sentinel{}, func(percent int) {
		collector.Lock()
		defer collector.Unlock()
		collector.waits = false
		debug.SetGCPercent(percent)
	}, 200)
}

type sentinel struct{ _ [16]byte }

// expectText is told the size of a text that will be read.
func expectText(size int) {
	collector.Lock()
	defer collector.Unlock()
	if collector.waits {
		collectFrom(heapOfSmall + heapPerText*size)
	}
}

const (
	heapOfSmall = 128 << 20 // for a small program,
	heapPerText = 4         // and for each byte of text
)

// collectFrom sets the heap size of the first collection: as long as there has
// been none, a hundred percent stand for 4 MB.
func collectFrom(bytes int) { debug.SetGCPercent(bytes / (4 << 20 / 100)) }
