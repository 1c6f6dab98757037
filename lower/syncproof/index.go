// This file finds records that may conflict with another one.

package syncproof

import (
	"slices"
	"sort"

	"ptogo/dialect/pto/order"
	"ptogo/ir"
)

// includes reports whether an instance of r may be among what is missing.
func (c column) includes(r *record) bool {
	return slices.ContainsFunc(c, func(m missing) bool {
		return slices.Contains(r.groups, m.group) && (m.age > 0 || r.at > m.after)
	})
}

// index lists records by group, lane and memory, so that only records that may share a byte
// with another one are compared with it.
type index struct {
	of map[indexKey]*bucket
	// roots are the objects that occur in keys, by key without object.
	roots map[indexKey][]*ir.Value
}

// indexKey identifies a list of records: those of a group and lane, or of a group and class
// of accesses in a vector function, that access an object.
type indexKey struct {
	group int32
	lane  lane
	scope bool
	space uint8
	root  *ir.Value
}

// bucket has the records of a list by the bytes that they access. Records are in the list
// several times if they have several accesses.
type bucket struct {
	// pages maps a number of a page to records with a constant address in it, and others are
	// all other records. Both are in the order of the text.
	pages  map[int64][]*record
	others []*record
	all    []*record
}

const (
	// pageBytes is the size of a page, and mostPages the largest number of pages of an access
	// that pages contains.
	pageBytes = 1024
	mostPages = 64
)

// pagesOf returns the first and the last page of an access. ok is false if its address or
// size is not constant, or if it is large.
func pagesOf(t *Touch) (first, last int64, ok bool) {
	at, known := t.From.Const()
	if !known || t.Size <= 0 {
		return 0, 0, false
	}
	first, last = at/pageBytes, (at+t.Size-1)/pageBytes
	return first, last, at >= 0 && last-first < mostPages
}

// newIndex returns the index of records.
func newIndex(records []*record) *index {
	x := &index{map[indexKey]*bucket{}, map[indexKey][]*ir.Value{}}
	for _, r := range records {
		for i := range r.touch {
			t := &r.touch[i]
			for _, g := range r.groups {
				x.add(indexKey{g, laneOf(r.thread.n, r.line), false, uint8(t.Space), t.Root}, r, t)
				if r.scope != nil {
					x.add(indexKey{g, lane(r.class), true, uint8(t.Space), t.Root}, r, t)
				}
			}
		}
	}
	for _, b := range x.of {
		byPosition(b.all)
		byPosition(b.others)
		for _, list := range b.pages {
			byPosition(list)
		}
	}
	return x
}

// byPosition sorts records by their position in the text.
func byPosition(list []*record) {
	slices.SortStableFunc(list, func(a, b *record) int { return int(a.at - b.at) })
}

// otherObjects calls f for records of a lane that m includes, and that access other objects
// in a memory space of b, until f returns false.
func (x *index) otherObjects(m missing, l lane, b *record, f func(a *record) bool) {
	for i := range b.touch {
		q := &b.touch[i]
		if q.Root == nil {
			continue
		}
		for _, root := range x.roots[indexKey{group: m.group, lane: l, space: uint8(q.Space)}] {
			if root == q.Root {
				continue
			}
			for _, a := range x.of[indexKey{m.group, l, false, uint8(q.Space), root}].all {
				if (m.age > 0 || a.at > m.after) && !f(a) {
					return
				}
			}
		}
	}
}

// add adds a record to a list.
func (x *index) add(k indexKey, r *record, t *Touch) {
	b := x.of[k]
	if b == nil {
		b = &bucket{pages: map[int64][]*record{}}
		x.of[k] = b
		if k.root != nil {
			any := k
			any.root = nil
			x.roots[any] = append(x.roots[any], k.root)
		}
	}
	add := func(list []*record) []*record {
		if n := len(list); n > 0 && list[n-1] == r {
			return list
		}
		return append(list, r)
	}
	b.all = add(b.all)
	first, last, ok := pagesOf(t)
	if !ok {
		b.others = add(b.others)
		return
	}
	for p := first; p <= last; p++ {
		b.pages[p] = add(b.pages[p])
	}
}

// each calls f for the records of a lane that m includes, and that may share a byte with b.
func (x *index) each(m missing, l lane, b *record, f func(a *record)) {
	x.find(indexKey{group: m.group, lane: l}, m, b, f)
}

// eachInScope calls f for the accesses of a class in the vector function of b.
func (x *index) eachInScope(m missing, c order.AccessClass, b *record, f func(a *record)) {
	x.find(indexKey{group: m.group, lane: lane(c), scope: true}, m, b, func(a *record) {
		if a.vector == b.vector {
			f(a)
		}
	})
}

// find calls f once for each record with key k that m includes, and that may share a byte
// with b. Accesses to different objects are not listed, except if one of them may be
// anywhere.
func (x *index) find(k indexKey, m missing, b *record, f func(a *record)) {
	seen := map[*record]bool{}
	visit := func(list []*record) {
		// Of a single round, only what is after the position is missing.
		if m.age == 0 {
			list = list[sort.Search(len(list), func(i int) bool { return list[i].at > m.after }):]
		}
		for _, a := range list {
			if !seen[a] {
				seen[a] = true
				f(a)
			}
		}
	}
	for i := range b.touch {
		q := &b.touch[i]
		k.space = uint8(q.Space)
		if q.anywhere() {
			for o, list := range x.of {
				if o.group == k.group && o.lane == k.lane && o.scope == k.scope && o.space == k.space {
					visit(list.all)
				}
			}
			continue
		}
		roots := []*ir.Value{q.Root}
		if q.Root != nil {
			roots = append(roots, nil)
		}
		for _, root := range roots {
			k.root = root
			list := x.of[k]
			if list == nil {
				continue
			}
			first, last, ok := pagesOf(q)
			if !ok {
				visit(list.all)
				continue
			}
			for p := first; p <= last; p++ {
				visit(list.pages[p])
			}
			visit(list.others)
		}
	}
}
