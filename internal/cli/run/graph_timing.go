// This file predicts the time of a graph.

package run

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/timing"
)

// graphTiming predicts the time of a graph of tasks (kernel launches). Tasks that last
// equally long form a set, and the recorder records one task of each set while the graph
// runs. The timing model then predicts the time of each recorded task as if it ran alone.
// Finally, all tasks are scheduled on the chips of the ranks.
type graphTiming struct {
	recorder *timing.GraphRecorder
	// of is, for each task, the index of the task whose recording also represents it,
	// because both take equally long. For a recorded task, it is the index of the task
	// itself.
	of []int
	// on means that the time of the graph is predicted.
	on bool
}

// records reports whether the recorder needs the events of the task with the given index.
func (t *graphTiming) records(task int) bool { return t.on && t.of[task] == task }

// taskTime is the key under which the time of a task is stored. Two tasks have the same
// key if they run the same plan with the same scalar arguments, because they then last
// equally long. Tasks that raise signals or wait for them have no such key.
type taskTime struct {
	plan    *runtime.Program
	scalars string
}

// newGraphTiming returns the initial state for predicting the time of the graph g. It
// chooses the tasks to record. Tasks with the same plan and the same scalar arguments
// last equally long, so it chooses one task of each such set. It also chooses every task
// that signals or waits for signals.
func (g *graph) newGraphTiming(recorder *timing.GraphRecorder) *graphTiming {
	t := &graphTiming{recorder: recorder, of: make([]int, len(g.tasks)), on: g.flags.timing.used() || g.flags.report.used()}
	first := map[taskTime]int{}
	for i := range g.tasks {
		t.of[i] = i
		p := g.planOf(i)
		if timing.Communicates(p.prog.Kernels) {
			continue
		}
		key := taskTime{plan: p.plan}
		for _, a := range g.run.Tasks[i].Args {
			if a.Buffer < 0 {
				key.scalars += fmt.Sprintf(" %x", a.Bits)
			}
		}
		if _, ok := first[key]; !ok {
			first[key] = i
		}
		t.of[i] = first[key]
	}
	recorder.Wanted = func(task int) bool { return t.of[task] == task }
	return t
}

// planOf returns the program and the plan of the task with the given index.
func (g *graph) planOf(task int) *graphPlan {
	l := &g.tasks[task]
	return g.plans[graphPlanKey{l.File, l.Kernel, l.Blocks, l.arguments}]
}

// predict predicts the time of each task in the graph with the timing recordings in x, and
// schedules the tasks. If an option requests a prediction, it prints the schedule. The schedule
// is nil if there is none, which is then an error. The result code is the exit status of the
// command.
func (g *graph) predict(x *graphTiming) (s *timing.Schedule, code int) {
	s, untimed, err := g.schedule(x)
	_, usage := errors.AsType[chipError](err)
	switch {
	case usage:
		return nil, g.Usage("%v", err)
	case !g.flags.timing.used(): // for --report only
		return s, exit.OK
	case err != nil:
		return nil, g.Fail("--timing: %v", err)
	}
	var whatIf []timing.WhatIf
	for _, change := range g.flags.timing.whatIf {
		other, _, err := g.schedule(x, strings.Split(change, "+")...)
		if err != nil {
			return nil, g.Usage("--what-if: %v", err)
		}
		whatIf = append(whatIf, timing.WhatIf{Change: change, Micros: other.Micros, Gain: other.Micros/s.Micros - 1})
	}
	compared, err := g.compareMeasured(s)
	if err != nil {
		return nil, g.Fail("--timing-measured: %v", err)
	}
	g.printSchedule(s)
	for _, c := range compared {
		g.printComparison(c)
	}
	fmt.Fprint(g.Out, timing.WhatIfText("graph", whatIf))
	if err := g.writeSchedule(s, whatIf, compared); err != nil {
		return nil, g.Fail("%v", err)
	}
	if len(untimed) > 0 {
		slices.Sort(untimed)
		fmt.Fprintf(g.Out, "not timed, because their blocks wait for each other and exceed the cores of the chip: %s\n", strings.Join(slices.Compact(untimed), ", "))
	}
	return s, exit.OK
}

