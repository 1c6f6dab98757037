// This file compares arrays within a tolerance.

package debug

import (
	"fmt"
	"io"
	"math"
	"strings"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/kernel"
)

// Tolerance is the largest allowed distance from an expected number y: Abs + Rel*|y|. NaN
// and NaN count as equal.
type Tolerance struct{ Rel, Abs float64 }

// around returns the largest allowed distance from the expected number y.
func (t Tolerance) around(y float64) float64 { return t.Abs + t.Rel*math.Abs(y) }

// differ returns the distance of x from the expected number y, and whether it exceeds the
// tolerance.
func (t Tolerance) differ(x, y float64) (float64, bool) {
	switch {
	case math.IsNaN(x) && math.IsNaN(y), x == y:
		return 0, false
	case math.IsNaN(x) || math.IsNaN(y):
		return math.Inf(1), true
	}
	d := math.Abs(x - y)
	return d, !(d <= t.around(y)) || math.IsInf(y, 0)
}

// Difference describes how an array differs from the expected array.
type Difference struct {
	// Elements is the number of elements.
	Elements int
	// Count is the number of elements outside the tolerance.
	Count int
	// First is the index of the first element outside the tolerance, or -1.
	First int
	// Worst are the elements with the largest errors, at most five, sorted by descending
	// error.
	Worst []Element
	// Abs, Rel and ULP are the largest errors of all elements, including those within the
	// tolerance. A ULP is a unit in the last place of the array's element type.
	Abs, Rel, ULP Extreme
	// NaN and Inf are the numbers of NaNs and infinities in the array and in the expected
	// array.
	NaN, Inf [2]int
	// Errors is the absolute error of each element, if requested. It is infinite if one
	// of the two numbers is NaN or infinite.
	Errors []float64
	// Over reports, for each element, whether it is outside the tolerance.
	Over []bool
}

// Element is an element of an array that differs from the expected element: its index,
// both elements as text, and the error.
type Element struct {
	At        int
	Got, Want string
	Off       float64
}

// Extreme is the largest value of a sequence of elements, together with the index of its
// element. The field At is this index, or -1 if the sequence contains no value.
type Extreme struct {
	Value float64
	At    int
}

// take updates the largest value of an array. The field Value of x is the largest value
// so far, and the field At is its index; At is negative before the first call. If v is
// larger, or if this is the first call, take stores v and its index, the parameter at.
func (x *Extreme) take(v float64, at int) {
	if x.At < 0 || v > x.Value {
		*x = Extreme{v, at}
	}
}

// mostWorst is the maximum number of elements in Difference.Worst.
const mostWorst = 5

// Compare compares two arrays with equally many elements: got is the computed array, and
// want is the expected one. Their element types can differ. If the parameter each is
// true, the result also contains, for each element, its absolute error (Errors) and
// whether it is outside the tolerance (Over).
func Compare(got, want *kernel.Array, tol Tolerance, each bool) *Difference {
	size, n := got.Size()
	wide, _ := want.Size()
	f, _ := ir.FormatOf(got.Elem)
	exact, _ := ir.FormatOf(want.Elem)
	d := &Difference{Elements: n, First: -1, Abs: Extreme{At: -1}, Rel: Extreme{At: -1}, ULP: Extreme{At: -1}}
	if each {
		d.Errors, d.Over = make([]float64, n), make([]bool, n)
	}
	for i := range n {
		x, y := num.Load(f, got.Data[i*size:]), num.Load(exact, want.Data[i*wide:])
		if f == exact && x == y && f.IsInt() {
			continue
		}
		a, b := num.Decode(f, x), num.Decode(exact, y)
		d.count(a, b)
		if f == exact && x == y {
			continue
		}
		off, differs := tol.differ(a, b)
		if f.IsInt() && off == 0 { // different large integers can decode to the same float64
			off = math.Abs(float64(int64(x - y)))
			differs = off > tol.around(b)
		}
		d.error(i, off, b)
		if f.IsFloat() && off > 0 {
			if u, ok := ulps(f, x, b); ok {
				d.ULP.take(u, i)
			}
		}
		if each {
			d.Errors[i], d.Over[i] = off, differs
		}
		if differs {
			if d.Count == 0 {
				d.First = i
			}
			d.Count++
			d.insert(i, off, func() Element {
				return Element{i, kernel.FormatNumber(f, x, -1), kernel.FormatNumber(exact, y, -1), off}
			})
		}
	}
	return d
}

