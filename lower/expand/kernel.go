package expand

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/ir"
)

// kernel is the plan for a tile instruction that can share a loop with others. There are
// four kinds. An elementwise instruction computes each result register only from the
// source registers with the same index. A reduction combines each row, or each column, to one
// element. A slim instruction is elementwise, and its tiles have one element for each row of the loop.
type kernel struct {
	op *ir.Op
	n  *nest
	// over is the tile whose valid region is the iteration space, and out is the tile that
	// the instruction writes.
	over, out *operand
	// vector is a tile whose elements are repeated for all lines or registers, or nil.
	vector *operand
	// perLine reports that vector has one element for each line.
	perLine bool
	// prepare emits the loop-invariant code. line emits the code of one line and returns
	// a function that emits the code of one register. Together they occupy keeps
	// registers during the loop.
	prepare func()
	line    func(n *nest, l *line) func(p *point)
	keeps   int
	// rows is the reduction of each row, or nil. It replaces line.
	rows *reduction
	// cols is the reduction of each column, or nil. It replaces line.
	cols *reduction
	// each emits the code of one line if the instruction is slim. It is nil if the
	// instruction cannot be slim.
	each func(n *nest, l *line)
	// slim reports that the instruction is slim. The method each then replaces line.
	slim bool
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
// vector code of one instruction. A common loop over the lines of the iteration space n
// executes the stages of the kernels one after the other.
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
		if k.rows != nil {
			x.pointer(k.out)
		}
		k.prepare()
	}
	stages, columns := stagesOf(ks), slices.ContainsFunc(ks, func(k *kernel) bool { return k.cols != nil })
	n.unroll = columns || len(stages) > 1 && n.unrolls()
	body := func(l *line) {
		x.firsts, x.kept = map[place]*ir.Value{}, map[int64]map[place]*ir.Value{}
		for _, s := range stages {
			x.stage(n, l, s)
		}
	}
	if columns {
		x.eachLineOfColumns(n, body)
	} else {
		n.eachLine(body)
	}
}

// eachLineOfColumns emits the code of all lines if the loop contains reductions of columns.
// The code of the first line, which the function body emits, is before the loop, because its
// elements are the first results.
func (x *expander) eachLineOfColumns(n *nest, body func(l *line)) {
	body(&line{})
	results := func() []*ir.Value {
		var all []*ir.Value
		for _, c := range x.columns {
			all = append(all, c.acc)
		}
		return all
	}
	set := func(all []*ir.Value) {
		for i, c := range x.columns {
			c.acc = all[i]
		}
	}
	if n.lines.n > 1 {
		set(x.loopFrom(x.index(1), x.value(n.lines), 1, results(), func(i *ir.Value, carried []*ir.Value) []*ir.Value {
			set(carried)
			body(x.lineOf(i))
			return results()
		}))
	}
	for _, c := range x.columns {
		x.locate(c.k.op)
		p := *c.p
		p.line = &line{}
		n.store(c.k.out, &p, c.acc)
	}
}

// stage emits the code of one line for the kernels ks, which form one stage: no kernel
// needs the result of a reduction of the same stage.
func (x *expander) stage(n *nest, l *line, ks []*kernel) {
	points := make([]func(p *point), len(ks))
	var start []*ir.Value
	var reductions []*kernel
	for i, k := range ks {
		x.locate(k.op)
		switch {
		case k.slim:
			k.each(n, l)
			points[i] = func(*point) {}
		case k.rows != nil:
			start = append(start, k.rows.start(n))
			reductions = append(reductions, k)
		case k.cols != nil:
			points[i] = func(p *point) { x.addColumn(n, k, p) }
		default:
			points[i] = k.line(n, l)
		}
	}
	if !slices.ContainsFunc(ks, func(k *kernel) bool { return !k.slim }) {
		return
	}
	found := n.along(l, start, func(p *point, acc []*ir.Value) []*ir.Value {
		x.registers = x.registersAt(n, p)
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
}

// registersAt returns the registers with the elements of tiles at the point p. If the code
// for all registers of a line is unrolled, these registers remain for later stages.
func (x *expander) registersAt(n *nest, p *point) map[place]*ir.Value {
	at, _ := arith.ConstantInt(p.at)
	if !n.unroll || x.kept[at] == nil {
		x.kept[at] = map[place]*ir.Value{}
	}
	return x.kept[at]
}

// locate sets op as the tile instruction that is being expanded. Vector instructions that
// are inserted from now on receive its source location.
func (x *expander) locate(op *ir.Op) {
	x.op = op
	x.enter(x.block)
}
