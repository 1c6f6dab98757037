// This file converts pointers and addresses.

package cpp

import (
	"cmp"
	"slices"
	"strings"

	"ptogo/frontend/llir"
)

// place is a pointer: a base, a constant distance in bytes, and further distances.
type place struct {
	base  *llir.Value
	bytes int64
	terms []term
}

// term is a number of steps of scale bytes. The number is a value, or a name of type i64.
type term struct {
	v     *llir.Value
	name  string
	scale int64
}

// baseOf returns the start of the memory to which a pointer points: a parameter, a local
// array, or a value that is neither. It returns nil if the pointer may point to several.
func (f *function) baseOf(v *llir.Value, seen map[*llir.Value]bool) *llir.Value {
	for v.Op == "getelementptr" || v.Op == "freeze" || v.Op == "bitcast" || v.Op == "inttoptr" && f.isAddress(v.Args[0]) {
		if v.Op == "inttoptr" {
			v = addressed(f, v.Args[0])
			continue
		}
		v = v.Args[0]
	}
	if v.Op != "phi" && v.Op != "select" {
		return v
	}
	if seen[v] {
		return nil
	}
	seen[v] = true
	args := v.Args
	if v.Op == "select" {
		args = v.Args[1:]
	}
	var base, null *llir.Value
	for _, a := range args {
		b := f.baseOf(a, seen)
		if b == nil || b.Op == "undef" {
			continue
		}
		if b.Op == "null" { // a view that has no address yet on this path
			null = b
			continue
		}
		if base != nil && base != b && !(base.Op == "int" && b.Op == "int") {
			return v
		}
		base = b
	}
	return cmp.Or(base, null)
}

// anywhere reports whether v is a pointer into one of several global memories, depending on
// the path by which control came, or a pointer that the kernel loads. Such a pointer is a
// number in the text: its address.
func (f *function) anywhere(v *llir.Value) bool {
	if v.Type == nil || v.Type.Kind != llir.Pointer {
		return false
	}
	if v.Op == "load" {
		return true
	}
	if v.Op != "phi" && v.Op != "select" {
		return false
	}
	known, ok := f.addresses[v]
	if !ok {
		base := f.baseOf(v, map[*llir.Value]bool{})
		known = (base == nil || base.Op == "phi" || base.Op == "select" || base.Op == "load") && f.isGlobal(v, map[*llir.Value]bool{})
		f.addresses[v] = known
	}
	return known
}

// isGlobal reports whether all memories into which v may point are global memory.
func (f *function) isGlobal(v *llir.Value, seen map[*llir.Value]bool) bool {
	for v.Op == "getelementptr" || v.Op == "freeze" || v.Op == "bitcast" {
		v = v.Args[0]
	}
	if seen[v] {
		return true
	}
	seen[v] = true
	args := v.Args
	switch v.Op {
	case "param", "null", "undef", "load":
		return true
	case "inttoptr":
		return f.computed(v.Args[0], map[*llir.Value]bool{})
	case "select":
		args = v.Args[1:]
	case "phi":
	default:
		return false
	}
	return !slices.ContainsFunc(args, func(a *llir.Value) bool { return !f.isGlobal(a, seen) })
}

// absolute returns the name of an i64 with the address of v, a pointer into global memory.
func (f *function) absolute(at, v *llir.Value) string {
	if v.Op == "null" || v.Op == "undef" {
		return f.intConst(0, "i64")
	}
	p := f.pointer(v)
	switch p.base.Op {
	case "phi", "select", "load":
		return f.offset(at, p, 1)
	}
	if !f.isGlobal(v, map[*llir.Value]bool{}) {
		f.failf(at, "an array of pointers into local memory, or of tiles, is not supported")
	}
	return f.numberAt(at, p)
}

// mayBeNull reports whether a pointer is null on one of several paths.
func (f *function) mayBeNull(v *llir.Value, seen map[*llir.Value]bool) bool {
	for v.Op == "getelementptr" || v.Op == "freeze" || v.Op == "bitcast" {
		v = v.Args[0]
	}
	if v.Op == "null" || seen[v] {
		return v.Op == "null"
	}
	seen[v] = true
	return (v.Op == "phi" || v.Op == "select") && slices.ContainsFunc(v.Args, func(a *llir.Value) bool {
		return a.Type != nil && a.Type.Kind == llir.Pointer && f.mayBeNull(a, seen)
	})
}

