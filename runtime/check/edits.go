// This file makes edits of the text that supply missing synchronization.

package check

import (
	"slices"

	"ptogo/ir"
)

// insertBetween makes the edit that inserts a line, such as a barrier, between two
// accesses. carried means that the first one belongs to an earlier round of a loop.
func (r *Report) insertBetween(prev, cur *ir.Op, carried bool, line string) {
	_, at := inOneBlock(prev, cur)
	if at == nil || carried && at != cur {
		return
	}
	r.keep(ir.LineBefore(at.Loc(), line))
}

// insertFlags makes the edits that raise a flag after one access and wait for it before
// another. Where the accesses are in different blocks, the flag is raised after, or
// waited for before, the statements that contain them, so that both happen equally often.
// From round to round of a loop, the flag is also raised before the loop and waited for
// after it.
func (r *Report) insertFlags(prev, cur *ir.Op, carried bool, flag string) {
	from, to := inOneBlock(prev, cur)
	var l *ir.Op
	if carried {
		if l = loopOfBoth(prev, cur); l == nil {
			return
		}
		from, to = below(prev, l), below(cur, l)
	}
	if from == nil || to == nil || from == to && !carried {
		return
	}
	edits := []*ir.Fix{ir.LineAfter(from.Loc(), "pto.set_flag"+flag), ir.LineBefore(to.Loc(), "pto.wait_flag"+flag)}
	if carried {
		edits = append(edits, ir.LineBefore(l.Loc(), "pto.set_flag"+flag), ir.LineAfter(l.Loc(), "pto.wait_flag"+flag))
	}
	r.keep(edits...)
}

// keep attaches edits, unless one of them cannot be made.
func (r *Report) keep(edits ...*ir.Fix) {
	if !slices.Contains(edits, nil) {
		r.Edits = edits
	}
}

// inOneBlock returns the statements of the innermost common block that contain a and b,
// or nil if they are in different functions.
func inOneBlock(a, b *ir.Op) (fromA, fromB *ir.Op) {
	statements := map[*ir.Block]*ir.Op{}
	for op := a; op != nil; op = op.Parent() {
		statements[op.Block()] = op
	}
	for op := b; op != nil; op = op.Parent() {
		if s := statements[op.Block()]; s != nil && s.Name() != "func.func" {
			return s, op
		}
	}
	return nil, nil
}

// loopOfBoth returns the innermost loop that contains a and b, or nil.
func loopOfBoth(a, b *ir.Op) *ir.Op {
	l := loopOf(b)
	for l != nil && !l.Encloses(a) {
		l = loopOf(l)
	}
	return l
}

// below returns the statement of the body of l that contains op.
func below(op, l *ir.Op) *ir.Op {
	for op != nil && op.Parent() != l {
		op = op.Parent()
	}
	return op
}
