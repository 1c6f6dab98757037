// This file loads and stores elements in memory.

package num

import "encoding/binary"

// Load returns the element at the start of b, which must have at least Bytes()
// bytes. Memory is little-endian, as on the NPU.
func Load(f Format, b []byte) uint64 {
	var v uint64
	switch f.Bytes() {
	case 1:
		v = uint64(b[0])
	case 2:
		v = uint64(binary.LittleEndian.Uint16(b))
	case 4:
		v = uint64(binary.LittleEndian.Uint32(b))
	case 8:
		v = binary.LittleEndian.Uint64(b)
	}
	return v & f.Mask()
}

// Store writes one element of format f, whose bits are given, at the start of b. b must
// have at least Bytes() bytes.
func Store(f Format, b []byte, bits uint64) {
	bits &= f.Mask()
	switch f.Bytes() {
	case 1:
		b[0] = uint8(bits)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(bits))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(bits))
	case 8:
		binary.LittleEndian.PutUint64(b, bits)
	}
}

// Nibble returns the 4-bit element with index i of b. Elements 2k and 2k+1 share byte k,
// and the even one is in the low half. The formats whose names end in x2 (two 4-bit
// numbers per byte) use this layout.
func Nibble(b []byte, i int) uint64 {
	return uint64(b[i>>1]) >> (i & 1 * 4) & 0xF
}

// SetNibble sets the 4-bit element with index i of b to bits. The other element in the
// same byte stays unchanged.
func SetNibble(b []byte, i int, bits uint64) {
	shift := i & 1 * 4
	b[i>>1] = b[i>>1]&^(0xF<<shift) | uint8(bits&0xF)<<shift
}
