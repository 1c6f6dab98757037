package reduce

import (
	"iter"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/ir"
)

// stand says which values can stand for the results of an operation: nothing, or
// one for each.
type stand func(op *ir.Op) []*ir.Value

// replaceable are the operations whose results others can stand for.
func (s stand) replaceable(module *ir.Op) (ops []*ir.Op) {
	for op := range module.Walk() {
		if s(op) != nil {
			ops = append(ops, op)
		}
	}
	return ops
}

// replace drops operations and lets other values stand for their results.
func (s stand) replace(_ *ir.Op, some []*ir.Op) bool {
	for _, op := range some {
		for i, w := range s(op) {
			op.Result(i).ReplaceAllUses(w)
		}
		op.Erase()
	}
	return true
}

// among chooses a value of the same type for each result, the first there is.
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

// byOperands lets operands stand for results, or parameters of the function.
func byOperands(op *ir.Op) []*ir.Value {
	candidates := slices.Clone(op.Operands())
	if f := op.ParentOf(fn.Func); f != nil {
		candidates = append(candidates, fn.Body(f).Args()...)
	}
	return among(op, slices.Values(candidates))
}

// byEarlier lets values stand for results that come before, in the same block or
// in one around it. Those of outer blocks come first, since they last longer.
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

type attribute struct {
	op   *ir.Op
	name string
}

// attributes are those that operations can do without.
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

func dropAttributes(_ *ir.Op, some []attribute) bool {
	for _, a := range some {
		a.op.SetAttr(a.name, ir.Attr{})
	}
	return true
}
