// This file writes programs in the formats of --emit.

package opt

import (
	"ptogo/codegen/cpp"
	"ptogo/codegen/llvm"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower/ptoas"
)

// elideLarge replaces dense attributes (constant arrays) with more than n elements by a
// placeholder. Afterwards, the program can only be printed.
func elideLarge(module *ir.Op, n int64) {
	for op := range module.Walk() {
		for a := range op.AllAttrs() {
			if small, changed := elided(a.Attr, n); changed {
				op.SetAttr(a.Name, small)
			}
		}
	}
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

// emitKinds lists the output formats of --emit.
var emitKinds = []string{"mlir", "pto-as", "llvm", "cpp"}

// write prints the program in the output format that --emit selects. It returns false
// after an error.
func (t *optTool) write(module *ir.Op, diags *ir.Diags) bool {
	if t.flags.memoryMap.form != "" {
		return t.flags.memoryMap.write(t, module, diags)
	}
	switch t.flags.emit {
	case "pto-as":
		return ptoas.WriteAS(t.out, module, diags)
	case "cpp":
		_, inserted := t.flags.sync.modes()
		return cpp.Emit(t.out, module, cpp.Options{Target: t.target, Launch: t.flags.cppLaunch, EndBarrier: inserted != ""}, diags)
	case "llvm":
		return kernel.Lower(module, t.target, t.features, diags) && llvm.Emit(t.out, module, llvm.Options{Target: t.target, MostInstructions: t.MostInstructions()}, diags)
	}
	if t.unnamed {
		module.SetAttr(targetArch, ir.Attr{})
	}
	if n := t.flags.elideLarger; n > 0 {
		elideLarge(module, n)
	}
	ir.Print(t.out, module, t.printOptions())
	return true
}

// printOptions returns the options with which the program is printed.
func (t *optTool) printOptions() ir.PrintOptions {
	return ir.PrintOptions{Generic: t.flags.generic, DebugInfo: t.flags.debugInfo, Users: t.flags.users, Unique: t.flags.unique, Sequential: t.flags.passes.sequential}
}
