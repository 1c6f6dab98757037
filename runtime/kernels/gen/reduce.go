// This file generates reduction loops.

package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// reduceOp describes a reduction of elements in order, from the first to the last, for
// which this program generates a loop. The loop starts with a neutral value: combining it
// with an element changes nothing, not even the sign of a zero.
type reduceOp struct {
	name string
	// start is the initial value: the bits of an f32, or an integer.
	start uint32
	// rounds states that the result of each step may need rounding to the format.
	rounds bool
	// finds states that the result is the position of the extreme element instead of its
	// value.
	finds   bool
	integer func(x, acc VecVirtual)
	// beats emits a comparison for integer positions: whether x replaces the current
	// extreme acc.
	beats func(v isa, x, acc, m VecVirtual)
}

var reduceOps = []reduceOp{
	{name: "add", start: 0x80000000, rounds: true},
	{name: "mul", start: 0x3F800000, rounds: true},
	{name: "max", start: 0xFF800000},
	{name: "min", start: 0x7F800000},
	{name: "argMax", start: 0xFF800000, finds: true},
	{name: "argMin", start: 0x7F800000, finds: true},
	{name: "add", start: 0, integer: func(x, acc VecVirtual) { VPADDD(x, acc, acc) }},
	{name: "max", start: 0x80000000, integer: func(x, acc VecVirtual) { VPMAXSD(x, acc, acc) }},
	{name: "min", start: 0x7FFFFFFF, integer: func(x, acc VecVirtual) { VPMINSD(x, acc, acc) }},
	{name: "argMax", start: 0x80000000, finds: true, integer: func(x, acc VecVirtual) { VPMAXSD(x, acc, acc) },
		beats: func(v isa, x, acc, m VecVirtual) { VPCMPGTD(acc, x, m) }},
	{name: "argMin", start: 0x7FFFFFFF, finds: true, integer: func(x, acc VecVirtual) { VPMINSD(x, acc, acc) },
		beats: func(v isa, x, acc, m VecVirtual) { VPCMPGTD(x, acc, m) }},
}

// reduceLoops generates the reduction loops for the instruction set v. It generates none
// for instruction sets with wide vectors, because such loops would have to transpose the
// vectors, which needs more time than the wider vectors save.
func reduceLoops(v isa) {
	if v.wide() {
		return
	}
	for _, op := range reduceOps {
		of := formats
		if op.integer != nil {
			of = []format{{"S32", 4}}
		}
		groups := 4
		if op.finds { // which takes more registers
			groups = 2
		}
		for _, f := range of {
			for _, n := range []int{groups, 1} {
				if op.rounds {
					reduceTwos(v, n, newReduce(op, f))
				} else {
					reduceRows(v, n, newReduce(op, f))
				}
				reduceColumns(v, n, newReduce(op, f))
			}
		}
	}
}

// reduce is the state of the generator for one reduction function on one format.
type reduce struct {
	reduceOp
	format
	s *floatState
}

func newReduce(op reduceOp, f format) *reduce { return &reduce{op, f, &floatState{format: f}} }

// chain holds the registers of a reduction for one vector of results. acc is the current
// result. For a search for the smallest or largest element, at is the position of the
// element that acc contains, and next is the position of the next element to examine.
type chain struct{ acc, at, next VecVirtual }

// chains emits code that initializes n independent chains of results. The processor can
// execute independent chains concurrently, so that one does not wait for the latency of
// another.
func (l *reduce) chains(v isa, n int) []chain {
	if l.integer == nil {
		l.s.nan = v.word32("nan", canonicalNaN)
	}
	l.s.rounder = l.rounder(v)
	cs := make([]chain, n)
	for i := range cs {
		if cs[i].acc = v.word32(fmt.Sprintf("start%08X", l.start), l.start); l.finds {
			cs[i].at, cs[i].next = v.zero(), v.zero()
		}
	}
	return cs
}

// step emits code that combines the element x of each row or column with the current
// result of the chain c.
func (l *reduce) step(v isa, x VecVirtual, c chain) {
	switch {
	case l.finds:
		l.find(v, x, c)
	case l.integer != nil:
		l.integer(x, c.acc)
	default:
		r := floatStep(l.reduceOp.name)(v, l.s, [3]VecVirtual{c.acc, x})
		if l.rounds {
			l.round(v, l.s.rounder, l.s.nan, r)
		}
		if r != c.acc {
			VMOVAPS(r, c.acc)
		}
	}
}

// find emits one step of a search for the extreme element of each lane. The chain c
// contains two registers: the best elements so far, and their positions. In each lane in
// which the element of register x is better than the best element, the code replaces the
// best element by the element of x and the position by the current position. NaN is
// better than every number, and no element is better than NaN.
func (l *reduce) find(v isa, x VecVirtual, c chain) {
	m := v.vec()
	if l.integer != nil {
		l.beats(v, x, c.acc, m)
		l.integer(x, c.acc)
	} else {
		rel, number := uint64(notAtMost), v.vec()
		if l.start>>31 == 0 {
			rel = notAtLeast
		}
		VCMPPS(Imm(ordered), c.acc, c.acc, number)
		VCMPPS(Imm(rel), c.acc, x, m)
		VPAND(number, m, m)
		VBLENDVPS(m, x, c.acc, c.acc)
	}
	VBLENDVPS(m, c.next, c.at, c.at)
	VPADDD(whole("one", 1), c.next, c.next)
}

// finish emits code that stores the results of a reduction at address m. The parameter c
// contains the registers with these results. If the reduction searches for an extreme
// element, the stored results are the positions of the elements; in all other cases they
// are the reduced values.
func (l *reduce) finish(v isa, c chain, m Mem) {
	switch {
	case l.finds:
		v.store(c.at, m)
		return
	case l.integer == nil:
		v.canonical(c.acc, l.s.nan)
	}
	l.write(v, l.s.rounder, c.acc, m)
}

