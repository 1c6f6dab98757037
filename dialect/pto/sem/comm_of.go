// This file reads the operands of communication instructions.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// CommMove holds the operands of an instruction that copies Src to Dst between ranks
// (kind CommCopy). If Add is set, the elements of Src are added to those of Dst.
type CommMove struct {
	Dst, Src Operand
	Add      bool
}

// CommMoveOf decodes the operands of op, an instruction of kind CommCopy, which copies
// data between ranks.
func CommMoveOf(op *ir.Op) CommMove {
	return CommMove{operand(op, "dst"), operand(op, "src"), addsTo(op, "atomicType")}
}

// addsTo reports whether the attribute named attr of op is the keyword atomic_add, which
// requests an addition to memory instead of a store.
func addsTo(op *ir.Op, attr string) bool { return keyword(op, attr) == "atomic_add" }

// CommSignal holds the operands of an instruction that changes a signal between ranks or
// waits for it (kinds CommNotify and CommWait). A CommNotify adds the operand Value to
// the signal if the field Add is set, and otherwise replaces the signal by Value. A
// CommWait compares the signal with Value; the field Compare is the comparison.
type CommSignal struct {
	Signal, Value Operand
	Add           bool
	// Compare is the comparison of a wait: the element of the signal is on its left,
	// Value on its right. It is one of eq, ne, gt, ge, lt and le.
	Compare string
}

// CommNotifyOf decodes the operands of op, an instruction of kind CommNotify, which
// writes a value to a signal or adds to it.
func CommNotifyOf(op *ir.Op) CommSignal {
	return CommSignal{Signal: operand(op, "signal"), Value: operand(op, "value"), Add: addsTo(op, "notifyOp")}
}

// CommWaitOf decodes the operands of op, an instruction of kind CommWait, which waits
// until a signal satisfies a comparison.
func CommWaitOf(op *ir.Op) CommSignal {
	return CommSignal{Signal: operand(op, "signal"), Value: operand(op, "cmpValue"), Compare: keyword(op, "cmp")}
}

// CommGroup holds the operands of a collective operation (kind CommCollective): Data is
// the tensor of the root rank, and Members are the tensors of the ranks in the group.
type CommGroup struct {
	Data Operand
	// Collects reports whether the root rank receives data from the members (Gather,
	// Reduce). If it is false, the root rank sends data to the members.
	Collects bool
	Members  []Operand
	// Reduce is the function that combines elements in a reduction. It is nil for the
	// operations that do not reduce. It is also nil if attribute reduceOp has a number
	// that selects no function.
	Reduce *scalar.Fn
}

// CommGroupOf decodes the operands of op, a collective operation between ranks (kind
// CommCollective).
func CommGroupOf(op *ir.Op) CommGroup {
	kind, _ := op.Def().Sem.(CommCollective)
	g := CommGroup{Data: operand(op, "src"), Collects: kind.Kind == Gather || kind.Kind == Reduce}
	if g.Collects {
		g.Data = operand(op, "dst")
	}
	for _, v := range op.Args("group") {
		g.Members = append(g.Members, Operand{"group", v})
	}
	if which, ok := ir.AttrAs[ir.EnumAttr](op.Attr("reduceOp")); ok && which.Value >= 0 && which.Value < int64(len(kind.Fns)) {
		g.Reduce = kind.Fns[which.Value]
	}
	return g
}
