// This file generates loops on floats.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// canonicalNaN is the bit pattern, in f32, that replaces every NaN in a result.
const canonicalNaN = 0x7FC00000

// format is a float format of elements in memory. The generated loops convert the
// elements to f32, compute in f32, and convert the results back.
type format struct {
	name  string
	bytes int
}

// formats are the float formats that the loops support.
var formats = []format{{"F32", 4}, {"F16", 2}, {"BF16", 2}}

// elems returns the number of f32 elements in a vector register of the instruction set v.
func (v isa) elems() int { return v.bytes / 4 }

// read emits code that loads elements of format f from memory at m, and converts them to
// f32.
func (f format) read(v isa, m Mem) VecVirtual {
	r := v.vec()
	switch f.name {
	case "F32", "S32":
		v.load(m, r)
	case "F16":
		VCVTPH2PS(m, r)
	case "BF16":
		VPMOVZXWD(m, r)
		VPSLLD(Imm(16), r, r)
	}
	return r
}

// rounder holds two vector registers with constants. The generated code needs them to
// round f32 elements to bf16.
type rounder struct{ one, most VecVirtual }

// rounder emits code that loads constants for rounding f32 elements to format f, and
// returns the registers. Only bf16 needs such constants, because x86 has instructions for
// the other formats.
func (f format) rounder(v isa) rounder {
	if f.name != "BF16" {
		return rounder{}
	}
	return rounder{v.word32("one", 1), v.word32("most", 0x7FFF)}
}

// bfloat emits code that rounds the f32 lanes of r to bf16, so that the upper 16 bits of
// each lane are the nearest bf16. The code adds 0x7FFF plus the lowest of the upper 16
// bits; the carry rounds the upper bits, and a tie goes to the even number. Every NaN in
// r must be the canonical NaN.
func (k rounder) bfloat(v isa, r VecVirtual) {
	odd := v.vec()
	VPSRLD(Imm(16), r, odd)
	v.and(k.one, odd, odd)
	VPADDD(k.most, r, r)
	VPADDD(odd, r, r)
}

// write emits code that converts the f32 lanes of r to the format f and stores them at m.
// The lanes must contain no NaN except the canonical one. The parameter k holds the
// constants for rounding to bf16. The code overwrites r.
func (f format) write(v isa, k rounder, r VecVirtual, m Mem) {
	switch f.name {
	case "F32", "S32":
		v.store(r, m)
	case "F16":
		VCVTPS2PH(Imm(0), r, m)
	case "BF16":
		k.bfloat(v, r)
		VPSRLD(Imm(16), r, r)
		v.storeWords(r, m)
	}
}

// storeWords emits a store of the lower 16 bits of each 32-bit lane of r.
func (v isa) storeWords(r VecVirtual, m Mem) {
	if v.wide() {
		VPMOVDW(r, m)
		return
	}
	VPACKUSDW(r, r, r) // within each half of the register
	VPERMQ(Imm(0x08), r, r)
	VMOVDQU(r.AsX(), m)
}

// round emits code that rounds the f32 lanes of r to the precision of format f. The lanes
// remain f32. The parameter nan is a register with the canonical NaN.
func (f format) round(v isa, k rounder, nan, r VecVirtual) {
	switch f.name {
	case "F16":
		h := v.half()
		VCVTPS2PH(Imm(0), r, h)
		VCVTPH2PS(h, r)
	case "BF16":
		v.canonical(r, nan)
		k.bfloat(v, r)
		VPSRLD(Imm(16), r, r)
		VPSLLD(Imm(16), r, r)
	}
}

// floatOp is an operation on f32 lanes. The generated loop replaces every NaN in its
// results by the canonical NaN.
type floatOp struct {
	// name is part of the name of the generated function, and doc of its comment.
	name string
	doc  string
	// arity is the number of operands.
	arity int
	// only is the name of the single format for which the loop is emitted, or "" for
	// all formats.
	only string
	// write emits the operation and returns the register with the result. It may
	// overwrite the operands.
	write func(v isa, s *floatState, x [3]VecVirtual) VecVirtual
	// together emits the operation for several vectors of the only operand, and
	// overwrites them with the results. Operations have it instead of write if each of
	// their instructions needs the result of the previous one.
	together func(v isa, s *floatState, xs []VecVirtual)
}

// floatState holds the constants of a loop on floats, in registers that keep them during
// the loop.
type floatState struct {
	format    format
	nan, zero VecVirtual
	one, inf  VecVirtual
	one64     VecVirtual
	exp       *expState
	log       *logState
	rounder
}

