// This file builds terms for the functions of package scalar.

package term

import (
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Fn returns the term for the function fn of numbers of format f, whose bits are the
// arguments. The result is an unknown that depends on the arguments if they are not
// constants and fn is not Known, or if its value is an error.
func (p *Pool) Fn(fn *scalar.Fn, f num.Format, args ...Term) Term {
	if v, ok := constantFn(fn, f, args); ok {
		return p.ConstInt(f.Bits(), UintOf(v))
	}
	if g := withSign(fn, f); g != nil && Known(g, f) {
		return builders[g](p, args)
	}
	return p.Opaque(fn.Name+" "+f.String(), f.Bits(), args...)
}

// constantFn returns the value of fn if all arguments are constants.
func constantFn(fn *scalar.Fn, f num.Format, args []Term) (uint64, bool) {
	bits := make([]uint64, len(args))
	for i, a := range args {
		v, ok := a.Const()
		if !ok {
			return 0, false
		}
		bits[i] = v.Uint64()
	}
	v, err := fn.Eval(f, bits...)
	return v, err == nil
}

// Known reports whether Fn returns more than an unknown for the function fn of numbers of
// format f.
func Known(fn *scalar.Fn, f num.Format) bool {
	fn = withSign(fn, f)
	upper := fn == scalar.MulHi || fn == scalar.MulHiS || fn == scalar.MulHiU
	return builders[fn] != nil && (!upper || 2*f.Bits() <= MaxWidth)
}

// withSign returns the function that computes fn on integers of format f and reads them as
// signed, or as unsigned if their format is unsigned. It returns nil if fn depends on the
// sign and no function reads unsigned integers, or if f is not a format of integers.
func withSign(fn *scalar.Fn, f num.Format) *scalar.Fn {
	switch {
	case !f.IsInt():
		return nil
	case fn.Sign.Reading(f).Signed(), fn.Sign == scalar.Unsigned, fn.Int == nil && fn.IntBits == nil, fn == scalar.Shl:
		return fn
	}
	return unsigned[fn]
}

// unsigned maps functions that read integers by their format to those that read unsigned
// integers.
var unsigned = map[*scalar.Fn]*scalar.Fn{
	scalar.Div: scalar.DivU, scalar.FloorDiv: scalar.DivU, scalar.CeilDiv: scalar.CeilDivU,
	scalar.Fmod: scalar.RemU, scalar.Rem: scalar.RemU, scalar.RemZero: scalar.RemU,
	scalar.Max: scalar.MaxU, scalar.Min: scalar.MinU, scalar.Shr: scalar.ShrU, scalar.MulHi: scalar.MulHiU,
}

// Compare returns the condition that the relation holds between the integers a and b of a
// signless format.
func (p *Pool) Compare(r scalar.Relation, a, b Term) Term {
	less := func(x, y Term) Term {
		if r.Sign == scalar.Unsigned {
			return p.Ult(x, y)
		}
		return p.Slt(x, y)
	}
	switch r.On & (scalar.Less | scalar.Equal | scalar.Greater) {
	case 0:
		return p.Bool(false)
	case scalar.Less:
		return less(a, b)
	case scalar.Equal:
		return p.Eq(a, b)
	case scalar.Greater:
		return less(b, a)
	case scalar.Less | scalar.Equal:
		return p.Not(less(b, a))
	case scalar.Less | scalar.Greater:
		return p.Ne(a, b)
	case scalar.Equal | scalar.Greater:
		return p.Not(less(a, b))
	}
	return p.Bool(true)
}

type builder func(p *Pool, a []Term) Term

func two(f func(p *Pool, a, b Term) Term) builder {
	return func(p *Pool, a []Term) Term { return f(p, a[0], a[1]) }
}

// builders maps functions of integers to constructors.
var builders = map[*scalar.Fn]builder{
	scalar.Add: two((*Pool).Add), scalar.Sub: two((*Pool).Sub), scalar.Mul: two((*Pool).Mul),
	scalar.Div: two((*Pool).SDiv), scalar.DivS: two((*Pool).SDiv), scalar.DivU: two((*Pool).UDiv),
	scalar.FloorDiv: two((*Pool).FloorDivS), scalar.FloorDivS: two((*Pool).FloorDivS),
	scalar.CeilDiv: two((*Pool).CeilDivS), scalar.CeilDivS: two((*Pool).CeilDivS), scalar.CeilDivU: two((*Pool).CeilDivU),
	scalar.Fmod: two((*Pool).SRem), scalar.RemS: two((*Pool).SRem), scalar.RemU: two((*Pool).URem),
	scalar.Rem: two((*Pool).FloorRemS), scalar.RemZero: two((*Pool).FloorRemS),
	scalar.Max: two((*Pool).MaxS), scalar.MaxS: two((*Pool).MaxS), scalar.MaxU: two((*Pool).MaxU),
	scalar.Min: two((*Pool).MinS), scalar.MinS: two((*Pool).MinS), scalar.MinU: two((*Pool).MinU),
	scalar.And: two((*Pool).And), scalar.Or: two((*Pool).Or), scalar.Xor: two((*Pool).Xor),
	scalar.Shl: two((*Pool).Shl), scalar.Shr: two((*Pool).AShr), scalar.ShrS: two((*Pool).AShr), scalar.ShrU: two((*Pool).LShr),
	scalar.MulHi:  two(func(p *Pool, a, b Term) Term { return p.mulHigh(a, b, true) }),
	scalar.MulHiS: two(func(p *Pool, a, b Term) Term { return p.mulHigh(a, b, true) }),
	scalar.MulHiU: two(func(p *Pool, a, b Term) Term { return p.mulHigh(a, b, false) }),
	scalar.Carry:  two(func(p *Pool, a, b Term) Term { return p.ZExt(p.Ult(p.Add(a, b), a), a.Width()) }),
	scalar.AbsDiff: two(func(p *Pool, a, b Term) Term {
		return p.Sub(p.MaxS(a, b), p.MinS(a, b))
	}),
	scalar.MulAdd: func(p *Pool, a []Term) Term { return p.Add(p.Mul(a[0], a[1]), a[2]) },
	scalar.Fma:    func(p *Pool, a []Term) Term { return p.Add(p.Mul(a[0], a[1]), a[2]) },
	scalar.Not:    func(p *Pool, a []Term) Term { return p.Not(a[0]) },
	scalar.Neg:    func(p *Pool, a []Term) Term { return p.Neg(a[0]) },
	scalar.Abs: func(p *Pool, a []Term) Term {
		return p.Ite(p.Slt(a[0], p.Const(a[0].Width(), 0)), p.Neg(a[0]), a[0])
	},
	scalar.Copy: func(p *Pool, a []Term) Term { return a[0] },
}

// mulHigh returns the upper half of the double-width product, of at most MaxWidth bits.
func (p *Pool) mulHigh(a, b Term, signed bool) Term {
	w := a.Width()
	product := p.Mul(p.Resize(a, 2*w, signed), p.Resize(b, 2*w, signed))
	return p.Trunc(Term{p.udiv(product.n, p.constant(2*w, pow2(w)))}, w)
}
