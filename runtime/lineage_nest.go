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
//
// A loop over a tile calls its body once per row, with the range of all columns, and an
// element of the description stands for the elements of a row. The calls between the
// description and the machine then cost little.
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
	// used is the number of values in tracer.values that the current row uses.
	used int
}

// indices is a range of rows or columns: n of them, beginning with number from.
type indices struct{ from, n int }

// row holds values of adjacent elements of a row. A single value stands for any number of
// equal ones.
type row []value

// at returns the value with number i.
func (r row) at(i int) *value {
	if len(r) == 1 {
		return &r[0]
	}
	return &r[i]
}

// row returns space for n values, which is valid until the end of the current row.
func (m *nestTracer) row(n int) row {
	m.used += n
	if m.used > len(m.x.values) {
		m.x.values = make([]value, 2*m.used)
		m.used = n
	}
	return m.x.values[m.used-n : m.used : m.used]
}

// each returns the values of f for i from 0 to n-1.
func (m *nestTracer) each(n int, f func(i int) value) row {
	out := m.row(n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

var lineageDescriptions = nest.Descriptions[*tracedTile, indices, row]()

// tracedNest compiles an instruction that package nest describes into a step.
func (p *planner) tracedNest(op *ir.Op) step {
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

func (m *nestTracer) Input(v *ir.Value, like *tracedTile) nest.Input[*tracedTile, indices, row] {
	in := part(m, func() *tracedInput {
		in := m.p.tracedInput(m.op, v, like.l.f, like.l.size)
		if !in.scalar {
			m.tile(in.tileOperand)
		}
		return &in
	})
	switch {
	case in.scalar && m.p != nil:
		return nest.Input[*tracedTile, indices, row]{Scalar: true}
	case in.scalar:
		x := row{in.value(m.fr, m.x)}
		return nest.Input[*tracedTile, indices, row]{Scalar: true, At: func(_, _ indices) row { return x }}
	}
	t := m.at(&in.tileOperand)
	return nest.Input[*tracedTile, indices, row]{Tile: t, At: func(r, c indices) row {
		xs := m.Get(t, r, c)
		if in.widen != nil {
			for i := range xs {
				xs[i] = m.x.convert(in.widen, xs[i])
			}
		}
		return xs
	}}
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

func (m *nestTracer) Fn(fn *scalar.Fn, like *tracedTile) func(xs ...row) row {
	call := part(m, func() *tracedFn {
		call := m.p.loopFn(fn, like.l.f)
		if e := pto.InfoOf(m.op.Def()).Error; e != nil && e(m.op, m.p.target, like.l.f) > 0 && fn == sem.ElementFn(m.op) {
			call.ulp = uint32(e(m.op, m.p.target, like.l.f))
		}
		return call
	})
	return func(xs ...row) row {
		n := 1
		for _, x := range xs {
			n = max(n, len(x))
		}
		out := m.row(n)
		for i := range out {
			var args [3]value
			for k, x := range xs {
				args[k] = *x.at(i)
			}
			out[i] = m.x.apply(call, &args)
		}
		return out
	}
}

func (m *nestTracer) Conversion(src, dst *tracedTile, how nest.Conversion) func(v row) row {
	from, to := src.l.f, dst.l.f
	var zero *expr.Fn
	if how.ZeroesNaN {
		zero = expr.Named("NaN to zero %s", to)
	}
	var convert func(v value) value
	if from == to && from.IsFloat() {
		round := part(m, func() *tracedFn { return m.p.tracedFn(scalar.Integral[how.Round], from) })
		convert = func(v value) value { return m.x.apply(round, &[3]value{v}) }
	} else {
		c := part(m, func() *tracedConversion { return m.p.tracedConversion(from, to, how.Round, how.Saturate) })
		convert = func(v value) value { return m.x.convert(c, v) }
	}
	return func(v row) row {
		return m.each(len(v), func(i int) value { return m.x.withoutNaN(zero, to, convert(v[i])) })
	}
}

func (m *nestTracer) Holds(rel scalar.Relation, like *tracedTile) func(a, b row) row {
	fn, f := comparisonFn(rel, like.l.f), like.l.f
	return func(a, b row) row {
		return m.each(max(len(a), len(b)), func(i int) value { return m.x.compare(fn, rel, f, *a.at(i), *b.at(i)) })
	}
}

func (m *nestTracer) Reduction(src, _ *tracedTile, how nest.Reduction) func(line indices) row {
	reduce := part(m, func() func(x *tracer, xs []value) value { return m.p.tracedReduction(how, src.l.f) })
	alongCol := how.Axis == sem.AlongCol
	_, n := src.t.lines(alongCol)
	return func(line indices) row {
		var xs row
		if alongCol {
			xs = m.each(n, func(k int) value { return m.x.at(src, k, line.from) })
		} else {
			xs = m.Get(src, line, indices{0, n})
		}
		xs[0] = reduce(m.x, xs)
		return xs[:1]
	}
}

func (m *nestTracer) FirstWins(fn *scalar.Fn, like *tracedTile) func(a, b row) row {
	beats, f := sem.Beats(fn), like.l.f
	unordered := sem.UnorderedFirst(m.Target())
	first := expr.Named("first wins %d %s", beats.On, f)
	return func(a, b row) row {
		return m.each(len(a), func(i int) value {
			if a[i].known && b[i].known {
				return knownValue(uint64(bit(firstOfPair(beats, f, a[i].bits, b[i].bits, unordered))))
			}
			return m.x.named(first, a[i], b[i])
		})
	}
}

func (m *nestTracer) Constant(bits uint64, _ *tracedTile) row { return row{knownValue(bits)} }

func (m *nestTracer) Covers(t, region *tracedTile) {
	rows, cols := region.t.rows, region.t.cols
	m.lacks(rows > 0 && cols > 0 && t.lacks(rows-1, cols-1))
}

func (m *nestTracer) Each(t *tracedTile, body func(r, c indices)) {
	for r := 0; r < t.t.rows && t.t.cols > 0 && !m.stopped(); r++ {
		m.used = 0
		body(indices{r, 1}, indices{0, t.t.cols})
	}
}

func (m *nestTracer) EachBit(src, dst *tracedTile, bit func(r, c indices) row) {
	m.lacks(!dst.maskCovers(src.t.rows, src.t.cols))
	m.Each(src, func(r, c indices) {
		bits := bit(r, c)
		from := dst.l.offset(dst.t, r.from, 0)
		for c := 0; c < len(bits); c += 8 {
			var eight [8]value
			for i := range eight {
				eight[i] = knownValue(0)
			}
			copy(eight[:], bits[c:])
			m.x.put(&dst.traced, from+c/8, 1, m.x.byteOf(&eight))
		}
	})
}

func (m *nestTracer) Lines(t *tracedTile, axis sem.Axis, body func(line indices)) {
	lines, n := t.t.lines(axis == sem.AlongCol)
	for line := 0; line < lines && n > 0 && !m.stopped(); line++ {
		m.used = 0
		body(indices{line, 1})
	}
}

func (m *nestTracer) Broadcast(dst, v *tracedTile, axis sem.Axis, cyclic bool, body func(x row, r, c indices)) {
	rows, cols := dst.t.rows, dst.t.cols
	m.lacks(axis == sem.AlongCol && cols > v.l.cols || axis == sem.AlongRow && rows > v.l.rows || rows*cols > 0 && v.l.rows*v.l.cols == 0)
	cyclic, length := cyclic && !v.l.byCols, max(v.t.cols, 1)
	m.Each(dst, func(r, c indices) {
		switch {
		case axis == sem.AlongCol:
			body(m.Get(v, indices{0, 1}, c), r, c)
		case cyclic:
			body(m.each(c.n, func(i int) value { return m.x.at(v, r.from, i%length) }), r, c)
		default:
			body(m.Get(v, r, indices{0, 1}), r, c)
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

func (m *nestTracer) Among(a, b *tracedTile, r, c indices, both, first, second, none func(r, c indices)) {
	left, right := min(a.t.inRow(r.from), c.n), min(b.t.inRow(r.from), c.n)
	within := func(f func(r, c indices), from, to int) {
		if f != nil && from < to {
			f(r, indices{from, to - from})
		}
	}
	within(both, 0, min(left, right))
	within(first, right, left)
	within(second, left, right)
	within(none, max(left, right), c.n)
}

func (m *nestTracer) Get(t *tracedTile, r, c indices) row {
	out := m.row(c.n)
	for i := range out {
		out[i] = m.x.at(t, r.from, c.from+i)
	}
	return out
}

func (m *nestTracer) Put(t *tracedTile, r, c indices, v row) {
	if t.lacks(r.from, c.from+c.n-1) {
		m.skipped = true
		return
	}
	for i := range c.n {
		m.x.give(t, r.from, c.from+i, *v.at(i))
	}
}

func (m *nestTracer) Bit(mask *tracedTile, r, c indices) row {
	if !mask.maskCovers(r.from+1, c.from+c.n) {
		m.skipped = true
		return row{knownValue(0)}
	}
	from := mask.l.offset(mask.t, r.from, 0)
	return m.each(c.n, func(i int) value { return m.x.bitOf(m.x.get(&mask.traced, from+(c.from+i)/8, 1), (c.from+i)%8) })
}

// maskCovers reports whether the mask t has a bit for each of rows x cols elements.
func (t *tracedTile) maskCovers(rows, cols int) bool {
	return rows <= t.l.rows && cols <= 8*t.l.cols*t.l.size
}

func (m *nestTracer) Choose(bit, yes, no row) row {
	return m.each(max(len(bit), len(yes), len(no)), func(i int) value { return m.x.choose(*bit.at(i), *yes.at(i), *no.at(i)) })
}

func (m *nestTracer) Number(n int64) indices { return indices{int(n), 1} }
