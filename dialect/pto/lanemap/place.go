// This file computes where VMI layouts place lanes in registers.

package lanemap

import (
	. "ptogo/dialect/pto"
	"ptogo/ir"
)

// shape holds the properties of a VMI type that determine how registers store it: in
// which register, and in which lane of that register, each lane of the vector is.
type shape struct {
	lanes  int64
	layout VMILayout
	// width is the number of lanes in a register.
	width int64
	// stride is the distance in a register between lanes that are adjacent in the
	// vector.
	stride int64
	// block is the number of adjacent lanes that a layout keeps together when it
	// distributes the lanes over several parts (sequences of registers).
	block int64
	parts int64
}

// shapeOf returns the properties of a VMI type that determine the positions of its
// lanes. ok is false if the layout or, for a mask, the lane width is undecided.
func shapeOf(t ir.Type) (s shape, ok bool) {
	switch d := t.Data().(type) {
	case VMIVReg:
		s = shape{lanes: d.Lanes, layout: d.Layout, width: VectorBytes / int64(ByteSize(d.Elem)), stride: d.Layout.LaneStride}
	case VMIMask:
		bits := d.CarrierBits()
		if bits == 0 {
			return s, false
		}
		s = shape{lanes: d.Lanes, layout: d.Layout, width: 8 * VectorBytes / bits, stride: 1}
	default:
		return s, false
	}
	s.block, s.parts = 1, 1
	if s.layout.Split() {
		s.parts = s.layout.Factor
	}
	if s.layout.Kind == LayoutBlockDeinterleaved {
		s.block = s.width / 8
	}
	return s, !s.layout.IsZero()
}

// inPart returns the number of lanes of the vector that are in part p. A part is a
// sequence of registers; the layout distributes blocks of lanes cyclically over the
// parts.
func (s shape) inPart(p int64) int64 {
	round := s.block * s.parts
	return s.lanes/round*s.block + min(max(s.lanes%round-p*s.block, 0), s.block)
}

// registers returns the number of registers in the part with index p. A layout
// distributes lanes over one or more parts; a part is a sequence of registers.
func (s shape) registers(p int64) int64 {
	n := s.inPart(p)
	if n == 0 {
		return 0
	}
	return (n-1)*s.stride/s.width + 1
}

// Registers returns the number of registers, or masks of registers, that hold a value of a
// VMI type. The result ok is false if its layout is undecided.
func Registers(t ir.Type) (n int64, ok bool) {
	s, ok := shapeOf(t)
	if !ok {
		return 0, false
	}
	if s.layout.Kind == LayoutGroupSlots && s.layout.Slots > 0 {
		return (s.lanes-1)/s.layout.Slots + 1, true
	}
	for p := range s.parts {
		n += s.registers(p)
	}
	return n, true
}

// Place returns the register that holds lane i of a VMI value, and the lane in this
// register. ok is false if its layout is undecided.
func Place(t ir.Type, i int64) (register, lane int64, ok bool) {
	s, ok := shapeOf(t)
	if !ok || i < 0 || i >= s.lanes {
		return 0, 0, false
	}
	if slots := s.layout.Slots; s.layout.Kind == LayoutGroupSlots && slots > 0 {
		lane = i % slots * s.stride
		return i / slots, lane, lane < s.width
	}
	round := i / s.block
	part := round % s.parts
	at := (round/s.parts*s.block + i%s.block) * s.stride
	for p := range part {
		register += s.registers(p)
	}
	return register + at/s.width, at % s.width, true
}

// PartType returns the type of the registers that hold a VMI vector, or of the masks
// that hold a VMI mask.
func PartType(t ir.Type) ir.Type {
	switch d := t.Data().(type) {
	case VMIVReg:
		return VregType(d.Elem)
	case VMIMask:
		return MaskType(int(d.CarrierBits()))
	}
	return ir.Type{}
}
