package lower_test

import (
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/ir"
	"ptogo/passes/passtest"
)

// TestPlanRandom plans random programs of Level 2 in which control passes
// buffers on, and executes them with and without addresses.
func TestPlanRandom(t *testing.T) {
	n := uint64(400)
	if testing.Short() {
		n = 200
	}
	looked := 0
	for seed := range n {
		for _, pipeline := range []string{"builtin.module(pto-plan-memory)", "builtin.module(pto-plan-memory{in-place=true order-by-size=true})"} {
			looked += sameWhenPlanned(t, seed, pipeline)
		}
		if t.Failed() {
			return
		}
	}
	if looked < int(n) {
		t.Errorf("the programs look at %d tiles only", looked)
	}
}

// sameWhenPlanned returns how many tiles were looked at.
func sameWhenPlanned(t *testing.T, seed uint64, pipeline string) (looked int) {
	t.Helper()
	text := program(seed)
	if strings.Contains(text, "func.call") {
		return 0
	}
	m := passtest.Parse(t, text)
	main := ir.LookupSymbol(m, ir.Symbol("main"))
	for _, f := range fn.Functions(m) {
		if f != main {
			f.Erase() // nothing calls it, and its tiles have no buffers
		}
	}
	naiveBuffers(main)
	before := passtest.Parse(t, m.String())
	passtest.Apply(t, registry, pipeline, m)
	for run := range uint64(4) {
		want, got := watch(before, run, true), watch(m, run, true)
		looked += len(got)
		if !slices.Equal(got, want) {
			t.Errorf("seed %d, %s, run %d: looks at\n%x\nwant\n%x\n%s", seed, pipeline, run, got, want, m)
			break
		}
	}
	return looked
}

// naiveBuffers makes a program of Level 2 by giving every instruction a buffer
// to write and passing buffers where tiles were passed. That is another
// program, since a buffer that is written again changes for all who hold it.
func naiveBuffers(f *ir.Op) {
	for op := range f.Walk() {
		if op.Form().Level == ir.SSA && op.Def().Form(ir.DPS) != nil {
			naiveBuffer(op)
			continue
		}
		if op.Is(fn.Return) {
			for _, v := range op.Operands() {
				ir.Before(op).Op(testUse, []*ir.Value{v}, nil)
			}
			op.SetOperands(nil, nil)
		}
		for _, v := range op.Results() {
			v.SetType(pto.BufOf(v.Type()))
		}
		for _, r := range op.Regions() {
			for blk := range r.Blocks() {
				for _, v := range blk.Args() {
					v.SetType(pto.BufOf(v.Type()))
				}
			}
		}
	}
	ins, _ := fn.TypeOf(f)
	for i := range ins {
		ins[i] = pto.BufOf(ins[i])
	}
	fn.SetType(f, ins, nil)
}

// naiveBuffer gives an instruction buffers of its own; what it updates stays
// where it is.
func naiveBuffer(op *ir.Op) {
	form := op.Def().Form(ir.DPS)
	s := ir.State{Def: op.Def(), Form: form, Loc: op.Loc()}
	next := 0
	for _, a := range form.Operands {
		v := op.Arg(a.Name)
		if a.Role == ir.Out {
			v = ir.Before(op).Create(ir.State{Def: isatile.AllocTile, Segs: []int32{0, 0, 0}, Results: []ir.Type{pto.BufOf(op.Result(next).Type())}}).Result(0)
		}
		if a.Role != ir.In {
			op.Result(next).ReplaceAllUses(v)
			next++
		}
		s.Operands = append(s.Operands, v)
	}
	n := ir.Before(op).Create(s)
	for a := range op.AllAttrs() {
		n.SetAttr(a.Name, a.Attr)
	}
	op.Erase()
}
