package diff

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/expand"
	"ptogo/runtime"
	"ptogo/runtime/check"
	"ptogo/runtime/equiv"
)

// expanded is the pass pipeline that expands tile instructions into vector instructions.
var expanded = way{name: "expanded", pipeline: "builtin.module(pto-bufferize,pto-plan-memory,pto-expand-tile-op,pto-insert-sync)"}

// fused is the pass pipeline that also fuses tile instructions into common loops.
var fused = way{name: "fused", pipeline: "builtin.module(pto-bufferize,pto-plan-memory,pto-fuse-tiles,pto-insert-sync)"}

// grouped is the pass pipeline that finds groups of tile instructions first, brings them
// together and moves them into regions.
var grouped = way{name: "grouped", pipeline: "builtin.module(pto-bufferize,func.func(pto-fusion-plan,pto-op-scheduling),pto-mark-last-use,func.func(pto-fusion-region-gen)," +
	"pto-plan-memory,func.func(pto-flatten-fusion-region),pto-fuse-tiles,pto-insert-sync)"}

// cleaned is the pass pipeline that also simplifies the vector instructions, and lets them
// advance their addresses.
var cleaned = way{name: "cleaned", pipeline: "builtin.module(pto-bufferize,pto-plan-memory,pto-fuse-tiles,canonicalize,loop-invariant-code-motion," +
	"func.func(vpto-optimize-vcvt,vpto-mask-simplify,vpto-soft-postupdate),cse,pto-insert-sync)"}

// unscheduled and scheduled are the pass pipelines without and with the scheduler.
var (
	unscheduled = way{name: "unscheduled", pipeline: "builtin.module(pto-bufferize,pto-plan-memory,pto-fuse-tiles,canonicalize,loop-invariant-code-motion,pto-insert-sync)"}
	scheduled   = way{name: "scheduled", pipeline: "builtin.module(pto-bufferize,pto-plan-memory,pto-fuse-tiles,canonicalize,loop-invariant-code-motion," +
		"pto-insert-sync,func.func(pto-vpto-scheduler))"}
)

// inferred is the pass pipeline that adds vector functions. Before it, all vector functions
// of the expansion are replaced by their contents.
var inferred = way{name: "inferred", pipeline: "builtin.module(pto-bufferize,pto-plan-memory,pto-fuse-tiles)", spoil: dissolve, again: true,
	then: "builtin.module(pto-infer-vpto-vecscope,pto-insert-sync)"}

// dissolve replaces the vector functions of the module m by their contents.
func dissolve(m *ir.Op) {
	var scopes []*ir.Op
	for op := range m.Walk() {
		if op.Name() == "pto.vecscope" {
			scopes = append(scopes, op)
		}
	}
	for _, scope := range scopes {
		body := scope.Region(0).Entry()
		for op := body.First(); op != nil; op = body.First() {
			op.Remove()
			scope.Block().InsertBefore(op, scope)
		}
		scope.Erase()
	}
}

// expansions counts the expanded tile instructions and the programs with them.
type expansions struct {
	programs, scopes, compiled, shared int
	// reduced counts vector functions in which a reduction shares the loop.
	reduced int
	// advanced counts loads and stores that return an advanced address.
	advanced int
	kept     map[string]int
}

// TestExpanded compares random tile programs with their expansion on both engines, and
// runs the race checker on the expansion.
func TestExpanded(t *testing.T) {
	n := &expansions{kept: map[string]int{}}
	inBatches(t, 60, batchSize, func(t *testing.T, seed uint64, all int) { n.check(t, expanded, seed, all, mostSteps) })
	t.Logf("%d programs with %d vector functions, %d of them compiled", n.programs, n.scopes, n.compiled)
	for _, name := range slices.Sorted(maps.Keys(n.kept)) {
		t.Logf("kept: %s %d", name, n.kept[name])
	}
	if n.scopes < n.programs {
		t.Error("most instructions are not expanded")
	}
}

// TestFused compares random tile programs with their fused expansion on both engines. The
// programs are longer, so that several instructions share a loop.
func TestFused(t *testing.T) {
	n := &expansions{kept: map[string]int{}}
	inBatches(t, 60, batchSize, func(t *testing.T, seed uint64, all int) { n.check(t, fused, seed, all, 2*mostSteps) })
	t.Logf("%d programs with %d vector functions, %d of them of several instructions and %d with reductions, %d programs compiled", n.programs, n.scopes, n.shared, n.reduced, n.compiled)
	if n.shared < n.programs/8 {
		t.Error("few instructions share a loop")
	}
}

