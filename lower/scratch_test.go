package lower_test

import (
	"testing"

	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
	"ptogo/passes/passtest"
)

// TestScratch supplies the scratch tiles of every instruction in its examples:
// afterwards it verifies, and none is missing.
func TestScratch(t *testing.T) {
	for _, target := range []ir.Target{sem.A3, sem.A5} {
		supplied := 0
		for _, d := range pto.Dialect.All() {
			if d.Form(ir.SSA) == nil || pto.InfoOf(d).ScratchTile == nil {
				continue
			}
			for _, text := range d.Examples {
				supplied += supply(t, text, target)
			}
		}
		if supplied < 4 {
			t.Errorf("%s: scratch tiles were supplied to %d examples only", sem.ProfileName(target), supplied)
		}
	}
}

// supply returns how many scratch tiles an example got.
func supply(t *testing.T, text string, target ir.Target) (supplied int) {
	t.Helper()
	m, _ := exampleModule(t, text)
	if m == nil || !ir.Verify(m, ir.VerifyOptions{Target: target}, &ir.Diags{}) {
		return 0
	}
	var diags ir.Diags
	p := passtest.Pipeline(t, registry, "builtin.module(pto-bufferize,func.func(pto-materialize-implicit-tmp))")
	if !p.Run(m, passes.RunOptions{Target: target, Diags: &diags, VerifyEach: true}) {
		t.Errorf("%s\n%s", text, passtest.Messages(&diags))
		return 0
	}
	for op := range m.Walk() {
		if _, _, missing := pto.MissingScratch(op, target); missing {
			t.Errorf("%s: still has no scratch tile", text)
		}
		if op.Is(isatile.AllocTile) {
			for u := range op.Result(0).Uses() {
				supplied += b2i(u.Owner().Arg("tmp") == op.Result(0))
			}
		}
	}
	return supplied
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
