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

// foldLoops are for narrow vectors alone: turning wide ones takes longer.
func foldLoops(v isa) {
	if v.wide() {
		return
	}
	for _, groups := range []int{4, 1} {
		foldGroups(v, groups)
	}
}

func foldGroups(v isa, groups int) {
	for _, op := range foldOps {
		if op.integer != nil {
			foldLoop(v, groups, op, format{"S32", 4}, func(x, acc VecVirtual) { op.integer(x, acc) }, &floatState{})
			continue
		}
		for _, f := range formats {
			s := &floatState{format: f}
			foldLoop(v, groups, op, f, func(x, acc VecVirtual) {
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

// foldLoop folds rows, 16 bytes of each at once: as many as a vector has words
// are turned, so that a vector holds an element of each. A group of rows waits
// for its last step most of the time, so that there are several.
func foldLoop(v isa, groups int, op foldOp, f format, step func(x, acc VecVirtual), s *floatState) {
	count, cols := groups*v.elems(), 16/f.bytes
	name := fmt.Sprintf("fold%s%s%sRows%d", strings.ToUpper(op.name[:1]), op.name[1:], f.name, count)
	TEXT(name, NOSPLIT, "func(d, a *byte, pitch, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s folds each of %d rows of n elements, pitch bytes from each other; n is a multiple of %d.", name, count, cols))
	d, a := Load(Param("d"), GP64()).(GPVirtual), Load(Param("a"), GP64()).(GPVirtual)
	pitch, n := Load(Param("pitch"), GP64()).(GPVirtual), Load(Param("n"), GP64()).(GPVirtual)
	rows, accs := []*lines{newLines(v, a, pitch)}, make([]VecVirtual, groups)
	s.nan, s.rounder = v.word32("nan", canonicalNaN), f.rounder(v)
	halves := f.newHalves(v)
	for i := range accs {
		if accs[i] = v.word32(fmt.Sprintf("start%08X", op.start), op.start); i > 0 {
			rows = append(rows, rows[i-1].next(v))
		}
	}

	Label("next")
	CMPQ(n, U32(uint32(cols)))
	JL(LabelRef("done"))
	for i, group := range rows {
		for _, w := range group.turn(v) {
			for _, x := range halves.read(v, w) {
				step(x, accs[i])
			}
		}
		group.advance()
	}
	SUBQ(U32(uint32(cols)), n)
	JMP(LabelRef("next"))
	Label("done")
	for i, acc := range accs {
		if op.integer == nil {
			v.canonical(acc, s.nan)
		}
		f.write(v, s.rounder, acc, Mem{Base: d, Disp: i * v.elems() * f.bytes})
	}
	VZEROUPPER()
	RET()
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
