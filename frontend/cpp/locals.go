// This file converts arrays and structs on the stack that opt does not replace by values.

package cpp

import (
	"strconv"

	"ptogo/frontend/llir"
)

// localArray is an array on the stack. Its elements have one type: that of all accesses,
// or, for a struct with fields of several types, an integer as large as the largest field.
type localArray struct {
	name, typ, elem string
	size            int64
	// mixed reports that accesses have several types.
	mixed bool
}

// local returns the array of a variable on the stack. t is the type of the value that v
// accesses.
func (f *function) local(v, variable *llir.Value, t *llir.Type) *localArray {
	if a := f.arrays[variable]; a != nil {
		return a
	}
	size, elem, mixed := t.Size(), scalarName(t), false
	for _, u := range f.accessed(variable) {
		if u.Kind == llir.Pointer {
			f.failf(v, "an array of pointers or views is not supported")
		}
		if name := scalarName(u); name != elem {
			mixed, size = true, max(size, u.Size())
		}
	}
	if mixed {
		elem = scalarName(&llir.Type{Kind: llir.Int, Bits: 8 * size})
	}
	total := variable.Of.Size()
	if mixed { // padding completes the last element
		total = (total + size - 1) / size * size
	}
	if total < 0 || size <= 0 || total%size != 0 || elem == "" || total/size > 1<<16 {
		f.failf(v, "a local variable has a type without counterpart in PTO")
	}
	a := &localArray{name: f.fresh("array"), elem: elem, size: size, mixed: mixed}
	a.typ = "!pto.local_array<" + strconv.FormatInt(total/size, 10) + "x" + elem + ">"
	f.arrays[variable] = a
	f.constLines = append(f.constLines, "    "+a.name+" = pto.declare_local_array -> "+a.typ)
	return a
}

// accessed returns the types of the values that the kernel loads from a variable on the
// stack, or stores to it.
func (f *function) accessed(variable *llir.Value) (all []*llir.Type) {
	for _, b := range f.f.Blocks {
		for _, x := range b.Insts {
			switch {
			case x.Op == "load" && f.baseOf(x.Args[0], map[*llir.Value]bool{}) == variable:
				all = append(all, x.Type)
			case x.Op == "store" && f.baseOf(x.Args[1], map[*llir.Value]bool{}) == variable && (x.Args[0].Type.Kind != llir.Pointer || f.loadsPointer(variable)):
				all = append(all, x.Args[0].Type)
			}
		}
	}
	return all
}

// element returns the array of a pointer to the stack, the name of the index of the element
// to which it points, and the distance of the value in this element. t is the type of the
// accessed value.
func (f *function) element(v *llir.Value, p place, t *llir.Type) (a *localArray, index string, within int64) {
	if t.Kind == llir.Pointer {
		f.failf(v, "an array of pointers or views is not supported")
	}
	a = f.local(v, p.base, t)
	if size := t.Size(); a.mixed && size < a.size {
		within = p.bytes % a.size
		p.bytes -= within
		if size <= 0 || within < 0 || within+size > a.size || !p.divides(a.size) {
			f.failf(v, "a local variable is accessed by values of different sizes")
		}
	}
	if p.divides(a.size) {
		return a, f.indexOf(v, p, a.size), within
	}
	quotient, r := f.fresh("element"), f.fresh("element_x") // accesses are aligned, so the division is exact
	f.line(v, "%s = arith.divui %s, %s : i64", quotient, f.offset(v, p, 1), f.intConst(a.size, "i64"))
	f.line(v, "%s = arith.index_cast %s : i64 to index", r, quotient)
	return a, r, 0
}

