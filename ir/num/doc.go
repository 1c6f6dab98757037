// Package num defines the element formats: the meaning of the bits of one number.
//
// The central types are Format and Rounding, and the central functions are Decode,
// Encode and Convert. A value is a uint64 whose low Bits() bits are the number and
// whose other bits are zero. Every function that returns a value keeps this rule,
// and every function that reads one ignores the other bits.
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
// A conversion rounds once, from the exact value. A NaN that a conversion returns
// is the canonical one of the format: quiet, positive, without payload. Different
// hardware returns different signs and payloads for a NaN, so only a canonical NaN
// can have the same bits everywhere. Use [Same] to compare results with those of
// other programs: it treats all NaNs as equal.
//
// Denormals are not flushed to zero.
package num
