// This file applies functions and conversions to symbolic values.

package runtime

import (
	"math"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/expr"
)

// tracedFn is a scalar function fn on elements of format f, together with the operator e
// that represents it in symbolic expressions.
type tracedFn struct {
	fn *scalar.Fn
	f  num.Format
	e  *expr.Fn
	// product, quotient and isZero are set for divisions that may be replaced by a
	// multiplication with the reciprocal. They are the multiplication, the division of 1,
	// and the test for a zero divisor.
	product, quotient *tracedFn
	isZero            *expr.Fn
	// withConstant is, for a shift of integers to the left and for a difference, the product
	// or the sum that has the same bits if the second operand is a constant.
	withConstant *tracedFn
	// real is the function in float64, for shadows (values in higher precision). rounds
	// reports whether the function rounds to an integer.
	real   func(a, b, c float64) float64
	rounds bool
	// ulp is the documented error of the function in units in the last place.
	ulp uint32
}

// tracedFn returns the operator that represents fn, applied to elements of format f, in
// symbolic expressions. It interprets the format in the same way as the loops that
// compute numbers.
func (p *planner) tracedFn(fn *scalar.Fn, f num.Format) *tracedFn {
	if f.IsFloat() && !fn.Supports(f) {
		f = wordFormats[f.Bytes()]
	}
	call := &tracedFn{fn: fn, f: f, e: p.opts.Lineage.Exprs.Function(fn, f), ulp: uint32(fn.ULP)}
	if p.opts.Lineage.Shadows != nil {
		call.real, call.rounds = inFloat64(fn), roundsToInteger(fn)
		return call
	}
	switch {
	case f.IsInt() && fn == scalar.Shl:
		call.withConstant = p.tracedFn(scalar.Mul, f)
	case f.IsInt() && fn == scalar.Sub:
		call.withConstant = p.tracedFn(scalar.Add, f)
	}
	if f.IsFloat() && (fn == scalar.Div || fn == scalar.DivRecip) {
		call.product = p.tracedFn(scalar.Mul, f)
	}
	if f.IsFloat() && fn == scalar.DivRecip {
		call.quotient = p.tracedFn(scalar.Div, f)
		call.isZero = comparisonFn(scalar.EQ.Relation(), f)
	}
	return call
}

// loopFn is tracedFn for the functions that loops over elements apply (planner.loop). With
// Options.FlushDenormals, these loops replace denormal operands and results by zeros. The
// result is then an operator of its own, for which only the order of commutative operands
// does not matter: the other rules for expressions, such as the replacement of a quotient
// by a product, hold only if denormal numbers remain.
func (p *planner) loopFn(fn *scalar.Fn, f num.Format) *tracedFn {
	if !p.opts.FlushDenormals || p.opts.Lineage.Shadows != nil || !f.IsFloat() || !fn.Supports(f) {
		return p.tracedFn(fn, f)
	}
	name := "flushing %s.%s"
	e := expr.Named(name, fn, f)
	if fn.Commutative {
		e = expr.Commutative(name, fn, f)
	}
	return &tracedFn{fn: flushing(fn, f), f: f, e: e}
}

// divided rewrites the division a / b as a multiplication with bit-identical results, so
// that both forms have the same expression. This is possible if the instruction is
// defined as a multiplication by the reciprocal of b, or if b is a known power of two.
// The bool result is false for all other divisions.
func (x *tracer) divided(f *tracedFn, a, b value) (value, bool) {
	switch {
	case f.product == nil || x.t.Modulo.Reciprocal:
		return value{}, false
	case f.fn == scalar.DivRecip && b.known:
		return x.apply(f.product, &[3]value{a, knownValue(f.fn.OfScalar(f.f, b.bits))}), true
	case f.fn == scalar.DivRecip:
		inf, ok := num.Inf(f.f, false)
		if !ok {
			return value{}, false
		}
		one := knownValue(num.Encode(f.f, 1, num.NearestEven, false))
		zero := x.named(f.isZero, b, knownValue(0))
		return x.apply(f.product, &[3]value{a, x.choose(zero, knownValue(inf), x.apply(f.quotient, &[3]value{one, b}))}), true
	case b.known:
		d := num.Decode(f.f, b.bits)
		frac, e := math.Frexp(d)
		r := num.Encode(f.f, 1/d, num.NearestEven, false)
		smallest := smallest[f.f]
		normal := func(bits uint64) bool { return smallest > 0 && bits&^f.f.SignBit() >= smallest }
		if math.Abs(frac) == 0.5 && e > -1000 && normal(b.bits) && normal(r) && num.Decode(f.f, r) == 1/d {
			return x.apply(f.product, &[3]value{a, knownValue(r)}), true
		}
	}
	return value{}, false
}

