package main

import "fmt"

// integerOp is a NEON instruction on all lanes of a vector. The field code is the
// encoding of the instruction for lanes of 1 byte; for wider lanes, the generator adds
// the bits that encode the lane size.
type integerOp struct {
	name, what string
	code       uint32
}

var integerOps = []integerOp{
	{"addI", "ADD", 0x4E208400}, {"subI", "SUB", 0x6E208400}, {"mulI", "MUL", 0x4E209C00},
	{"maxS", "SMAX", 0x4E206400}, {"maxU", "UMAX", 0x6E206400},
	{"minS", "SMIN", 0x4E206C00}, {"minU", "UMIN", 0x6E206C00},
}

// bitOps lists the instructions on all bits of a vector.
var bitOps = []integerOp{{"and", "AND", 0x4E201C00}, {"or", "ORR", 0x4EA01C00}, {"xor", "EOR", 0x6E201C00}}

// signOps change the signs of floats.
var signOps = []integerOp{{"abs", "BIC", 0x4E601C00}, {"neg", "EOR", 0x6E201C00}}

// sign writes the loop of op, which changes the sign of floats of size bytes. signs holds
// the sign bits of a 32-bit word. Each iteration processes 32 bytes.
func (w *writer) sign(op integerOp, size int, signs uint32) {
	const register = 16
	w.begin(fmt.Sprintf("%s%dNEON", op.name, size), fmt.Sprintf("changes signs; n is a multiple of %d", 256/size), 0)
	w.constant(register, signs)
	w.loop()
	w.line("VLD1.P 32(R1), [V0.B16, V1.B16]")
	w.word(op.code, 0, 0, register, op.what)
	w.word(op.code, 1, 1, register, op.what)
	w.line("VST1.P [V0.B16, V1.B16], 32(R0)")
	w.end(256 / size)
}

// integer writes the loop of the instruction op. The parameter size is the size of a lane
// in bytes. Each iteration processes 32 bytes.
func (w *writer) integer(op integerOp, size int) {
	w.begin(fmt.Sprintf("%s%dNEON", op.name, 8*size), fmt.Sprintf("computes integers; n is a multiple of %d", 32/size), 32)
	w.pairs(op.what, op.code|uint32(size/2)<<22, 32/size)
}

// bits writes a function with a loop of the bitwise instruction op. The parameter n of
// the written function is a number of bytes, because a bitwise instruction does not
// depend on the size of elements.
func (w *writer) bits(op integerOp) {
	w.begin(op.name+"BitsNEON", "computes n bytes, a multiple of 32", 32)
	w.pairs(op.what, op.code, 32)
}

func (w *writer) pairs(what string, code uint32, step int) {
	w.loop()
	w.line("VLD1.P 32(R1), [V0.B16, V1.B16]")
	w.line("VLD1 (R2), [V2.B16, V3.B16]")
	w.line("ADD R5, R2")
	w.word(code, 0, 0, 2, what)
	w.word(code, 1, 1, 3, what)
	w.line("VST1.P [V0.B16, V1.B16], 32(R0)")
	w.end(step)
}
