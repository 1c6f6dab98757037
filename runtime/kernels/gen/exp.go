// This file generates the exponential.

package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// These are the constants of the exponential function. The function exp32 in package
// ir/scalar has the same constants, so that both compute the same bits.
const (
	toNearest = 0x1.8p52
	expMax    = 89
	expMin    = -104
)

// expSeries holds the coefficients of the polynomial for the exponential function. The
// function exp32 in package ir/scalar has the same coefficients, so that both compute the
// same bits.
var expSeries = [...]float64{
	0x1.0000003a23776p-1, 0x1.555554433c130p-3, 0x1.55548dc496160p-5, 0x1.111270b2f4d69p-7,
	0x1.6d8d06d6c3178p-10, 0x1.9f089646e1d48p-13,
}

// expState holds the constants of the exponential function: in registers for AVX-512, and
// in memory for AVX2, which has fewer registers.
type expState struct {
	most, least                Op
	log2E, nearest, minus, one Op
	series                     [len(expSeries)]Op
}

// number returns an operand in which every lane is the f32 constant x. name identifies
// the constant.
func (v isa) number(name string, x float32) Op { return v.lanes(name, math.Float32bits(x)) }

// lanes returns an operand in which every 32-bit lane has the given bits: a register for
// AVX-512, and memory for AVX2, which has fewer registers.
func (v isa) lanes(name string, bits uint32) Op {
	if v.wide() {
		return v.word32(name, bits)
	}
	return whole(name, bits)
}

// double returns an operand in which every lane is the f64 constant x. name identifies
// the constant.
func (v isa) double(name string, x float64) Op {
	bits := math.Float64bits(x)
	if !v.wide() {
		return whole64(name, bits)
	}
	r := v.vec()
	VBROADCASTSD(long(name, bits), r)
	return r
}

// newExpState emits code that loads the constants of the exponential function.
func newExpState(v isa) *expState {
	s := &expState{
		most: v.number("expMost", expMax), least: v.number("expLeast", expMin),
		log2E: v.double("log2E", math.Log2E), nearest: v.double("toNearest", toNearest),
		minus: v.double("minusLn2", -math.Ln2), one: v.double("one64", 1),
	}
	for i, c := range expSeries {
		s.series[i] = v.double(fmt.Sprintf("exp%d", i), c)
	}
	return s
}

// exp emits code that computes the exponential of each lane of the vectors xs, with the
// same operations as package ir/scalar. The code first limits the lanes to a range from
// s.least to s.most, so that the following operations do not leave the range of their
// formats. The minimum and maximum instructions of x86 return their second source operand
// if an operand is NaN. The emitted code uses x as this operand, so a NaN stays NaN.
//
// Each instruction needs the result of the previous one for the same vector. The code
// therefore alternates between the vectors, so that the processor can execute an
// instruction while it waits for the result of another.
func (v isa) exp(s *expState, xs []VecVirtual) {
	most, least := v.held(s.most), v.held(s.least)
	for _, x := range xs {
		VMINPS(x, most, x)
		VMAXPS(x, least, x)
	}
	v.inHalves(xs, func(y []VecVirtual) {
		sum, p := v.like(y), v.like(y)
		nearest, log2E := v.held(s.nearest), v.held(s.log2E)
		each(y, func(i int) { VMOVAPD(nearest, sum[i]) })
		each(y, func(i int) { VFMADD231PD(log2E, y[i], sum[i]) })
		each(y, func(i int) { VSUBPD(nearest, sum[i], p[i]) })
		minus := v.held(s.minus)
		each(y, func(i int) { VFMADD231PD(minus, p[i], y[i]) })
		each(y, func(i int) { VMOVAPD(s.series[len(expSeries)-1], p[i]) })
		for k := len(expSeries) - 2; k >= 0; k-- {
			c := v.held(s.series[k])
			each(y, func(i int) { VFMADD213PD(c, y[i], p[i]) })
		}
		one := v.held(s.one)
		each(y, func(i int) { VFMADD213PD(one, y[i], p[i]) })
		each(y, func(i int) { VFMADD213PD(one, y[i], p[i]) })
		each(y, func(i int) { VPSLLQ(Imm(52), sum[i], sum[i]) }) // the integer stands in the low bits
		each(y, func(i int) { VPADDQ(p[i], sum[i], y[i]) })
	})
}

// held returns a register that contains the constant x. If x is in memory, held emits
// code that loads it. One load for the instructions of several vectors is faster than a
// memory operand in each of them.
func (v isa) held(x Op) VecVirtual {
	if r, ok := x.(VecVirtual); ok {
		return r
	}
	r := v.vec()
	VMOVAPD(x, r)
	return r
}

// each calls emit for the index of each vector of xs.
func each(xs []VecVirtual, emit func(i int)) {
	for i := range xs {
		emit(i)
	}
}

// like returns as many new vector registers as xs has.
func (v isa) like(xs []VecVirtual) []VecVirtual {
	rs := make([]VecVirtual, len(xs))
	for i := range rs {
		rs[i] = v.vec()
	}
	return rs
}
