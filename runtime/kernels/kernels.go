// Package kernels contains the performance-critical loops of the runtime in assembly, for
// the vector instructions of the processor ([Best]). Every loop computes the same bits as
// package ir/scalar. If there is no loop for a function, callers use a loop in Go. [Of]
// returns the [Loop] for a function; start reading in kernels.go.
//
//	kernels.go       loops over a row of adjacent elements
//	lines.go         the same loops over several rows
//	tointeger.go     conversions of floats to integers
//	reduce.go        reductions of several rows or columns at once
//	sum.go           pairwise sums of rows
//	transpose.go     transposition
//	blocks.go        copies of blocks of bytes
//	broadcast.go     rows filled with copies of an element
//	gather.go        elements selected by indices
//	compare.go       comparisons that produce bits, and selection by bits
//	matmul.go        matrix products
//	*table_amd64.go  the loop for each function and format on amd64, and for products
//	detect_amd64.go  the instruction set of the processor
//	table_arm64.go   the loops of arm64, which process only single rows
//	other.go         empty tables for loops that only amd64 has
//	none.go          empty tables for architectures without vector loops
//	*.s              the assembly code, which gen generates (go generate)
package kernels

//go:generate sh generate.sh

import (
	"encoding/binary"
	"unsafe"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Level is a level of vector instruction sets, such as AVX2. A level includes the
// instructions of all lower levels.
type Level uint8

const (
	// These are the levels of amd64. Each includes the instructions of the previous ones.
	// None means that the runtime uses its loops in Go.
	None Level = iota
	AVX2
	AVX512
)

// String returns the name of the level, for example "avx2".
func (l Level) String() string { return levelNames[l] }

// Best is the highest level of vector instructions that this processor supports.
var Best = detect()

// Levels returns all levels that this processor supports, in ascending order from None.
func Levels() []Level { return []Level{None, 1, 2}[:Best+1] }

// run is an assembly loop. It computes the elements of d from the elements of a, b and c,
// in each of several rows (the parameter lines is their number). A row has n elements, at
// least as many as a vector. If n is not a multiple of a vector, the loop computes some
// elements of each row twice. If n is negative, the only row consists of -n elements in
// whole vectors, and the loop starts with the last one. If the
// parameter keep is -1, operand b advances within a row like the other operands. If it is
// 0, operand b does not advance, so all elements of the row use the same bytes of b.
// nextD, nextA, nextB and nextC are the distances between consecutive rows in bytes.
type run = func(d, a, b, c *byte, n, keep, lines, nextD, nextA, nextB, nextC int)

// Loop is a loop in vector instructions that computes a function for each element:
// element i of d is the result for the elements i of the operands a, b and c.
type Loop struct {
	// run is the assembly loop, or nil.
	run run
	// step is the granularity of run: it processes a multiple of step elements.
	step int
	// arity is the number of operands.
	arity int
	// size is the number of bytes of an element of the result.
	size int
	// from is the number of bytes of an element of the operands.
	from int
	// number computes the same function on f32 if the second operand is the same number
	// for all elements, and neither NaN nor zero. It can be nil.
	number run
	// narrow is the same loop with shorter vectors. It is used for rows that are shorter
	// than a vector of this loop, and can be nil.
	narrow *Loop
}

// key identifies a vector loop: the scalar function that it computes and the number
// format, or the two formats of a conversion.
type key struct {
	// fn is the scalar function, or nil for a conversion.
	fn *scalar.Fn
	// f is the format of the result.
	f num.Format
	// from is the format of the operand of a conversion.
	from num.Format
	// sat means that the conversion saturates, and zero that it converts NaN to zero.
	sat, zero bool
}

// Of returns the vector loop that computes fn on elements of format f, with instructions
// of the given level. The bool result is false if this package has no such loop.
func Of(fn *scalar.Fn, f num.Format, level Level) (Loop, bool) {
	return find(key{fn: fn, f: f}, level)
}

// Conversion returns the vector loop that converts elements between two formats, with
// instructions of the given level. The first format is that of the operands, and the
// second is that of the results. The loop rounds to nearest even. It saturates if sat is
// set, and converts NaN to zero if zero is set. The bool result is false if this package
// has no such loop.
func Conversion(from, to num.Format, sat, zero bool, level Level) (Loop, bool) {
	return find(key{f: to, from: from, sat: sat, zero: zero}, level)
}

// find returns the loop with key k (the function and formats that identify a loop) at the
// given level. The bool result is false if this package has no such loop.
func find(k key, level Level) (Loop, bool) {
	if level == None {
		return Loop{}, false
	}
	l, ok := loops()[level-1][k]
	return l, ok
}

// HeldBytes is the size in bytes of a buffer that is filled with copies of a single
// element. A loop uses such a buffer for an operand that is the same for all elements of
// a row. The size is at least the number of bytes that a loop reads at once.
const HeldBytes = 128

// Run computes elements of d from the operands a, b and c. It computes complete vectors
// at the start of d and returns the number of bytes that it has computed. The caller
// computes the remaining elements. The number is 0 if d is shorter than a vector.
//
// Operands that the function of the loop does not have may be nil. All other operands
// must be at least as long as d. As an exception, b may consist of HeldBytes bytes with
// copies of one element.
//
// Operands may share memory with d. If an operand starts at the first byte of d or later,
// the vector loop has the same results as a loop that processes one element at a time. If
// d starts inside an operand, after the first byte of this operand, the results would
// differ; Run then computes nothing and returns 0. If back is set, Run computes the last
// elements first, unless an operand that starts inside d makes this impossible.
func (l *Loop) Run(d, a, b, c []byte, back bool) int {
	total := len(d) / l.size
	n := total &^ (l.step - 1)
	need := total * l.from
	switch {
	case n == 0 && l.narrow != nil:
		return l.narrow.Run(d, a, b, c, back)
	case n == 0 || begins(d, a, need):
		return 0
	}
	pa := &a[:need][0]
	pb, pc, keep := pa, pa, -1
	run := l.run
	apart := l.apart(d, a)
	back = back && !l.ends(d, a)
	if l.arity > 1 {
		if len(b) < need {
			if pb, keep = &b[:HeldBytes][0], 0; l.number != nil && isNumber(b) {
				run = l.number
			}
		} else if pb = &b[:need][0]; begins(d, b, need) {
			return 0
		} else {
			apart = apart && l.apart(d, b)
			back = back && !l.ends(d, b)
		}
	}
	if l.arity > 2 {
		if pc = &c[:need][0]; begins(d, c, need) {
			return 0
		}
		apart = apart && l.apart(d, c)
		back = back && !l.ends(d, c)
	}
	if n < total && apart {
		if p := &d[0]; p == pa || p == pb || p == pc {
			e := extent{in: [3]*byte{pa, pb, pc}, keep: keep, lines: 1}
			l.runLast(d, &e, total)
			total = n
		}
		run(&d[0], pa, pb, pc, total, keep, 1, 0, 0, 0, 0)
		return len(d)
	}
	bytes := n * l.size
	if back {
		n = -n
	}
	run(&d[0], pa, pb, pc, n, keep, 1, 0, 0, 0, 0)
	return bytes
}

// isNumber reports whether the f32 at the start of b is neither NaN nor a zero of either
// sign. An infinity counts as a number.
func isNumber(b []byte) bool {
	const infinity = 0x7F80_0000
	bits := binary.NativeEndian.Uint32(b) &^ (1 << 31)
	return bits != 0 && bits <= infinity
}

// longestStep is the maximum size in bytes of a step, the group of adjacent elements that
// a loop processes in one iteration. It is the size of a temporary buffer for the last
// step of a row.
const longestStep = 128

// apart reports whether a loop can write d while it reads a. This is the case if a and d
// do not overlap, or if they start at the same address and have elements of the same
// size.
func (l *Loop) apart(d, a []byte) bool {
	off := uintptr(unsafe.Pointer(unsafe.SliceData(d))) - uintptr(unsafe.Pointer(unsafe.SliceData(a)))
	if off == 0 {
		return l.size == l.from
	}
	return off >= uintptr(len(a)) && -off >= uintptr(len(d))
}

// Exists reports whether l contains a vector loop. The loop is missing if this package
// has none for the function and the instruction set level for which l was requested.
func (l *Loop) Exists() bool { return l.run != nil }

// Whole is a vector loop for rows of one fixed length. It omits the checks of [Loop.Run]:
// every row that is passed to Run must have that length.
type Whole struct {
	run   run
	count int
}

// Whole returns the loop for rows of the given number of bytes. If this number is not a
// multiple of the bytes that one iteration processes, there is no such loop, and the
// method Exists of the result returns false.
func (l *Loop) Whole(bytes int) Whole {
	if n := bytes / l.size; n%l.step == 0 && bytes%l.size == 0 {
		return Whole{l.run, n}
	}
	return Whole{}
}

// Exists reports whether this package has a vector loop for rows of the length with which
// w was created.
func (w *Whole) Exists() bool { return w.run != nil }

// Run computes one row from the operands a and b and stores it at d. All three pointers
// refer to rows of the length for which w was created.
func (w *Whole) Run(d, a, b *byte) { w.run(d, a, b, nil, w.count, -1, 1, 0, 0, 0, 0) }

// Size returns the number of bytes of an element of the result and of an element of the
// operands.
func (l *Loop) Size() (result, operands int) { return l.size, l.from }

// begins reports whether d starts inside the n bytes of a, but not at its start. An
// element-by-element loop would then read elements that it has already written, and a
// vector loop would not, so the results would differ.
func begins(d, a []byte, n int) bool {
	off := uintptr(unsafe.Pointer(unsafe.SliceData(d))) - uintptr(unsafe.Pointer(unsafe.SliceData(a)))
	return off != 0 && off < uintptr(n)
}

// ends reports whether the loop must not process elements from last to first. There are
// two reasons. First, operand a may start inside the destination d; a loop that starts at
// the end would overwrite elements of a before it reads them. Second, the elements of the
// result and of the operands may differ in size; loops of this kind only run forward.
func (l *Loop) ends(d, a []byte) bool { return begins(a, d, len(d)) || l.size != l.from }
