package check

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/order"
	"ptogo/ir"
	"ptogo/runtime"
)

// coverage counts what the checkers have looked at, so that a run without
// reports does not promise more than it can.
type coverage struct {
	accesses int
	meetings [order.NumLines]uint32 // pipes that accessed memory after each pipe did, by bit
	cores    map[int]bool           // that have had events
	lines    bool                   // a dcci of one line came where others were in use
}

// looked counts an instruction.
func (c *coverage) looked(e *runtime.Event) {
	if c.cores == nil {
		c.cores = map[int]bool{}
	}
	c.cores[e.Core.Number] = true
	c.accesses += len(e.Accesses)
}

// pairs is how many pairs of pipes have accessed memory in common.
func (c *coverage) pairs() int {
	n := 0
	for p := range c.meetings {
		for q := range p {
			if c.meetings[p]>>q&1 != 0 || c.meetings[q]>>p&1 != 0 {
				n++
			}
		}
	}
	return n
}

// Coverage says what the checkers looked at, and what they did not look at
// although something may be wrong there. The caller knows which schedules ran, and
// more that was not looked at, such as other arguments.
func (c *Checker) Coverage(schedules string, more ...string) string {
	if c.launch == nil {
		return "looked at nothing: the kernel did not begin"
	}
	var kinds []string
	for _, k := range c.opts.Kinds {
		kinds = append(kinds, string(k))
	}
	did := []string{
		count(c.seen.accesses, "access", "accesses"), ir.Count(c.seen.pairs(), "pair") + " of pipes with memory in common",
		ir.Count(len(c.seen.cores), "core"), schedules,
	}
	return fmt.Sprintf("looked for %s in %s; not looked at: %s", strings.Join(kinds, ", "), strings.Join(did, ", "), strings.Join(c.left(more), ", "))
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// left lists what was not looked at.
func (c *Checker) left(more []string) []string {
	list := slices.Clone(more)
	for _, k := range []Kind{Race, Sync, Init, Mem} {
		if !c.wants(k) {
			list = append(list, "check "+string(k))
		}
	}
	switch {
	case slices.ContainsFunc(c.launch.Cores, func(i runtime.CoreInfo) bool { return analysis.Mixed(i.Kernel) }):
		list = append(list, "a second vector core of a block")
	case len(c.seen.cores) == 1:
		list = append(list, "the order between cores, since one ran")
	}
	if c.seen.lines {
		list = append(list, "lines of the data cache that a dcci of one line does not name")
	}
	if ops := c.unrun(); len(ops) > 0 {
		list = append(list, fmt.Sprintf("%s that did not run, in %s first", ir.Count(len(ops), "instruction"), lineOf(ops[0].Loc())))
	}
	if c.faulted {
		list = append(list, "what would have run after the fault")
	}
	return list
}

// unrun are the instructions of the kernels that work on a pipe and had no event.
func (c *Checker) unrun() []*ir.Op {
	var kernels, ops []*ir.Op
	for i := range c.launch.Cores {
		if k := c.launch.Cores[i].Kernel; !slices.Contains(kernels, k) {
			kernels = append(kernels, k)
		}
	}
	for _, f := range analysis.Reached(kernels) {
		for op := range f.Walk() {
			works := pto.InfoOf(op.Def()) != nil && len(pto.Effects(op)) > 0 && order.LineOf(pto.PipeFor(op, c.launch.Target)) != order.NoLine
			if works && c.sites.of[op] == nil {
				ops = append(ops, op)
			}
		}
	}
	return ops
}
