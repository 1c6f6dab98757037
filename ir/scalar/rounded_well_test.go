package scalar

import (
	"math"
	"testing"
)

// TestRoundedWell checks that fewer than one in a thousand float32 exponentials and
// logarithms is not the nearest number. The float64 functions of the library return the
// nearest number for all but one in hundreds of millions.
func TestRoundedWell(t *testing.T) {
	for _, c := range []struct {
		name   string
		got    func(float32) float32
		want   func(float64) float64
		lo, hi float64
	}{
		{"exp", exp32, math.Exp, -10, 10},
		{"exp", exp32, math.Exp, -104, 89},
		{"log", log32, math.Log, 0, 10},
		{"log", log32, math.Log, 0.5, 2},
		{"log", log32, math.Log, 0, 1e-38},
	} {
		const n = 1_000_000
		missed := 0
		for i := range n {
			x := float32(c.lo + (c.hi-c.lo)*float64(i)/n)
			got, want := c.got(x), float32(c.want(float64(x)))
			if got == want {
				continue
			}
			missed++
			if math.Abs(float64(math.Float32bits(got))-float64(math.Float32bits(want))) > 1 {
				t.Errorf("%s(%v) = %v, want %v", c.name, x, got, want)
			}
		}
		t.Logf("%s of %v..%v: %d of %d are one unit off", c.name, c.lo, c.hi, missed, n)
		if missed > n/1000 {
			t.Errorf("%s of %v..%v: %d of %d results are not the nearest", c.name, c.lo, c.hi, missed, n)
		}
	}
}
