// Package num holds the element formats: what the bits of one number mean.
//
// A value is a uint64 whose low Bits() bits are the number and whose other
// bits are zero. Every function that makes a value keeps that rule, and every
// function that reads one ignores the other bits.
//
//	format.go    Format: the names, widths and kinds of all formats
//	rounding.go  Rounding: the modes, their names, and the one rounding step
//	layout.go    floats made of sign, exponent and mantissa fields
//	hif8.go      HiF8, whose field widths depend on the value
//	e8m0.go      F8E8M0, a bare exponent
//	convert.go   Decode, Encode, Int, Uint, Convert
//	special.go   NaN, infinity and limits of a format
//	fast.go      conversions of f16 and bf16 slices for hot loops
//	storage.go   one element in memory; two 4-bit elements in one byte
//	text.go      numbers as MLIR writes them
//
// # Rules
//
// A conversion rounds once, from the exact value. A NaN made by a conversion is
// the canonical one of the format: quiet, positive, without payload. Hardware
// disagrees on sign and payload of a NaN, so this is the only choice that gives
// the same bits everywhere; where results of other origin are compared, use
// [Same], which takes all NaNs for one.
//
// Denormals are kept.
package num
