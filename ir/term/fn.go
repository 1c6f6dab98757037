// This file builds terms for the functions of package scalar.

package term

import "ptogo/ir/scalar"

// Fn returns the term for the function fn of integers. All arguments must have the width
// w. The result is an unknown that depends on the arguments if fn has no term.
func (p *Pool) Fn(fn *scalar.Fn, args ...Term) Term {
	if b := builders[fn]; b != nil {
		return b(p, args)
	}
	return p.Opaque(fn.Name, args[0].Width(), args...)
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
	scalar.Max: two((*Pool).MaxS), scalar.MaxS: two((*Pool).MaxS), scalar.MaxU: two((*Pool).MaxU),
	scalar.Min: two((*Pool).MinS), scalar.MinS: two((*Pool).MinS), scalar.MinU: two((*Pool).MinU),
	scalar.And: two((*Pool).And), scalar.Or: two((*Pool).Or), scalar.Xor: two((*Pool).Xor),
	scalar.Shl: two((*Pool).Shl), scalar.Shr: two((*Pool).AShr), scalar.ShrS: two((*Pool).AShr), scalar.ShrU: two((*Pool).LShr),
	scalar.Not:  func(p *Pool, a []Term) Term { return p.Not(a[0]) },
	scalar.Neg:  func(p *Pool, a []Term) Term { return p.Neg(a[0]) },
	scalar.Copy: func(p *Pool, a []Term) Term { return a[0] },
}
