// This file models how the public runtime dispatches the tasks of a graph to cores.

package timing

import (
	"cmp"
	"math"

	"ptogo/runtime"
)

// Dispatch is what a schedule assumes about the dispatch of tasks. Times are in microseconds.
// With the zero value, tasks start as soon as their predecessors have ended and cores are
// free, and Schedule.Cores is empty.
type Dispatch struct {
	// Cores are the cores of each chip.
	Cores runtime.Cores
	// Submit is the time between the submissions of two tasks of a rank. The orchestration
	// submits them in the order of the list, so that late tasks of a large graph may wait for
	// their submission although cores are free.
	Submit float64
	// Release is the time from the end of a task until a core receives a task that waited
	// for it.
	Release float64
	// Switch is the time in which a core prepares its next task, and First the time in which
	// it prepares its first task.
	Switch, First float64
	// Host is the time in which the host starts and ends a run. It is not part of the
	// schedule.
	Host float64
}

// Dispatch returns what the chip needs to dispatch tasks.
func (c *Chip) Dispatch() Dispatch {
	return Dispatch{Cores: c.Cores(), Submit: c.num("task.submit"), Release: c.num("task.release"), Switch: c.num("task.switch"), First: c.num("task.first"), Host: c.num("host.run")}
}

// chipCores are the cores of the chip of one rank. The cube cores have the numbers from 0, and
// the vector cores the numbers after them.
type chipCores struct {
	cube int
	busy []bool
	// used means that a core has run a task.
	used []bool
}

// newChipCores returns the cores of a chip, all of them free.
func newChipCores(c runtime.Cores) *chipCores {
	n := c.Cube + c.Vector
	return &chipCores{cube: c.Cube, busy: make([]bool, n), used: make([]bool, n)}
}

// take occupies the cores of a task, which needs the given fractions of the cube cores and of
// the vector cores. fresh means that one of the cores has not run a task before.
func (c *chipCores) take(cube, vector float64) (cores []int, fresh bool) {
	find := func(part float64, from, to int) {
		left := int(math.Ceil(part*float64(to-from) - least))
		for i := from; i < to && left > 0; i++ {
			if !c.busy[i] {
				fresh = fresh || !c.used[i]
				c.busy[i], c.used[i] = true, true
				cores = append(cores, i)
				left--
			}
		}
	}
	find(cube, 0, c.cube)
	find(vector, c.cube, len(c.busy))
	return cores, fresh
}

// free frees the cores of a task.
func (c *chipCores) free(cores []int) {
	for _, i := range cores {
		c.busy[i] = false
	}
}

// dispatch occupies the cores of task i, and returns the time until the task starts on them.
func (s *scheduler) dispatch(i int) float64 {
	if s.Dispatch == (Dispatch{}) {
		return 0
	}
	t := &s.Tasks[i]
	cores, fresh := s.chips[t.Rank].take(t.Cost.Cube, t.Cost.Vector)
	s.Cores[i] = cores
	delay := s.Dispatch.Switch
	if fresh {
		delay = s.Dispatch.First
	}
	released := math.Inf(-1) // a task without predecessors is with the scheduler since its submission
	for _, b := range t.After {
		released = max(released, s.End[b]+s.Dispatch.Release)
	}
	return delay + max(0, released-s.now)
}

// Dispatched returns the time that tasks of the critical path wait for their dispatch, after
// cores are free and their predecessors have ended. The submission of the tasks before the
// first task of the path is a part of this time.
func (s *Schedule) Dispatched() float64 {
	sum := 0.0
	if len(s.Critical) > 0 {
		sum = s.begin[s.Critical[0]]
	}
	for _, i := range s.Critical {
		sum += s.Start[i] - s.begin[i]
	}
	return cmp.Or(sum, 0)
}
