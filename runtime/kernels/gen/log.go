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

// logState holds the constants of the logarithm. With AVX-512, those are in registers that
// a masked move reads or that the polynomial needs. All others are in memory.
type logState struct {
	base, mantissa, normal, scale, scaled, one, inf, least Op
	// two and ln2 are constants of type f64.
	two, ln2 Op
	series   [len(logSeries)]Op
}

func newLogState(v isa) *logState {
	s := &logState{
		base: whole("sqrtHalf", sqrtHalf), mantissa: whole("mantissa", 1<<23-1),
		normal: whole("normal", math.Float32bits(0x1p-126)), scale: whole("scale", math.Float32bits(1<<24)),
		scaled: v.number("scaled", -24), one: whole("one32", math.Float32bits(1)),
		inf: v.number("inf32", float32(math.Inf(1))), least: v.number("least32", float32(math.Inf(-1))),
		two: v.double("two64", 2), ln2: v.double("ln2", math.Ln2),
	}
	for i, c := range logSeries {
		s.series[i] = v.double(fmt.Sprintf("log%d", i), c)
	}
	return s
}

// log emits code that computes the natural logarithm of each lane of the vectors xs, with
// the same operations as ir/scalar. nan and zero are registers with these constants.
func (v isa) log(s *logState, nan, zero VecVirtual, xs []VecVirtual) {
	for i, x := range xs {
		e, f := v.logParts(s, x)
		lowE, highE := v.split(e)
		lowF, highF := v.split(f)
		v.logHalves(s, []VecVirtual{lowE, highE}, []VecVirtual{lowF, highF})
		d := v.join(lowF, highF)
		v.choose(notBelow, x, s.inf, x, d) // infinity and NaN
		v.choose(below, x, zero, nan, d)
		v.choose(equal, x, zero, s.least, d)
		xs[i] = d
	}
}

// logParts emits code that divides each positive lane of x into 2^E * (1+F). It returns
// the registers with E and F.
func (v isa) logParts(s *logState, x VecVirtual) (e, f VecVirtual) {
	b, d := v.vec(), v.vec()
	e, f = v.vec(), v.vec()
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
	return e, f
}

// logHalves emits code for the last part of logarithms, in f64. Each lane of the
// registers e holds an exponent E, and the same lane of the registers f holds a fraction
// F. The argument of the logarithm is 2^E * (1+F). The code computes E*ln 2 + log(1+F) by
// a polynomial and stores the result in f. It alternates between the vectors, as exp does.
func (v isa) logHalves(s *logState, e, f []VecVirtual) {
	q, z, p := v.like(f), v.like(f), v.like(f)
	each(f, func(i int) { VADDPD(s.two, f[i], q[i]) })
	each(f, func(i int) { VDIVPD(q[i], f[i], q[i]) })
	each(f, func(i int) { VMULPD(q[i], q[i], z[i]) })
	each(f, func(i int) { VMOVAPD(s.series[len(logSeries)-1], p[i]) })
	for k := len(logSeries) - 2; k >= 0; k-- {
		each(f, func(i int) { VFMADD213PD(s.series[k], z[i], p[i]) })
	}
	each(f, func(i int) { VFMADD213PD(s.two, z[i], p[i]) })
	each(f, func(i int) { VMULPD(p[i], q[i], f[i]) })
	each(f, func(i int) { VFMADD231PD(s.ln2, e[i], f[i]) })
}
