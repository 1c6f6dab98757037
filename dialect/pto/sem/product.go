// This file reads the operands of matrix products.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/num"
)

// Product holds the operands and attributes of a Mad.
type Product struct {
	Mad
	Lhs, Rhs, Dst, Bias Operand
	M, N, K             Operand
	// Word is the control word of a packed product, which replaces other operands. MadM
	// and the other variables are its fields.
	Word Operand
	// Vector means that the single row of lhs is contiguous, without boxes.
	Vector bool
	// Finite means that infinite inputs and sums are replaced by finite numbers, and
	// NaN by zero.
	Finite bool
	// Tf32 reports that f32 inputs are rounded to 10 fraction bits, in the direction
	// Round.
	Tf32  bool
	Round num.Rounding
	Unit  UnitMode
}

// The fields of the 64-bit operand that holds the sizes and the mode of a product in
// packed form.
var (
	MadM    = Field{0, 12}
	MadK    = Field{12, 12}
	MadN    = Field{24, 12}
	MadUnit = Field{55, 2}
)

// Single bits of this word. MadNoVector: the single row of lhs is stored in fractals.
// MadFresh, for MadZero: the product starts with zero instead of the contents of dst.
const (
	MadNoVector = 61
	MadFresh    = 63
)

// ProductOf returns the operands and attributes of a product.
func ProductOf(op *ir.Op) *Product {
	kind, _ := op.Def().Sem.(Mad)
	p := &Product{
		Mad: kind, Lhs: operand(op, "lhs"), Rhs: operand(op, "rhs"), Dst: operand(op, "dst"),
		M: operand(op, "m"), N: operand(op, "n"), K: operand(op, "k"), Word: operand(op, "xt"),
		Vector: !op.HasAttr("disable_gemv"), Finite: SaturationOf(op) == SatFinite, Unit: unitNamed(op, "unit_flag_mode"),
	}
	if kind.Start == MadBias {
		p.Bias = operand(op, "bias")
	}
	switch keyword(op, "tf32_mode") {
	case "round_even":
		p.Tf32, p.Round = true, num.NearestEven
	case "round_away":
		p.Tf32, p.Round = true, num.NearestAway
	}
	return p
}

// UnitMode is how an instruction uses the unit flags of its fractals. The values are
// those of configuration words.
type UnitMode uint8

// The modes.
const (
	UnitOff UnitMode = 0
	// UnitChecks waits for the right state.
	UnitChecks UnitMode = 2
	// UnitChanges also changes the state afterwards.
	UnitChanges UnitMode = 3
)

// unitNamed is the mode of an attribute.
func unitNamed(op *ir.Op, attr string) UnitMode {
	switch keyword(op, attr) {
	case "check_only":
		return UnitChecks
	case "check_and_set", "check_and_clear":
		return UnitChanges
	}
	return UnitOff
}

// UnitNumber is the mode in a configuration word.
func UnitNumber(n uint64) UnitMode {
	if m := UnitMode(n); m >= UnitChecks {
		return m
	}
	return UnitOff
}

// Saturation is the treatment of floats that do not fit the destination type.
type Saturation uint8

// The treatments of floats that are out of range.
const (
	// SatByCtrl selects the treatment by bits of RegCtrl.
	SatByCtrl Saturation = iota
	// SatFinite returns the largest finite number, and zero for NaN.
	SatFinite
	// SatKeepNaN returns the largest finite number and keeps NaN.
	SatKeepNaN
	// SatUnchanged returns infinity and keeps NaN.
	SatUnchanged
)

// SaturationOf returns how an instruction treats floats that do not fit.
func SaturationOf(op *ir.Op) Saturation {
	switch keyword(op, "sat_mode") {
	case "sat":
		return SatFinite
	case "sat_preserve_nan":
		return SatKeepNaN
	case "nosat":
		return SatUnchanged
	}
	return SatByCtrl
}
