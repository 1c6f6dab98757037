// This file describes the vector instruction sets.

package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// isa is an instruction set: AVX2 or AVX-512. Both share the loops of this package,
// except for masks: these are vectors in AVX2, and separate registers in AVX-512.
type isa struct {
	name string
	// bytes is the size of a vector in bytes.
	bytes int
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

// half returns a new virtual vector register of half the vector width of v.
func (v isa) half() VecVirtual {
	if v.wide() {
		return YMM()
	}
	return XMM()
}

var consts = map[string]Mem{}

// once returns the constant in memory with the given name. On first use, it creates the
// constant by calling the function argument.
func once(name string, data func() Mem) Mem {
	if _, ok := consts[name]; !ok {
		consts[name] = data()
	}
	return consts[name]
}

// word returns a memory operand that contains the 32-bit constant bits. The parameter
// name is the name of the constant in the generated assembly.
func word(name string, bits uint32) Mem {
	return once(name, func() Mem { return ConstData(name, U32(bits)) })
}

// long returns a memory operand that contains a 64-bit constant. The parameter bits is
// the value of the constant, and the parameter name is its name in the generated
// assembly.
func long(name string, bits uint64) Mem {
	return once(name, func() Mem { return ConstData(name, U64(bits)) })
}

// whole returns a memory operand that can have the width of any vector. Every 32-bit lane
// of this operand contains the given bits. A loop uses memory operands for constants if it
// has more constants than registers. The name identifies the constant.
func whole(name string, bits uint32) Mem { return lanes(name+"All", 4, U32(bits)) }

// whole64 returns a memory operand that can have the width of any vector, in which every
// 64-bit lane has the given bits. The parameter name identifies the constant in the
// generated assembly.
func whole64(name string, bits uint64) Mem { return lanes(name+"All", 8, U64(bits)) }

// lanes returns a memory operand that can have the width of any vector, in which every
// lane of size bytes is the constant x. The parameter name is the name of the constant in the
// generated assembly.
func lanes(name string, size int, x Constant) Mem {
	return once(name, func() Mem {
		m := GLOBL(name, RODATA|NOPTR)
		for at := 0; at < avx512.bytes; at += size {
			DATA(at, x)
		}
		return m
	})
}

// word32 emits code that fills every 32-bit lane of a new register with the given bits.
// name identifies the constant.
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

// Predicates of float comparisons that raise no exception (quiet). Comparisons with NaN
// are false, except for unordered and those whose name starts with not.
const (
	equal      = 0
	unordered  = 3
	ordered    = 7
	below      = 0x11
	above      = 0x1E
	notBelow   = 0x15
	notAtMost  = 0x16
	notAtLeast = 0x19
	atLeast    = 0x1D
)

// choose emits code that replaces elements of d by elements of x where a comparison is
// true: d[i] = x[i] if a[i] rel b[i]. The parameter rel is the predicate of the
// comparison.
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

// canonical emits code that replaces every NaN in r by the canonical one, which the
// register nan contains.
func (v isa) canonical(r, nan VecVirtual) { v.choose(unordered, r, r, nan, r) }

// loop is the state of the generator while it emits a loop over elements: the addresses
// of the operands, and the index of the current element. The loop body can process
// several vectors in one iteration. It refers to a vector by its number; vector 0 starts
// at the current element.
type loop struct {
	// p holds the addresses of the operands d, a, b and c.
	p [4]GPVirtual
	// sizes holds the element sizes of the operands in bytes, or 0 for an absent operand.
	sizes [4]int
	i     GPVirtual
	// j is the index for b, which may not advance.
	j GPVirtual
	// elems is the number of elements of a vector.
	elems int
}

// These are the indices of the operands of a loop: the result d and the sources a, b and c.
const (
	d = iota
	a
	b
	c
)

// at returns the address of a vector in the row of an operand. The parameter operand is
// the index of the operand. The vector is k vectors after the current element.
func (l *loop) at(operand, k int) Mem {
	size, i := l.sizes[operand], l.i
	if operand == b {
		i = l.j
	}
	return Mem{Base: l.p[operand], Index: i, Scale: uint8(size), Disp: k * l.elems * size}
}

// rowSignature is the Go signature of the generated functions that compute elements of
// one or more rows. The pointer d refers to the result, and a, b and c refer to the
// operands. The parameter n is the number of elements of a row, and lines is the number
// of rows. The parameters nextD to nextC are the distances in bytes between rows. If keep
// is 0, operand b is a single vector that is used for all elements.
const rowSignature = "func(d, a, b, c *byte, n, keep, lines, nextD, nextA, nextB, nextC int)"

// rowFunc emits an assembly function that processes rows of elements in a loop. Each
// vector of the loop has the number of elements in the parameter elems. The parameter
// sizes holds the element sizes of the result and the operands in bytes. The parameter
// setup is a function that emits code before the loop. The parameter body is a function
// that emits the code for the vector with index k of an iteration.
func (v isa) rowFunc(name, doc string, setup func(), elems int, sizes [4]int, body func(l *loop, k int)) {
	v.rowFuncOf(v.unroll(), name, doc, setup, elems, sizes, func(l *loop, vectors int) {
		for k := range vectors {
			body(l, k)
		}
	})
}

// rowFuncOf is like rowFunc, except that an iteration processes as many vectors as the
// parameter unroll says, and that body emits the code for all vectors of an iteration. An
// iteration processes one vector instead if fewer than unroll are left.
func (v isa) rowFuncOf(unroll int, name, doc string, setup func(), elems int, sizes [4]int, body func(l *loop, vectors int)) {
	name += v.name
	TEXT(name, NOSPLIT, rowSignature)
	Pragma("noescape")
	Doc(fmt.Sprintf("%s %s; n is at least %d, or a negative multiple of it.", name, doc, elems))
	l := newLoop(sizes, elems)
	follow := l.following()
	setup()
	l.line(unroll, func(vectors int) {
		follow()
		body(l, vectors)
	})
	l.nextLine()
	VZEROUPPER()
	RET()
}

// unroll returns the number of vectors that an iteration of most loops processes. Together
// they have the length of HeldBytes in package kernels, because an iteration reads as many
// bytes of an operand that is the same for all elements.
func (v isa) unroll() int { return 128 / v.bytes }

// newLoop creates a loop over elements and emits code that loads the addresses of its
// operands. The array sizes contains the element size of each operand in bytes, and elems
// is the number of elements per vector.
func newLoop(sizes [4]int, elems int) *loop {
	l := &loop{sizes: sizes, i: GP64(), elems: elems}
	for i, operand := range operandNames {
		if sizes[i] > 0 {
			l.p[i] = Load(Param(operand), GP64()).(GPVirtual)
		}
	}
	return l
}

// following lets the emitted loop either advance in its second source operand, b, or read
// the same elements of b in each iteration. The argument keep of the generated function
// selects this at run time: b advances if all bits of keep are set, and it does not
// advance if keep is 0. following returns a function that emits code at the end of each
// iteration. This code sets the index of b to the index of the other operands, masked
// with keep. If the loop has no operand b, the returned function emits nothing.
func (l *loop) following() func() {
	if l.sizes[b] == 0 {
		return func() {}
	}
	keep := Load(Param("keep"), GP64())
	l.j = GP64()
	return func() {
		MOVQ(l.i, l.j)
		ANDQ(keep, l.j)
	}
}

// line emits the loop over the n elements of a row. It calls body to emit the code of an
// iteration; the argument of body is the number of vectors that the iteration processes.
// This number is unroll, or 1 for the vectors that are left after these iterations. If
// elements are left after the last vector, another vector ends with the last element. It
// computes some elements twice.
//
// The absolute value of n is the number of elements. If n is negative, the loop processes
// the row from the last element to the first. The row then consists of whole vectors, and
// is the only one.
func (l *loop) line(unroll int, body func(vectors int)) {
	step := unroll * l.elems
	n, by := GP64(), GP64() // by is the signed number of elements by which an iteration advances
	Load(Param("n"), n)
	TESTQ(n, n)
	JGE(LabelRef("line"))
	NEGQ(n)
	MOVQ(I32(int32(-step)), by)
	LEAQ(Mem{Base: n, Disp: -step}, l.i)
	JMP(LabelRef("first"))
	Label("line")
	Load(Param("n"), n)
	XORQ(l.i, l.i)
	MOVQ(I32(int32(step)), by)
	Label("first")
	SUBQ(U32(uint32(step)), n)
	JL(LabelRef("few"))
	Label("many")
	body(unroll)
	ADDQ(by, l.i)
	SUBQ(U32(uint32(step)), n)
	JGE(LabelRef("many"))
	Label("few") // fewer vectors than unroll, which are the first of the row on the way back
	ADDQ(U32(uint32(step-l.elems)), n)
	JL(LabelRef("last"))
	TESTQ(by, by)
	JGE(LabelRef("forward"))
	ADDQ(U32(uint32(step-l.elems)), l.i)
	Label("forward")
	SARQ(Imm(uint64(bits.Len(uint(unroll))-1)), by) // one vector
	Label("one")
	body(1)
	ADDQ(by, l.i)
	SUBQ(U32(uint32(l.elems)), n)
	JGE(LabelRef("one"))
	Label("last") // n is the number of elements that are left, minus a vector
	CMPQ(n, I32(int32(-l.elems)))
	JE(LabelRef("done"))
	ADDQ(n, l.i)
	XORQ(n, n)
	JMP(LabelRef("one"))
	Label("done")
}

// nextLine emits code that advances the operands to the next row and repeats the loop for
// it, unless the current row is the last one.
func (l *loop) nextLine() {
	DECQ(inMemory("lines"))
	JLE(LabelRef("end"))
	for i, next := range [4]string{"nextD", "nextA", "nextB", "nextC"} {
		if l.sizes[i] > 0 {
			ADDQ(inMemory(next), l.p[i])
		}
	}
	JMP(LabelRef("line"))
	Label("end")
}

// operandNames are the names of the parameters that contain the operands of a loop.
var operandNames = [4]string{"d", "a", "b", "c"}

// inMemory returns a memory operand that reads a parameter of the generated function from
// the stack. Code uses it for parameters that it reads rarely, so that they need no
// register.
func inMemory(param string) Mem {
	at, err := Param(param).Resolve()
	if err != nil {
		panic(err)
	}
	return at.Addr
}
