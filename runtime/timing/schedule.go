// This file schedules the tasks of a graph on the chips of their ranks.

package timing

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Task is a kernel launch, with its cost. Tasks and their dependences form a graph, which
// NewSchedule schedules.
type Task struct {
	Name string
	Rank int
	// After lists the tasks of the same rank that must end before this task starts, by
	// number. They must precede this task in the list of tasks.
	After []int
	Cost  TaskCost
}

// Schedule is the predicted execution of a graph of tasks. Times are in microseconds from
// the start of the graph.
type Schedule struct {
	Tasks []Task
	// Micros is the time at which the last task ends, in microseconds.
	Micros float64
	// Start and End are the start and end times of each task.
	Start, End []float64
	// Critical are the tasks of the chain that determines the end of the graph. Each task
	// starts or continues when the one before it ends or signals.
	Critical []int
	// Longest is the length of the longest dependence path through the graph, if every
	// task ran alone.
	Longest float64
	// Slowed is the time that tasks lose because they share global memory or the link, and
	// Waited the time that they wait for signals of other tasks. Both are sums over tasks.
	Slowed, Waited float64
	// Memory is, for each rank, the fraction of the time in which global memory is busy.
	Memory []float64
	// Dispatch is what the schedule assumes about the dispatch of tasks. Cores are the cores
	// that each task occupies: the cube cores of its chip from 0, then the vector cores.
	Dispatch Dispatch
	Cores    [][]int
	// begin are the times at which cores were free for each task; dispatch follows.
	begin []float64
}

// least is a tolerance in microseconds: times that differ by less count as equal.
const least = 1e-9

// taskState is the progress of one task (kernel launch) during the simulation of a graph
// of tasks.
type taskState struct {
	// left is the number of predecessors that have not ended, and one more until the task is
	// submitted. next are the tasks that wait for this one.
	left int
	next []int
	// rest is the length of the longest path from the start of the task to the end of the
	// graph.
	rest float64
	// submitted is the time at which the orchestration has submitted the task.
	submitted float64
	// at is the progress of the task, as microseconds of its execution alone. It is negative
	// while the task is dispatched. rate is the speed at which it grows: 1 if the task runs
	// at full speed.
	at, rate float64
	// raise and wait are the indices of the next signal to raise and of the next wait.
	raise, wait int
	blocked     bool
	ended       bool
	// by is the task whose cores this task received. late is the task for whose signal it
	// waited last. Both are -1 if there is none.
	by, late int
}

// scheduler simulates a graph with list scheduling: whenever cores are free, the ready
// task with the longest remaining path starts. Tasks that run at the same time share
// global memory and the link of their rank fairly.
type scheduler struct {
	*Schedule
	states []taskState
	// unsubmitted, ready and running are the tasks of each rank that its orchestration will
	// submit, in this order, that can start, and that run. cube and vector are the unused
	// fractions of the cores of each rank.
	unsubmitted, ready, running [][]int
	cube, vector                []float64
	raised                      map[Signal]bool
	now                         float64
	// last is the task of each rank that ended last.
	last []int
	// chips are the cores of each rank.
	chips []*chipCores
}

// NewSchedule simulates the execution of tasks on the given number of ranks, whose runtime
// dispatches tasks as d describes. It returns an error if the execution can never end,
// because tasks wait for signals of tasks that find no free core.
func NewSchedule(tasks []Task, ranks int, d Dispatch) (*Schedule, error) {
	n := len(tasks)
	s := &scheduler{
		Schedule: &Schedule{
			Tasks: tasks, Start: make([]float64, n), End: make([]float64, n), Memory: make([]float64, ranks),
			Dispatch: d, Cores: make([][]int, n), begin: make([]float64, n),
		},
		states: make([]taskState, n), unsubmitted: make([][]int, ranks), ready: make([][]int, ranks), running: make([][]int, ranks),
		cube: make([]float64, ranks), vector: make([]float64, ranks), raised: map[Signal]bool{}, last: make([]int, ranks),
	}
	for r := range ranks {
		s.cube[r], s.vector[r], s.last[r] = 1, 1, -1
		s.chips = append(s.chips, newChipCores(d.Cores))
	}
	for i := n - 1; i >= 0; i-- {
		t, x := &tasks[i], &s.states[i]
		x.left, x.by, x.late = len(t.After)+1, -1, -1
		x.rest += t.Cost.Micros
		s.Longest = max(s.Longest, x.rest)
		for _, b := range t.After {
			s.states[b].next = append(s.states[b].next, i)
			s.states[b].rest = max(s.states[b].rest, x.rest)
		}
	}
	for i := range tasks {
		rank := tasks[i].Rank
		s.unsubmitted[rank] = append(s.unsubmitted[rank], i)
		s.states[i].submitted = float64(len(s.unsubmitted[rank])) * d.Submit
	}
	if err := s.run(); err != nil {
		return nil, err
	}
	s.chain()
	return s.Schedule, nil
}

