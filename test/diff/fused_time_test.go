package diff

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/expand"
	"ptogo/runtime"
	"ptogo/runtime/timing"
)

// TestFusedTime compares the predicted times of random programs with and without shared
// loops. A shared loop has fewer instructions, but its first result may be ready later, so
// that a store to global memory starts later.
func TestFusedTime(t *testing.T) {
	n := &fusedTimes{worst: 1, before: expanded, after: fused, changed: sharesLoop}
	inBatches(t, 60, batchSize, n.check)
	t.Logf("%d programs with shared loops: %d faster, %d slower; together %.0f cycles instead of %.0f; the slowest has %.3f times the cycles", n.programs, n.faster, n.slower, n.fused, n.expanded, n.worst)
	if n.fused >= n.expanded {
		t.Error("the programs are not faster")
	}
}

// TestScheduledTime compares the predicted times of random programs before and after
// pto-vpto-scheduler. The pass must not make a program slower.
func TestScheduledTime(t *testing.T) {
	n := &fusedTimes{worst: 1, before: unscheduled, after: scheduled, changed: func(*ir.Op) bool { return true }}
	inBatches(t, 60, batchSize, n.check)
	t.Logf("%d programs: %d faster, %d slower; together %.0f cycles instead of %.0f; the slowest has %.3f times the cycles", n.programs, n.faster, n.slower, n.fused, n.expanded, n.worst)
	if n.faster < n.programs/4 {
		t.Error("few programs are faster")
	}
}

// mostSlower limits the predicted time of a program after passes, as a multiple of the time
// before. The passes compare the times of instructions without the data, and without the
// flags that pto-insert-sync adds later.
const mostSlower = 1.03

// fusedTimes adds up predicted cycles before and after passes.
type fusedTimes struct {
	before, after way
	// changed reports whether the passes have changed a module.
	changed                  func(*ir.Op) bool
	programs, faster, slower int
	expanded, fused, worst   float64
}

// check compares a batch of all programs from the given seed.
func (n *fusedTimes) check(t *testing.T, seed uint64, all int) {
	rnd := rand.New(rand.NewPCG(seed, 9))
	r := tileRules["a5"]()
	for i := range all {
		m := r.newMaker(fmt.Sprintf("k%d", i), rnd)
		m.avoids = func(u *use) bool { return u.onCube() || !expand.Shares(u.def) }
		for range 2 + rnd.IntN(2*mostSteps) {
			m.add(m.instruction())
		}
		neighbours(m.p, rnd, true)
		b := newBatch(r, []*program{m.p}, course{level: "0"})
		apart, why := b.lowered(n.before)
		together, why2 := b.lowered(n.after)
		if why != "" || why2 != "" || !n.changed(together) {
			continue
		}
		before, ok := b.cycles(t, apart)
		after, both := b.cycles(t, together)
		if !ok || !both {
			continue
		}
		n.programs++
		n.expanded, n.fused = n.expanded+before, n.fused+after
		switch {
		case after < before:
			n.faster++
		case after > before:
			n.slower++
			n.worst = max(n.worst, after/before)
			if after > mostSlower*before {
				t.Errorf("%.0f cycles instead of %.0f:\n%s", after, before, ir.Bytes(together, ir.PrintOptions{}))
			}
		}
	}
}

// sharesLoop reports whether several instructions of the module m share a loop.
func sharesLoop(m *ir.Op) bool {
	for op := range m.Walk() {
		if op.Name() == "pto.vecscope" && places(op) > 1 {
			return true
		}
	}
	return false
}

// cycles returns the predicted time of the only kernel of the module m. The bool result is
// false if the kernel faults.
func (b *batch) cycles(t *testing.T, m *ir.Op) (float64, bool) {
	var diags ir.Diags
	rec := timing.NewRecorder()
	prog := runtime.Plan(m, runtime.Kernels(m), runtime.Options{Blocks: 1, Listeners: []runtime.Listener{rec}}, &diags)
	if prog == nil {
		t.Fatal(reason(&diags))
	}
	bufs := b.kernels[0].buffers()
	var args []runtime.Arg
	for k, p := range b.kernels[0].params {
		if p.data == nil {
			args = append(args, runtime.Arg{Bits: p.bits})
		} else {
			args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: bufs[k]}})
		}
	}
	if prog.Run(args) != nil {
		return 0, false
	}
	chip, err := timing.ChipFor("950", sem.A5)
	if err != nil {
		t.Fatal(err)
	}
	res, err := timing.Replay(rec, chip, timing.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return res.Cycles, true
}
