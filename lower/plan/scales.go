// This file assigns addresses to tiles of MX scales.

package plan

import (
	"ptogo/dialect/arith"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// BindScales assigns to MX scale tiles the address from which the device reads them. For
// an operand of tmatmul.mx, the device reads the scales at the address of the operand
// divided by 16, regardless of the address of the scale operand
// (pto-isa:include/pto/npu/a5/TMatmul.hpp). A program can request this address with
// pto.tget_scale_addr; the pass inserts that instruction where it is missing.
var BindScales = &passes.Pass{
	Name:   "pto-bind-scales",
	Title:  "PTOBindScales",
	Doc:    "Places the tiles of scales of matrix products where the device looks for them.",
	Anchor: "func.func",
	Stats:  []passes.Stat{{Name: "num-bound", Doc: "tiles of scales placed beside their operands"}},
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

// scaleShift is the number of bits by which the address of a matrix operand is shifted
// right. The result of the shift is the address of the operand's scales.
const scaleShift = 4

// bindScale places the scale factors of an operand of product, an MX matrix product.
// operand is a tile that the product reads, and scale is the tile with its scale factors.
// The device requires that the address of the scale factors is the address of the operand
// divided by 16. bindScale inserts an instruction that assigns this address. It warns if
// it cannot assign this address.
func bindScale(c *passes.Context, product *ir.Op, operand, scale *ir.Value) {
	bound := bindings(scale)
	from, to := operand.Op(), scale.Op()
	if from == nil || to == nil { // who passes the tiles has placed them
		return
	}
	if len(bound) > 0 {
		if len(bound) == 1 && bound[0].Arg("src") == operand {
			bindEarly(bound[0], from, to)
		}
		return
	}
	if from.Def() != isatile.AllocTile || to.Def() != isatile.AllocTile || from.Block() != to.Block() {
		c.Warnf(product, "reads scale factors at the address of their operand divided by 16, but the program does not place the scale factors there").
			Note(to.Loc(), "pto.tget_scale_addr does")
		return
	}
	if at, known := addressOf(to); known {
		if base, both := addressOf(from); both && base>>scaleShift != at {
			c.Warnf(product, "reads scale factors at address %d, the address of their operand divided by 16, but the program places them at address %d", base>>scaleShift, at).
				Note(to.Loc(), "pto.tget_scale_addr places them there")
		}
		return
	}
	c.Count("num-bound", 1)
	late := later(from, to)
	ir.Before(late.Next()).Create(ir.State{
		Def: isatile.TGetScaleAddr, Form: isatile.TGetScaleAddr.Made().Form(ir.DPS), Loc: late.Loc(), Operands: []*ir.Value{operand, scale},
	})
}

// bindEarly moves the instruction in the parameter bound, which assigns an address to a
// scale tile, before the first write of that tile. Otherwise the program would write the
// tile at its old address and read it at the new one. operand and scale are the
// instructions that allocate the matrix operand and the scale tile. The instruction is
// not moved if the program states the address of the scale tile, or if the three
// instructions are in different blocks of operations.
func bindEarly(bound, operand, scale *ir.Op) {
	_, placed := addressOf(scale)
	if placed || operand.Def() != isatile.AllocTile || scale.Def() != isatile.AllocTile || operand.Block() != scale.Block() || bound.Block() != scale.Block() {
		return
	}
	for u := range scale.Result(0).Uses() {
		if user := u.Owner(); user.Block() != scale.Block() || user.Before(bound) {
			bound.Remove()
			ir.Before(later(operand, scale).Next()).Insert(bound)
			return
		}
	}
}

// later returns the one of two operations in the same block that comes second.
func later(a, b *ir.Op) *ir.Op {
	if a.Before(b) {
		return b
	}
	return a
}

// bindings returns the instructions in the program that assign an address to a scale
// tile. If there are any, the pass inserts no further one.
func bindings(scale *ir.Value) []*ir.Op {
	var all []*ir.Op
	for u := range scale.Uses() {
		if _, binds := u.Owner().Def().Sem.(sem.ScaleAddress); binds {
			all = append(all, u.Owner())
		}
	}
	return all
}

// addressOf returns the address of the tile that alloc allocates. The second result is
// false if the program does not assign a constant address.
func addressOf(alloc *ir.Op) (int64, bool) {
	if alloc.Arg("addr") == nil {
		return 0, false
	}
	return arith.ConstantInt(alloc.Arg("addr"))
}
