// This file describes races.

package check

import (
	"fmt"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// This file builds the report of a race. One pair of instructions can race in every
// iteration of a loop and in every byte that they share. That is a single mistake of
// the program, so the checker makes a single report and counts the repetitions. The
// report names both accesses, the possible wrong result, and the kind of
// synchronization that is missing.

// hazardKey identifies the races that one report covers: a pair of operations and the
// reason for the race.
type hazardKey struct {
	prev, cur int32
	why       hazardKind
	// ranks means that the two accesses are by different ranks.
	ranks bool
	// tasks are the numbers of the two tasks, plus 1, if a missing edge between tasks of a
	// graph causes the race. One report then covers all races of the two tasks, so prev and
	// cur are 0.
	tasks [2]int32
}

// hazard reports the race h between two accesses. The first race of a pair of operations
// creates a report, and later ones increase its count.
func (c *Checker) hazard(h *hazard) {
	k := c.key(h)
	edge := c.missesEdge(h)
	if edge {
		if pair := c.edgeKey(h); c.hazards[pair] != nil || c.edges < mostEdges {
			k = pair
		}
	}
	if r := c.hazards[k]; r != nil {
		if r.seq != h.event.Number {
			r.More, r.seq = r.More+1, h.event.Number
		}
		class := h.class()
		if edge {
			class = c.bySubmission(h).class()
		}
		if !strings.Contains(r.Class, class) {
			r.Class += " " + class
			r.note(ir.Loc{}, "%s, also in %s%s", class, bytesOf(h.lo, h.hi, c.memoryName(h.access)), named(operandName(h.event.Op, h.cur.arg)))
		}
		return
	}
	var r *Report
	if edge {
		r = c.describeEdge(c.bySubmission(h))
		c.edges++
	} else {
		r = c.describe(h)
	}
	r.seq = h.event.Number
	c.hazards[k] = r
	c.reports = append(c.reports, r)
}

// key returns the map key of the report that covers the race h. Races of the same two
// operations with the same reason have equal keys.
func (c *Checker) key(h *hazard) hazardKey {
	return hazardKey{prev: h.prev.site, cur: h.cur.site, why: h.why, ranks: c.ranksOf(h.prev.core, h.cur.core)}
}

// class returns the usual abbreviation for the race h: RAW (read after write), WAR (write
// after read) or WAW (write after write).
func (h *hazard) class() string {
	switch {
	case h.prevWrote && h.curWrites:
		return "WAW"
	case h.prevWrote:
		return "RAW"
	}
	return "WAR"
}

// describe creates the report for the race h: its message, its severity and both
// accesses.
func (c *Checker) describe(h *hazard) *Report {
	e, prev := h.event, c.sites.all[h.prev.site].op
	prevCore := &c.launch.Cores[h.prev.core]
	r := &Report{
		Check: Race, Severity: c.severity(h), Class: h.class(), Loc: e.Op.Loc(),
		Space: spaceName(h.access.Space), Lo: max(h.lo, firstByte(h.access)), Hi: min(h.hi, lastByte(h.access)),
		simple: h.why == unordered && prevCore == e.Core && h.prev.flags&h.cur.flags&scopeStamp == 0 && !h.prev.line.IsCopies(),
		pipes:  [2]string{h.prev.line.String(), h.cur.line.String()},
	}
	memory := c.memoryName(h.access)
	r.Text = fmt.Sprintf("%s in %s%s: ", r.Class, bytesOf(r.Lo, r.Hi, memory), named(operandName(e.Op, h.cur.arg)))
	r.Text += c.clash(h, prev)
	r.Accesses = []AccessInfo{
		{prev.Loc(), prev.Name(), r.pipes[0], prevCore.String(), prevCore.Rank, prevCore.Block, h.prevWrote, operandName(prev, h.prev.arg), []int{int(h.prev.round)}},
		{e.Op.Loc(), e.Op.Name(), r.pipes[1], e.Core.String(), e.Core.Rank, e.Core.Block, h.curWrites, operandName(e.Op, h.cur.arg), rounds(e)},
	}
	loop := ""
	if l := loopOf(prev); l != nil {
		loop = fmt.Sprintf("round %d of the loop in %s", h.prev.round, l.Loc().Line())
	}
	r.note(prev.Loc(), "'%s' on %s %s %s%s here%s", prev.Name(), r.pipes[0], does(h.prevWrote), memory, named(operandName(prev, h.prev.arg)), c.where(prevCore, loop))
	if w := c.where(e.Core, roundText(e)); w != "" {
		r.note(e.Op.Loc(), "and '%s' on %s %s it here%s", e.Op.Name(), r.pipes[1], does(h.curWrites), w)
	}
	c.explain(r, h)
	if text := c.rules.Contested(h.cur.line, h.prevWrote && h.curWrites); text != "" && h.prev.line == h.cur.line && prevCore == e.Core && (h.why == unordered || h.why == reloaded) {
		r.note(ir.Loc{}, "contested: %s", text)
	}
	return r
}

// clash returns a text that describes how the race h can cause a wrong result: for
// example, a read that sees old data.
func (c *Checker) clash(h *hazard, prev *ir.Op) string {
	this, p, other, q := h.event.Op.Name(), h.cur.line, prev.Name(), h.prev.line
	if a, b := h.prev.core, h.cur.core; c.ranksOf(a, b) {
		other, this = fmt.Sprintf("%s' of rank %d", other, c.launch.Cores[a].Rank), fmt.Sprintf("%s' of rank %d", this, c.launch.Cores[b].Rank)
	} else {
		other, this = other+"'", this+"'"
	}
	switch h.why {
	case clearedSignal:
		return fmt.Sprintf("no synchronization orders '%s on %s and '%s on %s: one of them stores to a word that holds signals, so a signal may be lost or counted twice", other, q, this, p)
	case staleLoad:
		return fmt.Sprintf("missing dcci: '%s may read old data from the data cache of the scalar unit, not what '%s on %s wrote", this, other, q)
	case unwritten:
		return fmt.Sprintf("missing dcci: data that '%s on the scalar unit stores may still be in its data cache when '%s on %s executes", other, this, p)
	case sharedLine:
		return fmt.Sprintf("'%s on two cores store to one %d-byte line of the data cache: the core that writes it back last overwrites what the other stored", this, order.LineBytes)
	}
	switch {
	case h.why == reloaded:
		return fmt.Sprintf("'%s on %s overwrites all that '%s wrote before any instruction reads it: if they finish in the other order, the wrong data remains", this, p, other)
	case h.prevWrote && h.curWrites:
		return fmt.Sprintf("'%s on %s and '%s on %s both write, and their order is undefined", other, q, this, p)
	case h.prevWrote:
		return fmt.Sprintf("'%s on %s reads what '%s on %s may not have written yet", this, p, other, q)
	}
	return fmt.Sprintf("'%s on %s may overwrite what '%s on %s still reads", this, p, other, q)
}

// severity returns the severity of the race h: error or warning. It is a warning if
// public sources disagree about the order of the two accesses and kernels on devices rely
// on this order.
func (c *Checker) severity(h *hazard) ir.Severity {
	switch {
	case h.why != unordered:
		return ir.Warning
	case h.prev.flags&h.cur.flags&scopeStamp != 0 && h.prevWrote && h.curWrites && h.prev.core == h.cur.core:
		return ir.Warning
	case isVMI(h.event.Op) && h.prev.flags&h.cur.flags&scopeStamp != 0:
		return ir.Warning
	case !h.prevWrote && h.prev.line == order.Scalar && h.prev.core == h.cur.core:
		return ir.Warning
	}
	return ir.Error
}

// isVMI reports whether op is an instruction on logical vectors.
func isVMI(op *ir.Op) bool {
	info := pto.InfoOf(op.Def())
	return info != nil && info.Group == "vmi"
}

// memoryName returns a name of the accessed memory for messages. It contains the owning
// core only if several cores own a memory in this space.
func (c *Checker) memoryName(a *runtime.Access) string {
	if a.Space == sem.GM {
		return c.launch.BufferName(a.Buffer)
	}
	if a.Core >= len(c.launch.Cores) {
		return fmt.Sprintf("the %s of a vector core that runs nothing", spaceName(a.Space))
	}
	core := &c.launch.Cores[a.Core]
	if core.Unit == sem.AnyUnit || core.Unit == sem.CubeUnit && a.Space != sem.UB {
		return spaceName(a.Space)
	}
	return "the " + spaceName(a.Space) + " of " + core.String()
}

// spaceName returns the name of a memory space as in pointer types. Memories that
// pointers cannot refer to have names that the runtime defines.
func spaceName(s sem.Space) string {
	if s <= sem.FB {
		return s.String()
	}
	return runtime.SpaceName(s)
}

// bytesOf returns a text for the bytes lo to hi-1 of a memory, for messages.
func bytesOf(lo, hi int64, memory string) string {
	if hi == lo+1 {
		return fmt.Sprintf("byte %d of %s", lo, memory)
	}
	return fmt.Sprintf("bytes %d..%d of %s", lo, hi-1, memory)
}

// operandName returns the name of operand i of op in the program, for example "%0", or ""
// if it has none.
func operandName(op *ir.Op, i int16) string {
	var v *ir.Value
	switch k := int(i); {
	case k < 0:
	case k < op.NumOperands():
		v = op.Operand(k)
	case k-op.NumOperands() < op.NumResults():
		v = op.Result(k - op.NumOperands())
	}
	if v == nil {
		return ""
	}
	return percent(v)
}

// percent returns the name of v with its % prefix, or "" if it has no name.
func percent(v *ir.Value) string {
	if v.Name() == "" {
		return ""
	}
	return "%" + v.Name()
}

// named returns " (NAME)" as a suffix for messages, or "" for an empty name.
func named(name string) string {
	if name == "" {
		return ""
	}
	return " (" + name + ")"
}

// does returns the verb for an access in messages: "writes" for a write and "reads" for a
// read.
func does(writes bool) string {
	if writes {
		return "writes"
	}
	return "reads"
}

// where returns a text that describes the task, rank, core, block and loop iteration of
// an access. It omits the rank or the block if the launch has only one, and the core if
// each block has only one core. round is the text for the iteration, or "".
func (c *Checker) where(core *runtime.CoreInfo, round string) string {
	text := ""
	if core.Task >= 0 {
		text += ", in task " + ir.Visible(c.launch.Tasks[core.Task].Name)
	}
	if c.launch.Ranks > 1 {
		text += fmt.Sprintf(", in rank %d", core.Rank)
	}
	if len(c.launch.Cores) > c.launch.Indices {
		text += ", on " + core.String()
	}
	if c.launch.Blocks > 1 {
		text += fmt.Sprintf(", in block %d", core.Block)
	}
	if round != "" {
		text += ", in " + round
	}
	return text
}

// ranksOf reports whether the cores with the numbers a and b belong to different ranks
// (devices).
func (c *Checker) ranksOf(a, b int32) bool { return c.launch.Cores[a].Rank != c.launch.Cores[b].Rank }

// loopOf returns the innermost loop that contains op. It returns nil if op is not in a
// loop.
func loopOf(op *ir.Op) *ir.Op {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if n := p.Name(); n == "scf.for" || n == "scf.while" {
			return p
		}
	}
	return nil
}

// roundText returns a text that lists the loop iterations in which event e occurred,
// outermost loop first.
func roundText(e *runtime.Event) string {
	text := ""
	for i, r := range e.Rounds {
		if i > 0 {
			text += " and "
		}
		text += fmt.Sprintf("round %d of the loop in %s", r.Round, r.Loop.Loc().Line())
	}
	return text
}

// rounds returns the iteration numbers of the loops that enclose event e, outermost
// first.
func rounds(e *runtime.Event) []int {
	var rs []int
	for _, r := range e.Rounds {
		rs = append(rs, r.Round)
	}
	return rs
}

// firstByte returns the offset of the first byte of an access.
func firstByte(a *runtime.Access) int64 { return a.Runs[0].Start }

// lastByte returns the offset after the last byte of an access.
func lastByte(a *runtime.Access) int64 {
	var end int64
	for _, r := range a.Runs {
		end = max(end, r.End())
	}
	return end
}
