// This file expands searches for the positions of extremes.

package expand

import (
	"fmt"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Lanes of a search have 32 bits, because positions do. Narrower elements are converted to
// them, which keeps their order.

// search expands a TileReduce that returns the position of the first maximum or minimum of
// each row or column. NaN precedes all numbers, and zeros are equal.
type search struct {
	reduction
	// wide is the type of the lanes that are compared.
	wide ir.Type
	// keeps is the relation of a new element to the extreme so far with which the extreme
	// remains.
	keeps ir.NamedAttr
}

// places expands a TileReduce that returns the positions of extreme elements instead of
// their values. It replaces op by vector instructions. It returns "", or the reason why
// it cannot expand op.
func (x *expander) places(op *ir.Op, kind sem.TileReduce) string {
	r, why := x.reduced(op, kind)
	if why != "" {
		return why
	}
	s := &search{reduction: *r, wide: lanesOf32(r.src.info.Elem), keeps: ir.NamedAttr{Name: "cmp_mode", Attr: ir.Str("le")}}
	if r.fn == scalar.Min {
		s.keeps.Attr = ir.Str("ge")
	}
	if s.wide != r.src.info.Elem {
		if c, ok := isavector.ConversionOf(r.src.info.Elem, s.wide); !ok || c.Roundings != "" {
			return fmt.Sprintf("no vector instruction converts %s to %s", r.src.info.Elem, s.wide)
		}
	}
	s.elem = s.wide
	if kind.Axis == sem.AlongRow {
		return s.rows()
	}
	return s.columns()
}

// lanesOf32 returns the 32-bit type that can represent all elements of type elem. For a
// float or integer type of 32 bits, this is elem itself; for smaller types, it is f32,
// i32 or ui32.
func lanesOf32(elem ir.Type) ir.Type {
	d, isInt := ir.As[ir.IntegerType](elem)
	switch {
	case pto.ByteSize(elem) == 4:
		return elem
	case isInt && d.Sign == ir.Unsigned:
		return ir.TypeOf(ir.IntegerType{Width: 32, Sign: ir.Unsigned})
	case isInt:
		return ir.I32
	}
	return ir.F32
}

// element returns a register with the elements of the source at the point p in lanes of 32
// bits.
func (s *search) element(n *nest, p *point) *ir.Value {
	x, from := s.x, s.src.info.Elem
	v := n.load(s.src, p)
	if from == s.wide {
		return v
	}
	part := map[int]string{2: "EVEN", 1: "P0"}[pto.ByteSize(from)]
	return x.at.Op(isavector.VCvt, []*ir.Value{v, n.mask(from, p)}, []ir.Type{pto.VregType(s.wide)}, ir.NamedAttr{Name: "part", Attr: ir.Str(part)}).Result(0)
}

// remains compares, in each lane, the extreme element of the preceding elements (best)
// with the next element (v). It returns the mask of the lanes in which best is still the
// extreme element. mask selects the lanes to compare.
func (s *search) remains(best, v, mask *ir.Value) *ir.Value {
	x, t := s.x, []ir.Type{mask.Type()}
	keeps := x.at.Op(isavector.VCmp, []*ir.Value{v, best, mask}, t, s.keeps).Result(0)
	if ir.Is[ir.IntegerType](s.wide) {
		return keeps
	}
	nan := x.at.Op(isavector.VCmp, []*ir.Value{best, best, mask}, t, ir.NamedAttr{Name: "cmp_mode", Attr: ir.Str("ne")}).Result(0)
	return x.at.Op(isavector.POr, []*ir.Value{keeps, nan, mask}, t).Result(0)
}

// rows emits code that finds, in each row, the position of the maximum or minimum. It
// returns "", or the reason why it cannot.
func (s *search) rows() string {
	x := s.x
	n, why := x.nest(s.src, []*operand{s.src}, nil)
	if why != "" {
		return why
	}
	n.lanes = pto.VectorBytes / 4
	n.flat, n.written = n.flat && n.lines.n == 1, []*operand{s.dst}
	n.begin(s.src)
	start := []*ir.Value{x.fill(s.wide, s.neutralBits()), x.fill(ir.I32, 0)}
	if n.length.n != ir.Dynamic {
		start = []*ir.Value{nil, nil}
	}
	n.eachLine(func(l *line) {
		found := n.along(l, start, func(p *point, acc []*ir.Value) []*ir.Value {
			best, at := s.first(n, p)
			if acc[0] == nil {
				return []*ir.Value{best, at}
			}
			keep := s.remains(acc[0], best, p.mask)
			return []*ir.Value{x.choose(acc[0], best, keep), x.choose(acc[1], at, keep)}
		})
		s.storeFirst(n, l, found[1])
	})
	return ""
}

// first reduces the register at the point p to its extreme value (maximum or minimum).
// The result best has this value in its first lane. The result at has the position of the
// value in its row, also in the first lane.
func (s *search) first(n *nest, p *point) (best, at *ir.Value) {
	x, v := s.x, s.element(n, p)
	if s.wide == ir.F32 { // -0 becomes +0, because vcmax distinguishes zeros
		v = s.plus(ir.F32, v, x.number(ir.F32, 0), p.mask)
	}
	best = x.at.Op(lanesToOne[s.fn], []*ir.Value{v, p.mask}, []ir.Type{v.Type()}).Result(0)
	pair := x.bitcast(best, ir.I32)
	at = x.at.Op(isavector.VDIntlv, []*ir.Value{pair, pair}, []ir.Type{pair.Type(), pair.Type()}).Result(1)
	if from, ok := arith.ConstantInt(p.at); !ok || from != 0 {
		from := x.at.Op(arith.IndexCast, []*ir.Value{p.at}, []ir.Type{ir.I32}).Result(0)
		at = s.plus(ir.I32, at, from, p.mask)
	}
	return best, at
}

// plus adds the scalar b to the lanes of the register v that the mask selects.
func (s *search) plus(elem ir.Type, v, b, mask *ir.Value) *ir.Value {
	return s.x.at.Op(isavector.VAddS, []*ir.Value{v, b, mask}, []ir.Type{pto.VregType(elem)}).Result(0)
}

// columns emits the code that finds the position (row number) of the extreme element in
// each column of a tile. It returns "", or the reason why it cannot.
func (s *search) columns() string {
	x := s.x
	if s.dst.byCols() && s.dst.info.Rows != 1 {
		return "the elements of the result do not follow each other"
	}
	n, why := x.nest(s.src, []*operand{s.src}, []*operand{s.dst})
	if why != "" {
		return why
	}
	n.flat = n.flat && n.lines.n == 1
	n.bars = waits(s.src, s.dst, n.places(n.lanes), n.columnSpans(s.src, n.lines.n), n.columnSpans(s.dst, 1))
	n.begin(s.src)
	rows := x.value(n.lines)
	zero := x.duplicate(ir.I32, x.integer(ir.I32, 0))
	n.along(&line{}, nil, func(p *point, _ []*ir.Value) []*ir.Value {
		row := func(l *line) *ir.Value {
			return s.element(n, &point{line: l, at: p.at, count: p.count, mask: p.mask})
		}
		found := x.loopFrom(x.index(1), rows, 1, []*ir.Value{row(&line{}), zero}, func(i *ir.Value, acc []*ir.Value) []*ir.Value {
			v := row(x.lineOf(i))
			number := x.at.Op(arith.IndexCast, []*ir.Value{i}, []ir.Type{ir.I32}).Result(0)
			here := x.at.Op(isavector.VDup, []*ir.Value{number, p.mask}, []ir.Type{zero.Type()}).Result(0)
			keep := s.remains(acc[0], v, p.mask)
			return []*ir.Value{x.choose(acc[0], v, keep), x.choose(acc[1], here, keep)}
		})
		n.loaded()
		n.store(s.dst, p, x.bitcast(found[1], s.dst.info.Elem))
		return nil
	})
	return ""
}