// TestGrouped compares random tile programs with programs whose instructions are in regions
// of groups. Loads are between the instructions.
func TestGrouped(t *testing.T) {
	n := &expansions{kept: map[string]int{}}
	inBatches(t, 60, batchSize, func(t *testing.T, seed uint64, all int) { n.check(t, grouped, seed, all, 2*mostSteps) })
	t.Logf("%d programs with %d vector functions, %d of them of several instructions and %d with reductions, %d programs compiled", n.programs, n.scopes, n.shared, n.reduced, n.compiled)
	if n.shared < n.programs/16 {
		t.Error("few instructions share a loop")
	}
}

// TestCleaned compares random tile programs with their expansion after the passes on vector
// instructions.
func TestCleaned(t *testing.T) {
	n := &expansions{kept: map[string]int{}}
	inBatches(t, 60, batchSize, func(t *testing.T, seed uint64, all int) { n.check(t, cleaned, seed, all, mostSteps) })
	t.Logf("%d programs with %d vector functions, %d addresses advanced, %d programs compiled", n.programs, n.scopes, n.advanced, n.compiled)
	if n.advanced < n.programs {
		t.Error("few addresses are advanced")
	}
}

// TestScheduled compares random tile programs with their expansion in the order of
// pto-vpto-scheduler.
func TestScheduled(t *testing.T) {
	n := &expansions{kept: map[string]int{}}
	inBatches(t, 60, batchSize, func(t *testing.T, seed uint64, all int) { n.check(t, scheduled, seed, all, 2*mostSteps) })
	t.Logf("%d programs with %d vector functions, %d programs compiled", n.programs, n.scopes, n.compiled)
}

// TestInferred compares random tile programs with their expansion in vector functions that
// pto-infer-vpto-vecscope adds.
func TestInferred(t *testing.T) {
	n := &expansions{kept: map[string]int{}}
	inBatches(t, 60, batchSize, func(t *testing.T, seed uint64, all int) { n.check(t, inferred, seed, all, 2*mostSteps) })
	t.Logf("%d programs with %d vector functions, %d programs compiled", n.programs, n.scopes, n.compiled)
	if n.scopes < n.programs {
		t.Error("few vector functions are added")
	}
}

// places returns the number of distinct source locations among the loads and stores of a
// vector function. Each fused tile instruction has a separate location.
func places(scope *ir.Op) int {
	all := map[ir.Loc]bool{}
	for op := range scope.Walk() {
		if op.Name() == "pto.vsts" || op.Name() == "pto.vlds" {
			all[op.Loc()] = true
		}
	}
	return len(all)
}

// reduces reports whether a vector function combines all lanes of a register.
func reduces(scope *ir.Op) bool {
	for op := range scope.Walk() {
		if _, ok := op.Def().Sem.(sem.VecReduce); ok {
			return true
		}
	}
	return false
}

// check compares a batch of tile programs with the result of the pass pipeline w, which
// expands their instructions.
func (n *expansions) check(t *testing.T, w way, seed uint64, all, steps int) {
	rnd := rand.New(rand.NewPCG(seed, 4))
	r := tileRules["a5"]()
	var progs []*program
	for i := range all {
		m := r.newMaker(fmt.Sprintf("k%d", i), rnd)
		if rnd.IntN(3) == 0 {
			m.pal.widen()
		}
		m.avoids = func(u *use) bool {
			return u.onCube() || !expand.Expands(u.def) || steps > mostSteps && !expand.Shares(u.def)
		}
		for range 1 + rnd.IntN(steps) {
			m.add(m.instruction())
		}
		if steps > mostSteps {
			neighbours(m.p, rnd, w.name == fused.name)
		}
		progs = append(progs, m.p)
	}
	const third = 2 // of the ways of a batch
	b := newBatch(r, progs, course{own: &w, source: third, level: "0"})
	c := newCounter()
	b, modules := c.lower(t, b)
	for why, k := range c.refused {
		if !strings.Contains(why, "does not fit") { // tiles of random sizes may be too large together
			t.Errorf("%d programs: %s", k, why)
		}
	}
	if len(b.progs) == 0 {
		return
	}
	runs, _ := b.executeAll(modules)
	if withLLVM() {
		able := make([]bool, len(b.progs))
		runs = append(runs, c.runLLVM(t, b, modules[third], able)...)
		for _, a := range able {
			if a {
				n.compiled++
			}
		}
	}
	b.doubt(modules[0], runs)
	for _, d := range b.compare(runs) {
		t.Errorf("%s: %s, parameter %d, element %d: %s\n%s", b.progs[d.prog].name, d.way, d.param, d.element, d.text, ir.Bytes(runtime.Kernels(modules[third])[d.prog], ir.PrintOptions{}))
	}
	n.programs += len(b.progs)
	n.count(modules[third])
	n.races(t, b, modules[third])
}

