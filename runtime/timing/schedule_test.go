package timing

import (
	"math"
	"slices"
	"strings"
	"testing"

	"ptogo/runtime"
)

// TestSchedule schedules small graphs, whose times are easy to compute by hand.
func TestSchedule(t *testing.T) {
	half := TaskCost{Micros: 10, Vector: 0.5}
	memory := TaskCost{Micros: 10, Vector: 0.25, Memory: 10}
	signal, other := Signal{Task: 0, item: 7}, Signal{Task: 1, item: 3}
	for _, x := range []struct {
		name           string
		tasks          []Task
		micros, slowed float64
		waited         float64
		critical       []int
	}{
		{name: "cores for two of three", tasks: []Task{{Cost: half}, {Cost: half}, {Cost: half}}, micros: 20, critical: []int{1, 2}},
		{name: "another kind of core", tasks: []Task{{Cost: half}, {Cost: half}, {Cost: TaskCost{Micros: 15, Cube: 1}}}, micros: 15, critical: []int{2}},
		{name: "edges", tasks: []Task{{Cost: half}, {Cost: half, After: []int{0}}, {Cost: half, After: []int{1}}}, micros: 30, critical: []int{0, 1, 2}},
		{name: "the longest path first", tasks: []Task{{Cost: TaskCost{Micros: 5, Vector: 1}}, {Cost: TaskCost{Micros: 1, Vector: 1}}, {Cost: TaskCost{Micros: 20, Cube: 1}, After: []int{1}}},
			micros: 21, critical: []int{1, 2}},
		{name: "two share memory", tasks: []Task{{Cost: memory}, {Cost: memory}}, micros: 20, slowed: 20, critical: []int{0}},
		// The third needs 0.2 of the memory and keeps it; the others get 0.4 each. It ends at
		// 10, with 6 of 10 left for them, which then need 12.
		{name: "a small share stays", tasks: []Task{{Cost: memory}, {Cost: memory}, {Cost: TaskCost{Micros: 10, Vector: 0.25, Memory: 2}}}, micros: 22, slowed: 24, critical: []int{0}},
		{name: "ranks share nothing", tasks: []Task{{Cost: memory}, {Rank: 1, Cost: memory}}, micros: 10, critical: []int{0}},
		{name: "a link", tasks: []Task{{Cost: TaskCost{Micros: 10, Vector: 0.1, Link: 10}}, {Cost: TaskCost{Micros: 10, Vector: 0.1, Link: 10}}}, micros: 20, slowed: 20, critical: []int{0}},
		// Rank 1 waits at 2 for a signal that comes at 8.
		{name: "a signal", tasks: []Task{
			{Cost: TaskCost{Micros: 10, Vector: 1, Raises: []Raise{{8, signal}}}},
			{Rank: 1, Cost: TaskCost{Micros: 5, Vector: 1, Waits: []Wait{{2, signal}}}},
		}, micros: 11, waited: 6, critical: []int{0, 1}},
		// Both ranks raise a signal, and then wait for the other.
		{name: "a meeting", tasks: []Task{
			{Cost: TaskCost{Micros: 10, Vector: 1, Raises: []Raise{{4, signal}}, Waits: []Wait{{5, other}}}},
			{Rank: 1, Cost: TaskCost{Micros: 20, Vector: 1, Raises: []Raise{{12, other}}, Waits: []Wait{{13, signal}}}},
		}, micros: 20, waited: 7, critical: []int{1}},
		{name: "no time at all", tasks: []Task{{}, {After: []int{0}}}, micros: 0, critical: []int{0}},
	} {
		s, err := NewSchedule(x.tasks, 2, Dispatch{})
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }
		if !near(s.Micros, x.micros) || !near(s.Slowed, x.slowed) || !near(s.Waited, x.waited) || !slices.Equal(s.Critical, x.critical) {
			t.Errorf("%s: %g us, slowed %g, waited %g, critical %v; want %g, %g, %g, %v", x.name, s.Micros, s.Slowed, s.Waited, s.Critical, x.micros, x.slowed, x.waited, x.critical)
		}
	}
}

