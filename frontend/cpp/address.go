// This file converts integers that contain the address of global memory. Kernels on several
// ranks compute such sums: the distance from the own window to the window of another rank,
// which a communication context holds as numbers, is added to the address of a part of the
// own window. Other kernels round addresses down to lines of the cache.

package cpp

import "ptogo/frontend/llir"

// isAddress reports whether v is a sum that contains the address of global memory once: a
// converted pointer, or a sum of which it is a part. A pointer that is made from such a
// number keeps its parameter.
func (f *function) isAddress(v *llir.Value) bool {
	known, ok := f.addresses[v]
	if ok {
		return known
	}
	f.addresses[v] = false // a number that depends on itself is not a sum
	switch v.Op {
	case "ptrtoint":
		base := f.baseOf(v.Args[0], map[*llir.Value]bool{})
		known = base != nil && base.Op == "param"
	case "add":
		known = f.isAddress(v.Args[0]) != f.isAddress(v.Args[1])
	case "sub":
		known = f.isAddress(v.Args[0]) && !f.isAddress(v.Args[1])
	default:
		delete(f.addresses, v)
		return false
	}
	f.addresses[v] = known
	return known
}

// pointerOf returns the parts of the pointer that v, a sum with one address of global
// memory, becomes.
func (f *function) pointerOf(v *llir.Value) place {
	if v.Op == "ptrtoint" {
		return f.pointer(v.Args[0])
	}
	x, y, sign := v.Args[0], v.Args[1], int64(1)
	if v.Op == "sub" {
		sign = -1
	} else if f.isAddress(y) {
		x, y = y, x
	}
	p := f.pointerOf(x)
	if y.Op == "int" {
		p.bytes += sign * y.Int
	} else {
		p.terms = append(p.terms[:len(p.terms):len(p.terms)], term{v: y, scale: sign})
	}
	return p
}

// addressed returns the converted pointer in v, a sum with one address.
func addressed(f *function, v *llir.Value) *llir.Value {
	for v.Op != "ptrtoint" {
		next := v.Args[0]
		if v.Op == "add" && f.isAddress(v.Args[1]) {
			next = v.Args[1]
		}
		v = next
	}
	return v.Args[0]
}

// number returns the name of an i64 with the address in v, a sum with one address of global
// memory, where the program uses the address as a number.
func (f *function) number(v *llir.Value) string { return f.numberAt(v, f.pointerOf(v)) }

// numberAt is number for the address at p.
func (f *function) numberAt(at *llir.Value, p place) string {
	ptr := f.globalAt(at, p, byteElement)
	name := f.fresh("address")
	f.line(at, "%s = pto.ptrtoint %s : %s -> i64", name, ptr, f.pointerType(byteElement))
	return name
}

// computed reports whether v is a number that depends on an address of global memory, but
// is not a sum with one address, such as an address that is rounded down.
func (f *function) computed(v *llir.Value, seen map[*llir.Value]bool) bool {
	if f.isAddress(v) {
		return true
	}
	if seen[v] {
		return false
	}
	seen[v] = true
	switch v.Op {
	case "phi", "select", "add", "sub", "and", "or", "freeze":
		for _, a := range v.Args {
			if f.computed(a, seen) {
				return true
			}
		}
	}
	return false
}
