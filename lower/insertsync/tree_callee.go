package insertsync

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// simtBody is the function whose work items an operation runs, or nil. Launches
// do so, and calls, which take the number of items from the machine.
func simtBody(op *ir.Op) *ir.Op {
	if f := bodyOf(op); f != nil && pto.IsSimtEntry(f) {
		return f
	}
	return nil
}

// helperBody is the helper that an operation calls, or nil: a function that
// works on one pipe, with what its callers have made and filled.
func helperBody(op *ir.Op) *ir.Op {
	if f := bodyOf(op); f != nil && pto.IsHelper(f) {
		return f
	}
	return nil
}

func bodyOf(op *ir.Op) *ir.Op {
	if f := ptoanalysis.CalleeOf(op); f != nil && fn.Body(f) != nil {
		return f
	}
	return nil
}

// callee makes all that a function does one instruction: the work items of a
// launch together one of the vector unit, a helper one of the pipe that it works
// on. What it computes by itself, such as addresses by the number of an item, may
// be anything.
func (t *tree) callee(n *node, f *ir.Op) {
	params := fn.Body(f).Args()
	args := n.op.Operands()[n.op.NumOperands()-len(params):]
	own := *t.resolver
	own.known = map[*ir.Value][]location{}
	for i, v := range params {
		if pto.SpaceOf(v.Type()) != sem.NoSpace {
			own.known[v] = t.places(args[i])
		}
	}
	inside := &tree{resolver: &own, target: t.target, unit: t.unit, calls: t.calls}
	computed := &loop{op: f}
	for b := range f.Region(0).Blocks() {
		for _, x := range inside.flat(b) {
			x.pos, x.op, x.location = n.first, n.op, computed.outside(x.location)
			if pto.IsSimtEntry(f) {
				x.pipe = order.Vector
			}
			n.touches = append(n.touches, x)
		}
	}
}