// result returns the size in bytes of one result of the reduction: a position or a
// reduced element.
func (l *reduce) result() int {
	if l.finds {
		return 4
	}
	return l.bytes
}

// begin emits the start of a function that reduces rows or columns. The parameter count
// is their number. The parameter lines is the part of the function's name that
// distinguishes rows from columns, and doc is the end of its doc comment. begin returns
// the registers that contain the parameters of the function.
func (l *reduce) begin(count int, lines, doc string) (d, a, pitch, n GPVirtual) {
	name := fmt.Sprintf("reduce%s%s%s%s%d", strings.ToUpper(l.reduceOp.name[:1]), l.reduceOp.name[1:], l.format.name, lines, count)
	TEXT(name, NOSPLIT, "func(d, a *byte, pitch, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s reduces each of %d %s.", name, count, doc))
	return Load(Param("d"), GP64()).(GPVirtual), Load(Param("a"), GP64()).(GPVirtual),
		Load(Param("pitch"), GP64()).(GPVirtual), Load(Param("n"), GP64()).(GPVirtual)
}

// end emits code that stores the results of a reduction at the address d and returns from
// the function. Each chain in cs holds one vector of results in registers.
func (l *reduce) end(v isa, cs []chain, d GPVirtual) {
	for i, c := range cs {
		l.finish(v, c, Mem{Base: d, Disp: i * v.elems() * l.result()})
	}
	VZEROUPPER()
	RET()
}

// reduceRows generates a loop that reduces each row to one element. One iteration
// processes 16 bytes of each row. The loop transposes as many rows at a time as a vector
// has 32-bit words; afterwards each vector holds one element of each row. Each step of
// such a group of rows must wait for the previous step of the group. The loop therefore
// interleaves several groups; the parameter groups is their number.
func reduceRows(v isa, groups int, l *reduce) {
	cols := 16 / l.bytes
	d, a, pitch, n := l.begin(groups*v.elems(), "Rows", fmt.Sprintf("rows of n elements, pitch bytes from each other; n is a multiple of %d", cols))
	cs, halves := l.chains(v, groups), l.newHalves(v)
	rows := []*lines{newLines(v, a, pitch)}
	for i := range groups - 1 {
		rows = append(rows, rows[i].next(v))
	}
	Label("next")
	CMPQ(n, U32(uint32(cols)))
	JL(LabelRef("done"))
	for i, group := range rows {
		for _, w := range group.transpose(v) {
			for _, x := range halves.read(v, w) {
				l.step(v, x, cs[i])
			}
		}
		group.advance()
	}
	SUBQ(U32(uint32(cols)), n)
	JMP(LabelRef("next"))
	Label("done")
	l.end(v, cs, d)
}

// reduceColumns generates a loop that reduces columns, one element of each column per
// iteration. The parameter groups is the number of vectors of adjacent columns that the
// loop reduces at once.
func reduceColumns(v isa, groups int, l *reduce) {
	d, a, pitch, n := l.begin(groups*v.elems(), "Cols", "columns of n elements, pitch bytes from each other; n is not 0")
	cs := l.chains(v, groups)
	Label("next")
	for i, c := range cs {
		l.step(v, l.read(v, Mem{Base: a, Disp: i * v.elems() * l.bytes}), c)
	}
	ADDQ(pitch, a)
	DECQ(n)
	JNZ(LabelRef("next"))
	l.end(v, cs, d)
}

// reduceTwos generates a loop that reduces columns. It starts with the first element of
// each column. Each iteration then combines the next two elements with each other, and
// combines their result with the current result. This halves the number of dependent
// operations. The parameter groups is the number of vectors of columns that the loop
// processes at the same time.
func reduceTwos(v isa, groups int, l *reduce) {
	d, a, pitch, n := l.begin(groups*v.elems(), "Twos", "columns of n elements, pitch bytes from each other, the first and then two at once; n is not 0")
	cs := l.chains(v, groups)
	at := func(i int) Mem { return Mem{Base: a, Disp: i * v.elems() * l.bytes} }
	for i, c := range cs {
		VMOVAPS(l.read(v, at(i)), c.acc)
	}
	ADDQ(pitch, a)
	DECQ(n)
	Label("next")
	CMPQ(n, U32(2))
	JL(LabelRef("last"))
	for i, c := range cs {
		second := at(i)
		second.Index, second.Scale = pitch, 1
		both := chain{acc: l.read(v, at(i))}
		l.step(v, l.read(v, second), both)
		l.step(v, both.acc, c)
	}
	LEAQ(Mem{Base: a, Index: pitch, Scale: 2}, a)
	SUBQ(U32(2), n)
	JMP(LabelRef("next"))
	Label("last")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	for i, c := range cs {
		l.step(v, l.read(v, at(i)), c)
	}
	Label("done")
	l.end(v, cs, d)
}

// floatStep returns the function that emits the float operation with the given name.
func floatStep(name string) func(v isa, s *floatState, x [3]VecVirtual) VecVirtual {
	for _, op := range floatOps {
		if op.name == name {
			return op.write
		}
	}
	panic("no loop " + name)
}

// halves is a source of f32 operands for a reduction: it reads 32-bit words and converts
// the elements in them to f32. A word contains one 32-bit element, or two 16-bit elements
// of which the lower one comes first.
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

// widen emits code that converts the lower half of each 32-bit word in register w from
// f16 to f32. It returns the register with the result. The code also overwrites w.
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
