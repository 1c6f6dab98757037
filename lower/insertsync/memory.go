// This file tells the proof which memory instructions access.

package insertsync

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/arith"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/term"
	"ptogo/lower/syncproof"
)

// memory implements syncproof.Memory for one core.
type memory struct {
	t     *tree
	unit  sem.Unit
	pool  *term.Pool
	value func(*ir.Value) term.Term
	// atoms are values that stand for terms in sums, and terms maps them back.
	atoms map[term.Term]*ir.Value
	terms map[*ir.Value]term.Term
}

// newMemory returns the memory of a core of the given kind.
func newMemory(pool *term.Pool, value func(*ir.Value) term.Term, target ir.Target, unit sem.Unit, calls map[*ir.Op]bool, queues func() *isasync.Queues) *memory {
	m := &memory{unit: unit, pool: pool, value: value, atoms: map[term.Term]*ir.Value{}, terms: map[*ir.Value]term.Term{}}
	m.t = &tree{resolver: &resolver{known: map[*ir.Value][]location{}, queues: queues, path: m, exact: true}, target: target, calls: calls, unit: unit}
	return m
}

// of implements numbers: the signed value of the term of v.
func (m *memory) of(v *ir.Value) sum {
	if v == nil {
		return number(0)
	}
	if c, ok := arith.ConstantInt(v); ok {
		return number(c)
	}
	e := m.value(v)
	if e.IsZero() {
		return symbol(v)
	}
	return m.sum(e)
}

// sum returns the signed value of a term.
func (m *memory) sum(e term.Term) sum {
	if c, ok := e.ConstSigned(); ok {
		return number(c)
	}
	a := m.atoms[e]
	if a == nil {
		a = ir.NewBlock(ir.Index).Arg(0)
		m.atoms[e], m.terms[a] = a, e
	}
	return symbol(a)
}

// identity implements numbers.
func (m *memory) identity(v *ir.Value) *ir.Value { return v }

// linear converts a sum to an exact integer. It is unknown if a value of the sum is.
func (m *memory) linear(s sum) term.Linear {
	if !s.ok {
		return term.Unknown()
	}
	l := term.Whole(s.c)
	for _, t := range s.terms {
		e, ok := m.terms[t.v]
		if !ok {
			return term.Unknown()
		}
		l = l.Add(term.Signed(e).Scale(t.k))
	}
	return l
}

// Accesses implements syncproof.Memory.
func (m *memory) Accesses(op *ir.Op) []syncproof.Touch {
	n := &node{op: op}
	m.t.accesses(n)
	out := make([]syncproof.Touch, len(n.touches))
	for i, x := range n.touches {
		out[i] = m.touch(x)
	}
	return out
}

// vectors returns the set of vector cores whose unified buffer an access of a cube core
// reaches, or 0 for accesses of a vector core to its own.
func (m *memory) vectors(x *touch) uint {
	if x.space != sem.UB || m.unit != sem.CubeUnit {
		return 0
	}
	if cores := filled(x.op); cores != 0 {
		return cores
	}
	return 1<<sem.VectorCores - 1
}

// touch converts an access.
func (m *memory) touch(x *touch) syncproof.Touch {
	t := syncproof.Touch{
		Op: x.op, Line: x.pipe, Write: x.write, Atomic: x.atomic, Source: x.source, Frees: x.frees,
		Space: x.space, Root: x.root, Vectors: m.vectors(x), From: m.linear(x.from), Size: x.size, Width: x.width, Pitch: x.pitch,
	}
	if !t.From.Known() {
		t.Size, t.Width, t.Pitch = 0, 0, 0
	}
	if x.view == nil || x.dims == nil {
		return t
	}
	strides := x.view.Op().Args("strides")
	for _, v := range strides {
		e := m.value(v)
		if e.IsZero() {
			return t
		}
		t.ViewTerms = append(t.ViewTerms, e)
	}
	ptr := m.t.places(x.view.Op().Arg("ptr"))
	if len(ptr) != 1 || ptr[0].root != x.root {
		return t
	}
	t.Base, t.View = m.linear(ptr[0].from), true
	shape := x.view.Op().Args("shape")
	for i, d := range x.dims {
		e := syncproof.Extent{From: m.linear(d.from), Size: term.Unknown(), Of: term.Unknown()}
		if of := m.value(shape[i]); !of.IsZero() {
			e.Of = term.Signed(of)
		}
		switch {
		case d.size > 0:
			e.Size = term.Whole(d.size)
		case d.count.ok:
			e.Size = m.linear(d.count)
		}
		t.Dims = append(t.Dims, e)
	}
	return t
}

// places implements syncproof.Places.
type places struct {
	m    *memory
	list []location
}

// Places implements syncproof.Memory.
func (m *memory) Places(v *ir.Value) syncproof.Places { return places{m, m.t.places(v)} }

// Bind implements syncproof.Memory.
func (m *memory) Bind(v *ir.Value, p syncproof.Places) {
	delete(m.t.known, v)
	if p != nil {
		m.t.known[v] = p.(places).list
	}
}

// Anywhere implements syncproof.Memory.
func (m *memory) Anywhere(p syncproof.Places) syncproof.Places {
	var list []location
	for _, l := range p.(places).list {
		wide := location{space: l.space, root: l.root}
		if !slices.ContainsFunc(list, func(o location) bool { return o.root == wide.root && o.space == wide.space }) {
			list = append(list, wide)
		}
	}
	return places{m, list}
}

// Key implements syncproof.Places.
func (p places) Key() string {
	var b strings.Builder
	for _, l := range p.list {
		fmt.Fprintf(&b, "%d@%p+%t%s:%d/%d/%d", l.space, l.root, l.from.ok, l.from.key(), l.size, l.width, l.pitch)
		for _, d := range l.dims {
			fmt.Fprintf(&b, "[%p %s:%d %s]", l.view, d.from.key(), d.size, d.count.key())
		}
	}
	return b.String()
}

// Terms implements syncproof.Places.
func (p places) Terms() (all []term.Term) {
	add := func(s sum) {
		for _, t := range s.terms {
			if e, ok := p.m.terms[t.v]; ok {
				all = append(all, e)
			}
		}
	}
	for _, l := range p.list {
		add(l.from)
		for _, d := range l.dims {
			add(d.from)
			add(d.count)
		}
	}
	return all
}

// Union implements syncproof.Places.
func (p places) Union(o syncproof.Places) syncproof.Places {
	list := append(slices.Clone(p.list), o.(places).list...)
	if len(list) > maxPlaces {
		return places{p.m, []location{{space: list[0].space}}}
	}
	return places{p.m, list}
}

// Minus implements syncproof.Places.
func (p places) Minus(o syncproof.Places) (syncproof.Distance, bool) {
	q := o.(places)
	if len(p.list) != 1 || len(q.list) != 1 {
		return 0, false
	}
	a, b := p.list[0], q.list[0]
	d, ok := a.from.plus(b.from, -1).constant()
	a.from, b.from = sum{}, sum{}
	return syncproof.Distance(d), ok && places{p.m, []location{a}}.Key() == places{p.m, []location{b}}.Key()
}

// Plus implements syncproof.Places.
func (p places) Plus(d syncproof.Distance, k term.Term) syncproof.Places {
	if d == 0 {
		return p
	}
	l := p.list[0]
	l.from = l.from.plus(p.m.sum(k), int64(d))
	return places{p.m, []location{l}}
}
