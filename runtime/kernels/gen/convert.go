// This file generates conversion loops.

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// conversions generates the conversions between number formats, rounded to nearest even.
// Saturating conversions to f16 and bf16 first limit magnitudes to the largest number.
// They exist in two variants: one converts every NaN to zero, and the other to the
// canonical NaN. All other conversions to floats convert every NaN to the canonical NaN.
func conversions(v isa) {
	f32, f16, bf16 := formats[0], formats[1], formats[2]
	conversion(v, f32, f32, 0, false)
	conversion(v, f16, f32, 0, false)
	conversion(v, bf16, f32, 0, false)
	conversion(v, f32, f16, 0, false)
	conversion(v, f32, bf16, 0, false)
	for _, zero := range []bool{false, true} {
		conversion(v, f32, f16, 0x477FE000, zero)
		conversion(v, f32, bf16, 0x7F7F0000, zero)
	}
	for _, from := range integers {
		fromInteger(v, from, f32)
		fromInteger(v, from, f16)
	}
	for _, from := range formats {
		for _, size := range []int{1, 2, 4} {
			toInteger(v, from, size)
		}
	}
}

// fromInteger generates a conversion from integers (the parameter from) to floats (the
// parameter to), through f32. The conversion rounds only once: if to is f16, all integers
// in the range of f16 are exact in f32, so only the second step rounds.
func fromInteger(v isa, from integer, to format) {
	v.rowFunc("convert"+from.name+to.name, "converts a", func() {}, v.elems(), [4]int{to.bytes, from.bytes}, func(l *loop, i int) {
		r := v.vec()
		from.load(l.at(a, i), r)
		VCVTDQ2PS(r, r)
		to.write(v, rounder{}, r, l.at(d, i))
	})
}

// toInteger generates a function that converts floats of the format in the parameter from
// to integers of size bytes. The generated function has three parameters besides the
// arrays and their length. The parameter control selects the rounding. The parameters low
// and high are the limits of the results: the function stops before a vector that
// contains NaN or a number outside of these limits.
func toInteger(v isa, from format, size int) {
	name := fmt.Sprintf("convert%sInt%d%s", from.name, 8*size, v.name)
	TEXT(name, NOSPLIT, "func(d, a *byte, n int, low, high int32, control uint32) int")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s converts floats to integers and returns how many; n is a multiple of %d, and not 0.", name, v.elems()))
	d, a, n := Load(Param("d"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	lowest, highest := v.vec(), v.vec()
	for i, to := range []VecVirtual{lowest, highest} {
		VMOVD(Load(Param([]string{"low", "high"}[i]), GP32()), to.AsX())
		VPBROADCASTD(to.AsX(), to)
	}
	before, done := AllocLocal(8), GP64()
	STMXCSR(before)
	control, _ := Param("control").Resolve() // there is one
	LDMXCSR(control.Addr)
	XORQ(done, done)
	Label("next")
	r, c := v.vec(), v.vec()
	VCVTPS2DQ(from.read(v, Mem{Base: a, Index: done, Scale: uint8(from.bytes)}), r)
	VPMAXSD(lowest, r, c)
	VPMINSD(highest, c, c)
	v.stopUnlessEqual(c, r, "stop")
	v.storeLow(r, size, Mem{Base: d, Index: done, Scale: uint8(size)})
	ADDQ(Imm(uint64(v.elems())), done)
	CMPQ(done, n)
	JL(LabelRef("next"))
	Label("stop")
	LDMXCSR(before)
	VZEROUPPER()
	Store(done, ReturnIndex(0))
	RET()
}

// stopUnlessEqual emits a jump to the given label. The jump is taken unless the vectors a
// and b are equal in all 32-bit lanes.
func (v isa) stopUnlessEqual(a, b VecVirtual, label string) {
	bits := GP32()
	if v.wide() {
		k := K()
		VPCMPD(Imm(4), a, b, k) // not equal
		KMOVW(k, bits)
		TESTL(bits, bits)
		JNZ(LabelRef(label))
		return
	}
	m := v.vec()
	VPCMPEQD(a, b, m)
	VMOVMSKPS(m, bits)
	CMPL(bits, Imm(0xFF))
	JNE(LabelRef(label))
}

// storeLow emits a store of the lowest bytes of each 32-bit lane of r. The parameter size
// is the number of bytes per lane: 1, 2 or 4.
func (v isa) storeLow(r VecVirtual, size int, m Mem) {
	switch {
	case size == 4:
		v.store(r, m)
	case v.wide() && size == 2:
		VPMOVDW(r, m)
	case v.wide():
		VPMOVDB(r, m)
	default:
		mask := v.word32(fmt.Sprintf("low%d", size), 1<<(8*size)-1)
		v.and(mask, r, r)
		VPACKUSDW(r, r, r) // within each half of the register
		VPERMQ(Imm(0x08), r, r)
		if size == 2 {
			VMOVDQU(r.AsX(), m)
			return
		}
		VPACKUSWB(r.AsX(), r.AsX(), r.AsX())
		VMOVQ(r.AsX(), m)
	}
}

// conversion generates a loop that converts elements from the float format given by the
// parameter from to the float format given by the parameter to. If the parameter most is
// not 0, it contains the bits of a number in f32: the loop first limits the magnitude of
// each element to this number. If the parameter zero is set, NaN becomes zero.
func conversion(v isa, from, to format, most uint32, zero bool) {
	name, doc := "convert"+from.name+to.name, "converts a"
	if most != 0 {
		name, doc = name+"Sat", "converts and saturates a"
	}
	if zero {
		name, doc = name+"Zero", doc+", and makes NaN zero"
	}
	var nan, high, low VecVirtual
	var k rounder
	setup := func() {
		if k = to.rounder(v); zero {
			nan = v.zero()
		} else {
			nan = v.word32("nan", canonicalNaN)
		}
		if most != 0 {
			high, low = v.word32("most"+to.name, most), v.word32("least"+to.name, most|1<<31)
		}
	}
	v.rowFunc(name, doc, setup, v.elems(), [4]int{to.bytes, from.bytes}, func(l *loop, i int) {
		r := from.read(v, l.at(a, i))
		if most != 0 { // the last operand is the result where one is NaN
			VMINPS(r, high, r)
			VMAXPS(r, low, r)
		}
		v.canonical(r, nan)
		to.write(v, k, r, l.at(d, i))
	})
}
