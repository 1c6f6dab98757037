// This file converts arrays and structs on the stack that opt does not replace by values.

package cpp

import (
	"fmt"
	"strconv"

	"ptogo/frontend/llir"
)

// localArray is an array on the stack. Its elements have one type: that of all accesses,
// or an integer if accesses have several types, as the fields of a struct. A larger value
// then has several elements, and a smaller one is a part of an element.
type localArray struct {
	name, typ, elem string
	size            int64
}

// access is a load from a variable on the stack, or a store to it.
type access struct {
	t *llir.Type
	// varies reports that the place depends on the path or on an index.
	varies bool
}

// local returns the array of a variable on the stack.
func (f *function) local(v, variable *llir.Value) *localArray {
	if a := f.arrays[variable]; a != nil {
		return a
	}
	all := f.accessed(variable)
	elem, size, least, mixed := "", int64(0), int64(0), false
	for _, u := range all {
		n := u.t.Size()
		mixed = mixed || elem != "" && elem != scalarName(u.t)
		elem, size = scalarName(u.t), max(size, n)
		if u.varies && (least == 0 || n < least) {
			least = n
		}
	}
	if mixed {
		if least > 0 {
			size = least
		}
		elem = scalarName(&llir.Type{Kind: llir.Int, Bits: 8 * size})
	}
	total := variable.Of.Size()
	if mixed && size > 0 { // padding completes the last element
		total = (total + size - 1) / size * size
	}
	if total < 0 || size <= 0 || total%size != 0 || elem == "" || total/size > 1<<16 {
		f.failf(v, "a local variable has a type without counterpart in PTO")
	}
	a := &localArray{name: f.fresh("array"), elem: elem, size: size}
	a.typ = "!pto.local_array<" + strconv.FormatInt(total/size, 10) + "x" + elem + ">"
	f.arrays[variable] = a
	f.constLines = append(f.constLines, "    "+a.name+" = pto.declare_local_array -> "+a.typ)
	return a
}

// inMemory returns the type of a value in memory: pointers are numbers there.
func inMemory(t *llir.Type) *llir.Type {
	if t.Kind == llir.Pointer {
		return &llir.Type{Kind: llir.Int, Bits: 64}
	}
	return t
}

// accessed returns the accesses of a variable on the stack.
func (f *function) accessed(variable *llir.Value) (all []access) {
	for _, b := range f.f.Blocks {
		for _, x := range b.Insts {
			var at *llir.Value
			var t *llir.Type
			switch x.Op {
			case "load":
				at, t = x.Args[0], x.Type
			case "store":
				at, t = x.Args[1], x.Args[0].Type
				if t.Kind == llir.Pointer && !f.loadsPointer(variable) {
					continue
				}
			default:
				continue
			}
			if f.baseOf(at, map[*llir.Value]bool{}) == variable {
				all = append(all, access{inMemory(t), !constantPlace(at)})
			}
		}
	}
	return all
}

// step appends a line that computes a value of a local array, and returns its name.
func (f *function) step(v *llir.Value, format string, args ...any) string {
	r := f.fresh("field")
	f.line(v, "%s = %s", r, fmt.Sprintf(format, args...))
	return r
}

// element returns the array of a pointer to the stack, the name of the index of the element
// to which it points, and the distance of the value in this element. size is that of the
// accessed value.
func (f *function) element(v *llir.Value, p place, size int64) (a *localArray, index string, within int64) {
	a = f.local(v, p.base)
	if size < a.size {
		within = p.bytes % a.size
		p.bytes -= within
		if size <= 0 || within < 0 || within+size > a.size || !p.divides(a.size) {
			f.failf(v, "a local variable is accessed by values of different sizes")
		}
	}
	if size%min(a.size, size) != 0 || size > 8 && size > a.size {
		f.failf(v, "a local variable is accessed by values of different sizes")
	}
	if p.divides(a.size) {
		return a, f.indexOf(v, p, a.size), within
	}
	quotient := f.fresh("element") // accesses are aligned, so the division is exact
	f.line(v, "%s = arith.divui %s, %s : i64", quotient, f.offset(v, p, 1), f.intConst(a.size, "i64"))
	index = f.fresh("element_x")
	f.line(v, "%s = arith.index_cast %s : i64 to index", index, quotient)
	return a, index, 0
}

