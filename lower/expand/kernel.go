package expand

import "ptogo/ir"

// kernel is the plan of an instruction that computes each register of its iteration space
// from registers at the same place. Several of them can share a loop.
type kernel struct {
	op     *ir.Op
	n      *nest
	over   *operand // the tile whose valid region is the space
	vector *operand // a tile that lines or registers repeat, or nil
	// prepare emits what all registers share. line emits what a line needs, and returns
	// what emits a register. Both hold keeps registers.
	prepare func()
	line    func(n *nest, l *line) func(p *point)
	keeps   int
}

// planned is a kernel, or the reason why there is none.
type planned struct {
	*kernel
	why string
}

// asPlanned turns a routine into one with a single result.
func asPlanned[S ir.Meaning](plan func(*expander, *ir.Op, S) (*kernel, string)) func(*expander, *ir.Op, S) planned {
	return func(x *expander, op *ir.Op, kind S) planned {
		k, why := plan(x, op, kind)
		return planned{k, why}
	}
}

// emit writes the vector function of kernels over one iteration space.
func (x *expander) emit(n *nest, ks ...*kernel) {
	x.scope()
	n.open(ks[0].over)
	for _, k := range ks {
		x.locate(k.op)
		for _, o := range k.n.tiles() {
			if len(ks) == 1 { // others may not be accessed
				x.pointer(o)
			}
		}
		k.prepare()
	}
	n.eachLine(func(l *line) {
		points := make([]func(p *point), len(ks))
		for i, k := range ks {
			x.locate(k.op)
			points[i] = k.line(n, l)
		}
		n.along(l, nil, func(p *point, _ []*ir.Value) []*ir.Value {
			x.registers = map[place]*ir.Value{}
			for i, k := range ks {
				x.locate(k.op)
				points[i](p)
			}
			return nil
		})
	})
}

// locate makes a tile instruction the location of the following instructions.
func (x *expander) locate(op *ir.Op) {
	x.op = op
	x.enter(x.block)
}
