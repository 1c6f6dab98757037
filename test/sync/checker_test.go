package sync

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	_ "ptogo/dialect/all"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// TestChecker generates programs with correct synchronization, for which the checkers
// must report nothing. Without one flag or barrier, the checkers must report an error, or
// --check=redundant must have reported that it was unnecessary.
func TestChecker(t *testing.T) {
	units, needed := 0, 0
	for seed := range uint64(*programs) {
		g := newFlagged(seed)
		lines := g.program()
		text := strings.Join(lines, "\n")
		if rs := reportsOn(t, text, g.target, check.Race, check.Sync); len(rs) > 0 {
			t.Fatalf("seed %d: a program that is right has a report: %s\n%s", seed, rs[0].Diag().Format(), text)
		}
		spare := map[int]bool{} // lines of units that are not needed
		for _, r := range reportsOn(t, text, g.target, check.Race, check.Sync, check.Redundant) {
			spare[lineOf(r.Loc)] = true
		}
		for _, u := range g.units {
			without := slices.Clone(lines)
			for _, l := range u {
				without[l] = ""
			}
			units++
			rs := reportsOn(t, strings.Join(without, "\n"), g.target, check.Race, check.Sync)
			if len(rs) > 0 {
				needed++
			}
			if silent := len(rs) == 0; silent != spare[u[0]+1] {
				t.Fatalf("seed %d: without %s there are %d reports, but redundant says %v\n%s", seed, strings.TrimSpace(lines[u[0]]), len(rs), spare[u[0]+1], text)
			}
		}
	}
	t.Logf("%d programs, %d units of synchronization, %d of them needed", *programs, units, needed)
	if needed == 0 || needed == units {
		t.Error("all units are needed, or none: the programs show nothing")
	}
}

func lineOf(l ir.Loc) int {
	src, off := l.Source()
	n, _ := src.Position(off)
	return n
}

// reportsOn runs a program under the given checkers and returns their reports.
func reportsOn(t *testing.T, text string, target ir.Target, kinds ...check.Kind) []*check.Report {
	t.Helper()
	var diags ir.Diags
	m, err := ir.Parse(&ir.Source{Name: "random.pto", Text: text}, ir.ParseOptions{}, &diags)
	if err != nil || diags.HasErrors() {
		t.Fatalf("%v\n%s", err, text)
	}
	c, err := check.New(check.Options{Kinds: kinds})
	if err != nil {
		t.Fatal(err)
	}
	again := func(l runtime.Listener) error {
		p := runtime.Plan(m, runtime.Kernels(m), runtime.Options{Target: target, Listeners: []runtime.Listener{l}}, &diags)
		if p == nil {
			t.Fatalf("%s\n%s", diags.All()[0].Format(), text)
		}
		return p.Run([]runtime.Arg{{Buf: &runtime.Buffer{Data: make([]byte, 4096)}}, {Buf: &runtime.Buffer{Data: make([]byte, 4096)}}})
	}
	if err := again(c); err != nil {
		return []*check.Report{{Text: err.Error()}}
	}
	if slices.Contains(kinds, check.Redundant) {
		if err := c.Redundant(again); err != nil {
			t.Fatal(err)
		}
	}
	return c.Reports()
}

// flagged generates a random program. It records which accesses conflict, and orders each
// conflicting pair directly, by a flag or by a barrier of their pipe.
type flagged struct {
	r      *rand.Rand
	target ir.Target
	lines  []string
	// units holds the lines of each flag or barrier.
	units  [][]int
	done   []access
	events map[[2]string]int
	// known is, for each pair of pipes, the number of accesses in done that the second
	// pipe knows to be complete on the first.
	known map[[2]string]int
}

// access is an instruction with its pipe and the memory that it reads and writes.
type access struct {
	pipe          string
	reads, writes []string
}

func newFlagged(seed uint64) *flagged {
	g := &flagged{r: rand.New(rand.NewPCG(seed, 13)), target: sem.A3}
	if seed%2 == 1 {
		g.target = sem.A5
	}
	g.forget()
	return g
}

// forget clears the recorded accesses, because after a barrier of all pipes every earlier
// access is complete.
func (g *flagged) forget() {
	g.done, g.events, g.known = nil, map[[2]string]int{}, map[[2]string]int{}
}

func (g *flagged) put(format string, args ...any) {
	g.lines = append(g.lines, fmt.Sprintf(format, args...))
}

const tiles = 4

