package runtime

import (
	"math"
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Products of f32 round their operands as the core is set to: 1 + 2^-11 and
// 1 + 2^-12 tell 10 bits of fraction from 11, ties to even from ties away, and
// both from f32.
func TestOperandRounding(t *testing.T) {
	const ulp11, tie11, tie10 = 0x1p-11, 0x1p-12, 0x1p-11
	tiny := float64(math.SmallestNonzeroFloat32)
	for _, c := range []struct {
		set     string
		on      ir.Target
		x, want float64
	}{
		{"", sem.A5, 1 + tie11, 1 + tie11},
		{"pto.sethf32mode {}", sem.A5, 1 + tie11, 1 + ulp11},
		{"pto.sethf32mode {mode = #pto<round_mode RINT>}", sem.A5, 1 + tie11, 1},
		{"pto.sethf32mode {mode = #pto<round_mode RINT>}", sem.A3, 1 + ulp11 + tie11, 1 + 2*ulp11},
		{"pto.sethf32mode {}", sem.A5, tiny, 0},
		{"pto.sethf32mode {}", sem.A5, math.Inf(-1), math.Inf(-1)},
		{"pto.sethf32mode {}", sem.A5, math.MaxFloat32, math.Inf(1)},
		{"pto.sethf32mode {}\n  pto.sethf32mode {enable = false}", sem.A5, 1 + tie11, 1 + tie11},
		{"pto.settf32mode {}", sem.A5, 1 + tie10, 1},
		{"pto.settf32mode {}", sem.A5, -(1 + 3*tie10), -(1 + 4*tie10)},
		{"pto.settf32mode {}", sem.A3, 1 + tie10, 1 + tie10},
		{"pto.settf32mode {}\n  pto.sethf32mode {enable = false}", sem.A5, 1 + tie10, 1},
	} {
		text := productProgram("  pto.tstore ins(%z : ACC) outs(%dp : !pto.partition_tensor_view<16x16xf32>)")
		text = strings.Replace(text, "  pto.tmatmul", "  "+c.set+"\n  pto.tmatmul", 1)
		diagonal, ones := make([]float64, 256), make([]float64, 256)
		for i := range ones {
			ones[i] = 1
			if i%17 == 0 {
				diagonal[i] = c.x
			}
		}
		d := numbersOf(num.F32, make([]float64, 256)...)
		if err := runText(t, text, Options{Target: c.on}, ptr(numbersOf(num.F32, diagonal...)), ptr(numbersOf(num.F32, ones...)), ptr(d)); err != nil {
			t.Fatal(err)
		}
		if got := valuesOf(num.F32, d)[0]; got != c.want {
			t.Errorf("%s: a product with %v is %v, want %v", c.set, c.x, got, c.want)
		}
	}
}
