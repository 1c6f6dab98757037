package lower_test

import (
	"regexp"
	"strings"
	"testing"

	"ptogo/dialect/arith"
	"ptogo/dialect/builtin"
	"ptogo/dialect/fn"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
	"ptogo/passes/passtest"
)

// TestEveryInstruction bufferizes the examples of every instruction on tiles.
// What was legal at Level 1 must be legal at Level 2, and no tile is left.
func TestEveryInstruction(t *testing.T) {
	n := 0
	for _, d := range ir.LookupDialect("pto").All() {
		if d.Form(ir.SSA) == nil {
			continue
		}
		for _, text := range d.Examples {
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

// TestEveryInstructionOpen does the same with valid regions left open: those
// of the results, and those of all tiles.
func TestEveryInstructionOpen(t *testing.T) {
	tile := regexp.MustCompile(`!pto\.tile<([^<>]*)>`)
	open := func(types string) string { return tile.ReplaceAllString(types, "!pto.tile<$1, valid=?x?>") }
	n := 0
	for _, d := range ir.LookupDialect("pto").All() {
		if d.Form(ir.SSA) == nil {
			continue
		}
		for _, text := range d.Examples {
			results, types := strings.LastIndex(text, "->"), strings.LastIndex(text, " : ")
			if strings.Contains(text, "outs(") || strings.Contains(text, "valid=") || results < types {
				continue
			}
			for _, from := range []int{results, types} {
				text := text[:from] + open(text[from:])
				if m, target := functionOf(text, &ir.Diags{}); m != nil {
					n++
					bufferizeExample(t, text, m, target)
				}
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d examples were tried", n)
	}
}

// TestExtents asks for the valid regions that results with an open one get.
func TestExtents(t *testing.T) {
	for _, test := range []struct {
		text string
		want [2]int64
	}{
		{"%d = pto.tpartadd %a, %b : (!pto.tile<16x64xf32, valid=9x10>, !pto.tile<16x64xf32, valid=5x20>) -> !pto.tile<16x64xf32, valid=?x?>", [2]int64{9, 20}},
		{"%d = pto.tconcat %a, %b : (!pto.tile<16x32xf32, valid=9x20>, !pto.tile<16x64xf32, valid=9x30>) -> !pto.tile<16x96xf32, valid=?x?>", [2]int64{9, 50}},
		{"%d = pto.tgather %s, %i : (!pto.tile<16x64xf32>, !pto.tile<16x64xi32, valid=3x4>) -> !pto.tile<16x64xf32, valid=?x?>", [2]int64{3, 4}},
		{"%d = pto.tgatherb %s, %i : (!pto.tile<16x64xf32>, !pto.tile<16x8xi32, valid=7x3>) -> !pto.tile<16x64xf32, valid=?x?>", [2]int64{7, 24}},
		{"%d = pto.tsort32 %s, %i : (!pto.tile<1x64xf32, valid=1x32>, !pto.tile<1x64xui32, valid=1x32>) -> !pto.tile<1x128xf32, valid=?x?>", [2]int64{1, 64}},
		{"%d = pto.trowexpandadd %a, %b : (!pto.tile<16x64xf32, valid=9x10>, !pto.tile<16x1xf32, valid=9x1, blayout=col_major>) -> !pto.tile<16x64xf32, valid=?x?>", [2]int64{9, 10}},
		{"%d = pto.trowexpandsub %b, %a : (!pto.tile<16x1xf32, valid=9x1, blayout=col_major>, !pto.tile<16x64xf32, valid=9x10>) -> !pto.tile<16x64xf32, valid=?x?>", [2]int64{9, 10}},
		{"%d = pto.trowexpand %s : !pto.tile<16x8xf32, valid=9x8> -> !pto.tile<16x64xf32, valid=?x?>", [2]int64{9, 64}},
		{"%d = pto.tcmp %a, %b {cmpMode = #pto<cmp lt>} : (!pto.tile<16x64xf32, valid=9x33>, !pto.tile<16x64xf32, valid=9x33>) -> !pto.tile<16x32xui8, valid=?x?>", [2]int64{9, 5}},
		{"%d = pto.texpands %s : f32 -> !pto.tile<16x64xf32, valid=?x?>", [2]int64{16, 64}},
	} {
		m, target := exampleModule(t, test.text)
		if m == nil {
			continue
		}
		var diags ir.Diags
		if !passtest.Pipeline(t, registry, "builtin.module(pto-bufferize,canonicalize)").Run(m, passes.RunOptions{Target: target, Diags: &diags}) {
			t.Errorf("%s\n%s", test.text, passtest.Messages(&diags))
		}
		if got := extentsIn(m); got != test.want {
			t.Errorf("%s: is valid in %v, want %v", test.text, got, test.want)
		}
	}
}

// extentsIn returns the valid region of the tile with an open one.
func extentsIn(m *ir.Op) (e [2]int64) {
	for op := range m.Walk() {
		if op.Is(isatile.AllocTile) && op.Arg("valid_row") != nil {
			e[0], _ = arith.ConstantInt(op.Arg("valid_row"))
			e[1], _ = arith.ConstantInt(op.Arg("valid_col"))
		}
	}
	return e
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
	m, target := functionOf(text, &diags)
	if m == nil {
		t.Errorf("%s\n%s", text, passtest.Messages(&diags))
	}
	return m, target
}

// functionOf is exampleModule for a text that may not be legal; diags says why.
func functionOf(text string, diags *ir.Diags) (*ir.Op, ir.Target) {
	body := ir.NewBlock()
	p := ir.NewParser(&ir.Source{Name: "example", Text: text}, ir.ParseOptions{}, diags)
	for !p.AtEOF() && !p.Failed() {
		p.Operation(body)
	}
	if p.Failed() {
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
	for _, target := range []ir.Target{sem.A5, sem.A3} {
		if ir.Verify(m, ir.VerifyOptions{Target: target}, diags) {
			return m, target
		}
	}
	return nil, 0
}