// chipError is an error in the name of a chip or in changes of its constants.
type chipError struct{ error }

// schedule predicts the time of each task in the graph on chips with the given changes of
// constants, and schedules the tasks. untimed are the names of kernels without a prediction.
func (g *graph) schedule(x *graphTiming, changes ...string) (s *timing.Schedule, untimed []string, err error) {
	known := map[int]timing.TaskCost{}
	var dispatch timing.Dispatch
	tasks := make([]timing.Task, len(g.tasks))
	for i := range g.tasks {
		cost, ok := known[x.of[i]]
		if !ok {
			chip, err := timing.ChipFor(g.flags.timing.chip, g.planOf(i).prog.Profile())
			if err == nil {
				chip, err = chip.With(changes...)
			}
			if err != nil {
				return nil, nil, chipError{err}
			}
			dispatch = chip.Dispatch()
			if cost, ok = x.recorder.TaskTime(x.of[i], chip, timing.Options{Warm: g.flags.timing.warm}); !ok {
				untimed = append(untimed, ir.Visible(g.tasks[i].Kernel))
			}
			known[x.of[i]] = cost
		}
		r := &g.run.Tasks[i]
		tasks[i] = timing.Task{Name: r.Name, Rank: r.Rank, After: r.After, Cost: cost}
	}
	s, err = timing.NewSchedule(tasks, g.run.Ranks, dispatch)
	return s, untimed, err
}

// writeSchedule writes the schedule, and its comparison with measured times, to the files of
// --trace and --timing-json.
func (g *graph) writeSchedule(s *timing.Schedule, whatIf []timing.WhatIf, compared []*timing.Comparison) error {
	if g.flags.trace.file != "" {
		if err := g.flags.trace.write(s, g.Out); err != nil {
			return err
		}
	}
	if path := g.flags.timing.json; path != "" {
		return files.WriteFile(path, s.JSON(whatIf, compared...), g.Out)
	}
	return nil
}

// mostCritical is the maximum number of tasks of the critical path that are printed.
const mostCritical = 20

// printSchedule prints the predicted schedule: the total time, the critical path, and the
// time and the load of global memory for each rank.
func (g *graph) printSchedule(s *timing.Schedule) {
	w := g.Out
	fmt.Fprintf(w, "predicted %.1f us for %s on %s; longest path of edges %.1f us\n", s.Micros, ir.Count(len(s.Tasks), "task"), ir.Count(g.run.Ranks, "chip"), s.Longest)
	names := []string{}
	for k, i := range s.Critical {
		if k == mostCritical {
			names = append(names, fmt.Sprintf("... (%d tasks)", len(s.Critical)))
			break
		}
		name := ir.Visible(s.Tasks[i].Name)
		if g.run.Ranks > 1 {
			name += fmt.Sprintf("@%d", s.Tasks[i].Rank)
		}
		names = append(names, name)
	}
	fmt.Fprintf(w, "critical path: %s\n", strings.Join(names, ", "))
	d := s.Dispatch
	fmt.Fprintf(w, "dispatch: %.1f us of the critical path (%.2f us until each submission, %.2f us after the end of a predecessor, %.2f us for each task of a core, %.2f us for its first); the host needs %.1f us more for each run\n",
		s.Dispatched(), d.Submit, d.Release, d.Switch, d.First, d.Host)
	for rank, busy := range s.Memory {
		end, count := 0.0, 0
		for i := range s.Tasks {
			if s.Tasks[i].Rank == rank {
				end, count = max(end, s.End[i]), count+1
			}
		}
		fmt.Fprintf(w, "rank %d: %s, %.1f us; global memory is busy %.1f %% of the time\n", rank, ir.Count(count, "task"), end, 100*busy)
	}
	fmt.Fprintf(w, "tasks lose %.1f us in all because they share global memory and links, and wait %.1f us for signals of other tasks\n", s.Slowed, s.Waited)
	fmt.Fprintln(w, "class: list scheduling of tasks timed alone with a cold cache, and dispatch as the public runtime measures it; no error known")
}
