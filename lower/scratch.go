package lower

import (
	"ptogo/dialect/func"
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/passes"
)

// MaterializeScratch gives instructions of Level 2 the scratch tiles that they
// work in and the program leaves out, so that memory planning sees them.
var MaterializeScratch = &passes.Pass{
	Name:   "pto-materialize-implicit-tmp",
	Title:  "PTOMaterializeImplicitTmp",
	Doc:    "Allocates the scratch tiles that instructions work in on the target and the program leaves out.",
	Anchor: "func.func",
	Stats:  []passes.Stat{{Name: "num-scratch", Doc: "scratch tiles allocated"}},
	Run: func(c *passes.Context, f *ir.Op) error {
		if fn.Body(f) == nil {
			return nil
		}
		target := c.Target(f)
		for op := range f.Walk() {
			if op.Form().Level != ir.DPS {
				continue
			}
			if t, _, missing := pto.MissingScratch(op, target); missing {
				c.Count("num-scratch", 1)
				addOperand(op, "tmp", allocate(op, t))
			}
		}
		return nil
	},
}

// allocate reserves a tile whose type says its valid region.
func allocate(op *ir.Op, t pto.TileInfo) *ir.Value {
	return ir.Before(op).Create(ir.State{
		Def: pto.AllocTileOp, Segs: []int32{0, 0, 0}, Results: []ir.Type{ir.TypeOf(pto.TileBuf{TileInfo: t})},
	}).Result(0)
}

// addOperand gives an operation an optional operand that it does not have.
func addOperand(op *ir.Op, name string, v *ir.Value) {
	var operands []*ir.Value
	segs := make([]int32, len(op.Form().Operands))
	for i, a := range op.Form().Operands {
		vs := op.Args(a.Name)
		if a.Name == name {
			vs = []*ir.Value{v}
		}
		operands = append(operands, vs...)
		segs[i] = int32(len(vs))
	}
	op.SetOperands(operands, segments(op.Form().Operands, segs))
}
