// This file defines the shadow of an element.

package shadow

import (
	"math"

	"ptogo/ir/num"
)

// Shadow is the float64 value that accompanies an element of lower precision. It also
// identifies the instruction that caused most of the element's error. The runtime stores
// a Shadow for each inexact element, so it is compact: 128 bits.
type Shadow struct {
	// Value is the result of the same computation in float64 arithmetic.
	Value float64
	// Tag holds a 32-bit checksum of the element, its format, and the number of the
	// instruction (Recorder.Line) that caused most of the error.
	Tag uint64
}

// tagOf returns the tag of a shadow (the float64 value of an element). The tag contains
// three parts: the format f, a check value of the bits of the element, and origin. The
// parameter origin is the number of the instruction that caused most of the error of the
// element.
func tagOf(f num.Format, bits uint64, origin uint32) uint64 {
	return uint64(fold(bits)) | uint64(f)<<32 | uint64(origin)<<40
}

// fold reduces the bits of an element to 32 bits, so that they fit into the tag of a
// shadow.
func fold(bits uint64) uint32 { return uint32(bits) ^ uint32(bits>>32) }

// Origin returns the number of the instruction that caused most of the element's error,
// or 0 if no instruction is recorded.
func (s Shadow) Origin() uint32 { return uint32(s.Tag >> 40) }

// Format returns the float format of the element whose float64 value the shadow holds.
func (s Shadow) Format() num.Format { return num.Format(s.Tag >> 32) }

// Fits reports whether the shadow (a float64 value) belongs to an element with the given
// bits. It detects a stale shadow, whose element was overwritten by an instruction that
// the recorder does not track.
func (s Shadow) Fits(bits uint64) bool { return uint32(s.Tag) == fold(bits) }

// Flags state whether a number was computed from special operands, such as NaN or
// infinity.
type Flags uint8

const (
	// FromNaN and FromInf mean that an operand is NaN or infinite. Then the instruction
	// is not the origin of a NaN or infinite result.
	FromNaN Flags = 1 << iota
	FromInf
	// Pole means that the exact result is infinite: a division by zero or a logarithm
	// of zero.
	Pole
)

// Number is a float operand or result while an instruction executes: its value with the
// rounding of the target, and its shadow, the same value without rounding to lower
// precision.
type Number struct {
	// Local is the value of the element. For a result that is not rounded yet, it is the
	// function of the instruction, computed in float64 on the rounded operands.
	Local float64
	// Value is the float64 value of the shadow, which contains no rounding errors of
	// lower precision.
	Value float64
	// Origin is the number of the instruction that caused most of the error of the
	// operands.
	Origin uint32
	Flags  Flags
	// ULP is the documented error, in units in the last place, of the functions that
	// computed the number. A value of 0 means that they are correctly rounded.
	ULP uint32
}

// Exact reports whether the number equals its shadow, the result of the same computation
// in float64. Such a number has no rounding error.
func (n *Number) Exact() bool { return n.Local == n.Value }

// Class returns the flags for an operand with the value x: FromNaN, FromInf or none.
func Class(x float64) Flags {
	switch {
	case x-x == 0:
		return 0
	case x != x:
		return FromNaN
	}
	return FromInf
}

// relative returns the relative error of its first argument, |a-b| / |b|. It returns 0 if
// both arguments are equal, and infinity if only the second one is 0.
func relative(a, b float64) float64 {
	if a == b || a != a && b != b {
		return 0
	}
	return math.Abs(a-b) / math.Abs(b)
}
