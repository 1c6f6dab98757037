// This file defines the shadow of an element.

package shadow

import (
	"math"

	"ptogo/ir/num"
)

// Shadow is the float64 value of an element, with the instruction that caused most of its
// error. It fits in 128 bits, which the runtime stores for each inexact element.
type Shadow struct {
	// Value is what float64 arithmetic computes.
	Value float64
	// Tag holds the lower 32 bits of the element, its format, and the number of the
	// instruction (Recorder.Line) where most of the error was born.
	Tag uint64
}

// tagOf returns the tag of an element.
func tagOf(f num.Format, bits uint64, origin uint32) uint64 {
	return uint64(fold(bits)) | uint64(f)<<32 | uint64(origin)<<40
}

// fold maps the bits of an element to 32 bits.
func fold(bits uint64) uint32 { return uint32(bits) ^ uint32(bits>>32) }

// Origin returns the number of the instruction where most of the error was born, or 0.
func (s Shadow) Origin() uint32 { return uint32(s.Tag >> 40) }

// Format returns the format of the element.
func (s Shadow) Format() num.Format { return num.Format(s.Tag >> 32) }

// Fits reports whether the shadow belongs to an element with the given bits. An
// instruction that is not followed can overwrite an element, whose shadow then is stale.
func (s Shadow) Fits(bits uint64) bool { return uint32(s.Tag) == fold(bits) }

// Flags describe the operands of an instruction.
type Flags uint8

const (
	// FromNaN and FromInf mean that an operand is NaN or infinite.
	FromNaN Flags = 1 << iota
	FromInf
	// Pole means that the exact result is infinite: a division by zero or a logarithm
	// of zero.
	Pole
)

// Number is a float operand or result of an instruction while it executes.
type Number struct {
	// Local is the element itself or, for a result that is not rounded yet, the float64
	// function of the elements that the instruction read.
	Local float64
	// Value is the shadow.
	Value float64
	// Origin is the instruction where most of the error of the operands was born.
	Origin uint32
	Flags  Flags
	// ULP is the documented error of the functions that computed the number, in units in
	// the last place. 0 means that they are correctly rounded.
	ULP uint8
}

// Exact reports whether the number has no error so far.
func (n *Number) Exact() bool { return n.Local == n.Value }

// Class returns the flags of an operand with the value x.
func Class(x float64) Flags {
	switch {
	case x-x == 0:
		return 0
	case x != x:
		return FromNaN
	}
	return FromInf
}

// relative returns |a-b| / |b|. It returns 0 if both are equal, and infinity if b is zero.
func relative(a, b float64) float64 {
	if a == b || a != a && b != b {
		return 0
	}
	return math.Abs(a-b) / math.Abs(b)
}
