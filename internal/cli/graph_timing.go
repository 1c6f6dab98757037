// This file predicts the time of a graph.

package cli

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"
	"strings"

	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/timing"
)

// The time of a graph: each distinct kernel is timed by itself, and list scheduling puts
// the tasks of each rank on the cores of its chip. Tasks on the longest path to the end
// go first. Tasks that run together do not slow each other down here, and waits between
// ranks last no time.

// taskTime is everything on which the time of a task depends.
type taskTime struct {
	plan    *runtime.Program
	scalars string
}

// predict predicts the times of kernels and schedules the tasks.
func (g *graph) predict() int {
	t := g.t
	known, untimed := map[taskTime]taskCost{}, map[string]bool{}
	costs := make([]taskCost, len(g.tasks))
	for i := range g.tasks {
		l := &g.tasks[i]
		p := g.plans[graphPlanKey{l.File, l.Kernel, l.Blocks, len(l.Args)}]
		chip, err := timing.ChipFor(t.flags.timing.chip, p.prog.Profile())
		if err != nil {
			return t.usage("%v", err)
		}
		key := taskTime{p.plan, ""}
		for _, a := range g.run.Tasks[i].Args {
			if a.Buffer < 0 {
				key.scalars += fmt.Sprintf(" %x", a.Bits)
			}
		}
		cost, ok := known[key]
		if !ok {
			cost, ok = g.timeOf(i, chip)
			if known[key] = cost; !ok {
				untimed[l.Kernel] = true
			}
		}
		costs[i] = cost
	}
	s := newListSchedule(g.run.Tasks, costs)
	s.run()
	fmt.Fprintf(t.out, "predicted %.1f us for %s on %s; critical path %.1f us\n", s.end, ir.Count(len(g.tasks), "task"), ir.Count(g.run.Ranks, "chip"), s.longest())
	fmt.Fprintf(t.out, "critical path: %s\n", strings.Join(s.path(), ", "))
	fmt.Fprintf(t.out, "class: list scheduling of kernels timed alone; no error known; memory bandwidth is not shared between tasks, launches, links and signals last no time\n")
	if len(untimed) > 0 {
		names := make([]string, 0, len(untimed))
		for n := range untimed {
			names = append(names, ir.Visible(n))
		}
		slices.Sort(names)
		fmt.Fprintf(t.out, "not timed, since they wait for other ranks or fault when they run alone: %s\n", strings.Join(names, ", "))
	}
	return exitOK
}

// taskCost is what a task occupies on a chip: a part of its vector cores or of its cube
// cores, for a time.
type taskCost struct {
	us   float64
	cube bool
	part float64
}

// timeOf runs a task alone, on copies of its buffers, and predicts its time.
func (g *graph) timeOf(i int, chip *timing.Chip) (cost taskCost, ok bool) {
	one := g.run
	one.Ranks, one.Tasks = 1, []runtime.Task{g.run.Tasks[i]}
	rank, each := g.run.Tasks[i].Rank, len(g.run.Names)
	one.Buffers = nil
	for _, b := range g.run.Buffers[rank*each : (rank+1)*each] {
		own := *b
		own.Data = slices.Clone(b.Data)
		one.Buffers = append(one.Buffers, &own)
	}
	l := &g.tasks[i]
	p := g.plans[graphPlanKey{l.File, l.Kernel, l.Blocks, len(l.Args)}]
	rec := timing.NewRecorder()
	one.Listeners = []runtime.Listener{rec}
	var diags ir.Diags
	o := runtime.Options{Blocks: l.Blocks, Target: p.prog.Target, Features: p.prog.Features, Listeners: one.Listeners, SkipArithmetic: g.t.flags.timing.skip, MaxSteps: 1 << 26}
	one.Tasks[0].Program = runtime.Plan(p.prog.Module, p.prog.Kernels, o, &diags)
	one.Tasks[0].After, one.Tasks[0].Rank = nil, 0
	if one.Tasks[0].Program == nil || one.Run() != nil {
		return taskCost{}, false
	}
	res, err := timing.Replay(rec, chip, timing.Options{Warm: g.t.flags.timing.warm})
	if err != nil {
		return taskCost{}, false
	}
	return taskCost{res.Micros, res.Cores != chip.VectorCores(), min(1, float64(l.Blocks)/float64(res.Cores))}, true
}

