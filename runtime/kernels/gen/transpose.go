// This file generates transposition loops.

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lines holds the addresses of the rows of a block that is transposed. The distance
// between adjacent rows is pitch bytes, and the block has as many rows as a vector has
// 32-bit words. One base register serves four rows: row 4l+i is at base l plus i times
// the pitch, which x86 addressing modes can express.
type lines struct {
	bases         []GPVirtual
	pitch, pitch3 GPVirtual
}

func newLines(v isa, a, pitch GPVirtual) *lines {
	ls := &lines{bases: []GPVirtual{a}, pitch: pitch, pitch3: GP64()}
	LEAQ(Mem{Base: pitch, Index: pitch, Scale: 2}, ls.pitch3)
	ls.fill(v)
	return ls
}

// fill emits code that computes base addresses of rows. Each base address serves four
// rows. The first base address exists already, so fill computes the others, as many as a
// vector of the instruction set v needs.
func (ls *lines) fill(v isa) {
	for l := 1; l < v.bytes/16; l++ {
		ls.bases = append(ls.bases, ls.rowAddress())
	}
}

// rowAddress emits code that computes the address of a row of the matrix. The registers of ls
// suffice to address a fixed number of consecutive rows, and the computed address is that
// of the following row. The result is the register with this address.
func (ls *lines) rowAddress() GPVirtual {
	b := GP64()
	LEAQ(Mem{Base: ls.bases[len(ls.bases)-1], Index: ls.pitch, Scale: 4}, b)
	return b
}

// next emits code that computes the addresses of the rows that follow the rows of ls in
// memory. It returns these addresses. The number of rows is the same as in ls.
func (ls *lines) next(v isa) *lines {
	n := &lines{bases: []GPVirtual{ls.rowAddress()}, pitch: ls.pitch, pitch3: ls.pitch3}
	n.fill(v)
	return n
}

// advance emits code that moves the base addresses past the 16 bytes that one
// transposition reads from each row.
func (ls *lines) advance() {
	for _, b := range ls.bases {
		ADDQ(Imm(16), b)
	}
}

// load emits code that loads 16 bytes of every row. Vector i of the result contains the
// rows i, 4+i, 8+i and so on.
func (ls *lines) load(v isa) [4]VecVirtual {
	var r [4]VecVirtual
	for i := range r {
		r[i] = v.vec()
		for l, base := range ls.bases {
			m := ls.line(base, i)
			switch {
			case l == 0 && v.wide(): // all of the register, so that nothing is left of what was in it
				VBROADCASTF32X4(m, r[i])
			case l == 0:
				VBROADCASTF128(m, r[i])
			case v.wide():
				VINSERTF32X4(Imm(uint64(l)), m, r[i], r[i])
			default:
				VINSERTF128(Imm(uint64(l)), m, r[i], r[i])
			}
		}
	}
	return r
}

// line returns a memory operand for one of four consecutive rows. The parameter base is a
// register with the address of the first of these rows, and the parameter i, from 0 to 3,
// selects the row.
func (ls *lines) line(base GPVirtual, i int) Mem {
	return [4]Mem{{Base: base}, {Base: base, Index: ls.pitch, Scale: 1}, {Base: base, Index: ls.pitch, Scale: 2}, {Base: base, Index: ls.pitch3, Scale: 1}}[i]
}

// transpose emits code that loads four 32-bit words of every row. It returns four
// vectors. Vector i contains word i of every row.
func (ls *lines) transpose(v isa) [4]VecVirtual {
	r := ls.load(v)
	var t, c [4]VecVirtual
	for i := range t {
		t[i], c[i] = v.vec(), v.vec()
	}
	for i := range 2 {
		VUNPCKLPS(r[2*i+1], r[2*i], t[i])
		VUNPCKHPS(r[2*i+1], r[2*i], t[2+i])
	}
	for i := range 2 {
		VUNPCKLPD(t[2*i+1], t[2*i], c[2*i])
		VUNPCKHPD(t[2*i+1], t[2*i], c[2*i+1])
	}
	return c
}

