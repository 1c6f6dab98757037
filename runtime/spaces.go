// This file defines the memories that have no address space of their own.

package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

const (
	// These are memories that programs cannot address directly. The scales of an MX
	// operand are in a separate memory; their address is one sixteenth of the operand's
	// address. The fixpipe buffer consists of several segments, whose addresses are 64
	// KiB apart.
	scalesA sem.Space = sem.FB + 1 + iota
	scalesB
	factors1 // the second segment; the first is FB
	factors2
	factors3
	numMemories
)

// scaleShift relates the address of an MX operand (a matrix with one scale per group of
// elements) to the address of its scales. The hardware divides the address of the operand
// by 16, which is a right shift by this number of bits.
const scaleShift = 4

// segmentBits is the number of address bits within a segment of the fixpipe buffer (64
// KiB).
const segmentBits = 16

// memorySize returns the size in bytes of memory s on target t.
func memorySize(s sem.Space, t ir.Target) int {
	switch s {
	case scalesA, scalesB:
		return sem.L0A.Size(t) >> scaleShift
	case factors1, factors2, factors3:
		return sem.FB.Size(t)
	}
	return s.Size(t)
}

// memoryName returns the name of the memory space s for messages, such as "the scales of
// l0a".
func memoryName(s sem.Space) string {
	switch s {
	case scalesA:
		return "the scales of l0a"
	case scalesB:
		return "the scales of l0b"
	case factors1, factors2, factors3:
		return sem.FB.String()
	}
	return s.String()
}

// factorSegment returns n bytes at addr in the fixpipe buffer, which consists of four
// segments whose addresses are 64 KiB apart. It handles the segments 1 to 3; segment 0 is
// the memory space sem.FB. It returns nil if addr is in another segment or the bytes are
// not completely in the memory of the segment.
func (c *core) factorSegment(addr uint64, n int) []byte {
	segment, at := addr>>segmentBits, addr&(1<<segmentBits-1)
	if segment == 0 || segment > 3 {
		return nil
	}
	return c.spaces[factors1+sem.Space(segment)-1].part(at, n)
}

// memory returns the n bytes at addr in a local memory of core owner, or a fault if they
// are out of bounds. It does not report the access to listeners.
func (pl *pointee) memory(owner *core, addr uint64, n int) ([]byte, *Fault) {
	if b := owner.spaces[pl.space].part(addr, n); b != nil {
		return b, nil
	}
	return nil, pl.outside(owner, addr, n)
}

// unified returns the n bytes at addr in the unified buffer of vector core sub, or a
// fault if they are out of bounds. It reports the access to listeners.
func (pl *pointee) unified(c *core, sub int, addr uint64, n int) ([]byte, *Fault) {
	if c.rec != nil {
		c.rec.touch(pl, c.rec.vector(sub), addr, n)
	}
	if b := c.unifiedBuffer(sub).part(addr, n); b != nil {
		return b, nil
	}
	return nil, pl.outside(c, addr, n)
}
