package expand

import "ptogo/ir"

// kernel is the plan for a tile instruction that can share a loop with others. Either it is
// elementwise, so that each result register depends only on the source registers with the
// same index, or it reduces each row to one element.
type kernel struct {
	op *ir.Op
	n  *nest
	// over is the tile whose valid region is the iteration space, and out is the tile that
	// the instruction writes.
	over, out *operand
	// vector is a tile whose elements are repeated for all lines or registers, or nil.
	vector *operand
	// prepare emits the loop-invariant code. line emits the code of one line and returns
	// a function that emits the code of one register. Together they occupy keeps
	// registers during the loop.
	prepare func()
	line    func(n *nest, l *line) func(p *point)
	keeps   int
	// rows is the reduction of each row, or nil. It replaces line.
	rows *reduction
}

// planned is the result of planning the expansion of an instruction: a kernel (the plan),
// or the reason why there is no plan.
type planned struct {
	*kernel
	why string
}

// asPlanned converts the type of a planning function, the parameter plan, so that a table
// of functions by kind of meaning can contain it. The planning function returns two
// results: the plan of the loops that replace an instruction, and the reason if there is
// no plan. The converted function returns both in one value.
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
	var reductions []*kernel
	x.scope()
	n.open(ks[0].over)
	for _, k := range ks {
		x.locate(k.op)
		for _, o := range k.n.tiles() {
			if len(ks) == 1 { // others may not be accessed
				x.pointer(o)
			}
		}
		if k.rows != nil {
			x.pointer(k.out)
			reductions = append(reductions, k)
		}
		k.prepare()
	}
	n.eachLine(func(l *line) {
		points := make([]func(p *point), len(ks))
		var start []*ir.Value
		for i, k := range ks {
			x.locate(k.op)
			if k.rows != nil {
				start = append(start, k.rows.start(n))
			} else {
				points[i] = k.line(n, l)
			}
		}
		found := n.along(l, start, func(p *point, acc []*ir.Value) []*ir.Value {
			x.registers = map[place]*ir.Value{}
			var next []*ir.Value
			for i, k := range ks {
				x.locate(k.op)
				if k.rows != nil {
					next = append(next, k.rows.add(n, p, acc[len(next)]))
				} else {
					points[i](p)
				}
			}
			return next
		})
		for i, k := range reductions {
			x.locate(k.op)
			k.rows.finish(n, l, found[i])
		}
	})
}

// locate sets op as the tile instruction that is being expanded. Vector instructions that
// are inserted from now on receive its source location.
func (x *expander) locate(op *ir.Op) {
	x.op = op
	x.enter(x.block)
}
