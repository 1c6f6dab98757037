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

// LaunchLike finds the launch in a module that corresponds to a kernel of another version
// of the program. A launch is the name of a kernel, or the names of a cube kernel and a
// vector kernel that run together, separated by a comma. LaunchLike returns the launch
// with the same name or, if the kernel was split, that of its two parts. If there is
// none, and the module has only one launch, it returns this launch. In all other cases it
// returns name.
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
