package expand

import "ptogo/ir"

// kernel is the plan for an elementwise tile instruction: each result register depends
// only on the source registers with the same index. Several kernels can be fused into one
// loop.
type kernel struct {
	op *ir.Op
	n  *nest
	// over is the tile whose valid region is the iteration space.
	over *operand
	// vector is a tile whose elements are repeated for all lines or registers, or nil.
	vector *operand
	// prepare emits the loop-invariant code. line emits the code of one line and returns
	// a function that emits the code of one register. Together they occupy keeps
	// registers during the loop.
	prepare func()
	line    func(n *nest, l *line) func(p *point)
	keeps   int
}

// planned is the result of planning the expansion of an instruction: a kernel (the plan),
// or the reason why there is no plan.
type planned struct {
	*kernel
	why string
}

// asPlanned converts a planning function with two results, a kernel (the plan) and a
// reason, into a routine with the single result planned.
func asPlanned[S ir.Meaning](plan func(*expander, *ir.Op, S) (*kernel, string)) func(*expander, *ir.Op, S) planned {
	return func(x *expander, op *ir.Op, kind S) planned {
		k, why := plan(x, op, kind)
		return planned{k, why}
	}
}

// emit emits one vector function for several tile instructions. Each kernel in ks is the
// vector code of one instruction. A common loop over the iteration space n executes the
// kernels one after the other.
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

// locate makes op the current tile instruction. The following vector instructions receive
// its source location.
func (x *expander) locate(op *ir.Op) {
	x.op = op
	x.enter(x.block)
}
