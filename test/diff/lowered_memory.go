// This file generates loads and stores of VMI instructions for random programs.

package diff

import (
	"slices"
	"strings"
)

// stride returns a random distance, in elements, between the starts of consecutive groups
// of elements in memory. elem is the element type, and group is the number of elements in
// a group.
func (m *rowMaker) stride(elem string, group int) int {
	block := 32 / size(elem)
	switch m.r.IntN(3) {
	case 0:
		return (group + block - 1) / block * block * (1 + m.r.IntN(2))
	case 1:
		if group*size(elem)%256 == 0 {
			return group + block
		}
		return group
	}
	if group*size(elem)%256 == 0 { // whole registers, whose addresses must be aligned
		return group
	}
	return group + m.r.IntN(5)
}

// groupLoad adds an instruction to the program that loads groups of adjacent elements.
// The groups are a random distance apart in memory.
func (m *rowMaker) groupLoad() {
	elem := pick(m, "f32", "f16", "i16", "ui8", "si32")
	lanes := min(m.lanes(), 256)
	g := m.groups(lanes)
	at := m.pointer(elem, 32*m.r.IntN(64))
	s := m.stride(elem, lanes/g)
	if s*g*size(elem) > rowInput-4096 {
		return
	}
	m.emit(lanes, elem, "vload", "%s[%%c0], %s {group = %d : i64} : !pto.ptr<%s, ub>", at, m.index(s), g, elem)
}

// full reports whether the program cannot store further values: all output slots are
// used, or instructions are currently being added to a nested region, whose values must
// not be stored.
func (m *rowMaker) full() bool { return len(m.stored) == rowSlots || m.depth > 0 }

// slot reserves the next output slot, which will hold elements of type elem. It returns
// the byte offset of the slot in the unified buffer.
func (m *rowMaker) slot(elem string) int {
	m.stored = append(m.stored, elem)
	return rowFrom + rowSlot*(len(m.stored)-1)
}

// groupStore adds a store instruction to the generated program. The instruction stores
// groups of adjacent lanes. The groups are a random distance apart in memory.
func (m *rowMaker) groupStore() {
	x := m.any("f32", "f16", "i16", "ui8", "si32", "i32")
	g := m.groups(x.lanes)
	s := m.stride(x.elem, x.lanes/g)
	if s*g*size(x.elem) > rowSlot || m.full() {
		return
	}
	p := m.pointer(x.elem, m.slot(x.elem))
	m.used["vstore"]++
	m.line("pto.vmi.vstore %s, %s[%%c0], %s {group = %d : i64} : %s, !pto.ptr<%s, ub>", x.name, p, m.index(s), g, x.typ(), x.elem)
}

// specialLoad adds an instruction to the program that loads a vector with a special
// access mode, such as blocks or alternating elements.
func (m *rowMaker) specialLoad() {
	elem := pick(m, "f32", "f16", "i16", "ui8", "si32")
	at := m.pointer(elem, 32*m.r.IntN(64))
	lanes := m.lanes()
	switch m.r.IntN(5) {
	case 0:
		m.emit(lanes, elem, "vload", "%s[%%c0] {dist_mode = \"brc\"} : !pto.ptr<%s, ub>", at, elem)
	case 1:
		g := m.groups(lanes)
		m.emit(lanes, elem, "vload", "%s[%%c0], %s {dist_mode = \"brc\", group = %d : i64} : !pto.ptr<%s, ub>", at, m.index(m.r.IntN(9)), g, elem)
	case 2:
		low, high := rowValue{m.fresh(), lanes, elem, false}, rowValue{m.fresh(), lanes, elem, false}
		m.line("%s, %s = pto.vmi.vload %s[%%c0] {dist_mode = \"dintlv\"} : !pto.ptr<%s, ub> -> %s, %s", low.name, high.name, at, elem, low.typ(), high.typ())
		m.values = append(m.values, low, high)
	case 3:
		wide := pick(m, [2]string{"ui8", "ui16"}, [2]string{"ui8", "ui32"}, [2]string{"ui16", "ui32"})
		m.emit(lanes, wide[1], "vload", "%s[%%c0] {dist_mode = \"unpack\"} : !pto.ptr<%s, ub>", m.pointer(wide[0], 32*m.r.IntN(64)), wide[0])
	default:
		b, s := m.fresh(), m.fresh()
		m.line("%s = arith.constant %d : i16", b, m.r.IntN(4))
		m.line("%s = arith.constant %d : i16", s, m.r.IntN(3))
		mask := m.mask(lanes)
		m.emit(lanes, elem, "stride_load", "%s[%%c0], %s, %s, %s : !pto.ptr<%s, ub>, i16, i16, %s", at, b, s, mask.name, elem, mask.typ())
	}
}

