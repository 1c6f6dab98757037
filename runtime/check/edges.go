// This file reports edges that a graph of tasks lacks.

package check

import (
	"fmt"

	"ptogo/ir"
	"ptogo/runtime"
)

// Two tasks of a rank race if they access the same bytes, one of them writes, and no path
// of edges orders them. The mistake is one missing edge, however many instructions and
// bytes race, so the checker makes one report for each pair of tasks.
//
// The order of submission, which is the order of the tasks in the graph, says which of the
// two tasks should run first. The order of execution does not: without the edge, either
// task can run first.

// Edge is an edge that a graph of tasks lacks.
type Edge struct {
	// Task and After are names of tasks of the rank: Task must wait for After.
	Task, After string
	Rank        int
	// Loc is the definition of Task in the file of the graph, or unknown.
	Loc ir.Loc
}

// mostEdges is the maximum number of missing edges with a report of their own. The
// checker counts further ones in the reports of their instructions.
const mostEdges = 1000

// missesEdge reports whether the race h is between two tasks of one rank that no edge of
// the graph orders.
func (c *Checker) missesEdge(h *hazard) bool {
	prev, cur := &c.launch.Cores[h.prev.core], h.event.Core
	return h.why == unordered && prev.Task != cur.Task && prev.Rank == cur.Rank
}

// edgeKey returns the map key of the report that covers all races of the two tasks of h.
func (c *Checker) edgeKey(h *hazard) hazardKey {
	a, b := c.launch.Cores[h.prev.core].Task, h.event.Core.Task
	return hazardKey{why: h.why, tasks: [2]int32{int32(min(a, b)) + 1, int32(max(a, b)) + 1}}
}

// edgeRace is a race between two tasks in the order of their submission.
type edgeRace struct {
	first, second edgeAccess
	access        *runtime.Access
	lo, hi        int64
}

// edgeAccess is one of the two accesses of an edgeRace.
type edgeAccess struct {
	stamp  *stamp
	op     *ir.Op
	core   *runtime.CoreInfo
	writes bool
	// round describes the loop iterations of the access, or is "".
	round  string
	rounds []int
}

// bySubmission returns the race h with the access of the earlier submitted task first.
func (c *Checker) bySubmission(h *hazard) edgeRace {
	prev := edgeAccess{stamp: &h.prev, op: c.sites.all[h.prev.site].op, core: &c.launch.Cores[h.prev.core], writes: h.prevWrote, rounds: []int{int(h.prev.round)}}
	if l := loopOf(prev.op); l != nil {
		prev.round = fmt.Sprintf("round %d of the loop in %s", h.prev.round, l.Loc().Line())
	}
	cur := edgeAccess{stamp: &h.cur, op: h.event.Op, core: h.event.Core, writes: h.curWrites, round: roundText(h.event), rounds: rounds(h.event)}
	x := edgeRace{prev, cur, h.access, h.lo, h.hi}
	if prev.core.Task > cur.core.Task {
		x.first, x.second = cur, prev
	}
	return x
}

// class returns the usual abbreviation for the race, as hazard.class does.
func (x edgeRace) class() string {
	h := hazard{prevWrote: x.first.writes, curWrites: x.second.writes}
	return h.class()
}

// describeEdge creates the report for a missing edge.
func (c *Checker) describeEdge(x edgeRace) *Report {
	a, b := &x.first, &x.second
	from, to := &c.launch.Tasks[a.core.Task], &c.launch.Tasks[b.core.Task]
	r := &Report{
		Check: Race, Severity: ir.Error, Class: x.class(), Loc: b.op.Loc(), Space: spaceName(x.access.Space),
		Lo: max(x.lo, firstByte(x.access)), Hi: min(x.hi, lastByte(x.access)),
		pipes: [2]string{a.stamp.line.String(), b.stamp.line.String()},
		Edge:  &Edge{Task: to.Name, After: from.Name, Rank: b.core.Rank, Loc: to.Loc},
	}
	memory := c.memoryName(x.access)
	clash := "task %s may overwrite what task %s still reads"
	switch {
	case a.writes && b.writes:
		clash = "task %[2]s and task %[1]s both write, and their order is undefined"
	case a.writes:
		clash = "task %s reads what task %s may not have written yet"
	}
	after, task := ir.Visible(from.Name), ir.Visible(to.Name)
	r.Text = fmt.Sprintf("%s in %s%s: ", r.Class, bytesOf(r.Lo, r.Hi, memory), named(operandName(b.op, b.stamp.arg))) + fmt.Sprintf(clash, task, after)
	for i, s := range []*edgeAccess{a, b} {
		name := operandName(s.op, s.stamp.arg)
		r.Accesses = append(r.Accesses, AccessInfo{s.op.Loc(), s.op.Name(), r.pipes[i], s.core.String(), s.core.Rank, s.core.Block, s.writes, name, s.rounds})
		and, what := "", memory+named(name)
		if i > 0 {
			and, what = "and ", "it"
		}
		r.note(s.op.Loc(), "%s'%s' on %s %s %s here%s", and, s.op.Name(), r.pipes[i], does(s.writes), what, c.where(s.core, s.round))
	}
	r.note(to.Loc, "no edge orders task %s and task %s of rank %d: add \"%s\" to \"after\" of task %s", after, task, b.core.Rank, after, task)
	return r
}
