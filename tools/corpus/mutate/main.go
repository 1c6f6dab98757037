// Command mutate damages public programs and makes sure that nothing worse
// than a diagnostic comes of it:
//
//	PTO_PTOAS=DIR PTO_GYM=DIR go run ./tools/corpus/mutate -n 200000
//
// Each text is parsed; what parses is printed in both forms; what is legal
// too must read back. With -run, legal programs are also lowered, executed on
// made-up data for a bounded number of steps, and written as LLVM IR. The same
// seed gives the same texts. A panic, a text that takes too long or too much
// memory, and a program that does not read back is written down with the seed
// that makes it: -seed N -n 1 shows it again.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"ptogo/tools/corpus"
)

// memory is the most a run may hold: texts are small, so little is enough.
const memory = 2 << 30

func main() {
	n := flag.Int64("n", 10_000, "how many texts")
	seed := flag.Int64("seed", 1, "the first seed; each text has the next one")
	filter := flag.String("filter", "", "only programs whose names match this regular expression")
	execute := flag.Bool("run", false, "also execute what is legal")
	limit := flag.Duration("limit", 2*time.Second, "how long one text may take")
	jobs := flag.Int("j", runtime.NumCPU(), "texts tried at a time")
	flag.Parse()
	m, err := newMutator(*filter)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	r := runner{mutator: m, execute: *execute, last: *seed + *n, limit: *limit, show: *n == 1}
	r.next.Store(*seed)
	var group sync.WaitGroup
	for range max(1, *jobs) {
		group.Go(r.work)
	}
	group.Wait()
	fmt.Printf("%d texts: %d parse, %d are legal, %d bad; slowest %v, heap at most %d MB\n",
		*n, r.parsed.Load(), r.legal.Load(), r.bad.Load(),
		time.Duration(r.slowest.Load()).Round(time.Millisecond), r.heap.Load()>>20)
	if r.bad.Load() > 0 {
		os.Exit(1)
	}
}

// runner tries texts until the seeds are used up.
type runner struct {
	*mutator
	next  atomic.Int64
	last  int64
	limit time.Duration
	show  bool
	// execute tells to run legal programs too.
	execute bool

	parsed, legal, bad, slowest, heap atomic.Int64
}

func (r *runner) work() {
	for count := 0; ; count++ {
		seed := r.next.Add(1) - 1
		if seed >= r.last {
			return
		}
		p := r.text(seed)
		if r.show {
			fmt.Println(p.Text)
		}
		if count%256 == 0 {
			r.watchMemory()
		}
		r.try(seed, p)
	}
}

// try checks one text. One that hangs cannot be ended, so that the run ends.
func (r *runner) try(seed int64, p corpus.Program) {
	start := time.Now()
	hung := time.AfterFunc(10*r.limit, func() {
		fmt.Printf("seed %d (%s): no end after %v\n", seed, p.Name, 10*r.limit)
		os.Exit(1)
	})
	defer hung.Stop()
	defer func() {
		if e := recover(); e != nil {
			r.report(seed, p, fmt.Sprintf("panic: %v\n%s", e, origin(debug.Stack())))
		}
	}()
	parsed, legal, why := survive(p)
	if r.execute && legal && why == "" {
		if m, target := p.Read(); m != nil {
			why = corpus.Execute(m, target)
		}
	}
	took := time.Since(start)
	if why == "" && took > r.limit {
		why = "takes " + took.String()
	}
	if why != "" {
		r.report(seed, p, why)
	}
	count(&r.parsed, parsed)
	count(&r.legal, legal)
	raise(&r.slowest, int64(took))
}

func (r *runner) report(seed int64, p corpus.Program, why string) {
	r.bad.Add(1)
	fmt.Printf("seed %d (%s): %s\n", seed, p.Name, why)
}

// watchMemory ends a run that keeps more than it should.
func (r *runner) watchMemory() {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	raise(&r.heap, int64(stats.HeapAlloc))
	if stats.HeapAlloc > memory {
		fmt.Printf("the heap holds %d MB near seed %d\n", stats.HeapAlloc>>20, r.next.Load())
		os.Exit(1)
	}
}

func count(n *atomic.Int64, yes bool) {
	if yes {
		n.Add(1)
	}
}

// raise makes a maximum known.
func raise(most *atomic.Int64, value int64) {
	for {
		old := most.Load()
		if value <= old || most.CompareAndSwap(old, value) {
			return
		}
	}
}

// frames are the lines of a stack that name our own code.
var frames = regexp.MustCompile(`(?m)^\s+\S*?((?:ir|dialect|lower|passes|runtime|codegen)/\S+\.go:\d+)`)

// origin shows where a panic comes from.
func origin(stack []byte) string {
	var out string
	for i, m := range frames.FindAllSubmatch(stack, -1) {
		if i == 6 {
			break
		}
		out += "  " + string(m[1]) + "\n"
	}
	return out
}
