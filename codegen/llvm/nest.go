// This file emits instructions from the descriptions of package nest.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/nest"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// machine executes descriptions (nest.Machine) of op by emitting code.
type machine struct {
	*function
	op *ir.Op
}

var descriptions = nest.Descriptions[*tile, value.Value, value.Value]()

// input is an operand of an elementwise instruction.
type input = nest.Input[*tile, value.Value, value.Value]

// described emits op from its description in package nest. It returns false if package nest
// does not describe op.
func (f *function) described(op *ir.Op) bool { return descriptions.Run(&machine{f, op}, op) }

// end ends a description after an error, if ok is false.
func end(ok bool) {
	if !ok {
		nest.End()
	}
}

func (m *machine) Target() ir.Target { return m.opts.Target }

func (m *machine) Tile(o sem.Operand) *tile {
	t, ok := m.tileOperand(m.op, o)
	end(ok)
	return &t
}

func (m *machine) Input(v *ir.Value, like *tile) input {
	to := like.e.f
	if pto.IsTile(v.Type()) {
		t, ok := m.tileOf(m.op, v)
		end(ok)
		return input{Tile: &t, At: func(r, c value.Value) value.Value { return m.toFormat(t.e.f, to, m.get(&t, r, c)) }}
	}
	e, ok := elementOfType(v.Type())
	if !ok {
		m.errorf(m.op, "has an operand or result of type %s, which the LLVM IR emitter does not support yet", v.Type())
	}
	end(ok)
	x := m.argument(e.f, to, m.val(v))
	return input{Scalar: true, At: func(_, _ value.Value) value.Value { return x }}
}

func (m *machine) Whole(t *tile) *tile {
	all := *t
	all.rows, all.cols = ll.Index(t.info.Rows), ll.Index(t.info.Cols)
	return &all
}

func (m *machine) Fn(fn *scalar.Fn, like *tile) func(xs ...value.Value) value.Value {
	end(m.supports(m.op, fn, like.e))
	return func(xs ...value.Value) value.Value { return m.applyTo(m.op, fn, like.e, xs...) }
}

func (m *machine) Conversion(src, dst *tile, how nest.Conversion) func(x value.Value) value.Value {
	if src.e.packed || dst.e.packed {
		m.unsupported(m.op)
		end(false)
	}
	convert := m.saturating
	if how.ZeroesNaN {
		convert = m.saturatingLanes
	}
	if src.e.f == dst.e.f && src.e.f.IsFloat() {
		return func(x value.Value) value.Value { return m.applyTo(m.op, scalar.Integral[how.Round], dst.e, x) }
	}
	return func(x value.Value) value.Value { return convert(src.e.f, dst.e.f, x, how.Round, how.Saturate) }
}

func (m *machine) Holds(rel scalar.Relation, like *tile) func(x, y value.Value) value.Value {
	if like.e.packed {
		m.unsupported(m.op)
		end(false)
	}
	return func(x, y value.Value) value.Value { return m.Relation(rel, like.e.f, x, y) }
}

func (m *machine) Reduction(src, dst *tile, how nest.Reduction) func(line value.Value) value.Value {
	end(m.supports(m.op, how.Fn, src.e))
	line := &tileLine{f: m.function, op: m.op, fn: how.Fn, e: src.e, n: src.cols, most: src.info.Cols}
	if how.Axis == sem.AlongCol {
		line.n, line.most = src.rows, src.info.Rows
	}
	ordered := line.inOrder(how.Order, src)
	return func(i value.Value) value.Value {
		line.get = func(k value.Value) value.Value {
			if how.Axis == sem.AlongCol {
				return m.get(src, k, i)
			}
			return m.get(src, i, k)
		}
		switch {
		case how.Arg:
			return m.Bitcast(m.Resize(line.best(), ll.IntType(ll.WidthOf(dst.e.t)), false), dst.e.t)
		case ordered != nil:
			return ordered(i)
		}
		return line.reduce()
	}
}

func (m *machine) FirstWins(fn *scalar.Fn, like *tile) func(x, y value.Value) value.Value {
	end(m.supports(m.op, fn, like.e))
	return func(x, y value.Value) value.Value {
		first := m.Not(m.Relation(sem.Beats(fn), like.e.f, y, x))
		if like.e.f.IsFloat() && !sem.UnorderedFirst(m.opts.Target) {
			first = m.And(first, m.Not(m.Or(m.isNaNOf(like.e, x), m.isNaNOf(like.e, y))))
		}
		return first
	}
}

func (m *machine) Constant(bits uint64, like *tile) value.Value {
	return ll.ConstantOf(like.e.f, bits)
}

func (m *machine) Covers(t, region *tile) { m.covers(t, region) }

func (m *machine) Each(t *tile, body func(r, c value.Value)) { m.over(t, body) }

func (m *machine) EachBit(src, dst *tile, bit func(r, c value.Value) value.Value) {
	m.compareRows(src, dst, func(r, c value.Value) value.Value { return m.ZExt(bit(r, c), ll.I8) })
}

func (m *machine) Lines(t *tile, axis sem.Axis, body func(line value.Value)) {
	lines, n := t.rows, t.cols
	if axis == sem.AlongCol {
		lines, n = n, lines
	}
	m.When("reduce", m.ICmp(enum.IPredSGT, n, ll.Index(0)), func() { m.Loop("line", lines, body) })
}

func (m *machine) Broadcast(dst, v *tile, axis sem.Axis, cyclic bool, body func(x, r, c value.Value)) {
	m.expand(dst, v, axis, cyclic && inTurn(v), body)
}

func (m *machine) Vector(dst *tile, src [2]*tile, combine func(vector int)) {
	m.whicheverIsVector(dst, src, combine)
}

func (m *machine) Among(a, b *tile, r, c value.Value, both, first, second, none func(r, c value.Value)) {
	left, right := inside(m.function, a, r, c), inside(m.function, b, r, c)
	m.When("both", m.And(left, right), func() { both(r, c) })
	m.When("left", m.And(left, m.Not(right)), func() { first(r, c) })
	m.When("right", m.And(right, m.Not(left)), func() { second(r, c) })
	if none != nil {
		m.When("none", m.Not(m.Or(left, right)), func() { none(r, c) })
	}
}

func (m *machine) Get(t *tile, r, c value.Value) value.Value { return m.get(t, r, c) }
func (m *machine) Put(t *tile, r, c, x value.Value)          { m.put(t, r, c, x) }

func (m *machine) Bit(mask *tile, r, c value.Value) value.Value {
	bits := m.Load(ll.I8, m.maskByte(mask, r, m.LShr(c, ll.Index(3))), 1)
	return m.Trunc(m.LShr(bits, m.Trunc(m.And(c, ll.Index(7)), ll.I8)), ll.I1)
}

func (m *machine) Choose(bit, yes, no value.Value) value.Value { return m.Select(bit, yes, no) }

func (m *machine) Number(n int64) value.Value { return ll.Index(n) }