func (g *flagged) program() []string {
	for _, l := range strings.Split(strings.TrimSpace(`
!tile = !pto.tile_buf<vec, 4x16xf32>
!view = !pto.tensor_view<16x16xf32>
!rows = !pto.partition_tensor_view<4x16xf32>
func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %two = arith.constant 2.0 : f32
  %xv = pto.make_tensor_view %x, shape = [%c16, %c16], strides = [%c16, %c1] : !view
  %yv = pto.make_tensor_view %y, shape = [%c16, %c16], strides = [%c16, %c1] : !view`), "\n") {
		g.put("%s", l)
	}
	for i := range tiles {
		g.put("  %%x%d = pto.partition_view %%xv, offsets = [%%c%d, %%c0], sizes = [%%c4, %%c16] : !view -> !rows", i, 4*i)
		g.put("  %%y%d = pto.partition_view %%yv, offsets = [%%c%d, %%c0], sizes = [%%c4, %%c16] : !view -> !rows", i, 4*i)
		g.put("  %%at%d = arith.constant %d : i64", i, 256*i)
		g.put("  %%t%d = pto.alloc_tile addr = %%at%d : !tile", i, i)
	}
	for i := range tiles {
		g.instruction(fmt.Sprintf("pto.tload ins(%%x%d : !rows) outs(%%t%d : !tile)", i, i), access{"MTE2", nil, []string{fmt.Sprint("t", i)}})
	}
	for range 1 + g.r.IntN(3) {
		loop := g.r.IntN(2) == 0
		if loop {
			g.all() // what stands before the loop is over in each round
			g.put("  scf.for %%i%d = %%c0 to %%c2 step %%c1 {", len(g.lines))
		}
		for range 2 + g.r.IntN(5) {
			g.random()
		}
		g.all()
		if loop {
			g.put("  }")
		}
	}
	g.put("  return")
	g.put("}")
	// Compilers end kernels with a barrier: redundant lets them have it.
	g.units = slices.DeleteFunc(g.units, func(u []int) bool { return g.lines[u[0]+1] == "  return" })
	return g.lines
}

// all adds a barrier of all pipes.
func (g *flagged) all() {
	g.units = append(g.units, []int{len(g.lines)})
	g.put("  pto.barrier <PIPE_ALL>")
	g.forget()
}

func (g *flagged) random() {
	a, b, c := g.r.IntN(tiles), g.r.IntN(tiles), g.r.IntN(tiles)
	t := func(i int) string { return fmt.Sprint("t", i) }
	switch g.r.IntN(6) {
	case 0:
		g.instruction(fmt.Sprintf("pto.tload ins(%%x%d : !rows) outs(%%t%d : !tile)", a, b), access{"MTE2", nil, []string{t(b)}})
	case 1:
		g.instruction(fmt.Sprintf("pto.tload ins(%%y%d : !rows) outs(%%t%d : !tile)", a, b), access{"MTE2", []string{fmt.Sprint("y", a)}, []string{t(b)}})
	case 2:
		g.instruction(fmt.Sprintf("pto.tstore ins(%%t%d : !tile) outs(%%y%d : !rows)", a, b), access{"MTE3", []string{t(a)}, []string{fmt.Sprint("y", b)}})
	case 3:
		g.instruction(fmt.Sprintf("pto.tadd ins(%%t%d, %%t%d : !tile, !tile) outs(%%t%d : !tile)", a, b, c), access{"V", []string{t(a), t(b)}, []string{t(c)}})
	case 4:
		g.instruction(fmt.Sprintf("pto.texpands ins(%%two : f32) outs(%%t%d : !tile)", a), access{"V", nil, []string{t(a)}})
	case 5:
		g.instruction(fmt.Sprintf("%%v%d = pto.tgetval ins(%%t%d, %%c0 : !tile, index) outs : f32", len(g.lines), a), access{"S", []string{t(a)}, nil})
	}
}

// instruction adds an instruction with the access a, after flags or barriers that order
// it after all conflicting accesses.
func (g *flagged) instruction(text string, a access) {
	for i, old := range g.done {
		if !conflict(old, a) || g.known[[2]string{old.pipe, a.pipe}] > i {
			continue
		}
		if old.pipe == a.pipe {
			if a.pipe == "S" || a.pipe == "V" && g.target == sem.A5 {
				continue // in order
			}
			g.units = append(g.units, []int{len(g.lines)})
			g.put("  pto.barrier <PIPE_%s>", a.pipe)
		} else {
			g.flag(old.pipe, a.pipe)
		}
		g.known[[2]string{old.pipe, a.pipe}] = len(g.done)
	}
	g.put("  %s", text)
	g.done = append(g.done, a)
}

// flag adds a flag by which the pipe to waits for the pipe from, with an event that this
// pair has not used yet.
func (g *flagged) flag(from, to string) {
	p := [2]string{from, to}
	if g.events[p] == 8 {
		panic("a pair of pipes needs more than 8 events")
	}
	g.units = append(g.units, []int{len(g.lines), len(g.lines) + 1})
	g.put("  pto.set_flag[<PIPE_%s>, <PIPE_%s>, <EVENT_ID%d>]", from, to, g.events[p])
	g.put("  pto.wait_flag[<PIPE_%s>, <PIPE_%s>, <EVENT_ID%d>]", from, to, g.events[p])
	g.events[p]++
}

func conflict(a, b access) bool {
	touch := func(x, y []string) bool {
		return slices.ContainsFunc(x, func(s string) bool { return slices.Contains(y, s) })
	}
	return touch(a.writes, b.writes) || touch(a.writes, b.reads) || touch(a.reads, b.writes)
}
