// This file reads the operands of communication instructions.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// CommMove holds the operands of a CommCopy. If Add is set, elements are added to those
// of Dst.
type CommMove struct {
	Dst, Src Operand
	Add      bool
}

// CommMoveOf returns the operands of a CommCopy.
func CommMoveOf(op *ir.Op) CommMove {
	return CommMove{operand(op, "dst"), operand(op, "src"), addsTo(op, "atomicType")}
}

// addsTo reports whether an attribute requests an addition instead of a store.
func addsTo(op *ir.Op, attr string) bool { return keyword(op, attr) == "atomic_add" }

// CommSignal holds the operands of a CommNotify or CommWait: the signal, and the value
// that is written to it or compared with it.
type CommSignal struct {
	Signal, Value Operand
	Add           bool
	Compare       string // eq, ne, gt, ge, lt, le
}

// CommNotifyOf returns the operands of a CommNotify.
func CommNotifyOf(op *ir.Op) CommSignal {
	return CommSignal{Signal: operand(op, "signal"), Value: operand(op, "value"), Add: addsTo(op, "notifyOp")}
}

// CommWaitOf returns the operands of a CommWait.
func CommWaitOf(op *ir.Op) CommSignal {
	return CommSignal{Signal: operand(op, "signal"), Value: operand(op, "cmpValue"), Compare: keyword(op, "cmp")}
}

// CommGroup holds the operands of a CommCollective: the view of the root rank, and those
// of the members.
type CommGroup struct {
	Data Operand
	// Collects reports that the root receives data. Otherwise it sends data.
	Collects bool
	Members  []Operand
	// Reduce is the function of a reduction. It is nil if the attribute has an unknown
	// number.
	Reduce *scalar.Fn
}

// CommGroupOf returns the operands of a CommCollective.
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