// apply returns the result of the function f for the arguments args. The result is a
// number if all arguments are known numbers, and a symbolic expression if one of them is
// an expression.
func (x *tracer) apply(f *tracedFn, args *[3]value) value {
	if x.shadows != nil {
		return x.applied(f, args)
	}
	n := f.fn.Arity
	known := true
	for i := range n {
		known = known && args[i].known
	}
	if known {
		if bits, err := f.fn.Eval3(f.f, args[0].bits, args[1].bits, args[2].bits); err == nil {
			return knownValue(bits)
		}
	}
	if f.fn == scalar.Copy {
		return args[0]
	}
	if x.definedness && n == 2 {
		for i := range 2 {
			if args[i].known && absorbs(f, args[i].bits) {
				return args[i]
			}
		}
	}
	if f.withConstant != nil && args[1].known {
		constant := -args[1].bits & f.f.Mask()
		if f.fn == scalar.Shl {
			constant, _ = f.fn.Eval2(f.f, 1, args[1].bits)
		}
		return x.apply(f.withConstant, &[3]value{args[0], knownValue(constant)})
	}
	if f.product != nil {
		if v, ok := x.divided(f, args[0], args[1]); ok {
			return v
		}
	}
	switch n {
	case 1:
		return value{h: x.t.Apply1(f.e, x.hash(&args[0]))}
	case 2:
		return value{h: x.t.Apply2(f.e, x.hash(&args[0]), x.hash(&args[1]))}
	}
	return value{h: x.t.Apply(f.e, x.hash(&args[0]), x.hash(&args[1]), x.hash(&args[2]))}
}

// absorbs reports whether f(x, bits) and f(bits, x) are equal to bits for every x.
func absorbs(f *tracedFn, bits uint64) bool {
	if f.f.IsFloat() {
		return false
	}
	switch bits &= f.f.Mask(); f.fn {
	case scalar.And, scalar.Mul:
		return bits == 0
	case scalar.Or:
		return bits == f.f.Mask()
	}
	return false
}

// named returns the application of an uninterpreted function to args. The only known
// property of the function is that equal arguments give equal results.
func (x *tracer) named(f *expr.Fn, args ...value) value {
	if x.shadows != nil {
		return value{}
	}
	hashes := make([]expr.Hash, len(args))
	for i := range args {
		hashes[i] = x.hash(&args[i])
	}
	return value{h: x.t.Apply(f, hashes...)}
}

// tracedConversion is a conversion between two number formats, together with the operator
// e that represents it in symbolic expressions.
type tracedConversion struct {
	from, to num.Format
	r        num.Rounding
	sat      bool
	e        *expr.Fn
}

// tracedConversion returns a conversion of numbers that symbolic execution can apply to
// elements and to their expressions. The parameter from is the source format, and the
// parameter to is the destination format. The conversion rounds in mode r and saturates
// if sat is set.
func (p *planner) tracedConversion(from, to num.Format, r num.Rounding, sat bool) *tracedConversion {
	return &tracedConversion{from, to, r, sat, p.opts.Lineage.Exprs.Conversion(from, to, r, sat)}
}

// convert returns the value v after the conversion c. The result is a number if v is a
// known number, and a symbolic expression if v is an expression.
func (x *tracer) convert(c *tracedConversion, v value) value {
	if x.shadows != nil {
		return x.converted(c, v)
	}
	if v.known {
		return knownValue(num.Convert(c.from, c.to, v.bits, c.r, c.sat))
	}
	return value{h: x.t.Convert(c.e, v.h)}
}
