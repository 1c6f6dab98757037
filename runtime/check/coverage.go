// This file counts what the checkers looked at.

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

// coverage counts what the checkers have examined. A run without reports prints these
// numbers, so that the reader knows what the result covers.
type coverage struct {
	// accesses is the number of memory accesses.
	accesses int
	// meetings[p] is a bit set of the pipes that accessed bytes which pipe p had accessed
	// before.
	meetings [order.NumLines]uint32
	// cores are the numbers of the cores that had events.
	cores map[int]bool
	// lines means that a dcci instruction invalidated one line of the data cache while
	// the scalar unit used other lines.
	lines bool
	// notFollowed describes the bytes whose definedness the checker init did not follow
	// exactly, or is "".
	notFollowed string
}

// looked adds event e, its memory accesses and its core to the counts of what the
// checkers have examined.
func (c *coverage) looked(e *runtime.Event) {
	if c.cores == nil {
		c.cores = map[int]bool{}
	}
	c.cores[e.Core.Number] = true
	c.accesses += len(e.Accesses)
}

// pairs returns the number of pairs of pipes that have accessed the same memory, so that
// they need synchronization.
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

// Coverage describes what the checkers have examined, and what they have not examined
// although it may contain mistakes.
type Coverage struct {
	LookedFor []string `json:"looked_for"`
	Accesses  int      `json:"accesses"`
	// PipePairs is the number of pairs of pipes that accessed common memory.
	PipePairs int `json:"pipe_pairs"`
	Cores     int `json:"cores"`
	// Schedules names the execution orders that were simulated.
	Schedules   string   `json:"schedules"`
	NotLookedAt []string `json:"not_looked_at"`
	// Unwritten are the output arrays that the launch has written in part.
	Unwritten []Unwritten `json:"unwritten,omitempty"`
}

// Coverage returns what the checkers have examined. schedules names the execution orders
// that were simulated. The parameter more lists further aspects that were not checked,
// such as other arguments. If the kernel did not start, the result contains only this
// fact.
func (c *Checker) Coverage(schedules string, more ...string) Coverage {
	v := Coverage{LookedFor: []string{}, Schedules: schedules, NotLookedAt: []string{"the kernel, which did not start"}}
	if c.launch == nil {
		return v
	}
	for _, k := range c.opts.Kinds {
		v.LookedFor = append(v.LookedFor, string(k))
	}
	v.Accesses, v.PipePairs, v.Cores, v.NotLookedAt = c.seen.accesses, c.seen.pairs(), len(c.seen.cores), c.left(more)
	if st := c.main.outputs; st != nil && !c.faulted {
		v.Unwritten = st.unwritten()
	}
	return v
}

// String returns the coverage as one line of text, the last line of the output of a
// checked run.
func (v Coverage) String() string {
	if len(v.LookedFor) == 0 {
		return "checked nothing: the kernel did not start"
	}
	did := []string{
		count(v.Accesses, "access", "accesses"), ir.Count(v.PipePairs, "pair") + " of pipes with memory in common", ir.Count(v.Cores, "core"), v.Schedules,
	}
	return fmt.Sprintf("checked for %s in %s; not checked: %s", strings.Join(v.LookedFor, ", "), strings.Join(did, ", "), strings.Join(v.NotLookedAt, ", "))
}

// count returns the number n followed by a noun, for example "1 core" or "2 cores". The
// parameter one is the singular of the noun, and many is its plural.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// left lists what the checkers did not examine, for example checks that were not
// requested, or the order between cores if only one core ran. The list starts with the
// entries that the caller has determined, which are the argument.
func (c *Checker) left(more []string) []string {
	list := slices.Clone(more)
	for _, k := range Usual {
		if !c.wants(k) {
			list = append(list, "check "+string(k))
		}
	}
	if what := c.secondCore(); what != "" {
		list = append(list, what)
	} else if len(c.seen.cores) == 1 {
		list = append(list, "the order between cores, since one ran")
	}
	if c.seen.lines {
		list = append(list, "lines of the data cache that a dcci of one line does not name")
	}
	if c.seen.notFollowed != "" {
		list = append(list, c.seen.notFollowed)
	}
	if ops := c.unrun(); len(ops) > 0 {
		list = append(list, fmt.Sprintf("%s that did not run, in %s first", ir.Count(len(ops), "instruction"), ops[0].Loc().Line()))
	}
	if c.wants(Output) && c.main.outputs == nil {
		list = append(list, "which results are written, since ranks or tasks share arrays")
	}
	if c.faulted {
		list = append(list, "what would have run after the fault")
	}
	return list
}

// secondCore returns a text for the report about the second vector core of each block:
// what the checkers did not examine. It returns "" if they examined each vector core
// separately. Otherwise one simulated core represents the cube core and both vector cores
// of a block, so the second vector core does not execute separately.
func (c *Checker) secondCore() string {
	i := slices.IndexFunc(c.main.cores, func(s coreState) bool { return s.mixed })
	switch {
	case i < 0:
		return ""
	case slices.ContainsFunc(c.main.cores, func(s coreState) bool { return s.second() }):
		return "what the unified buffer of a second vector core holds"
	}
	op := analysis.PerVectorCore(c.main.cores[i].info.Kernel)
	return fmt.Sprintf("a second vector core of a block, whose work '%s' in %s may change", op.Name(), op.Loc().Line())
}

// unrun returns the instructions of the launched kernels that the current launch did not
// execute, for example because a branch skipped them.
func (c *Checker) unrun() []*ir.Op {
	var ops []*ir.Op
	for _, f := range analysis.Reached(c.kernels()) {
		for op := range f.Walk() {
			works := pto.InfoOf(op.Def()) != nil && len(pto.Effects(op)) > 0 && order.LineOf(pto.PipeFor(op, c.launch.Target)) != order.NoLine
			if works && c.sites.of[op] == nil {
				ops = append(ops, op)
			}
		}
	}
	return ops
}

// kernels returns the launched kernels.
func (c *Checker) kernels() []*ir.Op {
	var ks []*ir.Op
	for i := range c.launch.Cores {
		if k := c.launch.Cores[i].Kernel; !slices.Contains(ks, k) {
			ks = append(ks, k)
		}
	}
	return ks
}
