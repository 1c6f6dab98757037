package diff

import (
	"flag"
	"math"
	"math/rand/v2"
	"regexp"
	"testing"

	"ptogo/ir/num"
	"ptogo/tools/cpptest"
)

var specials = flag.Int("simulator-specials", 1, "how many variations of each example are compared with the simulator on numbers at edges")

// TestSimulatorSpecials compares instructions with the simulator on numbers where
// definitions part: NaNs, infinities, zeros of both signs, denormal numbers, the
// ends of each format and what lies half-way between two results.
func TestSimulatorSpecials(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	cases := instructionCases(sampling{seed: 5, tries: 60, most: *specials},
		func(u *use, others int) numbers {
			if others%2 == 1 || byOrder.MatchString(u.def.Name) {
				return withoutNaN
			}
			return special
		},
		func(v *use) bool { return apart(v) || roundsOtherwise.MatchString(v.key()) })
	elements := 0
	for _, r := range cpptest.Check(t, cases, 98) {
		elements += r.Elements
	}
	t.Logf("%d elements compared", elements)
}

// roundsOtherwise are uses that TestSimulatorInstructions compares on small numbers,
// where they are exact: sums in another order, products rounded once or twice, and
// what leaves the accumulator, where the simulator takes factors for other words.
var roundsOtherwise = regexp.MustCompile(`^pto\.(t(row|col)sum|tmatmul|tgemv|taxpy|tfusedmul|tdivs|t(mov|store|extract|insert)\w* .*loc=(acc|scaling))`)

// byOrder are instructions that order numbers. Where NaN stands is recorded in
// docs/isa/differences.md, and what it moves cannot be told from other faults.
var byOrder = regexp.MustCompile(`arg(max|min)|tmrgsort|tsort32`)

// withoutNaN is special but for NaN.
func withoutNaN(r *rand.Rand, f num.Format) uint64 {
	for {
		if b := special(r, f); !num.IsNaN(f, b) {
			return b
		}
	}
}

// special is the bits of a number at an edge. Integers are never zero, since the
// simulator ends when it divides by one.
func special(r *rand.Rand, f num.Format) uint64 {
	if f.IsInt() {
		edges := []uint64{1, 2, 3, 7, f.Mask(), f.Mask() - 1, f.SignBit(), f.SignBit() + 1, f.SignBit() - 1, f.SignBit() >> 1, 100, 255}
		if b := edges[r.IntN(len(edges))] & f.Mask(); b != 0 {
			return b
		}
		return 1
	}
	if r.IntN(4) == 0 {
		return r.Uint64() & f.Mask()
	}
	inf := num.Encode(f, math.Inf(1), num.NearestEven, false)
	edges := []uint64{0, inf, inf - 1, inf + 1, num.Encode(f, math.NaN(), num.NearestEven, false), 1, 2}
	for _, x := range []float64{1, 0.5, 1.5, 2.5, 3, 6, 127.5, 128, 255.5, 32767.5, 65504, 65520, 0x1p31, 0x1p-14, 0x1p-24, 0x1p-25, 0x1p-126, 0x1p-130, 1e30, 1e-30, 1.0009765625, math.Pi} {
		edges = append(edges, num.Encode(f, x, num.NearestEven, false))
	}
	b := edges[r.IntN(len(edges))]
	if r.IntN(2) == 0 {
		b |= f.SignBit()
	}
	return b & f.Mask()
}
