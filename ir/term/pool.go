// This file defines terms and the pool that creates them.

package term

import (
	"fmt"
	"slices"
)

// MaxWidth is the largest width of a term in bits. Values of programs have at most 64
// bits; wider terms hold exact results of integer arithmetic.
const MaxWidth = 126

// Pool creates terms and stores each of them once. Terms of different pools must not be
// mixed. A pool is not safe for concurrent use.
type Pool struct {
	table   map[uint64][]*node
	count   int32
	vars    int32
	answers map[decided]Answer
	// bools are the conditions that never and always hold.
	bools [2]Term
}

// NewPool returns an empty pool.
func NewPool() *Pool {
	p := &Pool{table: map[uint64][]*node{}, answers: map[decided]Answer{}}
	p.bools = [2]Term{p.Const(1, 0), p.Const(1, 1)}
	return p
}

// Term is a scalar as an expression over variables. The zero Term is not a term; it can
// represent an unknown scalar, but no constructor accepts it.
type Term struct{ n *node }

// IsZero reports whether t is the zero Term.
func (t Term) IsZero() bool { return t.n == nil }

// Width returns the width of t in bits.
func (t Term) Width() int { return int(t.n.w) }

// ID returns a number that identifies t in its pool. Terms that are created later have
// larger numbers.
func (t Term) ID() int { return int(t.n.id) }

// Const returns the value of t, read as unsigned, if t is a constant.
func (t Term) Const() (Int, bool) { return t.n.val, t.n.op == opConst }

// ConstSigned returns the value of t, read as signed, if t is a constant that fits an
// int64.
func (t Term) ConstSigned() (int64, bool) {
	if t.n.op != opConst {
		return 0, false
	}
	return t.n.val.signed(t.Width()).Int64()
}

// IsTrue reports whether t is the condition that always holds.
func (t Term) IsTrue() bool { return t.n.op == opConst && t.n.w == 1 && t.n.val == one }

// IsFalse reports whether t is the condition that never holds.
func (t Term) IsFalse() bool { return t.n.op == opConst && t.n.w == 1 && t.n.val == zero }

// op is the operation of a node.
type op uint8

const (
	opConst  op = iota
	opVar       // a variable: name, decl
	opOpaque    // an uninterpreted function: name, args
	opSum       // val + coefs[0]*args[0] + ..., at least one argument; width above 1
	opMul       // product of two or more arguments, none of them constant
	opUDiv      // unsigned quotient; all ones if the divisor is zero, as in SMT-LIB
	opURem      // unsigned remainder; the dividend if the divisor is zero
	opSDiv      // signed quotient, as in SMT-LIB
	opSRem      // signed remainder with the sign of the dividend, as in SMT-LIB
	opAnd       // two arguments, or for width 1 two or more
	opOr        // width above 1
	opXor
	opNot  // width 1
	opShl  // the count is below the width
	opLShr // the count is below the width
	opAShr // the count is below the width
	opTrunc
	opZExt
	opSExt
	opIte
	opEq
	opUlt
	opSlt
	opOrder // outcome of comparing two floats: 0 less, 1 equal, 2 greater, 3 unordered
	numOps
)

// node is the contents of a term.
type node struct {
	op    op
	w     uint8
	id    int32
	args  []*node
	coefs []Int // of opSum
	val   Int   // of opConst and opSum, read as unsigned
	name  string
	decl  decl // of opVar
	pool  *Pool
	abs   abs // the values that are possible under the declared ranges of variables
}

// intern returns the node with the contents of n, which it stores if the pool has none.
func (p *Pool) intern(n node) *node {
	h := n.hash()
	for _, m := range p.table[h] {
		if m.op == n.op && m.w == n.w && m.val == n.val && m.name == n.name &&
			slices.Equal(m.args, n.args) && slices.Equal(m.coefs, n.coefs) && m.op != opVar {
			return m
		}
	}
	m := &n
	m.id, m.pool = p.count, p
	p.count++
	m.abs = m.compute((*node).own)
	p.table[h] = append(p.table[h], m)
	return m
}

// own returns the values of n that are possible under the declared ranges of variables.
func (n *node) own() *abs { return &n.abs }

