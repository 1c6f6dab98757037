package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sumLoops are for narrow vectors alone: neighbours are added there at once.
func sumLoops(v isa) {
	if v.wide() {
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
	TEXT("sumRows"+f.name, NOSPLIT, "func(d, a *byte, pitch, n int)")
	Pragma("noescape")
	Doc("sumRows" + f.name + " adds up 64 elements in pairs in each of n rows, pitch bytes from each other; n is a multiple of 4. Results are f32.")
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
	TEXT("sumEighths"+f.name, NOSPLIT, "func(d, a *byte, pitch, n int)")
	Pragma("noescape")
	Doc("sumEighths" + f.name + " adds up each eight of 64 elements in pairs in each of n rows, pitch bytes from each other; n is not 0.")
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
