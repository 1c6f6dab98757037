// This file brings expressions into normal form.

package expr

import (
	"fmt"
	"sync"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Fn is a function that can be applied to expressions. Its fields determine the hashes of
// the resulting expressions: equal hashes mean equal expressions.
type Fn struct {
	// Name is the name of the function in printed expressions.
	Name string
	// salt distinguishes the results of different functions on the same operands.
	salt Hash
	// arity is the number of operands.
	arity int
	// kind selects the normal form of the result: which different applications of
	// functions have equal hashes.
	kind fnKind
	// swaps means that exchanging the first two operands does not change the result.
	swaps bool
	// from and to are the formats of the operand and the result of a conversion.
	from num.Format
	to   num.Format
	// r is the rounding mode of a conversion, and sat whether it saturates; see
	// num.Encode.
	r   num.Rounding
	sat bool
	// tag identifies, in hashes, a function of kind anyOrder or an exact conversion.
	tag uint64
	// direct caches, for a conversion, the conversion from another source format that was
	// used last.
	direct *Fn
	// neutral is, for the kind anyOrder, the constant that does not change the result.
	neutral Hash
	// keeps means, for the kind anyOrder, that the result for a single operand is the
	// operand itself, even if it is NaN.
	keeps bool
	// recip and product are, for the kind quotient, the functions that replace a quotient
	// x/y by the product x*(1/y).
	recip   *Fn
	product *Fn
}

// fnKind selects how the hash of an expression is computed from a function and its
// operands, so that different expressions with equal values, such as a+b and b+a, get
// equal hashes.
type fnKind uint8

const (
	// These are the kinds of functions. anyOrder is a function whose nested calls may be
	// reordered, such as an integer sum. quotient is a division that Modulo.Reciprocal
	// turns into a product.
	ordinary fnKind = iota
	identity
	conversion
	anyOrder
	quotient // of Modulo.Reciprocal
)

// sameAs maps functions that fix the sign of integers (such as MaxS) to the function that
// uses the sign of the format (Max). Both compute the same results, so their expressions
// should have equal hashes.
var sameAs = map[*scalar.Fn]*scalar.Fn{
	scalar.MulHiS: scalar.MulHi, scalar.MulHiU: scalar.MulHi,
	scalar.MaxS: scalar.Max, scalar.MaxU: scalar.Max, scalar.MinS: scalar.Min, scalar.MinU: scalar.Min,
	scalar.DivS: scalar.Div, scalar.DivU: scalar.Div, scalar.RemS: scalar.Fmod, scalar.RemU: scalar.Fmod,
	scalar.ShrS: scalar.Shr, scalar.ShrU: scalar.Shr, scalar.FloorDivS: scalar.FloorDiv,
	scalar.CeilDivS: scalar.CeilDiv, scalar.CeilDivU: scalar.CeilDiv,
}

// signFree contains the integer functions whose result bits do not depend on whether the
// operands are signed.
var signFree = map[*scalar.Fn]bool{
	scalar.Add: true, scalar.Sub: true, scalar.Mul: true, scalar.And: true, scalar.Or: true, scalar.Xor: true, scalar.Not: true,
	scalar.MulAdd: true, scalar.Neg: true, scalar.Select: true,
}

// reading returns the format in which fn interprets elements of format f. Signless
// integers get the sign that fn determines.
func reading(fn *scalar.Fn, f num.Format) num.Format {
	if f.IsFloat() {
		return f
	}
	f = fn.Sign.Reading(f)
	if signFree[fn] {
		return f.Unsigned()
	}
	if f.Signed() {
		return f.AsSigned()
	}
	return f.Unsigned()
}

// Function returns the scalar function fn on elements of format f, as a function of
// expressions.
func (t *Table) Function(fn *scalar.Fn, f num.Format) *Fn {
	if fn == scalar.Copy {
		return &Fn{Name: fn.Name, kind: identity, arity: 1}
	}
	f = reading(fn, f)
	base := fn
	if b := sameAs[fn]; b != nil {
		base = b
	}
	x := &Fn{Name: fmt.Sprintf("%s.%s", base.Name, f), arity: fn.Arity, swaps: fn.Commutative, from: f}
	x.salt = named(x.Name)
	switch {
	case t.inAnyOrder(base, f):
		t.makeAnyOrder(x, base, f)
	case fn == scalar.Div && f.IsFloat() && t.Modulo.Reciprocal:
		x.kind, x.recip, x.product = quotient, t.Function(scalar.Recip, f), t.Function(scalar.Mul, f)
	case fn == scalar.DivRecip && f.IsFloat() && t.Modulo.Reciprocal:
		x.kind, x.recip, x.product = quotient, t.Function(scalar.Recip, f), t.Function(scalar.Mul, f)
	}
	return x
}

// Named returns an uninterpreted function with the given formatted name. Two applications
// are equal if the names and the operands are equal.
func Named(format string, args ...any) *Fn {
	name := fmt.Sprintf(format, args...)
	return &Fn{Name: name, salt: named(name)}
}

// Commutative returns an uninterpreted function of two operands, whose order does not
// matter, with the given formatted name.
func Commutative(format string, args ...any) *Fn {
	fn := Named(format, args...)
	fn.swaps = true
	return fn
}

// widening is an exact conversion to a wider format, such as f16 to f32. The hash of its
// result is the hash of the operand plus a constant, with the tag of the widening. The
// operand can therefore be recovered from the result.
type widening struct {
	from, to num.Format
	by       Hash
}

// widened determines whether the expression a is the result of an exact conversion to a
// wider format. If it is, w is this conversion, and the result arg is its operand. If it
// is not, w is nil and arg is a.
func (t *Table) widened(a Hash) (w *widening, arg Hash) {
	if w = t.widenings[a.tag()]; w == nil {
		return nil, a
	}
	return w, Hash{a.Lo&^tagMask ^ w.by.Lo, a.Hi ^ w.by.Hi}
}

// tags assigns a tag to each function of expressions, by name. A tag is a small number
// that a hash contains in its lowest bits.
type tags struct {
	mu sync.Mutex
	of map[string]uint64
}

// get returns the tag of the function with the given name. It assigns one on first use,
// and returns 0 if all tags are in use.
func (t *tags) get(name string) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	tag := t.of[name]
	if tag == 0 && len(t.of) < tagMask {
		tag = uint64(len(t.of)) + 1
		t.of[name] = tag
	}
	return tag
}

