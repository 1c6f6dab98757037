package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ptogo/codegen/llvmtest"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// TestFusedRows compares random programs of reductions and of instructions that use their
// results with the fused programs, on both engines. All instructions work on a few tiles,
// so that many of them overwrite a tile that another one reads.
func TestFusedRows(t *testing.T) {
	n := &fusedRows{}
	inBatches(t, 60, batchSize, n.check)
	t.Logf("%d programs with %d vector functions, %d of them with a reduction whose result is used", n.programs, n.scopes, n.staged)
	if n.staged < n.programs/8 {
		t.Error("few results of reductions are used in the same loop")
	}
}

// fusedRows counts programs and vector functions.
type fusedRows struct{ programs, scopes, staged int }

// check compares a batch of programs from the given seed.
func (n *fusedRows) check(t *testing.T, seed uint64, all int) {
	rnd := rand.New(rand.NewPCG(seed, 11))
	var pairs []pair
	for i := range all {
		p := rowProgram(fmt.Sprint("program ", i), rnd)
		fused := llvmtest.Parse(t, "rows", p.module())
		var diags ir.Diags
		if !through(fused, "builtin.module(pto-fuse-tiles,pto-insert-sync)", &diags) {
			t.Fatalf("%s\n%s", reason(&diags), p.text)
		}
		n.count(fused)
		if got, want := p.results(t, fused, true), p.results(t, llvmtest.Parse(t, "rows", p.module()), false); got != nil && want != nil {
			for i, d := range p.data {
				if !bytes.Equal(got[i], want[i]) {
					t.Errorf("%s: buffer %s differs\n%s\n%s", p.name, d.name, p.text, ir.Bytes(fused, ir.PrintOptions{}))
					break
				}
			}
		}
		f := runtime.Kernels(fused)[0]
		p.text = string(ir.Bytes(f, ir.PrintOptions{})) + "\n"
		pairs = append(pairs, p)
	}
	if withLLVM() {
		checkPairs(t, pairs)
	}
}

// count counts the vector functions of the module m.
func (n *fusedRows) count(m *ir.Op) {
	n.programs++
	for op := range m.Walk() {
		if op.Name() != "pto.vecscope" {
			continue
		}
		n.scopes++
		for o := range op.Walk() {
			if o.Name() == "pto.vdup" && o.Operand(0).Op() != nil && reducesInto(o.Operand(0), 4) {
				n.staged++
				break
			}
		}
	}
}

// reducesInto reports whether the register v is computed from the result of a reduction,
// by at most depth instructions.
func reducesInto(v *ir.Value, depth int) bool {
	if v.Op() == nil || depth == 0 {
		return false
	}
	if strings.HasPrefix(v.Op().Name(), "pto.vc") {
		return true
	}
	return slices.ContainsFunc(v.Op().Operands(), func(o *ir.Value) bool { return reducesInto(o, depth-1) })
}

// module returns the text of a module with the kernel.
func (p *pair) module() string {
	return "module attributes {pto.target_arch = \"a5\"} {\n" + p.text + "}\n"
}

// results runs the kernel of the module m, and returns the contents of its buffers. It
// returns nil after a fault. If races is set, it reports races.
func (p *pair) results(t *testing.T, m *ir.Op, races bool) [][]byte {
	checker, err := check.New(check.Options{Kinds: []check.Kind{check.Race}})
	if err != nil {
		t.Fatal(err)
	}
	var args []runtime.Arg
	var out [][]byte
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, d := range p.data {
		b := d.bytes(rnd)
		out = append(out, b)
		args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: b}})
	}
	if planned(t, m, runtime.Kernels(m), runtime.Options{Listeners: []runtime.Listener{checker}}).Run(args) != nil {
		return nil
	}
	for _, r := range checker.Reports() {
		if !races {
			break
		}
		t.Errorf("%s: %s\n%s", p.name, r.Text, ir.Bytes(m, ir.PrintOptions{}))
	}
	return out
}