// neighbours reorders the steps of a program so that its stores are at the end, and if
// adjacent is set, its loads are at the start. It also removes the stores of some
// intermediate results.
func neighbours(p *program, rnd *rand.Rand, adjacent bool) {
	used := map[int]bool{}
	for _, s := range p.steps {
		if s.use != nil {
			for _, n := range s.in {
				used[n] = true
			}
		}
	}
	var sources, uses, sinks []programStep
	for _, s := range p.steps {
		switch {
		case s.use != nil, s.src != nil && !adjacent:
			uses = append(uses, s)
		case s.src != nil && adjacent:
			sources = append(sources, s)
		case !used[s.in[0]] || rnd.IntN(3) == 0:
			sinks = append(sinks, s)
		}
	}
	p.steps = slices.Concat(sources, uses, sinks)
}

// count counts the vector functions and the remaining tile instructions of the module m.
func (n *expansions) count(m *ir.Op) {
	for op := range m.Walk() {
		if sem.PointerAccessOf(op).Updated != nil {
			n.advanced++
		}
		switch {
		case op.Name() == "pto.vecscope":
			n.scopes++
			if places(op) > 1 {
				n.shared++
				if reduces(op) {
					n.reduced++
				}
			}
		case expand.Expands(op.Def()) && pto.PipeFor(op, sem.A5) == sem.PipeV:
			n.kept[op.Name()]++
		}
	}
}

// races runs the kernels without faults under the race checker, and reports an error for
// each race.
func (n *expansions) races(t *testing.T, b *batch, m *ir.Op) {
	for i, f := range runtime.Kernels(m) {
		if b.want[i] == nil {
			continue
		}
		for _, text := range b.raceReports(t, i, m) {
			t.Errorf("%s: %s\n%s", b.progs[i].name, text, ir.Bytes(f, ir.PrintOptions{}))
		}
	}
}

// raceReports returns the reports of the race checker for kernel i, without the warning of
// contestsWrites. Passes remove instructions whose results are not used, so a load may have
// no reader.
func (b *batch) raceReports(t *testing.T, i int, m *ir.Op) (texts []string) {
	checker, err := check.New(check.Options{Kinds: []check.Kind{check.Race}})
	if err != nil {
		t.Fatal(err)
	}
	var diags ir.Diags
	prog := runtime.Plan(m, []*ir.Op{runtime.Kernels(m)[i]}, runtime.Options{Blocks: 1, Listeners: []runtime.Listener{checker}}, &diags)
	if prog == nil {
		t.Fatal(reason(&diags))
	}
	bufs := b.kernels[i].buffers()
	var args []runtime.Arg
	for k, p := range b.kernels[i].params {
		if p.data == nil {
			args = append(args, runtime.Arg{Bits: p.bits})
		} else {
			args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: bufs[k]}})
		}
	}
	if prog.Run(args) != nil {
		return nil // a fault, which compare has reported
	}
	for _, r := range checker.Reports() {
		if !contestsWrites(r.Severity, r.Notes) {
			texts = append(texts, r.Text)
		}
	}
	return texts
}

