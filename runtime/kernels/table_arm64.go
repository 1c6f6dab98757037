// This file lists the elementwise loops of arm64.

package kernels

import (
	"sync"
	"unsafe"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// NEON is the instruction set level that every arm64 processor supports. Its loops
// process elements that are adjacent in memory. For elements with a stride between them,
// this level has no loops.
const NEON Level = 1

// levelNames are the names of the instruction set levels, as String returns them.
var levelNames = [...]string{None: "none", NEON: "neon"}

// detect returns NEON, the best level on arm64.
func detect() Level { return NEON }

// loops returns the loops of NEON, by key. It builds the table on first use, because a
// tool that executes nothing does not need it.
var loops = sync.OnceValue(func() (t [2]map[key]Loop) {
	t[0] = map[key]Loop{}
	enter := func(k key, from num.Format, arity, step int, r lineRun) {
		t[0][k] = Loop{run: inLines(r, step, k.f.Bytes(), from.Bytes()), step: step, arity: arity, size: k.f.Bytes(), from: from.Bytes()}
	}
	for _, r := range floatRows {
		for i, f := range []num.Format{num.F32, num.F16, num.BF16} {
			if r.runs[i] != nil {
				enter(key{fn: r.fn, f: f}, f, r.fn.Arity, 8, r.runs[i])
			}
		}
	}
	for _, r := range signRows {
		enter(key{fn: r.fn, f: num.F32}, num.F32, 1, 8, r.runs[1])
		enter(key{fn: r.fn, f: num.F16}, num.F16, 1, 16, r.runs[0])
		enter(key{fn: r.fn, f: num.BF16}, num.BF16, 1, 16, r.runs[0])
	}
	for _, r := range integerRows {
		for i, f := range [][2]num.Format{{num.S8, num.U8}, {num.S16, num.U16}, {num.S32, num.U32}} {
			enter(key{fn: r.fn, f: f[0]}, f[0], 2, 32/f[0].Bytes(), r.signed[i])
			enter(key{fn: r.fn, f: f[1]}, f[1], 2, 32/f[1].Bytes(), r.unsigned[i])
		}
	}
	for _, r := range bitRows {
		for _, f := range []num.Format{num.S8, num.U8, num.S16, num.U16, num.S32, num.U32, num.S64, num.U64} {
			enter(key{fn: r.fn, f: f}, f, 2, 32/f.Bytes(), inBytes(r.run, f.Bytes()))
		}
	}
	for _, r := range conversionRows {
		enter(key{f: r.to, from: r.from}, r.from, 1, 8, r.run)
	}
	return t
})

// floatRows lists the NEON loops on f32, f16 and bf16 with the functions that they
// compute.
var floatRows = []struct {
	fn   *scalar.Fn
	runs [3]lineRun
}{
	{scalar.Add, [3]lineRun{addF32NEON, addF16NEON, addBF16NEON}},
	{scalar.Sub, [3]lineRun{subF32NEON, subF16NEON, subBF16NEON}},
	{scalar.Mul, [3]lineRun{mulF32NEON, mulF16NEON, mulBF16NEON}},
	{scalar.Div, [3]lineRun{divF32NEON, divF16NEON, divBF16NEON}},
	{scalar.Max, [3]lineRun{maxF32NEON, maxF16NEON, maxBF16NEON}},
	{scalar.Min, [3]lineRun{minF32NEON, minF16NEON, minBF16NEON}},
	{scalar.Relu, [3]lineRun{reluF32NEON, reluF16NEON, reluBF16NEON}},
	{scalar.LRelu, [3]lineRun{leakyF32NEON, leakyF16NEON, leakyBF16NEON}},
	{scalar.Prelu, [3]lineRun{leakyF32NEON, leakyF16NEON, leakyBF16NEON}},
	{scalar.PreluAbove, [3]lineRun{leakyAboveF32NEON, leakyAboveF16NEON, leakyAboveBF16NEON}},
	{scalar.Sqrt, [3]lineRun{sqrtF32NEON, sqrtF16NEON, sqrtBF16NEON}},
	{scalar.Recip, [3]lineRun{recipF32NEON, recipF16NEON, recipBF16NEON}},
	{scalar.Exp, [3]lineRun{expF32NEON, expF16NEON, expBF16NEON}},
	{scalar.Fma, [3]lineRun{fmaF32NEON}},
	{scalar.Axpy, [3]lineRun{fmaF32NEON}},
}

// signRows lists the NEON loops that change the signs of 16-bit and 32-bit floats.
var signRows = []struct {
	fn   *scalar.Fn
	runs [2]lineRun
}{
	{scalar.Abs, [2]lineRun{abs16NEON, abs32NEON}},
	{scalar.Neg, [2]lineRun{neg16NEON, neg32NEON}},
}

// integerRows lists the NEON loops on integers of 1, 2 and 4 bytes with the functions
// that they compute.
var integerRows = []struct {
	fn               *scalar.Fn
	signed, unsigned [3]lineRun
}{
	{scalar.Add, [3]lineRun{addI8NEON, addI16NEON, addI32NEON}, [3]lineRun{addI8NEON, addI16NEON, addI32NEON}},
	{scalar.Sub, [3]lineRun{subI8NEON, subI16NEON, subI32NEON}, [3]lineRun{subI8NEON, subI16NEON, subI32NEON}},
	{scalar.Mul, [3]lineRun{mulI8NEON, mulI16NEON, mulI32NEON}, [3]lineRun{mulI8NEON, mulI16NEON, mulI32NEON}},
	{scalar.Max, [3]lineRun{maxS8NEON, maxS16NEON, maxS32NEON}, [3]lineRun{maxU8NEON, maxU16NEON, maxU32NEON}},
	{scalar.Min, [3]lineRun{minS8NEON, minS16NEON, minS32NEON}, [3]lineRun{minU8NEON, minU16NEON, minU32NEON}},
}

// bitRows lists the NEON loops for bitwise functions such as AND. Their length parameter
// counts bytes instead of elements, so one loop serves all element sizes.
var bitRows = []struct {
	fn  *scalar.Fn
	run lineRun
}{
	{scalar.And, andBitsNEON},
	{scalar.Or, orBitsNEON},
	{scalar.Xor, xorBitsNEON},
}

// inBytes adapts the loop r, whose length parameter counts bytes. It returns a loop for
// the same computation whose length parameter counts elements, as in all other loops. The
// parameter size is the size of an element in bytes.
func inBytes(r lineRun, size int) lineRun {
	return func(d, a, b, c *byte, n, keep int) { r(d, a, b, c, n*size, keep) }
}

// lineRun is an assembly loop of NEON that computes a single row. It computes n elements
// of d from the operands a, b and c. If keep is -1, element i of d uses element i of b.
// If keep is 0, all elements of d use the start of b, which contains copies of one
// element.
type lineRun = func(d, a, b, c *byte, n, keep int)

// inLines returns a loop over several rows. This loop calls r, a loop over a single row
// of whole steps, for each row. If elements are left, it calls r again for the last step
// of the row. The parameter step is the number of elements of a step. The parameters size
// and from are the bytes of an element of the result and of the operands.
func inLines(r lineRun, step, size, from int) run {
	return func(d, a, b, c *byte, n, keep, lines, nextD, nextA, nextB, nextC int) {
		left, last := n%step, n-step
		for ; ; lines-- {
			r(d, a, b, c, n-left, keep)
			if left > 0 {
				in := last * from
				r(further(d, last*size), further(a, in), further(b, in&keep), further(c, in), step, keep)
			}
			if lines <= 1 {
				return
			}
			d, a = further(d, nextD), further(a, nextA)
			b, c = further(b, nextB), further(c, nextC)
		}
	}
}

// further returns the address after p at a distance. The parameter by is this distance in
// bytes.
func further(p *byte, by int) *byte { return (*byte)(unsafe.Add(unsafe.Pointer(p), by)) }

// conversionRows lists the NEON loops that convert elements to another format.
var conversionRows = []struct {
	from, to num.Format
	run      lineRun
}{
	{num.F32, num.F32, convertF32F32NEON},
	{num.F16, num.F32, convertF16F32NEON},
	{num.BF16, num.F32, convertBF16F32NEON},
	{num.F32, num.F16, convertF32F16NEON},
	{num.F32, num.BF16, convertF32BF16NEON},
	{num.S32, num.F32, convertS32F32NEON},
}
