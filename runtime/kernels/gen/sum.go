// This file generates summation loops.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sumLoops generates functions that sum rows: with narrow vectors for all formats, and
// with wide vectors for f32. Each step adds adjacent lanes of two vectors, which leaves
// one vector. It uses shuffles, because they are twice as fast as the horizontal add
// instruction.
func sumLoops(v isa) {
	if v.wide() {
		sumRowsWide()
		return
	}
	for _, f := range formats[:2] {
		sumRows(v, f)
	}
	sumEighths(v, formats[0])
}

// sumRows generates a function that computes the sum of 64 elements in each row, for four
// rows at a time. It adds adjacent pairs of elements, and afterwards adjacent pairs of
// these sums, until one sum per row is left.
func sumRows(v isa, f format) {
	TEXT("sumRows"+f.name+v.name, NOSPLIT, "func(d, a *byte, pitch, n int)")
	Pragma("noescape")
	Doc("sumRows" + f.name + v.name + " adds up 64 elements in pairs in each of n rows, pitch bytes from each other; n is a multiple of 4. Results are f32.")
	d, a := Load(Param("d"), GP64()), Load(Param("a"), GP64())
	pitch, n := Load(Param("pitch"), GP64()), Load(Param("n"), GP64())
	Label("next")
	var rows []VecVirtual
	for range 4 {
		rows = append(rows, sumsOfEights(v, f, a))
		ADDQ(pitch, a)
	}
	s := v.pairs(v.pairs(rows[0], rows[1]), v.pairs(rows[2], rows[3]))
	upper := XMM()
	VEXTRACTF128(Imm(1), s, upper)
	VADDPS(upper, s.AsX(), s.AsX())
	VMOVUPS(s.AsX(), Mem{Base: d})
	ADDQ(Imm(16), d)
	SUBQ(Imm(4), n)
	JNZ(LabelRef("next"))
	VZEROUPPER()
	RET()
}

// sumEighths generates a function that computes the sum of each group of eight elements
// in rows of 64 elements.
func sumEighths(v isa, f format) {
	TEXT("sumEighths"+f.name+v.name, NOSPLIT, "func(d, a *byte, pitch, n int)")
	Pragma("noescape")
	Doc("sumEighths" + f.name + v.name + " adds up each eight of 64 elements in pairs in each of n rows, pitch bytes from each other; n is not 0.")
	d, a := Load(Param("d"), GP64()), Load(Param("a"), GP64())
	pitch, n := Load(Param("pitch"), GP64()), Load(Param("n"), GP64())
	Label("next")
	VMOVUPS(sumsOfEights(v, f, a), Mem{Base: d})
	ADDQ(Imm(32), d)
	ADDQ(pitch, a)
	DECQ(n)
	JNZ(LabelRef("next"))
	VZEROUPPER()
	RET()
}

// sumsOfEights emits code that computes the sums of the eight groups of eight elements in
// a row. The register a holds the row's address.
func sumsOfEights(v isa, f format, a Register) VecVirtual {
	var twos [4]VecVirtual
	for i := range twos {
		x := f.read(v, Mem{Base: a, Disp: 2 * i * 8 * f.bytes})
		y := f.read(v, Mem{Base: a, Disp: (2*i + 1) * 8 * f.bytes})
		twos[i] = v.pairs(x, y)
	}
	return sumHalves(v.pairs(twos[0], twos[1]), v.pairs(twos[2], twos[3]))
}

// sumHalves emits code that adds adjacent lanes of two narrow vectors. In the result, the
// sums of the first vector precede the sums of the second.
func sumHalves(a, b VecVirtual) VecVirtual {
	own, other := YMM(), YMM()
	VBLENDPS(Imm(0xF0), b, a, own)
	VPERM2F128(Imm(0x21), b, a, other)
	VADDPS(other, own, own)
	return own
}

// sumRowsWide generates the function of sumRows for f32 with vectors of 512 bits. Each
// step adds adjacent lanes of two vectors and so replaces them by one vector. The first
// steps add lanes within quarters of 16 bytes; the following steps add lanes of different
// quarters.
func sumRowsWide() {
	TEXT("sumRowsF32AVX512", NOSPLIT, "func(d, a *byte, pitch, n int)")
	Pragma("noescape")
	Doc("sumRowsF32AVX512 adds up 64 elements in pairs in each of n rows, pitch bytes from each other; n is a multiple of 4.")
	d, a := Load(Param("d"), GP64()), Load(Param("a"), GP64())
	pitch, n := Load(Param("pitch"), GP64()), Load(Param("n"), GP64())
	first := quarterFirsts()
	Label("next")
	var rows [4]VecVirtual
	for i := range rows {
		var x [4]VecVirtual
		for j := range x {
			x[j] = ZMM()
			VMOVUPS(Mem{Base: a, Disp: 64 * j}, x[j])
		}
		rows[i] = avx512.pairs(avx512.pairs(x[0], x[1]), avx512.pairs(x[2], x[3]))
		ADDQ(pitch, a)
	}
	s := quarters(quarters(rows[0], rows[1]), quarters(rows[2], rows[3]))
	s = avx512.pairs(s, s)
	s = avx512.pairs(s, s)
	VPERMPS(s, first, s)
	VMOVUPS(s.AsX(), Mem{Base: d})
	ADDQ(Imm(16), d)
	SUBQ(Imm(4), n)
	JNZ(LabelRef("next"))
	VZEROUPPER()
	RET()
}

// pairs emits code that adds adjacent lanes within each 16 bytes of two vectors. In each
// 16 bytes of the result, the sums of the first vector precede the sums of the second.
func (v isa) pairs(a, b VecVirtual) VecVirtual {
	even, odd := v.vec(), v.vec()
	VSHUFPS(Imm(0x88), b, a, even)
	VSHUFPS(Imm(0xDD), b, a, odd)
	VADDPS(odd, even, even)
	return even
}

// quarters emits code that adds adjacent 16-byte quarters of two wide vectors. In the
// result, the sums of the first vector precede the sums of the second.
func quarters(a, b VecVirtual) VecVirtual {
	even, odd := ZMM(), ZMM()
	VSHUFF32X4(Imm(0x88), b, a, even)
	VSHUFF32X4(Imm(0xDD), b, a, odd)
	VADDPS(odd, even, even)
	return even
}

// quarterFirsts returns a 512-bit register with 16 permutation indices of 32 bits each.
// They select the first lane of each quarter (four lanes) of a register: the indices are
// 0, 4, 8 and 12, repeated four times.
func quarterFirsts() VecVirtual {
	m := GLOBL("quarterFirsts", RODATA|NOPTR)
	for i := range 16 {
		DATA(4*i, U32(uint32(4*i%16)))
	}
	r := ZMM()
	VMOVUPS(m, r)
	return r
}
