// This file predicts the times of the tasks of a graph.

package timing

import (
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// GraphRecorder is a listener for a graph of tasks (kernel launches). It records each
// task separately, so that TaskTime can replay the task alone. The caller selects the
// tasks to record with the field Wanted: one of several tasks with equal work is
// sufficient.
type GraphRecorder struct {
	// Wanted reports whether a task is recorded. It must be set before the graph runs.
	Wanted func(task int) bool

	launch *runtime.Launch
	base   []int64
	tasks  map[int]*Recorder
	words  map[word]*wordSends
	// raised are the signals of all tasks: the task and the item (recorded instruction)
	// that raised each. The items in words are indices of raised.
	raised []Signal
	// awaited lists, for each task, the items that wait and the signals that they wait
	// for.
	awaited map[int][]awaiting
}

// awaiting is a recorded item (instruction) that waits for a signal of another task,
// together with this signal.
type awaiting struct {
	item   int32
	signal Signal
}

// Signal identifies a signal in memory by the task and the recorded instruction that
// raise it.
type Signal struct {
	Task int
	item int32
}

// Begin discards earlier recordings and creates an empty one for each task that the field
// Wanted selects.
func (g *GraphRecorder) Begin(l *runtime.Launch) {
	g.launch, g.base = l, bases(l)
	g.tasks, g.words, g.raised, g.awaited = map[int]*Recorder{}, map[word]*wordSends{}, nil, map[int][]awaiting{}
	for i := range l.Cores {
		c := &l.Cores[i]
		if !g.Wanted(c.Task) {
			continue
		}
		r := g.tasks[c.Task]
		if r == nil {
			r = g.recorder(c)
			g.tasks[c.Task] = r
		}
		own := *c
		own.Number, own.Index, own.Rank = c.Number-r.first, c.Block, 0
		r.launch.Cores = append(r.launch.Cores, own)
		r.launch.Blocks = max(r.launch.Blocks, c.Block+1)
	}
}

// recorder returns an empty recorder for the task that the core c belongs to. The core c
// must be the first core of the task.
func (g *GraphRecorder) recorder(c *runtime.CoreInfo) *Recorder {
	module := c.Kernel
	for module.Parent() != nil {
		module = module.Parent()
	}
	r := emptyRecorder(&runtime.Launch{Module: module, Target: g.launch.Target, Ranks: 1, Buffers: g.launch.Buffers})
	r.base, r.ordered = g.base, ordersItself(module)
	r.first, r.rank, r.each = c.Number, c.Rank, buffersOfRank(g.launch)
	return r
}

// Event records the event e in the recording of its task. It ignores tasks that the field
// Wanted does not select.
func (g *GraphRecorder) Event(e *runtime.Event) {
	r := g.tasks[e.Core.Task]
	if r == nil {
		return
	}
	r.Event(e)
	item := int32(len(r.items) - 1)
	switch e.Kind {
	case runtime.Notify:
		for w, value := range r.wordsOf(e, runtime.WriteAccess) {
			g.raised = append(g.raised, Signal{e.Core.Task, item})
			send(g.words, w, int32(len(g.raised)-1), value, e.Signal.Add)
		}
	case runtime.Await:
		for w := range r.wordsOf(e, runtime.ReadAccess) {
			for _, n := range await(g.words[w], int32(e.Core.Number), e.Signal) {
				if s := g.raised[n]; s.Task != e.Core.Task {
					g.awaited[e.Core.Task] = append(g.awaited[e.Core.Task], awaiting{item, s})
				}
			}
		}
	}
}

// End does nothing. The times recorded so far remain available after a fault: the caller
// may still call TaskTime for the tasks that have ended.
func (g *GraphRecorder) End(*runtime.Fault) {}

// Communicates reports whether the kernels contain instructions that raise signals or wait
// for signals. The time of a task with such kernels depends on other tasks.
func Communicates(kernels []*ir.Op) bool {
	for _, f := range analysis.Reached(kernels) {
		for op := range f.Walk() {
			_, raises := op.Def().Sem.(sem.CommNotify)
			if _, waits := op.Def().Sem.(sem.CommWait); raises || waits {
				return true
			}
		}
	}
	return false
}

// TaskCost contains the time of a task and its use of cores, memory and link on the chip
// of its rank. A schedule of the graph is computed from the costs of all tasks.
type TaskCost struct {
	// Micros is the time of the task alone, without waits for other tasks.
	Micros float64
	// Cube and Vector are the fractions, at most 1, of the chip's cube cores and vector
	// cores that the task uses.
	Cube, Vector float64
	// Memory and Link are the times in microseconds that the traffic of the task needs at
	// the full rate of global memory and of the link to other ranks.
	Memory, Link float64
	// Raises and Waits are the signals that the task raises for other tasks, and its
	// waits for signals, each sorted by time.
	Raises []Raise
	Waits  []Wait
}

// Raise is a signal for other tasks. At is its time in microseconds from the start of the
// task, without waits for other tasks.
type Raise struct {
	At     float64
	Signal Signal
}

// Wait records that a task waited for a signal of another task. At is the time in
// microseconds from the start of the task to the start of the wait. If the task has
// waited for other tasks before, these earlier waiting times are not included in At.
type Wait struct {
	At     float64
	Signal Signal
}

// TaskTime replays the recording of a task alone on chip c and returns its cost. The
// result ok is false if the task is not recorded or cannot run on the chip.
func (g *GraphRecorder) TaskTime(task int, c *Chip, o Options) (cost TaskCost, ok bool) {
	r := g.tasks[task]
	if r == nil {
		return cost, false
	}
	res, err := Replay(r, c, o)
	if err != nil {
		return cost, false
	}
	p := res.replay
	m := p.gm[0]
	cost = TaskCost{Micros: res.Micros, Memory: max(m.used, m.wrote) / c.clock(), Link: m.far * m.link / c.clock()}
	cost.Cube, cost.Vector = p.parts()
	for i := range g.raised {
		if s := g.raised[i]; s.Task == task {
			cost.Raises = append(cost.Raises, Raise{p.done[s.item] / c.clock(), s})
		}
	}
	for _, a := range g.awaited[task] {
		cost.Waits = append(cost.Waits, Wait{p.start[a.item] / c.clock(), a.signal})
	}
	return cost, true
}

// parts returns the fractions, 0 to 1, of the chip's cube cores and vector cores that the
// launch uses.
func (p *replay) parts() (cube, vector float64) {
	cores := map[sem.Unit]bool{}
	for i := range p.r.launch.Cores {
		if c := &p.r.launch.Cores[i]; c.Index == 0 {
			cores[c.Unit] = true
		}
	}
	blocks := float64(p.r.launch.Blocks)
	if usesCube(p.r, 0) || cores[sem.CubeUnit] {
		cube = min(1, blocks/p.chip.num("cores.aic"))
	}
	if cores[sem.VectorUnit] || cube == 0 {
		vector = min(1, blocks/p.chip.num("cores.aiv"))
	}
	if cube > 0 && vector > 0 {
		vector = cube // a block has a cube core and the vector cores next to it
	}
	return cube, vector
}
