// This file expands reductions.

package expand

import (
	"fmt"

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
	// combine is the instruction that combines lanes of elem, and first combines all lanes
	// of a register.
	combine Instruction
	first   *ir.Def
	// all is the mask of all lanes, and neutral is a register of neutral elements.
	all, neutral *ir.Value
}

// tileReduce replaces op, which reduces each row or column of a tile to one element (kind
// TileReduce), by vector instructions. It returns "", or the reason why it cannot expand
// op.
func (x *expander) tileReduce(op *ir.Op, kind sem.TileReduce) string {
	switch {
	case kind.Arg:
		return x.places(op, kind)
	case kind.Axis == sem.AlongRow:
		k, why := x.tileRowReduce(op, kind)
		if why == "" {
			x.emit(k.n, k)
		}
		return why
	}
	r, n, why := x.reduction(op, kind)
	if why != "" {
		return why
	}
	return r.columns(n)
}

// reduction returns a description of how to expand op, which reduces a tile, into vector
// instructions, together with the iteration space of the loop. If op cannot be expanded
// in this way, reduction returns the reason as text; the text is "" on success.
func (x *expander) reduction(op *ir.Op, kind sem.TileReduce) (*reduction, *nest, string) {
	r, why := x.reduced(op, kind)
	if why == "" && r.src.info.Elem != r.dst.info.Elem {
		why = fmt.Sprintf("it reduces %s to %s", r.src.info.Elem, r.dst.info.Elem)
	}
	if why != "" {
		return nil, nil, why
	}
	if kind.Axis == sem.AlongRow && r.fn == scalar.Add && r.elem == ir.F16 {
		r.elem = ir.F32
	}
	by, ok := VectorOf(r.fn, r.elem, [3]ir.Type{}, x.target)
	if !ok {
		return nil, nil, fmt.Sprintf("no vector instruction computes %s on %s", r.fn, r.elem)
	}
	r.combine = by
	n, why := x.nest(r.src, []*operand{r.src}, nil)
	if why != "" {
		return nil, nil, why
	}
	n.flat, n.written = n.flat && n.lines.n == 1, []*operand{r.dst}
	return r, n, ""
}

// reduced returns the information for expanding op, a tile instruction that reduces rows
// or columns: the function that combines two elements, the order of combinations, and the
// source and destination tiles. If vector registers cannot hold the rows of these tiles,
// reduced returns the reason instead.
func (x *expander) reduced(op *ir.Op, kind sem.TileReduce) (*reduction, string) {
	r := &reduction{x: x, fn: kind.Fn, order: kind.Sequence(op, x.target)}
	ends := sem.TileEndsOf(op)
	var why string
	if r.src, why = x.tile(ends.Src.Name); why != "" {
		return nil, why
	}
	if r.dst, why = x.tile(ends.Dst.Name); why != "" {
		return nil, why
	}
	r.elem = r.src.info.Elem
	switch {
	case r.src.byCols():
		return nil, "columns come first in the source"
	case r.src.info.VRows == 0 || r.src.info.VCols == 0:
		return nil, "its source has no valid elements"
	}
	return r, ""
}

// tileRowReduce plans the expansion of a TileReduce that reduces each row to one element.
// It returns the plan, or the reason why op has none.
func (x *expander) tileRowReduce(op *ir.Op, kind sem.TileReduce) (*kernel, string) {
	if kind.Axis != sem.AlongRow || kind.Arg {
		return nil, "it does not reduce rows to elements"
	}
	r, n, why := x.reduction(op, kind)
	if why != "" {
		return nil, why
	}
	ok := false
	r.first, ok = lanesToOne[r.fn]
	if r.fn == scalar.Mul {
		ok = r.order.Of == scalar.ByHalves || r.order.Of == scalar.InTurn && ir.Is[ir.IntegerType](r.elem)
	}
	if !ok || r.fn == scalar.Add && r.order.Of != scalar.ByChunks && !ir.Is[ir.IntegerType](r.elem) {
		return nil, fmt.Sprintf("lanes are not combined by %s in this order", r.fn)
	}
	prepare := func() {
		r.all = x.maskOf(pto.LaneBits(r.elem), n.lanes*int64(pto.ByteSize(r.src.info.Elem))/int64(pto.ByteSize(r.elem)))
		r.neutral = x.fill(r.elem, r.neutralBits())
	}
	return &kernel{op: op, n: n, over: r.src, out: r.dst, prepare: prepare, keeps: 3, rows: r}, ""
}