// run simulates the graph of tasks from event to event. An event is the start of a task,
// a signal, the end or the submission of a task. It returns an error if the tasks can never
// end.
func (s *scheduler) run() error {
	for {
		for {
			changed := false
			for rank := range s.ready {
				s.submit(rank)
				changed = s.start(rank) || changed
				changed = s.settle(rank) || changed
			}
			if !changed {
				break
			}
		}
		step := math.Inf(1)
		for rank := range s.running {
			if tasks := s.unsubmitted[rank]; len(tasks) > 0 {
				step = min(step, s.states[tasks[0]].submitted-s.now)
			}
			s.share(rank)
			for _, i := range s.running[rank] {
				if x := &s.states[i]; x.rate > 0 {
					step = min(step, (s.stop(i)-x.at)/x.rate)
				}
			}
		}
		if math.IsInf(step, 1) {
			return s.stuck()
		}
		s.advance(step)
	}
}

// submit submits the tasks of a rank whose time has come. Those without predecessors are
// ready.
func (s *scheduler) submit(rank int) {
	for len(s.unsubmitted[rank]) > 0 {
		i := s.unsubmitted[rank][0]
		if s.states[i].submitted > s.now+least {
			return
		}
		s.unsubmitted[rank] = s.unsubmitted[rank][1:]
		s.progress(i)
	}
}

// progress counts one thing less that task i waits for: the end of a predecessor, or its
// submission. After the last one, the task is ready.
func (s *scheduler) progress(i int) {
	if s.states[i].left--; s.states[i].left == 0 {
		s.ready[s.Tasks[i].Rank] = append(s.ready[s.Tasks[i].Rank], i)
	}
}

// start starts the ready tasks of a rank for which cores are free. It reports whether it
// has started a task.
func (s *scheduler) start(rank int) bool {
	ready := s.ready[rank]
	slices.SortStableFunc(ready, func(a, b int) int { return cmp.Compare(s.states[b].rest, s.states[a].rest) })
	kept := ready[:0]
	for _, i := range ready {
		c := &s.Tasks[i].Cost
		if c.Cube > s.cube[rank]+least || c.Vector > s.vector[rank]+least {
			kept = append(kept, i)
			continue
		}
		s.cube[rank] -= c.Cube
		s.vector[rank] -= c.Vector
		delay := s.dispatch(i)
		s.begin[i], s.Start[i] = s.now, s.now+delay
		s.states[i].at, s.states[i].by = -delay, s.last[rank]
		s.running[rank] = append(s.running[rank], i)
	}
	s.ready[rank] = kept
	return len(kept) < len(ready)
}

// stop returns the next moment at which the simulation must process the running task i:
// when the task raises its next signal, starts its next wait, or ends. The moment is a
// time in microseconds from the start of the task. It is measured as if no other task
// slowed the task down.
func (s *scheduler) stop(i int) float64 {
	c, x := &s.Tasks[i].Cost, &s.states[i]
	if x.at < -least {
		return 0 // it is being dispatched
	}
	at := c.Micros
	if x.raise < len(c.Raises) {
		at = min(at, c.Raises[x.raise].At)
	}
	if x.wait < len(c.Waits) {
		at = min(at, c.Waits[x.wait].At)
	}
	return max(at, x.at)
}

// settle processes the signals, waits and ends that running tasks of a rank have reached.
// It returns true if it has processed at least one of them.
func (s *scheduler) settle(rank int) (changed bool) {
	kept := s.running[rank][:0]
	for _, i := range s.running[rank] {
		c, x := &s.Tasks[i].Cost, &s.states[i]
		if x.at < -least {
			kept = append(kept, i)
			continue
		}
		for x.raise < len(c.Raises) && c.Raises[x.raise].At <= x.at+least && !s.before(i) {
			s.raised[c.Raises[x.raise].Signal] = true
			x.raise++
			changed = true
		}
		was := x.blocked
		for x.blocked = false; x.wait < len(c.Waits) && c.Waits[x.wait].At <= x.at+least; x.wait++ {
			if !s.raised[c.Waits[x.wait].Signal] {
				x.blocked, x.late = true, c.Waits[x.wait].Signal.Task
				break
			}
		}
		changed = changed || was != x.blocked
		if x.blocked || x.raise < len(c.Raises) || x.at < c.Micros-least {
			kept = append(kept, i)
			continue
		}
		changed = true
		s.end(i)
	}
	s.running[rank] = kept
	return changed
}