// Crowded reports whether more than half of all tags are in use. A tag is a small number
// in the hash of an expression; it identifies the function of the expression. Functions
// with special rules for equal expressions, such as sums, reserve a tag on first use.
//
// If all tags are in use, further functions have none. The hashes then depend on which
// functions are used first. Two concurrent runs could therefore compute different hashes
// for equal expressions. The caller executes the runs one after the other if Crowded
// returns true.
func (t *Table) Crowded() bool {
	t.tags.mu.Lock()
	defer t.tags.mu.Unlock()
	return len(t.tags.of) > tagMask/2
}

// Exact reports whether the format given by the parameter to can represent every number
// of the format given by the parameter from.
func Exact(from, to num.Format) bool {
	switch {
	case from.IsFloat() && to.IsFloat():
		switch from {
		case num.F16, num.BF16:
			return to == num.F32 || to == num.F64
		case num.F32:
			return to == num.F64
		}
		return from.Bits() <= 8 && from != num.F8E8M0 && (to == num.F32 || to == num.F64)
	case from.IsInt() && to.IsInt():
		if from.Signed() {
			return to.Signed() && from.Bits() < to.Bits()
		}
		return from.Bits() < to.Bits()
	case from.IsInt() && to == num.F32:
		return from.Bits() <= 16
	case from.IsInt() && to == num.F64:
		return from.Bits() <= 32
	}
	return false
}

