package diff

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto/analysis"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/ir"
	"ptogo/runtime"
)

// overlapping counts the programs with overlapping tiles by outcome.
type overlapping struct{ tried, defined, refused, compiled int }

// TestOverlaps places a tile that an instruction writes at or near a tile that it reads.
// Either both engines compute the same result as with disjoint tiles, or the Go engine
// reports that the result is undefined.
func TestOverlaps(t *testing.T) {
	n := &overlapping{}
	inBatches(t, 80, 40, func(t *testing.T, seed uint64, all int) { n.check(t, seed, all, withLLVM()) })
	t.Logf("%d programs whose tiles overlap: %d with the result that they have apart, %d of them compiled, too; %d refused", n.tried, n.defined, n.compiled, n.refused)
	if n.defined == 0 || n.refused == 0 {
		t.Error("programs of one of both kinds are missing")
	}
}

// FuzzOverlaps searches for an instruction whose result changes if its tiles overlap.
func FuzzOverlaps(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { (&overlapping{}).check(t, seed, 1, false) })
}

func (n *overlapping) check(t *testing.T, seed uint64, all int, llvm bool) {
	rnd := rand.New(rand.NewPCG(seed, 3))
	r := tileRules[tileProfiles[rnd.IntN(len(tileProfiles))]]()
	var progs []*program
	for i := range all {
		m := r.newMaker(fmt.Sprintf("k%d", i), rnd)
		m.add(m.instruction())
		progs = append(progs, m.p)
	}
	const planned = 2 // of ways
	b := newBatch(r, progs, course{third: planned, source: planned, level: "0"})
	b, modules := newCounter().lower(t, b)
	if len(b.progs) == 0 {
		return
	}
	moved := make([]bool, len(b.progs))
	for i, f := range runtime.Kernels(modules[planned]) {
		moved[i] = overlap(f, b.progs[i], r.target, rnd)
	}
	runs, _ := b.executeAll(modules)
	got := &runs[planned-1]
	for i := range b.progs {
		switch why := got.faults[i]; {
		case !moved[i]:
			b.want[i] = nil
		case b.want[i] == nil:
		case strings.Contains(why, "which it may not have completely read yet") || strings.Contains(why, "at the same time, but they share bytes"):
			n.refused++
			b.want[i] = nil
		case why == "":
			n.defined++
		}
		if moved[i] {
			n.tried++
		}
	}
	if llvm {
		able := make([]bool, len(b.progs))
		for _, r := range newCounter().runLLVM(t, b, modules[planned], able) {
			for i, why := range r.faults {
				if strings.Contains(why, "a check in the kernel failed") {
					r.faults[i] = "" // the runtime, which tells exactly, then has the last word
				} else if able[i] {
					n.compiled++
				}
			}
			runs = append(runs, r)
		}
	}
	b.doubt(modules[0], runs)
	for _, d := range b.compare(runs) {
		var text strings.Builder
		ir.Print(&text, runtime.Kernels(modules[planned])[d.prog], ir.PrintOptions{})
		t.Errorf("%s: %s, parameter %d, element %d: %s\n%s", b.progs[d.prog].name, d.way, d.param, d.element, d.text, text.String())
	}
}

// overlap moves a tile that an instruction of the program writes onto another tile of
// this instruction, or close to it. It reports whether the program has such tiles.
func overlap(f *ir.Op, p *program, target ir.Target, rnd *rand.Rand) bool {
	var pairs []analysis.Sharing
	for op := range f.Walk() {
		for _, s := range analysis.SharingsOf(op, target) {
			if isOf(op, p) && canMove(s, op) {
				pairs = append(pairs, s)
			}
		}
	}
	return len(pairs) > 0 && move(pairs[rnd.IntN(len(pairs))], rnd)
}

// isOf reports whether the operation op is one of the instructions under test of the
// program p, as opposed to a load of their operands.
func isOf(op *ir.Op, p *program) bool {
	return slices.ContainsFunc(p.steps, func(s programStep) bool { return s.use != nil && op.Is(s.use.def) })
}

// canMove reports whether the tile that op writes can get another address: it is an
// allocation without earlier uses. s describes this tile and the other tile of op.
func canMove(s analysis.Sharing, op *ir.Op) bool {
	own := s.Written.Op()
	if own == nil || !own.Is(isatile.AllocTile) || own.Arg("addr") == nil || s.Other == s.Written {
		return false
	}
	for u := range s.Written.Uses() {
		if user := u.Owner(); user != op && user.Block() == op.Block() && user.Before(op) {
			return false
		}
	}
	_, known := analysis.BytesOf(s.Other)
	return known
}

func move(s analysis.Sharing, rnd *rand.Rand) bool {
	other, _ := analysis.BytesOf(s.Other)
	at := other.From
	if rnd.IntN(2) == 0 {
		at += int64(rnd.IntN(33)-16) * 32
	}
	if at < 0 {
		return false
	}
	own := s.Written.Op()
	c := arith.Materialize(ir.Before(own), ir.IntAttr(ir.I64, at))
	for i, v := range own.Operands() {
		if v == own.Arg("addr") {
			own.SetOperand(i, c)
		}
	}
	return true
}
