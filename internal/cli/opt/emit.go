// This file writes programs in the formats of --emit.

package opt

import (
	"io"

	"ptogo/codegen/cpp"
	"ptogo/codegen/llvm"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower/ptoas"
)

// writeLLVM lowers the program and writes it as LLVM IR. The lowering assigns tiles that
// are values (Level 1) to buffers. writeLLVM returns false if the lowering or the writing
// has reported an error.
func (t *optTool) writeLLVM(module *ir.Op, diags *ir.Diags) bool {
	o := llvm.Options{Target: t.target(module), Features: t.features(module), MostInstructions: t.MostInstructions()}
	return kernel.Lower(module, o.Target, o.Features, diags) && llvm.Emit(t.out, module, o, diags)
}

// writeCpp writes the program as C++ that calls the public tile library. It reports
// whether this succeeded.
func (t *optTool) writeCpp(w io.Writer, module *ir.Op, diags *ir.Diags) bool {
	_, inserted := t.flags.sync.modes()
	return cpp.Emit(w, module, cpp.Options{Target: t.target(module), Launch: t.flags.cppLaunch, EndBarrier: inserted != ""}, diags)
}

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
		return t.writeCpp(t.out, module, diags)
	case "llvm":
		return t.writeLLVM(module, diags)
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
