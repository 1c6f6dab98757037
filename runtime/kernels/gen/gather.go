// This file generates gather loops.

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gatherLoops generates loops that gather elements of each size by indices of 16 and 32
// bits. Vector instructions check whether the indices are in range. They do not load the
// elements: scalar instructions do this one element at a time, because gather
// instructions are not faster.
func gatherLoops(v isa) {
	if v.wide() {
		return
	}
	for _, number := range []int{2, 4} {
		for _, size := range []int{1, 2, 4} {
			gatherLoop(v, size, number)
		}
	}
}

// gatherLoop generates a loop that gathers elements by vectors of unsigned indices. The
// parameter size is the size of an element in bytes, and number is the size of an index
// in bytes. The loop stops before the first vector with an index out of range.
func gatherLoop(v isa, size, number int) {
	name := fmt.Sprintf("gather%dBy%d", 8*size, 8*number)
	per, halves := v.bytes/number, ""
	if number == 2 {
		halves = ", whose halves are the same"
	}
	TEXT(name, NOSPLIT, "func(d, a, at *byte, n int, last uint32) int")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s takes n elements of a by their numbers, which are at most last%s, and returns how many; n is a multiple of %d, and not 0.", name, halves, per))
	d, a, at := Load(Param("d"), GP64()), Load(Param("a"), GP64()), Load(Param("at"), GP64())
	n, end := Load(Param("n"), GP64()), GP64()
	last, done := v.vec(), GP64()
	VMOVD(Load(Param("last"), GP32()), last.AsX())
	VPBROADCASTD(last.AsX(), last)
	XORQ(done, done)
	g := gathering{v, size, number, d, a, at, done, last}
	for _, vectors := range []int{4, 1} { // as many numbers as a check can be for
		count := vectors * per
		next, fewer := fmt.Sprintf("next%d", vectors), fmt.Sprintf("fewer%d", vectors)
		Label(next)
		LEAQ(Mem{Base: done, Disp: count}, end)
		CMPQ(end, n)
		JG(LabelRef(fewer))
		g.check(vectors, fewer)
		g.take(count)
		MOVQ(end, done)
		JMP(LabelRef(next))
		Label(fewer)
	}
	Store(done, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// gathering is the state of the generator while it emits a gather loop: the registers in
// use and the sizes of elements and indices.
type gathering struct {
	v isa
	// size is the size of an element in bytes, and number the size of an index.
	size, number int
	d, a, at     Register
	done         GPVirtual
	last         VecVirtual
}

// check emits code that tests the indices in the given number of vectors, and jumps to
// the given label if one index is out of range.
func (g *gathering) check(vectors int, label string) {
	most, fits, mask := g.v.vec(), g.v.vec(), GP32()
	VMOVDQU(Mem{Base: g.at, Index: g.done, Scale: uint8(g.number)}, most)
	for i := 1; i < vectors; i++ {
		if m := (Mem{Base: g.at, Index: g.done, Scale: uint8(g.number), Disp: i * g.v.bytes}); g.number == 2 {
			VPMAXUW(m, most, most)
		} else {
			VPMAXUD(m, most, most)
		}
	}
	if g.number == 2 {
		VPMINUW(g.last, most, fits)
		VPCMPEQW(most, fits, fits)
	} else {
		VPMINUD(g.last, most, fits)
		VPCMPEQD(most, fits, fits)
	}
	VPMOVMSKB(fits, mask)
	CMPL(mask, I32(-1))
	JNE(LabelRef(label))
}

// take emits code that gathers n elements. The number of memory accesses limits the
// speed. The code therefore loads several indices at once in a word of 64 bits, and
// collects several elements in a word of 64 bits before it stores them.
func (g *gathering) take(n int) {
	var numbers, elements GPVirtual
	for i := range n {
		last := (i+1)%(8/g.number) == 0
		if i%(8/g.number) == 0 {
			numbers = GP64()
			MOVQ(Mem{Base: g.at, Index: g.done, Scale: uint8(g.number), Disp: i * g.number}, numbers)
		}
		x := take(g.size, g.number, last, numbers, g.a)
		if part := i % (8 / g.size); part == 0 {
			elements = x
		} else {
			SHLQ(Imm(uint64(8*g.size*part)), x)
			ORQ(x, elements)
		}
		if (i+1)%(8/g.size) == 0 {
			MOVQ(elements, Mem{Base: g.d, Index: g.done, Scale: uint8(g.size), Disp: i*g.size + g.size - 8})
		}
	}
}

// take emits code that loads one element of a table and returns the register with the
// element. The parameter a is the register with the address of the table. The register in
// the parameter word contains several indices, and the emitted code uses the lowest one.
// Unless last is set, the code then shifts this index out of the register. The parameter
// size is the size of an element in bytes, and the parameter number is the size of an
// index in bytes.
func take(size, number int, last bool, word GPVirtual, a Register) GPVirtual {
	k := word
	if !last {
		k = GP64()
		if number == 2 {
			MOVWLZX(word.As16(), k.As32())
		} else {
			MOVL(word.As32(), k.As32())
		}
		SHRQ(Imm(uint64(8*number)), word)
	}
	from, x := Mem{Base: a, Index: k, Scale: uint8(size)}, GP64()
	switch size {
	case 1:
		MOVBLZX(from, x.As32())
	case 2:
		MOVWLZX(from, x.As32())
	default:
		MOVL(from, x.As32())
	}
	return x
}
