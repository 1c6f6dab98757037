// This file collects errors by instruction.

package shadow

import (
	"math"
	"math/rand/v2"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Kind classifies a special result that an instruction can produce, such as NaN or an
// underflow.
type Kind uint8

const (
	// The kinds of special results. NaN and Overflow count results whose operands were
	// neither NaN nor infinite. Poles counts infinite results of a division by zero or
	// the logarithm of zero. Underflow is a result of 0 for a nonzero exact value.
	//
	// Cancellation is a sum of inexact numbers that loses more than half of the bits of
	// the format. Decision is a comparison or a rounding to an integer whose outcome
	// differs in float64.
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

// Names holds the name of each kind of special result that a Recorder counts, such as NaN
// or overflow. Reports contain these names. The index is the Kind of the special result.
var Names = [Kinds]string{"nan", "overflow", "pole", "saturated", "underflow", "denormal", "cancellation", "decision"}

// Event counts the special results of one Kind, for example NaN, that an instruction
// produced, and identifies the first of them.
type Event struct {
	Count int
	// Execution and Element identify the first occurrence: the number of the execution of
	// the instruction, from 1, and the index of the result within this execution.
	Execution, Element int
}

// Line summarizes the errors of one instruction over all of its executions. An error is
// relative to the float64 value, or in units in the last place (ULP) of the result
// format.
type Line struct {
	Op *ir.Op
	// Format is the float format of the results.
	Format num.Format
	// Executions is the number of executions, and Count the number of float results.
	// Inexact is the number of results that the rounding of this instruction changed.
	Executions, Count, Inexact int
	// BornULP and BornRel are the largest errors that the instruction itself added, in
	// ULP and relative. SumULP is the sum of its errors in ULP.
	BornULP, BornRel, SumULP float64
	// TotalULP and TotalRel are the largest errors of results, including the errors of
	// the operands.
	TotalULP, TotalRel float64
	// Amplified is the largest ratio of the relative error of a result to the largest
	// relative error of its operands.
	Amplified float64
	// Condition is the largest condition number of a sum or difference: the sum of the
	// absolute values of the operands, divided by the absolute value of the result.
	Condition float64
	// CancelledBits is the largest number of leading bits that a sum or difference
	// cancelled.
	CancelledBits int
	// Events counts the special results of each Kind.
	Events [Kinds]Event
	// OwnULP is the largest error, in ULP, of a sum whose error was mostly caused by the
	// rounding of this instruction.
	OwnULP float64
	// Adds reports whether the instruction computes sums.
	Adds bool
	// Reciprocal is the number of the instruction whose rounded reciprocal this
	// instruction uses as a factor, or 0.
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
	// Blamed counts the result elements of the kernel whose error this instruction mostly caused.
	Blamed int

	number uint32
}

// Recorder collects the rounding errors of all instructions while a kernel runs. The
// error of a result is its difference from the result of the same computation in float64.
type Recorder struct {
	lines  []*Line
	number map[*ir.Op]uint32
	last   *Line
	// element is the index of the most recent result in the current execution of an
	// instruction.
	element int
	// random perturbs the results of approximate functions, if it is not nil.
	random *rand.Rand
}

// New returns a Recorder that has not recorded any instruction.
func New() *Recorder { return &Recorder{number: map[*ir.Op]uint32{}} }

// Perturb makes the Recorder replace each result of an approximate function by a random
// number within the documented error of this function. Equal seeds give equal numbers.
func (r *Recorder) Perturb(seed uint64) { r.random = rand.New(rand.NewPCG(seed, 44)) }

// Lines returns the summaries of all instructions with float results, in the order of
// their first execution.
func (r *Recorder) Lines() []*Line { return r.lines }

// Line returns the error summary of the instruction with the given number. It returns nil
// for the number 0, which represents no instruction.
func (r *Recorder) Line(number uint32) *Line {
	if number == 0 {
		return nil
	}
	return r.lines[number-1]
}

// At returns the summary of the instruction op. It creates the summary on first use.
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

// Number returns the number of the instruction in its Recorder, starting from 1.
func (l *Line) Number() uint32 { return l.number }

// Begin records that a further execution of the instruction op starts. It returns the
// record of op, which holds the number of executions and the statistics of all its
// results.
func (r *Recorder) Begin(op *ir.Op) *Line {
	l := r.At(op)
	l.Executions++
	r.element = -1
	return l
}

// Event counts one special result, such as a NaN or an underflow, in the record l of the
// instruction that produced it. k is the kind of the special result.
func (r *Recorder) Event(l *Line, k Kind) {
	e := &l.Events[k]
	if e.Count++; e.Count == 1 {
		e.Execution, e.Element = max(l.Executions, 1), max(r.element, 0)
	}
}

// Applied records that an instruction has applied the function fn, in format f, to
// operands, with the result y. The slice contains the operands, and l holds the
// statistics of the instruction. The error of a number is its difference from the same
// value in a float64 computation. Applied records how much fn amplified the errors of the
// operands, and whether leading bits cancelled.
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

// amplify records the ratio of the relative error of the result y to relIn, the relative
// error of the operands.
func (l *Line) amplify(relIn float64, y *Number) {
	const noise = 0x1p-60 // below this, errors are those of the float64 arithmetic itself
	if relIn > noise && y.Value != 0 && !math.IsInf(relIn, 0) {
		if a := relative(y.Local, y.Value) / relIn; a > l.Amplified && !math.IsInf(a, 0) {
			l.Amplified = a
		}
	}
}

// sum updates the error statistics l of an instruction that has computed y, the sum of
// the numbers a and b in format f. The condition number of a sum is (|a| + |b|) / |a +
// b|. sum records the largest condition number, and the largest number of leading bits
// that cancelled in an addition. relIn is the larger relative error of the two operands.
// If it is 0, sum records no cancellation, because the difference of exact numbers loses
// no accuracy.
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

// Summed records, in the summary l of an instruction, the result y of a sum of several
// numbers. size is the sum of the absolute values of these numbers. relIn is the largest
// relative error of a summed number; it does not include the error of the addition.
func (r *Recorder) Summed(l *Line, size, relIn float64, y *Number) {
	l.Adds = true
	if y.Local != 0 && size-size == 0 {
		l.Condition = max(l.Condition, size/math.Abs(y.Local))
	}
	l.amplify(relIn, y)
}

// Narrowed records that the instruction with the statistics l has converted a float from
// one format to another. It has an effect only if the destination format (to) has fewer
// significant bits than the source format (from). The parameter in is the float before
// the conversion. If an earlier narrowing conversion computed in, Narrowed records that
// the number has been rounded twice.
func (r *Recorder) Narrowed(l *Line, from, to num.Format, in *Number) {
	if Digits(to) >= Digits(from) {
		return
	}
	l.Narrows = true
	if o := r.Line(in.Origin); o != nil && o != l && o.Narrows {
		l.Twice = o.number
	}
}

// Perturbed returns the bits of a random number in format f. The number differs from y,
// the result of an approximate function, by at most the documented error of this
// function. Three types of results are not perturbed: results of functions without a
// documented error, zeros, and infinities or NaN. For these, and if the Recorder does not
// perturb results, Perturbed returns its last argument, the bits of the result.
func (r *Recorder) Perturbed(f num.Format, y *Number, bits uint64) uint64 {
	if r.random == nil || y.ULP == 0 || y.Local-y.Local != 0 || y.Local == 0 {
		return bits
	}
	by := (2*r.random.Float64() - 1) * (float64(y.ULP) - 0.5) * ULP(f, y.Local)
	return num.Encode(f, y.Local+by, num.NearestEven, true)
}

// Result records one result element of an instruction. l is the record of the
// instruction, and y describes the element with and without rounding. bits is the element
// in format f as the target computed it. Result returns the shadow of the element, its
// value in float64 with the origin of its error. The bool result is false if the element
// is exact and needs no shadow.
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

// notFinite handles a result that is NaN or an infinity on the target or in float64
// arithmetic. The parameter a is the result of the target, and bits is its encoding in
// format f. The field y.Value is the result in float64. l is the record of the
// instruction that computed the result.
//
// The bool result is false if the element counts as exact. This requires that both
// results are NaN or the same infinity. In addition, the cause must be an input of the
// kernel, or the result must be an infinity that follows from finite operands.
//
// For all other elements, the bool result is true. The other result is then the shadow:
// the float64 value, with the origin of the error. The origin is the instruction of l if
// the operands were finite.
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

// special counts the special results of an instruction in its record l. A result is
// special if it is NaN, infinite, denormal, saturated, or 0 because of an underflow. The
// parameter a is the result, f is its format, and y describes the same result without
// rounding.
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
