// This file defines the types of VMI.

package pto

import (
	"strconv"

	"ptogo/ir"
)

// The types of VMI, a level at which programs use vectors of any length. A later pass
// maps them to registers.
type (
	// VMIVReg is !pto.vmi.vreg: a vector with any number of lanes, which a later pass
	// distributes to registers.
	VMIVReg struct {
		Lanes  int64
		Elem   ir.Type
		Layout VMILayout
	}
	// VMIMask is !pto.vmi.mask: one bit per lane of a VMIVReg. Bits is the width of the
	// lanes in bits, or 0 (written pred) if it is undecided.
	VMIMask struct {
		Lanes  int64
		Bits   uint8
		Layout VMILayout
	}
	// VMILayout is #pto.vmi.layout: it determines which register, and which lane in it,
	// holds each lane of a VMI vector. The zero value means that the layout is undecided.
	VMILayout struct {
		Kind VMILayoutKind
		// Factor is the number of sequences of registers (parts) over which the layout
		// distributes the lanes. For LayoutGroupSlots, it is the number of groups.
		Factor int64
		// Slots is the number of groups in each register, or 0 if it is undecided.
		Slots int64
		// LaneStride is the distance in a register between lanes that are adjacent in the
		// vector.
		LaneStride int64
	}
)

// VMILayoutKind is the rule by which a layout distributes the lanes of a VMI vector to
// registers.
type VMILayoutKind uint8

// The rules by which a layout distributes the lanes of a VMI vector to registers.
const (
	// NoVMILayout means that the layout is undecided.
	NoVMILayout VMILayoutKind = iota
	// LayoutContiguous stores lanes in order.
	LayoutContiguous
	// LayoutDeinterleaved distributes the lanes cyclically over Factor parts: lane i
	// belongs to part i modulo Factor. Each part is a sequence of registers.
	LayoutDeinterleaved
	// LayoutBlockDeinterleaved distributes blocks of 32 bytes cyclically over Factor
	// parts. Each part is a sequence of registers.
	LayoutBlockDeinterleaved
	// LayoutGroupSlots is for vectors with one lane for each of Factor groups, such as
	// results of reductions. Each register holds the lanes of Slots groups.
	LayoutGroupSlots
)

// vmiLayoutNames are the names of the layouts in programs, indexed by VMILayoutKind.
var vmiLayoutNames = []string{"", "contiguous", "deinterleaved", "block_deinterleaved", "num_groups"}

// String returns the keyword of the layout in MLIR syntax.
func (k VMILayoutKind) String() string { return vmiLayoutNames[k] }

// IsZero reports whether the layout is undecided.
func (l VMILayout) IsZero() bool { return l.Kind == NoVMILayout }

// Split reports whether the layout distributes the lanes cyclically over several
// sequences of registers. In a layout with two sequences, for example, the first holds
// the even lanes and the second holds the odd lanes.
func (l VMILayout) Split() bool {
	return l.Kind == LayoutDeinterleaved || l.Kind == LayoutBlockDeinterleaved
}

// String returns the layout in MLIR syntax, for messages.
func (l VMILayout) String() string { return string(l.AppendAttr(nil)) }

// AppendAttr implements ir.AttrData. It appends the layout in MLIR syntax to b.
func (l VMILayout) AppendAttr(b []byte) []byte {
	b = append(append(b, "#pto.vmi.layout<"...), l.Kind.String()...)
	if l.Kind != LayoutContiguous {
		b = strconv.AppendInt(append(b, " = "...), l.Factor, 10)
	}
	if l.Slots != 0 {
		b = strconv.AppendInt(append(b, ", slots = "...), l.Slots, 10)
	}
	if l.LaneStride != 1 {
		b = strconv.AppendInt(append(b, ", lane_stride = "...), l.LaneStride, 10)
	}
	return append(b, '>')
}

// Element returns the type of the vector's lanes.
func (t VMIVReg) Element() ir.Type { return t.Elem }

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t VMIVReg) AppendType(b []byte) []byte {
	b = strconv.AppendInt(append(b, "!pto.vmi.vreg<"...), t.Lanes, 10)
	return t.Layout.appendBehind(t.Elem.AppendTo(append(b, 'x')))
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t VMIMask) AppendType(b []byte) []byte {
	b = strconv.AppendInt(append(b, "!pto.vmi.mask<"...), t.Lanes, 10)
	if t.Bits == 0 {
		b = append(b, "xpred"...)
	} else {
		b = strconv.AppendUint(append(b, "xb"...), uint64(t.Bits), 10)
	}
	return t.Layout.appendBehind(b)
}

// appendBehind appends the end of a type to b: the layout as the last parameter, if it is
// decided, and the closing angle bracket.
func (l VMILayout) appendBehind(b []byte) []byte {
	if !l.IsZero() {
		b = l.AppendAttr(append(b, ", "...))
	}
	return append(b, '>')
}

// VMILanesOf returns the number of lanes and the layout of a VMI vector or mask. ok is
// false for other types.
//
//go:noinline
func VMILanesOf(t ir.Type) (lanes int64, l VMILayout, ok bool) {
	switch d := t.Data().(type) {
	case VMIVReg:
		return d.Lanes, d.Layout, true
	case VMIMask:
		return d.Lanes, d.Layout, true
	}
	return 0, VMILayout{}, false
}

// CarrierBits returns the distance between the starts of two consecutive elements in a
// register of the vector that the mask controls, in bits. With a lane stride of n, only
// every n-th register lane holds an element. The result is therefore the lane width of
// the mask times the lane stride of its layout. The result is 0 if the layout is
// undecided or this width is not supported.
func (t VMIMask) CarrierBits() int64 {
	if t.Layout.IsZero() || t.Layout.LaneStride > 4 {
		return 0
	}
	switch bits := int64(t.Bits) * t.Layout.LaneStride; bits {
	case 8, 16, 32:
		return bits
	}
	return 0
}
