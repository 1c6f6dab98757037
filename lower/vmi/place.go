// This file computes where layouts place lanes.

package vmi

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/lanemap"
	"ptogo/ir"
)

// ref identifies a lane in a list of registers: the index of a register and the index of
// a lane within it.
type ref struct{ reg, lane int64 }

// nowhere is the ref of a lane whose contents are irrelevant.
var nowhere = ref{reg: -1}

// The layouts of VMI values, except those for groups. A contiguous value has consecutive
// lanes in its registers. The split layouts distribute lanes cyclically over 2 or 4
// groups of registers; the block layouts do the same with blocks of 32 bytes. The stride
// layouts have unused register lanes between the lanes of the value.
var (
	contiguous = pto.VMILayout{Kind: pto.LayoutContiguous, Factor: 1, LaneStride: 1}
	split2     = pto.VMILayout{Kind: pto.LayoutDeinterleaved, Factor: 2, LaneStride: 1}
	split4     = pto.VMILayout{Kind: pto.LayoutDeinterleaved, Factor: 4, LaneStride: 1}
	blocks2    = pto.VMILayout{Kind: pto.LayoutBlockDeinterleaved, Factor: 2, LaneStride: 1}
	blocks4    = pto.VMILayout{Kind: pto.LayoutBlockDeinterleaved, Factor: 4, LaneStride: 1}
	stride2    = pto.VMILayout{Kind: pto.LayoutContiguous, Factor: 1, LaneStride: 2}
	stride4    = pto.VMILayout{Kind: pto.LayoutContiguous, Factor: 1, LaneStride: 4}
)

// slots returns the layout of a vector with one lane per group. groups is the number of
// groups, and perRegister is the number of groups whose lanes are in one register. stride
// is the distance between the lanes of adjacent groups, in lanes.
func slots(groups, perRegister, stride int64) pto.VMILayout {
	return pto.VMILayout{Kind: pto.LayoutGroupSlots, Factor: groups, Slots: perRegister, LaneStride: stride}
}

// isVMI reports whether t is the type of a VMI vector or mask.
//
//go:noinline
func isVMI(t ir.Type) bool { return ir.Is[pto.VMIVReg](t) || ir.Is[pto.VMIMask](t) }

// lanesOf returns the number of lanes of the VMI type t.
//
//go:noinline
func lanesOf(t ir.Type) int64 {
	n, _, _ := pto.VMILanesOf(t)
	return n
}

// layoutOf returns the layout of the VMI type t, or a zero layout if it is not yet
// decided.
//
//go:noinline
func layoutOf(t ir.Type) pto.VMILayout {
	_, l, _ := pto.VMILanesOf(t)
	return l
}

// withLayout returns the VMI type t with the layout l.
func withLayout(t ir.Type, l pto.VMILayout) ir.Type {
	switch d := t.Data().(type) {
	case pto.VMIVReg:
		d.Layout = l
		return ir.TypeOf(d)
	case pto.VMIMask:
		d.Layout = l
		return ir.TypeOf(d)
	}
	return t
}

// withBits returns the mask type t with lanes of the given width in bits.
func withBits(t ir.Type, bits int) ir.Type {
	d, _ := ir.As[pto.VMIMask](t)
	d.Bits = uint8(bits)
	return ir.TypeOf(d)
}

// laneBits returns the width in bits of the register lanes that hold a value of the VMI
// type t.
func laneBits(t ir.Type) int {
	switch d := t.Data().(type) {
	case pto.VMIVReg:
		return bitsOf(d.Elem)
	case pto.VMIMask:
		return int(d.CarrierBits())
	}
	return 0
}

// registerLanes returns the number of lanes in each register of a value of the VMI type
// t.
func registerLanes(t ir.Type) int64 { return int64(8 * pto.VectorBytes / laneBits(t)) }

// maxRegisters is the maximum number of registers for one value. 1024 registers of 256
// bytes have the size of the unified buffer.
const maxRegisters = 1024

// representable reports whether registers can hold a value of the VMI type t, which has a
// layout.
func representable(t ir.Type) bool {
	if laneBits(t) == 0 || lanesOf(t) > maxRegisters*pto.VectorBytes {
		return false
	}
	n, ok := lanemap.Registers(t)
	if !ok || n == 0 || n > maxRegisters {
		return false
	}
	l := layoutOf(t)
	if l.Kind == pto.LayoutGroupSlots && l.Slots > 0 {
		return (l.Slots-1)*l.LaneStride < registerLanes(t)
	}
	return true
}

// parts returns the number of registers that hold a value of the VMI type t, and the type
// of such a register.
func parts(t ir.Type) (int64, ir.Type) {
	n, _ := lanemap.Registers(t)
	return n, lanemap.PartType(t)
}

// partTypes returns the types of the registers that hold a value of type t. The type t is
// a VMI type. The result has one entry per register.
func partTypes(t ir.Type) []ir.Type {
	n, part := parts(t)
	ts := make([]ir.Type, n)
	for i := range ts {
		ts[i] = part
	}
	return ts
}

// placesKnown and contentsKnown cache the results of the functions placesOf and contents
// by type.
var (
	placesKnown   memo[ir.Type, []ref]
	contentsKnown memo[ir.Type, [][]int64]
)

// placesOf returns, for each lane of a value of the VMI type t, the register lane that
// holds it. The caller must not modify the result.
func placesOf(t ir.Type) []ref {
	return placesKnown.get(t, func() []ref {
		at := make([]ref, lanesOf(t))
		for i := range at {
			at[i].reg, at[i].lane, _ = lanemap.Place(t, int64(i))
		}
		return at
	})
}

// contents returns, for each register of a value of the VMI type t, which lane of the
// value each register lane holds. An entry of -1 marks an unused register lane. The
// caller must not modify the result.
func contents(t ir.Type) [][]int64 {
	return contentsKnown.get(t, func() [][]int64 {
		n, _ := parts(t)
		w := registerLanes(t)
		held := make([][]int64, n)
		for r := range held {
			held[r] = make([]int64, w)
			for l := range held[r] {
				held[r][l] = -1
			}
		}
		for i, at := range placesOf(t) {
			held[at.reg][at.lane] = int64(i)
		}
		return held
	})
}

// full reports whether a value of the VMI type t uses every lane of its registers.
func full(t ir.Type) bool {
	n, _ := parts(t)
	return n*registerLanes(t) == lanesOf(t)
}
