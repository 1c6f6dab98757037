package lower_test

import (
	"fmt"
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
	"ptogo/passes/passtest"
)

// many is the number of instructions in the programs of TestPassesAskBudget.
const many = 6000

// largePrograms returns programs with many instructions in one block, in one function
// each, and in many functions. They have tiles (Level 1 and 2), scalars, calls, and vector
// instructions.
func largePrograms() []string {
	const tile, buf = "!pto.tile<8x8xf32>", "!pto.tile_buf<vec, 8x8xf32>"
	head := "func.func @k(%x: !pto.ptr<f32>, %s: f32, %n: i32, %p: !pto.ptr<f32, ub>, %v: !pto.vmi.vreg<64xf32>) attributes {pto.kernel} {\n%c0 = arith.constant 0 : index\n%c8 = arith.constant 8 : index\n%c1 = arith.constant 1 : index\n" +
		"%view = pto.make_tensor_view %x, shape = [%c8, %c8], strides = [%c8, %c1] : !pto.tensor_view<8x8xf32>\n%part = pto.partition_view %view, offsets = [%c0, %c0], sizes = [%c8, %c8] : !pto.tensor_view<8x8xf32> -> !pto.partition_tensor_view<8x8xf32>\n"
	repeat := func(f func(i int) string) string {
		var b strings.Builder
		for i := range many {
			b.WriteString(f(i))
		}
		return b.String()
	}
	return []string{
		head + "%t0 = pto.tload %part : !pto.partition_tensor_view<8x8xf32> -> " + tile + "\n" +
			repeat(func(i int) string {
				return fmt.Sprintf("%%t%d = pto.tadds %%t%d, %%s : (%s, f32) -> %s\n", i+1, i, tile, tile)
			}) +
			fmt.Sprintf("pto.tstore %%t%d, %%part : (%s, !pto.partition_tensor_view<8x8xf32>) -> ()\nreturn\n}\n", many, tile),
		head + "%a0 = pto.alloc_tile : " + buf + "\n" + repeat(func(i int) string {
			return fmt.Sprintf("pto.tadds ins(%%a0, %%s : %s, f32) outs(%%a0 : %s)\n", buf, buf)
		}) + "return\n}\n",
		head + repeat(func(i int) string { return fmt.Sprintf("%%i%d = arith.addi %%n, %%n : i32\n", i) }) + "return\n}\n",
		head + "pto.vecscope {\n%m = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n%w0 = pto.vlds %p[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n" + repeat(func(i int) string {
			return fmt.Sprintf("%%w%d = pto.vadd %%w%d, %%w%d, %%m : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>\n", i+1, i, i)
		}) + "}\nreturn\n}\n",
		head + "%w0 = pto.vmi.load %p[%c0] : !pto.ptr<f32, ub> -> !pto.vmi.vreg<64xf32>\n" + repeat(func(i int) string {
			return fmt.Sprintf("%%w%d = pto.vmi.addf %%w%d, %%w%d : !pto.vmi.vreg<64xf32>, !pto.vmi.vreg<64xf32> -> !pto.vmi.vreg<64xf32>\n", i+1, i, i)
		}) + "return\n}\n",
	}
}

// TestPassesAskBudget runs every pass on large programs with an exhausted budget. A pass
// that loops over the program without asking the budget does not end with the error of the
// budget, so it could neither be stopped nor limited.
func TestPassesAskBudget(t *testing.T) {
	var modules []*ir.Op
	for _, text := range largePrograms() {
		var diags ir.Diags
		m, err := ir.Parse(&ir.Source{Name: "large.pto", Text: text}, ir.ParseOptions{}, &diags)
		if err != nil {
			t.Fatal(err)
		}
		if !ir.Verify(m, ir.VerifyOptions{Target: sem.A5}, &diags) {
			t.Fatal(passtest.Messages(&diags)[:min(400, len(passtest.Messages(&diags)))])
		}
		modules = append(modules, m)
	}
	const over = "the time is over"
	for _, pass := range registry.Passes() {
		asked := 0
		for _, m := range modules {
			var diags ir.Diags
			name := pass.Name
			if pass.Anchor == "func.func" {
				name = "func.func(" + name + ")"
			}
			p := passtest.Pipeline(t, registry, "builtin.module("+name+")")
			clone := m.Clone(nil)
			stop := make(chan struct{})
			ok := p.Run(clone, passes.RunOptions{Target: sem.A5, Diags: &diags, Exhausted: over, Stop: stop, Sequential: true})
			if !ok && strings.Contains(passtest.Messages(&diags), over) {
				asked++
			}
		}
		if asked == 0 && asksNothing[pass.Name] == "" {
			t.Errorf("pass %s never asked its budget on %d large programs", pass.Name, len(modules))
		}
	}
}

// asksNothing names the passes that end on these programs before they loop over them, with
// the reason.
var asksNothing = map[string]string{
	"pto-pipeline-cores":         "no function was split",
	"pto-vpto-scheduler":         "there is no clock",
	"pto-validate-vmi-layout-ir": "the first VMI value is an error",
}