// special adds a less common instruction to the program, such as a histogram or an
// exponential of a difference.
func (m *rowMaker) special() {
	switch m.r.IntN(6) {
	case 0:
		x := m.any(floatElems...)
		y, mask := m.vector(x.lanes, x.elem), m.mask(x.lanes)
		m.emit(x.lanes, "f32", "vexpdif", "%s, %s, %s : %s, %s, %s", x.name, y.name, mask.name, x.typ(), y.typ(), mask.typ())
	case 1:
		x := m.any(floatElems...)
		y, mask := m.vector(x.lanes, x.elem), m.mask(x.lanes)
		s, t := m.scalar(x.elem)
		m.emit(x.lanes, x.elem, "vaxpy", "%s, %s, %s, %s%s : %s, %s, %s, %s", x.name, y.name, s, mask.name, m.mode(), x.typ(), y.typ(), t, mask.typ())
	case 2:
		x := m.any(arithElems...)
		y, z, mask := m.vector(x.lanes, x.elem), m.vector(x.lanes, x.elem), m.mask(x.lanes)
		m.emit(x.lanes, x.elem, "vmula", "%s, %s, %s, %s%s : %s, %s, %s, %s", x.name, y.name, z.name, mask.name, m.mode(), x.typ(), y.typ(), z.typ(), mask.typ())
	case 3:
		n := pick(m, 64, 128, 256)
		x := m.vector(n, pick(m, "i32", "ui32"))
		y, mask := m.vector(n, x.elem), m.mask(n)
		low, high := rowValue{m.fresh(), n, x.elem, false}, rowValue{m.fresh(), n, x.elem, false}
		m.used["vmull"]++
		m.line("%s, %s = pto.vmi.vmull %s, %s, %s : %s, %s, %s -> %s, %s", low.name, high.name, x.name, y.name, mask.name, x.typ(), y.typ(), mask.typ(), x.typ(), x.typ())
		m.values = append(m.values, low, high)
	case 4:
		x := m.any("ui32", "i32", "si32")
		y, mask := m.vector(x.lanes, x.elem), m.mask(x.lanes)
		sum, carry := rowValue{m.fresh(), x.lanes, x.elem, false}, rowValue{m.fresh(), x.lanes, "", false}
		in, inType, name := "", "", "vaddc"
		if m.r.IntN(2) == 0 {
			c := m.mask(x.lanes)
			in, inType, name = ", "+c.name, ", "+c.typ(), "vaddcs"
		}
		m.used[name]++
		m.line("%s, %s = pto.vmi.%s %s, %s%s, %s : %s, %s%s, %s -> %s, %s", sum.name, carry.name, name, x.name, y.name, in, mask.name, x.typ(), y.typ(), inType, mask.typ(), sum.typ(), carry.typ())
		m.values = append(m.values, sum, carry)
	default:
		acc := m.vector(pick(m, 128, 256), "ui16")
		x := m.any("ui8")
		mask := m.mask(x.lanes)
		m.emit(acc.lanes, "ui16", pick(m, "vdhist", "vchist"), "%s, %s, %s : %s, %s, %s", acc.name, x.name, mask.name, acc.typ(), x.typ(), mask.typ())
	}
}