// TestExpandedEquivalent proves, for uses of each instruction, that the expansion
// computes the same bits for all input data.
func TestExpandedEquivalent(t *testing.T) {
	r := tileRules["a5"]()
	proved, undecided := map[string]int{}, map[string]string{}
	inBatches(t, 150, 10, func(t *testing.T, seed uint64, all int) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		for i := range all {
			m := r.newMaker(fmt.Sprintf("k%d", i), rnd)
			m.avoids = func(u *use) bool { return u.onCube() || !expand.Expands(u.def) }
			m.add(m.instruction())
			b := newBatch(r, []*program{m.p}, course{own: &expanded})
			name := m.p.steps[slices.IndexFunc(m.p.steps, func(s programStep) bool { return s.use != nil })].use.def.Name
			tiles, why := b.lowered(ways[0])
			loops, why2 := b.lowered(expanded)
			if tiles == nil || loops == nil {
				t.Fatalf("%s: %s%s", name, why, why2)
			}
			if !hasScope(loops) {
				continue
			}
			v := compareKernels(t, b.kernels[0], tiles, loops)
			switch v.Outcome {
			case equiv.Differs:
				t.Errorf("%s: %s: %s\n%s", name, v.Outcome, v.Why, ir.Bytes(loops, ir.PrintOptions{}))
			case equiv.Equivalent:
				proved[name]++
			default:
				undecided[name] = v.Why
			}
		}
	})
	for _, name := range slices.Sorted(maps.Keys(undecided)) {
		t.Logf("%s: proved %d times, else not decided: %s", name, proved[name], undecided[name])
	}
	t.Logf("proved for %d instructions", len(proved))
}

// hasScope reports whether the module m contains a vector function.
func hasScope(m *ir.Op) bool {
	for op := range m.Walk() {
		if op.Name() == "pto.vecscope" {
			return true
		}
	}
	return false
}

// compareKernels tries to prove that the kernels of the modules a and b are equivalent. k
// provides their arguments.
func compareKernels(t *testing.T, k *kernel, a, b *ir.Op) *equiv.Verdict {
	o := equiv.Options{Run: runtime.Options{Blocks: 1}, MostExpressions: 1 << 24}
	for i, buf := range k.buffers() {
		arg := runtime.Arg{Bits: k.params[i].bits}
		if k.params[i].data != nil {
			arg = runtime.Arg{Buf: &runtime.Buffer{Data: buf}}
		}
		o.Args, o.Elems = append(o.Args, arg), append(o.Elems, k.params[i].elem)
	}
	v, err := equiv.Compare(equiv.Side{Module: a, Kernels: runtime.Kernels(a), Target: sem.A5}, equiv.Side{Module: b, Kernels: runtime.Kernels(b), Target: sem.A5}, o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestExpandedOverlaps places the result of an instruction at or near its operand. The
// expansion must compute the same result, and the race checker must accept it. Without
// its barriers, the checker must report the expansion.
func TestExpandedOverlaps(t *testing.T) {
	n := &expansions{kept: map[string]int{}}
	defined, barred, reported := 0, 0, 0
	inBatches(t, 200, 20, func(t *testing.T, seed uint64, all int) {
		rnd := rand.New(rand.NewPCG(seed, 6))
		r := tileRules["a5"]()
		for i := range all {
			m := r.newMaker(fmt.Sprintf("k%d", i), rnd)
			m.avoids = func(u *use) bool { return u.onCube() || !expand.Expands(u.def) }
			m.add(m.instruction())
			const planned = 2 // of ways
			b := newBatch(r, []*program{m.p}, course{third: planned})
			b, modules := newCounter().lower(t, b)
			if len(b.progs) == 0 || !overlap(runtime.Kernels(modules[planned])[0], m.p, r.target, rnd) {
				continue
			}
			out, faults := b.execute(modules[planned], 0, nil)
			if faults[0] != "" {
				continue
			}
			b.want = out
			loops := modules[planned]
			var diags ir.Diags
			if !through(loops, "builtin.module(pto-expand-tile-op,pto-insert-sync)", &diags) {
				t.Fatal(reason(&diags))
			}
			if !hasScope(loops) {
				continue
			}
			defined++
			got, faults := b.execute(loops, 0, nil)
			if d := b.compare([]run{{expanded.name, got, faults}}); len(d) > 0 {
				t.Errorf("%s\n%s", d[0].text, ir.Bytes(loops, ir.PrintOptions{}))
			}
			n.races(t, b, loops)
			if removeBars(loops) {
				barred++
				if len(b.raceReports(t, 0, loops)) > 0 {
					reported++
				}
			}
		}
	})
	t.Logf("%d programs whose tiles overlap; %d with barriers, of which %d are reported without them", defined, barred, reported)
	if defined == 0 {
		t.Error("no program is defined")
	}
}

// removeBars removes the memory barriers of all vector functions, and reports whether
// there were any.
func removeBars(m *ir.Op) bool {
	var bars []*ir.Op
	for op := range m.Walk() {
		if op.Name() == "pto.mem_bar" {
			bars = append(bars, op)
		}
	}
	for _, op := range bars {
		op.Erase()
	}
	return len(bars) > 0
}
