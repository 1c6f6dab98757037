// This file brings functions into the form that the pass requires.

package bufferize

import (
	"slices"

	"ptogo/dialect/cf"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/scalar"
	"ptogo/passes"
)

// prepare rewrites the function so that an operation that carries tiles to a successor
// has no other successor. A copy before such an operation then affects only one path.
func (b *bufferizer) prepare() {
	for op := range b.f.Walk() {
		if len(op.Successors()) > 1 {
			splitEdges(op)
		}
		if _, ok := op.Def().Sem.(scalar.Choice); ok && ir.Is[pto.Tile](op.Result(0).Type()) {
			chooseByIf(op)
		}
	}
}

// splitEdges inserts an empty block between a jump and each successor to which the jump
// passes tiles. Copies of these tiles can then be placed in the new block.
func splitEdges(jump *ir.Op) {
	for i := range jump.Successors() {
		from, to := jump.SuccRange(i)
		// A jump with several successors cannot copy tiles for one of them only.
		// The new block is on the path to that successor alone, and has the place
		// for the copies.
		values := jump.Operands()[from:to]
		if !anyTile(values) {
			continue
		}
		goal := jump.Successors()[i]
		edge := ir.NewBlock()
		jump.Block().Region().Append(edge)
		ir.AtEnd(edge, jump.Loc()).Create(ir.State{Def: cf.Br, Operands: values, Succs: []*ir.Block{goal}})
		for k := to - 1; k >= from; k-- {
			passes.RemovePassed(jump, i, k)
		}
		jump.SetSuccessor(i, edge)
	}
}

// anyTile reports whether one of the values is a tile.
func anyTile(vs []*ir.Value) bool {
	for _, v := range vs {
		if ir.Is[pto.Tile](v.Type()) {
			return true
		}
	}
	return false
}

// chooseByIf replaces a select between two tiles by an scf.if whose regions yield
// one each.
func chooseByIf(op *ir.Op) {
	var regions []*ir.Region
	for _, v := range op.Operands()[1:] {
		blk := ir.NewBlock()
		ir.AtEnd(blk, op.Loc()).Create(ir.State{Def: scf.Yield, Operands: []*ir.Value{v}})
		regions = append(regions, ir.NewRegion(blk))
	}
	t := op.Result(0).Type()
	choice := ir.Before(op).Create(ir.State{Def: scf.If, Operands: []*ir.Value{op.Operand(0)}, Results: []ir.Type{t}, Regions: regions})
	op.Result(0).ReplaceAllUses(choice.Result(0))
	op.Erase()
}

// check reports operations on tiles that cannot be expressed at Level 2.
func (b *bufferizer) check() {
	for op := range b.f.Walk() {
		if tileIn(op) == nil || op == b.f || op.Is(fn.Return) || op.Is(fn.Call) {
			continue
		}
		_, known := passes.Flows(op)
		switch {
		case op.Form().Level == ir.SSA && op.Def().Form(ir.DPS) != nil:
			if msg := isatile.NoPath(op, b.target); msg != "" && !b.c.Bool("moves") {
				b.errorf(op, "%s", msg).Note(op.Loc(), isatile.SplitFirst)
			}
			if v := lostResult(op); v != nil {
				b.errorf(op, "returns a value of type %s as result #%d, but the Level 2 form of this instruction has no result that other instructions could read", v.Type(), v.Index())
			}
		case len(op.Regions()) > 0 && !known:
			b.errorf(op, "has a tile as operand or result and has regions, but pto-bufferize does not know how tiles reach its regions")
		case op.Is(fn.CallIndirect):
			b.errorf(op, "calls a function that is only known at run time, so pto-bufferize cannot replace its tiles by buffers")
		case op.HasTrait(ir.Unregistered):
			b.errorf(op, "has a tile as operand or result, but pto-bufferize does not know this operation")
		case len(op.Regions()) == 0 && !op.HasTrait(ir.Terminator) && !takesBuffers(op):
			b.errorf(op, "has a tile as operand or result, but Level 2 cannot express the operation")
		}
	}
}

// lostResult returns a result of op whose value would be lost at Level 2, or nil if op
// has none. At Level 2, an instruction stores each result in a buffer, which is a
// destination operand. Only tiles have buffers. The value of another result is lost if
// the Level 2 form has no result of this name and an operation uses the value.
func lostResult(op *ir.Op) *ir.Value {
	form := op.Def().Form(ir.DPS)
	for i := range op.Form().Results {
		from, to := op.ResultRange(i)
		for ; from < to; from++ {
			name := op.Form().Results[i].Name
			kept := slices.ContainsFunc(form.Results, func(a ir.Arg) bool { return a.Name == name })
			_, dense := ir.DenseNumbers(op.Result(from).Type(), []uint64{0})
			if v := op.Result(from); !kept && !ir.Is[pto.Tile](v.Type()) && (v.HasUses() || !dense) {
				return v
			}
		}
	}
	return nil
}

// takesBuffers reports whether op accepts buffers instead of tiles without another
// change. This is true for operations that have the same form at both levels, for example
// a view of a tile or a query.
func takesBuffers(op *ir.Op) bool { return op.Form().Level == ir.Plain }
