// This file follows complicated tile instructions, such as sorts, as uninterpreted
// functions of everything that they read.

package runtime

import (
	"bytes"
	"fmt"

	"ptogo/ir"
	"ptogo/runtime/expr"
)

// opaqueTiles compiles a tile instruction. The expressions do not describe the
// computation: each written byte is one uninterpreted function of the instruction's
// scalars and of all valid elements of the tiles that it reads. Callers use opaqueTiles
// only for instructions that write the same bytes for all values of these elements.
func opaqueTiles[S ir.Meaning](p *planner, op *ir.Op, _ S) step {
	if p.opts.Lineage.Shadows != nil {
		return p.withoutShadows(op)
	}
	q := &opaque{op: op, s: p.plain}
	name := fmt.Sprintf("%s %v", op.Name(), p.target)
	for a := range op.OwnAttrs() {
		if a.Attr != op.Def().Attr(a.Name).Default { // an absent attribute means the same
			name += " " + a.Name + "=" + fmt.Sprint(a.Attr)
		}
	}
	for k, a := range op.OperandArgs() {
		v := op.Operand(k)
		switch p.classOf(v.Type()) {
		case tileClass:
			t := p.tileValue(op, a.Name, v)
			if t.l == nil {
				return p.plain
			}
			if a.Role == ir.Out || a.Role == ir.InOut {
				q.outs = append(q.outs, t)
			} else {
				q.ins = append(q.ins, t)
			}
			info := t.l.info
			info.VRows, info.VCols = 0, 0
			name += fmt.Sprintf(" %s %+v", a.Name, info)
			if a.Role == ir.InOut {
				return p.unfollowed(op, "changes a tile")
			}
		case scalarClass:
			q.scalars = append(q.scalars, p.slot(v))
		default:
			return p.unfollowed(op, "has operands of other kinds than tiles and scalars")
		}
	}
	if op.NumResults() > 0 || len(q.outs) == 0 {
		return p.unfollowed(op, "has results beside tiles")
	}
	q.fn = expr.Named("%s", name)
	return q.exec
}

// opaque is an instruction that symbolic execution represents by one uninterpreted
// function fn of all its inputs.
type opaque struct {
	op        *ir.Op
	s         step
	fn        *expr.Fn
	ins, outs []tileOperand
	scalars   []slot
}

// exec computes the expression of fn applied to all inputs and assigns it to all bytes
// that the instruction writes.
func (q *opaque) exec(fr *frame) *Fault {
	x := fr.core.lineageOf()
	x.t.At = q.op
	if x.definedness {
		return q.defined(fr, x)
	}
	all, known := value{h: x.t.Apply(q.fn)}, true
	add := func(v value) {
		known = known && v.known
		all = value{h: x.t.Apply2(q.fn, all.h, x.hash(&v))}
	}
	for _, at := range q.scalars {
		add(x.scalar(fr, at))
	}
	for i := range q.ins {
		t := x.tile(fr, &q.ins[i])
		add(knownValue(uint64(t.t.rows)))
		add(knownValue(uint64(t.t.cols)))
		for r := range t.t.rows {
			for c := range t.t.cols {
				if at := t.l.offset(t.t, r, c); at+t.l.size <= len(t.real) {
					add(x.get(&t.traced, at, t.l.size))
				}
			}
		}
		for k := range q.outs {
			if overlap(t.real, fr.t[q.outs[k].at].data) {
				return fr.core.undecided(q.op, nil, "overwrites a tile that it reads, which equivalence proofs do not follow")
			}
		}
	}
	written, f := q.written(fr)
	if f != nil {
		return f
	}
	for i := range q.outs {
		t := x.tile(fr, &q.outs[i])
		add(knownValue(uint64(t.t.rows)))
		add(knownValue(uint64(t.t.cols)))
		for at, on := range written[i] {
			switch {
			case !on:
			case known:
				t.p.known(at, 1)
			default:
				v := x.named(q.fn, all, knownValue(uint64(i)), knownValue(uint64(at)))
				t.p.set(at, 1, x.t.New(v.h))
			}
		}
	}
	return nil
}

// probes are the contents of undefined bytes with which the method defined executes an
// instruction: zeros, ones, small and large positive and negative numbers of all formats.
var probes = []byte{0x00, 0xFF, 0x42, 0xC2, 0x01, 0x7B, 0xFB, 0x80, 0x3C}

// defined finds out which written bytes depend on undefined bytes: those that differ
// between executions with different contents (probes) of the undefined bytes. It marks
// them as undefined, and all other written bytes as defined.
func (q *opaque) defined(fr *frame, x *tracer) *Fault {
	type garbage struct {
		data []byte
		at   []int
		old  []byte
	}
	var all []garbage
	for i := range q.ins {
		t := x.tile(fr, &q.ins[i])
		g := garbage{data: t.real}
		for at := range t.real {
			if !t.p.token(at).Known() {
				g.at, g.old = append(g.at, at), append(g.old, t.real[at])
			}
		}
		if len(g.at) > 0 {
			all = append(all, g)
		}
	}
	scalars := false
	for _, at := range q.scalars {
		v := x.scalar(fr, at)
		scalars = scalars || !v.known
	}
	differs := make([][]bool, len(q.outs))
	var first [][]byte
	for i, probe := range probes {
		if len(all) == 0 {
			break
		}
		for _, g := range all {
			for _, at := range g.at {
				g.data[at] = probe
			}
		}
		if f := q.s(fr); f != nil {
			return f
		}
		for k := range q.outs {
			data := fr.t[q.outs[k].at].data
			if i == 0 {
				first, differs[k] = append(first, bytes.Clone(data)), make([]bool, len(data))
				continue
			}
			for at := range data {
				differs[k][at] = differs[k][at] || data[at] != first[k][at]
			}
		}
	}
	for _, g := range all {
		for i, at := range g.at {
			g.data[at] = g.old[i]
		}
	}
	written, f := q.written(fr)
	if f != nil {
		return f
	}
	for i := range q.outs {
		t := x.tile(fr, &q.outs[i])
		for at, on := range written[i] {
			switch {
			case !on:
			case scalars || differs[i] != nil && differs[i][at]:
				t.p.set(at, 1, x.t.New(x.t.Apply(q.fn)))
			default:
				t.p.known(at, 1)
			}
		}
	}
	return nil
}

// written executes the instruction and returns which bytes of each result it writes. For
// this it executes the step twice, with different initial contents of the results. A byte
// that is equal after both executions has been written.
func (q *opaque) written(fr *frame) ([][]bool, *Fault) {
	before, ones := make([][]byte, len(q.outs)), make([][]byte, len(q.outs))
	for i := range q.outs {
		before[i] = bytes.Clone(fr.t[q.outs[i].at].data)
	}
	for _, b := range []byte{0xFF, 0} {
		for i := range q.outs {
			data := fr.t[q.outs[i].at].data
			for at := range data {
				data[at] = b
			}
		}
		if f := q.s(fr); f != nil {
			return nil, f
		}
		if b != 0 {
			for i := range q.outs {
				ones[i] = bytes.Clone(fr.t[q.outs[i].at].data)
			}
		}
	}
	written := make([][]bool, len(q.outs))
	for i := range q.outs {
		data := fr.t[q.outs[i].at].data
		written[i] = make([]bool, len(data))
		for at := range data {
			if data[at] == 0 && ones[i][at] == 0xFF {
				data[at] = before[i][at]
			} else {
				written[i][at] = true
			}
		}
	}
	return written, nil
}
