// This file makes edits of the text that supply missing synchronization.

package check

import (
	"slices"

	"ptogo/dialect/fn"
	"ptogo/ir"
)

// insertBetween adds a source edit to the report. The edit inserts a line, the last
// argument, between the accesses prev and cur. The line contains a barrier, for example.
// If the position for the new line cannot be determined, insertBetween adds no edit.
func (r *Report) insertBetween(prev, cur *ir.Op, fromEarlierRound bool, line string) {
	_, at := inOneBlock(prev, cur)
	if at == nil || fromEarlierRound && at != cur {
		return
	}
	r.keep(ir.LineBefore(at.Loc(), line))
}

// insertFlags adds source edits to the report. The edits insert an instruction that sets
// a flag after access prev, and one that waits for it before access cur. Both
// instructions must execute equally often. If the accesses are in different blocks, they
// are therefore inserted in the innermost block that contains both accesses, next to the
// statements around them. In this case, further edits set the flag before the loop and
// wait for it after the loop.
func (r *Report) insertFlags(prev, cur *ir.Op, fromEarlierRound bool, flag string) {
	from, to := inOneBlock(prev, cur)
	var l *ir.Op
	if fromEarlierRound {
		if l = loopOfBoth(prev, cur); l == nil {
			return
		}
		from, to = below(prev, l), below(cur, l)
	}
	if from == nil || to == nil || from == to && !fromEarlierRound {
		return
	}
	edits := []*ir.Fix{ir.LineAfter(from.Loc(), "pto.set_flag"+flag), ir.LineBefore(to.Loc(), "pto.wait_flag"+flag)}
	if fromEarlierRound {
		edits = append(edits, ir.LineBefore(l.Loc(), "pto.set_flag"+flag), ir.LineAfter(l.Loc(), "pto.wait_flag"+flag))
	}
	r.keep(edits...)
}

// keep attaches the given source edits to the report. If one of the edits is nil, it
// attaches none of them, because incomplete edits would not remove the mistake.
func (r *Report) keep(edits ...*ir.Fix) {
	if !slices.Contains(edits, nil) {
		r.Edits = edits
	}
}

// inOneBlock finds the innermost block that contains both a and b, directly or in nested
// regions. It returns two operations of this block: the one that is or contains a, and
// the one that is or contains b. Both are nil if a and b are in different functions.
func inOneBlock(a, b *ir.Op) (fromA, fromB *ir.Op) {
	statements := map[*ir.Block]*ir.Op{}
	for op := a; op != nil; op = op.Parent() {
		statements[op.Block()] = op
	}
	for op := b; op != nil; op = op.Parent() {
		if s := statements[op.Block()]; s != nil && !s.Is(fn.Func) {
			return s, op
		}
	}
	return nil, nil
}

// loopOfBoth returns the innermost loop that contains both operations, a and b. It
// returns nil if no loop contains both.
func loopOfBoth(a, b *ir.Op) *ir.Op {
	l := loopOf(b)
	for l != nil && !l.Encloses(a) {
		l = loopOf(l)
	}
	return l
}

// below returns the operation directly in the body of loop l that contains op, or op
// itself if op is directly in this body. It returns nil if op is outside the loop.
func below(op, l *ir.Op) *ir.Op {
	for op != nil && op.Parent() != l {
		op = op.Parent()
	}
	return op
}