// pointer returns the parts of a pointer.
func (f *function) pointer(v *llir.Value) place {
	switch v.Op {
	case "getelementptr":
		p := f.pointer(v.Args[0])
		t := v.Of
		for i, a := range v.Args[1:] {
			if i > 0 {
				switch t.Kind {
				case llir.Struct:
					off := t.Offset(int(a.Int))
					if a.Op != "int" || off < 0 {
						f.failf(v, "a pointer into a struct cannot be followed")
					}
					p.bytes += off
					t = t.Fields[a.Int]
					continue
				case llir.Array, llir.Vector:
					t = t.Elem
				}
			}
			size := t.Size()
			switch {
			case size < 0:
				f.failf(v, "a pointer to memory of unknown size cannot be followed")
			case a.Op == "int":
				p.bytes += a.Int * size
			default:
				p.terms = append(p.terms[:len(p.terms):len(p.terms)], term{v: a, scale: size})
			}
		}
		return p
	case "freeze", "bitcast":
		return f.pointer(v.Args[0])
	case "inttoptr":
		if f.isAddress(v.Args[0]) {
			return f.pointerOf(v.Args[0])
		}
	case "load":
		if name, ok := f.names[v]; ok {
			return place{base: v, terms: []term{{name: name, scale: 1}}}
		}
	case "phi", "select":
		if name, ok := f.names[v]; ok && f.anywhere(v) {
			return place{base: v, terms: []term{{name: name, scale: 1}}}
		}
		base := f.baseOf(v, map[*llir.Value]bool{})
		if base == nil || base == v {
			f.failf(v, "a pointer may point into one of several arrays, depending on the program's path")
		}
		name, ok := f.names[v]
		if !ok {
			f.failf(v, "a pointer is used before it is known")
		}
		return place{base: base, terms: []term{{name: name, scale: 1}}}
	}
	return place{base: v}
}

// offset returns the name of an i64 with the distance of a pointer from its base, in units
// of the given number of bytes, which must divide it.
func (f *function) offset(at *llir.Value, p place, unit int64) string {
	sum := ""
	add := func(x string) {
		if sum == "" {
			sum = x
			return
		}
		r := f.fresh("at")
		f.line(at, "%s = arith.addi %s, %s : i64", r, sum, x)
		sum = r
	}
	for _, t := range p.terms {
		x := t.name
		if t.v != nil {
			x = f.i64(at, t.v)
		}
		if t.scale != unit {
			r := f.fresh("step")
			f.line(at, "%s = arith.muli %s, %s : i64", r, x, f.intConst(t.scale/unit, "i64"))
			x = r
		}
		add(x)
	}
	if p.bytes != 0 || sum == "" {
		add(f.intConst(p.bytes/unit, "i64"))
	}
	return sum
}

// divides reports whether all parts of the distance of a pointer are multiples of unit.
func (p place) divides(unit int64) bool {
	for _, t := range p.terms {
		if t.scale%unit != 0 {
			return false
		}
	}
	return p.bytes%unit == 0
}

// plus is the distance in elements or the constant 0 as an index.
func (f *function) indexOf(at *llir.Value, p place, unit int64) string {
	if len(p.terms) == 0 {
		return f.intConst(p.bytes/unit, "index")
	}
	o := f.offset(at, p, unit)
	r := f.fresh(strings.TrimPrefix(o, "%") + "_x")
	f.line(at, "%s = arith.index_cast %s : i64 to index", r, o)
	return r
}

// globalPointer returns the name of a pointer to elements of the given type for v, a
// pointer into global memory.
func (f *function) globalPointer(at, v *llir.Value, elem int64) string {
	return f.globalAt(at, f.pointer(v), elem)
}

// globalAt is globalPointer for a pointer that is at p.
func (f *function) globalAt(at *llir.Value, p place, elem int64) string {
	if p.base.Op == "inttoptr" && f.computed(p.base.Args[0], map[*llir.Value]bool{}) {
		p.terms = append([]term{{v: p.base.Args[0], scale: 1}}, p.terms...)
		name := f.fresh("pointer")
		f.line(at, "%s = pto.inttoptr %s : i64 -> %s", name, f.offset(at, p, 1), f.pointerType(elem))
		return name
	}
	if f.anywhere(p.base) {
		name := f.fresh("pointer")
		f.line(at, "%s = pto.castptr %s : i64 -> %s", name, f.offset(at, p, 1), f.pointerType(elem))
		return name
	}
	if p.base.Op != "param" {
		if p.base.Op == "null" || p.base.Op == "undef" {
			f.failf(at, "a view or an access of global memory has no address")
		}
		f.failf(at, "a pointer to global memory does not come from a parameter of the kernel")
	}
	name, have := f.names[p.base], f.elems[p.base]
	cast := func(to int64) {
		if to != have {
			r := f.fresh(strings.TrimPrefix(name, "%") + "_as")
			f.line(at, "%s = pto.castptr %s : %s -> %s", r, name, f.pointerType(have), f.pointerType(to))
			name, have = r, to
		}
	}
	unit := elements[elem].bytes
	if !p.divides(unit) {
		cast(byteElement)
		unit = 1
	} else {
		cast(elem)
	}
	if len(p.terms) > 0 || p.bytes != 0 {
		r := f.fresh(strings.TrimPrefix(name, "%") + "_at")
		f.line(at, "%s = pto.addptr %s, %s : %s -> %s", r, name, f.indexOf(at, p, unit), f.pointerType(have), f.pointerType(have))
		name = r
	}
	cast(elem)
	return name
}

// address returns the name of an i64 with the number that a conversion of a pointer to an
// integer yields.
func (f *function) address(at, v *llir.Value) string {
	if f.isAddress(v) {
		return f.number(v)
	}
	p := f.pointer(v.Args[0])
	switch p.base.Op {
	case "inttoptr":
		p.terms = append([]term{{v: p.base.Args[0], scale: 1}}, p.terms...)
	case "null":
	default:
		f.failf(at, "a pointer is used as a number")
	}
	return f.offset(at, p, 1)
}
