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

// expState holds the constants of the exponential function. Most of them are in registers
// for AVX-512, and in memory for AVX2, which has fewer registers.
type expState struct {
	most, least                VecVirtual
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
		most: v.word32("expMost", math.Float32bits(expMax)), least: v.word32("expLeast", math.Float32bits(expMin)),
		log2E: v.double("log2E", math.Log2E), nearest: v.double("toNearest", toNearest),
		minus: v.double("minusLn2", -math.Ln2), one: v.double("one64", 1),
	}
	for i, c := range expSeries {
		s.series[i] = v.double(fmt.Sprintf("exp%d", i), c)
	}
	return s
}

// exp emits code that computes the exponential of each lane of x, with the same
// operations as package ir/scalar. The code first limits x to a range from s.least to
// s.most, so that the following operations do not leave the range of their formats. The
// minimum and maximum instructions of x86 return their second source operand if an
// operand is NaN. The emitted code uses x as this operand, so a NaN in x stays NaN.
func (v isa) exp(s *expState, x VecVirtual) VecVirtual {
	VMINPS(x, s.most, x)
	VMAXPS(x, s.least, x)
	return v.inHalves(x, func(y VecVirtual) {
		sum, k, p := v.vec(), v.vec(), v.vec()
		VMOVAPD(s.nearest, sum)
		VFMADD231PD(s.log2E, y, sum)
		VSUBPD(s.nearest, sum, k)
		VFMADD231PD(s.minus, k, y)
		VMOVAPD(s.series[len(expSeries)-1], p)
		for i := len(expSeries) - 2; i >= 0; i-- {
			VFMADD213PD(s.series[i], y, p)
		}
		VFMADD213PD(s.one, y, p)
		VFMADD213PD(s.one, y, p)
		VPSLLQ(Imm(52), sum, sum) // the integer stands in the low bits
		VPADDQ(p, sum, y)
	})
}