// transposeLoops emits the loops that transpose 32-bit words and 16-bit halves of
// words.
func transposeLoops(v isa) {
	ls := func(a, pitch GPVirtual) *lines { return newLines(v, a, pitch) }
	transposeLoop("transpose32"+v.name, v.elems(), ls, func(ls *lines, d, across GPVirtual) {
		for _, w := range ls.transpose(v) {
			v.store(w, Mem{Base: d})
			ADDQ(across, d)
		}
	})
	if v.wide() { // words of half the size take longer to unpack there
		return
	}
	transposeLoop("transpose16Rows8", v.elems(), ls, func(ls *lines, d, across GPVirtual) {
		for _, w := range ls.transpose(v) {
			high := v.vec()
			VPSRLD(Imm(16), w, high)
			VPSLLD(Imm(16), w, w) // packing saturates
			VPSRLD(Imm(16), w, w)
			for _, half := range []VecVirtual{w, high} {
				v.storeWords(half, Mem{Base: d})
				ADDQ(across, d)
			}
		}
	})
	more := func(a, pitch GPVirtual) *lines { return newLines(avx512, a, pitch) }
	transposeLoop("transpose16Rows16", 2*v.elems(), more, func(ls *lines, d, across GPVirtual) {
		for _, halves := range ls.transposeHalves(v) {
			v.store(halves, Mem{Base: d})
			ADDQ(across, d)
		}
	})
}

// transposeHalves emits code that loads 16 bytes of each of 16 rows and transposes them.
// Each returned vector contains one 16-bit element of each row.
//
// The loaded data is a sequence of elements. The index of an element in this sequence has
// the bits of its row number, followed by the three bits of its column number.
// Interleaving two halves of the sequence rotates the bits of each index by one. After
// three rounds the column number comes first, so that the elements of a column are
// adjacent.
func (ls *lines) transposeHalves(v isa) [8]VecVirtual {
	var r, t [8]VecVirtual
	for i := range r { // line i, and that 8 lines after it
		r[i] = v.vec()
		VBROADCASTF128(ls.line(ls.bases[i/4], i%4), r[i])
		VINSERTF128(Imm(1), ls.line(ls.bases[2+i/4], i%4), r[i], r[i])
	}
	for range 3 {
		for i := range 4 {
			t[2*i], t[2*i+1] = v.vec(), v.vec()
			VPUNPCKLWD(r[4+i], r[i], t[2*i])
			VPUNPCKHWD(r[4+i], r[i], t[2*i+1])
		}
		r = t
	}
	return r
}

// transposeLoop emits the function with the given name, which transposes rows in a loop:
// elements at the same position of all rows become adjacent. The parameter count is the
// number of rows; the emitted function has a parameter n for their length in bytes, and a
// parameter across for the distance in bytes between the results of consecutive
// positions. The function in the parameter of returns a description of the addresses of
// the rows. The function transpose emits the code of one iteration.
func transposeLoop(name string, count int, of func(a, pitch GPVirtual) *lines, transpose func(ls *lines, d, across GPVirtual)) {
	const bytes = 16
	TEXT(name, NOSPLIT, "func(d, a *byte, across, pitch, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s transposes %d lines of n bytes; n is a multiple of %d.", name, count, bytes))
	d, a := Load(Param("d"), GP64()).(GPVirtual), Load(Param("a"), GP64()).(GPVirtual)
	across, pitch := Load(Param("across"), GP64()).(GPVirtual), Load(Param("pitch"), GP64()).(GPVirtual)
	n := Load(Param("n"), GP64())
	ls := of(a, pitch)
	Label("next")
	CMPQ(n, U32(uint32(bytes)))
	JL(LabelRef("done"))
	transpose(ls, d, across)
	ls.advance()
	SUBQ(U32(uint32(bytes)), n)
	JMP(LabelRef("next"))
	Label("done")
	VZEROUPPER()
	RET()
}
