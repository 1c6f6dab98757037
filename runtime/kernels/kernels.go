// Package kernels holds the hot loops of the runtime in assembly, for the
// vector instructions of the machine that it finds itself on. Every loop gives
// the bits of ir/scalar; where there is none, callers have loops in Go.
//
//	kernels.go       loops over rows: what callers use
//	fold.go          folds of several rows at once
//	turn.go          transposition
//	matmul.go        products of matrices
//	*table_amd64.go  which loop serves which function and format
//	*_amd64.s        the loops; gen writes them: go generate
package kernels

//go:generate sh generate.sh

import (
	"unsafe"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Level is a set of vector instructions.
type Level uint8

// The levels, each containing those before it.
const (
	None Level = iota
	AVX2
	AVX512
)

// String returns the name of a level.
func (l Level) String() string { return [...]string{"none", "avx2", "avx512"}[l] }

// Best is the level of the machine.
var Best = detect()

// Levels returns the levels that the machine has, None first.
func Levels() []Level { return []Level{None, AVX2, AVX512}[:Best+1] }

// Loop computes elements that lie side by side: d from a, b and c.
type Loop struct {
	run   func(d, a, b, c *byte, n int)
	step  int // elements come in multiples of it
	arity int
	size  int // bytes of an element of the result
	from  int // bytes of an element of the operands
}

// key selects a loop.
type key struct {
	fn   *scalar.Fn
	f    num.Format
	from num.Format // of a conversion, whose fn is nil
	sat  bool
}

// Of returns the loop for fn on elements of format f, which are read as f
// says, at a level. There may be none.
func Of(fn *scalar.Fn, f num.Format, level Level) (Loop, bool) {
	return find(key{fn: fn, f: f}, level)
}

// Conversion returns the loop that rounds to nearest even, if there is one.
func Conversion(from, to num.Format, sat bool, level Level) (Loop, bool) {
	return find(key{f: to, from: from, sat: sat}, level)
}

func find(k key, level Level) (Loop, bool) {
	if level == None {
		return Loop{}, false
	}
	l, ok := loops[level-1][k]
	return l, ok
}

// Run computes as many elements of d as come in whole vectors and returns how
// many bytes of d that makes. Operands beyond the arity may be nil; others are
// as long as d or longer. d may be one of them, but must not begin inside one.
func (l *Loop) Run(d, a, b, c []byte) int {
	n := len(d) / l.size &^ (l.step - 1)
	if n == 0 || begins(d, a, n*l.from) {
		return 0
	}
	need := n * l.from
	pa := &a[:need][0]
	pb, pc := pa, pa
	if l.arity > 1 {
		if pb = &b[:need][0]; begins(d, b, need) {
			return 0
		}
	}
	if l.arity > 2 {
		if pc = &c[:need][0]; begins(d, c, need) {
			return 0
		}
	}
	l.run(&d[0], pa, pb, pc, n)
	return n * l.size
}

// Whole is a loop for rows of one length, without the checks of [Loop.Run]:
// Run is called with Count and with rows of that length.
type Whole struct {
	Run   func(d, a, b, c *byte, n int)
	Count int
}

// Whole returns the loop for rows of so many bytes, if they are whole vectors.
func (l *Loop) Whole(bytes int) Whole {
	if n := bytes / l.size; n%l.step == 0 && bytes%l.size == 0 {
		return Whole{l.run, n}
	}
	return Whole{}
}

// Size is the size of an element of the operands in bytes.
func (l *Loop) Size() (result, operands int) { return l.size, l.from }

// begins reports whether d begins inside a, but not where a does. Then a loop
// element by element would read what it wrote, and one by vectors would not.
func begins(d, a []byte, n int) bool {
	off := uintptr(unsafe.Pointer(unsafe.SliceData(d))) - uintptr(unsafe.Pointer(unsafe.SliceData(a)))
	return off != 0 && off < uintptr(n)
}
