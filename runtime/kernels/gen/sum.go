package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sumLoops are for narrow vectors, whose neighbours one instruction adds, and for
// rows of f32 for wide ones, too: shuffling those takes half as long.
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

// sumRows adds up the elements of four rows at a time: neighbours, again and
// again.
func sumRows(v isa, f format) {
	TEXT("sumRows"+f.name+v.name, NOSPLIT, "func(d, a *byte, pitch, n int)")
	Pragma("noescape")
	Doc("sumRows" + f.name + v.name + " adds up 64 elements in pairs in each of n rows, pitch bytes from each other; n is a multiple of 4. Results are f32.")
	d, a := Load(Param("d"), GP64()), Load(Param("a"), GP64())
	pitch, n := Load(Param("pitch"), GP64()), Load(Param("n"), GP64())
	Label("next")
	var s [4]VecVirtual
	for i := range s {
		low, high := sumOfEights(v, f, a.(GPVirtual))
		s[i] = XMM()
		VHADDPS(high, low, s[i])
		ADDQ(pitch, a)
	}
	VHADDPS(s[1], s[0], s[0])
	VHADDPS(s[3], s[2], s[2])
	VHADDPS(s[2], s[0], s[0])
	VMOVUPS(s[0], Mem{Base: d})
	ADDQ(Imm(16), d)
	SUBQ(Imm(4), n)
	JNZ(LabelRef("next"))
	VZEROUPPER()
	RET()
}

// sumEighths leaves the sums of groups of eight elements.
func sumEighths(v isa, f format) {
	TEXT("sumEighths"+f.name+v.name, NOSPLIT, "func(d, a *byte, pitch, n int)")
	Pragma("noescape")
	Doc("sumEighths" + f.name + v.name + " adds up each eight of 64 elements in pairs in each of n rows, pitch bytes from each other; n is not 0.")
	d, a := Load(Param("d"), GP64()), Load(Param("a"), GP64())
	pitch, n := Load(Param("pitch"), GP64()), Load(Param("n"), GP64())
	Label("next")
	low, high := sumOfEights(v, f, a.(GPVirtual))
	VMOVUPS(low, Mem{Base: d})
	VMOVUPS(high, Mem{Base: d, Disp: 16})
	ADDQ(Imm(32), d)
	ADDQ(pitch, a)
	DECQ(n)
	JNZ(LabelRef("next"))
	VZEROUPPER()
	RET()
}

// sumOfEights gives the sums of the eight groups of eight of a row.
func sumOfEights(v isa, f format, a GPVirtual) (low, high VecVirtual) {
	var half [2]VecVirtual
	for i := range half {
		var x [4]VecVirtual
		for j := range x {
			x[j] = f.read(v, Mem{Base: a, Disp: (4*i + j) * 8 * f.bytes})
		}
		VHADDPS(x[1], x[0], x[0])
		VHADDPS(x[3], x[2], x[2])
		VHADDPS(x[2], x[0], x[0])
		upper := XMM()
		half[i] = XMM()
		VEXTRACTF128(Imm(1), x[0], upper)
		VADDPS(x[0].AsX(), upper, half[i])
	}
	return half[0], half[1]
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
		rows[i] = pairs(pairs(x[0], x[1]), pairs(x[2], x[3]))
		ADDQ(pitch, a)
	}
	s := quarters(quarters(rows[0], rows[1]), quarters(rows[2], rows[3]))
	s = pairs(s, s)
	s = pairs(s, s)
	VPERMPS(s, first, s)
	VMOVUPS(s.AsX(), Mem{Base: d})
	ADDQ(Imm(16), d)
	SUBQ(Imm(4), n)
	JNZ(LabelRef("next"))
	VZEROUPPER()
	RET()
}

// pairs adds neighbours in each quarter: those of a come before those of b.
func pairs(a, b VecVirtual) VecVirtual {
	even, odd := ZMM(), ZMM()
	VSHUFPS(Imm(0x88), b, a, even)
	VSHUFPS(Imm(0xDD), b, a, odd)
	VADDPS(odd, even, even)
	return even
}

// quarters adds neighbouring quarters: those of a come before those of b.
func quarters(a, b VecVirtual) VecVirtual {
	even, odd := ZMM(), ZMM()
	VSHUFF32X4(Imm(0x88), b, a, even)
	VSHUFF32X4(Imm(0xDD), b, a, odd)
	VADDPS(odd, even, even)
	return even
}

// quarterFirsts has the number of the first element of each quarter.
func quarterFirsts() VecVirtual {
	m := GLOBL("quarterFirsts", RODATA|NOPTR)
	for i := range 16 {
		DATA(4*i, U32(uint32(4*i%16)))
	}
	r := ZMM()
	VMOVUPS(m, r)
	return r
}
