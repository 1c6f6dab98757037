// This file defines mask registers.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/ir"
)

// mask is a predicate register with one bit for each byte of a vector register. The bit
// of a lane is the bit of the lane's first byte. Instructions that create a mask set all
// other bits to zero, and instructions that read a mask ignore them.
type mask [pto.VectorBytes / 64]uint64

// laneBits contains, for lanes of 1, 2, 4 or 8 bytes, a 64-bit mask word in which all
// lanes are selected.
var laneBits = [9]uint64{1: ^uint64(0), 2: 0x5555555555555555, 4: 0x1111111111111111, 8: 0x0101010101010101}

// maskBits returns the number of mask bits that belong to one lane, for masks of type t.
// A mask register has one bit per byte of a vector register.
func maskBits(t ir.Type) int {
	m, _ := ir.As[pto.Mask](t)
	return int(m.Bits)
}

// has reports whether the mask selects lane i.
func (m *mask) has(i, laneBytes int) bool {
	i *= laneBytes
	return m[i>>6]>>(i&63)&1 != 0
}

// set makes the mask select lane i in addition to the lanes that it selects already. A
// lane has size bytes.
func (m *mask) set(i, size int) {
	i *= size
	m[i>>6] |= 1 << (i & 63)
}

// first returns a mask that selects the first n lanes, for lanes of size bytes.
func first(n, size int) mask {
	var m mask
	n = min(max(n, 0), pto.VectorBytes) * size
	for w := range m {
		switch k := n - 64*w; {
		case k >= 64:
			m[w] = laneBits[size]
		case k > 0:
			m[w] = laneBits[size] & (1<<k - 1)
		}
	}
	return m
}

// all reports whether the mask selects all lanes.
func (m *mask) all(laneBytes int) bool {
	l := laneBits[laneBytes]
	return m[0]&m[1]&m[2]&m[3]&l == l
}

// clear sets those lanes of the register v to zero that the mask does not select. The
// parameter size is the size of a lane in bytes.
func (m *mask) clear(v *vreg, size int) {
	if m.all(size) {
		return
	}
	for w := range v {
		v[w] &= m.bytesOn(w, size)
	}
}

// bytesOn expands a part of the mask m to a bit mask for one 64-bit word of a vector
// register. All bits are set in the bytes of lanes that m selects, and all bits are clear
// in other bytes. w is the number of the word in the register, and size is the size of a
// lane in bytes.
func (m *mask) bytesOn(w, size int) uint64 {
	return bytesOfLanes[size][uint8(m[w>>3]>>(w&7*8))] // 8 bytes have 8 bits
}

// ones adds 1 to each lane of v that the mask does not select. Callers use it on lanes
// that are zero, so that these lanes become one.
func (m *mask) ones(v *vreg, laneBytes int) {
	for i := range pto.VectorBytes / laneBytes {
		if !m.has(i, laneBytes) {
			v.setLane(i, laneBytes, v.lane(i, laneBytes)+1)
		}
	}
}

// bytesOfLanes contains the results of mask.bytesOn: for each lane size in bytes, a table
// that is indexed by 8 mask bits.
var bytesOfLanes = func() (table [9]*[256]uint64) {
	for size := 1; size <= 8; size *= 2 {
		t := new([256]uint64)
		for bits := range t {
			for b := range 8 {
				if bits>>(b&^(size-1))&1 != 0 {
					t[bits] |= 0xFF << (8 * b)
				}
			}
		}
		table[size] = t
	}
	return table
}()

// image returns the mask in the form in which memory stores it: bytes, with one bit for
// each byte of a vector register.
func (m *mask) image() []byte { return bytesOf(m[:]) }

// packed returns the mask as bytes with one bit for each lane.
func (m *mask) packed(laneBytes int) []byte {
	var out mask
	for i := range pto.VectorBytes / laneBytes {
		if m.has(i, laneBytes) {
			out.set(i, 1)
		}
	}
	return out.image()
}
