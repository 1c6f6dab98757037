// This file selects the kernels to run.

package kernel

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// nowhere is the location of errors about the choice of a kernel, which do not belong to
// a line of the program.
var nowhere ir.Loc

// choose returns the kernels whose names are in the comma-separated list names. If names
// is empty, it returns the only kernel of the module. A vector kernel that names contains
// twice is returned twice: it runs on both vector cores. choose reports an error and
// returns nil if a kernel does not exist or the choice is not unique.
func choose(module *ir.Op, names string, diags *ir.Diags) []*ir.Op {
	all := runtime.Kernels(module)
	if names == "" {
		return onlyKernel(all, diags)
	}
	var chosen []*ir.Op
	for _, name := range strings.Split(names, ",") {
		k := kernelNamed(module, all, strings.TrimSpace(name), diags)
		switch {
		case k == nil:
			return nil
		case slices.Contains(chosen, k) && analysis.UnitOf(k) != sem.VectorUnit:
			diags.Error(k.Loc(), "kernel '"+fn.Name(k)+"' is named twice, but a block has one core for it").
				Note(nowhere, "a kernel for vector cores (pto.kernel_kind<vector>) can be named twice: it then runs on both vector cores")
			return nil
		}
		chosen = append(chosen, k)
	}
	if n := analysis.VectorEntries(chosen); n > sem.VectorCores {
		diags.Error(nowhere, fmt.Sprintf("--kernel names %d kernels for vector cores, but a block has %d vector cores", n, sem.VectorCores))
		return nil
	}
	return chosen
}

// onlyKernel checks that a program has exactly one kernel. The parameter all contains the
// kernels of the program. If there is exactly one, onlyKernel returns the list unchanged.
// Otherwise it reports an error and returns nil.
func onlyKernel(all []*ir.Op, diags *ir.Diags) []*ir.Op {
	switch len(all) {
	case 0:
		noKernel(diags)
		return nil
	case 1:
		return all
	}
	diags.Error(nowhere, "there are several kernels; choose one by name (--kernel), or A,B to launch a cube and a vector kernel together").
		Note(nowhere, "kernels: "+strings.Join(kernelNames(all), ", "))
	return nil
}

// noKernel reports the error that a file contains no kernel, with a note that shows an
// example.
func noKernel(diags *ir.Diags) {
	diags.Error(nowhere, "there is no kernel in this file").
		Note(nowhere, "a kernel is a function with a body: func.func @name(%x: !pto.ptr<f32>) attributes {pto.kernel} { ... return }")
}

// kernelNamed returns the kernel with the given name. If it does not exist, kernelNamed
// reports an error that suggests a similar name, and returns nil.
func kernelNamed(module *ir.Op, all []*ir.Op, name string, diags *ir.Diags) *ir.Op {
	names := kernelNames(all)
	if i := slices.Index(names, name); i >= 0 {
		return all[i]
	}
	for _, f := range fn.Functions(module) { // a private function can be run if the user names it
		if fn.Name(f) == name && fn.Body(f) != nil {
			return f
		}
	}
	if len(all) == 0 {
		noKernel(diags)
		return nil
	}
	d := diags.Error(nowhere, "there is no kernel '"+name+"'")
	if near := ir.Nearest(name, names); near != "" {
		d.Note(nowhere, "did you mean '"+near+"'?")
	} else {
		d.Note(nowhere, "kernels: "+strings.Join(names, ", "))
	}
	return nil
}

// kernelNames returns the symbol names of the kernels.
func kernelNames(kernels []*ir.Op) []string {
	names := make([]string, len(kernels))
	for i, k := range kernels {
		names[i] = fn.Name(k)
	}
	return names
}
