// This file selects the target profile of a program.

package pto

import (
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// DefaultProfile is what a program without pto.target_arch is checked for.
const DefaultProfile = sem.A3

// Feature bits that widen what is legal.
const (
	// SoftLib allows operations that a profile computes in a software library.
	SoftLib ir.Features = 1 << iota
	// LooseScratch makes what is wrong with scratch tiles a warning.
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

// ChosenTarget returns the profile that a user asks for, or 0 for what the
// program says. A program for a device of A5 needs A5 whatever is asked for.
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
