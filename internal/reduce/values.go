// This file replaces values by simpler ones.

package reduce

import (
	"iter"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/ir"
)

// stand is a function that returns a replacement for each result of an operation. It
// returns nil if it finds no replacements.
type stand func(op *ir.Op) []*ir.Value

// replaceable returns the operations of the module for whose results the function s finds
// replacements.
func (s stand) replaceable(module *ir.Op) (ops []*ir.Op) {
	for op := range module.Walk() {
		if s(op) != nil {
			ops = append(ops, op)
		}
	}
	return ops
}

// replace removes the operations in the list from the program. For each operation, the
// function s returns values that replace its results; then the operation is erased. This
// is always possible for operations that the method replaceable has listed, so the bool
// result is always true.
func (s stand) replace(_ *ir.Op, some []*ir.Op) bool {
	for _, op := range some {
		for i, w := range s(op) {
			op.Result(i).ReplaceAllUses(w)
		}
		op.Erase()
	}
	return true
}

// among proposes a replacement for each result of op: the first of the candidates that
// has the same type. It returns nil if a result has no such candidate. It also returns
// nil if op is a terminator, has no results, or has regions, because the reducer handles
// such operations in other ways.
func among(op *ir.Op, candidates iter.Seq[*ir.Value]) (vs []*ir.Value) {
	if op.HasTrait(ir.Terminator) || op.NumResults() == 0 || len(op.Regions()) > 0 {
		return nil
	}
	for _, v := range op.Results() {
		found := false
		for w := range candidates {
			if found = w.Type() == v.Type(); found {
				vs = append(vs, w)
				break
			}
		}
		if !found {
			return nil
		}
	}
	return vs
}

// byOperands finds replacements for the results of op, to reduce a program. For each
// result, the replacement is an operand of op or a parameter of the function, with the
// same type. It returns nil if a result has no replacement.
func byOperands(op *ir.Op) []*ir.Value {
	candidates := slices.Clone(op.Operands())
	if f := op.ParentOf(fn.Func); f != nil {
		candidates = append(candidates, fn.Body(f).Args()...)
	}
	return among(op, slices.Values(candidates))
}

// byEarlier returns a replacement for each result of op: a result of an earlier
// operation, in the same block or in an enclosing one. It prefers results in outer
// blocks. These are visible in more operations, so with such replacements more operations
// can be removed later. It returns nil if a result has no replacement.
func byEarlier(op *ir.Op) []*ir.Value {
	var around []*ir.Op
	for at := op; at.Parent() != nil; at = at.Parent() {
		around = append(around, at)
	}
	return among(op, func(yield func(*ir.Value) bool) {
		for _, at := range slices.Backward(around) {
			for before := range at.Block().Ops() {
				if before == at {
					break
				}
				for _, v := range before.Results() {
					if !yield(v) {
						return
					}
				}
			}
		}
	})
}

// attribute identifies an attribute by its operation and its name.
type attribute struct {
	op   *ir.Op
	name string
}

// attributes returns the attributes of operations that can be removed: optional
// attributes, attributes with a default, and attributes that the definition does not
// declare.
func attributes(module *ir.Op) (list []attribute) {
	for op := range module.Walk() {
		for _, d := range op.Def().Attrs {
			if op.HasAttr(d.Name) && (d.Optional || !d.Default.IsZero()) {
				list = append(list, attribute{op, d.Name})
			}
		}
		for _, a := range op.ExtraAttrs() {
			list = append(list, attribute{op, a.Name})
		}
	}
	return list
}

// dropAttributes removes the attributes in a list, the parameter some, from their
// operations. It always returns true, because this change is possible in every program.
func dropAttributes(_ *ir.Op, some []attribute) bool {
	for _, a := range some {
		a.op.SetAttr(a.name, ir.Attr{})
	}
	return true
}
