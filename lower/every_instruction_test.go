package lower_test

import (
	"strings"
	"testing"

	"ptogo/dialect/builtin"
	"ptogo/dialect/func"
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/passes"
	"ptogo/passes/passtest"
)

// TestEveryInstruction bufferizes the examples of every instruction on tiles.
// What was legal at Level 1 must be legal at Level 2, and no tile is left.
func TestEveryInstruction(t *testing.T) {
	n := 0
	for _, d := range ir.LookupDialect("pto").Defs {
		if d.Form(ir.SSA) == nil {
			continue
		}
		for _, text := range pto.InfoOf(d).Examples {
			if strings.Contains(text, "outs(") {
				continue
			}
			m, target := exampleModule(t, text)
			if m == nil {
				continue
			}
			n++
			bufferizeExample(t, text, m, target)
		}
	}
	if n < 30 {
		t.Errorf("only %d examples were tried", n)
	}
}

func bufferizeExample(t *testing.T, text string, m *ir.Op, target ir.Target) {
	t.Helper()
	var diags ir.Diags
	p := passtest.Pipeline(t, registry, "builtin.module(pto-bufferize)")
	if !p.Run(m, passes.RunOptions{Target: target, Diags: &diags, VerifyEach: true}) {
		t.Errorf("%s\n%s\n%s", text, passtest.Messages(&diags), ir.Bytes(m, ir.PrintOptions{Generic: true}))
	}
}

// exampleModule makes a function of an instruction whose operands are
// parameters, and returns a target that it is legal on.
func exampleModule(t *testing.T, text string) (*ir.Op, ir.Target) {
	t.Helper()
	var diags ir.Diags
	body := ir.NewBlock()
	p := ir.NewParser(&ir.Source{Name: "example", Text: text}, ir.ParseOptions{}, &diags)
	for !p.AtEOF() && !p.Failed() {
		p.Operation(body)
	}
	if p.Failed() {
		t.Errorf("%s\n%s", text, passtest.Messages(&diags))
		return nil, 0
	}
	var ins []ir.Type
	seen := map[*ir.Value]*ir.Value{}
	for op := range body.Ops() {
		for i, v := range op.Operands() {
			if v.Block() != nil {
				continue
			}
			if seen[v] == nil {
				seen[v] = body.AddArg(v.Type())
				ins = append(ins, v.Type())
			}
			op.SetOperand(i, seen[v])
		}
	}
	ir.AtEnd(body, ir.Loc{}).Create(ir.State{Def: fn.Return})
	f := ir.New(ir.State{Def: fn.Func, Regions: []*ir.Region{ir.NewRegion(body)}})
	f.SetAttr("sym_name", ir.Str("f"))
	fn.SetType(f, ins, nil)
	m := ir.New(ir.State{Def: builtin.Module, Regions: []*ir.Region{ir.NewRegion(ir.NewBlock())}})
	m.Region(0).Entry().Append(f)
	for _, target := range []ir.Target{pto.A5, pto.A3} {
		if ir.Verify(m, ir.VerifyOptions{Target: target}, &diags) {
			return m, target
		}
	}
	t.Errorf("%s is legal nowhere:\n%s", text, passtest.Messages(&diags))
	return nil, 0
}