// start returns the value with which the reduction of a row starts, the neutral element.
// It is nil if the row has a constant number of registers, because the reduction then
// starts with the first register itself.
func (r *reduction) start(n *nest) *ir.Value {
	if n.length.n != ir.Dynamic {
		return nil
	}
	return r.neutral
}

// add emits the code that combines acc, the result so far, with the register at the point
// p, and returns the new result.
func (r *reduction) add(n *nest, p *point, acc *ir.Value) *ir.Value {
	x, v := r.x, r.addend(n, p, r.neutral)
	if r.order.Of == scalar.ByChunks { // floats are added register by register
		selected := r.all
		if r.elem == r.src.info.Elem {
			selected = p.mask
		}
		v = x.at.Op(r.first, []*ir.Value{v, selected}, []ir.Type{v.Type()}).Result(0)
	}
	if acc == nil {
		return v
	}
	return x.compute(r.combine, r.elem, r.all, [3]*ir.Value{acc, v})
}

// finish emits the code that stores the result acc of the line l.
func (r *reduction) finish(n *nest, l *line, acc *ir.Value) {
	r.storeFirst(n, l, r.lanes(acc, r.first, r.all))
}

// lanesToOne maps a scalar function to a vector instruction. The instruction combines all
// lanes of a register with this function and writes the result to the first lane.
var lanesToOne = map[*scalar.Fn]*ir.Def{scalar.Add: isavector.VCAdd, scalar.Max: isavector.VCMax, scalar.Min: isavector.VCMin}

// neutralBits returns the bits of the neutral element of the reduction, such as 0 for a sum.
func (r *reduction) neutralBits() uint64 {
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

// addend returns a register with the source elements at the point p, the elements that
// one vector register holds. If the point has fewer elements than the register has lanes,
// the remaining lanes hold the neutral element, unless the order of the additions ignores
// these lanes.
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

// half converts half of the f16 lanes of the register v to f32: the even or the odd
// lanes, as the parameter part selects. Lanes without a valid element become 0.
func (r *reduction) half(n *nest, p *point, v *ir.Value, part string) *ir.Value {
	return r.x.at.Op(isavector.VCvt, []*ir.Value{v, n.mask(r.src.info.Elem, p)}, []ir.Type{pto.VregType(ir.F32)},
		ir.NamedAttr{Name: "part", Attr: ir.Str(part)}).Result(0)
}

// lanes emits the code that reduces all lanes of the register v to the first lane. first
// is an instruction that does this in one step, and the parameter all is the mask of all
// lanes. The instruction is not used for products, which are computed by folding the
// upper half of the lanes onto the lower half several times. It is not used either if the
// target adds register by register (scalar.ByChunks): v then already contains the result,
// and lanes only adds 0 to it.
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
	n.storeFirst(r.dst, l, v)
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
			return n.load(r.src, &point{line: x.lineOf(i), at: p.at, count: p.count, mask: p.mask})
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

// columnSpans returns the byte ranges that are accessed if each of the first rows of the
// tile o is loaded into vector registers. rows is the number of these rows. The list
// first contains the range of the first register of each row, then the range of the
// second register of each row, and so on. It is nil if the extents are not constant or
// the list would be too long.
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

// wholeSteps returns the index of the first row after all complete pairs of rows; the
// parameter rows is the number of rows. The pairs start at row 1, because row 0
// initializes the result.
func (r *reduction) wholeSteps(rows extent) *ir.Value {
	x := r.x
	if rows.n != ir.Dynamic {
		return x.index(rows.n - (rows.n+1)%2)
	}
	even := x.before.Op(arith.AddI, []*ir.Value{rows.v, x.index(1)}, []ir.Type{ir.Index}).Result(0)
	odd := x.before.Op(arith.RemUI, []*ir.Value{even, x.index(2)}, []ir.Type{ir.Index}).Result(0)
	return x.before.Op(arith.SubI, []*ir.Value{rows.v, odd}, []ir.Type{ir.Index}).Result(0)
}
