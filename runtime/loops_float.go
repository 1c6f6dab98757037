// This file contains the loops in Go for floating-point functions.

package runtime

import (
	"math"
	"sync"
	shared "sync/atomic"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// This file computes floating-point functions on rows. The arithmetic of f16 and bf16
// is done in f32 and rounded once more. For + - * / and the square root the result is
// still correctly rounded, because f32 has more than twice as many bits of precision;
// max and min do not round. Functions that are defined in f32 are rounded to f16 and
// bf16 by definition. All other functions are computed in float64, element by element.
// Results of functions with a single 16-bit operand are cached in a table.

// floats adds the specialized Go loops for functions on floats to the table t.
func (t fastTable) floats() {
	for _, a := range arithmetic {
		t[rowKey{a.fn, num.F32}] = func(d, x, y, _ []byte) error {
			a.loop(as[float32](d), as[float32](x)[:len(d)/4], as[float32](y))
			return nil
		}
		t[rowKey{a.fn, num.F16}] = narrowRows(a.loop, num.F16sToF32s, num.F32sToF16s)
		t[rowKey{a.fn, num.BF16}] = narrowRows(a.loop, num.BF16sToF32s, num.F32sToBF16s)
	}
	bitRows[uint32](t, num.F32)
	bitRows[uint16](t, num.F16)
	bitRows[uint16](t, num.BF16)
	for fn := range scalar.All() {
		key := rowKey{fn, num.F32}
		if fn.Flt != nil && fn.Flt32 == nil && fn.FltBits == nil && t[key] == nil {
			t[key] = throughFloat64(fn)
		}
		for _, f := range []num.Format{num.F16, num.BF16} {
			if key := (rowKey{fn, f}); fn.Arity == 1 && fn.Supports(f) && t[key] == nil {
				t[key] = remembered(fn, f)
			}
		}
	}
}

// arithmetic lists the arithmetic functions for which there is a loop on f32 elements in
// Go. The loop stores the results in d. The parameters a and b are the operands; a loop
// for a function with one operand ignores b.
var arithmetic = []struct {
	fn   *scalar.Fn
	loop func(d, a, b []float32)
}{
	{scalar.Add, func(d, a, b []float32) {
		for i := range d {
			d[i] = canonical(a[i] + b[i])
		}
	}},
	{scalar.Sub, func(d, a, b []float32) {
		for i := range d {
			d[i] = canonical(a[i] - b[i])
		}
	}},
	{scalar.Mul, func(d, a, b []float32) {
		for i := range d {
			d[i] = canonical(a[i] * b[i])
		}
	}},
	{scalar.Div, func(d, a, b []float32) {
		for i := range d {
			d[i] = canonical(a[i] / b[i])
		}
	}},
	{scalar.Max, func(d, a, b []float32) {
		for i := range d {
			switch x, y := a[i], b[i]; { // Go's max is slower, and needed for zeros and NaN alone
			case x > y:
				d[i] = x
			case x < y:
				d[i] = y
			default:
				d[i] = canonical(max(x, y))
			}
		}
	}},
	{scalar.Min, func(d, a, b []float32) {
		for i := range d {
			switch x, y := a[i], b[i]; {
			case x < y:
				d[i] = x
			case x > y:
				d[i] = y
			default:
				d[i] = canonical(min(x, y))
			}
		}
	}},
	{scalar.LRelu, leaky},
	{scalar.Prelu, leaky},
	{scalar.PreluAbove, func(d, a, b []float32) {
		for i := range d {
			x := a[i]
			if !(x > 0) {
				x = canonical(x * b[i])
			}
			d[i] = x
		}
	}},
	{scalar.Relu, func(d, a, _ []float32) {
		for i := range d {
			d[i] = canonical(max(a[i], 0))
		}
	}},
	{scalar.Exp, inFloat32(scalar.Exp)},
	{scalar.Log, inFloat32(scalar.Log)},
	{scalar.RemZero, inFloat32(scalar.RemZero)},
	{scalar.Sqrt, func(d, a, _ []float32) {
		for i := range d {
			d[i] = canonical(float32(math.Sqrt(float64(a[i]))))
		}
	}},
}

// leaky computes the leaky ReLU for each element: d is a if a >= 0, and a times the slope
// in b if a < 0 or a is NaN.
func leaky(d, a, b []float32) {
	for i := range d {
		x := a[i]
		if !(x >= 0) {
			x = canonical(x * b[i])
		}
		d[i] = x
	}
}

// nan is the canonical NaN of f32.
var nan = math.Float32frombits(uint32(num.NaN(num.F32)))

// canonical returns x, or the canonical NaN if x is NaN. Host processors differ in the
// sign and payload of NaN results; with a canonical NaN, results do not depend on the
// host.
func canonical(x float32) float32 {
	if x != x {
		return nan
	}
	return x
}

// narrowRows adapts the function loop, which computes in f32, to a 16-bit float format.
// The returned function converts the operands to f32 with the function widen, calls loop,
// and converts the results to 16 bits with the function narrow.
func narrowRows(loop func(d, a, b []float32), widen func([]float32, []uint16), narrow func([]uint16, []float32)) rowFunc {
	return func(d, a, b, _ []byte) error {
		var x, y [128]float32 // as many as a vector register has
		out, p, q := as[uint16](d), as[uint16](a), as[uint16](b)
		for len(out) > 0 {
			n := min(len(out), len(x))
			widen(x[:n], p[:n])
			p = p[n:]
			if q != nil {
				widen(y[:n], q[:n])
				q = q[n:]
			}
			loop(x[:n], x[:n], y[:n])
			narrow(out[:n], x[:n])
			out = out[n:]
		}
		return nil
	}
}

// inFloat32 returns a loop that computes fn on f32 elements. The function fn has one or two
// operands and is defined in float32, so the loop calls it without a conversion.
func inFloat32(fn *scalar.Fn) func(d, a, b []float32) {
	return func(d, a, b []float32) {
		if fn.Arity == 1 {
			b = a
		}
		for i := range d {
			d[i] = canonical(fn.Flt32(a[i], b[i], 0))
		}
	}
}

// throughFloat64 returns a loop on f32 elements for fn, a function that is defined in
// float64. The loop converts the operands to float64, calls fn, and rounds the results to
// f32.
func throughFloat64(fn *scalar.Fn) rowFunc {
	return func(d, a, b, c []byte) error {
		out, x := as[float32](d), as[float32](a)
		y, z := x, x
		if fn.Arity > 1 {
			y = as[float32](b)
		}
		if fn.Arity > 2 {
			z = as[float32](c)
		}
		for i := range out {
			out[i] = canonical(float32(fn.Flt(float64(x[i]), float64(y[i]), float64(z[i]))))
		}
		return nil
	}
}

// remembered returns a loop for fn, a function of one 16-bit float of format f. It
// computes each of the 65,536 possible results at most once per process and stores them
// in a table.
func remembered(fn *scalar.Fn, f num.Format) rowFunc {
	const known = 1 << 16 // marks a result
	results := sync.OnceValue(func() *[1 << 16]shared.Uint32 { return new([1 << 16]shared.Uint32) })
	return func(d, a, _, _ []byte) error {
		out, x, results := as[uint16](d), as[uint16](a), results()
		for i := range out {
			r := results[x[i]].Load()
			if r == 0 {
				bits, _ := fn.Eval1(f, uint64(x[i])) // floats have no errors
				r = uint32(bits) | known
				results[x[i]].Store(r)
			}
			out[i] = uint16(r)
		}
		return nil
	}
}

// bitRows adds Go loops to the table t for functions that only move or change bits of
// floats, such as negation. T is the integer type that holds an element of format f.
func bitRows[T uint16 | uint32](t fastTable, f num.Format) {
	sign := T(f.SignBit())
	rows1(t, scalar.Copy, f, func(d, a []T) { copy(d, a) })
	rows1(t, scalar.Neg, f, func(d, a []T) {
		for i := range d {
			d[i] = a[i] ^ sign
		}
	})
	rows1(t, scalar.Abs, f, func(d, a []T) {
		for i := range d {
			d[i] = a[i] &^ sign
		}
	})
}
