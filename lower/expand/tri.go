// This file expands triangular masks.

package expand

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// tileTri replaces an instruction of kind TileTri, which fills a triangle of a tile, by
// vector instructions. It returns "", or the reason why it cannot.
func (x *expander) tileTri(op *ir.Op, _ sem.TileTri) string {
	dst, why := x.tile(destination(op))
	if why != "" {
		return why
	}
	if dst.byCols() {
		return "columns come first in the result"
	}
	n, why := x.nest(dst, nil, []*operand{dst})
	if why != "" {
		return why
	}
	n.flat = n.flat && n.lines.n == 1
	t := sem.TriangleOf(op)
	elem := dst.info.Elem
	f, _ := ir.FormatOf(elem)
	n.begin(dst)
	zero, one := x.fill(elem, 0), x.fill(elem, num.Encode(f, 1, num.NearestEven, false))
	end := t.Diagonal.Value
	if end.Type() != ir.Index {
		end = x.before.Op(arith.IndexCast, []*ir.Value{end}, []ir.Type{ir.Index}).Result(0)
	}
	first, last := one, zero
	if t.Upper {
		first, last = zero, one
	} else { // the diagonal itself belongs to the first columns
		end = x.before.Op(arith.AddI, []*ir.Value{end, x.index(1)}, []ir.Type{ir.Index}).Result(0)
	}
	n.eachLine(func(l *line) {
		end := end
		if l.number != nil {
			end = x.at.Op(arith.AddI, []*ir.Value{end, l.number}, []ir.Type{ir.Index}).Result(0)
		}
		n.along(l, nil, func(p *point, _ []*ir.Value) []*ir.Value {
			n.store(dst, p, x.choose(first, last, x.below(n.bits(), end, p.at)))
			return nil
		})
	})
	return ""
}
