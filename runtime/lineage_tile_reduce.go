// This file implements the symbolic execution of tile reductions in equivalence proofs,
// in the reduction order of
// the target.

package runtime

import (
	"slices"

	"ptogo/dialect/pto/nest"
	"ptogo/dialect/pto/sem"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/expr"
)

// tracedReduction returns a function that reduces a list of symbolic values of format f to
// one value, in the order of the target. The function may overwrite the list. The comment
// of newOrderedReduce describes the roundings of intermediate results.
func (p *planner) tracedReduction(how nest.Reduction, f num.Format) func(x *tracer, xs []value) value {
	t := p.opts.Lineage.Exprs
	q := how.Order
	if how.Arg {
		find := expr.Named("place of %s %s", how.Fn, f)
		return func(x *tracer, xs []value) value {
			if !slices.ContainsFunc(xs, func(v value) bool { return !v.known }) {
				return value{known: true} // the step computes the number
			}
			return x.fold(find, xs)
		}
	}
	call := p.tracedFn(how.Fn, f)
	if p.opts.Lineage.Shadows != nil {
		return call.reduced
	}
	two := func(call *tracedFn) func(x *tracer) func(a, b value) value {
		return func(x *tracer) func(a, b value) value {
			return func(a, b value) value { return x.apply(call, &[3]value{a, b}) }
		}
	}
	canonical := &tracedFn{fn: &scalar.Fn{Arity: 1}, f: f, e: t.Canonical(f)}
	if q.Of == scalar.InTurn {
		combine := two(call)
		float := f.IsFloat()
		return func(x *tracer, xs []value) value {
			if len(xs) == 1 && float && f == num.F32 && !alongColCopies(how) {
				return x.canonical(canonical, xs[0])
			}
			f := combine(x)
			return scalar.Reduce(q, xs, f, f)
		}
	}
	if f == num.F32 {
		combine, adds := two(call), p.tracedFn(scalar.Add, f)
		return func(x *tracer, xs []value) value {
			if how.Axis == sem.AlongCol && len(xs) == 1 {
				return xs[0]
			}
			one := len(xs) == 1
			f := combine(x)
			v := scalar.Reduce(q, xs, f, f)
			if q.Of == scalar.ByChunks {
				return x.apply(adds, &[3]value{v, knownValue(0)})
			}
			if one {
				return x.canonical(canonical, v)
			}
			return v
		}
	}
	// Narrow elements are widened to f32. Operations that round their result round it to
	// the narrow format.
	widen, narrow := p.tracedConversion(f, num.F32, num.NearestEven, false), p.tracedConversion(num.F32, f, num.NearestEven, false)
	wide, adds := p.tracedFn(how.Fn, num.F32), p.tracedFn(scalar.Add, num.F32)
	return func(x *tracer, xs []value) value {
		if how.Axis == sem.AlongCol && len(xs) == 1 {
			return xs[0]
		}
		for i := range xs {
			xs[i] = x.convert(widen, xs[i])
		}
		exactly := two(wide)(x)
		rounded := func(a, b value) value { return x.convert(widen, x.convert(narrow, exactly(a, b))) }
		lanewise, across := rounded, rounded
		switch q.Of {
		case scalar.ByRepeats, scalar.ByChunks, scalar.ByEighths:
			lanewise, across = exactly, exactly
		case scalar.ByBlocks:
			across = exactly
		}
		v := scalar.Reduce(q, xs, lanewise, across)
		if q.Of == scalar.ByChunks {
			v = x.apply(adds, &[3]value{v, knownValue(0)})
		}
		return x.convert(narrow, v)
	}
}

// alongColCopies reports whether a reduction of a single element returns the bits of this
// element unchanged. This is true for reductions along columns. A reduction of f32 along
// a row replaces a NaN by the canonical NaN, even if the row has a single element.
func alongColCopies(how nest.Reduction) bool { return how.Axis == sem.AlongCol }

// canonical replaces the value v by the canonical NaN of its format if v is NaN. If v
// depends on symbolic inputs, it returns an expression that represents this replacement.
// In a run that measures rounding errors, it returns v.
func (x *tracer) canonical(f *tracedFn, v value) value {
	if x.shadows != nil {
		return v
	}
	if v.known {
		if f.f.IsFloat() && num.IsNaN(f.f, v.bits) {
			return knownValue(num.NaN(f.f))
		}
		return v
	}
	return value{h: x.t.Apply1(f.e, v.h)}
}

// fold returns the symbolic value of a reduction of xs by the uninterpreted function f.
// The expression contains the number of elements and applies f to one element after the
// other, so its value also depends on the order.
func (x *tracer) fold(f *expr.Fn, xs []value) value {
	if x.shadows != nil {
		return knownValue(0) // a position, which is exact
	}
	acc := value{h: x.t.Apply(f, x.t.Const(uint64(len(xs))))}
	for i := range xs {
		acc = value{h: x.t.Apply2(f, acc.h, x.hash(&xs[i]))}
	}
	return acc
}
