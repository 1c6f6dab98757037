// This file converts sums that contain the address of global memory. Kernels on several
// ranks compute them: the distance from the own window to the window of another rank, which
// a communication context holds as numbers, is added to the address of a part of the own
// window.

package cpp

import "ptogo/frontend/llir"

// isAddress reports whether v is an integer that contains the address of global memory: a
// converted pointer, or a sum of which it is a part. Such numbers have no value of their
// own; only a pointer that is made from them has one.
func (f *function) isAddress(v *llir.Value) bool {
	known, ok := f.addresses[v]
	if ok {
		return known
	}
	switch v.Op {
	case "ptrtoint":
		known = f.pointer(v.Args[0]).base.Op == "param"
	case "add":
		known = f.isAddress(v.Args[0]) || f.isAddress(v.Args[1])
	case "sub":
		known = f.isAddress(v.Args[0])
	default:
		return false
	}
	f.addresses[v] = known
	return known
}

// pointerOf returns the parts of the pointer that v, an address of global memory, becomes.
// It returns false if v contains another address, or has several.
func (f *function) pointerOf(v *llir.Value) (place, bool) {
	if v.Op == "ptrtoint" {
		return f.pointer(v.Args[0]), true
	}
	x, y, sign := v.Args[0], v.Args[1], int64(1)
	if v.Op == "sub" {
		sign = -1
	} else if f.isAddress(y) {
		x, y = y, x
	}
	if f.isAddress(y) {
		return place{}, false
	}
	p, ok := f.pointerOf(x)
	if y.Op == "int" {
		p.bytes += sign * y.Int
	} else {
		p.terms = append(p.terms[:len(p.terms):len(p.terms)], term{v: y, scale: sign})
	}
	return p, ok
}
