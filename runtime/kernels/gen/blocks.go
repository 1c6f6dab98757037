// This file generates loops that copy blocks of bytes.

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// blockLoops generates loops that copy blocks of 32 and 64 bytes. The processor copies
// 32 bytes at a time also if it has longer vectors, because most blocks do not start at a
// multiple of 64 bytes.
func blockLoops(v isa) {
	if v.wide() {
		return
	}
	blockLoop(v, 1)
	blockLoop(v, 2)
}

// blockLoop emits a function that copies a matrix of blocks, one row of blocks after the
// other. A block consists of the given number of vectors.
func blockLoop(v isa, vectors int) {
	name := fmt.Sprintf("blocks%d", vectors*v.bytes)
	TEXT(name, NOSPLIT, "func(d, a *byte, rows, cols, downD, acrossD, downA, acrossA int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s copies rows x cols blocks of %d bytes; neither is 0.", name, vectors*v.bytes))
	d, a := Load(Param("d"), GP64()), Load(Param("a"), GP64())
	rows, cols := Load(Param("rows"), GP64()), Load(Param("cols"), GP64())
	downD, acrossD := Load(Param("downD"), GP64()), Load(Param("acrossD"), GP64())
	downA, acrossA := Load(Param("downA"), GP64()), Load(Param("acrossA"), GP64())
	to, from, left := GP64(), GP64(), GP64()
	Label("row")
	MOVQ(d, to)
	MOVQ(a, from)
	MOVQ(cols, left)
	Label("block")
	var x [2]VecVirtual
	for i := range vectors {
		x[i] = v.vec()
		v.load(Mem{Base: from, Disp: i * v.bytes}, x[i])
	}
	for i := range vectors {
		v.store(x[i], Mem{Base: to, Disp: i * v.bytes})
	}
	ADDQ(acrossD, to)
	ADDQ(acrossA, from)
	DECQ(left)
	JNZ(LabelRef("block"))
	ADDQ(downD, d)
	ADDQ(downA, a)
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}
