package numerics

import (
	"math"
	"testing"
)

// TestRoundUp checks that roundUp rounds a tolerance up to two significant decimal
// digits.
func TestRoundUp(t *testing.T) {
	for x, want := range map[float64]float64{0: 0, 1: 1, 1.01: 1.1, 0.00123: 0.0013, 9.95e-7: 1e-6, 4.2e-7: 4.2e-7} {
		if got := roundUp(x); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%v is rounded up to %v, expected %v", x, got, want)
		}
	}
	if !math.IsInf(roundUp(math.Inf(1)), 1) {
		t.Error("infinity is not kept")
	}
}

// TestBounds checks the two tolerances of elements: a relative one for elements that are
// not small, and an absolute one for the remaining error.
func TestBounds(t *testing.T) {
	e := &elementErrors{value: []float64{100, -10, 0.001, 0}, small: 10}
	rel, rest, abs := e.bounds([]float64{1, 0.2, 0.5, 0.3})
	if rel != 0.02 || math.Abs(rest-(0.5-0.02*0.001)) > 1e-12 || abs != 1 {
		t.Errorf("relative %v, rest %v, absolute %v", rel, rest, abs)
	}
}

// TestRatio checks that Ratio returns the largest error in units of the tolerance, and
// ignores NaN.
func TestRatio(t *testing.T) {
	tol := &Tolerance{Rtol: 0.1, Atol: 1}
	if got := tol.Ratio([]float64{10, 5, math.NaN()}, []float64{11, 5, math.NaN()}); math.Abs(got-1/2.1) > 1e-12 {
		t.Errorf("the ratio is %v, expected %v", got, 1/2.1)
	}
}
