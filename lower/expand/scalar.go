package expand

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// A scalar operand may have another type than the elements. Tile instructions convert it
// as C++ converts an argument: floats round to nearest, and lose their fraction as integers.

// converted returns the scalar v, converted to the element type elem. canConvert must
// have accepted this conversion.
func (x *expander) converted(v *ir.Value, elem ir.Type) *ir.Value {
	if pto.SameElement(v.Type(), elem) {
		return v
	}
	from, _ := ir.FormatOf(v.Type())
	to, _ := ir.FormatOf(elem)
	if a, ok := arith.ConstantAttr(v); ok {
		if _, bits, ok := a.NumberBits(); ok {
			rounding := num.NearestEven
			if to.IsInt() {
				rounding = num.Zero
			}
			return x.number(elem, num.Convert(from, to, bits, rounding, false))
		}
	}
	if from.IsFloat() && to.IsFloat() && from.Bits() == to.Bits() { // f16 and bf16, each of which f32 contains
		v = x.before.Op(arith.ExtF, []*ir.Value{v}, []ir.Type{ir.F32}).Result(0)
		return x.before.Op(arith.TruncF, []*ir.Value{v}, []ir.Type{elem}).Result(0)
	}
	def := arith.SIToFP
	switch {
	case to.IsInt() && from.Bits() > to.Bits(): // a count of a shift
		def = arith.TruncI
	case to.IsInt():
		def = arith.ExtUI
	case from.IsFloat() && from.Bits() < to.Bits():
		def = arith.ExtF
	case from.IsFloat():
		def = arith.TruncF
	}
	return x.before.Op(def, []*ir.Value{v}, []ir.Type{elem}).Result(0)
}
