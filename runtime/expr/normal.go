// This file brings expressions into normal form.

package expr

import (
	"fmt"
	"sync"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Fn is a function of expressions with everything that its application needs.
type Fn struct {
	// Name is the name that Text prints.
	Name string
	// salt distinguishes the results of different functions on the same operands.
	salt Hash
	// arity is the number of operands.
	arity int
	// kind selects the normal form of the result.
	kind fnKind
	// swaps reports whether the first two operands may be swapped.
	swaps bool
	// from and to are the formats of the operand and the result of a conversion.
	from num.Format
	to   num.Format
	// r and sat are the rounding of a conversion; see num.Encode.
	r   num.Rounding
	sat bool
	// tag identifies an anyOrder function or an exact conversion in hashes.
	tag uint64
	// direct is, for a conversion, the conversion from another format that was used last.
	direct *Fn
	// neutral is, for anyOrder, the constant that does not change the result.
	neutral Hash
	// keeps reports, for anyOrder, that the result for a single operand is the operand
	// itself, even if it is NaN.
	keeps bool
	// recip and product are the functions that replace a quotient.
	recip   *Fn
	product *Fn
}

// fnKind is the normal form of the results of a function.
type fnKind uint8

const (
	// The kinds of functions. quotient is a division under Modulo.Reciprocal, which
	// becomes a product.
	ordinary fnKind = iota
	identity
	conversion
	anyOrder
	quotient // of Modulo.Reciprocal
)

// sameAs maps functions that fix the sign of integers to the function that reads the sign
// from the format. Both have the same results, so they should have the same hashes.
var sameAs = map[*scalar.Fn]*scalar.Fn{
	scalar.MulHiS: scalar.MulHi, scalar.MulHiU: scalar.MulHi,
	scalar.MaxS: scalar.Max, scalar.MaxU: scalar.Max, scalar.MinS: scalar.Min, scalar.MinU: scalar.Min,
	scalar.DivS: scalar.Div, scalar.DivU: scalar.Div, scalar.RemS: scalar.Fmod, scalar.RemU: scalar.Fmod,
	scalar.ShrS: scalar.Shr, scalar.ShrU: scalar.Shr, scalar.FloorDivS: scalar.FloorDiv,
	scalar.CeilDivS: scalar.CeilDiv, scalar.CeilDivU: scalar.CeilDiv,
}

// signFree are functions of integers whose bits do not depend on the sign.
var signFree = map[*scalar.Fn]bool{
	scalar.Add: true, scalar.Sub: true, scalar.Mul: true, scalar.And: true, scalar.Or: true, scalar.Xor: true, scalar.Not: true,
	scalar.MulAdd: true, scalar.Neg: true, scalar.Select: true,
}

// reading returns the format with which a function reads elements: signless integers get
// the sign that the function gives them.
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

// Function returns fn on elements of f.
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

// Named returns a function of which only the name is known. Functions with the same name
// and the same operands have the same result.
func Named(format string, args ...any) *Fn {
	name := fmt.Sprintf(format, args...)
	return &Fn{Name: name, salt: named(name)}
}

// widening is an exact widening, such as f16 to f32. The hash of its result is the hash
// of the operand plus a constant, with the tag of the widening. The operand can therefore
// be recovered from the result.
type widening struct {
	from, to num.Format
	by       Hash
}

// widened returns the operand of an exact widening.
func (t *Table) widened(a Hash) (w *widening, arg Hash) {
	if w = t.widenings[a.tag()]; w == nil {
		return nil, a
	}
	return w, Hash{a.Lo&^tagMask ^ w.by.Lo, a.Hi ^ w.by.Hi}
}

// tags are the tags of functions, by name.
type tags struct {
	mu sync.Mutex
	of map[string]uint64
}

// get returns the tag of a name, and assigns one if necessary. It returns 0 if all tags
// are in use.
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

// Crowded reports whether more than half of all tags are in use. If all tags are in use,
// hashes depend on the order in which functions are first used.
func (t *Table) Crowded() bool {
	t.tags.mu.Lock()
	defer t.tags.mu.Unlock()
	return len(t.tags.of) > tagMask/2
}

// Exact reports whether to can represent every number of from.
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

// Conversion returns the conversion of elements. An exact one has neither a
// rounding nor a saturation.
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

// Canonical returns the function that replaces every NaN by the canonical one.
func (t *Table) Canonical(f num.Format) *Fn {
	x := &Fn{Name: fmt.Sprintf("canonical.%s", f), arity: 1}
	if !f.IsFloat() || t.Modulo.NaNBits {
		x.kind = identity
	}
	x.salt = named(x.Name)
	return x
}

// restSalt is the salt with which a third operand is combined.
var restSalt = named("third operand")

// Apply returns the hash of a function of expressions.
func (t *Table) Apply(fn *Fn, args ...Hash) Hash {
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

// Apply1 is Apply for one operand, and Apply2 for two, without an allocation.
func (t *Table) Apply1(fn *Fn, a Hash) Hash {
	if fn.kind != ordinary || t.records {
		return t.Apply(fn, a)
	}
	return Mix(fn.salt, a, fn.salt)
}

// Apply2 is Apply for two operands.
func (t *Table) Apply2(fn *Fn, a, b Hash) Hash {
	if fn.kind != ordinary || t.records {
		return t.Apply(fn, a, b)
	}
	if fn.swaps && b.less(a) {
		a, b = b, a
	}
	return Mix(fn.salt, a, b)
}

// Convert is Apply for a conversion.
func (t *Table) Convert(fn *Fn, a Hash) Hash {
	if fn.kind == identity {
		return a
	}
	return t.convert(fn, a)
}

// convert applies a conversion. Converting an exactly widened float equals converting the
// original float: the value is the same, and in both cases every NaN becomes the
// canonical one.
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

// direct is a conversion from another format.
func (t *Table) direct(from num.Format, fn *Fn) *Fn {
	if fn.direct == nil || fn.direct.from != from {
		fn.direct = t.Conversion(from, fn.to, fn.r, fn.sat)
	}
	return fn.direct
}

// converted is the hash of a conversion of an operand that is not a widening.
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

// inAnyOrder reports whether reordering the operands of nested calls of a function keeps
// the bits of the result. This holds for integers. It also holds for the maximum and
// minimum of floats, because NaN is greater than all numbers, -0 is less than +0, and
// every NaN becomes the canonical one.
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

// makeAnyOrder makes x a function whose operands may be reordered, and assigns its tag.
// When all tags are in use, x stays ordinary.
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

// unordered returns the hash of the multiset of the operands of nested calls: the sum of
// their hashes, with the tag of the function.
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

// terms is the sum of the operands that a value consists of.
func (t *Table) terms(fn *Fn, a Hash) Hash {
	if a.tag() == fn.tag {
		a.Lo &^= tagMask
		return a
	}
	return Mix(fn.salt, a, fn.salt)
}

// Products computes hashes of the elements of a matrix product: the sum of k products in
// order, added to an initial value. Factors combines a row of the left operand, and a
// column of the right operand, into one hash each. The hash of an element is the initial
// value times the k-th power of step, plus the hashes of the row and the column. It is
// linear, so that splitting k into consecutive parts does not change the result.
type Products struct{ salt Hash }

// NewProducts returns the chain of products that are summed in a way.
func NewProducts(how string) *Products { return &Products{salt: named(how)} }

// step is the factor by which one product advances a chain. It is odd, so that no bit is
// lost, and it keeps the bits of the tag zero.
var step = Hash{p1, p3}

// stepsSalt is the salt of factors and initial values of chains.
var stepsSalt = named("factor")

// Factors returns the hash of the factors of one element, in the order of k.
func (p *Products) Factors(each func(i int) Hash, k int) Hash {
	var h Hash
	for i := range k {
		h = h.times(step).plus(Mix(stepsSalt, each(i), p.salt))
	}
	return h
}

// Chain returns the hash of a sum that begins with start and adds k products of row and
// col.
func (t *Table) Chain(p *Products, start, row, col Hash, k int) Hash {
	if start.tag() != 0 {
		start = Mix(stepsSalt, start, stepsSalt)
	}
	h := start.times(power(k)).plus(row).plus(col)
	if t.records {
		t.note(h, "sum of products", int64(k), start, row, col)
	}
	return h
}

// power is step to the power of k.
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

// bitSalt is part of the hash of a byte that is composed of bits, and of the hash of one
// bit of a value, so that both differ from the hashes of other expressions.
var bitSalt = named("bit")

// Bits returns the hash of a byte of eight bits; Bit returns one of them.
func (t *Table) Bits(bits [8]Hash) Hash {
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

// Bit returns the hash of bit i of a byte.
func (t *Table) Bit(h Hash, i int) Hash {
	if b := t.bits[h]; b != nil {
		return b[i]
	}
	r := Mix(bitSalt, h, t.bitNames[i])
	t.note(r, "bit", int64(i), h)
	return r
}
