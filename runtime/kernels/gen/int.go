// This file generates loops on integers.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// integerOps are the machine instructions on integers for which loops are emitted. size
// is the number of bytes of an element.
var integerOps = []struct {
	name, doc string
	size      int
	write     func(v isa, b Op, a, d VecVirtual)
}{
	{"addI8", "is a + b", 1, func(_ isa, b Op, a, d VecVirtual) { VPADDB(b, a, d) }},
	{"addI16", "is a + b", 2, func(_ isa, b Op, a, d VecVirtual) { VPADDW(b, a, d) }},
	{"addI32", "is a + b", 4, func(_ isa, b Op, a, d VecVirtual) { VPADDD(b, a, d) }},
	{"subI8", "is a - b", 1, func(_ isa, b Op, a, d VecVirtual) { VPSUBB(b, a, d) }},
	{"subI16", "is a - b", 2, func(_ isa, b Op, a, d VecVirtual) { VPSUBW(b, a, d) }},
	{"subI32", "is a - b", 4, func(_ isa, b Op, a, d VecVirtual) { VPSUBD(b, a, d) }},
	{"mulI16", "is a * b", 2, func(_ isa, b Op, a, d VecVirtual) { VPMULLW(b, a, d) }},
	{"mulI32", "is a * b", 4, func(_ isa, b Op, a, d VecVirtual) { VPMULLD(b, a, d) }},
	{"maxS8", "is the larger of a and b", 1, func(_ isa, b Op, a, d VecVirtual) { VPMAXSB(b, a, d) }},
	{"maxS16", "is the larger of a and b", 2, func(_ isa, b Op, a, d VecVirtual) { VPMAXSW(b, a, d) }},
	{"maxS32", "is the larger of a and b", 4, func(_ isa, b Op, a, d VecVirtual) { VPMAXSD(b, a, d) }},
	{"maxU8", "is the larger of a and b", 1, func(_ isa, b Op, a, d VecVirtual) { VPMAXUB(b, a, d) }},
	{"maxU16", "is the larger of a and b", 2, func(_ isa, b Op, a, d VecVirtual) { VPMAXUW(b, a, d) }},
	{"maxU32", "is the larger of a and b", 4, func(_ isa, b Op, a, d VecVirtual) { VPMAXUD(b, a, d) }},
	{"minS8", "is the smaller of a and b", 1, func(_ isa, b Op, a, d VecVirtual) { VPMINSB(b, a, d) }},
	{"minS16", "is the smaller of a and b", 2, func(_ isa, b Op, a, d VecVirtual) { VPMINSW(b, a, d) }},
	{"minS32", "is the smaller of a and b", 4, func(_ isa, b Op, a, d VecVirtual) { VPMINSD(b, a, d) }},
	{"minU8", "is the smaller of a and b", 1, func(_ isa, b Op, a, d VecVirtual) { VPMINUB(b, a, d) }},
	{"minU16", "is the smaller of a and b", 2, func(_ isa, b Op, a, d VecVirtual) { VPMINUW(b, a, d) }},
	{"minU32", "is the smaller of a and b", 4, func(_ isa, b Op, a, d VecVirtual) { VPMINUD(b, a, d) }},
	{"andBits", "is a & b", 1, func(v isa, b Op, a, d VecVirtual) { v.and(b, a, d) }},
	{"orBits", "is a | b", 1, func(v isa, b Op, a, d VecVirtual) { v.or(b, a, d) }},
	{"xorBits", "is a ^ b", 1, func(v isa, b Op, a, d VecVirtual) { v.xor(b, a, d) }},
}

func integerLoops(v isa) {
	for _, op := range integerOps {
		v.rowFunc(op.name, op.doc, func() {}, v.bytes/op.size, [4]int{op.size, op.size, op.size},
			func(l *loop, k int) {
				r := v.vec()
				v.load(l.at(a, k), r)
				op.write(v, l.at(b, k), r, r)
				v.store(r, l.at(d, k))
			})
	}
	signLoop(v, "absF32", "clears signs", 4, "magnitude32", 0x7FFFFFFF, v.and)
	signLoop(v, "abs16", "clears signs", 2, "magnitude16", 0x7FFF7FFF, v.and)
	signLoop(v, "negF32", "turns signs", 4, "sign32", 0x80000000, v.xor)
	signLoop(v, "neg16", "turns signs", 2, "sign16", 0x80008000, v.xor)
}

// signLoop generates the function with the given name, which changes the signs of floats.
// The parameter size is the size of a float in bytes. The parameter constant is the name
// of a constant that consists of the given bits, such as the sign bits of a 32-bit word.
// The parameter change emits the instruction that combines the elements with this
// constant. The parameter doc is the doc comment of the generated function.
func signLoop(v isa, name, doc string, size int, constant string, bits uint32, change func(a, b Op, d VecVirtual)) {
	var k VecVirtual
	v.rowFunc(name, doc, func() { k = v.word32(constant, bits) }, v.bytes/size, [4]int{size, size},
		func(l *loop, i int) {
			r := v.vec()
			v.load(l.at(a, i), r)
			change(k, r, r)
			v.store(r, l.at(d, i))
		})
}
