// This file expands reductions.

package expand

import (
	"fmt"
	"strconv"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// reduction expands a TileReduce instruction into vector instructions. It preserves the
// order in which the target combines floats, because rounding depends on that order.
type reduction struct {
	x        *expander
	fn       *scalar.Fn
	order    scalar.Sequence
	src, dst *operand
	// elem is the element type of the registers that are combined.
	elem ir.Type
	// combine is the instruction that combines lanes of elem.
	combine Instruction
}

// tileReduce replaces op, which reduces each row or column of a tile to one element (kind
// TileReduce), by vector instructions. It returns "", or the reason why it cannot expand
// op.
func (x *expander) tileReduce(op *ir.Op, kind sem.TileReduce) string {
	r := &reduction{x: x, fn: kind.Fn, order: kind.Sequence(op, x.target)}
	ends := sem.TileEndsOf(op)
	var why string
	if r.src, why = x.tile(ends.Src.Name); why != "" {
		return why
	}
	if r.dst, why = x.tile(ends.Dst.Name); why != "" {
		return why
	}
	r.elem = r.src.info.Elem
	alongRow := kind.Axis == sem.AlongRow
	switch {
	case !kind.Arg && r.src.info.Elem != r.dst.info.Elem:
		return fmt.Sprintf("it reduces %s to %s", r.src.info.Elem, r.dst.info.Elem)
	case r.src.byCols():
		return "columns come first in the source"
	case r.src.info.VRows == 0 || r.src.info.VCols == 0:
		return "its source has no valid elements"
	case alongRow && r.fn == scalar.Add && r.elem == ir.F16:
		r.elem = ir.F32
	}
	if kind.Arg {
		return r.places(kind)
	}
	by, ok := VectorOf(r.fn, r.elem, [3]ir.Type{}, x.target)
	if !ok {
		return fmt.Sprintf("no vector instruction computes %s on %s", r.fn, r.elem)
	}
	r.combine = by
	n, why := x.nest(r.src, []*operand{r.src}, nil)
	if why != "" {
		return why
	}
	n.flat, n.written = n.flat && n.lines.n == 1, []*operand{r.dst}
	if alongRow {
		return r.rows(n)
	}
	return r.columns(n)
}

// rows emits the code that reduces each row of the source to one element. It returns "",
// or the reason why it cannot.
func (r *reduction) rows(n *nest) string {
	x := r.x
	first, ok := lanesToOne[r.fn]
	if r.fn == scalar.Mul {
		ok = r.order.Of == scalar.ByHalves || r.order.Of == scalar.InTurn && ir.Is[ir.IntegerType](r.elem)
	}
	if !ok || r.fn == scalar.Add && r.order.Of != scalar.ByChunks && !ir.Is[ir.IntegerType](r.elem) {
		return fmt.Sprintf("lanes are not combined by %s in this order", r.fn)
	}
	n.begin(r.src)
	all := x.maskOf(pto.LaneBits(r.elem), n.lanes*int64(pto.ByteSize(r.src.info.Elem))/int64(pto.ByteSize(r.elem)))
	neutral := x.fill(r.elem, r.neutral())
	n.eachLine(func(l *line) {
		start := []*ir.Value{neutral}
		if n.length.n != ir.Dynamic {
			start[0] = nil
		}
		acc := n.along(l, start, func(p *point, acc []*ir.Value) []*ir.Value {
			v := r.addend(n, p, neutral)
			if r.order.Of == scalar.ByChunks { // floats are added register by register
				selected := all
				if r.elem == r.src.info.Elem {
					selected = p.mask
				}
				v = x.at.Op(first, []*ir.Value{v, selected}, []ir.Type{v.Type()}).Result(0)
			}
			if acc[0] == nil {
				return []*ir.Value{v}
			}
			return []*ir.Value{x.compute(r.combine, r.elem, all, [3]*ir.Value{acc[0], v})}
		})
		r.storeFirst(n, l, r.lanes(acc[0], first, all))
	})
	return ""
}

// lanesToOne maps a scalar function to the instruction that combines all lanes of a
// register by this function and writes the result to the first lane.
var lanesToOne = map[*scalar.Fn]*ir.Def{scalar.Add: isavector.VCAdd, scalar.Max: isavector.VCMax, scalar.Min: isavector.VCMin}

// neutral returns the bits of the neutral element of the reduction, such as 0 for a sum.
func (r *reduction) neutral() uint64 {
	f, _ := ir.FormatOf(r.elem)
	switch r.fn {
	case scalar.Max:
		return num.Extreme(f, true)
	case scalar.Min:
		return num.Extreme(f, false)
	case scalar.Mul:
		if f.IsInt() {
			return 1
		}
		return num.Encode(f, 1, num.NearestEven, false)
	}
	return 0
}

// addend returns a register with the source elements at the point p (one vector register
// of elements). The other lanes hold the neutral element.
func (r *reduction) addend(n *nest, p *point, neutral *ir.Value) *ir.Value {
	x, v := r.x, n.load(r.src, p)
	if r.elem != r.src.info.Elem { // neighbours become f32 and are added, which is the first round of pairs
		even, odd := r.half(n, p, v, "EVEN"), r.half(n, p, v, "ODD")
		all := x.maskOf(32, pto.VectorBytes/4)
		return x.compute(r.combine, r.elem, all, [3]*ir.Value{even, odd})
	}
	if p.count == n.lanes || r.order.Of == scalar.ByChunks {
		return v // or the sum leaves out the other lanes
	}
	return x.choose(v, neutral, p.mask)
}

// half converts the even or the odd f16 lanes of the register v to f32, as selected by
// part. Lanes without a valid element become 0.
func (r *reduction) half(n *nest, p *point, v *ir.Value, part string) *ir.Value {
	return r.x.at.Op(isavector.VCvt, []*ir.Value{v, n.mask(r.src.info.Elem, p)}, []ir.Type{pto.VregType(ir.F32)},
		ir.NamedAttr{Name: "part", Attr: ir.Str(part)}).Result(0)
}

// lanes emits the code that reduces all lanes of the register v to the first lane. The
// parameter first is an instruction that does this in one step; it is used if the order
// in which the target combines elements permits it. The parameter all is the mask of all
// lanes.
func (r *reduction) lanes(v *ir.Value, first *ir.Def, all *ir.Value) *ir.Value {
	x := r.x
	switch {
	case r.order.Of == scalar.ByChunks: // the target starts from 0, so that no sum is -0
		return x.compute(r.combine, r.elem, all, [3]*ir.Value{v, x.fill(r.elem, 0)})
	case r.fn == scalar.Mul:
		for lanes := pto.VectorBytes / pto.ByteSize(r.elem); lanes > 1; lanes /= 2 {
			upper := x.at.Op(isavector.VShift, []*ir.Value{v, x.integer(ir.I16, int64(lanes/2))}, []ir.Type{v.Type()}).Result(0)
			v = x.compute(r.combine, r.elem, all, [3]*ir.Value{v, upper})
		}
		return v
	}
	t := v.Type()
	if d, ok := ir.As[ir.IntegerType](r.elem); ok && r.fn == scalar.Add && d.Width < 32 {
		t = pto.VregType(ir.TypeOf(ir.IntegerType{Width: 2 * d.Width, Sign: d.Sign}))
	}
	return x.at.Op(first, []*ir.Value{v, all}, []ir.Type{t}).Result(0)
}

// storeFirst writes the first lane of the register v to the result element of the line l
// (a row, or a column of a column-major tile). It converts the lane to the element type
// of the result first.
func (r *reduction) storeFirst(n *nest, l *line, v *ir.Value) {
	x, elem := r.x, r.dst.info.Elem
	switch from := ir.ElementType(v.Type()); {
	case from == ir.F32 && elem == ir.F16:
		v = x.at.Op(isavector.VCvt, []*ir.Value{v, x.maskOf(32, pto.VectorBytes/4)}, []ir.Type{pto.VregType(elem)},
			ir.NamedAttr{Name: "rnd", Attr: ir.Str("R")}, ir.NamedAttr{Name: "sat", Attr: ir.Str("NOSAT")}, ir.NamedAttr{Name: "part", Attr: ir.Str("EVEN")}).Result(0)
	case from != elem: // a wider sum, of which the low bits are stored
		v = x.at.Op(isavector.VBitcast, []*ir.Value{v}, []ir.Type{pto.VregType(elem)}).Result(0)
	}
	at := n.lineOffset(r.dst, l)
	if r.dst.byCols() {
		at = l.number
	}
	if at == nil {
		at = x.index(0)
	}
	bits := int(8 * r.dst.size)
	x.at.Op(isavector.VSts, []*ir.Value{v, x.pointer(r.dst), at, x.maskOf(bits, int64(8*pto.VectorBytes/bits))}, nil, dist("1PT_B"+strconv.Itoa(bits))...)
}

// columns emits the code that reduces each column of the source to one element. It
// returns "", or the reason why it cannot.
func (r *reduction) columns(n *nest) string {
	switch {
	case r.dst.byCols() && r.dst.info.Rows != 1:
		return "the elements of the result do not follow each other"
	case r.order.Of != scalar.InTurn && r.order.Of != scalar.InTwos:
		return fmt.Sprintf("rows are not combined by %s in this order", r.fn)
	}
	x, step := r.x, int64(1)
	if r.order.Of == scalar.InTwos {
		step = 2
	}
	n.bars = waits(r.src, r.dst, n.places(n.lanes), n.columnSpans(r.src, n.lines.n), n.columnSpans(r.dst, 1))
	n.begin(r.src)
	// pairs ends the rows that are combined step at a time; the first row is alone.
	rows := x.value(n.lines)
	pairs := rows
	if step > 1 {
		pairs = r.wholeSteps(n.lines)
	}
	out := *r.dst
	n.along(&line{}, nil, func(p *point, _ []*ir.Value) []*ir.Value {
		row := func(i *ir.Value) *ir.Value {
			return n.load(r.src, &point{line: &line{number: i, offsets: map[int64]*ir.Value{}}, at: p.at, count: p.count, mask: p.mask})
		}
		add := func(a, b *ir.Value) *ir.Value {
			return x.compute(r.combine, r.elem, n.mask(r.elem, p), [3]*ir.Value{a, b})
		}
		acc := []*ir.Value{n.load(r.src, &point{line: &line{}, at: p.at, count: p.count, mask: p.mask})}
		acc = x.loopFrom(x.index(1), pairs, step, acc, func(i *ir.Value, acc []*ir.Value) []*ir.Value {
			v := row(i)
			if step > 1 {
				v = add(v, row(x.at.Op(arith.AddI, []*ir.Value{i, x.index(1)}, []ir.Type{ir.Index}).Result(0)))
			}
			return []*ir.Value{add(acc[0], v)}
		})
		if step > 1 {
			acc = x.loopFrom(pairs, rows, 1, acc, func(i *ir.Value, acc []*ir.Value) []*ir.Value {
				return []*ir.Value{add(acc[0], row(i))}
			})
		}
		n.loaded()
		n.store(&out, p, acc[0])
		return nil
	})
	return ""
}

// columnSpans returns the byte ranges of all registers in the given number of rows of the
// tile o. The ranges are listed register column by register column; they are nil if the
// extents are not constant or the list would be too long.
func (n *nest) columnSpans(o *operand, rows int64) []span {
	if rows == ir.Dynamic || n.length.n == ir.Dynamic || rows*(n.length.n/n.lanes+1) > mostSpans {
		return nil
	}
	list := []span{}
	for at := int64(0); at < n.length.n; at += n.lanes {
		for row := range rows {
			list = append(list, o.span(at/n.lanes, row, at, min(n.lanes, n.length.n-at), n.lanes))
		}
	}
	return list
}

// wholeSteps returns the index of the row after the last complete pair of rows, where
// rows is the number of rows. The pairs start at row 1, because row 0 initializes the
// result.
func (r *reduction) wholeSteps(rows extent) *ir.Value {
	x := r.x
	if rows.n != ir.Dynamic {
		return x.index(rows.n - (rows.n+1)%2)
	}
	even := x.before.Op(arith.AddI, []*ir.Value{rows.v, x.index(1)}, []ir.Type{ir.Index}).Result(0)
	odd := x.before.Op(arith.RemUI, []*ir.Value{even, x.index(2)}, []ir.Type{ir.Index}).Result(0)
	return x.before.Op(arith.SubI, []*ir.Value{rows.v, odd}, []ir.Type{ir.Index}).Result(0)
}
