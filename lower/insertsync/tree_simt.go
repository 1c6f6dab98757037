package insertsync

import (
	fn "ptogo/dialect/func"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// simtBody is the function whose work items an operation runs, or nil. Launches
// do so, and calls, which take the number of items from the machine.
func simtBody(op *ir.Op) *ir.Op {
	f := pto.CalleeOf(op)
	if f == nil || fn.Body(f) == nil || !pto.IsSimtEntry(f) {
		return nil
	}
	return f
}

// launch makes all work items of a launch one instruction of the vector unit.
// Addresses depend on the number of the item, so an access may be anywhere: in
// global memory behind the argument that it goes through, elsewhere in the space.
func (t *tree) launch(n *node, body *ir.Op) {
	args := n.op.Operands()[n.op.NumOperands()-len(fn.Body(body).Args()):]
	for b := range body.Region(0).Blocks() {
		for _, x := range t.flat(b) {
			x.pos, x.op, x.pipe = n.first, n.op, order.Vector
			param := x.root
			x.place = place{space: x.space}
			if x.space != sem.GM || param == nil || !param.IsBlockArg() || param.Block() != fn.Body(body) {
				n.touches = append(n.touches, x)
				continue
			}
			for _, p := range t.places(args[param.Index()]) {
				y := *x
				y.root = p.root
				n.touches = append(n.touches, &y)
			}
		}
	}
}
