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

// passesRegister reports whether op has a block argument or passes a value in a register
// between blocks that no loop connects, as a function with register arguments does.
func passesRegister(op *ir.Op) bool {
	if op.HasTrait(ir.LoopLike) {
		return false
	}
	for _, region := range op.Regions() {
		for b := range region.Blocks() {
			if slices.ContainsFunc(b.Args(), inRegister) {
				return !isScope(op)
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

// block adds the vector functions of the block b.
func (r *inference) block(b *ir.Block) {
	var run []*ir.Op
	for op := b.First(); op != nil; {
		next := op.Next()
		if fits(op) {
			run = append(run, op)
		} else {
			r.wrap(run)
			run = nil
			if !isScope(op) {
				for _, region := range op.Regions() {
					for inner := range region.Blocks() {
						r.block(inner)
					}
				}
			}
		}
		op = next
	}
	r.wrap(run)
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
	if slices.ContainsFunc(op.Results(), (*ir.Value).HasUses) {
		return false // a vector function has no results
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
	last := len(run) - 1
	for last >= 0 && !hasVector(run[last]) {
		last--
	}
	if last < 0 {
		return
	}
	run = run[:last+1]
	inside := map[*ir.Op]bool{}
	for _, op := range slices.Backward(run) {
		inside[op] = hasVector(op) || op.Is(isasync.MemBar) || !op.HasTrait(ir.ConstantLike) && usedOnlyIn(op, inside)
	}
	body := ir.NewBlock()
	for _, op := range run {
		if inside[op] {
			ir.Before(op).Create(ir.State{Def: isabase.VecScope, Loc: op.Loc(), Regions: []*ir.Region{ir.NewRegion(body)}})
			break
		}
	}
	scope := body.Parent()
	for _, op := range run {
		if inside[op] {
			r.release(op, inside)
		}
	}
	if r.failed {
		scope.Erase()
		return
	}
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
	used := false
	for _, v := range op.Results() {
		for u := range v.Uses() {
			if !inside[within(u.Owner(), op.Block())] {
				return false
			}
			used = true
		}
	}
	return used
}

// within returns the operation of the block b that is or contains op, or nil.
func within(op *ir.Op, b *ir.Block) *ir.Op {
	for op != nil && op.Block() != b {
		op = op.Parent()
	}
	return op
}

// release gives the operations outside of the new vector function that use a result of op
// a result of their own: it copies op before each of them. It reports an error if op
// cannot be copied.
func (r *inference) release(op *ir.Op, inside map[*ir.Op]bool) {
	for i, v := range op.Results() {
		for _, u := range slices.Collect(v.Uses()) {
			user := u.Owner()
			if inside[within(user, op.Block())] {
				continue
			}
			if !inRegister(v) || !copies(op, 4) {
				r.c.Errorf(op, "cannot be in an inferred 'pto.vecscope', because '%s' outside of it uses its result", user.Name()).
					Note(user.Loc(), "a vector function has no results; store the register, and load it again")
				r.failed = true
				return
			}
			u.Set(copyBefore(op, user).Result(i))
		}
	}
}

// copies reports whether op can be executed again elsewhere: it only depends on values
// outside of registers, and on results of such operations. The parameter depth limits how
// many operations are copied.
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
