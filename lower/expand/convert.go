// This file expands conversions.

package expand

import (
	"fmt"
	"strings"

	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// tileConvert plans the expansion of op, which converts the elements of a tile to another
// type (kind TileConvert). It returns the plan, or the reason why op has none.
func (x *expander) tileConvert(op *ir.Op, kind sem.TileConvert) (*kernel, string) {
	ends := sem.TileEndsOf(op)
	src, why := x.tile(ends.Src.Name)
	if why != "" {
		return nil, why
	}
	dst, why := x.tile(ends.Dst.Name)
	if why != "" {
		return nil, why
	}
	from, to := src.info.Elem, dst.info.Elem
	convert := func(n *nest, p *point, v *ir.Value) *ir.Value {
		return x.at.Op(isavector.VBitcast, []*ir.Value{v}, []ir.Type{pto.VregType(to)}).Result(0)
	}
	switch {
	case kind.Cut && (src.size < dst.size || !ir.Is[ir.IntegerType](from)):
		return nil, fmt.Sprintf("%s cannot be cut to %s", from, to)
	case kind.Cut:
	default:
		if convert, why = x.conversion(op, from, to); why != "" {
			return nil, why
		}
	}
	n, why := x.nest(dst, []*operand{src}, []*operand{dst})
	if why != "" {
		return nil, why
	}
	k := &kernel{op: op, n: n, over: dst, out: dst, prepare: func() {}}
	k.line = func(n *nest, _ *line) func(p *point) {
		return func(p *point) {
			v := n.load(src, p)
			n.loaded()
			n.store(dst, p, convert(n, p, v))
		}
	}
	return k, ""
}

// roundings maps each rounding mode to its letter in the attribute rnd of conversions and
// in the instruction vtrc.
var roundings = map[num.Rounding]string{
	num.NearestEven: "R", num.NearestAway: "A", num.Floor: "F", num.Ceil: "C", num.Zero: "Z", num.Odd: "O",
}

// conversion returns a function that emits the conversion of a register. from is the
// element type of the register, and to is the element type of the result. If no vector
// instruction performs this conversion, conversion returns the reason.
func (x *expander) conversion(op *ir.Op, from, to ir.Type) (func(n *nest, p *point, v *ir.Value) *ir.Value, string) {
	rounding, saturates := isatile.ConvertRounding(op), isatile.ConvertSaturates(op)
	letter := roundings[rounding]
	if from == to { // rounds to integral numbers
		if !pto.Floats.Has(from) || letter == "O" {
			return nil, fmt.Sprintf("no vector instruction rounds %s in this way", from)
		}
		return func(n *nest, p *point, v *ir.Value) *ir.Value {
			return x.at.Op(isavector.VTrc, []*ir.Value{v, n.mask(from, p)}, []ir.Type{v.Type()}, ir.NamedAttr{Name: "round_mode", Attr: ir.Str(letter)}).Result(0)
		}, ""
	}
	c, ok := isavector.ConversionOf(from, to)
	switch {
	case !ok:
		return nil, fmt.Sprintf("no vector instruction converts %s to %s", from, to)
	case c.Roundings != "" && (letter == "" || !strings.Contains(c.Roundings, letter)):
		return nil, fmt.Sprintf("no vector instruction converts %s to %s with this rounding", from, to)
	case !c.Saturates && saturates && overflows(from, to):
		return nil, fmt.Sprintf("no vector instruction saturates when it converts %s to %s", from, to)
	}
	var attrs []ir.NamedAttr
	add := func(name, word string) { attrs = append(attrs, ir.NamedAttr{Name: name, Attr: ir.Str(word)}) }
	if c.Roundings != "" {
		add("rnd", letter)
	}
	if c.Saturates {
		add("sat", map[bool]string{true: "SAT", false: "NOSAT"}[saturates])
	}
	if c.Parts {
		wide, narrow := max(pto.ByteSize(from), pto.ByteSize(to)), min(pto.ByteSize(from), pto.ByteSize(to))
		add("part", map[int]string{2: "EVEN", 4: "P0"}[wide/narrow])
	}
	return func(n *nest, p *point, v *ir.Value) *ir.Value {
		return x.at.Op(isavector.VCvt, []*ir.Value{v, n.mask(from, p)}, []ir.Type{pto.VregType(to)}, attrs...).Result(0)
	}, ""
}

// overflows reports whether the source format has values outside the range of the
// destination format. from and to are the element types with these formats.
func overflows(from, to ir.Type) bool {
	a, _ := ir.FormatOf(from)
	b, _ := ir.FormatOf(to)
	switch {
	case a.IsInt() && b.IsInt():
		return a.Bits() >= b.Bits() || a.Signed() && !b.Signed()
	case a.IsInt():
		return false // the largest integer of 32 bits is below the largest number of f16 and more only for wider floats
	case b.IsInt():
		return true
	}
	return b.Bits() < a.Bits() || a.Bits() == b.Bits()
}