// Conversion returns the conversion of elements as a function that can be applied to
// expressions. from and to are the formats of source and destination. The conversion
// rounds in mode r and saturates if sat is set. If it is exact, r and sat do not
// influence the hash of its results.
func (t *Table) Conversion(from, to num.Format, r num.Rounding, sat bool) *Fn {
	if from.IsInt() && from.Signed() {
		from = from.AsSigned()
	}
	if from.IsInt() && to.IsInt() {
		to = to.Signless()
		if from.Bits() == to.Bits() && !sat {
			return &Fn{Name: "copy", kind: identity, arity: 1}
		}
	}
	exact := Exact(from, to)
	if exact {
		r, sat = num.NearestEven, false
	}
	x := &Fn{arity: 1, kind: conversion, from: from, to: to, r: r, sat: sat}
	x.Name = fmt.Sprintf("convert.%s.%s", from, to)
	if !exact {
		x.Name += fmt.Sprintf(".%v", r)
		if sat {
			x.Name += ".sat"
		}
	}
	if from == to && from.IsFloat() {
		if t.Modulo.NaNBits && !sat {
			return &Fn{Name: "copy", kind: identity, arity: 1}
		}
	}
	x.salt = named(x.Name)
	if exact {
		if x.tag = t.tags.get(x.Name); x.tag != 0 && t.widenings[x.tag] == nil {
			t.widenings[x.tag] = &widening{from, to, x.salt}
		}
	}
	return x
}

// Canonical returns the function that replaces every NaN of format f by the canonical
// NaN. If Modulo.NaNBits is set, the comparison of two programs ignores the bits of NaN.
// The replacement is then not necessary, and Canonical returns the identity. It also
// returns the identity for integer formats.
func (t *Table) Canonical(f num.Format) *Fn {
	x := &Fn{Name: fmt.Sprintf("canonical.%s", f), arity: 1}
	if !f.IsFloat() || t.Modulo.NaNBits {
		x.kind = identity
	}
	x.salt = named(x.Name)
	return x
}

// restSalt is the salt for the third and later operands of a function. Apply first
// computes a hash of two operands, and then combines this hash with each further operand
// and restSalt.
var restSalt = named("third operand")

// Apply returns the hash of the expression fn(args). Expressions that always have equal
// values, such as a+b and b+a, get the same hash where the properties of fn permit that.
func (t *Table) Apply(fn *Fn, args ...Hash) Hash {
	if t.definedness {
		return definedBy(args...)
	}
	switch fn.kind {
	case identity:
		return args[0]
	case conversion:
		return t.convert(fn, args[0])
	case quotient:
		return t.Apply(fn.product, args[0], t.Apply(fn.recip, args[1]))
	case anyOrder:
		return t.unordered(fn, args[0], args[1])
	}
	var h Hash
	switch len(args) {
	case 0:
		h = fn.salt
	case 1:
		h = Mix(fn.salt, args[0], fn.salt)
	default:
		a, b := args[0], args[1]
		if fn.swaps && b.less(a) {
			a, b = b, a
		}
		h = Mix(fn.salt, a, b)
		for _, c := range args[2:] {
			h = Mix(restSalt, h, c)
		}
	}
	if t.records {
		t.note(h, fn.Name, 0, args...)
	}
	return h
}

// Apply1 is Apply for a function of one operand. It returns the same hash, but does not
// allocate memory.
func (t *Table) Apply1(fn *Fn, a Hash) Hash {
	if fn.kind != ordinary || t.records || t.definedness {
		return t.Apply(fn, a)
	}
	return Mix(fn.salt, a, fn.salt)
}

// Apply2 is Apply for a function of two operands. It returns the same hash, but does not
// allocate memory.
func (t *Table) Apply2(fn *Fn, a, b Hash) Hash {
	if fn.kind != ordinary || t.records || t.definedness {
		return t.Apply(fn, a, b)
	}
	if fn.swaps && b.less(a) {
		a, b = b, a
	}
	return Mix(fn.salt, a, b)
}

// Convert returns the hash of the expression fn(a), where fn is a conversion. The result
// equals that of Apply, but Convert needs no memory allocation.
func (t *Table) Convert(fn *Fn, a Hash) Hash {
	if fn.kind == identity || t.definedness {
		return a
	}
	return t.convert(fn, a)
}

// convert returns the hash of the expression fn(a), where fn is a conversion. If a is
// itself an exact conversion to a wider format, convert replaces both conversions by one
// conversion of the original operand. The value is the same, and in both cases every NaN
// becomes the canonical NaN.
func (t *Table) convert(fn *Fn, a Hash) Hash {
	if w, arg := t.widened(a); w != nil && w.to == fn.from {
		switch {
		case w.from.IsFloat() && fn.to.IsFloat():
			return t.converted(t.direct(w.from, fn), arg)
		case w.from.IsInt() && fn.to.IsInt() && !fn.sat && fn.to.Bits() <= w.from.Bits():
			return arg // the lower bytes
		case w.from.IsInt() && fn.to.IsInt() && !fn.sat:
			return t.converted(t.direct(w.from, fn), arg)
		}
	}
	if fn.from.IsInt() && fn.to.IsInt() && fn.to.Bits() < fn.from.Bits() && !fn.sat {
		return a // the lower bytes, as memory would read them
	}
	return t.converted(fn, a)
}

