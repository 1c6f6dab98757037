package lower

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// BindScales makes tiles of scales lie where the device looks for them: it reads
// the scales of an operand of tmatmul.mx at the address of the operand divided by
// 16, whatever tile the instruction names (pto-isa:include/pto/npu/a5/TMatmul.hpp).
// Programs say so by pto.tget_scale_addr; where they do not, this does.
var BindScales = &passes.Pass{
	Name:   "pto-bind-scales",
	Title:  "PTOBindScales",
	Doc:    "Places the tiles of scales of matrix products where the device looks for them.",
	Anchor: "func.func",
	Run: func(c *passes.Context, f *ir.Op) error {
		for op := range f.Walk() {
			m, ok := op.Def().Sem.(sem.TileMatmul)
			if !ok || !m.Scaled || op.Form().Level != ir.DPS {
				continue
			}
			bindScale(c, op, op.Arg(m.Lhs), op.Arg(m.LhsScale))
			bindScale(c, op, op.Arg(m.Rhs), op.Arg(m.RhsScale))
		}
		return nil
	},
}

// scaleShift is how the address of scales follows from that of the operand.
const scaleShift = 4

func bindScale(c *passes.Context, product *ir.Op, operand, scale *ir.Value) {
	if isBound(scale) {
		return
	}
	from, to := operand.Op(), scale.Op()
	if from == nil || to == nil { // who passes the tiles has placed them
		return
	}
	if from.Def() != pto.AllocTile || to.Def() != pto.AllocTile || from.Block() != to.Block() {
		c.Warnf(product, "reads its scales at the address of their operand divided by 16, where nothing has put them").
			Note(to.Loc(), "pto.tget_scale_addr does")
		return
	}
	if at, known := addressOf(to); known {
		if base, both := addressOf(from); both && base>>scaleShift != at {
			c.Warnf(product, "reads its scales at %d, the address of their operand divided by 16, but they lie at %d", base>>scaleShift, at).
				Note(to.Loc(), "pto.tget_scale_addr puts them there")
		}
		return
	}
	late := to
	if to.Before(from) {
		late = from
	}
	ir.Before(late.Next()).Create(ir.State{
		Def: pto.TGetScaleAddr, Form: pto.TGetScaleAddr.Made().Form(ir.DPS), Loc: late.Loc(), Operands: []*ir.Value{operand, scale},
	})
}

// isBound reports whether the program itself says whose scales a tile holds.
func isBound(scale *ir.Value) bool {
	for u := range scale.Uses() {
		if _, binds := u.Owner().Def().Sem.(sem.ScaleAddress); binds {
			return true
		}
	}
	return false
}

// addressOf is the address that a program gives a tile.
func addressOf(alloc *ir.Op) (int64, bool) {
	if alloc.Arg("addr") == nil {
		return 0, false
	}
	return arith.ConstantInt(alloc.Arg("addr"))
}
