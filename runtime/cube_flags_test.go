package runtime

import (
	"fmt"
	"strings"
	"testing"
)

// unitKernel multiplies 32x16 by 16x32 elements with the given unit flags and
// copies the product out: for each word a product, "mad", or a copy, "store"
// of all of it or "half" of it, with a mode.
func unitKernel(steps ...string) string {
	text := `
func.func @k(%out: !pto.ptr<f32, gm>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : i64
  %c16 = arith.constant 16 : i64
  %c32 = arith.constant 32 : i64
  %a = pto.castptr %c0 : i64 -> !pto.ptr<f16, l0a>
  %b = pto.castptr %c0 : i64 -> !pto.ptr<f16, l0b>
  %c = pto.castptr %c0 : i64 -> !pto.ptr<f32, l0c>
`
	for _, s := range steps {
		what, mode, _ := strings.Cut(s, " ")
		if mode != "" {
			mode = "unit_flag(" + mode + ")"
		}
		if what == "mad" {
			text += "  pto.mad %a, %b, %c, %c32, %c32, %c16 " + mode +
				" : !pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, i64, i64, i64\n"
			continue
		}
		cols := map[string]string{"store": "%c32", "half": "%c16"}[what]
		if mode != "" {
			mode = ", " + mode
		}
		text += "  pto.mte_l0c_gm %c, %out, %c32, " + cols + ", %c32, %c32, %c0, %c0" + mode +
			", nz2nd : !pto.ptr<f32, l0c>, !pto.ptr<f32, gm>, i64, i64, i64, i64, i64, i64\n"
	}
	return text + "  return\n}"
}

// TestUnitFlags runs products and copies in orders that end and orders that
// wait for ever.
func TestUnitFlags(t *testing.T) {
	out := floats(make([]float32, 1024)...)
	for _, steps := range [][]string{
		{"mad", "store"},
		{"mad check_only", "mad check_and_set", "store check_only", "store check_and_clear", "mad check_and_set"},
		{"mad check_and_set", "half check_and_clear", "store"},
		{"mad check_and_set", "store check_and_clear", "mad check_and_set", "store check_and_clear"},
	} {
		mustRun(t, unitKernel(steps...), ptr(out))
	}
	const empty = "waits for a matrix product in bytes "
	for _, c := range []struct {
		want  string
		steps []string
	}{
		{empty + "0..1023 of l0c", []string{"store check_only"}},
		{empty + "0..1023 of l0c", []string{"mad check_only", "store check_and_clear"}},
		{empty + "0..1023 of l0c", []string{"mad check_and_set", "store check_and_clear", "store check_only"}},
		{empty + "0..1023 of l0c", []string{"mad check_and_set", "half check_and_clear", "store check_only"}},
		{"waits for an instruction with check_and_clear that removes the product in bytes 0..4095 of l0c", []string{"mad check_and_set", "store check_only", "mad check_only"}},
		{"waits for an instruction with check_and_clear that removes the product in bytes 0..4095 of l0c", []string{"mad check_and_set", "half check_and_clear", "mad check_and_set"}},
	} {
		f := faultOf(t, unitKernel(c.steps...), ptr(out))
		if !strings.Contains(f.Text, c.want) || !strings.HasSuffix(f.Text, "the core would wait forever") {
			t.Errorf("%v: got %v, want %q", c.steps, f, c.want)
		}
	}
}

// TestPackedUnitFlags reads the mode of a product from its configuration word.
func TestPackedUnitFlags(t *testing.T) {
	const sizes, zeroStart, setFlag = 32 | 16<<12 | 32<<24, -1 << 63, 3 << 55
	kernel := func(word int64) string {
		const types = "!pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, i64"
		return strings.Replace(unitKernel("mad", "store check_and_clear"), "  pto.mad %a, %b, %c, %c32, %c32, %c16  : "+types+", i64, i64",
			fmt.Sprintf("  %%x = arith.constant %d : i64\n  pto.mad_raw %%a, %%b, %%c, %%x : ", word)+types, 1)
	}
	out := ptr(floats(make([]float32, 1024)...))
	mustRun(t, kernel(zeroStart|setFlag|sizes), out)
	if f := faultOf(t, kernel(zeroStart|sizes), out); !strings.Contains(f.Text, "waits for a matrix product") {
		t.Errorf("got %v", f)
	}
}
