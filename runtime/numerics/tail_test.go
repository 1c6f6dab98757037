package numerics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestTail derives factors from samples of known distributions, and counts how many other
// sets of data exceed them.
func TestTail(t *testing.T) {
	normal := func(r *rand.Rand) float64 { return math.Abs(r.NormFloat64()) }
	student := func(df int) func(r *rand.Rand) float64 {
		return func(r *rand.Rand) float64 {
			chi := 0.0
			for range df {
				x := r.NormFloat64()
				chi += x * x
			}
			return math.Abs(r.NormFloat64()) / math.Sqrt(chi/float64(df))
		}
	}
	for _, c := range []struct {
		name  string
		draw  func(r *rand.Rand) float64
		heavy bool
	}{
		{"uniform", func(r *rand.Rand) float64 { return r.Float64() }, false},
		{"normal", normal, false},
		{"exponential", func(r *rand.Rand) float64 { return r.ExpFloat64() }, false},
		{"product of normals", func(r *rand.Rand) float64 { return normal(r) * normal(r) }, false},
		{"one value", func(r *rand.Rand) float64 { return 1 }, false},
		{"square of an exponential", func(r *rand.Rand) float64 { return math.Pow(r.ExpFloat64(), 2) }, false},
		{"Student with 1 degree", student(1), true},
		{"quotient of uniforms", func(r *rand.Rand) float64 { return r.Float64() / r.Float64() }, true},
		{"root of a quotient", func(r *rand.Rand) float64 { return math.Pow(r.Float64(), -1.0/1.5) }, true},
	} {
		for _, n := range []int{64, 1024} {
			for _, sets := range []int{4, 21} {
				r := rand.New(rand.NewPCG(uint64(n), uint64(sets)))
				const tries, fresh = 20, 200
				refused, exceeded := 0, 0
				for range tries {
					errs, most := make([]float64, n*sets), 0.0
					for i := range errs {
						errs[i] = c.draw(r)
						most = max(most, errs[i])
					}
					for i := range errs {
						errs[i] /= most
					}
					e := estimateTail(errs, n)
					if e.heavy() {
						refused++
						continue
					}
					for range fresh {
						largest := 0.0
						for range n {
							largest = max(largest, c.draw(r)/most)
						}
						if largest > e.factor() {
							exceeded++
						}
					}
				}
				t.Logf("%s, %d sets of %d: refused %d of %d, %d of %d sets exceed", c.name, sets, n, refused, tries, exceeded, fresh*(tries-refused))
				if c.heavy && refused < tries*3/4 {
					t.Errorf("%s, %d sets of %d: expected to be refused", c.name, sets, n)
				}
				if !c.heavy && refused > tries/4 && sets == 21 {
					t.Errorf("%s, %d sets of %d: refused %d of %d", c.name, sets, n, refused, tries)
				}
				if exceeded*1000 > 2*fresh*max(tries-refused, 1) {
					t.Errorf("%s, %d sets of %d: %d of %d sets exceed the tolerance", c.name, sets, n, exceeded, fresh*(tries-refused))
				}
			}
		}
	}
}
