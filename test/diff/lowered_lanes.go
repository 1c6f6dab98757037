// This file writes random instructions that combine or move lanes.

package diff

import (
	"fmt"
	"strings"
)

// A lowered program is a random program of vmi instructions, which is compared with what
// the passes on them make of it. Vectors have 1 to 512 lanes.

// reduce adds a reduction to the program. It adds up only floats whose sums are exact,
// because a lowering pass may change the order of additions.
func (m *rowMaker) reduce() {
	x := m.any("f32", "f16", "i32", "ui32", "si32", "i16", "ui16", "si16", "i8", "ui8", "si8")
	name := pick(m, "vcadd", "vcmax", "vcmin")
	if name == "vcadd" && !isInt(x.elem) {
		for !x.whole {
			x = m.load(x.lanes, x.elem)
		}
	}
	mask := m.mask(x.lanes)
	g := m.groups(x.lanes)
	attrs := []string{}
	if g > 1 || m.r.IntN(2) == 0 {
		attrs = append(attrs, fmt.Sprintf("group = %d : i64", g))
	}
	if name == "vcadd" && !isInt(x.elem) {
		attrs = append(attrs, "reassoc")
	}
	m.emit(g, x.elem, name, "%s, %s {%s} : %s, %s", x.name, mask.name, strings.Join(attrs, ", "), x.typ(), mask.typ())
}

// broadcast adds an instruction to the program that broadcasts a scalar to all lanes, or
// one lane to each group of lanes.
func (m *rowMaker) broadcast() {
	if m.r.IntN(3) == 0 {
		elem := pick(m, "f32", "f16", "i32", "i16", "i8")
		s, t := m.scalar(elem)
		m.emit(m.lanes(), elem, "vbrc", "%s : %s", s, t)
		return
	}
	var small []rowValue
	for _, v := range m.values {
		if v.elem != "" && v.lanes <= 64 {
			small = append(small, v)
		}
	}
	if len(small) == 0 {
		m.reduce()
		return
	}
	x := pick(m, small...)
	m.emit(x.lanes*(1+m.r.IntN(512/x.lanes)), x.elem, "vbrc", "%s {group = %d : i64} : %s", x.name, x.lanes, x.typ())
}

// count2 adds an instruction (vci) to the generated program. The instruction creates a
// vector of consecutive numbers, which increase or decrease.
func (m *rowMaker) count2() {
	elem := pick(m, "i32", "i16", "i8", "f32", "f16")
	s, t := m.scalar(elem)
	if !isInt(elem) {
		s = m.fresh()
		m.line("%s = arith.constant %d.0 : %s", s, m.r.IntN(100), elem)
	}
	m.emit(m.lanes(), elem, "vci", "%s {order = %q} : %s", s, pick(m, "ASC", "DESC"), t)
}

// rearrange adds an instruction to the program that interleaves, compacts or reinterprets
// lanes.
func (m *rowMaker) rearrange() {
	switch m.r.IntN(5) {
	case 0, 1:
		x := m.any(rowElems...)
		if x.lanes%2 != 0 { // has no halves
			return
		}
		y, mask := m.vector(x.lanes, x.elem), m.mask(x.lanes)
		name := pick(m, "vintlv", "vdintlv")
		low, high := m.fresh(), m.fresh()
		m.used[name]++
		m.line("%s, %s = pto.vmi.%s %s, %s, %s%s : %s, %s, %s -> %s, %s", low, high, name, x.name, y.name, mask.name, m.mode(), x.typ(), y.typ(), mask.typ(), x.typ(), x.typ())
		m.values = append(m.values, rowValue{low, x.lanes, x.elem, false}, rowValue{high, x.lanes, x.elem, false})
	case 2:
		elem := pick(m, "f32", "i32", "f16", "ui8")
		x := m.vector(1+m.r.IntN(256/size(elem)), elem)
		mask := m.mask(x.lanes)
		m.emit(x.lanes, elem, "compress", "%s, %s : %s, %s", x.name, mask.name, x.typ(), mask.typ())
	case 3:
		mask := m.mask(m.lanes())
		m.emit(mask.lanes, pick(m, "i32", "i16", "i8"), "active_prefix_index", "%s : %s", mask.name, mask.typ())
	default:
		x := m.any("f32", "i32", "ui16", "i16", "f16", "ui8")
		to := map[int][]string{1: {"i8", "si8"}, 2: {"i16", "bf16", "ui16"}, 4: {"ui32", "i32"}}[size(x.elem)]
		m.emit(x.lanes, pick(m, to...), "vinterpret_cast", "%s : %s", x.name, x.typ())
	}
}

// shuffle adds an instruction to the program that selects lanes by their numbers.
func (m *rowMaker) shuffle() {
	if m.r.IntN(2) == 0 {
		x := m.any("f32", "i16", "ui8", "bf16")
		to := 1 + m.r.IntN(min(x.lanes, 64))
		var ns []string
		start := m.r.IntN(x.lanes)
		for i := range to {
			k := m.r.IntN(x.lanes)
			if m.r.IntN(8) > 0 {
				k = (start + i) % x.lanes
			}
			ns = append(ns, fmt.Sprint(k))
		}
		m.emit(to, x.elem, "shuffle", "%s[[%s]] : %s", x.name, strings.Join(ns, ", "), x.typ())
		return
	}
	elem := pick(m, [2]string{"f32", "i32"}, [2]string{"f16", "i16"}, [2]string{"ui8", "ui8"})
	n := 1 << m.r.IntN(9)
	x, index := m.vector(n, elem[0]), m.vector(m.lanes(), elem[1])
	m.emit(index.lanes, elem[0], "vselr", "%s, %s : %s, %s", x.name, index.name, x.typ(), index.typ())
}

// channels adds one of two instructions to the program, selected at random. The first
// distributes the lanes of a vector over several vectors. The second merges several
// vectors into one.
func (m *rowMaker) channels() {
	n := pick(m, 2, 4)
	elem := pick(m, rowElems...)
	each := 1 + m.r.IntN(512/n)
	var names, types []string
	if m.r.IntN(2) == 0 {
		for range n {
			x := m.vector(each, elem)
			names, types = append(names, x.name), append(types, x.typ())
		}
		v := rowValue{m.fresh(), each * n, elem, false}
		m.used["channel_merge"]++
		m.line("%s = \"pto.vmi.channel_merge\"(%s) : (%s) -> %s", v.name, strings.Join(names, ", "), strings.Join(types, ", "), v.typ())
		m.values = append(m.values, v)
		return
	}
	x := m.vector(each*n, elem)
	for range n {
		v := rowValue{m.fresh(), each, elem, false}
		names, types = append(names, v.name), append(types, v.typ())
		m.values = append(m.values, v)
	}
	m.used["channel_split"]++
	m.line("%s = \"pto.vmi.channel_split\"(%s) : (%s) -> (%s)", strings.Join(names, ", "), x.name, x.typ(), strings.Join(types, ", "))
}