func (n *node) hash() uint64 {
	const prime = 0x9E3779B97F4A7C15
	h := uint64(n.op)<<8 | uint64(n.w)
	mix := func(v uint64) { h = (h ^ v) * prime; h ^= h >> 29 }
	mix(n.val.lo)
	mix(uint64(n.val.hi))
	for _, a := range n.args {
		mix(uint64(a.id))
	}
	for _, c := range n.coefs {
		mix(c.lo)
	}
	for i := range len(n.name) {
		mix(uint64(n.name[i]))
	}
	return h
}

func (p *Pool) node(o op, w int, args ...*node) *node {
	return p.intern(node{op: o, w: uint8(w), args: args})
}

func (p *Pool) constant(w int, v Int) *node {
	return p.intern(node{op: opConst, w: uint8(w), val: v.wrap(w)})
}

func checkWidth(w int) {
	if w < 1 || w > MaxWidth {
		panic(fmt.Sprintf("term: width %d", w))
	}
}

// same panics unless a and b have one width.
func same(a, b *node) {
	if a.w != b.w {
		panic(fmt.Sprintf("term: operands of %d and %d bits", a.w, b.w))
	}
}

// Const returns the constant v of width w; it keeps only the low w bits of v.
func (p *Pool) Const(w int, v int64) Term { return p.ConstInt(w, IntOf(v)) }

// ConstInt returns the constant v of width w; it keeps only the low w bits of v.
func (p *Pool) ConstInt(w int, v Int) Term {
	checkWidth(w)
	return Term{p.constant(w, v)}
}

// Bool returns the condition that always holds, or the one that never holds.
func (p *Pool) Bool(b bool) Term {
	if b {
		return p.bools[1]
	}
	return p.bools[0]
}

// Range describes the values that a variable can have.
type Range struct {
	// Lo and Hi are the smallest and the largest value. If both fit the signed integers of
	// the width, the value is read as signed, otherwise as unsigned. A range that fits
	// neither reading says nothing.
	Lo, Hi int64
	// Multiple divides every value. 0 counts as 1.
	Multiple int64
}

// decl is what a variable declares. The field kind says how its value is read.
type decl struct {
	lo, hi, multiple Int
	kind             declKind
}

type declKind uint8

const (
	declNone declKind = iota
	declSigned
	declUnsigned
)

// Var returns a new variable of width w. Every call returns another variable, even if the
// names are equal; the name is for people only.
func (p *Pool) Var(name string, w int) Term {
	checkWidth(w)
	return p.variable(name, w, decl{})
}

// VarIn returns a new variable of width w whose value is in the range r, which must
// contain a value. Simplifications use this declaration, so Substitute must replace the
// variable only by terms that have such values.
func (p *Pool) VarIn(name string, w int, r Range) Term {
	checkWidth(w)
	d := decl{lo: IntOf(r.Lo), hi: IntOf(r.Hi), multiple: IntOf(max(r.Multiple, 1))}
	switch s := fullSigned(w); {
	case !d.lo.less(s.lo) && !s.hi.less(d.hi):
		d.kind = declSigned
	case d.lo.Sign() >= 0 && !mask(w).less(d.hi):
		d.kind = declUnsigned
	default:
		d = decl{}
	}
	if d.kind != declNone && d.multiple != one {
		d.lo, d.hi = d.lo.ceilDiv(d.multiple).mul(d.multiple), d.hi.floorDiv(d.multiple).mul(d.multiple)
	}
	if d.hi.less(d.lo) {
		panic(fmt.Sprintf("term: variable without a value in [%d, %d]", r.Lo, r.Hi))
	}
	return p.variable(name, w, d)
}

func (p *Pool) variable(name string, w int, d decl) Term {
	p.vars++
	return Term{p.intern(node{op: opVar, w: uint8(w), name: name, val: IntOf(int64(p.vars)), decl: d})}
}

// Opaque returns the value of the unknown function name for arguments, as a term of width
// w. The function returns equal values for equal arguments, and nothing else is known
// about it. Functions with equal names and different widths are different functions.
func (p *Pool) Opaque(name string, w int, args ...Term) Term {
	checkWidth(w)
	ns := make([]*node, len(args))
	for i, a := range args {
		ns[i] = a.n
	}
	return Term{p.intern(node{op: opOpaque, w: uint8(w), name: name, args: ns})}
}
