package main

import "fmt"

// format is a float format in memory. The loops convert it to f32, compute in f32, and
// convert the results back.
type format struct {
	name  string
	bytes int
}

// floatOp is a float operation, computed on 32-bit lanes.
type floatOp struct {
	name  string
	arity int
	// f32 states that the loop is generated only for the format f32.
	f32 bool
	// body writes code that computes the result into register a, from the operands in the
	// registers a, b and c.
	body func(w *writer, a, b, c int)
}

func plain(code uint32, what string) func(w *writer, a, b, c int) {
	return func(w *writer, a, b, _ int) { w.word(code, a, a, b, what) }
}

var floatOps = []floatOp{
	{"add", 2, false, plain(0x4E20D400, "FADD")},
	{"sub", 2, false, plain(0x4EA0D400, "FSUB")},
	{"mul", 2, false, plain(0x6E20DC00, "FMUL")},
	{"div", 2, false, plain(0x6E20FC00, "FDIV")},
	{"max", 2, false, plain(0x4E20F400, "FMAX")},
	{"min", 2, false, plain(0x4EA0F400, "FMIN")},
	{"relu", 1, false, func(w *writer, a, _, _ int) { w.word(0x4E20F400, a, a, zero, "FMAX") }},
	{"leaky", 2, false, func(w *writer, a, b, _ int) { w.leaky(0x6EA0C800, "FCMGE", a, b) }},
	{"leakyAbove", 2, false, func(w *writer, a, b, _ int) { w.leaky(0x4EA0C800, "FCMGT", a, b) }},
	{"sqrt", 1, false, func(w *writer, a, _, _ int) { w.word(0x6EA1F800, a, a, 0, "FSQRT") }},
	{"recip", 1, false, func(w *writer, a, _, _ int) { w.word(0x6E20FC00, a, one, a, "FDIV") }},
	{"exp", 1, false, func(w *writer, a, _, _ int) { w.exp(a) }},
	{"fma", 3, true, func(w *writer, a, b, c int) {
		w.word(0x4E20CC00, c, a, b, "FMLA")
		w.move(a, c)
	}},
}

// leaky writes code that multiplies register a by register b in some lanes: those in
// which the comparison of a with 0 is false. The parameter compare is the encoding of the
// comparison instruction, and the parameter what is the name of this instruction in the
// assembly text.
func (w *writer) leaky(compare uint32, what string, a, b int) {
	w.word(compare, scratch, a, 0, what+" #0")
	w.word(0x6E20DC00, b, a, b, "FMUL")
	w.word(0x6EE01C00, a, b, scratch, "BIF")
}

func (w *writer) move(d, n int) { w.word(0x4EA01C00, d, n, n, "ORR") }

// canonical writes code that replaces every NaN in register r by the canonical NaN.
func (w *writer) canonical(r int) {
	w.word(0x4E20E400, scratch, r, r, "FCMEQ")
	w.word(0x6EE01C00, r, nan, scratch, "BIF")
}

// float writes the loop of the operation op for the format f. Each iteration processes
// eight elements.
func (w *writer) float(op floatOp, f format) {
	if op.f32 && f.name != "F32" {
		return
	}
	w.begin(op.name+f.name+"NEON", "computes floats; n is a multiple of 8", 8*f.bytes)
	w.constants(f)
	if op.name == "exp" {
		w.expConstants()
	}
	w.loop()
	for i := range op.arity {
		w.read(f, 2*i, 1+i)
	}
	for i := range 2 {
		op.body(w, ra+i, rb+i, rc+i)
		w.canonical(ra + i)
	}
	w.write(f)
	w.end(8)
}

func (w *writer) constants(f format) {
	w.constant(nan, 0x7FC00000)
	w.constant(zero, 0)
	w.constant(one, 0x3F800000)
	if f.name == "BF16" {
		w.constant(half, 0x7FFF)
		w.constant(odd, 1)
	}
}

// read writes code that loads eight elements of format f, converts them to f32, and
// advances the address. The parameter to is the number of the vector register for the
// first four results; the next vector register receives the other four. The parameter
// from is the number of the general register with the address.
func (w *writer) read(f format, to, from int) {
	if f.bytes == 4 {
		w.line("VLD1 (R%d), [V%d.S4, V%d.S4]", from, to, to+1)
	} else {
		w.line("VLD1 (R%d), [V%d.H8]", from, scratch)
		code := map[string][2]uint32{"F16": {0x0E217800, 0x4E217800}, "BF16": {0x2E613800, 0x6E613800}}[f.name]
		w.word(code[0], to, scratch, 0, "low half of")
		w.word(code[1], to+1, scratch, 0, "high half of")
	}
	if from == 2 {
		w.line("ADD R5, R2")
	} else {
		w.line("ADD $%d, R%d", 8*f.bytes, from)
	}
}

// write adds code to the generated program that rounds the two result registers to format
// f and stores them. The code requires that every NaN in the registers is canonical.
func (w *writer) write(f format) {
	switch f.name {
	case "F32":
		w.line("VST1.P [V0.S4, V1.S4], 32(R0)")
		return
	case "F16":
		w.word(0x0E216800, 0, 0, 0, "FCVTN")
		w.word(0x4E216800, 0, 1, 0, "FCVTN2")
	case "BF16": // just below half a unit, and the lowest bit that stays
		for r := range 2 {
			w.word(0x6F300400, scratch, r, 0, "USHR #16")
			w.word(0x4E201C00, scratch, scratch, odd, "AND")
			w.word(0x4EA08400, r, r, half, "ADD")
			w.word(0x4EA08400, r, r, scratch, "ADD")
		}
		w.word(0x4E405800, 0, 0, 1, "UZP2")
	}
	w.line("VST1.P [V0.H8], 16(R0)")
}

// floats writes the loops that convert elements between the formats f32, f16 and bf16,
// and from 32-bit integers to f32.
func (w *writer) floats() {
	f32, f16, bf16 := format{"F32", 4}, format{"F16", 2}, format{"BF16", 2}
	for _, c := range [][2]format{{f32, f32}, {f16, f32}, {bf16, f32}, {f32, f16}, {f32, bf16}} {
		w.begin(fmt.Sprintf("convert%s%sNEON", c[0].name, c[1].name), "converts floats; n is a multiple of 8", 0)
		w.constants(c[1])
		w.loop()
		w.read(c[0], ra, 1)
		w.canonical(0)
		w.canonical(1)
		w.write(c[1])
		w.end(8)
	}
	w.begin("convertS32F32NEON", "converts integers; n is a multiple of 8", 0)
	w.loop()
	w.read(f32, ra, 1)
	w.word(0x4E21D800, 0, 0, 0, "SCVTF")
	w.word(0x4E21D800, 1, 1, 0, "SCVTF")
	w.write(f32)
	w.end(8)
}
