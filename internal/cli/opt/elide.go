// This file shortens large constants in printed programs.

package opt

import "ptogo/ir"

// elideLarge replaces dense attributes (constant arrays) with more than n elements by a
// placeholder. Afterwards, the program can only be printed.
func elideLarge(module *ir.Op, n int64) {
	for op := range module.Walk() {
		for _, a := range attributesOf(op) {
			if small, changed := elided(a.Attr, n); changed {
				op.SetAttr(a.Name, small)
			}
		}
	}
}

// attributesOf returns all attributes of op, both those in its definition and
// additional ones.
func attributesOf(op *ir.Op) (all []ir.NamedAttr) {
	for a := range op.OwnAttrs() {
		all = append(all, a)
	}
	return append(all, op.ExtraAttrs()...)
}

// elided returns attribute a with every dense attribute of more than n elements
// replaced by a placeholder, also in nested arrays and dictionaries. changed reports
// whether it replaced one.
func elided(a ir.Attr, n int64) (small ir.Attr, changed bool) {
	switch d := a.Data().(type) {
	case ir.DenseAttr:
		if _, splat := d.Splat(); !splat && elementsOf(d.Type) > n {
			return ir.AttrOf(ir.DenseResourceAttr{Handle: "__elided__", Type: d.Type}), true
		}
	case ir.ArrayAttr:
		elems := d.Elems.Slice()
		for i, e := range elems {
			if s, ok := elided(e, n); ok {
				elems[i], changed = s, true
			}
		}
		if changed {
			return ir.Array(elems...), true
		}
	case ir.DictAttr:
		entries := d.Entries.Slice()
		for i, e := range entries {
			if s, ok := elided(e.Attr, n); ok {
				entries[i].Attr, changed = s, true
			}
		}
		if changed {
			return ir.Dict(entries...), true
		}
	}
	return a, false
}

// elementsOf returns the number of elements of a vector or tensor type whose dimensions
// are constant.
func elementsOf(t ir.Type) int64 {
	switch d := t.Data().(type) {
	case ir.VectorType:
		return d.Shape.Elements()
	case ir.TensorType:
		return d.Shape.Elements()
	}
	return 0
}
