package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// matmulLoops are the inner loops of products of matrices: a few rows of c by
// two vectors of columns stay in registers while k runs. Each element of c
// sums in the order of k, as one lane.
func matmulLoops(v isa) {
	for _, rows := range []int{4, 1} {
		if v.wide() && rows == 4 {
			rows = 8
		}
		matmulLoop(v, "matmulFused", "adds products to sums in one rounding", rows, func(a, b, c VecVirtual) { VFMADD231PS(a, b, c) })
		matmulLoop(v, "matmulApart", "rounds products, then sums", rows, func(a, b, c VecVirtual) {
			p := v.vec()
			VMULPS(a, b, p)
			VADDPS(p, c, c)
		})
		matmulLoop(v, "matmulInt", "sums modulo 2^32", rows, func(a, b, c VecVirtual) {
			p := v.vec()
			VPMULLD(a, b, p)
			VPADDD(p, c, c)
		})
	}
}

// matmulLoop writes c[r][j] += a[r][i]*b[i][j] for a few rows r and two
// vectors of columns j. lda, ldb and ldc are bytes between rows.
func matmulLoop(v isa, name, doc string, rows int, step func(a, b, c VecVirtual)) {
	name = fmt.Sprintf("%s%d%s", name, rows, v.name)
	TEXT(name, NOSPLIT, "func(c, a, b *float32, k, lda, ldb, ldc int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s %s, for %d rows and %d columns.", name, doc, rows, 2*v.elems()))
	c, a, b := Load(Param("c"), GP64()).(GPVirtual), Load(Param("a"), GP64()).(GPVirtual), Load(Param("b"), GP64()).(GPVirtual)
	k, ldb, ldc := Load(Param("k"), GP64()), Load(Param("ldb"), GP64()), Load(Param("ldc"), GP64())
	var lda, lda3, a4 GPVirtual
	if rows > 1 {
		lda = Load(Param("lda"), GP64()).(GPVirtual)
		lda3 = GP64()
		LEAQ(Mem{Base: lda, Index: lda, Scale: 2}, lda3)
	}
	if rows > 4 {
		a4 = GP64()
		LEAQ(Mem{Base: a, Index: lda, Scale: 4}, a4)
	}
	left := func(r int) Mem {
		base := a
		if r >= 4 {
			base = a4
		}
		switch r % 4 {
		case 1:
			return Mem{Base: base, Index: lda, Scale: 1}
		case 2:
			return Mem{Base: base, Index: lda, Scale: 2}
		case 3:
			return Mem{Base: base, Index: lda3, Scale: 1}
		}
		return Mem{Base: base}
	}
	sums := make([][2]VecVirtual, rows)
	at := GP64()
	MOVQ(c, at)
	for r := range rows {
		sums[r] = [2]VecVirtual{v.vec(), v.vec()}
		v.load(Mem{Base: at}, sums[r][0])
		v.load(Mem{Base: at, Disp: v.bytes}, sums[r][1])
		ADDQ(ldc, at)
	}
	Label("next")
	TESTQ(k, k)
	JZ(LabelRef("done"))
	y0, y1 := v.vec(), v.vec()
	v.load(Mem{Base: b}, y0)
	v.load(Mem{Base: b, Disp: v.bytes}, y1)
	for r := range rows {
		x := v.vec()
		VBROADCASTSS(left(r), x)
		step(x, y0, sums[r][0])
		step(x, y1, sums[r][1])
	}
	ADDQ(Imm(4), a)
	if rows > 4 {
		ADDQ(Imm(4), a4)
	}
	ADDQ(ldb, b)
	DECQ(k)
	JMP(LabelRef("next"))
	Label("done")
	MOVQ(c, at)
	for r := range rows {
		v.store(sums[r][0], Mem{Base: at})
		v.store(sums[r][1], Mem{Base: at, Disp: v.bytes})
		ADDQ(ldc, at)
	}
	VZEROUPPER()
	RET()
}
