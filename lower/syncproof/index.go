// This file finds records that may conflict with another one.

package syncproof

import (
	"maps"
	"math/bits"
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
	// rooted are the records that access any object, by key without object, in the order of
	// the text.
	rooted map[indexKey][]*record
}

// indexKey identifies a list of records: those of a group and lane, or of a group and class
// of accesses in a vector function, that access an object, or that write it.
type indexKey struct {
	group  int32
	lane   lane
	scope  bool
	writes bool
	space  uint8
	root   *ir.Value
}

// bucket has the records of a list by the bytes that they access. Records are in the list
// several times if they have several accesses. All lists are in the order of the text.
type bucket struct {
	// classes has the records with a constant address and size, by the number of bits of the
	// size, and others all other records.
	classes [64]class
	others  []*record
	all     []*record
}

// class has the accesses of up to 1<<n bytes, where n is its number: each of them is on one
// or two pages of that size. So a page has only few accesses that share no byte with each
// other, however small the tiles of a kernel are.
type class struct {
	pages map[int64][]*record
	// numbers are the keys of pages, sorted.
	numbers []int64
}

// classOf returns the number of the class of an access. ok is false if its address or size
// is not constant.
func classOf(t *Touch) (n int, ok bool) {
	at, known := t.From.Const()
	if !known || t.Size <= 0 || at < 0 {
		return 0, false
	}
	return bits.Len64(uint64(t.Size - 1)), true
}

// pagesOf returns the first and the last page of class n of an access with a constant
// address and size.
func pagesOf(t *Touch, n int) (first, last int64) {
	at, _ := t.From.Const()
	return at >> n, (at + t.Size - 1) >> n
}

// newIndex returns the index of records.
func newIndex(records []*record) *index {
	x := &index{map[indexKey]*bucket{}, map[indexKey][]*record{}}
	for _, r := range records {
		for i := range r.touch {
			t := &r.touch[i]
			for _, g := range r.groups {
				k := indexKey{group: g, lane: laneOf(r.thread.n, r.line), space: uint8(t.Space), root: t.Root}
				x.add(k, r, t)
				if k.root != nil {
					k.root = nil
					x.rooted[k] = addRecord(x.rooted[k], r)
				}
				if r.scope != nil {
					x.add(indexKey{group: g, lane: lane(r.class), scope: true, space: uint8(t.Space), root: t.Root}, r, t)
				}
			}
		}
	}
	for _, b := range x.of {
		byPosition(b.all)
		byPosition(b.others)
		for n := range b.classes {
			c := &b.classes[n]
			for _, list := range c.pages {
				byPosition(list)
			}
			c.numbers = slices.Sorted(maps.Keys(c.pages))
		}
	}
	for _, list := range x.rooted {
		byPosition(list)
	}
	return x
}

// byPosition sorts records by their position in the text.
func byPosition(list []*record) {
	slices.SortStableFunc(list, func(a, b *record) int { return int(a.at - b.at) })
}

// of returns the part of a list, sorted by position, that m includes: of a single round,
// only what is after the position is missing.
func (m missing) of(list []*record) []*record {
	if m.age > 0 {
		return list
	}
	return list[sort.Search(len(list), func(i int) bool { return list[i].at > m.after }):]
}

// otherObjects calls f for records of a lane that m includes, and that access other objects
// in a memory space of b, until f returns false.
func (x *index) otherObjects(m missing, l lane, b *record, f func(a *record) bool) {
	for i := range b.touch {
		q := &b.touch[i]
		if q.Root == nil {
			continue
		}
		other := func(p Touch) bool { return p.Root != nil && p.Root != q.Root && p.Space == q.Space }
		for _, a := range m.of(x.rooted[indexKey{group: m.group, lane: l, space: uint8(q.Space)}]) {
			if slices.ContainsFunc(a.touch, other) && !f(a) {
				return
			}
		}
	}
}

// add adds a record to the lists of an object.
func (x *index) add(k indexKey, r *record, t *Touch) {
	x.bucket(k).add(r, t)
	if t.Write {
		k.writes = true
		x.bucket(k).add(r, t)
	}
}

// bucket returns the list of a key.
func (x *index) bucket(k indexKey) *bucket {
	b := x.of[k]
	if b == nil {
		b = &bucket{}
		x.of[k] = b
	}
	return b
}

// add adds a record that has access t.
func (b *bucket) add(r *record, t *Touch) {
	b.all = addRecord(b.all, r)
	n, ok := classOf(t)
	if !ok {
		b.others = addRecord(b.others, r)
		return
	}
	c := &b.classes[n]
	if c.pages == nil {
		c.pages = map[int64][]*record{}
	}
	first, last := pagesOf(t, n)
	for p := first; p <= last; p++ {
		c.pages[p] = addRecord(c.pages[p], r)
	}
}

// addRecord adds a record to a list, once for all its accesses.
func addRecord(list []*record, r *record) []*record {
	if n := len(list); n > 0 && list[n-1] == r {
		return list
	}
	return append(list, r)
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
		for _, a := range m.of(list) {
			if !seen[a] {
				seen[a] = true
				f(a)
			}
		}
	}
	for i := range b.touch {
		q := &b.touch[i]
		k.space, k.writes = uint8(q.Space), !q.Write // two reads never conflict
		if q.anywhere() {
			for o, list := range x.of {
				if o.group == k.group && o.lane == k.lane && o.scope == k.scope && o.writes == k.writes && o.space == k.space {
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
			if _, ok := classOf(q); !ok {
				visit(list.all)
				continue
			}
			for n := range list.classes {
				c := &list.classes[n]
				first, last := pagesOf(q, n)
				start, _ := slices.BinarySearch(c.numbers, first)
				for _, p := range c.numbers[start:] {
					if p > last {
						break
					}
					visit(c.pages[p])
				}
			}
			visit(list.others)
		}
	}
}
