// This file generates the logarithm.

package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Bits of the f32 constants that the function log32 in package ir/scalar uses. sqrtHalf
// is the square root of 1/2.
const sqrtHalf = 0x3F3504F3

var logSeries = [...]float64{0x1.555554fd9ad8bp-1, 0x1.999a7a8e80046p-2, 0x1.2438d6a222448p-2, 0x1.e2f689de2a1b5p-3}

// logState holds the constants of the logarithm. They are in registers for AVX-512, and
// in memory for AVX2, which has fewer registers.
type logState struct {
	base, mantissa, normal, scale, scaled, one, inf, least Op
	// two and ln2 are constants of type f64.
	two, ln2 Op
	series   [len(logSeries)]Op
}

func newLogState(v isa) *logState {
	s := &logState{
		base: v.lanes("sqrtHalf", sqrtHalf), mantissa: v.lanes("mantissa", 1<<23-1),
		normal: v.number("normal", 0x1p-126), scale: v.number("scale", 1<<24), scaled: v.number("scaled", -24),
		one: v.number("one32", 1), inf: v.number("inf32", float32(math.Inf(1))), least: v.number("least32", float32(math.Inf(-1))),
		two: v.double("two64", 2), ln2: v.double("ln2", math.Ln2),
	}
	for i, c := range logSeries {
		s.series[i] = v.double(fmt.Sprintf("log%d", i), c)
	}
	return s
}

// log emits code that computes the natural logarithm of each lane of x, with the same
// operations as ir/scalar. nan and zero are registers with these constants.
func (v isa) log(s *logState, nan, zero, x VecVirtual) VecVirtual {
	b, e, f, d := v.vec(), v.vec(), v.vec(), v.vec()
	VMULPS(s.scale, x, f)
	VMOVAPS(x, b)
	v.choose(below, x, s.normal, f, b)
	v.xor(e, e, e)
	v.choose(below, x, s.normal, s.scaled, e)
	VPSUBD(s.base, b, b)
	VPSRAD(Imm(23), b, d)
	VCVTDQ2PS(d, d)
	VADDPS(d, e, e)
	v.and(s.mantissa, b, b)
	VPADDD(s.base, b, f)
	VSUBPS(s.one, f, f)
	lowE, highE := v.split(e)
	lowF, highF := v.split(f)
	v.logHalf(s, lowE, lowF)
	v.logHalf(s, highE, highF)
	d = v.join(lowF, highF)
	v.choose(notBelow, x, s.inf, x, d) // infinity and NaN
	v.choose(below, x, zero, nan, d)
	v.choose(equal, x, zero, s.least, d)
	return d
}

// logHalf emits code for the last part of a logarithm, in f64. Each lane of the register
// e holds an exponent E, and the same lane of the register f holds a fraction F. The
// argument of the logarithm is 2^E * (1+F). The code computes E*ln 2 + log(1+F) by a
// polynomial and stores the result in f.
func (v isa) logHalf(s *logState, e, f VecVirtual) {
	q, z, p := v.vec(), v.vec(), v.vec()
	VADDPD(s.two, f, q)
	VDIVPD(q, f, q)
	VMULPD(q, q, z)
	VMOVAPD(s.series[len(logSeries)-1], p)
	for i := len(logSeries) - 2; i >= 0; i-- {
		VFMADD213PD(s.series[i], z, p)
	}
	VFMADD213PD(s.two, z, p)
	VMULPD(p, q, f)
	VFMADD231PD(s.ln2, e, f)
}