// rowProgram returns a random program on three tiles, on a row with one element for each
// column, on three columns with one element for each row, and on the same columns as rows.
func rowProgram(name string, rnd *rand.Rand) pair {
	elem := []string{"f32", "f32", "f16", "i32"}[rnd.IntN(4)]
	rows, cols := []int{1, 16, 32}[rnd.IntN(3)], []int{16, 64, 96, 128, 208, 320}[rnd.IntN(6)]
	if rows == 1 {
		rows = 16
	}
	used := cols - rnd.IntN(2)*rnd.IntN(15)
	valid := fmt.Sprintf("%dx%d", rows, used)
	var all []*data
	for _, n := range []string{"a", "b", "c"} {
		all = append(all, &data{name: n, elem: elem, shape: [2]int{rows, cols}, valid: valid, number: between(-9, 9)})
	}
	all = append(all, &data{name: "e", elem: elem, shape: [2]int{1, cols}, valid: fmt.Sprintf("1x%d", used), number: between(-9, 9)})
	var body strings.Builder
	for _, n := range []string{"p", "q", "r"} {
		d := &data{name: n, elem: elem, shape: [2]int{rows, 1}, keys: ", blayout=col_major", number: between(1, 9)}
		all = append(all, d)
		fmt.Fprintf(&body, "  %%%s_row = pto.alloc_tile addr = %%%s_at : !pto.tile_buf<vec, 1x%dx%s>\n", n, n, rows, elem)
	}
	fmt.Fprintf(&body, "  %%one = arith.constant %s : %s\n", map[bool]string{true: "3", false: "1.5"}[elem == "i32"], elem)
	w := &rowWriter{rnd: rnd, elem: elem, row: fmt.Sprintf("!pto.tile_buf<vec, 1x%dx%s>", rows, elem), body: &body}
	for range 2 + rnd.IntN(9) {
		w.instruction()
	}
	text := tileKernel(body.String(), all...)
	for _, d := range all {
		if rnd.IntN(2) == 0 {
			text = strings.Replace(text, fmt.Sprintf("  pto.tstore ins(%%%s_all : %s) outs(%%%s_gm : %s)\n", d.name, d.tile(false), d.name, d.view("partition_tensor")), "", 1)
		}
	}
	return pair{name: name, text: text, data: all}
}

// rowWriter writes random instructions on the tiles of rowProgram.
type rowWriter struct {
	rnd       *rand.Rand
	elem, row string
	body      *strings.Builder
}

// instruction writes a random instruction.
func (w *rowWriter) instruction() {
	any := func(names ...string) string { return names[w.rnd.IntN(len(names))] }
	tile, column := func() string { return any("a", "b", "c") }, func() string { return any("p", "q", "r") }
	floats := w.elem != "i32"
	one := any("tmuls", "tadds", "tmaxs")
	switch x := w.rnd.IntN(12); {
	case x < 3:
		d, s := column(), tile()
		name := any("trowsum", "trowmax", "trowmin")
		fmt.Fprintf(w.body, "  pto.%s ins(%%%s : T(%s)) outs(%%%s : T(%s))\n", name, s, s, d, d)
	case x < 5:
		d, s := column(), column()
		fmt.Fprintf(w.body, "  pto.%s ins(%%%s_row, %%one : %s, %s) outs(%%%s_row : %s)\n", one, s, w.row, w.elem, d, w.row)
	case x < 6:
		d, s, o := column(), column(), column()
		fmt.Fprintf(w.body, "  pto.%s ins(%%%s_row, %%%s_row : %s, %s) outs(%%%s_row : %s)\n", any("tadd", "tmul", "tmin"), s, o, w.row, w.row, d, w.row)
	case x < 8:
		d, s, c := tile(), tile(), column()
		name := any("trowexpandsub", "trowexpandadd", "trowexpandmul", "trowexpandmax")
		if floats {
			name = any(name, "trowexpanddiv", "trowexpandexpdif")
		}
		fmt.Fprintf(w.body, "  pto.%s ins(%%%s, %%%s : T(%s), T(%s)) outs(%%%s : T(%s))\n", name, s, c, s, c, d, d)
	case x == 10:
		s := tile()
		fmt.Fprintf(w.body, "  pto.%s ins(%%%s : T(%s)) outs(%%e : T(e))\n", any("tcolmax", "tcolmin", "tcolprod"), s, s)
	case x == 11:
		d, s := tile(), tile()
		fmt.Fprintf(w.body, "  pto.tcolexpandadd ins(%%%s, %%e : T(%s), T(e)) outs(%%%s : T(%s))\n", s, s, d, d)
	case x < 9 || !floats:
		d, s := tile(), tile()
		fmt.Fprintf(w.body, "  pto.%s ins(%%%s, %%one : T(%s), %s) outs(%%%s : T(%s))\n", one, s, s, w.elem, d, d)
	default:
		d, s := tile(), tile()
		fmt.Fprintf(w.body, "  pto.%s ins(%%%s : T(%s)) outs(%%%s : T(%s))\n", any("texp", "tabs", "tsqrt"), s, s, d, d)
	}
}