// TestScheduleStuck schedules a task that waits for a task without a free core.
func TestScheduleStuck(t *testing.T) {
	signal := Signal{Task: 1}
	_, err := NewSchedule([]Task{
		{Name: "first", Cost: TaskCost{Micros: 20, Vector: 1, Waits: []Wait{{1, signal}}}},
		{Name: "second", Cost: TaskCost{Micros: 10, Vector: 1, Raises: []Raise{{5, signal}}}},
	}, 1, Dispatch{})
	if err == nil || !strings.Contains(err.Error(), "task first of rank 0 would wait forever for task second, which finds no free core") {
		t.Error(err)
	}
}

// TestDispatch schedules tasks on two cube cores and four vector cores with times for their
// dispatch.
func TestDispatch(t *testing.T) {
	d := Dispatch{Cores: runtime.Cores{Cube: 2, Vector: 4}, Release: 2, Switch: 1, First: 3}
	quarter, cube, all := TaskCost{Micros: 10, Vector: 0.25}, TaskCost{Micros: 10, Cube: 0.5}, TaskCost{Micros: 10, Cube: 1, Vector: 1}
	for _, x := range []struct {
		tasks    []Task
		start    []float64
		cores    [][]int
		critical []int
		dispatch float64
	}{
		// The second task is released 2 us after the end of the first, and the third finds a
		// core that has not run a task.
		{[]Task{{Cost: quarter}, {Cost: quarter, After: []int{0}}, {Cost: cube, After: []int{0}}},
			[]float64{3, 16, 18}, [][]int{{2}, {2}, {0}}, []int{0, 2}, 3 + 5},
		// The second task needs all cores, and the third waits for them.
		{[]Task{{Cost: quarter}, {Cost: all}, {Cost: quarter, After: []int{0}}},
			[]float64{3, 16, 27}, [][]int{{2}, {0, 1, 2, 3, 4, 5}, {2}}, []int{0, 1, 2}, 3 + 3 + 1},
	} {
		s, err := NewSchedule(x.tasks, 1, d)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.Start, x.start) || !slices.EqualFunc(s.Cores, x.cores, slices.Equal[[]int]) {
			t.Errorf("starts %v on cores %v, want %v on %v", s.Start, s.Cores, x.start, x.cores)
		}
		if !slices.Equal(s.Critical, x.critical) || s.Dispatched() != x.dispatch {
			t.Errorf("critical path %v with %g us of dispatch, want %v with %g", s.Critical, s.Dispatched(), x.critical, x.dispatch)
		}
	}
}

// TestSubmit schedules tasks that the orchestration of their rank submits 4 us apart.
func TestSubmit(t *testing.T) {
	quarter, all := TaskCost{Micros: 10, Vector: 0.25}, TaskCost{Micros: 10, Vector: 1}
	d := Dispatch{Cores: runtime.Cores{Cube: 2, Vector: 4}, Submit: 4, Switch: 1, First: 1}
	for _, x := range []struct {
		name     string
		tasks    []Task
		start    []float64
		critical []int
		dispatch float64
	}{
		{"independent tasks start one by one", []Task{{Cost: quarter}, {Cost: quarter}, {Cost: quarter}}, []float64{5, 9, 13}, []int{2}, 12 + 1},
		{"ranks have their own orchestrations", []Task{{Cost: quarter}, {Rank: 1, Cost: quarter}}, []float64{5, 5}, []int{0}, 4 + 1},
		{"edges hide the submission", []Task{{Cost: quarter}, {Cost: quarter, After: []int{0}}}, []float64{5, 16}, []int{0, 1}, 4 + 1 + 1},
		{"free cores come later", []Task{{Cost: all}, {Cost: all}}, []float64{5, 16}, []int{0, 1}, 4 + 1 + 1},
		// The third task has the longest path, but the first two start before its submission.
		{"order of submission", []Task{{Cost: all}, {Cost: all}, {Cost: TaskCost{Micros: 50, Vector: 1}}}, []float64{5, 67, 16}, []int{0, 2, 1}, 4 + 3},
	} {
		s, err := NewSchedule(x.tasks, 2, d)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.Start, x.start) || !slices.Equal(s.Critical, x.critical) || s.Dispatched() != x.dispatch {
			t.Errorf("%s: starts %v, critical path %v with %g us of dispatch; want %v, %v, %g", x.name, s.Start, s.Critical, s.Dispatched(), x.start, x.critical, x.dispatch)
		}
	}
}
