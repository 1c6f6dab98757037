// This file selects the target profile of a program.

package pto

import (
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// DefaultProfile is the profile for programs without pto.target_arch.
const DefaultProfile = sem.A3

// Feature bits that widen what is legal.
const (
	// SoftLib permits operations that a profile computes in a software library.
	SoftLib ir.Features = 1 << iota
	// LooseScratch turns errors about scratch tiles into warnings.
	LooseScratch
)

// otherProfiles lists the profiles on which something is legal, for the note of an
// error.
func otherProfiles(legal func(t ir.Target) bool) string {
	for _, t := range []ir.Target{sem.A3, sem.A5} {
		if legal(t) {
			name := sem.ProfileName(t)
			return "legal on " + name + ", which --pto-arch=" + name + " chooses, or pto.target_arch = \"" + name + "\" of the module"
		}
	}
	return ""
}

// profileOf reads pto.target_arch of a module, or the name of a device that has
// the profile A5. The module around a whole file always has a profile.
func profileOf(op *ir.Op) ir.Target {
	if !op.HasTrait(ir.SymbolTable) {
		return 0
	}
	if s, ok := op.Attr("pto.target_arch").AsString(); ok {
		if t, ok := sem.ParseProfile(s); ok {
			return t
		}
	}
	if isA5Device(op) {
		return sem.A5
	}
	if op.Parent() == nil {
		return DefaultProfile
	}
	return 0
}

// ChosenTarget returns the profile that a user requests, or 0 for that of the program. A
// program for an A5 device needs A5 regardless of the request.
func ChosenTarget(module *ir.Op, profile string) ir.Target {
	if isA5Device(module) {
		return sem.A5
	}
	t, _ := sem.ParseProfile(profile)
	return t
}

// isA5Device reports whether a module names a device that has the profile A5.
func isA5Device(module *ir.Op) bool {
	s, _ := module.Attr("pto.device-spec").AsString()
	return strings.HasPrefix(s, "Ascend950") || strings.HasPrefix(s, "Ascend910_95")
}
