// This file defines the types of VMI.

package pto

import (
	"strconv"

	"ptogo/ir"
)

// The types of the VMI level, which programs vectors of any length.
type (
	// VMIVReg is !pto.vmi.vreg: a vector with any number of lanes, which a later pass
	// distributes to registers.
	VMIVReg struct {
		Lanes  int64
		Elem   ir.Type
		Layout VMILayout
	}
	// VMIMask is !pto.vmi.mask: one bit per lane of a VMIVReg. Bits is the width of the
	// lanes. It is 0 (pred in texts) if it is undecided.
	VMIMask struct {
		Lanes  int64
		Bits   uint8
		Layout VMILayout
	}
	// VMILayout is #pto.vmi.layout: the assignment of lanes to registers. The zero value
	// means that it is undecided.
	VMILayout struct {
		Kind   VMILayoutKind
		Factor int64 // parts of a split, or number of groups
		Slots  int64 // groups per register; 0 where it is left open
		// LaneStride is the distance of neighbouring lanes in a register.
		LaneStride int64
	}
)

// VMILayoutKind is the kind of a layout.
type VMILayoutKind uint8

// The kinds of layouts.
const (
	// NoVMILayout means that the layout is undecided.
	NoVMILayout VMILayoutKind = iota
	// LayoutContiguous stores lanes in order.
	LayoutContiguous
	// LayoutDeinterleaved distributes single lanes cyclically to Factor parts.
	LayoutDeinterleaved
	// LayoutBlockDeinterleaved distributes blocks of 32 bytes cyclically to Factor parts.
	LayoutBlockDeinterleaved
	// LayoutGroupSlots stores one lane for each of Factor groups, with Slots of them in
	// each register.
	LayoutGroupSlots
)

// vmiLayoutNames are the kinds in texts.
var vmiLayoutNames = []string{"", "contiguous", "deinterleaved", "block_deinterleaved", "num_groups"}

// String returns the keyword of the layout in MLIR syntax.
func (k VMILayoutKind) String() string { return vmiLayoutNames[k] }

// IsZero reports whether the layout is undecided.
func (l VMILayout) IsZero() bool { return l.Kind == NoVMILayout }

// Split reports whether the lanes are distributed to several parts.
func (l VMILayout) Split() bool {
	return l.Kind == LayoutDeinterleaved || l.Kind == LayoutBlockDeinterleaved
}

// String returns the layout in MLIR syntax, for messages.
func (l VMILayout) String() string { return string(l.AppendAttr(nil)) }

// AppendAttr implements ir.AttrData.
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

// Element returns the type of the lanes.
func (t VMIVReg) Element() ir.Type { return t.Elem }

// AppendType implements ir.TypeData.
func (t VMIVReg) AppendType(b []byte) []byte {
	b = strconv.AppendInt(append(b, "!pto.vmi.vreg<"...), t.Lanes, 10)
	return t.Layout.appendBehind(t.Elem.AppendTo(append(b, 'x')))
}

// AppendType implements ir.TypeData.
func (t VMIMask) AppendType(b []byte) []byte {
	b = strconv.AppendInt(append(b, "!pto.vmi.mask<"...), t.Lanes, 10)
	if t.Bits == 0 {
		b = append(b, "xpred"...)
	} else {
		b = strconv.AppendUint(append(b, "xb"...), uint64(t.Bits), 10)
	}
	return t.Layout.appendBehind(b)
}

// appendBehind closes a type with the layout as its last parameter.
func (l VMILayout) appendBehind(b []byte) []byte {
	if !l.IsZero() {
		b = l.AppendAttr(append(b, ", "...))
	}
	return append(b, '>')
}

// VMILanesOf returns the number of lanes and the layout of a vmi value.
func VMILanesOf(t ir.Type) (lanes int64, l VMILayout, ok bool) {
	switch d := t.Data().(type) {
	case VMIVReg:
		return d.Lanes, d.Layout, true
	case VMIMask:
		return d.Lanes, d.Layout, true
	}
	return 0, VMILayout{}, false
}

// CarrierBits returns the width of the lanes that the registers of a mask control. A
// stride between lanes makes it larger. It is 0 if the layout is undecided or not
// supported.
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
