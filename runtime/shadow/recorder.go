// This file collects errors by instruction.

package shadow

import (
	"math"
	"math/rand/v2"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Kind is a kind of special result that an instruction can produce.
type Kind uint8

const (
	// The kinds of special results. NaN and Overflow count results of operands that are
	// not NaN or infinite themselves. Infinite results of a division by zero are Poles.
	// Underflow is a zero result of a nonzero value. Cancellation is a sum of inexact
	// numbers that loses more than half of the bits of the format. Decision is a comparison
	// or rounding to an integer that the shadow decides differently.
	NaN Kind = iota
	Overflow
	Poles
	Saturated
	Underflow
	Denormal
	Cancellation
	Decision
	Kinds
)

// Names are the names of the kinds in reports.
var Names = [Kinds]string{"nan", "overflow", "pole", "saturated", "underflow", "denormal", "cancellation", "decision"}

// Event counts special results of one kind.
type Event struct {
	Count int
	// Execution and Element are the first occurrence: in which execution of the
	// instruction, from 1, and in which of its results.
	Execution, Element int
}

// Line holds what one instruction contributes to errors. Errors are relative to the
// float64 value, or in units in the last place (ULP) of the format of the result.
type Line struct {
	Op *ir.Op
	// Format is the format of the results.
	Format num.Format
	// Executions counts executions, Count float results, and Inexact the results that
	// differ from their local value.
	Executions, Count, Inexact int
	// BornULP and BornRel are the largest errors that the instruction added, and SumULP
	// is the sum of its errors.
	BornULP, BornRel, SumULP float64
	// TotalULP and TotalRel are the largest errors of results, including inherited ones.
	TotalULP, TotalRel float64
	// Amplified is the largest factor by which the relative error of a result exceeds that
	// of the operands.
	Amplified float64
	// Condition is the largest condition number of a sum or difference: the sum of the
	// absolute values, divided by the absolute value of the sum.
	Condition float64
	// CancelledBits is the largest number of leading bits that cancelled.
	CancelledBits int
	// Events counts special results.
	Events [Kinds]Event
	// OwnULP is the largest error of a sum whose error was mostly born in rounding the
	// sums of this instruction.
	OwnULP float64
	// Adds reports whether the instruction adds.
	Adds bool
	// Reciprocal is the instruction whose rounded reciprocal this one multiplies by, or 0.
	Reciprocal uint32
	// divides reports whether the instruction computes reciprocals.
	divides bool
	// Narrows reports whether the instruction rounds floats to a shorter format. Twice is
	// the instruction that had already rounded what this one rounds again, or 0.
	Narrows bool
	Twice   uint32
	// Unfollowed counts results that got no shadow.
	Unfollowed int
	// Approximate is the documented error in ULP of the functions of the instruction.
	Approximate int
	// Blamed counts elements of results of the kernel whose error was mostly born here.
	Blamed int

	number uint32
}

// Recorder receives the results of instructions.
type Recorder struct {
	lines  []*Line
	number map[*ir.Op]uint32
	last   *Line
	// element is the number of the result in the current execution.
	element int
	// random perturbs approximate results, if it is not nil.
	random *rand.Rand
}

// New returns a Recorder without lines.
func New() *Recorder { return &Recorder{number: map[*ir.Op]uint32{}} }

// Perturb makes the Recorder replace each result of an approximate function by a random
// number within the documented error of the function.
func (r *Recorder) Perturb(seed uint64) { r.random = rand.New(rand.NewPCG(seed, 44)) }

// Lines returns the instructions with float results, in the order of their first
// execution.
func (r *Recorder) Lines() []*Line { return r.lines }

// Line returns the instruction with a number, or nil for 0.
func (r *Recorder) Line(number uint32) *Line {
	if number == 0 {
		return nil
	}
	return r.lines[number-1]
}

// At returns the line of an instruction.
func (r *Recorder) At(op *ir.Op) *Line {
	if r.last != nil && r.last.Op == op {
		return r.last
	}
	n, ok := r.number[op]
	if !ok {
		r.lines = append(r.lines, &Line{Op: op, number: uint32(len(r.lines)) + 1})
		n = uint32(len(r.lines))
		r.number[op] = n
	}
	r.last = r.lines[n-1]
	return r.last
}

// Number returns the number of the line, from 1.
func (l *Line) Number() uint32 { return l.number }

// Begin starts the results of one more execution of an instruction.
func (r *Recorder) Begin(op *ir.Op) *Line {
	l := r.At(op)
	l.Executions++
	r.element = -1
	return l
}

// Event counts a special result.
func (r *Recorder) Event(l *Line, k Kind) {
	e := &l.Events[k]
	if e.Count++; e.Count == 1 {
		e.Execution, e.Element = max(l.Executions, 1), max(r.element, 0)
	}
}

// Applied records a function that an instruction applied to operands: by how much it
// amplified their errors, and whether digits cancelled. y is its result.
func (r *Recorder) Applied(l *Line, fn *scalar.Fn, f num.Format, in []Number, y *Number) {
	relIn := 0.0
	for i := range in {
		if e := relative(in[i].Local, in[i].Value); e > relIn {
			relIn = e
		}
	}
	switch fn {
	case scalar.Add, scalar.Sub:
		r.sum(l, f, in[0].Local, in[1].Local, y, relIn)
		l.Adds = l.Adds || fn == scalar.Add
	case scalar.Fma, scalar.MulAdd, scalar.Axpy:
		r.sum(l, f, in[0].Local*in[1].Local, in[2].Local, y, relIn)
		l.Adds = true
	case scalar.Div, scalar.Recip, scalar.DivRecip:
		if fn == scalar.Recip || fn == scalar.DivRecip || in[0].Local == 1 {
			l.divides = true
		}
		if fn == scalar.DivRecip {
			l.Reciprocal = l.number
		}
	case scalar.Mul:
		for i := range in {
			if o := r.Line(in[i].Origin); o != nil && o.divides && o != l {
				l.Reciprocal = o.number
			}
		}
	}
	l.amplify(relIn, y)
}

// amplify records the growth of the relative error relIn of operands to that of y.
func (l *Line) amplify(relIn float64, y *Number) {
	const noise = 0x1p-60 // below this, errors are those of the float64 arithmetic itself
	if relIn > noise && y.Value != 0 && !math.IsInf(relIn, 0) {
		if a := relative(y.Local, y.Value) / relIn; a > l.Amplified && !math.IsInf(a, 0) {
			l.Amplified = a
		}
	}
}

// sum records a sum of two numbers.
func (r *Recorder) sum(l *Line, f num.Format, a, b float64, y *Number, relIn float64) {
	s := math.Abs(a) + math.Abs(b)
	if y.Local != 0 && s-s == 0 {
		l.Condition = max(l.Condition, s/math.Abs(y.Local))
	}
	if relIn == 0 || s == 0 || s-s != 0 {
		return // a difference of exact numbers loses nothing
	}
	if y.Exact() {
		return
	}
	bits := Digits(f)
	if y.Local != 0 {
		bits = min(bits, exponent(max(math.Abs(a), math.Abs(b)))-exponent(y.Local))
	}
	if bits > l.CancelledBits {
		l.CancelledBits = bits
	}
	if relative(y.Local, y.Value) > math.Ldexp(1, -(Digits(f)+1)/2) && bits > 1 {
		r.Event(l, Cancellation)
	}
}

// Summed records a sum of several numbers. size is the sum of the absolute values, and
// relIn the largest relative error of an operand.
func (r *Recorder) Summed(l *Line, size, relIn float64, y *Number) {
	l.Adds = true
	if y.Local != 0 && size-size == 0 {
		l.Condition = max(l.Condition, size/math.Abs(y.Local))
	}
	l.amplify(relIn, y)
}

// Narrowed records the conversion of a float to a shorter format.
func (r *Recorder) Narrowed(l *Line, from, to num.Format, in *Number) {
	if Digits(to) >= Digits(from) {
		return
	}
	l.Narrows = true
	if o := r.Line(in.Origin); o != nil && o != l && o.Narrows {
		l.Twice = o.number
	}
}

// Perturbed returns the bits of a result of an approximate function: a random number of
// the format within the documented error, or the same bits if the Recorder does not
// perturb.
func (r *Recorder) Perturbed(f num.Format, y *Number, bits uint64) uint64 {
	if r.random == nil || y.ULP == 0 || y.Local-y.Local != 0 || y.Local == 0 {
		return bits
	}
	by := (2*r.random.Float64() - 1) * (float64(y.ULP) - 0.5) * ULP(f, y.Local)
	return num.Encode(f, y.Local+by, num.NearestEven, true)
}

// Result records a result y of the current execution of an instruction, which the target
// computed as bits. It returns the shadow of the element, and false if the element is
// exact and needs none.
func (r *Recorder) Result(l *Line, f num.Format, bits uint64, y *Number) (Shadow, bool) {
	r.element++
	l.Count++
	l.Format = f
	l.Approximate = max(l.Approximate, int(y.ULP))
	a := num.Decode(f, bits)
	if a == y.Local && a == y.Value && a-a == 0 && !denormal(f, a) {
		return Shadow{}, false
	}
	r.special(l, f, a, y)
	if a-a != 0 || y.Local-y.Local != 0 || y.Value-y.Value != 0 {
		return r.notFinite(l, f, bits, a, y)
	}
	born, inherited := math.Abs(a-y.Local), math.Abs(y.Local-y.Value)
	ulp := ULP(f, y.Local)
	if born > 0 {
		l.Inexact++
		l.SumULP += born / ulp
		l.BornULP = max(l.BornULP, born/ulp)
		l.BornRel = max(l.BornRel, relative(a, y.Local))
	}
	total := math.Abs(a - y.Value)
	if total == 0 {
		return Shadow{}, false
	}
	exactULP := ULP(f, y.Value)
	l.TotalULP = max(l.TotalULP, total/exactULP)
	if y.Value != 0 {
		l.TotalRel = max(l.TotalRel, total/math.Abs(y.Value))
	}
	origin := y.Origin
	if born >= inherited || origin == 0 {
		origin = l.number
	}
	if origin == l.number && l.Adds {
		l.OwnULP = max(l.OwnULP, total/exactULP)
	}
	return Shadow{y.Value, tagOf(f, bits, origin)}, true
}

// notFinite returns the shadow of a result that is NaN or infinite, or whose float64 value
// is. If the operands were finite, the error is born here.
func (r *Recorder) notFinite(l *Line, f num.Format, bits uint64, a float64, y *Number) (Shadow, bool) {
	same := a == y.Value || a != a && y.Value != y.Value
	if !same {
		l.TotalULP, l.TotalRel = math.Inf(1), math.Inf(1)
	}
	if same && y.Flags&(FromNaN|FromInf) == 0 && a == a {
		return Shadow{}, false // an infinity as expected, such as -inf as a mask
	}
	if same && y.Flags&(FromNaN|FromInf) != 0 && y.Origin == 0 {
		return Shadow{}, false // from inputs
	}
	origin := y.Origin
	if y.Flags&(FromNaN|FromInf) == 0 || origin == 0 {
		origin = l.number
	}
	return Shadow{y.Value, tagOf(f, bits, origin)}, true
}

// special counts a special result a.
func (r *Recorder) special(l *Line, f num.Format, a float64, y *Number) {
	p := &precisions[f]
	switch {
	case a != a:
		if y.Flags&FromNaN == 0 {
			r.Event(l, NaN)
		}
	case math.IsInf(a, 0):
		switch {
		case y.Flags&(FromInf|FromNaN) != 0:
		case y.Flags&Pole != 0:
			r.Event(l, Poles)
		default:
			r.Event(l, Overflow)
		}
	case a == 0:
		if y.Local != 0 {
			r.Event(l, Underflow)
		}
	case denormal(f, a):
		r.Event(l, Denormal)
	case math.Abs(a) == p.most && math.Abs(y.Local) > p.most+ULP(f, p.most)/2:
		r.Event(l, Saturated)
	}
}
