// This file follows the tile instructions that package nest describes in equivalence
// proofs.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/nest"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
	"ptogo/runtime/expr"
)

// A description is executed once when the kernel is planned, without its loops: this
// resolves operands and functions. When the instruction executes, its description is
// executed again and takes the resolved operands and functions in the same order.

// nestLineage is an instruction that symbolic execution follows by its description.
type nestLineage struct {
	op *ir.Op
	// parts are the resolved operands and functions, in the order in which the description
	// requests them.
	parts []any
	// missing means that the engine does not support an operand. opaque is the reason why
	// symbolic execution does not follow the instruction, or "".
	missing bool
	opaque  string
}

// nestTracer is the machine (nest.Machine) that computes the expressions of the results of
// an instruction. While p is set, it plans the instruction; otherwise it executes it.
type nestTracer struct {
	*nestLineage
	p  *planner
	fr *frame
	x  *tracer
	// next is the number of the next part to use.
	next int
	// skipped means that the instruction accesses elements that symbolic execution cannot
	// represent.
	skipped bool
}

var lineageDescriptions = nest.Descriptions[*tracedTile, int, value]()

// tracedNest compiles an instruction that package nest describes into a step.
func tracedNest[S ir.Meaning](p *planner, op *ir.Op, _ S) step {
	n := &nestLineage{op: op}
	lineageDescriptions.Run(&nestTracer{nestLineage: n, p: p}, op)
	switch {
	case n.missing:
		return p.plain
	case n.opaque != "":
		return p.unfollowed(op, n.opaque)
	}
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		m := &nestTracer{nestLineage: n, fr: fr, x: x}
		lineageDescriptions.Run(m, op)
		if m.skipped {
			return skipped
		}
		return nil
	})
}

// part returns the next resolved operand or function. The function plan resolves it while
// the kernel is planned.
func part[R any](m *nestTracer, plan func() R) R {
	if m.p != nil {
		r := plan()
		m.parts = append(m.parts, r)
		return r
	}
	r := m.parts[m.next].(R)
	m.next++
	return r
}

// lacks records that symbolic execution cannot represent elements, if cannot is set.
func (m *nestTracer) lacks(cannot bool) { m.skipped = m.skipped || cannot }

// stopped reports whether loops are left out: while the kernel is planned, and after an
// access of elements that symbolic execution cannot represent.
func (m *nestTracer) stopped() bool { return m.p != nil || m.skipped }

// tile resolves the operand o. It ends the description if the engine does not support it.
func (m *nestTracer) tile(o tileOperand) tileOperand {
	switch {
	case o.l == nil:
		m.missing = true
		nest.End()
	case o.l.half:
		m.opaque = "computes pairs of numbers"
		nest.End()
	}
	return o
}

func (m *nestTracer) Tile(o sem.Operand) *tracedTile {
	at := part(m, func() tileOperand { return m.tile(m.p.tileOperand(m.op, o)) })
	return m.at(&at)
}

// at returns the tile in the operand o. While the kernel is planned, it has no contents.
func (m *nestTracer) at(o *tileOperand) *tracedTile {
	if m.p != nil {
		return &tracedTile{t: &tile{}, l: o.l}
	}
	t := m.x.tile(m.fr, o)
	return &t
}

func (m *nestTracer) Input(v *ir.Value, like *tracedTile) nest.Input[*tracedTile, int, value] {
	in := part(m, func() *tracedInput {
		in := m.p.tracedInput(m.op, v, like.l.f, like.l.size)
		if !in.scalar {
			m.tile(in.tileOperand)
		}
		return &in
	})
	switch {
	case in.scalar && m.p != nil:
		return nest.Input[*tracedTile, int, value]{Scalar: true}
	case in.scalar:
		x := in.value(m.fr, m.x)
		return nest.Input[*tracedTile, int, value]{Scalar: true, At: func(_, _ int) value { return x }}
	}
	t := m.at(&in.tileOperand)
	get := func(r, c int) value { return m.x.at(t, r, c) }
	if in.widen != nil {
		get = func(r, c int) value { return m.x.convert(in.widen, m.x.at(t, r, c)) }
	}
	return nest.Input[*tracedTile, int, value]{Tile: t, At: get}
}

func (m *nestTracer) Whole(t *tracedTile) *tracedTile {
	all, extent := *t, *t.t
	extent.rows, extent.cols = t.l.rows, t.l.cols
	all.t = &extent
	return &all
}

func (m *nestTracer) Target() ir.Target {
	return part(m, func() ir.Target { return m.p.target })
}

func (m *nestTracer) Fn(fn *scalar.Fn, like *tracedTile) func(xs ...value) value {
	call := part(m, func() *tracedFn {
		call := m.p.loopFn(fn, like.l.f)
		if e := pto.InfoOf(m.op.Def()).Error; e != nil && e(m.op, m.p.target, like.l.f) > 0 && fn == sem.ElementFn(m.op) {
			call.ulp = uint32(e(m.op, m.p.target, like.l.f))
		}
		return call
	})
	return func(xs ...value) value {
		var args [3]value
		copy(args[:], xs)
		return m.x.apply(call, &args)
	}
}

func (m *nestTracer) Conversion(src, dst *tracedTile, how nest.Conversion) func(v value) value {
	from, to := src.l.f, dst.l.f
	var zero *expr.Fn
	if how.ZeroesNaN {
		zero = expr.Named("NaN to zero %s", to)
	}
	if from == to && from.IsFloat() {
		round := part(m, func() *tracedFn { return m.p.tracedFn(scalar.Integral[how.Round], from) })
		return func(v value) value { return m.x.withoutNaN(zero, to, m.x.apply(round, &[3]value{v})) }
	}
	convert := part(m, func() *tracedConversion { return m.p.tracedConversion(from, to, how.Round, how.Saturate) })
	return func(v value) value { return m.x.withoutNaN(zero, to, m.x.convert(convert, v)) }
}