// loadLocal converts a load from a local array.
func (f *function) loadLocal(v *llir.Value, p place) {
	a, i, within := f.element(v, p, v.Type)
	get := "pto.local_array_get " + a.name + "[" + i + "] : " + a.typ + " -> " + a.elem
	if scalarName(v.Type) == a.elem {
		f.define(v, get)
		return
	}
	step := func(text string) string {
		r := f.fresh("field")
		f.line(v, "%s = %s", r, text)
		return r
	}
	x, typ := step(get), a.elem
	if within > 0 {
		x = step("arith.shrui " + x + ", " + f.intConst(8*within, typ) + " : " + typ)
	}
	if n := v.Type.Size(); n < a.size {
		narrow := "i" + strconv.FormatInt(8*n, 10)
		x, typ = step("arith.trunci "+x+" : "+typ+" to "+narrow), narrow
	}
	switch want := f.typeOf(v); {
	case want == typ:
		f.names[v] = x
	case v.Type.Kind == llir.Int: // a type of fewer bits than its bytes have
		f.define(v, "arith.trunci "+x+" : "+typ+" to "+want)
	default:
		f.define(v, "arith.bitcast "+x+" : "+typ+" to "+want)
	}
}

// storeLocal converts a store of x to a local array.
func (f *function) storeLocal(v *llir.Value, p place, x *llir.Value) {
	a, i, within := f.element(v, p, x.Type)
	name, typ := f.value(x), scalarName(x.Type)
	step := func(text string) string {
		r := f.fresh("field")
		f.line(v, "%s = %s", r, text)
		return r
	}
	if n := x.Type.Size(); typ != a.elem {
		bits := "i" + strconv.FormatInt(8*n, 10)
		switch {
		case x.Type.Kind == llir.Float:
			name = step("arith.bitcast " + name + " : " + typ + " to " + bits)
		case typ != bits:
			name = step("arith.extui " + name + " : " + typ + " to " + bits)
		}
		if n < a.size { // the other bytes of the element keep their value
			name = step("arith.extui " + name + " : " + bits + " to " + a.elem)
			if within > 0 {
				name = step("arith.shli " + name + ", " + f.intConst(8*within, a.elem) + " : " + a.elem)
			}
			mask := int64(-1)<<(8*(within+n)) | (int64(1)<<(8*within) - 1)
			old := step("pto.local_array_get " + a.name + "[" + i + "] : " + a.typ + " -> " + a.elem)
			old = step("arith.andi " + old + ", " + f.intConst(mask<<(64-8*a.size)>>(64-8*a.size), a.elem) + " : " + a.elem)
			name = step("arith.ori " + old + ", " + name + " : " + a.elem)
		}
	}
	f.line(v, "pto.local_array_set %s[%s], %s : %s, %s", a.name, i, name, a.typ, a.elem)
}

// clear converts a memset of a local array to zeros.
func (f *function) clear(v *llir.Value) {
	p := f.pointer(v.Args[0])
	if p.base.Op != "alloca" || len(p.terms) > 0 || !v.Args[1].IsConst(0) || v.Args[2].Op != "int" {
		f.failf(v, "memory is filled by the processor, which is not supported")
	}
	var t *llir.Type
	for _, u := range f.accessed(p.base) {
		t = u
	}
	if t == nil {
		return // never read
	}
	if t.Kind == llir.Pointer {
		f.failf(v, "an array of pointers or views is not supported")
	}
	a := f.local(v, p.base, t)
	if p.bytes%a.size != 0 || v.Args[2].Int%a.size != 0 && p.bytes+v.Args[2].Int != p.base.Of.Size() {
		f.failf(v, "a part of an element of a local array is cleared, which is not supported")
	}
	n := (v.Args[2].Int + a.size - 1) / a.size
	if n > 256 {
		f.failf(v, "a large local array is cleared, which is not supported")
	}
	zero := f.value(&llir.Value{Op: "zero", Type: t})
	if a.mixed {
		zero = f.intConst(0, a.elem)
	}
	for i := range n {
		f.line(v, "pto.local_array_set %s[%s], %s : %s, %s", a.name, f.intConst(p.bytes/a.size+i, "index"), zero, a.typ, a.elem)
	}
}
