package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// foldOp folds rows from their first element to their last. It starts from an
// element that changes nothing, not even the sign of a zero.
type foldOp struct {
	name    string
	start   uint32 // in f32, or an integer
	rounds  bool   // the result of a step may need rounding
	integer func(x, acc VecVirtual)
}

var foldOps = []foldOp{
	{name: "add", start: 0x80000000, rounds: true},
	{name: "mul", start: 0x3F800000, rounds: true},
	{name: "max", start: 0xFF800000},
	{name: "min", start: 0x7F800000},
	{name: "add", start: 0, integer: func(x, acc VecVirtual) { VPADDD(x, acc, acc) }},
	{name: "max", start: 0x80000000, integer: func(x, acc VecVirtual) { VPMAXSD(x, acc, acc) }},
	{name: "min", start: 0x7FFFFFFF, integer: func(x, acc VecVirtual) { VPMINSD(x, acc, acc) }},
}

func foldLoops(v isa) {
	for _, op := range foldOps {
		if op.integer != nil {
			foldLoop(v, op, format{"S32", 4}, func(x, acc VecVirtual) { op.integer(x, acc) }, &floatState{})
			continue
		}
		for _, f := range formats {
			s := &floatState{format: f}
			foldLoop(v, op, f, func(x, acc VecVirtual) {
				r := floatStep(op.name)(v, s, [3]VecVirtual{acc, x})
				if op.rounds {
					f.round(v, s.rounder, s.nan, r)
				}
				if r != acc {
					VMOVAPS(r, acc)
				}
			}, s)
		}
	}
}

// floatStep is what a loop over rows does with each vector.
func floatStep(name string) func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
	for _, op := range floatOps {
		if op.name == name {
			return op.write
		}
	}
	panic("no loop " + name)
}

// foldLoop folds as many rows as a vector has words, 16 bytes of each at once:
// they are turned, so that a vector holds an element of every row.
func foldLoop(v isa, op foldOp, f format, step func(x, acc VecVirtual), s *floatState) {
	name, cols := "fold"+strings.ToUpper(op.name[:1])+op.name[1:]+f.name+v.name, 16/f.bytes
	TEXT(name, NOSPLIT, "func(d, a *byte, pitch, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s folds each of %d rows of n elements, pitch bytes from each other; n is a multiple of %d.", name, v.elems(), cols))
	d, a := Load(Param("d"), GP64()).(GPVirtual), Load(Param("a"), GP64()).(GPVirtual)
	pitch, n := Load(Param("pitch"), GP64()).(GPVirtual), Load(Param("n"), GP64()).(GPVirtual)
	pitch3 := GP64()
	LEAQ(Mem{Base: pitch, Index: pitch, Scale: 2}, pitch3)
	bases := []GPVirtual{a}
	for l := 1; l < v.bytes/16; l++ {
		b := GP64()
		LEAQ(Mem{Base: bases[l-1], Index: pitch, Scale: 4}, b)
		bases = append(bases, b)
	}
	s.nan, s.rounder = v.word32("nan", canonicalNaN), f.rounder(v)
	acc := v.word32(fmt.Sprintf("start%08X", op.start), op.start)
	halves := f.newHalves(v)

	Label("next")
	CMPQ(n, U32(uint32(cols)))
	JL(LabelRef("done"))
	for _, w := range turn(v, bases, pitch, pitch3) {
		for _, x := range halves.read(v, w) {
			step(x, acc)
		}
	}
	for _, b := range bases {
		ADDQ(Imm(16), b)
	}
	SUBQ(U32(uint32(cols)), n)
	JMP(LabelRef("next"))
	Label("done")
	if op.integer == nil {
		v.canonical(acc, s.nan)
	}
	f.write(v, s.rounder, acc, Mem{Base: d})
	VZEROUPPER()
	RET()
}

// turn loads four words of every row and returns them as columns. Row 4l+i is
// at i times the pitch from base l.
func turn(v isa, bases []GPVirtual, pitch, pitch3 GPVirtual) [4]VecVirtual {
	var r, t, c [4]VecVirtual
	for i := range r {
		r[i] = v.vec()
		for l, base := range bases {
			m := [4]Mem{{Base: base}, {Base: base, Index: pitch, Scale: 1}, {Base: base, Index: pitch, Scale: 2}, {Base: base, Index: pitch3, Scale: 1}}[i]
			switch {
			case l == 0:
				VMOVUPS(m, r[i].AsX())
			case v.wide():
				VINSERTF32X4(Imm(uint64(l)), m, r[i], r[i])
			default:
				VINSERTF128(Imm(uint64(l)), m, r[i], r[i])
			}
		}
	}
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

// halves reads the elements in words as f32: one of 32 bits, or two of 16, the
// lower one first.
type halves struct {
	format
	mask VecVirtual
}

func (f format) newHalves(v isa) halves {
	h := halves{format: f}
	switch {
	case f.name == "BF16":
		h.mask = v.word32("upper", 0xFFFF0000)
	case f.name == "F16" && !v.wide():
		h.mask = v.word32("lower", 0xFFFF)
	}
	return h
}

func (h halves) read(v isa, w VecVirtual) []VecVirtual {
	switch h.name {
	case "F16":
		high := v.vec()
		VPSRLD(Imm(16), w, high)
		return []VecVirtual{h.widen(v, w), h.widen(v, high)}
	case "BF16":
		low := v.vec()
		VPSLLD(Imm(16), w, low)
		v.and(h.mask, w, w)
		return []VecVirtual{low, w}
	}
	return []VecVirtual{w}
}

// widen reads the lower halves of words as f16, and spoils them.
func (h halves) widen(v isa, w VecVirtual) VecVirtual {
	narrow := v.half()
	if v.wide() {
		VPMOVDW(w, narrow)
	} else {
		v.and(h.mask, w, w)
		VPACKUSDW(w, w, w)
		VPERMQ(Imm(0x08), w, w)
		narrow = w.AsX().(VecVirtual)
	}
	r := v.vec()
	VCVTPH2PS(narrow, r)
	return r
}
