// This file lists the element formats and their properties.

package num

// Format is a number format: it defines which number the bits of an element denote.
type Format uint8

// The formats. I marks a signless integer, S a signed one, U an unsigned one. The order
// matters: withSign relies on the three integer groups, IsFloat on F16 being the first
// float, and decodeTable on F8E4M3FN being the first of the floats of at most 8 bits.
const (
	Invalid Format = iota
	I1
	I4
	I8
	I16
	I32
	I64
	S1
	S4
	S8
	S16
	S32
	S64
	U1
	U4
	U8
	U16
	U32
	U64
	F16
	BF16
	F32
	F64
	TF32
	F8E4M3FN
	F8E5M2
	HiF8
	F8E8M0
	F4E2M1
	F4E1M2
	numFormats
)

// info is one row of the format table. bytes is the storage of a single element.
type info struct {
	name  string
	bits  uint8
	bytes uint8
}

// formats has a row for each format: its MLIR name, the number of bits, and the number of
// bytes in memory.
var formats = [numFormats]info{
	Invalid:  {"invalid", 0, 0},
	I1:       {"i1", 1, 1},
	I4:       {"i4", 4, 1},
	I8:       {"i8", 8, 1},
	I16:      {"i16", 16, 2},
	I32:      {"i32", 32, 4},
	I64:      {"i64", 64, 8},
	S1:       {"si1", 1, 1},
	S4:       {"si4", 4, 1},
	S8:       {"si8", 8, 1},
	S16:      {"si16", 16, 2},
	S32:      {"si32", 32, 4},
	S64:      {"si64", 64, 8},
	U1:       {"ui1", 1, 1},
	U4:       {"ui4", 4, 1},
	U8:       {"ui8", 8, 1},
	U16:      {"ui16", 16, 2},
	U32:      {"ui32", 32, 4},
	U64:      {"ui64", 64, 8},
	F16:      {"f16", 16, 2},
	BF16:     {"bf16", 16, 2},
	F32:      {"f32", 32, 4},
	F64:      {"f64", 64, 8},
	TF32:     {"tf32", 19, 4},
	F8E4M3FN: {"f8E4M3FN", 8, 1},
	F8E5M2:   {"f8E5M2", 8, 1},
	HiF8:     {"hif8", 8, 1},
	F8E8M0:   {"f8E8M0", 8, 1},
	F4E2M1:   {"f4E2M1", 4, 1},
	F4E1M2:   {"f4E1M2", 4, 1},
}

// formatByName maps the MLIR name of a format to the format.
var formatByName = func() map[string]Format {
	m := make(map[string]Format, numFormats)
	for f := Invalid + 1; f < numFormats; f++ {
		m[formats[f].name] = f
	}
	return m
}()

// row returns the table row of f, or that of Invalid if f is not a format.
func (f Format) row() *info {
	if f >= numFormats {
		f = Invalid
	}
	return &formats[f]
}

// ParseFormat returns the format with the given MLIR name, such as "ui32" or
// "f8E4M3FN", and false if there is none.
func ParseFormat(name string) (Format, bool) {
	f, ok := formatByName[name]
	return f, ok
}

// Formats returns every valid format in the order of the constants.
func Formats() []Format {
	all := make([]Format, 0, numFormats-1)
	for f := Invalid + 1; f < numFormats; f++ {
		all = append(all, f)
	}
	return all
}

// String returns the MLIR name, such as "si32" or "bf16".
func (f Format) String() string { return f.row().name }

// Bits returns the number of significant bits of an element. A TF32 has 19 bits, as in
// MLIR, although it occupies four bytes.
func (f Format) Bits() int { return int(f.row().bits) }

// Bytes returns the number of bytes that a single element occupies in memory. An element
// of less than 8 bits occupies a whole byte. Use [Nibble] and [SetNibble] for two 4-bit
// elements that are packed into one byte.
func (f Format) Bytes() int { return int(f.row().bytes) }

// IsFloat reports whether f is a floating-point format.
func (f Format) IsFloat() bool { return f >= F16 && f < numFormats }

// IsInt reports whether f is an integer format.
func (f Format) IsInt() bool { return f >= I1 && f <= U64 }

// Signed reports whether values of f have a sign. A signless integer counts as
// signed, so the i1 value 1 is -1. A caller that needs a truth value or an unsigned
// number converts f with [Format.Unsigned] first.
func (f Format) Signed() bool {
	return f >= I1 && f <= S64 || f.IsFloat() && f != F8E8M0
}

// Unsigned returns the unsigned integer format of the same width, and a float
// format unchanged.
func (f Format) Unsigned() Format { return f.withSign(U1) }

// AsSigned returns the signed integer format with the width of f. For example, it returns
// si32 for i32 and for ui32. If f is a float format, AsSigned returns f.
func (f Format) AsSigned() Format { return f.withSign(S1) }

// Signless returns the signless integer format of the same width, for example i32 for
// si32 and for ui32. For a float format, it returns the format itself.
func (f Format) Signless() Format { return f.withSign(I1) }

// withSign returns the integer format of the same width in one of three groups of
// formats. first is the first format of the group: I1, S1 or U1. The three groups have
// the same widths in the same order. withSign returns a float format unchanged.
func (f Format) withSign(first Format) Format {
	if !f.IsInt() {
		return f
	}
	return first + (f-I1)%(S1-I1)
}

// Mask returns a mask in which exactly those bits are set that a number of format f
// occupies.
func (f Format) Mask() uint64 {
	n := f.Bits()
	if n == 0 {
		return 0
	}
	return ^uint64(0) >> (64 - n)
}

// SignBit returns a mask of the sign bit of f, or 0 if f is unsigned.
func (f Format) SignBit() uint64 {
	if !f.Signed() {
		return 0
	}
	return 1 << (f.Bits() - 1)
}
