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

// TestSimulatorSpecials compares instructions with the public CPU simulator on special
// numbers, for which definitions often differ. These are NaNs, infinities, zeros of both
// signs, denormal numbers, the limits of each format, and values halfway between two
// results.
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

// roundsOtherwise matches uses whose rounding differs on the simulator.
// TestSimulatorInstructions compares these on small numbers, for which they are exact.
// They add in another order, round products once instead of twice, or interpret
// quantization factors differently.
var roundsOtherwise = regexp.MustCompile(`^pto\.(t(row|col)sum|tmatmul|tgemv|taxpy|tfusedmul|tmuladddst|tdivs|t(mov|store|extract|insert)\w* .*loc=(acc|scaling))`)

// byOrder matches instructions that sort or compare numbers. docs/isa/differences.md
// records how NaN is ordered; the elements that a NaN displaces could not be told from
// other errors.
var byOrder = regexp.MustCompile(`arg(max|min)|tmrgsort|tsort32`)

// withoutNaN returns the bits of a special number of format f that is not NaN.
func withoutNaN(r *rand.Rand, f num.Format) uint64 {
	for {
		if b := special(r, f); !num.IsNaN(f, b) {
			return b
		}
	}
}

// special returns the bits of a special number of format f. Integers are never 0, because
// the simulator aborts on a division by 0.
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
