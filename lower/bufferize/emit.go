// This file rewrites operations to destination-passing form.

package bufferize

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/ir"
	"ptogo/passes"
)

// rewriting is the list of changes that emit makes to a function. plan computes it
// beforehand, while values still have tile types.
type rewriting struct {
	// swap are instructions to replace by their Level 2 form.
	swap []*ir.Op
	// rebuild are operations with regions whose results include tiles.
	rebuild []*ir.Op
	calls   []*ir.Op
	// drop are tile operands of terminators and loops.
	drop []drop
	// args are block arguments that are tiles.
	args []*ir.Value
}

// drop lists the operands to remove from an operation. The last operand comes first, so
// that each removal leaves the remaining indices valid.
type drop struct {
	op       *ir.Op
	operands []int
}

// plan returns the list of changes that lower the function to Level 2, without changing
// it. The method emit applies them.
func (b *bufferizer) plan() *rewriting {
	p := &rewriting{}
	for op := range b.f.Walk() {
		if tileIn(op) == nil {
			continue
		}
		switch {
		case op == b.f:
			p.noteArgs(op, b.f.Region(0).Entry())
		case op.HasTrait(ir.Terminator):
			p.drop = append(p.drop, drop{op, tileOperands(op)})
		case op.Is(fn.Call):
			p.calls = append(p.calls, op)
		case op.Form().Level == ir.SSA:
			p.swap = append(p.swap, op)
		case len(op.Regions()) > 0:
			p.rebuild = append(p.rebuild, op)
			p.drop = append(p.drop, drop{op, tileOperands(op)})
			p.noteArgs(op, nil)
		}
	}
	return p
}

// noteArgs adds to p those block arguments in the regions of op that are tiles. It skips
// the arguments of one block, the parameter except.
func (p *rewriting) noteArgs(op *ir.Op, except *ir.Block) {
	for _, r := range op.Regions() {
		for blk := range r.Blocks() {
			if blk == except {
				continue
			}
			for _, a := range slices.Backward(blk.Args()) {
				if ir.Is[pto.Tile](a.Type()) {
					p.args = append(p.args, a)
				}
			}
		}
	}
}

// tileOperands returns the indices of the operands of op that are tiles, in descending
// order. A caller that removes operands in this order does not change the indices of
// those that it removes later.
func tileOperands(op *ir.Op) []int {
	var is []int
	for i, v := range slices.Backward(op.Operands()) {
		if ir.Is[pto.Tile](v.Type()) {
			is = append(is, i)
		}
	}
	return is
}

// emit rewrites the function. In a first step it replaces every use of a tile by the
// buffer of the tile. In a second step it removes the operands, block arguments and
// results through which control flow carried tiles.
func (b *bufferizer) emit(p *rewriting) {
	// This comes first: operands and arguments can be removed only after they have
	// no uses.
	for n, v := range b.g.values {
		if gr := b.s.group[n]; v != nil && gr.buf != v && gr.buf != nil {
			v.ReplaceAllUses(gr.buf)
		}
	}
	for _, op := range p.swap {
		b.swapForm(op)
	}
	for _, op := range p.calls {
		b.call(op)
	}
	for _, d := range p.drop {
		dropOperands(d.op, d.operands)
	}
	for _, a := range p.args {
		a.Block().RemoveArg(a.Index())
	}
	for _, op := range p.rebuild {
		rebuild(op)
	}
}

// swapForm replaces an instruction by its Level 2 form, which writes into destination
// operands instead of returning tiles.
func (b *bufferizer) swapForm(op *ir.Op) {
	form := op.Def().Form(ir.DPS)
	s := ir.State{Def: op.Def(), Form: form}
	for _, a := range form.Operands {
		vs := op.Args(a.Name)
		// In the SSA form such an operand does not exist, or its new value is a
		// result. The destination is the buffer of that result.
		if a.Role != ir.In && len(vs) == 0 || a.Role == ir.InOut {
			vs = b.destinations(op, a.Name)
		}
		s.Operands = append(s.Operands, vs...)
		s.Segs = append(s.Segs, int32(len(vs)))
	}
	var kept []*ir.Value
	for _, a := range form.Results {
		vs := resultsNamed(op, a.Name)
		kept = append(kept, vs...)
		s.ResSegs = append(s.ResSegs, int32(len(vs)))
		for _, v := range vs {
			s.Results = append(s.Results, v.Type())
		}
	}
	s.Segs, s.ResSegs = ir.Segments(form.Operands, s.Segs), ir.Segments(form.Results, s.ResSegs)
	b.scratch(replace(op, s, kept))
}

