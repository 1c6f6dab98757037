// This file defines pto-infer-vpto-vecscope.

package vector

import (
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// InferScopes is the pass pto-infer-vpto-vecscope. It moves vector instructions that are
// outside of vector functions into new ones. A vector function contains as many adjacent
// operations as possible: it ends at synchronization, copies and other operations that the
// vector unit does not execute.
var InferScopes = &passes.Pass{
	Name:   "pto-infer-vpto-vecscope",
	Title:  "PTOInferVPTOVecScope",
	Doc:    "Moves vector instructions that are outside of vector functions into new vector functions (pto.vecscope).",
	Anchor: "builtin.module",
	Stats:  []passes.Stat{{Name: "num-inferred", Doc: "vector functions added"}},
	Run: func(c *passes.Context, module *ir.Op) error {
		r := &inference{c: c}
		for _, f := range fn.Functions(module) {
			if slices.ContainsFunc(slices.Collect(f.Walk()), passesRegister) {
				continue
			}
			for b := range f.Region(0).Blocks() {
				r.block(b)
			}
		}
		if r.failed {
			return passes.ErrReported
		}
		return nil
	},
}

// passesRegister reports whether a block of op has arguments in registers, as in a function
// with register parameters. Blocks of loops and vector functions do not count.
func passesRegister(op *ir.Op) bool {
	if op.HasTrait(ir.LoopLike) || pto.IsVectorFunction(op) {
		return false
	}
	for _, region := range op.Regions() {
		for b := range region.Blocks() {
			if slices.ContainsFunc(b.Args(), inRegister) {
				return true
			}
		}
	}
	return false
}

// inRegister reports whether the value v is in a register of the vector unit.
func inRegister(v *ir.Value) bool {
	h, ok := ir.As[pto.Handle](v.Type())
	return ir.Is[pto.VReg](v.Type()) || ir.Is[pto.Mask](v.Type()) || ok && h.Name == "align"
}

// inference adds the vector functions of one function.
type inference struct {
	c      *passes.Context
	failed bool
}

// block adds the vector functions of the block b. It examines a part of the block again
// after each change, because the change can add operations.
func (r *inference) block(b *ir.Block) {
	var run []*ir.Op
	for op := b.First(); !r.failed && (op != nil || len(run) > 0); {
		if op != nil && fits(op) {
			run = append(run, op)
			op = op.Next()
			continue
		}
		if slices.ContainsFunc(run, hasVector) {
			before := run[0].Prev()
			r.wrap(run)
			if op = b.First(); before != nil {
				op = before.Next()
			}
			run = nil
			continue
		}
		run = nil
		if op == nil {
			break
		}
		if !pto.IsVectorFunction(op) {
			for _, region := range op.Regions() {
				for inner := range region.Blocks() {
					r.block(inner)
				}
			}
		}
		op = op.Next()
	}
}

// isVector reports whether op is a vector instruction.
func isVector(op *ir.Op) bool {
	return len(op.Regions()) == 0 && (slices.ContainsFunc(op.Operands(), inRegister) || slices.ContainsFunc(op.Results(), inRegister))
}

// hasVector reports whether op is or contains a vector instruction.
func hasVector(op *ir.Op) bool {
	for o := range op.Walk() {
		if isVector(o) {
			return true
		}
	}
	return false
}

// fits reports whether op can be in a vector function.
func fits(op *ir.Op) bool {
	if len(op.Regions()) == 0 {
		info := pto.InfoOf(op.Def())
		return isVector(op) || op.Is(isasync.MemBar) || op.Is(isabase.CastPtr) || op.Is(isabase.AddPtr) ||
			info == nil && (op.HasTrait(ir.Pure) || op.HasTrait(ir.ConstantLike)) && !op.HasTrait(ir.Terminator)
	}
	if _, scope := op.Def().Sem.(sem.Scope); scope || !hasVector(op) || pto.InfoOf(op.Def()) != nil {
		return false
	}
	if slices.ContainsFunc(op.Results(), func(v *ir.Value) bool { return v.HasUses() && !inRegister(v) }) {
		return false // a vector function has no results, and other operations can use numbers
	}
	for _, region := range op.Regions() {
		for b := range region.Blocks() {
			for o := range b.Ops() {
				if !fits(o) && !o.HasTrait(ir.Terminator) {
					return false
				}
			}
		}
	}
	return true
}

// wrap moves the operations of run, which are adjacent in a block, into a vector function.
// Operations before the first and after the last vector instruction remain outside, and so
// do constants and numbers that other operations use.
func (r *inference) wrap(run []*ir.Op) {
	run = r.release(run)
	for len(run) > 0 && !hasVector(run[len(run)-1]) {
		run = run[:len(run)-1]
	}
	if len(run) == 0 || r.failed {
		return
	}
	inside := map[*ir.Op]bool{}
	for _, op := range slices.Backward(run) {
		inside[op] = hasVector(op) || op.Is(isasync.MemBar) || !op.HasTrait(ir.ConstantLike) && usedOnlyIn(op, inside)
	}
	for _, op := range run {
		if user := userOutside(op, inside); inside[op] && user != nil {
			r.refuse(op, user)
			return
		}
	}
	first := slices.IndexFunc(run, func(op *ir.Op) bool { return inside[op] })
	body := ir.NewBlock()
	scope := ir.Before(run[first]).Create(ir.State{Def: isabase.VecScope, Loc: run[first].Loc(), Regions: []*ir.Region{ir.NewRegion(body)}})
	for _, op := range run {
		op.Remove()
		if inside[op] {
			body.Append(op)
		} else {
			scope.Block().InsertBefore(op, scope)
		}
	}
	r.c.Count("num-inferred", 1)
}

// usedOnlyIn reports whether op has uses, and all of them are in the operations of inside.
func usedOnlyIn(op *ir.Op, inside map[*ir.Op]bool) bool {
	return slices.ContainsFunc(op.Results(), (*ir.Value).HasUses) && userOutside(op, inside) == nil
}

// userOutside returns an operation that uses a result of op and is not in one of the
// operations of inside, or nil.
func userOutside(op *ir.Op, inside map[*ir.Op]bool) *ir.Op {
	for _, v := range op.Results() {
		for u := range v.Uses() {
			if !inside[within(u.Owner(), op.Block())] {
				return u.Owner()
			}
		}
	}
	return nil
}

// within returns the operation of the block b that is or contains op, or nil.
func within(op *ir.Op, b *ir.Block) *ir.Op {
	for op != nil && op.Block() != b {
		op = op.Parent()
	}
	return op
}

// release replaces the results of vector instructions of run that operations outside of
// run use. Each block that uses such a result receives a copy of the instruction. The copy
// precedes the first use, and the operations before it that can be in a vector function,
// too. release returns the instructions of run that still have a purpose.
func (r *inference) release(run []*ir.Op) []*ir.Op {
	inside := map[*ir.Op]bool{}
	for _, op := range run {
		inside[op] = true
	}
	for _, op := range run {
		if !isVector(op) {
			continue
		}
		for {
			user := userOutside(op, inside)
			if user == nil {
				break
			}
			if !copies(op, mostCopied) || !r.copyFor(op, user, inside) {
				r.refuse(op, user)
				return nil
			}
			if !slices.ContainsFunc(op.Results(), (*ir.Value).HasUses) {
				op.Erase()
				inside[op] = false
				break
			}
		}
	}
	return slices.DeleteFunc(run, func(op *ir.Op) bool { return !inside[op] })
}

// copyFor makes a copy of op for the operation user, and for all other operations outside
// of inside that are in the same block or in operations of this block that can be in a
// vector function. It returns false if one of them uses a result that is not in a register,
// or cannot be in a vector function itself.
func (r *inference) copyFor(op, user *ir.Op, inside map[*ir.Op]bool) bool {
	first := outermost(user, op.Block())
	var uses []*ir.Use
	for _, v := range op.Results() {
		for u := range v.Uses() {
			at := outermost(u.Owner(), op.Block())
			if at.Block() != first.Block() || inside[within(at, op.Block())] {
				continue
			}
			if !inRegister(v) || !fits(at) {
				return false
			}
			uses = append(uses, u)
			if at.Before(first) {
				first = at
			}
		}
	}
	for first.Prev() != nil && first.Prev() != op && fits(first.Prev()) && !inside[first.Prev()] {
		first = first.Prev()
	}
	made := copyBefore(op, first)
	for _, u := range uses {
		u.Set(made.Result(u.Value().Index()))
	}
	return true
}

// outermost returns the outermost operation below the block b that contains op and can be
// in a vector function, or op itself.
func outermost(op *ir.Op, b *ir.Block) *ir.Op {
	for op.Block() != b && op.Parent() != nil && fits(op.Parent()) {
		op = op.Parent()
	}
	return op
}

// refuse reports that op cannot be in a vector function, because user uses its result.
func (r *inference) refuse(op, user *ir.Op) {
	r.c.Errorf(op, "cannot be in an inferred 'pto.vecscope', because '%s' outside of it uses its result", user.Name()).
		Note(user.Loc(), "a vector function has no results; store the register, and load it again")
	r.failed = true
}

// mostCopied limits how many operations are copied with an operation, because it uses
// their results.
const mostCopied = 4

// copies reports whether op can be executed again elsewhere: it only depends on values
// outside of registers, and on results of such operations. depth limits how many
// operations are copied.
func copies(op *ir.Op, depth int) bool {
	if depth == 0 || !op.HasTrait(ir.Pure) || len(op.Regions()) > 0 || classOf(op) != free {
		return false
	}
	return !slices.ContainsFunc(op.Operands(), func(v *ir.Value) bool {
		return inRegister(v) && (v.Op() == nil || !copies(v.Op(), depth-1))
	})
}

// copyBefore copies op, and the operations that compute its operands in registers, before
// the operation user.
func copyBefore(op, user *ir.Op) *ir.Op {
	values := map[*ir.Value]*ir.Value{}
	for _, v := range op.Operands() {
		if inRegister(v) {
			values[v] = copyBefore(v.Op(), user).Result(v.Index())
		}
	}
	made := op.Clone(values)
	ir.Before(user).Insert(made)
	return made
}