// direct is used if the conversion fn is applied to a float that an earlier exact
// conversion has widened. from is the format before this earlier conversion. direct
// returns a conversion from that format to the destination format of fn, with the same
// rounding and saturation as fn.
func (t *Table) direct(from num.Format, fn *Fn) *Fn {
	if fn.direct == nil || fn.direct.from != from {
		fn.direct = t.Conversion(from, fn.to, fn.r, fn.sat)
	}
	return fn.direct
}

// converted returns the hash of the expression fn(a), where fn is a conversion. If a is
// itself the result of an exact conversion to a wider format, the caller must not use
// this method, because the result of both conversions may be simpler. The method convert
// handles that case.
func (t *Table) converted(fn *Fn, a Hash) Hash {
	if fn.kind == identity {
		return a
	}
	h := Mix(fn.salt, a, fn.salt)
	if w := t.widenings[fn.tag]; w != nil && a.tag() == 0 {
		h = Hash{a.Lo ^ w.by.Lo | fn.tag, a.Hi ^ w.by.Hi}
	}
	if t.records {
		t.note(h, fn.Name, 0, a)
	}
	return h
}

// inAnyOrder reports whether the operands of nested calls of fn can be reordered without
// changing the bits of the result. This holds for integers, and for the maximum and
// minimum of floats. For floats it holds because NaN is greater than all numbers, -0 is
// less than +0, and every NaN becomes the canonical NaN.
func (t *Table) inAnyOrder(fn *scalar.Fn, f num.Format) bool {
	switch fn {
	case scalar.Max, scalar.Min:
		return true
	case scalar.Add:
		return f.IsInt() || t.Modulo.Reassociation
	case scalar.Mul, scalar.And, scalar.Or, scalar.Xor:
		return f.IsInt()
	}
	return false
}

// makeAnyOrder marks x, the function fn on format f, as a function whose operands may be
// reordered, and assigns a tag to it. If all tags are in use, x does not change.
func (t *Table) makeAnyOrder(x *Fn, fn *scalar.Fn, f num.Format) {
	tag := t.tags.get(x.Name)
	if tag == 0 {
		return
	}
	x.kind, x.tag, x.keeps = anyOrder, tag, f.IsInt()
	switch fn {
	case scalar.Max:
		x.neutral = t.Const(num.Extreme(f, true))
	case scalar.Min:
		x.neutral = t.Const(num.Extreme(f, false))
	case scalar.Mul:
		x.neutral = t.Const(1)
	case scalar.And:
		x.neutral = t.Const(f.Mask())
	case scalar.Add, scalar.Or, scalar.Xor:
		if f.IsInt() {
			x.neutral = t.Const(0)
		}
	}
}

// unordered returns the hash of fn(a, b) for a function whose operands can be reordered,
// such as a sum modulo 2^n. It adds the hashes of the operands and stores the tag of fn
// in the result. If a or b is itself a call of fn, its operands are added instead. The
// hash therefore does not depend on the order or on the nesting of calls.
func (t *Table) unordered(fn *Fn, a, b Hash) Hash {
	var h Hash
	switch {
	case fn.keeps && a == fn.neutral:
		return b
	case fn.keeps && b == fn.neutral:
		return a
	case a == fn.neutral:
		h = t.terms(fn, b)
	case b == fn.neutral:
		h = t.terms(fn, a)
	default:
		h = t.terms(fn, a).plus(t.terms(fn, b))
	}
	h.Lo |= fn.tag
	t.note(h, fn.Name, 0, a, b)
	return h
}

