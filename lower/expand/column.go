// This file reduces columns in a loop that other instructions share.

package expand

import (
	"fmt"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// column is the result so far of the reduction of the columns in one register.
type column struct {
	k *kernel
	// p is the position of the register in a line.
	p   *point
	acc *ir.Value
}

// tileReduction plans the expansion of op, which reduces rows or columns, in a loop over
// lines. It returns the plan, or the reason why op has none.
func (x *expander) tileReduction(op *ir.Op, kind sem.TileReduce) (*kernel, string) {
	if kind.Axis == sem.AlongRow || kind.Arg {
		return x.tileRowReduce(op, kind)
	}
	r, n, why := x.reduction(op, kind)
	switch {
	case why != "":
		return nil, why
	case r.dst.byCols() && r.dst.info.Rows != 1:
		return nil, "the elements of the result do not follow each other"
	case r.order.Of != scalar.InTurn:
		return nil, fmt.Sprintf("rows are not combined by %s one after the other", r.fn)
	case n.lines.n == ir.Dynamic || !n.unrolls():
		return nil, "its rows are too long, or their number is not constant"
	}
	return &kernel{op: op, n: n, over: r.src, out: r.dst, prepare: func() {}, cols: r}, ""
}

// addColumn combines the results so far of the reduction of columns k with the register at
// the point p of the current line.
func (x *expander) addColumn(n *nest, k *kernel, p *point) {
	v := n.load(k.cols.src, p)
	at, _ := arith.ConstantInt(p.at)
	for _, c := range x.columns {
		if of, _ := arith.ConstantInt(c.p.at); c.k == k && of == at {
			c.acc = x.compute(k.cols.combine, k.cols.elem, n.mask(k.cols.elem, p), [3]*ir.Value{c.acc, v})
			return
		}
	}
	x.columns = append(x.columns, &column{k, p, v})
}
