// This file finds records that may conflict with another one.

package syncproof

import (
	"maps"
	"math"
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
	of   map[indexKey]*bucket
	runs map[runKey]*run
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

// run has the records of one execution of a vector function that access the same bytes in the
// same way, in the order of the text: what is compared with one of them need not be compared
// with the others, if that has shown that an order is missing. Any other record is a run of its
// own.
type run struct{ records []*record }

// runKey identifies a run.
type runKey struct {
	vector *ir.Op
	thread *thread
	line   order.Line
	class  order.AccessClass
	// frames is the first of the loops around the records, depth the number of those around the
	// function, and group the innermost group.
	frames        *frame
	depth, groups int
	group         int32
	touch         touchKey
}

// touchKey describes an access to known bytes.
type touchKey struct {
	line                         order.Line
	write, atomic, source, frees bool
	space                        uint8
	root                         *ir.Value
	vectors                      uint
	from                         string
	size, width, pitch           int64
}

// runKeyOf returns the key of the run of r. ok is false if r is a run of its own.
func runKeyOf(r *record) (k runKey, ok bool) {
	if r.scope == nil || len(r.touch) != 1 || len(r.groups) == 0 {
		return k, false
	}
	t := &r.touch[0]
	if !t.From.Known() || t.View {
		return k, false
	}
	k = runKey{vector: r.vector, thread: r.thread, line: r.line, class: r.class, depth: r.depth, groups: len(r.groups), group: r.groups[0]}
	if len(r.frames) > 0 {
		k.frames = &r.frames[0]
	}
	k.touch = touchKey{t.Line, t.Write, t.Atomic, t.Source, t.Frees, uint8(t.Space), t.Root, t.Vectors, t.From.Key(), t.Size, t.Width, t.Pitch}
	return k, true
}

// bucket has the runs of a list by the bytes that they access. Runs are in the list several
// times if they have several accesses. All lists are in the order of the text.
type bucket struct {
	// classes has the runs with a constant address and size, by the number of bits of the
	// size, and others all other runs.
	classes [64]class
	others  []*run
	all     []*run
}

// class has the accesses of up to 1<<n bytes, where n is its number: each of them is on one
// or two pages of that size. So a page has only few accesses that share no byte with each
// other, however small the tiles of a kernel are.
type class struct {
	pages map[int64][]*run
	// numbers are the keys of pages, sorted.
	numbers []int64
}

// classOf returns the number of the class of an access. ok is false if its address or size
// is not constant, or if its end is at the end of the numbers, where pages cannot be counted.
func classOf(t *Touch) (n int, ok bool) {
	at, known := t.From.Const()
	if !known || t.Size <= 0 || at < 0 || at > math.MaxInt64-t.Size {
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
	x := &index{map[indexKey]*bucket{}, map[runKey]*run{}, map[indexKey][]*record{}}
	for _, r := range records {
		own, isNew := x.runOf(r)
		for i := range r.touch {
			t := &r.touch[i]
			for _, g := range r.groups {
				k := indexKey{group: g, lane: laneOf(r.thread.n, r.line), space: uint8(t.Space), root: t.Root}
				if isNew {
					x.add(k, own, t)
				}
				if isNew && r.scope != nil {
					x.add(indexKey{group: g, lane: lane(r.class), scope: true, space: uint8(t.Space), root: t.Root}, own, t)
				}
				if k.root != nil {
					k.root = nil
					x.rooted[k] = addLast(x.rooted[k], r)
				}
			}
		}
	}
	for _, n := range x.runs {
		byPosition(n.records)
	}
	for _, b := range x.of {
		byFirst(b.all)
		byFirst(b.others)
		for n := range b.classes {
			c := &b.classes[n]
			for _, list := range c.pages {
				byFirst(list)
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

// byFirst sorts runs by the position of their first record in the text.
func byFirst(list []*run) {
	slices.SortStableFunc(list, func(a, b *run) int { return int(a.records[0].at - b.records[0].at) })
}

// runOf adds a record to its run. It reports whether the run is new.
func (x *index) runOf(r *record) (n *run, isNew bool) {
	k, shared := runKeyOf(r)
	if shared {
		if n = x.runs[k]; n != nil {
			n.records = append(n.records, r)
			return n, false
		}
	}
	n = &run{[]*record{r}}
	if shared {
		x.runs[k] = n
	}
	return n, true
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

// add adds a run to the lists of an object.
func (x *index) add(k indexKey, r *run, t *Touch) {
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

// add adds a run whose records have access t.
func (b *bucket) add(r *run, t *Touch) {
	b.all = addLast(b.all, r)
	n, ok := classOf(t)
	if !ok {
		b.others = addLast(b.others, r)
		return
	}
	c := &b.classes[n]
	if c.pages == nil {
		c.pages = map[int64][]*run{}
	}
	first, last := pagesOf(t, n)
	for p := first; p <= last; p++ {
		c.pages[p] = addLast(c.pages[p], r)
	}
}

// addLast adds a record or a run to a list, once for all its accesses.
func addLast[T comparable](list []T, r T) []T {
	if n := len(list); n > 0 && list[n-1] == r {
		return list
	}
	return append(list, r)
}

// each calls f for the runs of a lane whose records m includes, as far as they may share a byte
// with b: with those records.
func (x *index) each(m missing, l lane, b *record, f func(as []*record)) {
	x.find(indexKey{group: m.group, lane: l}, m, b, f)
}

// eachInScope calls f for the runs of a class in the vector function of b.
func (x *index) eachInScope(m missing, c order.AccessClass, b *record, f func(as []*record)) {
	x.find(indexKey{group: m.group, lane: lane(c), scope: true}, m, b, func(as []*record) {
		if as[0].vector == b.vector {
			f(as)
		}
	})
}

// find calls f once for each run with key k, with the records that m includes, as far as they
// may share a byte with b. Accesses to different objects are not listed, except if one of them
// may be anywhere.
func (x *index) find(k indexKey, m missing, b *record, f func(as []*record)) {
	seen := map[*run]bool{}
	visit := func(list []*run) {
		for _, n := range list {
			if seen[n] {
				continue
			}
			seen[n] = true
			if as := m.of(n.records); len(as) > 0 {
				f(as)
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