// floatOps lists the float operations, such as addition, for which this program generates
// loops.
var floatOps = []floatOp{
	{name: "add", doc: "is a + b", arity: 2, write: func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
		VADDPS(x[1], x[0], x[0])
		return x[0]
	}},
	{name: "sub", doc: "is a - b", arity: 2, write: func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
		VSUBPS(x[1], x[0], x[0])
		return x[0]
	}},
	{name: "mul", doc: "is a * b", arity: 2, write: func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
		VMULPS(x[1], x[0], x[0])
		return x[0]
	}},
	{name: "div", doc: "is a / b", arity: 2, write: func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
		VDIVPS(x[1], x[0], x[0])
		return x[0]
	}},
	{name: "max", doc: "is the maximum of IEEE 754-2019", arity: 2, write: func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
		return extreme(v, s, x, Imm(0b0101), func(a, b Op, d Op) { VMAXPS(a, b, d) }, v.and)
	}},
	{name: "min", doc: "is the minimum of IEEE 754-2019", arity: 2, write: func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
		return extreme(v, s, x, Imm(0b0100), func(a, b Op, d Op) { VMINPS(a, b, d) }, v.or)
	}},
	{name: "maxNumber", doc: "is the maximum of a and a number b other than 0", arity: 2, only: "F32", write: func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
		VMAXPS(x[0], x[1], x[0]) // a where it is NaN
		return x[0]
	}},
	{name: "minNumber", doc: "is the minimum of a and a number b other than 0", arity: 2, only: "F32", write: func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
		VMINPS(x[0], x[1], x[0])
		return x[0]
	}},
	{name: "relu", doc: "is the maximum of a and +0", arity: 1, write: func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
		// The second operand of the machine's maximum is the result for zeros
		// and for NaN.
		r := v.vec()
		VMAXPS(s.zero, x[0], r)
		v.choose(unordered, x[0], x[0], x[0], r)
		return r
	}},
	{name: "leaky", doc: "is a where a >= 0, else a * b", arity: 2, write: leaky(atLeast)},
	{name: "leakyAbove", doc: "is a where a > 0, else a * b", arity: 2, write: leaky(above)},
	{name: "sqrt", doc: "is the square root of a", arity: 1, write: func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
		VSQRTPS(x[0], x[0])
		return x[0]
	}},
	{name: "recip", doc: "is 1 / a", arity: 1, write: func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
		VDIVPS(x[0], s.one, x[0])
		return x[0]
	}},
	{name: "rsqrt", doc: "is 1 / sqrt(a), with the bits of f64 between", arity: 1, write: func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
		if s.format.bytes == 4 {
			v.inHalves(x[:1], func(halves []VecVirtual) {
				for _, d := range halves {
					VSQRTPD(d, d)
					VDIVPD(d, s.one64, d)
				}
			})
			return x[0]
		}
		VSQRTPS(x[0], x[0]) // f32 is precise enough for the result in f16
		VDIVPS(x[0], s.one, x[0])
		return x[0]
	}},
	{name: "exp", doc: "is e to the power of a", arity: 1, together: func(v isa, s *floatState, xs []VecVirtual) {
		v.exp(s.exp, xs)
	}},
	{name: "log", doc: "is the natural logarithm of a", arity: 1, together: func(v isa, s *floatState, xs []VecVirtual) {
		v.log(s.log, s.nan, s.zero, xs)
	}},
	{name: "mulAdd", doc: "is a * b, rounded, + c", arity: 3, write: func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
		VMULPS(x[1], x[0], x[0])
		s.format.round(v, s.rounder, s.nan, x[0])
		VADDPS(x[2], x[0], x[0])
		return x[0]
	}},
	{name: "divRecip", doc: "is a * (1 / b), both rounded, where 1 / 0 is +inf", arity: 2, write: func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
		r := v.vec()
		VDIVPS(x[1], s.one, r)
		v.choose(equal, x[1], s.zero, s.inf, r)
		s.format.round(v, s.rounder, s.nan, r)
		VMULPS(r, x[0], x[0])
		return x[0]
	}},
	{name: "fma", doc: "is a * b + c, rounded once", arity: 3, only: "F32", write: func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
		VFMADD231PS(x[1], x[0], x[2])
		return x[2]
	}},
}

// extreme emits a maximum or minimum of x[0] and x[1]. If an operand is NaN, the result
// is the canonical NaN. x[2] is not used.
//
// With AVX-512, extreme emits the instruction VRANGEPS, with mode as its immediate
// operand. Without AVX-512, it uses the x86 instruction for the maximum or minimum of two
// operands, which the function gather emits. For two zeros of different sign, the result
// of this instruction depends on the order of the operands. extreme therefore emits the
// instruction for both orders. The function merge then emits code that combines the signs
// of the two results.
func extreme(v isa, s *floatState, x [3]VecVirtual, mode Op, gather func(a, b, d Op), merge func(a, b Op, d VecVirtual)) VecVirtual {
	r := v.vec()
	if v.wide() {
		VRANGEPS(mode, x[1], x[0], r)
	} else {
		q := v.vec()
		gather(x[1], x[0], r)
		gather(x[0], x[1], q)
		merge(q, r, r)
	}
	v.choose(unordered, x[0], x[1], s.nan, r)
	return r
}

