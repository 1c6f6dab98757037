package diff

import (
	"math/rand/v2"
	"strings"
	"testing"

	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/ir"
)

// TestPlanted inserts an error into one of several pass pipelines: subtractions with
// exchanged operands. The comparison must find the error, also through LLVM, and preserve
// it when it reduces the program.
func TestPlanted(t *testing.T) {
	honest := ways
	t.Cleanup(func() { ways = honest })
	ways = append(ways[:len(ways):len(ways)], way{name: "planted", pipeline: "builtin.module(pto-bufferize)", spoil: exchange})
	for _, profile := range []string{"a3", "a5"} {
		b := manyValues(tileRules[profile](), readUses(isatile.TSub)[0], ir.F32, 10)
		b.course = course{third: len(ways) - 1, source: 2, level: "0"}
		modules := lowerAll(t, b)
		runs, _ := b.executeAll(modules)
		b.doubt(modules[0], runs)
		ds := b.compare(runs)
		if len(ds) == 0 {
			t.Fatalf("on %s nobody notices the fault", profile)
		}
		for _, d := range ds {
			if got := b.progs[d.prog].culprit(b.kernels[d.prog], d); got != "pto.tsub" || d.way != "planted" {
				t.Errorf("blames %s in way %s", got, d.way)
			}
		}
		if _, what := shorten(b, ds[0]); what == "" {
			t.Error("the fault is lost when the program is made small")
		}
		if !withLLVM() {
			continue
		}
		c := newCounter()
		if ds := b.compare(c.runLLVM(t, b, modules[2], make([]bool, len(b.progs)))); len(ds) == 0 && !c.noLLVM {
			t.Errorf("on %s nobody notices the fault through LLVM", profile)
		}
	}
}

// exchange exchanges the operands of all subtractions of the module m.
func exchange(m *ir.Op) {
	for op := range m.Walk() {
		if op.Is(isatile.TSub) {
			x, y := op.Operand(0), op.Operand(1)
			op.SetOperand(0, y)
			op.SetOperand(1, x)
		}
	}
}

func lowerAll(t *testing.T, b *batch) (modules []*ir.Op) {
	t.Helper()
	for _, w := range b.ways() {
		m, why := b.lowered(w)
		if m == nil {
			t.Fatal(why)
		}
		modules = append(modules, m)
	}
	return modules
}

// TestUnwritten generates programs that read uninitialized storage: a view exposes an
// entire tile of which only half was loaded. The test harness must distinguish them from
// programs that only store such a view, which are still compared elsewhere.
func TestUnwritten(t *testing.T) {
	r := tileRules["a5"]()
	show := oneUse(t, isatile.TReshape, "%d = pto.treshape %s : !pto.tile<16x64xf32, valid=8x64> -> !pto.tile<32x32xf32>")
	add := oneUse(t, isatile.TAddS, "%d = pto.tadds %s, %f : (!pto.tile<32x32xf32>, f32) -> !pto.tile<32x32xf32>")
	var progs []*program
	for _, name := range []string{"shows", "adds"} {
		m := r.newMaker(name, rand.New(rand.NewPCG(1, 1)))
		m.add(show)
		if name == "adds" { // what the generator would not do
			m.p.steps = append(m.p.steps, programStep{use: add, in: []int{1, m.fresh(add, ir.F32, nil)}, out: []int{3}})
			m.p.vals = append(m.p.vals, result{typ: add.outs[0]})
			m.p.steps = append(m.p.steps, programStep{sink: m.stores(add.outs[0]), in: []int{3}})
		}
		progs = append(progs, m.p)
	}
	b := newBatch(r, progs, course{third: 2, level: "0"})
	modules := lowerAll(t, b)
	runs, _ := b.executeAll(modules)
	b.doubt(modules[0], runs)
	for _, d := range b.compare(runs) {
		t.Errorf("calls it a difference: %s", d.text)
	}
	if n := b.astray(0); n >= 0 {
		t.Errorf("parameter %d of a program that only stores a view is called unwritten", n)
	}
	n := b.astray(1)
	if n < 0 {
		t.Fatal("a program that computes with what nobody wrote is not noticed")
	}
	if got := progs[1].culprit(b.kernels[1], difference{param: n}); got != "pto.tadds" {
		t.Errorf("blames %s", got)
	}
	c := newCounter()
	c.weigh(b, 0)
	if c.elements != 1024 || c.blurred != 512 {
		t.Errorf("%d of %d elements of the view are left out, not the half that nobody wrote", c.blurred, c.elements)
	}
}

// TestTooManyAstray checks that the tests fail if too many programs read uninitialized
// storage.
func TestTooManyAstray(t *testing.T) {
	c := newCounter()
	c.astray["pto.tadds"] = 1
	for programs, want := range map[int]bool{999: true, 1000: false} {
		if c.programs = programs; c.tooManyAstray() != want {
			t.Errorf("1 beside %d programs: got %v", programs, !want)
		}
	}
}

func oneUse(t *testing.T, d *ir.Def, text string) *use {
	t.Helper()
	u := readUse(d, text)
	if u == nil {
		t.Fatalf("no use: %s", strings.TrimSpace(text))
	}
	return u
}
