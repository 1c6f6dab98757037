package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// gatherLoops take elements of each size by numbers of 16 and of 32 bits. They are
// for narrow vectors alone, which only check the numbers: elements come one by
// one, since gathering them is no faster.
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

// gatherLoop takes elements by vectors of numbers, and stops before the first one
// that has a number which is too large. All numbers count without a sign.
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
	n := Load(Param("n"), GP64())
	last, x, mask, done := v.vec(), v.vec(), GP32(), GP64()
	VMOVD(Load(Param("last"), GP32()), last.AsX())
	VPBROADCASTD(last.AsX(), last)
	XORQ(done, done)
	Label("next")
	VMOVDQU(Mem{Base: at, Index: done, Scale: uint8(number)}, x)
	most := v.vec()
	if number == 2 {
		VPMINUW(last, x, most)
		VPCMPEQW(most, x, x)
	} else {
		VPMINUD(last, x, most)
		VPCMPEQD(most, x, x)
	}
	VPMOVMSKB(x, mask)
	CMPL(mask, I32(-1))
	JNE(LabelRef("done"))
	var word, result GPVirtual
	for i := range per { // numbers are loaded by words, and elements stored
		left, full := 8/number-1-i%(8/number), i%(8/size)
		if left == 8/number-1 {
			word = GP64()
			MOVQ(Mem{Base: at, Index: done, Scale: uint8(number), Disp: i * number}, word)
		}
		if x := take(size, number, left == 0, word, a); full == 0 {
			result = x
		} else {
			SHLQ(Imm(uint64(8*size*full)), x)
			ORQ(x, result)
		}
		if full == 8/size-1 {
			MOVQ(result, Mem{Base: d, Index: done, Scale: uint8(size), Disp: (i - full) * size})
		}
	}
	ADDQ(Imm(uint64(per)), done)
	CMPQ(done, n)
	JL(LabelRef("next"))
	Label("done")
	Store(done, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// take loads the element with the lowest number of a word, and shifts the number
// out, unless it is the last one.
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
