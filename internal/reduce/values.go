package reduce

import (
	"slices"

	fn "ptogo/dialect/func"
	"ptogo/ir"
)

// forwards are the operations whose results could be one of their operands, or a
// parameter of the function, for all who use them.
func forwards(module *ir.Op) (ops []*ir.Op) {
	for op := range module.Walk() {
		if instead(op) != nil {
			ops = append(ops, op)
		}
	}
	return ops
}

// instead are the values that can stand for the results of an operation, or nil.
func instead(op *ir.Op) (vs []*ir.Value) {
	if op.HasTrait(ir.Terminator) || op.NumResults() == 0 || len(op.Regions()) > 0 {
		return nil
	}
	for _, v := range op.Results() {
		candidates := op.Operands()
		if f := op.ParentOf(fn.Func); f != nil {
			candidates = append(candidates, fn.Body(f).Args()...)
		}
		i := slices.IndexFunc(candidates, func(w *ir.Value) bool { return w.Type() == v.Type() })
		if i < 0 {
			return nil
		}
		vs = append(vs, candidates[i])
	}
	return vs
}

// forward drops operations and lets an operand stand for each result.
func forward(_ *ir.Op, some []*ir.Op) bool {
	for _, op := range some {
		for i, w := range instead(op) {
			op.Result(i).ReplaceAllUses(w)
		}
		op.Erase()
	}
	return true
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
