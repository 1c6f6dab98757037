// This file writes the schedule of a graph as a trace.

package timing

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"ptogo/ir"
)

// mostArrows is the maximum number of edges that a trace shows as arrows. The trace of a larger
// graph shows those of its critical path.
const mostArrows = 20_000

// Trace writes the schedule in the trace format of Perfetto. It contains a process for each
// rank, with a lane for each core that runs a task, arrows for the edges between tasks, and a
// process for the critical path.
func (s *Schedule) Trace(w io.Writer) error {
	t := &tracer{w: w}
	t.print("{\"otherData\":{\"time axis\":\"predicted time, from the begin of the graph\"},\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n")
	t.name("process_name", 0, 0, "critical path")
	for _, i := range s.Critical {
		s.slice(t, i, 0, 1)
	}
	lanes := make([][]int, len(s.Tasks))
	for rank := range s.Memory {
		t.name("process_name", rank+1, 0, fmt.Sprintf("rank %d", rank))
		s.lanes(t, rank, lanes)
	}
	s.arrows(t, lanes)
	t.print("\n]}\n")
	return t.err
}

// lanes writes the tasks of a rank to the trace t, each in the lanes of its cores, and stores
// the lanes in the parameter lanes. Without cores in the schedule, each task is in the first
// lane that contains no other task at the same time.
func (s *Schedule) lanes(t *tracer, rank int, lanes [][]int) {
	var own []int
	for i := range s.Tasks {
		if s.Tasks[i].Rank == rank {
			own = append(own, i)
		}
	}
	slices.SortStableFunc(own, func(a, b int) int { return cmp.Compare(s.Start[a], s.Start[b]) })
	named := map[int]bool{}
	var free []float64
	for _, i := range own {
		lanes[i] = s.Cores[i]
		if len(lanes[i]) == 0 {
			lane := slices.IndexFunc(free, func(at float64) bool { return at <= s.Start[i]+least })
			if lane < 0 {
				lane = len(free)
				free = append(free, 0)
			}
			free[lane] = s.End[i]
			lanes[i] = []int{s.Dispatch.Cores.Cube + s.Dispatch.Cores.Vector + lane}
		}
		for _, lane := range lanes[i] {
			if !named[lane] {
				named[lane] = true
				t.name("thread_name", rank+1, lane+1, s.laneName(lane))
				t.sort("thread_sort_index", rank+1, lane+1, lane)
			}
			s.slice(t, i, rank+1, lane+1)
		}
	}
}

// laneName returns the name of a lane: of a core, or of one of several tasks without cores.
func (s *Schedule) laneName(lane int) string {
	cube, vector := s.Dispatch.Cores.Cube, s.Dispatch.Cores.Vector
	switch {
	case lane < cube:
		return fmt.Sprintf("cube core %d", lane)
	case lane < cube+vector:
		return fmt.Sprintf("vector core %d", lane-cube)
	}
	return fmt.Sprintf("tasks %d", lane-cube-vector)
}

// arrows writes the edges of the graph to the trace t, from the first lane of a task to the
// first lane of its successor.
func (s *Schedule) arrows(t *tracer, lanes [][]int) {
	edges := 0
	for i := range s.Tasks {
		edges += len(s.Tasks[i].After)
	}
	critical := make([]bool, len(s.Tasks))
	for _, i := range s.Critical {
		critical[i] = true
	}
	for i := range s.Tasks {
		for _, b := range s.Tasks[i].After {
			if edges > mostArrows && !(critical[i] && critical[b]) {
				continue
			}
			t.arrows++
			rank := s.Tasks[i].Rank + 1
			t.write(traceEvent{Name: "edge", Phase: "s", Cat: "edge", Time: traceTime(nanosOf(s.End[b])), Core: rank, Pipe: lanes[b][0] + 1, ID: t.arrows})
			t.write(traceEvent{Name: "edge", Phase: "f", Bind: "e", Cat: "edge", Time: traceTime(nanosOf(s.Start[i])), Core: rank, Pipe: lanes[i][0] + 1, ID: t.arrows})
		}
	}
}

// slice writes task i as a bar in the trace viewer. The parameters process and lane
// determine the position of the bar.
func (s *Schedule) slice(t *tracer, i, process, lane int) {
	c := &s.Tasks[i].Cost
	begin := nanosOf(s.Start[i])
	dur := traceTime(nanosOf(s.End[i]) - begin)
	t.write(traceEvent{Name: ir.Visible(s.Tasks[i].Name), Phase: "X", Cat: "task", Time: traceTime(begin), Dur: &dur, Core: process, Pipe: lane, Args: map[string]any{
		"rank": s.Tasks[i].Rank, "alone, us": c.Micros, "part of cube cores": c.Cube, "part of vector cores": c.Vector,
	}})
}

// nanosOf converts microseconds to nanoseconds, rounded to an integer.
func nanosOf(us float64) int64 { return whole(1000 * us) }
