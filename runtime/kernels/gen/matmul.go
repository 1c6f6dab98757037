// This file generates matrix product loops.

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// matmulLoops generates the inner loops of matrix products c += a*b. A block of c, a few
// rows by two vectors of columns, stays in registers during the loop over k. Each element
// of c is summed in the order of k, in a single lane.
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

// matmulLoop emits a function that computes c[r][j] += a[r][i]*b[i][j] for a fixed number
// of rows r and two vectors of columns j. The name of the emitted function starts with
// the parameter name, and doc is a part of its comment. The parameters lda, ldb and ldc
// of the emitted function are the distances between rows in bytes. The parameters nextB
// and nextC are the distances between the two vectors of a row of b and c. The function
// step emits one multiply-add.
func matmulLoop(v isa, name, doc string, rows int, step func(a, b, c VecVirtual)) {
	name = fmt.Sprintf("%s%d%s", name, rows, v.name)
	TEXT(name, NOSPLIT, "func(c, a, b *float32, k, lda, ldb, ldc, nextB, nextC int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s %s, for %d rows and %d columns.", name, doc, rows, 2*v.elems()))
	c, a, b := Load(Param("c"), GP64()).(GPVirtual), Load(Param("a"), GP64()).(GPVirtual), Load(Param("b"), GP64()).(GPVirtual)
	k, ldb, ldc := Load(Param("k"), GP64()), Load(Param("ldb"), GP64()), Load(Param("ldc"), GP64())
	nextB, nextC := Load(Param("nextB"), GP64()), Load(Param("nextC"), GP64())
	left := newLeftRows(a, rows)
	sums := make([][2]VecVirtual, rows)
	at := GP64()
	overRows(c, ldc, at, rows, func(r int) {
		sums[r] = [2]VecVirtual{v.vec(), v.vec()}
		v.load(Mem{Base: at}, sums[r][0])
		v.load(Mem{Base: at, Index: nextC, Scale: 1}, sums[r][1])
	})
	Label("next")
	TESTQ(k, k)
	JZ(LabelRef("done"))
	y0, y1 := v.vec(), v.vec()
	v.load(Mem{Base: b}, y0)
	v.load(Mem{Base: b, Index: nextB, Scale: 1}, y1)
	for r := range rows {
		x := v.vec()
		VBROADCASTSS(left.element(r), x)
		step(x, y0, sums[r][0])
		step(x, y1, sums[r][1])
	}
	left.next()
	ADDQ(ldb, b)
	DECQ(k)
	JMP(LabelRef("next"))
	Label("done")
	overRows(c, ldc, at, rows, func(r int) {
		v.store(sums[r][0], Mem{Base: at})
		v.store(sums[r][1], Mem{Base: at, Index: nextC, Scale: 1})
	})
	VZEROUPPER()
	RET()
}

// overRows calls body for each row of a matrix, to emit the code of the row. The
// parameter c is the register with the address of the matrix, and ldc is the register
// with the distance between rows in bytes. The parameter rows is the number of rows. The
// parameter at is a register that holds the address of the current row.
func overRows(c, ldc, at Register, rows int, body func(r int)) {
	MOVQ(c, at)
	for r := range rows {
		body(r)
		ADDQ(ldc, at)
	}
}

// leftRows holds the addresses of elements in up to eight rows of one column of the left
// operand. x86 addressing modes reach four rows from one register, so the other four rows
// need a second register.
type leftRows struct{ a, a4, lda, lda3 GPVirtual }

func newLeftRows(a GPVirtual, rows int) *leftRows {
	l := &leftRows{a: a}
	if rows > 1 {
		l.lda = Load(Param("lda"), GP64()).(GPVirtual)
		l.lda3 = GP64()
		LEAQ(Mem{Base: l.lda, Index: l.lda, Scale: 2}, l.lda3)
	}
	if rows > 4 {
		l.a4 = GP64()
		LEAQ(Mem{Base: a, Index: l.lda, Scale: 4}, l.a4)
	}
	return l
}

// element returns the address of an element of the left matrix. The element is in row r
// and in the column that the loop currently processes.
func (l *leftRows) element(r int) Mem {
	base := l.a
	if r >= 4 {
		base = l.a4
	}
	switch r % 4 {
	case 1:
		return Mem{Base: base, Index: l.lda, Scale: 1}
	case 2:
		return Mem{Base: base, Index: l.lda, Scale: 2}
	case 3:
		return Mem{Base: base, Index: l.lda3, Scale: 1}
	}
	return Mem{Base: base}
}

// next emits code that advances the addresses of all rows of the left matrix to the next
// column.
func (l *leftRows) next() {
	ADDQ(Imm(4), l.a)
	if l.a4 != nil {
		ADDQ(Imm(4), l.a4)
	}
}
