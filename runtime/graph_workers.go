// This file runs independent tasks of a graph at the same time.

package runtime

import (
	"math"
	"slices"
	"sync"
)

// ahead is the number of unfinished tasks among which a worker looks for the next one. It
// bounds the comparisons of their accesses.
const ahead = 32

// canRunSideBySide reports whether tasks of the graph may run at the same time. Listeners
// receive the events of one task after the other. Tasks that exchange signals, print, or
// access windows of other ranks depend on each other in ways that their arguments do not
// show, and a compiled task may share its process with another one.
func (g *Graph) canRunSideBySide() bool {
	return g.Workers > 1 && len(g.Listeners) == 0 &&
		!(g.Ranks > 1 && slices.ContainsFunc(g.Buffers, func(b *Buffer) bool { return b.Window })) &&
		!slices.ContainsFunc(g.Tasks, func(t Task) bool { return t.Compiled != nil || t.Program.together || t.Program.prints })
}

// order returns the numbers of the tasks in the order in which run executes them if no task
// waits for a core: first the tasks without predecessors, then each task after the end of its
// last predecessor.
func (x *graphRun) order() []int {
	left := slices.Clone(x.left)
	var order []int
	for i := range left {
		if left[i] == 0 {
			order = append(order, i)
		}
	}
	for k := 0; k < len(order); k++ {
		for _, n := range x.next[order[k]] {
			if left[n]--; left[n] == 0 {
				order = append(order, n)
			}
		}
	}
	return order
}

// workers is the state of the workers, which execute the tasks of a graph. Two tasks that
// access the same bytes, and of which one writes, run in their sequential order also without
// an edge between them. The results are therefore those of a sequential run, unless a kernel
// exceeds the ranges of its arguments or their declared accesses.
type workers struct {
	*graphRun
	mu     sync.Mutex
	change *sync.Cond
	// sequence is the sequential order of the tasks. Positions are its indices.
	sequence []int
	// first is the position of the first task that has not ended.
	first   int
	started []bool
	ended   []bool
	// fault is the fault of the task at the position end. No later task starts.
	fault *Fault
	end   int
}

// sideBySide executes the tasks of the graph on x.g.Workers goroutines. It returns the fault
// that a sequential run would return.
func (x *graphRun) sideBySide() *Fault {
	w := &workers{graphRun: x, sequence: x.order()}
	w.change = sync.NewCond(&w.mu)
	n := len(w.sequence)
	w.started, w.ended, w.end = make([]bool, n), make([]bool, n), n
	var wg sync.WaitGroup
	for range min(x.g.Workers, n) {
		wg.Go(w.work)
	}
	wg.Wait()
	return w.fault
}

// work executes one task after the other until all have ended or one has faulted.
func (w *workers) work() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.first < w.end {
		at := w.next()
		if at < 0 {
			w.change.Wait()
			continue
		}
		w.started[at] = true
		w.mu.Unlock()
		f := w.execute(w.sequence[at])
		w.mu.Lock()
		w.finish(at, f)
	}
}

// next returns the position of a task that can start now, or -1.
func (w *workers) next() int {
	for at := w.first; at < min(w.first+ahead, w.end); at++ {
		if !w.started[at] && w.left[w.sequence[at]] == 0 && !w.mustWait(at) {
			return at
		}
	}
	return -1
}

// mustWait reports whether the task at a position accesses memory of an unfinished task that
// precedes it in the sequential order.
func (w *workers) mustWait(at int) bool {
	t := &w.g.Tasks[w.sequence[at]]
	for before := w.first; before < at; before++ {
		if !w.ended[before] && t.conflicts(&w.g.Tasks[w.sequence[before]]) {
			return true
		}
	}
	return false
}

// conflicts reports whether both tasks access the same bytes and one of them writes.
func (t *Task) conflicts(other *Task) bool {
	if t.Rank != other.Rank {
		return false
	}
	for i := range t.Args {
		a := &t.Args[i]
		for k := range other.Args {
			if b := &other.Args[k]; a.Buffer >= 0 && a.Buffer == b.Buffer && (a.mayWrite() || b.mayWrite()) &&
				a.Offset < b.end() && b.Offset < a.end() {
				return true
			}
		}
	}
	return false
}

// mayWrite reports whether the task may write through the argument.
func (a *TaskArg) mayWrite() bool { return a.Writes || !a.Reads }

// end returns the end of the bytes that the task accesses through the argument.
func (a *TaskArg) end() int64 {
	if a.Bytes == 0 {
		return math.MaxInt64
	}
	return a.Offset + a.Bytes
}

// execute executes the task with number i to its end.
func (x *graphRun) execute(i int) *Fault {
	l, err := x.launchOf(i)
	if err != nil {
		return &Fault{Text: err.Error()}
	}
	t := &x.g.Tasks[i]
	return runAlone(newCluster(t.Program, l), l.params, t.Rank*t.Program.opts.Blocks)
}

// finish processes the end of the task at a position, with its fault or nil.
func (w *workers) finish(at int, f *Fault) {
	if w.ended[at] = true; f != nil && at < w.end {
		w.fault, w.end = f, at
	}
	for w.first < w.end && w.ended[w.first] {
		w.first++
	}
	for _, n := range w.graphRun.next[w.sequence[at]] {
		w.left[n]--
	}
	w.change.Broadcast()
}