// inHalves emits code that computes with the f32 lanes of the vectors xs in f64, and
// stores the results in xs. The code converts the lanes of each vector to two vectors of
// f64, because f64 needs twice the space. It then executes the code that the function
// step emits for all these vectors, and converts the results back to f32.
func (v isa) inHalves(xs []VecVirtual, step func(halves []VecVirtual)) {
	var halves []VecVirtual
	for _, x := range xs {
		low, high := v.split(x)
		halves = append(halves, low, high)
	}
	step(halves)
	for i := range xs {
		xs[i] = v.join(halves[2*i], halves[2*i+1])
	}
}

// split emits code that converts the two halves of the f32 vector x to two vectors of
// f64.
func (v isa) split(x VecVirtual) (low, high VecVirtual) {
	low, high = v.vec(), v.vec()
	upper := v.half()
	VCVTPS2PD(v.lower(x), low)
	if v.wide() {
		VEXTRACTF64X4(Imm(1), x, upper)
	} else {
		VEXTRACTF128(Imm(1), x, upper)
	}
	VCVTPS2PD(upper, high)
	return low, high
}

// join emits code that rounds two vectors of f64 to f32. The parameter low becomes the
// lower half of the resulting vector of f32, and the parameter high becomes the upper
// half.
func (v isa) join(low, high VecVirtual) VecVirtual {
	r, upper := v.vec(), v.half()
	if v.wide() {
		VCVTPD2PS(low, v.lower(r))
		VCVTPD2PS(high, upper)
		VINSERTF64X4(Imm(1), upper, r, r)
	} else {
		VCVTPD2PSY(low, v.lower(r))
		VCVTPD2PSY(high, upper)
		VINSERTF128(Imm(1), upper, r, r)
	}
	return r
}

// lower returns the register that is the lower half of the vector register r, for example
// XMM0 for YMM0.
func (v isa) lower(r VecVirtual) Register {
	if v.wide() {
		return r.AsY()
	}
	return r.AsX()
}

// floatLoops generates the loops of all float operations for all formats.
func floatLoops(v isa) {
	for _, op := range floatOps {
		for _, f := range formats {
			if op.only != "" && op.only != f.name {
				continue
			}
			floatLoop(v, op, f)
		}
	}
}

// floatLoop generates the loop of the operation op for the format f.
func floatLoop(v isa, op floatOp, f format) {
	s := &floatState{format: f}
	sizes := [4]int{f.bytes}
	for i := range op.arity {
		sizes[a+i] = f.bytes
	}
	unroll := v.unroll()
	if op.together != nil {
		unroll = 2
	}
	v.rowFuncOf(unroll, op.name+f.name, op.doc, func() { s.setUp(v, op.name) }, v.elems(), sizes, func(l *loop, vectors int) {
		if op.together != nil {
			op.vectors(v, s, l, vectors)
			return
		}
		for k := range vectors {
			op.vector(v, s, l, k)
		}
	})
}

// setUp emits code that loads the constants of the named operation.
func (s *floatState) setUp(v isa, op string) {
	s.nan, s.zero = v.word32("nan", canonicalNaN), v.zero()
	switch op {
	case "exp":
		s.exp = newExpState(v)
	case "log":
		s.log = newLogState(v)
	case "recip":
		s.one = v.word32("f32one", 0x3F800000)
	case "rsqrt":
		if s.one = v.word32("f32one", 0x3F800000); s.format.bytes == 4 {
			s.one64 = v.vec()
			VCVTPS2PD(v.lower(s.one), s.one64)
		}
	case "divRecip":
		s.one, s.inf = v.word32("f32one", 0x3F800000), v.word32("f32inf", 0x7F800000)
	}
	s.rounder = s.format.rounder(v)
}

// vector emits the operation for the vector with index k of an iteration.
func (op *floatOp) vector(v isa, s *floatState, l *loop, k int) {
	var x [3]VecVirtual
	for i := range op.arity {
		x[i] = s.format.read(v, l.at(a+i, k))
	}
	r := op.write(v, s, x)
	if op.name != "max" && op.name != "min" { // their NaN is canonical already
		v.canonical(r, s.nan)
	}
	s.format.write(v, s.rounder, r, l.at(d, k))
}

// vectors emits the operation for all vectors of an iteration.
func (op *floatOp) vectors(v isa, s *floatState, l *loop, vectors int) {
	var xs []VecVirtual
	for k := range vectors {
		xs = append(xs, s.format.read(v, l.at(a, k)))
	}
	op.together(v, s, xs)
	for k, x := range xs {
		v.canonical(x, s.nan)
		s.format.write(v, s.rounder, x, l.at(d, k))
	}
}

// leaky returns a function that emits code for the leaky ReLU. The emitted code compares
// each element of the register x[0] with 0, using the predicate in the parameter keeps:
// above (greater) or atLeast (greater or equal). If the comparison is true, the result is
// the element itself. Otherwise the result is the product of this element and the
// corresponding element of x[1].
func leaky(keeps uint64) func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
	return func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
		r := v.vec()
		VMULPS(x[1], x[0], r)
		v.choose(keeps, x[0], s.zero, x[0], r)
		return r
	}
}
