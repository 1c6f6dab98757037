// This file reads the operands of matrix products.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/num"
)

// Product holds the operands and attributes of a matrix product of the cube unit (kind
// Mad): Dst = Lhs * Rhs, of M x K and K x N elements.
type Product struct {
	Mad
	Lhs, Rhs, Dst, Bias Operand
	M, N, K             Operand
	// Word is the 64-bit control word of an instruction in packed form, which replaces
	// other operands. MadM and the variables after it are its fields.
	Word Operand
	// Vector means that lhs has a single row that is stored contiguously, not in fractals
	// (blocks of 16 rows).
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

// MadM, MadK and MadN are the bit fields of the sizes M, K and N of a matrix product in a
// 64-bit control word. MadUnit is the bit field of the unit flag mode. An instruction in
// packed form has this control word as an operand.
var (
	MadM    = Field{0, 12}
	MadK    = Field{12, 12}
	MadN    = Field{24, 12}
	MadUnit = Field{55, 2}
)

// Bit numbers of the 64-bit control word of a matrix product in packed form. If bit
// MadNoVector is set, a lhs with a single row is stored in fractals. If bit MadFresh is
// set, the product starts with zero instead of the contents of dst.
const (
	MadNoVector = 61
	MadFresh    = 63
)

// ProductOf decodes the operands and attributes of op, a matrix product of the cube unit
// (kind Mad).
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

// UnitMode is how an instruction uses unit flags. Each fractal of L0C has such a flag,
// which orders the cube unit that writes it and the FIXPIPE that reads it. The numbers of
// the modes are those in the field MadUnit of the control word, an operand of a matrix
// product.
type UnitMode uint8

// The ways in which an instruction can use unit flags, the flags of the fractals of L0C
// that order matrix products and copies of their results. With UnitOff, the instruction
// does not use the flags.
const (
	UnitOff UnitMode = 0
	// UnitChecks waits until the unit flag permits the access.
	UnitChecks UnitMode = 2
	// UnitChanges waits like UnitChecks and changes the unit flag afterwards.
	UnitChanges UnitMode = 3
)

// unitNamed converts a keyword of attribute attr, such as check_only, to the mode of
// using unit flags. The default is UnitOff.
func unitNamed(op *ir.Op, attr string) UnitMode {
	switch keyword(op, attr) {
	case "check_only":
		return UnitChecks
	case "check_and_set", "check_and_clear":
		return UnitChanges
	}
	return UnitOff
}

// UnitNumber converts n, the bits of a configuration word that select how an instruction
// uses unit flags, to a UnitMode. Numbers without a meaning become UnitOff.
func UnitNumber(n uint64) UnitMode {
	if m := UnitMode(n); m >= UnitChecks {
		return m
	}
	return UnitOff
}

// Saturation is the treatment of floats that exceed the range of the destination type.
type Saturation uint8

// The treatments of floats that exceed the range of the destination type.
const (
	// SatByCtrl means that bits of the control register RegCtrl select the treatment at
	// run time.
	SatByCtrl Saturation = iota
	// SatFinite means that an out-of-range float becomes the largest finite number with
	// its sign, and that NaN becomes zero.
	SatFinite
	// SatKeepNaN means that an out-of-range float becomes the largest finite number with
	// its sign, and that NaN stays NaN.
	SatKeepNaN
	// SatUnchanged means that an out-of-range float becomes infinity, and that NaN stays
	// NaN.
	SatUnchanged
)

// SaturationOf decodes attribute sat_mode, the treatment of floats that exceed the range
// of the destination type. The default is SatByCtrl.
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
