package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// Random programs, with the flags and barriers that pto-insert-sync writes, run
// with their pipes side by side in random order, and once more with a unit of
// that synchronization taken out.

// synchronized is the pass pipeline that plans addresses and inserts flags.
var synchronized = way{name: "synchronized", pipeline: "builtin.module(pto-bufferize,pto-plan-memory,pto-insert-sync)"}

// verdict is the outcome of running a program on random schedules and under the checkers.
type verdict struct {
	// changes describes how the results differ between schedules, or is "".
	changes string
	// reported holds the texts of the reports that concern pto-insert-sync. It leaves out
	// the warning of contestsWrites, because a random program may load a tile twice and
	// never read it, and a missing pto.dcci, because the pass inserts none: in a kernel
	// without sections both kinds of core execute a scalar store.
	reported []string
}

// judge runs a program in program order under the checkers, and then on random schedules.
// ran is false if the program had a fault.
func judge(t *testing.T, m, f *ir.Op, k *kernel) (v verdict, ran bool) {
	t.Helper()
	c, err := check.New(check.Options{Kinds: []check.Kind{check.Race, check.Sync}})
	if err != nil {
		t.Fatal(err)
	}
	launch := func(o runtime.Options) ([][]byte, error) {
		o.Blocks, o.MaxSteps = 1, 1<<20
		bufs := k.buffers()
		var args []runtime.Arg
		for n, p := range k.params {
			if p.data == nil {
				args = append(args, runtime.Arg{Bits: p.bits})
			} else {
				args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: bufs[n]}})
			}
		}
		return bufs, planned(t, m, []*ir.Op{f}, o).Run(args)
	}
	want, err := launch(runtime.Options{Listeners: []runtime.Listener{c}})
	if err != nil && len(c.Reports()) == 0 {
		return v, false // a fault of its own
	}
	for _, r := range c.Reports() {
		if !contestsWrites(r.Severity, r.Notes) && !strings.Contains(r.Text, "missing dcci") {
			v.reported = append(v.reported, r.Text)
		}
	}
	for seed := uint64(1); seed <= 4 && v.changes == "" && err == nil; seed++ {
		got, fault := launch(runtime.Options{Seed: seed})
		if fault != nil {
			v.changes = fmt.Sprintf("seed %d: %v", seed, fault)
		}
		for n := range want {
			if fault == nil && !bytes.Equal(got[n], want[n]) {
				v.changes = fmt.Sprintf("seed %d: argument %d differs", seed, n)
			}
		}
	}
	return v, true
}

// unitsOf returns the synchronization operations of f, grouped into units that belong
// together: the sets and waits of one event, or one barrier.
func unitsOf(f *ir.Op) [][]*ir.Op {
	var units [][]*ir.Op
	flags := map[string]int{}
	for op := range f.Walk() {
		switch op.Def().Sem.(type) {
		case sem.SetFlag, sem.WaitFlag:
			key := fmt.Sprint(op.Attr("src_pipe"), op.Attr("dst_pipe"), op.Attr("event_id"))
			i, ok := flags[key]
			if !ok {
				i = len(units)
				flags[key], units = i, append(units, nil)
			}
			units[i] = append(units[i], op)
		case sem.Barrier:
			units = append(units, []*ir.Op{op})
		}
	}
	return units
}

// severalPipes reports whether f has an instruction that executes in several pipes.
// pto-insert-sync treats such an instruction as one of a single pipe.
func severalPipes(f *ir.Op) bool {
	for op := range f.Walk() {
		if analysis.MacroOf(op, ir.TargetOf(f)) != nil {
			return true
		}
	}
	return false
}

// printedText returns the function f as text.
func printedText(f *ir.Op) string {
	var b strings.Builder
	ir.Print(&b, f, ir.PrintOptions{})
	return b.String()
}

// TestSchedules compares the checkers with random schedules. A correct program must have
// no reports and the same results on every schedule. Without one of its synchronization
// operations, the checkers must report every program whose results change.
func TestSchedules(t *testing.T) {
	ran, taken, shown, found := 0, 0, 0, 0
	inBatches(t, 40, 20, func(t *testing.T, seed uint64, n int) {
		b := makeBatch(tileProfiles[seed/20%uint64(len(tileProfiles))], seed, n)
		b, _ = b.split(synchronized)
		m, why := b.lowered(synchronized)
		if m == nil {
			t.Fatal(why)
		}
		rnd := rand.New(rand.NewPCG(seed, 3))
		for i, f := range runtime.Kernels(m) {
			if severalPipes(f) {
				continue
			}
			v, ok := judge(t, m, f, b.kernels[i])
			switch {
			case !ok:
				continue
			case v.changes != "" || len(v.reported) > 0:
				t.Errorf("reports %q, %s\n%s", v.reported, v.changes, printedText(f))
				continue
			}
			ran++
			units := unitsOf(f)
			if len(units) == 0 {
				continue
			}
			for _, op := range units[rnd.IntN(len(units))] {
				op.Erase()
			}
			taken++
			if v, ok = judge(t, m, f, b.kernels[i]); !ok {
				continue
			}
			if v.changes != "" {
				shown++
			}
			if len(v.reported) > 0 {
				found++
			} else if v.changes != "" {
				t.Errorf("without a unit %s, and nothing is reported\n%s", v.changes, printedText(f))
			}
		}
	})
	t.Logf("%d programs are silent and keep their results; of %d with a unit taken out %d are reported, and %d change their results", ran, taken, found, shown)
	if ran == 0 || found == 0 || shown == 0 {
		t.Error("nothing was compared")
	}
}