// terms prepares the hash of a sum, or of a result of another commutative and associative
// function fn. The hash of such a result is the sum of the hashes of its operands. The
// parameter a is one operand of fn. If it is itself a result of fn, terms returns the sum
// of the hashes of the operands that a combines. If it is any other expression, terms
// returns a hash of a as a single operand.
func (t *Table) terms(fn *Fn, a Hash) Hash {
	if a.tag() == fn.tag {
		a.Lo &^= tagMask
		return a
	}
	return Mix(fn.salt, a, fn.salt)
}

// Products computes hashes of the elements of a matrix product. An element is the sum of
// an initial value and k products, added in order. The method Factors combines a row of
// the left operand, or a column of the right operand, into one hash. The hash of an
// element is h*s^k + r + c. Here h is the hash of the initial value, s is the constant
// factor step, r is the hash of the row, and c is the hash of the column. A program can
// compute the sum in several parts, each of which starts with the result of the previous
// part. The formula then yields the same hash as for a single sum.
type Products struct{ salt Hash }

// NewProducts returns the hash functions for a matrix product. The parameter how is the
// name of the arithmetic. Products with different arithmetic get different hashes.
func NewProducts(how string) *Products { return &Products{salt: named(how)} }

// step is the factor by which the hash of a running sum is multiplied when the sum adds
// one more product. It is odd, so that the multiplication loses no bit of the hash. If
// the tag, the lowest bits of the hash, is zero, it stays zero.
var step = Hash{p1, p3}

// stepsSalt is a constant that is mixed into two types of hashes: those of the factors in
// a sum of products, and those of the start value of such a sum. With this constant, they
// differ from the hashes that the same operands have in other expressions.
var stepsSalt = named("factor")

// Factors returns a hash of a list of k factors. It combines the hashes of the factors so
// that the result depends on their order. each is a function that returns the hash of
// factor i. The factors are a row of the left operand of a matrix product, or a column of
// the right operand.
func (t *Table) Factors(p *Products, each func(i int) Hash, k int) Hash {
	var h Hash
	if t.definedness {
		h = Defined
		for i := range k {
			h = definedBy(h, each(i))
		}
		return h
	}
	for i := range k {
		h = h.times(step).plus(Mix(stepsSalt, each(i), p.salt))
	}
	return h
}

// Chain returns the hash of start + x1*y1 + ... + xk*yk, where start is the hash of an
// expression. The hash row combines the left factors x1 to xk, and the hash col combines
// the right factors y1 to yk; both are results of p.Factors.
func (t *Table) Chain(p *Products, start, row, col Hash, k int) Hash {
	if t.definedness {
		return definedBy(start, row, col)
	}
	if start.tag() != 0 {
		start = Mix(stepsSalt, start, stepsSalt)
	}
	h := start.times(power(k)).plus(row).plus(col)
	if t.records {
		t.note(h, "sum of products", int64(k), start, row, col)
	}
	return h
}

// power returns the k-th power of the constant step. The hash of a running sum of
// products is multiplied by step for each added product. A multiplication by power(k) has
// the same effect as k such multiplications.
func power(k int) Hash {
	x, by := Hash{1, 1}, step
	for ; k > 0; k /= 2 {
		if k%2 == 1 {
			x = x.times(by)
		}
		by = by.times(by)
	}
	return x
}

// bitSalt is the salt for two kinds of hashes: that of a byte that is composed of
// separate bits, and that of one bit of a value. The salt makes these hashes different
// from the hashes of other expressions.
var bitSalt = named("bit")

// Bits returns the hash of a byte that consists of the given eight bits, the lowest
// first.
func (t *Table) Bits(bits [8]Hash) Hash {
	if t.definedness {
		return definedBy(bits[:]...)
	}
	h := bitSalt
	for _, b := range bits {
		h = Mix(bitSalt, h, b)
	}
	if t.bits[h] == nil {
		t.bits[h] = &bits
		t.note(h, "bits", 0, bits[:]...)
	}
	return h
}

// Bit returns the hash of bit i of the byte with the hash h. If the byte was assembled
// from eight known bits by the method Bits, the result is the hash of the original bit.
func (t *Table) Bit(h Hash, i int) Hash {
	if t.definedness {
		return h
	}
	if b := t.bits[h]; b != nil {
		return b[i]
	}
	r := Mix(bitSalt, h, t.bitNames[i])
	t.note(r, "bit", int64(i), h)
	return r
}