// listSchedule schedules tasks on the cores of chips with the algorithm of list
// scheduling: it starts the ready task with the longest remaining path first.
type listSchedule struct {
	tasks []runtime.Task
	costs []taskCost
	next  [][]int
	// rest is the time from the start of each task to the end of all tasks that depend on
	// it.
	rest []float64
	// free are the unused parts of the cube cores and of the vector cores of each rank.
	free []map[bool]float64
	end  float64
}

// newListSchedule returns a schedule without started tasks.
func newListSchedule(tasks []runtime.Task, costs []taskCost) *listSchedule {
	s := &listSchedule{tasks: tasks, costs: costs, next: make([][]int, len(tasks)), rest: make([]float64, len(tasks))}
	for i := len(tasks) - 1; i >= 0; i-- { // all that come after have larger numbers
		s.rest[i] += costs[i].us
		for _, b := range tasks[i].After {
			s.next[b] = append(s.next[b], i)
			s.rest[b] = max(s.rest[b], s.rest[i])
		}
		for len(s.free) <= tasks[i].Rank {
			s.free = append(s.free, map[bool]float64{false: 1, true: 1})
		}
	}
	return s
}

// longest returns the length of the longest path.
func (s *listSchedule) longest() float64 { return slices.Max(s.rest) }

// path returns the kernels on the longest path, with the number of consecutive tasks of
// each.
func (s *listSchedule) path() []string {
	at, names := -1, []string(nil)
	for i := range s.tasks {
		if len(s.tasks[i].After) == 0 && (at < 0 || s.rest[i] > s.rest[at]) {
			at = i
		}
	}
	for at >= 0 {
		names = append(names, ir.Visible(s.tasks[at].Name))
		if len(names) == 20 {
			return append(names, "...")
		}
		best := -1
		for _, n := range s.next[at] {
			if best < 0 || s.rest[n] > s.rest[best] {
				best = n
			}
		}
		at = best
	}
	return names
}

// finish is a task that runs.
type finish struct {
	at   float64
	task int
}

// finishes is a priority queue of task ends by time, for container/heap.
type finishes []finish

func (e finishes) Len() int { return len(e) }
func (e finishes) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].task < e[j].task
}
func (e finishes) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *finishes) Push(x any)   { *e = append(*e, x.(finish)) }
func (e *finishes) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// run starts tasks as soon as their dependences have ended and cores are free.
func (s *listSchedule) run() {
	left := make([]int, len(s.tasks))
	ready := make([][]int, len(s.free))
	for i := range s.tasks {
		if left[i] = len(s.tasks[i].After); left[i] == 0 {
			ready[s.tasks[i].Rank] = append(ready[s.tasks[i].Rank], i)
		}
	}
	var running finishes
	now := 0.0
	for {
		for r := range ready {
			slices.SortStableFunc(ready[r], func(a, b int) int { return cmp.Compare(s.rest[b], s.rest[a]) })
			kept := ready[r][:0]
			for _, i := range ready[r] {
				c := &s.costs[i]
				if c.part > s.free[r][c.cube]+1e-9 {
					kept = append(kept, i)
					continue
				}
				s.free[r][c.cube] -= c.part
				heap.Push(&running, finish{now + c.us, i})
			}
			ready[r] = kept
		}
		if len(running) == 0 {
			return
		}
		e := heap.Pop(&running).(finish)
		now, s.end = e.at, max(s.end, e.at)
		rank := s.tasks[e.task].Rank
		s.free[rank][s.costs[e.task].cube] += s.costs[e.task].part
		for _, n := range s.next[e.task] {
			if left[n]--; left[n] == 0 {
				ready[rank] = append(ready[rank], n)
			}
		}
	}
}
