// This file writes the schedule of a graph as a trace.

package timing

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"ptogo/ir"
)

// Trace writes the schedule in the trace format of Perfetto. It contains a process for
// each rank, with as many lanes as tasks run at the same time, and a process for the
// critical path.
func (s *Schedule) Trace(w io.Writer) error {
	t := &tracer{w: w}
	t.print("{\"otherData\":{\"time axis\":\"predicted time, from the begin of the graph\"},\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n")
	t.name("process_name", 0, 0, "critical path")
	for _, i := range s.Critical {
		s.slice(t, i, 0, 1)
	}
	for rank := range s.Memory {
		t.name("process_name", rank+1, 0, fmt.Sprintf("rank %d", rank))
		s.lanes(t, rank)
	}
	t.print("\n]}\n")
	return t.err
}

// lanes writes the tasks of a rank to the trace t. The viewer shows a rank as several
// lanes (rows of bars). Each task is in the first lane that contains no other task at the
// same time.
func (s *Schedule) lanes(t *tracer, rank int) {
	var own []int
	for i := range s.Tasks {
		if s.Tasks[i].Rank == rank {
			own = append(own, i)
		}
	}
	slices.SortStableFunc(own, func(a, b int) int { return cmp.Compare(s.Start[a], s.Start[b]) })
	var free []float64
	for _, i := range own {
		lane := slices.IndexFunc(free, func(at float64) bool { return at <= s.Start[i]+least })
		if lane < 0 {
			lane = len(free)
			free = append(free, 0)
			t.name("thread_name", rank+1, lane+1, fmt.Sprintf("tasks %d", lane))
			t.sort("thread_sort_index", rank+1, lane+1, lane)
		}
		free[lane] = s.End[i]
		s.slice(t, i, rank+1, lane+1)
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
