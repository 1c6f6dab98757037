// This file lists the elementwise loops of amd64.

package kernels

import (
	"sync"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// loops returns the loops of AVX2 and of AVX-512, by key. It builds the table on first
// use, because a tool that executes nothing does not need it.
var loops = sync.OnceValue(func() (t [2]map[key]Loop) {
	for i := range t {
		t[i] = map[key]Loop{}
	}
	enter := func(k key, from num.Format, arity int, step int, runs [2]run) {
		for i, r := range runs {
			l := Loop{run: r, step: step << i, arity: arity, size: k.f.Bytes(), from: from.Bytes()}
			if i > 0 {
				narrow := t[i-1][k]
				l.narrow = &narrow
			}
			t[i][k] = l
		}
	}
	for _, r := range floatRows {
		for i, f := range []num.Format{num.F32, num.F16, num.BF16} {
			if r.runs[i][0] != nil {
				enter(key{fn: r.fn, f: f}, f, r.fn.Arity, 8, r.runs[i])
			}
		}
	}
	for _, r := range numberRows {
		for i, number := range r.runs {
			l := t[i][key{fn: r.fn, f: num.F32}]
			l.number = number
			t[i][key{fn: r.fn, f: num.F32}] = l
		}
	}
	for _, r := range signRows {
		for _, f := range []num.Format{num.F16, num.BF16} {
			enter(key{fn: r.fn, f: f}, f, 1, 16, r.runs)
		}
	}
	for _, r := range integerRows {
		for _, f := range r.formats {
			enter(key{fn: r.fn, f: f}, f, r.fn.Arity, 32/f.Bytes(), r.runs)
		}
	}
	for _, r := range bitRows {
		for _, f := range []num.Format{num.S8, num.U8, num.S16, num.U16, num.S32, num.U32, num.S64, num.U64} {
			enter(key{fn: r.fn, f: f}, f, 2, 32/f.Bytes(), [2]run{inBytes(r.runs[0], f.Bytes()), inBytes(r.runs[1], f.Bytes())})
		}
	}
	for _, r := range conversionRows {
		enter(key{f: r.to, from: r.from, sat: r.sat, zero: r.zero}, r.from, 1, 8, r.runs)
	}
	return t
})

// floatRows lists the assembly loops on f32, f16 and bf16 with the functions that they
// compute, for AVX2 and AVX-512.
var floatRows = []struct {
	fn   *scalar.Fn
	runs [3][2]run
}{
	{scalar.Add, [3][2]run{{addF32AVX2, addF32AVX512}, {addF16AVX2, addF16AVX512}, {addBF16AVX2, addBF16AVX512}}},
	{scalar.Sub, [3][2]run{{subF32AVX2, subF32AVX512}, {subF16AVX2, subF16AVX512}, {subBF16AVX2, subBF16AVX512}}},
	{scalar.Mul, [3][2]run{{mulF32AVX2, mulF32AVX512}, {mulF16AVX2, mulF16AVX512}, {mulBF16AVX2, mulBF16AVX512}}},
	{scalar.Div, [3][2]run{{divF32AVX2, divF32AVX512}, {divF16AVX2, divF16AVX512}, {divBF16AVX2, divBF16AVX512}}},
	{scalar.DivRecip, [3][2]run{{divRecipF32AVX2, divRecipF32AVX512}, {divRecipF16AVX2, divRecipF16AVX512}, {divRecipBF16AVX2, divRecipBF16AVX512}}},
	{scalar.Max, [3][2]run{{maxF32AVX2, maxF32AVX512}, {maxF16AVX2, maxF16AVX512}, {maxBF16AVX2, maxBF16AVX512}}},
	{scalar.Min, [3][2]run{{minF32AVX2, minF32AVX512}, {minF16AVX2, minF16AVX512}, {minBF16AVX2, minBF16AVX512}}},
	{scalar.Relu, [3][2]run{{reluF32AVX2, reluF32AVX512}, {reluF16AVX2, reluF16AVX512}, {reluBF16AVX2, reluBF16AVX512}}},
	{scalar.LRelu, [3][2]run{{leakyF32AVX2, leakyF32AVX512}, {leakyF16AVX2, leakyF16AVX512}, {leakyBF16AVX2, leakyBF16AVX512}}},
	{scalar.PreluAbove, [3][2]run{{leakyAboveF32AVX2, leakyAboveF32AVX512}, {leakyAboveF16AVX2, leakyAboveF16AVX512}, {leakyAboveBF16AVX2, leakyAboveBF16AVX512}}},
	{scalar.Prelu, [3][2]run{{leakyF32AVX2, leakyF32AVX512}, {leakyF16AVX2, leakyF16AVX512}, {leakyBF16AVX2, leakyBF16AVX512}}},
	{scalar.Sqrt, [3][2]run{{sqrtF32AVX2, sqrtF32AVX512}, {sqrtF16AVX2, sqrtF16AVX512}, {sqrtBF16AVX2, sqrtBF16AVX512}}},
	{scalar.Recip, [3][2]run{{recipF32AVX2, recipF32AVX512}, {recipF16AVX2, recipF16AVX512}, {recipBF16AVX2, recipBF16AVX512}}},
	{scalar.Rsqrt, [3][2]run{{rsqrtF32AVX2, rsqrtF32AVX512}, {rsqrtF16AVX2, rsqrtF16AVX512}, {rsqrtBF16AVX2, rsqrtBF16AVX512}}},
	{scalar.Exp, [3][2]run{{expF32AVX2, expF32AVX512}, {expF16AVX2, expF16AVX512}, {expBF16AVX2, expBF16AVX512}}},
	{scalar.Log, [3][2]run{{logF32AVX2, logF32AVX512}, {logF16AVX2, logF16AVX512}, {logBF16AVX2, logBF16AVX512}}},
	{scalar.MulAdd, [3][2]run{{mulAddF32AVX2, mulAddF32AVX512}, {mulAddF16AVX2, mulAddF16AVX512}, {mulAddBF16AVX2, mulAddBF16AVX512}}},
	{scalar.Fma, [3][2]run{{fmaF32AVX2, fmaF32AVX512}}},
	{scalar.Axpy, [3][2]run{{fmaF32AVX2, fmaF32AVX512}}},
	{scalar.Abs, [3][2]run{{absF32AVX2, absF32AVX512}}},
	{scalar.Neg, [3][2]run{{negF32AVX2, negF32AVX512}}},
}

// signRows lists the loops that change only the signs of f16 and bf16. They do not
// convert to f32, so they process twice as many elements per vector as the other loops.
var signRows = []struct {
	fn   *scalar.Fn
	runs [2]run
}{
	{scalar.Abs, [2]run{abs16AVX2, abs16AVX512}},
	{scalar.Neg, [2]run{neg16AVX2, neg16AVX512}},
}

// integerRows lists the assembly loops on integers with the functions that they compute,
// for AVX2 and AVX-512.
var integerRows = []struct {
	fn      *scalar.Fn
	formats []num.Format
	runs    [2]run
}{
	{scalar.Add, []num.Format{num.S8, num.U8}, [2]run{addI8AVX2, addI8AVX512}},
	{scalar.Add, []num.Format{num.S16, num.U16}, [2]run{addI16AVX2, addI16AVX512}},
	{scalar.Add, []num.Format{num.S32, num.U32}, [2]run{addI32AVX2, addI32AVX512}},
	{scalar.Sub, []num.Format{num.S8, num.U8}, [2]run{subI8AVX2, subI8AVX512}},
	{scalar.Sub, []num.Format{num.S16, num.U16}, [2]run{subI16AVX2, subI16AVX512}},
	{scalar.Sub, []num.Format{num.S32, num.U32}, [2]run{subI32AVX2, subI32AVX512}},
	{scalar.Mul, []num.Format{num.S16, num.U16}, [2]run{mulI16AVX2, mulI16AVX512}},
	{scalar.Mul, []num.Format{num.S32, num.U32}, [2]run{mulI32AVX2, mulI32AVX512}},
	{scalar.Max, []num.Format{num.S8}, [2]run{maxS8AVX2, maxS8AVX512}},
	{scalar.Max, []num.Format{num.S16}, [2]run{maxS16AVX2, maxS16AVX512}},
	{scalar.Max, []num.Format{num.S32}, [2]run{maxS32AVX2, maxS32AVX512}},
	{scalar.Max, []num.Format{num.U8}, [2]run{maxU8AVX2, maxU8AVX512}},
	{scalar.Max, []num.Format{num.U16}, [2]run{maxU16AVX2, maxU16AVX512}},
	{scalar.Max, []num.Format{num.U32}, [2]run{maxU32AVX2, maxU32AVX512}},
	{scalar.Min, []num.Format{num.S8}, [2]run{minS8AVX2, minS8AVX512}},
	{scalar.Min, []num.Format{num.S16}, [2]run{minS16AVX2, minS16AVX512}},
	{scalar.Min, []num.Format{num.S32}, [2]run{minS32AVX2, minS32AVX512}},
	{scalar.Min, []num.Format{num.U8}, [2]run{minU8AVX2, minU8AVX512}},
	{scalar.Min, []num.Format{num.U16}, [2]run{minU16AVX2, minU16AVX512}},
	{scalar.Min, []num.Format{num.U32}, [2]run{minU32AVX2, minU32AVX512}},
}

// bitRows lists the assembly loops for bitwise functions such as AND. Their length
// parameter counts bytes instead of elements, so one loop serves all element sizes.
var bitRows = []struct {
	fn   *scalar.Fn
	runs [2]run
}{
	{scalar.And, [2]run{andBitsAVX2, andBitsAVX512}},
	{scalar.Or, [2]run{orBitsAVX2, orBitsAVX512}},
	{scalar.Xor, [2]run{xorBitsAVX2, xorBitsAVX512}},
}

// numberRows lists assembly loops for AVX2 and AVX-512. They are for functions of two
// operands whose second operand is the same number for all elements (see the field
// Loop.number).
var numberRows = []struct {
	fn   *scalar.Fn
	runs [2]run
}{
	{scalar.Max, [2]run{maxNumberF32AVX2, maxNumberF32AVX512}},
	{scalar.Min, [2]run{minNumberF32AVX2, minNumberF32AVX512}},
}

// inBytes converts a loop whose length parameter counts bytes, the parameter r, into a
// loop whose length parameter counts elements of size bytes.
func inBytes(r run, size int) run {
	return func(d, a, b, c *byte, n, keep, lines, nextD, nextA, nextB, nextC int) {
		r(d, a, b, c, n*size, keep, lines, nextD, nextA, nextB, nextC)
	}
}

// conversionRows lists the loops that convert elements to another format, for AVX2 and
// AVX-512.
var conversionRows = []struct {
	from, to  num.Format
	sat, zero bool
	runs      [2]run
}{
	{num.F32, num.F32, false, false, [2]run{convertF32F32AVX2, convertF32F32AVX512}},
	{num.F16, num.F32, false, false, [2]run{convertF16F32AVX2, convertF16F32AVX512}},
	{num.BF16, num.F32, false, false, [2]run{convertBF16F32AVX2, convertBF16F32AVX512}},
	{num.F32, num.F16, false, false, [2]run{convertF32F16AVX2, convertF32F16AVX512}},
	{num.F32, num.BF16, false, false, [2]run{convertF32BF16AVX2, convertF32BF16AVX512}},
	{num.F32, num.F16, true, false, [2]run{convertF32F16SatAVX2, convertF32F16SatAVX512}},
	{num.F32, num.BF16, true, false, [2]run{convertF32BF16SatAVX2, convertF32BF16SatAVX512}},
	{num.F32, num.F16, true, true, [2]run{convertF32F16SatZeroAVX2, convertF32F16SatZeroAVX512}},
	{num.F32, num.BF16, true, true, [2]run{convertF32BF16SatZeroAVX2, convertF32BF16SatZeroAVX512}},
	{num.S32, num.F32, false, false, [2]run{convertS32F32AVX2, convertS32F32AVX512}},
	{num.S16, num.F32, false, false, [2]run{convertS16F32AVX2, convertS16F32AVX512}},
	{num.U16, num.F32, false, false, [2]run{convertU16F32AVX2, convertU16F32AVX512}},
	{num.S8, num.F32, false, false, [2]run{convertS8F32AVX2, convertS8F32AVX512}},
	{num.U8, num.F32, false, false, [2]run{convertU8F32AVX2, convertU8F32AVX512}},
	{num.S32, num.F16, false, false, [2]run{convertS32F16AVX2, convertS32F16AVX512}},
	{num.S16, num.F16, false, false, [2]run{convertS16F16AVX2, convertS16F16AVX512}},
	{num.U16, num.F16, false, false, [2]run{convertU16F16AVX2, convertU16F16AVX512}},
	{num.S8, num.F16, false, false, [2]run{convertS8F16AVX2, convertS8F16AVX512}},
	{num.U8, num.F16, false, false, [2]run{convertU8F16AVX2, convertU8F16AVX512}},
}

// toIntegers contains the loops of AVX2 and AVX-512 that convert floats to integers of 1,
// 2 and 4 bytes.
var toIntegers = [2]map[num.Format][3]toIntegerRun{
	{
		num.F32:  {convertF32Int8AVX2, convertF32Int16AVX2, convertF32Int32AVX2},
		num.F16:  {convertF16Int8AVX2, convertF16Int16AVX2, convertF16Int32AVX2},
		num.BF16: {convertBF16Int8AVX2, convertBF16Int16AVX2, convertBF16Int32AVX2},
	},
	{
		num.F32:  {convertF32Int8AVX512, convertF32Int16AVX512, convertF32Int32AVX512},
		num.F16:  {convertF16Int8AVX512, convertF16Int16AVX512, convertF16Int32AVX512},
		num.BF16: {convertBF16Int8AVX512, convertBF16Int16AVX512, convertBF16Int32AVX512},
	},
}

// broadcasts contains the assembly loops of AVX2 and AVX-512 that fill memory with copies
// of an element, by element size in bytes.
var broadcasts = [2][9]func(d, a *byte, step, pitch, n, lines int){
	{1: broadcast8AVX2, 2: broadcast16AVX2, 4: broadcast32AVX2, 8: broadcast64AVX2},
	{1: broadcast8AVX512, 2: broadcast16AVX512, 4: broadcast32AVX512, 8: broadcast64AVX512},
}

// compares contains the assembly loops that compare elements. The first list contains the
// loops of AVX2, and the second list those of AVX-512; the number format is the index in
// a list.
var compares = [2][]compareRun{
	{
		num.F32: compareF32AVX2, num.F16: compareF16AVX2, num.BF16: compareBF16AVX2, num.S32: compareS32AVX2,
		num.S16: compareS16AVX2, num.U16: compareU16AVX2, num.S8: compareS8AVX2, num.U8: compareU8AVX2,
	},
	{
		num.F32: compareF32AVX512, num.F16: compareF16AVX512, num.BF16: compareBF16AVX512, num.S32: compareS32AVX512,
		num.S16: compareS16AVX512, num.U16: compareU16AVX512, num.S8: compareS8AVX512, num.U8: compareU8AVX512,
	},
}

// selects contains the selection loops of AVX2 and of AVX-512, for elements of 2 and of 4
// bytes.
var selects = [2][2]func(d, bits, a, b *byte, n int){
	{select16AVX2, select32AVX2},
	{select16AVX512, select32AVX512},
}

// gathers contains the gather loops, by the number of bytes of an element and of an
// index.
var gathers = [5][5]gatherRun{
	1: {2: gather8By16, 4: gather8By32},
	2: {2: gather16By16, 4: gather16By32},
	4: {2: gather32By16, 4: gather32By32},
}

// These are the assembly loops that the function SumRows calls, for each instruction set
// level and each element format.
var (
	// sumRowsF32 and sumRowsF16 are the loops of SumRows for each instruction set level.
	// There are none for the level None.
	sumRowsF32 = [...]reduceRun{AVX2: sumRowsF32AVX2, AVX512: sumRowsF32AVX512}
	sumRowsF16 = [...]reduceRun{AVX2: sumRowsF16AVX2, AVX512: sumRowsF16AVX2}
)

// sumEighths is the assembly loop that the function SumEighths calls on every amd64
// processor with vector loops. It is written for AVX2, and processors with AVX-512 use it
// as well.
var sumEighths reduceRun = sumEighthsF32AVX2

// transposes contains the loops for elements of 2 and of 4 bytes. Loops that process more
// rows at once come first.
var transposes = [5][]transpose{
	2: {{AVX2, 16, transpose16Rows16}, {AVX2, 8, transpose16Rows8}},
	4: {{AVX512, 16, transpose32AVX512}, {AVX2, 8, transpose32AVX2}},
}

// blockRuns contains the loops that copy blocks, by the number of 32 bytes in a block.
var blockRuns = [4]func(d, a *byte, rows, cols, downD, acrossD, downA, acrossA int){1: blocks32, 2: blocks64}

// panels contains the matrix product loops of AVX2 and AVX-512 for each kind of
// arithmetic.
var panels = [2][3]panel{
	{
		Fused:    {matmulFused4AVX2, matmulFused1AVX2, 4, 16},
		Apart:    {matmulApart4AVX2, matmulApart1AVX2, 4, 16},
		Integers: {matmulInt4AVX2, matmulInt1AVX2, 4, 16},
	},
	{
		Fused:    {matmulFused8AVX512, matmulFused1AVX512, 8, 32},
		Apart:    {matmulApart8AVX512, matmulApart1AVX512, 8, 32},
		Integers: {matmulInt8AVX512, matmulInt1AVX512, 8, 32},
	},
}

// panelOf returns the loops for matrix products in vector instructions of the given
// level. The parameter how selects the arithmetic with which they add up terms. The
// result is empty if the level is None.
func panelOf(how Arithmetic, level Level) panel {
	if level == None {
		return panel{}
	}
	return panels[level-1][how]
}
