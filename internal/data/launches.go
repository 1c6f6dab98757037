package data

import (
	"slices"
	"strings"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// Launches returns the launches that a module permits. Each is a text with the names of
// the kernels that are launched together: a kernel and, if it exists, its counterpart for
// the other type of core. The counterpart is the only other kernel, or a kernel whose
// name differs only in its suffix.
func Launches(module *ir.Op) []string {
	var names []string
	kernels := runtime.Kernels(module)
	for _, k := range kernels {
		names = append(names, fn.Name(k))
	}
	if len(kernels) == 2 && analysis.UnitOf(kernels[0])|analysis.UnitOf(kernels[1]) == sem.AnyUnit && analysis.UnitOf(kernels[0]) != sem.AnyUnit && analysis.UnitOf(kernels[1]) != sem.AnyUnit {
		return []string{names[0] + "," + names[1]}
	}
	var all []string
	for _, name := range names {
		all = append(all, name)
		for _, ending := range pairs {
			if stem, ok := strings.CutSuffix(name, ending[1]); ok && slices.Contains(names, stem+ending[0]) {
				all = all[:len(all)-1] // with the cube kernel
			}
			if stem, ok := strings.CutSuffix(name, ending[0]); ok && slices.Contains(names, stem+ending[1]) {
				all[len(all)-1] += "," + stem + ending[1]
			}
		}
	}
	return all
}

// pairs lists the name suffixes of a cube kernel and the vector kernel that is launched
// together with it: those of pto-split-cores, and those of a public frontend.
var pairs = [][2]string{{"_cube", "_vector"}, {"_aic", "_aiv"}}

// LaunchLike returns the names of the kernels in a module that correspond to a kernel in
// another version of the program, separated by commas. The parameter name is the name of
// the kernel in the other version. The result is a kernel of the same name, or the cube
// kernel and the vector kernel into which it was split. If the module has neither, the
// result is the only launch of the module. If the module has several launches, the result
// is the parameter name unchanged.
func LaunchLike(module *ir.Op, name string) string {
	all := Launches(module)
	for _, l := range all {
		if l == name || l == name+"_cube,"+name+"_vector" {
			return l
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return name
}
