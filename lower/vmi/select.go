// This file replaces selections by a scalar condition.

package vmi

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// isScalarChoice reports whether op is an arith.select that chooses one of two VMI values
// (vectors or masks of any length) by a scalar condition.
func isScalarChoice(op *ir.Op) bool {
	return op.Is(arith.Select) && isVMI(op.Result(0).Type()) && !isVMI(op.Operand(0).Type())
}

// legalizeSelect replaces an arith.select of VMI values by an scf.if.
func legalizeSelect(op *ir.Op) {
	t := op.Result(0).Type()
	var regions []*ir.Region
	for _, v := range op.Operands()[1:] {
		b := ir.NewBlock()
		ir.AtEnd(b, op.Loc()).Op(scf.Yield, []*ir.Value{v}, nil)
		regions = append(regions, ir.NewRegion(b))
	}
	made := ir.Before(op).Create(ir.State{Def: scf.If, Operands: op.Operands()[:1], Results: []ir.Type{t}, Regions: regions})
	op.Result(0).ReplaceAllUses(made.Result(0))
	op.Erase()
}
