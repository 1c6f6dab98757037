// This file rebuilds counted loops.

package vector

import (
	"slices"

	"ptogo/dialect/scf"
	"ptogo/ir"
)

// A counted loop has the operands start, end and step, followed by the initial values of
// the carried values. The first argument of its body is the counter.
const loopOperands = 3

// loopsIn returns the counted loops in op, inner ones first.
func loopsIn(op *ir.Op) []*ir.Op {
	var loops []*ir.Op
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for o := range b.Ops() {
				loops = append(loops, loopsIn(o)...)
				if o.Is(scf.For) {
					loops = append(loops, o)
				}
			}
		}
	}
	return loops
}

// carry adds loop-carried values to the loop. The new value at position i starts as
// inits[i]. The function use receives these values as block arguments, and returns their
// values for the next iteration. Afterwards, carry removes each carried value that the
// loop uses only to compute the same value for the next iteration. carry returns the new
// loop.
func carry(loop *ir.Op, inits []*ir.Value, use func(args []*ir.Value) []*ir.Value) *ir.Op {
	body := loop.Region(0).Entry()
	var args []*ir.Value
	for _, v := range inits {
		args = append(args, body.AddArg(v.Type()))
	}
	next := use(args)
	yield := body.Terminator()
	values := append(append([]*ir.Value{}, loop.Operands()[loopOperands:]...), inits...)
	yields := append(append([]*ir.Value{}, yield.Operands()...), next...)
	yield.SetOperands(yields, nil)
	sweep(body)
	var kept []int
	for i := range values {
		if i >= loop.NumResults() || loop.Result(i).HasUses() || !onlyItself(body.Arg(i+1), yields[i], yield) {
			kept = append(kept, i)
		}
	}
	return rebuild(loop, kept, values)
}

// onlyItself considers the value arg, which a loop carries from one iteration to the
// next. It reports whether the body uses arg only to compute the value for the next
// iteration. next is this value, an operand of the terminator yield.
func onlyItself(arg, next *ir.Value, yield *ir.Op) bool {
	if next == arg {
		return arg.HasOneUse()
	}
	op := next.Op()
	if op == nil || !arg.HasOneUse() || !next.HasOneUse() || op.NumResults() != 1 || !op.HasTrait(ir.Pure) || len(op.Regions()) > 0 {
		return false
	}
	for u := range arg.Uses() {
		if u.Owner() != op {
			return false
		}
	}
	return true
}

// rebuild replaces the loop by a new loop that carries fewer values, and returns the new
// loop. The list kept holds the indices of the carried values that remain. values are the
// initial values of all carried values of the old loop.
func rebuild(loop *ir.Op, kept []int, values []*ir.Value) *ir.Op {
	old := loop.Region(0).Entry()
	body := ir.NewBlock(old.Arg(0).Type())
	old.Arg(0).ReplaceAllUses(body.Arg(0))
	body.Arg(0).SetName(old.Arg(0).Name())
	operands := append([]*ir.Value{}, loop.Operands()[:loopOperands]...)
	var types []ir.Type
	for _, i := range kept {
		arg := body.AddArg(values[i].Type())
		arg.SetName(old.Arg(i + 1).Name())
		old.Arg(i + 1).ReplaceAllUses(arg)
		operands, types = append(operands, values[i]), append(types, values[i].Type())
	}
	var next []*ir.Value
	for _, i := range kept {
		next = append(next, old.Terminator().Operand(i))
	}
	old.Terminator().SetOperands(next, nil)
	for op := old.First(); op != nil; op = old.First() {
		op.Remove()
		body.Append(op)
	}
	sweep(body)
	made := ir.Before(loop).Create(ir.State{Def: scf.For, Operands: operands, Results: types, Regions: []*ir.Region{ir.NewRegion(body)}, Attrs: slices.Collect(loop.AllAttrs())})
	for j, i := range kept {
		if i < loop.NumResults() {
			loop.Result(i).ReplaceAllUses(made.Result(j))
			made.Result(j).SetName(loop.Result(i).Name())
		}
	}
	loop.Erase()
	return made
}

// sweep erases the pure operations of the block b whose results are not used.
func sweep(b *ir.Block) {
	for op := b.Last(); op != nil; {
		before := op.Prev()
		if op.HasTrait(ir.Pure) && !op.HasTrait(ir.Terminator) && len(op.Regions()) == 0 && !used(op) {
			op.Erase()
		}
		op = before
	}
}

// used reports whether a result of op has uses.
func used(op *ir.Op) bool {
	for _, v := range op.Results() {
		if v.HasUses() {
			return true
		}
	}
	return false
}
