package diff

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"ptogo/codegen/jit"
	"ptogo/codegen/llvm"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	isacube "ptogo/dialect/pto/isa/cube"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/ir"
	"ptogo/runtime"
)

// tileRules holds the rules of each profile. All tests share them, because they cache the
// answers of the verifier.
var tileRules = map[string]func() *rules{
	"a2": sync.OnceValue(func() *rules { return newRules("a2") }),
	"a3": sync.OnceValue(func() *rules { return newRules("a3") }),
	"a5": sync.OnceValue(func() *rules { return newRules("a5") }),
}

// tileProfiles lists the profiles in the order in which batches use them.
var tileProfiles = []string{"a3", "a5", "a3", "a5", "a2", "a5"}

// makeBatch generates n programs for a profile from a seed.
func makeBatch(profile string, seed uint64, n int) *batch {
	rnd := rand.New(rand.NewPCG(seed, 1))
	r := tileRules[profile]()
	var progs []*program
	for i := range n {
		progs = append(progs, r.newProgram(fmt.Sprintf("k%d", i), rnd))
	}
	return newBatch(r, progs, newCourse(seed))
}

// TestTiles executes random tile programs with several pass pipelines and as code
// compiled by LLVM, and compares the results. Without LLVM, it compares only the
// pipelines.
func TestTiles(t *testing.T) {
	c := newCounter()
	inBatches(t, 40, batchSize, func(t *testing.T, seed uint64, n int) {
		profile := tileProfiles[seed/batchSize%uint64(len(tileProfiles))]
		c.check(t, makeBatch(profile, seed, n), withLLVM())
	})
	c.report(t)
}

// check executes the batch b with all pass pipelines and compares the results. The
// parameter llvm states whether code compiled by LLVM is included.
func (c *counter) check(t *testing.T, b *batch, llvm bool) {
	b, modules := c.lower(t, b)
	if len(b.progs) == 0 {
		return
	}
	runs, faults := b.executeAll(modules)
	for _, f := range faults {
		c.fault(f)
	}
	able := make([]bool, len(b.progs))
	if llvm {
		runs = append(runs, c.runLLVM(t, b, modules[b.source], able)...)
	}
	b.doubt(modules[0], runs)
	for i := range b.progs {
		switch n := b.astray(i); {
		case n >= 0:
			c.leaveOut(t, b, i, n)
			b.want[i] = nil
		case b.want[i] != nil:
			c.add(b, i, able[i])
		}
	}
	for _, d := range b.compare(runs) {
		c.differ(t, b, d)
	}
}

// lower runs the pass pipeline of each way on the batch b, and returns the modules. A way
// is a sequence of passes with which programs are executed. lower removes the programs
// that one of the pipelines rejects from the batch.
func (c *counter) lower(t *testing.T, b *batch) (*batch, []*ir.Op) {
	var modules []*ir.Op
	ways := b.ways()
	for i := 0; i < len(ways) && len(b.progs) > 0; i++ {
		m, _ := b.lowered(ways[i])
		if m != nil {
			modules = append(modules, m)
			continue
		}
		all := len(b.progs)
		var why []string
		if b, why = b.split(ways[i]); len(b.progs) == all {
			t.Fatalf("%s takes each of %d programs alone but not together", ways[i].name, all)
		}
		for _, text := range why {
			c.refused[ways[i].name+": "+text]++
		}
		modules, i = nil, -1 // the others again, without these programs
	}
	return b, modules
}

// runLLVM runs the programs that LLVM IR can represent as compiled code, if LLVM is
// available. It marks these programs in able.
func (c *counter) runLLVM(t *testing.T, b *batch, m *ir.Op, able []bool) []run {
	for i, f := range runtime.Kernels(m) {
		able[i] = b.want[i] != nil && llvm.Emit(io.Discard, m, llvm.Options{Only: []*ir.Op{f}}, &ir.Diags{})
	}
	if !slices.Contains(able, true) {
		return nil
	}
	prog, done, err := b.compile(m, able)
	switch {
	case errors.Is(err, jit.ErrNoLLVM):
		c.noLLVM = true
	case err != nil:
		t.Errorf("%v\n%.3000s", err, b.text())
	default:
		defer done()
		return []run{b.launch(prog, able)}
	}
	clear(able)
	return nil
}

