package diff

import (
	"fmt"
	"strings"
	"testing"

	"ptogo/codegen/llvmtest"
	"ptogo/ir"
	"ptogo/runtime"
)

// layoutRoom is the size in bytes of the largest vector under test.
const layoutRoom = 1024

// layoutTexts returns the layouts, as text, of a vector of n lanes with the given width,
// and of its masks.
func layoutTexts(n, bits int) []string {
	texts := []string{"contiguous", fmt.Sprintf("num_groups = %d, slots = 8", n), fmt.Sprintf("num_groups = %d, slots = 1", n)}
	for _, k := range []int{2, 4} {
		texts = append(texts, fmt.Sprintf("deinterleaved = %d", k), fmt.Sprintf("deinterleaved = %d, block_elems = 8", k))
		if k*bits <= 32 { // no mask has wider lanes
			texts = append(texts, fmt.Sprintf("contiguous, lane_stride = %d", k), fmt.Sprintf("num_groups = %d, slots = 8, lane_stride = %d", n, k))
		}
	}
	return texts
}

// TestLayouts converts vectors and masks from each layout to each other layout, and
// checks that all lanes keep their values.
func TestLayouts(t *testing.T) {
	pairs := 0
	for _, bits := range []int{8, 16, 32} {
		elem := fmt.Sprint("ui", bits)
		for _, n := range []int{2, 8, 32, 64, 100, 128, 192, 256} {
			var legal []string
			for _, l := range layoutTexts(n, bits) {
				if layoutLegal(fmt.Sprintf("!pto.vmi.vreg<%dx%s, #pto.vmi.layout<%s>>", n, elem, l)) {
					legal = append(legal, l)
				}
			}
			for _, from := range legal {
				pairs += compareLayouts(t, bits, n, from, legal)
			}
		}
	}
	t.Logf("%d pairs of layouts", pairs)
	if pairs < 500 {
		t.Errorf("only %d pairs of layouts were compared", pairs)
	}
}

// layoutLegal reports whether the verifier accepts the type typ.
func layoutLegal(typ string) bool {
	var diags ir.Diags
	text := fmt.Sprintf("func.func private @f(%s)", typ)
	m, err := ir.Parse(&ir.Source{Name: "type", Text: text}, ir.ParseOptions{}, &diags)
	return err == nil && ir.Verify(m, ir.VerifyOptions{}, &diags)
}

// compareLayouts converts a vector and a mask of n lanes to one layout (parameter from),
// and from there to each layout in the list to. It returns the number of conversions.
func compareLayouts(t *testing.T, bits, n int, from string, to []string) int {
	elem := fmt.Sprint("ui", bits)
	vector := func(l string) string { return fmt.Sprintf("!pto.vmi.vreg<%dx%s, #pto.vmi.layout<%s>>", n, elem, l) }
	mask := func(l string) string { return fmt.Sprintf("!pto.vmi.mask<%dxb%d, #pto.vmi.layout<%s>>", n, bits, l) }
	ptr := fmt.Sprintf("!pto.ptr<%s, ub>", elem)
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, "    "+format+"\n", args...) }
	ensure := func(name, x, from, to string) {
		line("%%v%s = pto.vmi.ensure_layout %%v%s : %s -> %s", name, x, vector(from), vector(to))
		line("%%m%s = pto.vmi.ensure_mask_layout %%m%s : %s -> %s", name, x, mask(from), mask(to))
	}
	v, m := vector("contiguous"), mask("contiguous")
	line("%%p = pto.castptr %%zero : i64 -> %s", ptr)
	line("%%v = pto.vmi.load %%p[%%c0] : %s -> %s", ptr, v)
	line("%%w = pto.vmi.load %%p[%%c1024] : %s -> %s", ptr, v)
	line(`%%m = pto.vmi.cmpi "ult", %%v, %%w : %s, %s -> %s`, v, v, m)
	ensure("a", "", "contiguous", from)
	for i, l := range to {
		x := fmt.Sprint(i)
		ensure(x, "a", from, l)
		ensure(x+"_", x, l, "contiguous")
		line("%%s%s_ = pto.vmi.select %%m%s_, %%v, %%w : %s, %s, %s -> %s", x, x, m, v, v, v)
		for k, stored := range []string{"v", "s"} {
			line("%%%sat%s = arith.constant %d : i64", stored, x, rowFrom+(2*i+k)*layoutRoom)
			line("%%%sto%s = pto.castptr %%%sat%s : i64 -> %s", stored, x, stored, x, ptr)
			line("pto.vmi.store %%%s%s_, %%%sto%s[%%c0] : %s, %s", stored, x, stored, x, v, ptr)
		}
	}
	k := framed("k", b.String())
	logical, physical := llvmtest.Parse(t, "logical", inModule("a5", k)), llvmtest.Parse(t, "physical", inModule("a5", k))
	if why := transformed(t, physical, "builtin.module(vmi-to-vpto)"); why != "" {
		t.Fatalf("%d x %s from %s: %s", n, elem, from, why)
	}
	input := make([]byte, rowInput)
	for i := range input {
		input[i] = byte(i*167 + i>>8*31)
	}
	want, got := make([]byte, rowSlot*rowSlots), make([]byte, rowSlot*rowSlots)
	for i, m := range []*ir.Op{logical, physical} {
		if err := runOnGo(t, m, runtime.Kernels(m)[0], input, [][]byte{want, got}[i]); err != nil {
			t.Fatalf("%d x %s from %s: %v", n, elem, from, err)
		}
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%d x %s from %s to %s: byte %d is %d, want %d", n, elem, from, to[i/layoutRoom/2], i%layoutRoom, got[i], want[i])
			break
		}
	}
	return len(to)
}