// count counts NaNs and infinities in two corresponding elements: a is an element of the
// compared array, and b is the expected element.
func (d *Difference) count(a, b float64) {
	for k, x := range [2]float64{a, b} {
		switch {
		case math.IsNaN(x):
			d.NaN[k]++
		case math.IsInf(x, 0):
			d.Inf[k]++
		}
	}
}

// error updates the largest absolute, relative and ULP errors with those of element i.
// The parameter off is the absolute error of the element, and y is its expected value.
func (d *Difference) error(i int, off, y float64) {
	if off == 0 || math.IsInf(off, 0) || math.IsNaN(off) {
		return
	}
	d.Abs.take(off, i)
	if y != 0 {
		d.Rel.take(off/math.Abs(y), i)
	}
}

// insert adds element i to the list of the elements with the largest errors, if its error
// is large enough for this list. The parameter off is the error, and make is a function
// that creates the list entry. If errors are equal, the element that was inserted first
// has priority.
func (d *Difference) insert(i int, off float64, make func() Element) {
	at := len(d.Worst)
	for at > 0 && d.Worst[at-1].Off < off {
		at--
	}
	if at == mostWorst {
		return
	}
	d.Worst = append(d.Worst, Element{})
	copy(d.Worst[at+1:], d.Worst[at:])
	d.Worst[at] = make()
	d.Worst = d.Worst[:min(len(d.Worst), mostWorst)]
}

// ulps returns the distance between x and y in units in the last place: how many steps
// from one number of format f to the next lead from one to the other. x contains bits of
// format f, and y is first rounded to f. The bool result is false if the distance is not
// defined, for example for NaN.
func ulps(f num.Format, x uint64, y float64) (float64, bool) {
	if f == num.HiF8 || f == num.F8E8M0 || math.IsInf(y, 0) || math.IsNaN(y) {
		return 0, false // the bits of these formats are not ordered, or y is not finite
	}
	if v := num.Decode(f, x); math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, false
	}
	a, b := rank(f, x), rank(f, num.Encode(f, y, num.NearestEven, true))
	if a < b {
		a, b = b, a
	}
	return float64(uint64(a) - uint64(b)), true
}

// rank returns the position of the number with the given bits in the ascending order of
// all numbers of its format. The position of zero is 0.
func rank(f num.Format, bits uint64) int64 {
	if sign := f.SignBit(); bits&sign != 0 {
		return -int64(bits &^ sign)
	}
	return int64(bits)
}

// Report writes the elements with the largest errors, the position of the first
// difference, and summaries such as the largest absolute error and the numbers of NaNs
// and infinities. The parameter a is the array that was compared.
func (d *Difference) Report(w io.Writer, a *kernel.Array) {
	at := func(i int) string { return Position(a, i) }
	for _, e := range d.Worst {
		fmt.Fprintf(w, "  [%s]  got %s, expected %s, off by %g\n", at(e.At), e.Got, e.Want, e.Off)
	}
	if d.First >= 0 {
		fmt.Fprintf(w, "  the first: [%s]\n", at(d.First))
	}
	var largest []string
	for _, e := range []struct {
		what string
		Extreme
	}{{"absolute error %.6g", d.Abs}, {"relative error %.6g", d.Rel}, {"%.0f ULP", d.ULP}} {
		if e.At >= 0 {
			largest = append(largest, fmt.Sprintf(e.what+" at [%s]", e.Value, at(e.At)))
		}
	}
	if largest != nil {
		fmt.Fprintf(w, "  the largest: %s\n", strings.Join(largest, ", "))
	}
	if d.NaN != [2]int{} || d.Inf != [2]int{} {
		fmt.Fprintf(w, "  NaN: %d, expected %d; infinities: %d, expected %d\n", d.NaN[0], d.NaN[1], d.Inf[0], d.Inf[1])
	}
}

// Within returns a short text with the largest error, for a comparison whose errors are
// all within the tolerance. It returns "" if all elements equal the expected ones.
func (d *Difference) Within() string {
	switch {
	case d.Abs.At < 0:
		return ""
	case d.ULP.At < 0:
		return fmt.Sprintf(", within %.3g", d.Abs.Value)
	}
	return fmt.Sprintf(", within %.3g (%.0f ULP)", d.Abs.Value, d.ULP.Value)
}

// Position returns the position of element i of the array a as text: its index in each
// dimension, for example "1, 3".
func Position(a *kernel.Array, i int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(a.Position(i)), " ", ", "), "[]")
}