// part returns the name of the index of the element that follows n elements after another.
func (f *function) part(v *llir.Value, index string, n int64) string {
	if n == 0 {
		return index
	}
	return f.step(v, "arith.addi %s, %s : index", index, f.intConst(n, "index"))
}

// bitsOf returns the integer type with as many bits as n bytes.
func bitsOf(n int64) string { return "i" + strconv.FormatInt(8*n, 10) }

// loadLocal converts a load from a local array.
func (f *function) loadLocal(v *llir.Value, p place) {
	t := inMemory(v.Type)
	n := t.Size()
	a, i, within := f.element(v, p, n)
	if scalarName(t) == a.elem {
		f.define(v, "pto.local_array_get "+a.name+"["+i+"] : "+a.typ+" -> "+a.elem)
		return
	}
	typ, x := bitsOf(max(n, a.size)), ""
	for k := int64(0); k < max(n/a.size, 1); k++ {
		e := f.step(v, "pto.local_array_get %s[%s] : %s -> %s", a.name, f.part(v, i, k), a.typ, a.elem)
		if n > a.size {
			e = f.step(v, "arith.extui %s : %s to %s", e, a.elem, typ)
		}
		if k > 0 {
			e = f.step(v, "arith.shli %s, %s : %s", e, f.intConst(8*a.size*k, typ), typ)
			e = f.step(v, "arith.ori %s, %s : %s", x, e, typ)
		}
		x = e
	}
	if within > 0 {
		x = f.step(v, "arith.shrui %s, %s : %s", x, f.intConst(8*within, typ), typ)
	}
	if n < a.size {
		x = f.step(v, "arith.trunci %s : %s to %s", x, typ, bitsOf(n))
		typ = bitsOf(n)
	}
	switch want := scalarName(t); {
	case want == typ:
		f.names[v] = x
	case t.Kind == llir.Int: // a type of fewer bits than its bytes have
		f.define(v, "arith.trunci "+x+" : "+typ+" to "+want)
	default:
		f.define(v, "arith.bitcast "+x+" : "+typ+" to "+want)
	}
}

// storeLocal converts a store of x to a local array.
func (f *function) storeLocal(v *llir.Value, p place, x *llir.Value) {
	t := inMemory(x.Type)
	n, typ := t.Size(), scalarName(t)
	a, i, within := f.element(v, p, n)
	name := ""
	if x.Type.Kind == llir.Pointer {
		name = f.absolute(v, x)
	} else {
		name = f.value(x)
	}
	set := func(index, value string) {
		f.line(v, "pto.local_array_set %s[%s], %s : %s, %s", a.name, index, value, a.typ, a.elem)
	}
	if typ == a.elem {
		set(i, name)
		return
	}
	switch bits := bitsOf(n); {
	case t.Kind == llir.Float:
		name = f.step(v, "arith.bitcast %s : %s to %s", name, typ, bits)
	case typ != bits:
		name = f.step(v, "arith.extui %s : %s to %s", name, typ, bits)
	}
	if n >= a.size {
		for k := int64(0); k < n/a.size; k++ {
			e := name
			if k > 0 {
				e = f.step(v, "arith.shrui %s, %s : %s", e, f.intConst(8*a.size*k, bitsOf(n)), bitsOf(n))
			}
			if n > a.size {
				e = f.step(v, "arith.trunci %s : %s to %s", e, bitsOf(n), a.elem)
			}
			set(f.part(v, i, k), e)
		}
		return
	}
	name = f.step(v, "arith.extui %s : %s to %s", name, bitsOf(n), a.elem)
	if within > 0 {
		name = f.step(v, "arith.shli %s, %s : %s", name, f.intConst(8*within, a.elem), a.elem)
	}
	others := int64(-1)<<(8*(within+n)) | (int64(1)<<(8*within) - 1) // the other bytes of the element
	old := f.step(v, "pto.local_array_get %s[%s] : %s -> %s", a.name, i, a.typ, a.elem)
	old = f.step(v, "arith.andi %s, %s : %s", old, f.intConst(others<<(64-8*a.size)>>(64-8*a.size), a.elem), a.elem)
	set(i, f.step(v, "arith.ori %s, %s : %s", old, name, a.elem))
}

