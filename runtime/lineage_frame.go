// This file defines the expression tokens of the values of a function call.

package runtime

import (
	"ptogo/runtime/expr"
)

// frameTrace holds the expression tokens of all values of one function call. A value and
// its tokens have the same index.
type frameTrace struct {
	// x is the token of the first byte of each scalar; 0 means that the scalar does not
	// depend on inputs.
	x []expr.Token
	// v holds the four token planes of each vector register.
	v [][4]vreg
	// m holds the bits of each mask that depends on inputs, and nil for a known mask.
	m []*maskTrace
	r []planes
	a [][4]alignState
}

// maskTrace is a mask that depends on inputs, with one symbolic value for each of its 256
// bits.
type maskTrace [256]value

// newTrace returns the expression tokens for the values of a new call of f. Initially
// all values are known, which means independent of symbolic inputs.
func (f *function) newTrace() *frameTrace {
	t := &frameTrace{
		x: make([]expr.Token, f.size[scalarClass]),
		v: make([][4]vreg, f.size[vectorClass]),
		m: make([]*maskTrace, f.size[maskClass]),
		a: make([][4]alignState, f.size[alignClass]),
		r: make([]planes, len(f.rows)),
	}
	for i, n := range f.rows {
		for k := range t.r[i] {
			t.r[i][k] = alignedBytes(roundUp(n, 8))[:n:n]
		}
	}
	return t
}

// move copies the expression tokens of one value into the frame trace t, which holds the
// tokens of all values of a call. The parameter m contains the index of the value before
// and after the copy. The parameter from is the frame trace that contains the source.
func (t *frameTrace) move(m move, from *frameTrace) {
	switch m.class {
	case scalarClass:
		t.x[m.to] = from.x[m.from]
	case vectorClass:
		t.v[m.to] = from.v[m.from]
	case maskClass:
		t.m[m.to] = from.m[m.from]
	case alignClass:
		t.a[m.to] = from.a[m.from]
	case rowClass:
		for k := range t.r[m.to] {
			copy(t.r[m.to][k], from.r[m.from][k])
		}
	}
}

// vector returns the vector register in the given slot together with its expression
// tokens.
func (fr *frame) vector(at slot) traced {
	r := traced{real: fr.v[at].bytes()}
	for k := range r.p {
		r.p[k] = fr.lin.v[at][k].bytes()
	}
	return r
}

// tracedRow returns the logical vector (VMI) in the given slot. The result contains the
// vector and its expression tokens, which are numbers that identify the expression of
// each byte.
func (fr *frame) tracedRow(at slot) traced { return traced{fr.r[at], fr.lin.r[at]} }

// rowTarget returns the logical vector (VMI) in the given slot as the destination of
// results.
func (fr *frame) rowTarget(at slot) *traced { return &traced{fr.r[at], fr.lin.r[at]} }

// scalar returns the symbolic value of the scalar in the given slot. The value consists
// of the bits of the scalar if these do not depend on inputs. It is an expression if
// they do.
func (x *tracer) scalar(fr *frame, at slot) value {
	if k := fr.lin.x[at]; k != 0 {
		if x.shadows != nil {
			return x.shadowOf(k, fr.x[at])
		}
		return value{h: x.t.From(k)}
	}
	return knownValue(fr.x[at])
}

// setScalar records that the scalar in the given slot has the expression of v. It stores
// the token, the number that identifies this expression.
func (x *tracer) setScalar(fr *frame, at slot, v value) {
	if x.shadows != nil {
		fr.lin.x[at] = x.settledScalar(x.shadows.Begin(x.t.At), v, &fr.x[at])
		return
	}
	if x.isKnown(&v) {
		fr.lin.x[at] = 0
		return
	}
	fr.lin.x[at] = x.t.New(v.h)
}
