// This file replaces arrays whose elements are written once, such as the two tiles of a
// double buffer, by the written values.

package cpp

import (
	"slices"
	"strconv"

	"ptogo/frontend/llir"
)

// writtenOnce returns the stores to a local array by their distance in bytes, if each
// element is stored once, at a constant index, before all loads. Then the array needs no
// memory: a load chooses among the stored values, and the static proof sees the addresses
// of tiles. It returns nil for other arrays.
func (f *function) writtenOnce(base *llir.Value) map[int64]*llir.Value {
	if known, ok := f.once[base]; ok {
		return known
	}
	f.once[base] = nil
	stores := map[int64]*llir.Value{}
	var loads []*llir.Value
	for _, b := range f.blocks {
		for _, v := range b.Insts {
			for i, a := range v.Args {
				if a.Type == nil || a.Type.Kind != llir.Pointer || f.baseOf(a, map[*llir.Value]bool{}) != base || v.Op == "getelementptr" {
					continue
				}
				switch {
				case v.Op == "load":
					loads = append(loads, v)
				case v.Op == "store" && i == 1 && constantPlace(a):
					p := f.pointer(a)
					if stores[p.bytes] != nil {
						return nil
					}
					stores[p.bytes] = v
				case v.Op == "call" && (len(v.Pred) > 14 && v.Pred[:14] == "llvm.lifetime."):
				default:
					return nil
				}
			}
		}
	}
	for _, l := range loads {
		if !simplePlace(l.Args[0]) {
			return nil
		}
		for _, s := range stores {
			if !f.precedes(s, l) || s.Args[0].Type.Size() != l.Type.Size() || s.Args[0].Type.Kind != l.Type.Kind || l.Type.Kind == llir.Pointer {
				return nil
			}
		}
	}
	f.once[base] = stores
	return stores
}

// precedes reports whether the store s is executed before the load l on every path, and in
// no loop that does not contain l.
func (f *function) precedes(s, l *llir.Value) bool {
	if s.Block == l.Block && slices.Index(s.Block.Insts, s) > slices.Index(l.Block.Insts, l) || !f.dominates(s.Block, l.Block) {
		return false
	}
	for _, body := range f.loops {
		if body[s.Block] && !body[l.Block] {
			return false
		}
	}
	return true
}

// constantPlace reports whether a pointer is at a constant distance from its array.
func constantPlace(v *llir.Value) bool {
	for v.Op == "getelementptr" {
		for _, a := range v.Args[1:] {
			if a.Op != "int" {
				return false
			}
		}
		v = v.Args[0]
	}
	return v.Op == "alloca"
}

// simplePlace reports whether a pointer is at a constant distance from an element of its
// array that one index selects.
func simplePlace(v *llir.Value) bool {
	open := 0
	for v.Op == "getelementptr" {
		for _, a := range v.Args[1:] {
			if a.Op != "int" {
				open++
			}
		}
		v = v.Args[0]
	}
	return v.Op == "alloca" && open <= 1
}

// undefined converts a load of an element that the kernel never stores.
func (f *function) undefined(v *llir.Value) {
	f.names[v] = f.value(&llir.Value{Op: "undef", Type: v.Type})
	f.unset[v] = true
}

// choose converts a load from an array that is written once. It reports whether the array
// has a value for every index.
func (f *function) choose(v *llir.Value, p place, stores map[int64]*llir.Value) bool {
	if len(p.terms) == 0 {
		if s := stores[p.bytes]; s != nil {
			f.names[v] = f.value(s.Args[0])
		} else {
			f.undefined(v)
		}
		return true
	}
	t := p.terms[0]
	var at []int64
	for off := range stores {
		if (off-p.bytes)%t.scale == 0 {
			at = append(at, off)
		}
	}
	slices.Sort(at)
	if len(at) == 0 {
		f.undefined(v)
		return true
	}
	index, typ := f.value(t.v), f.typeOf(t.v)
	name := f.value(stores[at[0]].Args[0])
	for _, off := range at[1:] {
		is, r := f.fresh("is"), f.fresh(v.Name)
		f.line(v, "%s = arith.cmpi eq, %s, %s : %s", is, index, f.constant(strconv.FormatInt((off-p.bytes)/t.scale, 10), typ), typ)
		f.line(v, "%s = arith.select %s, %s, %s : %s", r, is, f.value(stores[off].Args[0]), name, f.typeOf(v))
		name = r
	}
	f.names[v] = name
	return true
}