// differ reports a difference with a reduced program. It reports at most three
// differences of each kind.
func (c *counter) differ(t *testing.T, b *batch, d difference) {
	p := b.progs[d.prog]
	kind := p.culprit(b.kernels[d.prog], d) + ", " + d.way
	c.differences[kind]++
	if c.differences[kind] > 3 {
		t.Errorf("%s: %s differs once more", p.name, kind)
		return
	}
	small, what := shorten(b, d)
	k := small.kernel()
	var args []string
	for _, a := range k.params {
		if a.data == nil {
			args = append(args, fmt.Sprintf("%s = %#x", a.decl, a.bits))
		}
	}
	if d.way == compiled {
		kind += fmt.Sprintf(" -O%s of way %s", b.level, b.ways()[b.source].name)
	}
	t.Errorf("%s: %s\n%s\n%s\n%s", p.name, kind, what, strings.Join(args, "\n"), inModule(b.profile, k.text))
}

// FuzzLevels searches for a program on which the levels of PTO disagree.
func FuzzLevels(f *testing.F) {
	f.Add(uint64(1), true)
	f.Fuzz(func(t *testing.T, seed uint64, a5 bool) {
		profile := "a3"
		if a5 {
			profile = "a5"
		}
		newCounter().check(t, makeBatch(profile, seed, 1), false)
	})
}

// TestInstructions checks that random programs contain each of a list of important
// instructions.
func TestInstructions(t *testing.T) {
	covered := Covered()
	for _, d := range []*ir.Def{isatile.TDivS, isatile.TCvt, isacube.TMatmul, isatile.TStore, isatile.TGather, isatile.TRowSum, isatile.AllocMultiTile, isatile.SetValidShape, isatile.TAssign, isatile.SubView, isabase.TileBufAddr} {
		if !covered[d] {
			t.Errorf("no program uses %s", d)
		}
	}
	if len(covered) < 400 {
		t.Errorf("programs use only %d instructions", len(covered))
	}
}

// TestDivision executes a single division with many operand values, with several pass
// pipelines, and compares the results.
func TestDivision(t *testing.T) {
	for _, profile := range []string{"a3", "a5"} {
		for _, elem := range parseTypes("f32", "f16") {
			for _, seed := range readUses(isatile.TDivS) {
				t.Run(profile+"/"+typeList(seed.ins), func(t *testing.T) {
					newCounter().check(t, manyValues(tileRules[profile](), seed, elem, 10), withLLVM())
				})
			}
		}
	}
}

// readUses returns the uses in the examples of the instruction d.
func readUses(d *ir.Def) []*use {
	return slices.DeleteFunc(seeds(), func(u *use) bool { return u.def != d })
}

// manyValues generates n programs of the use seed with elements of type elem. Each
// program has different data.
func manyValues(r *rules, seed *use, elem ir.Type, n int) *batch {
	rnd := rand.New(rand.NewPCG(7, 7))
	u := *seed
	swap := func(types []ir.Type) (to []ir.Type) {
		for _, t := range types {
			if d, ok := ir.As[pto.Tile](t); ok {
				d.Elem = elem
				t = ir.TypeOf(d)
			} else {
				t = elem
			}
			to = append(to, t)
		}
		return to
	}
	u.ins, u.outs = swap(u.ins), swap(u.outs)
	var progs []*program
	for i := range n {
		m := r.newMaker(fmt.Sprintf("k%d", i), rnd)
		m.add(&u)
		progs = append(progs, m.p)
	}
	return newBatch(r, progs, newCourse(7))
}
