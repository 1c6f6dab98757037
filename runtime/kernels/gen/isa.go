package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// isa is a width of vectors. The loops are the same for both but for masks,
// which are vectors in AVX2 and registers of their own in AVX-512.
type isa struct {
	name  string
	bytes int // of a vector
}

var (
	avx2   = isa{"AVX2", 32}
	avx512 = isa{"AVX512", 64}
)

func (v isa) wide() bool { return v.bytes == 64 }

func (v isa) vec() VecVirtual {
	if v.wide() {
		return ZMM()
	}
	return YMM()
}

// half is a register of half the width.
func (v isa) half() VecVirtual {
	if v.wide() {
		return YMM()
	}
	return XMM()
}

var consts = map[string]Mem{}

// word is a word of 32 bits in memory.
func word(name string, bits uint32) Mem {
	m, ok := consts[name]
	if !ok {
		m = ConstData(name, U32(bits))
		consts[name] = m
	}
	return m
}

// whole is a word in each lane of a narrow vector, in memory: for where there
// are more constants than registers.
func whole(name string, bits uint32) Mem {
	m, ok := consts[name+"All"]
	if !ok {
		m = GLOBL(name+"All", RODATA|NOPTR)
		for i := range avx2.elems() {
			DATA(4*i, U32(bits))
		}
		consts[name+"All"] = m
	}
	return m
}

// word32 is a vector whose words of 32 bits have the given value.
func (v isa) word32(name string, bits uint32) VecVirtual {
	r := v.vec()
	VBROADCASTSS(word(name, bits), r)
	return r
}

func (v isa) zero() VecVirtual {
	r := v.vec()
	v.xor(r, r, r)
	return r
}

func (v isa) and(a, b Op, d VecVirtual) {
	if v.wide() {
		VPANDD(a, b, d)
	} else {
		VPAND(a, b, d)
	}
}

func (v isa) or(a, b Op, d VecVirtual) {
	if v.wide() {
		VPORD(a, b, d)
	} else {
		VPOR(a, b, d)
	}
}

func (v isa) xor(a, b Op, d VecVirtual) {
	if v.wide() {
		VPXORD(a, b, d)
	} else {
		VPXOR(a, b, d)
	}
}

func (v isa) load(m Mem, d VecVirtual) {
	if v.wide() {
		VMOVDQU32(m, d)
	} else {
		VMOVDQU(m, d)
	}
}

func (v isa) store(r VecVirtual, m Mem) {
	if v.wide() {
		VMOVDQU32(r, m)
	} else {
		VMOVDQU(r, m)
	}
}

// Comparisons of floats, quiet. Those with NaN fail, but for unordered and
// notBelow.
const (
	equal     = 0
	unordered = 3
	below     = 0x11
	notBelow  = 0x15
	atLeast   = 0x1D
)

// choose puts x into those elements of d for which a relation holds between
// a and b: d[i] = x[i] if a[i] rel b[i].
func (v isa) choose(rel uint64, a VecVirtual, b, x Op, d VecVirtual) {
	if v.wide() {
		k := K()
		VCMPPS(Imm(rel), b, a, k)
		VMOVAPS(x, k, d)
		return
	}
	m := v.vec()
	VCMPPS(Imm(rel), b, a, m)
	VBLENDVPS(m, x, d, d)
}

// canonical replaces every NaN by the canonical one.
func (v isa) canonical(r, nan VecVirtual) { v.choose(unordered, r, r, nan, r) }

// loop is the frame of a loop over n bytes of d, a multiple of step bytes of
// d. The body is given how far to look from the pointers.
type loop struct {
	d, a, b, c GPVirtual
	n          GPVirtual
}

// rowFunc writes func name(d, a, b, c *byte, n int) which advances all
// pointers by step bytes of their own size until n elements are done.
func (v isa) rowFunc(name, doc string, setup func(), elems int, bytes [4]int, body func(l *loop, k int)) {
	name += v.name
	TEXT(name, NOSPLIT, "func(d, a, b, c *byte, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s %s; n is a multiple of %d.", name, doc, elems))
	l := &loop{d: GP64(), a: GP64(), n: GP64()}
	Load(Param("d"), l.d)
	Load(Param("a"), l.a)
	if bytes[2] > 0 {
		l.b = Load(Param("b"), GP64()).(GPVirtual)
	}
	if bytes[3] > 0 {
		l.c = Load(Param("c"), GP64()).(GPVirtual)
	}
	Load(Param("n"), l.n)
	setup()
	const unroll = 2
	advance := func(k int) {
		for i, p := range []GPVirtual{l.d, l.a, l.b, l.c} {
			if bytes[i] > 0 {
				ADDQ(U32(uint32(bytes[i]*k)), p)
			}
		}
		SUBQ(U32(uint32(elems*k)), l.n)
	}
	Label("many")
	CMPQ(l.n, U32(uint32(unroll*elems)))
	JL(LabelRef("few"))
	for k := range unroll {
		body(l, k)
	}
	advance(unroll)
	JMP(LabelRef("many"))
	Label("few")
	CMPQ(l.n, U32(uint32(elems)))
	JL(LabelRef("done"))
	body(l, 0)
	advance(1)
	JMP(LabelRef("few"))
	Label("done")
	VZEROUPPER()
	RET()
}