// clear converts a memset of a local array to zeros.
func (f *function) clear(v *llir.Value) {
	p := f.pointer(v.Args[0])
	if p.base.Op != "alloca" || len(p.terms) > 0 || !v.Args[1].IsConst(0) || v.Args[2].Op != "int" {
		f.failf(v, "memory is filled by the processor, which is not supported")
	}
	if f.accessed(p.base) == nil {
		return // never read
	}
	a := f.local(v, p.base)
	if p.bytes%a.size != 0 || v.Args[2].Int%a.size != 0 && p.bytes+v.Args[2].Int != p.base.Of.Size() {
		f.failf(v, "a part of an element of a local array is cleared, which is not supported")
	}
	n := (v.Args[2].Int + a.size - 1) / a.size
	if n > 256 {
		f.failf(v, "a large local array is cleared, which is not supported")
	}
	var zero string
	if a.elem[0] == 'i' {
		zero = f.intConst(0, a.elem)
	} else {
		zero = f.constant("0.0", a.elem)
	}
	for i := range n {
		f.line(v, "pto.local_array_set %s[%s], %s : %s, %s", a.name, f.intConst(p.bytes/a.size+i, "index"), zero, a.typ, a.elem)
	}
}

// table declares a constant array, such as a list of event IDs, as a local array that is
// filled at the start of the kernel.
func (f *function) table(v, variable *llir.Value) {
	items := f.m.Tables[variable.Name]
	if f.arrays[variable] != nil {
		return
	}
	if len(items) == 0 || scalarName(items[0].Type) == "" {
		f.failf(v, "the kernel reads a variable outside of it that is not a constant array of numbers")
	}
	a := &localArray{name: f.fresh("table"), elem: scalarName(items[0].Type), size: items[0].Type.Size()}
	a.typ = "!pto.local_array<" + strconv.Itoa(len(items)) + "x" + a.elem + ">"
	f.arrays[variable] = a
	lines := []string{"    " + a.name + " = pto.declare_local_array -> " + a.typ}
	for i, x := range items {
		lines = append(lines, fmt.Sprintf("    pto.local_array_set %s[%s], %s : %s, %s", a.name, f.intConst(int64(i), "index"), f.value(x), a.typ, a.elem))
	}
	f.constLines = append(f.constLines, lines...)
}

// copyTable converts a memcpy of a complete constant array of numbers to a variable on the
// stack.
func (f *function) copyTable(v *llir.Value) {
	to, from := f.pointer(v.Args[0]), f.pointer(v.Args[1])
	items := f.m.Tables[from.base.Name]
	if to.base.Op != "alloca" || from.base.Op != "global" || len(items) == 0 || len(to.terms)+len(from.terms) > 0 || from.bytes != 0 {
		f.failf(v, "a copy of a whole array or struct is not supported")
	}
	if f.accessed(to.base) == nil {
		return // never read
	}
	a, size := f.local(v, to.base), items[0].Type.Size()
	if a.size != size || a.elem != scalarName(items[0].Type) || to.bytes%size != 0 || !v.Args[2].IsConst(size*int64(len(items))) {
		f.failf(v, "a copy of a whole array or struct is not supported")
	}
	for i, x := range items {
		f.line(v, "pto.local_array_set %s[%s], %s : %s, %s", a.name, f.intConst(to.bytes/size+int64(i), "index"), f.value(x), a.typ, a.elem)
	}
}
