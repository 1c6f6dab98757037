// This file generates summation loops.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sumLoops generates sums of rows with narrow vectors, and with wide ones for rows of
// f32. Each step adds neighbors in two vectors and leaves one vector. It uses shuffles,
// which are twice as fast as the instruction that adds neighbors.
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

// sumRows adds up the elements of four rows at a time: adjacent pairs of elements, then
// adjacent pairs of these sums, until one sum per row is left.
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

// sumEighths emits a loop that computes the sum of each group of eight elements.
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

// sumsOfEights emits code that computes the sums of eight groups of eight elements of a
// row.
func sumsOfEights(v isa, f format, a Register) VecVirtual {
	var twos [4]VecVirtual
	for i := range twos {
		x := f.read(v, Mem{Base: a, Disp: 2 * i * 8 * f.bytes})
		y := f.read(v, Mem{Base: a, Disp: (2*i + 1) * 8 * f.bytes})
		twos[i] = v.pairs(x, y)
	}
	return sumHalves(v.pairs(twos[0], twos[1]), v.pairs(twos[2], twos[3]))
}

// sumHalves emits code that adds adjacent lanes of narrow vectors a and b. The sums of
// a precede those of b.
func sumHalves(a, b VecVirtual) VecVirtual {
	own, other := YMM(), YMM()
	VBLENDPS(Imm(0xF0), b, a, own)
	VPERM2F128(Imm(0x21), b, a, other)
	VADDPS(other, own, own)
	return own
}

// sumRowsWide is sumRows of f32 for wide vectors. Each step adds neighbours in two
// vectors, which leaves one: within quarters of 16 bytes first, then quarters.
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

// pairs emits code that adds adjacent lanes within each 16 bytes. The sums of a precede
// those of b.
func (v isa) pairs(a, b VecVirtual) VecVirtual {
	even, odd := v.vec(), v.vec()
	VSHUFPS(Imm(0x88), b, a, even)
	VSHUFPS(Imm(0xDD), b, a, odd)
	VADDPS(odd, even, even)
	return even
}

// quarters emits code that adds adjacent quarters (16 bytes) of wide vectors a and b.
// The sums of a precede those of b.
func quarters(a, b VecVirtual) VecVirtual {
	even, odd := ZMM(), ZMM()
	VSHUFF32X4(Imm(0x88), b, a, even)
	VSHUFF32X4(Imm(0xDD), b, a, odd)
	VADDPS(odd, even, even)
	return even
}

// quarterFirsts returns a vector with the number of the first element of each quarter
// (16 bytes).
func quarterFirsts() VecVirtual {
	m := GLOBL("quarterFirsts", RODATA|NOPTR)
	for i := range 16 {
		DATA(4*i, U32(uint32(4*i%16)))
	}
	r := ZMM()
	VMOVUPS(m, r)
	return r
}