func (m *nestTracer) Holds(rel scalar.Relation, like *tracedTile) func(a, b value) value {
	fn, f := comparisonFn(rel, like.l.f), like.l.f
	return func(a, b value) value { return m.x.compare(fn, rel, f, a, b) }
}

func (m *nestTracer) Reduction(op *ir.Op, kind sem.TileReduce, src, _ *tracedTile) func(line int) value {
	reduce := part(m, func() func(x *tracer, xs []value) value { return m.p.tracedReduction(op, kind, src.l.f) })
	alongCol := kind.Axis == sem.AlongCol
	_, n := src.t.lines(alongCol)
	xs := make([]value, n)
	return func(line int) value {
		for k := range xs {
			if alongCol {
				xs[k] = m.x.at(src, k, line)
			} else {
				xs[k] = m.x.at(src, line, k)
			}
		}
		return reduce(m.x, xs)
	}
}

func (m *nestTracer) FirstWins(fn *scalar.Fn, like *tracedTile) func(a, b value) value {
	beats, f := sem.Beats(fn), like.l.f
	unordered := sem.UnorderedFirst(m.Target())
	first := expr.Named("first wins %d %s", beats.On, f)
	return func(a, b value) value {
		if a.known && b.known {
			return knownValue(uint64(bit(firstOfPair(beats, f, a.bits, b.bits, unordered))))
		}
		return m.x.named(first, a, b)
	}
}

func (m *nestTracer) Constant(bits uint64, _ *tracedTile) value { return knownValue(bits) }

func (m *nestTracer) Covers(t, region *tracedTile) {
	rows, cols := region.t.rows, region.t.cols
	m.lacks(rows > 0 && cols > 0 && t.lacks(rows-1, cols-1))
}

func (m *nestTracer) Each(t *tracedTile, body func(r, c int)) {
	if m.stopped() {
		return
	}
	for r := range t.t.rows {
		for c := range t.t.cols {
			body(r, c)
		}
	}
}

func (m *nestTracer) EachBit(src, dst *tracedTile, bit func(r, c int) value) {
	rows, cols := src.t.rows, src.t.cols
	m.lacks(!dst.maskCovers(rows, cols))
	if m.stopped() {
		return
	}
	for r := range rows {
		from := dst.l.offset(dst.t, r, 0)
		for c := 0; c < cols; c += 8 {
			var bits [8]value
			for i := range bits {
				bits[i] = knownValue(0)
				if c+i < cols {
					bits[i] = bit(r, c+i)
				}
			}
			m.x.put(&dst.traced, from+c/8, 1, m.x.byteOf(&bits))
		}
	}
}

func (m *nestTracer) Lines(t *tracedTile, axis sem.Axis, body func(line int)) {
	lines, n := t.t.lines(axis == sem.AlongCol)
	for line := 0; line < lines && n > 0 && !m.stopped(); line++ {
		body(line)
	}
}

func (m *nestTracer) Broadcast(dst, v *tracedTile, kind sem.TileExpand, body func(x value, r, c int)) {
	rows, cols := dst.t.rows, dst.t.cols
	m.lacks(kind.Axis == sem.AlongCol && cols > v.l.cols || kind.Axis == sem.AlongRow && rows > v.l.rows || rows*cols > 0 && v.l.rows*v.l.cols == 0)
	inTurn, length := kind.InTurn() && !v.l.byCols, max(v.t.cols, 1)
	m.Each(dst, func(r, c int) {
		switch {
		case kind.Axis == sem.AlongCol:
			body(m.x.at(v, 0, c), r, c)
		case inTurn:
			body(m.x.at(v, r, c%length), r, c)
		default:
			body(m.x.at(v, r, 0), r, c)
		}
	})
}

func (m *nestTracer) Vector(dst *tracedTile, src [2]*tracedTile, combine func(vector int)) {
	if d := dst.t.extent(); src[1].t.extent() == d && src[0].t.extent() != d {
		combine(0)
	} else {
		combine(1)
	}
}

func (m *nestTracer) Among(a, b *tracedTile, r, c int, both, first, second, none func()) {
	switch left, right := c < a.t.inRow(r), c < b.t.inRow(r); {
	case left && right:
		both()
	case left:
		first()
	case right:
		second()
	case none != nil:
		none()
	}
}

func (m *nestTracer) Get(t *tracedTile, r, c int) value { return m.x.at(t, r, c) }

func (m *nestTracer) Put(t *tracedTile, r, c int, v value) {
	if t.lacks(r, c) {
		m.skipped = true
		return
	}
	m.x.give(t, r, c, v)
}

func (m *nestTracer) Bit(mask *tracedTile, r, c int) value {
	if !mask.maskCovers(r+1, c+1) {
		m.skipped = true
		return knownValue(0)
	}
	return m.x.bitOf(m.x.get(&mask.traced, mask.l.offset(mask.t, r, 0)+c/8, 1), c%8)
}

// maskCovers reports whether the mask t has a bit for each of rows x cols elements.
func (t *tracedTile) maskCovers(rows, cols int) bool {
	return rows <= t.l.rows && cols <= 8*t.l.cols*t.l.size
}

func (m *nestTracer) Choose(bit, yes, no value) value { return m.x.choose(bit, yes, no) }

func (m *nestTracer) Number(n int64) int { return int(n) }