// gather adds an instruction to the program that loads a vector from the input. It is
// either a gather, which reads elements at a vector of offsets, or an expanding load,
// which reads consecutive elements into the selected lanes.
func (m *rowMaker) gather() {
	lanes := m.lanes()
	mask := m.mask(lanes)
	elems := pick(m, [2]string{"f32", "i32"}, [2]string{"ui16", "ui16"}, [2]string{"i32", "ui32"})
	at := m.pointer(elems[0], 32*m.r.IntN(64))
	if m.r.IntN(3) == 0 {
		other := m.vector(lanes, elems[0])
		m.emit(lanes, elems[0], "expand_load", "%s[%%c0], %s, %s : !pto.ptr<%s, ub>, %s, %s", at, mask.name, other.name, elems[0], mask.typ(), other.typ())
		return
	}
	index := m.vector(lanes, elems[1])
	s, t := m.fresh(), strings.TrimLeft(elems[1], "u")
	m.line("%s = arith.constant 511 : %s", s, t)
	var limit rowValue
	if elems[1] == t {
		limit = m.emit(lanes, elems[1], "vbrc", "%s : %s", s, t)
	} else {
		plain := m.emit(lanes, t, "vbrc", "%s : %s", s, t)
		limit = m.emit(lanes, elems[1], "vinterpret_cast", "%s : %s", plain.name, plain.typ())
	}
	near := m.emit(lanes, elems[1], "vand", "%s, %s : %s, %s", index.name, limit.name, index.typ(), limit.typ())
	m.emit(lanes, elems[0], "vgather", "%s, %s, %s : !pto.ptr<%s, ub>, %s, %s", at, near.name, mask.name, elems[0], near.typ(), mask.typ())
}

// storeOne adds a store instruction to the generated program. The instruction stores a
// vector, or the lanes of a vector that a mask selects.
func (m *rowMaker) storeOne() {
	if m.full() {
		return
	}
	x := m.any(rowElems...)
	p := m.pointer(x.elem, m.slot(x.elem))
	m.used["vstore"]++
	switch m.r.IntN(4) {
	case 0:
		mask := m.mask(x.lanes)
		m.line("pto.vmi.vstore %s, %s[%%c0], %s : %s, !pto.ptr<%s, ub>, %s", x.name, p, mask.name, x.typ(), x.elem, mask.typ())
	case 1:
		if 2*x.lanes*size(x.elem) <= rowSlot {
			y := m.vector(x.lanes, x.elem)
			m.line("pto.vmi.vstore %s, %s, %s[%%c0] {dist_mode = \"dintlv\"} : %s, %s, !pto.ptr<%s, ub>", x.name, y.name, p, x.typ(), y.typ(), x.elem)
		}
	case 2:
		mask := m.mask(x.lanes)
		if size(x.elem) == 4 && x.elem != "f8E4M3FN" {
			m.used["compress_store"]++
			m.line("pto.vmi.compress_store %s, %s[%%c0], %s : %s, !pto.ptr<%s, ub>, %s", x.name, p, mask.name, x.typ(), x.elem, mask.typ())
		}
	default:
		m.line("pto.vmi.vstore %s, %s[%%c0] : %s, !pto.ptr<%s, ub>", x.name, p, x.typ(), x.elem)
	}
}

// inside adds random instructions to a nested region of the program. It returns a vector
// with the given number of lanes and element type, which the region can yield.
func (m *rowMaker) inside(lanes int, elem string) rowValue {
	outer, counts := len(m.values), len(m.counts)
	m.depth++
	for range 1 + m.r.IntN(3) {
		m.step()
	}
	last := m.vector(lanes, elem)
	y := m.vector(lanes, elem)
	if slices.Contains(arithElems, elem) {
		last = m.emit(lanes, elem, "vmax", "%s, %s : %s, %s", last.name, y.name, last.typ(), y.typ())
	}
	m.depth--
	m.values, m.counts = m.values[:outer], m.counts[:counts]
	return last
}
