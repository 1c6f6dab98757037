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

// Launches returns, for each launch, the names of the kernels of a module that are
// launched together: a kernel, and its counterpart for the other core type if there is
// one. The counterpart is the only other kernel, or the one whose name differs only in
// its suffix.
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

// pairs are the name suffixes of a cube kernel and a vector kernel that are launched
// together: those of our pass that splits kernels, and those of a public frontend.
var pairs = [][2]string{{"_cube", "_vector"}, {"_aic", "_aiv"}}

// LaunchLike returns the kernels of a module to launch as the counterpart of the kernel
// called name in another program: the kernel of the same name, the cube and vector
// kernels that a pass has split it into, or the only launch of the module. If there is
// none of these it returns name.
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
