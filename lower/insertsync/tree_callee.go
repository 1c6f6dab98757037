// This file treats calls of helpers and SIMT functions as single instructions.

package insertsync

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// simtBody returns the SIMT function that op launches, or nil if op launches none. A call
// of a SIMT function is a launch as well, with the number of work items that the target
// provides.
func simtBody(op *ir.Op) *ir.Op {
	if f := bodyOf(op); f != nil && pto.IsSimtEntry(f) {
		return f
	}
	return nil
}

// helperBody returns the helper function that op calls, or nil. A helper executes on a
// single pipe, with memory that its callers have allocated and filled.
func helperBody(op *ir.Op) *ir.Op {
	if f := bodyOf(op); f != nil && pto.IsHelper(f) {
		return f
	}
	return nil
}

// bodyOf returns the function that op calls, if its body is known, or nil.
func bodyOf(op *ir.Op) *ir.Op {
	if f := ptoanalysis.CalleeOf(op); f != nil && fn.Body(f) != nil {
		return f
	}
	return nil
}

// callee adds to n, the node of a call of function f, all memory accesses of f. The
// analysis then treats the call as one instruction. A SIMT launch is an instruction of
// the vector unit; a helper function is an instruction of its pipe. Addresses that f
// computes itself are unknown.
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