// scratch adds a scratch tile to op if op has none and is illegal without one at Level 2.
func (b *bufferizer) scratch(op *ir.Op) {
	if t, _, missing := pto.MissingScratch(op, b.target); missing && !b.legal(op) {
		op.AddArg("tmp", isatile.NewTile(op, t))
	}
}

// legal reports whether the verifier accepts the operation op on the current target.
func (b *bufferizer) legal(op *ir.Op) bool {
	return ir.Verify(op, ir.VerifyOptions{Target: b.target, Features: b.c.Features, Sequential: true}, &ir.Diags{})
}

// replace replaces op by a new operation. The new operation has the operands, result
// types and syntax form of s, and the attributes and regions of op. The slice kept
// contains those results of op for which the new operation has a result; the others are
// now buffers. Result i of the new operation replaces kept[i] in all uses.
func replace(op *ir.Op, s ir.State, kept []*ir.Value) *ir.Op {
	for range op.Regions() {
		s.Regions = append(s.Regions, ir.NewRegion())
	}
	s.Loc = op.Loc()
	n := ir.Before(op).Create(s)
	// The regions move to the new operation; their contents are not copied.
	for i, r := range op.Regions() {
		n.Region(i).Take(r)
	}
	for a := range op.AllAttrs() {
		n.SetAttr(a.Name, a.Attr)
	}
	for i, v := range kept {
		v.ReplaceAllUses(n.Result(i))
	}
	op.Erase()
	return n
}

// resultsNamed returns the results of op that belong to the declaration with the given
// name in the form of op. A variadic declaration can represent several results.
func resultsNamed(op *ir.Op, name string) []*ir.Value {
	for i := range op.Form().Results {
		if op.Form().Results[i].Name == name {
			from, to := op.ResultRange(i)
			return op.Results()[from:to]
		}
	}
	return nil
}

// destinations returns the Level 2 destination operands for the results of op with the
// given name. The destination operands are the buffers of these results. destinations
// also sets the valid regions of the buffers to the valid regions of the results.
func (b *bufferizer) destinations(op *ir.Op, name string) []*ir.Value {
	var dst []*ir.Value
	for _, v := range resultsNamed(op, name) {
		n, ok := b.g.number[v]
		if !ok {
			dst = append(dst, unread(op, v))
			continue
		}
		buf := b.s.group[n].buf
		b.setValid(op, buf, b.valid[v], v.Type())
		dst = append(dst, buf)
	}
	return dst
}

// unread returns the value for a destination operand whose contents are never used. At
// Level 2 this operand replaces the result v of op, which is not a tile and has no uses,
// for example a vector of counts. The value is a constant with zeros, inserted before op.
func unread(op *ir.Op, v *ir.Value) *ir.Value {
	zero, _ := ir.DenseNumbers(v.Type(), []uint64{0})
	return arith.Materialize(ir.Before(op), zero)
}

// dropOperands removes the operands of op with the given indices, which must be in
// descending order.
func dropOperands(op *ir.Op, operands []int) {
	for _, i := range operands {
		// A terminator needs the range of operands of each successor adjusted, too.
		if succ := successorTaking(op, i); succ >= 0 {
			passes.RemovePassed(op, succ, i)
			continue
		}
		segs := make([]int32, len(op.Form().Operands))
		for k := range segs {
			from, to := op.ArgRange(k)
			segs[k] = int32(to - from)
			if from <= i && i < to {
				segs[k]--
			}
		}
		op.SetOperands(slices.Delete(op.Operands(), i, i+1), ir.Segments(op.Form().Operands, segs))
	}
}

// successorTaking returns the index of the successor of op that receives operand i, or
// -1.
func successorTaking(op *ir.Op, i int) int {
	for k := range op.Successors() {
		if from, to := op.SuccRange(k); from <= i && i < to {
			return k
		}
	}
	return -1
}

// rebuild replaces op, an operation with regions, by a new operation that has only those
// results of op that are not tiles. It does nothing if no result is a tile.
func rebuild(op *ir.Op) {
	s := ir.State{Def: op.Def(), Form: op.Form(), Operands: op.Operands()}
	var kept []*ir.Value
	for _, v := range op.Results() {
		if !ir.Is[pto.Tile](v.Type()) {
			kept = append(kept, v)
			s.Results = append(s.Results, v.Type())
		}
	}
	if len(kept) < op.NumResults() {
		replace(op, s, kept)
	}
}
