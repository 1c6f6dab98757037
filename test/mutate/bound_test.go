package mutate

import (
	"testing"

	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/timing"
)

// TestBounds checks that the lower bound for the time of each example does not exceed its
// predicted time.
func TestBounds(t *testing.T) {
	for _, l := range launchables(t) {
		chip, err := timing.ChipFor("", l.prog.Profile())
		if err != nil {
			t.Fatal(err)
		}
		rec := timing.NewRecorder()
		b := timing.NewBound(rec, chip)
		var diags ir.Diags
		p := runtime.Plan(l.prog.Module, l.prog.Kernels, runtime.Options{
			Target: l.prog.Target, Features: l.prog.Features, Blocks: l.blocks, Listeners: []runtime.Listener{rec},
		}, &diags)
		if p == nil {
			t.Fatal(diags.Err())
		}
		if err := p.Run(clone(l.args)); err != nil {
			continue
		}
		res, err := timing.Replay(rec, chip, timing.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s %s: bound %.2f us, prediction %.2f us", l.name, l.kernel, b.Micros(), res.Micros)
		if b.Micros() > res.Micros || b.Micros() <= 0 {
			t.Errorf("%s %s: the bound is %.2f us, but the prediction %.2f us", l.name, l.kernel, b.Micros(), res.Micros)
		}
	}
}
