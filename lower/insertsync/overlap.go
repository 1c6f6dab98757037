// This file decides whether two locations can share a byte, in the same iteration or
// in different ones.

package insertsync

import "ptogo/ir"

// loop describes a loop for the analysis of accesses in different iterations. The field
// iv is the loop counter, or nil if the loop has none.
type loop struct {
	op *ir.Op
	// iv is the loop counter.
	iv *ir.Value
	// step is the constant step of the counter, or 0 if it is not known.
	step int64
	// lo and hi are the first and the last value of iv. They are valid if bounded is set.
	lo, hi  int64
	bounded bool
}

// has reports whether v is defined in the loop and can therefore change in each
// iteration.
func (l *loop) has(v *ir.Value) bool {
	for op := v.Block().Parent(); op != nil; op = op.Parent() {
		if op == l.op {
			return true
		}
	}
	return false
}

// when specifies the iterations in which two accesses are compared. If loop is nil, both
// are in the same iteration of all loops around them. Otherwise the second access is dist
// iterations of loop after the first.
type when struct {
	loop *loop
	dist int64
}

// apart returns the difference b - a of the offsets of two accesses as base + slope*d.
// Here d is the number of iterations of w.loop by which the second access follows the
// first. The result ok is false if the difference depends on unknown values.
func (w when) apart(a, b sum) (base, slope int64, ok bool) {
	if !a.ok || !b.ok {
		return 0, 0, false
	}
	if w.loop != nil {
		for _, s := range []sum{a, b} {
			for _, t := range s.terms {
				if t.v != w.loop.iv && w.loop.has(t.v) {
					return 0, 0, false
				}
			}
		}
		k := a.factor(w.loop.iv)
		if k != 0 && w.loop.step == 0 {
			return 0, 0, false
		}
		slope = k * w.loop.step
	}
	base, ok = b.plus(a, -1).constant()
	return base, slope, ok
}

// disjoint reports whether two byte ranges, accessed in different iterations of a loop,
// certainly do not overlap. Their offsets are a and b, and their sizes in bytes are sizeA
// and sizeB; a size of 0 means unknown. The result is only valid for accesses that are at
// least dist iterations apart, where dist is a field of the receiver.
func (w when) disjoint(a, b sum, sizeA, sizeB int64) bool {
	base, slope, ok := w.apart(a, b)
	if !ok {
		return false
	}
	at := base + slope*w.dist
	above := sizeA > 0 && at >= sizeA && slope >= 0
	below := sizeB > 0 && -at >= sizeB && slope <= 0
	return above || below
}

// overlaps reports whether two locations may share a byte. If w specifies a loop and a
// distance, location a is accessed in one iteration of the loop, and location b in the
// iteration that is later by this distance. If w is empty, both are accessed in the same
// iteration.
func (w when) overlaps(a, b *location) bool {
	if a.space != b.space {
		return false
	}
	if a.anywhere() || b.anywhere() {
		return true
	}
	if a.root != b.root {
		return false
	}
	if a.view != nil && a.view == b.view && len(a.dims) == len(b.dims) && (w.loop == nil || !w.loop.has(a.view)) {
		for i := range a.dims {
			if w.disjoint(a.dims[i].from, b.dims[i].from, a.dims[i].size, b.dims[i].size) {
				return false
			}
		}
	}
	if a.ring != nil && b.ring != nil && a.ring.alloc == b.ring.alloc {
		if w.otherSlot(a.ring, b.ring) {
			return false
		}
		return w.bytesMeet(a, b)
	}
	x, y := a.wholeRing(), b.wholeRing()
	return w.bytesMeet(&x, &y)
}

// anywhere reports whether only the memory space of the location is known.
func (p *location) anywhere() bool { return p.root == nil && !p.from.ok }

// otherSlot reports whether two accesses are certainly to different slots of their ring
// buffer, in the iterations that w specifies.
func (w when) otherSlot(a, b *ring) bool {
	if a.rounds != nil && w.loop != nil && w.loop.op == a.rounds {
		l := *w.loop
		l.step = 1
		w.loop = &l
	}
	base, slope, ok := w.apart(a.index, b.index)
	rounds := base + slope*w.dist
	return ok && a.den == b.den && a.rounds == b.rounds && rounds%a.den == 0 && rounds/a.den%a.count != 0
}

// wholeRing returns the location p, which may be one slot of a ring buffer, extended to
// all slots of the ring buffer.
func (p *location) wholeRing() location {
	q := *p
	if p.ring != nil {
		q.ring, q.width, q.pitch = nil, 0, 0
		q.size = p.ring.count * p.ring.slot
		if base, ok := p.from.constant(); !ok || base < 0 {
			q.from = sum{}
		}
	}
	return q
}

// bytesMeet reports whether two locations with the same root can share a byte. For
// strided locations with equal pitch, it also compares the positions of the runs within
// the pitch.
func (w when) bytesMeet(a, b *location) bool {
	if w.disjoint(a.from, b.from, a.size, b.size) {
		return false
	}
	base, slope, ok := w.apart(a.from, b.from)
	if !ok || slope != 0 || a.width == 0 || b.width == 0 || a.pitch != b.pitch {
		return true
	}
	m := ((base % a.pitch) + a.pitch) % a.pitch
	return m < a.width || m+b.width > a.pitch
}

// replaces reports whether an access to location b may overwrite all bytes of location a.
// It returns false if b is a strided location, because such an access leaves gaps. It
// also returns false if b is smaller than a. In all other cases, it returns true if
// b contains all bytes of a, or if the distance between the two locations is unknown.
func (w when) replaces(a, b *location) bool {
	if a.size > 0 && b.size > 0 && b.size < a.size || b.width != 0 {
		return false
	}
	base, slope, ok := w.apart(a.from, b.from)
	if !ok || slope != 0 || a.size <= 0 || b.size <= 0 || a.ring != nil || b.ring != nil {
		return true
	}
	return base <= 0 && base+b.size >= a.size
}

// outside describes an access in loop l for the code outside of the loop. The location p
// of the access may depend on the iteration. outside returns a location that contains the
// bytes of the access in every iteration.
func (l *loop) outside(p location) location {
	p.from, p.size = l.widen(p.from, p.size)
	if !p.from.ok {
		p.width, p.pitch = 0, 0
	}
	if p.ring != nil {
		r := *p.ring
		for _, t := range r.index.terms {
			if l.has(t.v) {
				r.index = sum{}
				break
			}
		}
		p.ring = &r
	}
	if p.dims != nil {
		if l.has(p.view) {
			p.view, p.dims = nil, nil
		} else {
			dims := make([]indexRange, len(p.dims))
			for i, d := range p.dims {
				dims[i].from, dims[i].size = l.widen(d.from, d.size)
			}
			p.dims = dims
		}
	}
	if p.root != nil && l.has(p.root) {
		p.root, p.from = nil, sum{}
	}
	return p
}

// widen converts a byte range whose offset depends on the iteration of the loop to a
// range that covers all iterations. from is the offset of the range, and size is its
// length in bytes. It returns the offset and the length of the covering range.
func (l *loop) widen(from sum, size int64) (sum, int64) {
	for _, t := range from.terms {
		switch {
		case t.v == l.iv && l.bounded:
			lo, hi := t.k*l.lo, t.k*l.hi
			rest := from.plus(sum{ok: true, terms: []summand{{l.iv, 1}}}, -t.k)
			rest.c += min(lo, hi)
			if size > 0 {
				size += max(lo, hi) - min(lo, hi)
			}
			return l.widen(rest, size)
		case l.has(t.v):
			return sum{}, 0
		}
	}
	return from, size
}