// before reports whether task i is blocked before its next signal. This is so if the task
// must wait for a signal of another task before it raises its own next signal, and that
// other signal has not been raised yet.
func (s *scheduler) before(i int) bool {
	c, x := &s.Tasks[i].Cost, &s.states[i]
	return x.wait < len(c.Waits) && c.Waits[x.wait].At < c.Raises[x.raise].At && !s.raised[c.Waits[x.wait].Signal]
}

// end ends task i: it frees the cores and makes tasks ready that waited for task i.
func (s *scheduler) end(i int) {
	c, rank := &s.Tasks[i].Cost, s.Tasks[i].Rank
	s.cube[rank] += c.Cube
	s.vector[rank] += c.Vector
	s.chips[rank].free(s.Cores[i])
	s.states[i].ended, s.End[i], s.last[rank] = true, s.now, i
	s.Micros = max(s.Micros, s.now)
	s.Memory[rank] += c.Memory
	for _, n := range s.states[i].next {
		s.progress(n)
	}
}

// share computes how fast the running tasks of a rank progress. All tasks of the rank
// share the bandwidth of its global memory and of its link to other ranks. Each task
// receives an equal share of both. If a task needs less than its share, the remaining
// bandwidth is divided among the other running tasks.
func (s *scheduler) share(rank int) {
	for _, i := range s.running[rank] {
		x := &s.states[i]
		if x.rate = 1; x.blocked {
			x.rate = 0
		}
	}
	s.divide(rank, func(c *TaskCost) float64 { return c.Memory })
	s.divide(rank, func(c *TaskCost) float64 { return c.Link })
}

// divide distributes a resource among the running tasks of a rank. If the tasks need more
// than the full capacity of the resource, divide reduces the rates at which tasks
// progress. need is a function that returns the time for which a task uses the resource.
func (s *scheduler) divide(rank int, need func(c *TaskCost) float64) {
	type user struct {
		task int
		use  float64
	}
	var users []user
	total := 0.0
	for _, i := range s.running[rank] {
		c := &s.Tasks[i].Cost
		if use := need(c) / max(c.Micros, least); use > 0 && s.states[i].rate > 0 && s.states[i].at >= -least {
			users = append(users, user{i, use * s.states[i].rate})
			total += use * s.states[i].rate
		}
	}
	if total <= 1 {
		return
	}
	slices.SortStableFunc(users, func(a, b user) int { return cmp.Compare(a.use, b.use) })
	left := 1.0
	for k, u := range users {
		part := min(u.use, left/float64(len(users)-k))
		left -= part
		s.states[u.task].rate *= part / u.use
	}
}

// advance moves the simulated time and the progress of all running tasks forward by step
// microseconds.
func (s *scheduler) advance(step float64) {
	step = max(step, 0)
	for rank := range s.running {
		for _, i := range s.running[rank] {
			x := &s.states[i]
			x.at += step * x.rate
			if x.blocked {
				s.Waited += step
			} else {
				s.Slowed += step * (1 - x.rate)
			}
		}
	}
	s.now += step
}

// stuck returns an error if tasks have not ended although no running task can continue.
func (s *scheduler) stuck() error {
	for i := range s.states {
		x := &s.states[i]
		if x.ended {
			continue
		}
		if c := &s.Tasks[i].Cost; x.blocked {
			return fmt.Errorf("task %s of rank %d would wait forever for task %s, which finds no free core",
				s.Tasks[i].Name, s.Tasks[i].Rank, s.Tasks[c.Waits[x.wait].Signal.Task].Name)
		}
	}
	for rank := range s.Memory {
		s.Memory[rank] = share(s.Memory[rank], s.Micros)
	}
	return nil
}

// chain computes the critical tasks. It follows the schedule backwards from the task that
// ends last, always to the task whose end or signal it waited for.
func (s *scheduler) chain() {
	at := -1
	for i := range s.End {
		if at < 0 || s.End[i] > s.End[at] {
			at = i
		}
	}
	for seen := map[int]bool{}; at >= 0 && !seen[at]; {
		seen[at] = true
		s.Critical = append(s.Critical, at)
		at = s.cause(at)
	}
	slices.Reverse(s.Critical)
}

// cause returns the task that delayed the end of task i, or -1 if there is none. If task
// i waited for signals, the result is the task for whose signal it waited last. Otherwise
// the start of task i determines its end. If task i started as soon as its last
// predecessor ended, the result is this predecessor. If it started as soon as it was
// submitted, no task delayed it. If it started later, it waited for free cores, and the
// result is the task that used them before.
func (s *scheduler) cause(i int) int {
	x := &s.states[i]
	if x.late >= 0 {
		return x.late
	}
	by := -1
	for _, b := range s.Tasks[i].After {
		if by < 0 || s.End[b] > s.End[by] {
			by = b
		}
	}
	if by < 0 || s.End[by] < s.begin[i]-least {
		if x.submitted > s.begin[i]-least {
			return -1
		}
		return x.by
	}
	return by
}
