// This file selects the target profile of a program.

package pto

import (
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// DefaultProfile is the target of programs without attribute pto.target_arch.
const DefaultProfile = sem.A3

// Optional features, as bits. SoftLib and LooseScratch permit programs that are otherwise
// rejected, and Strict rejects programs that are otherwise permitted.
const (
	// SoftLib permits operations that the target does not have and that a software
	// library computes.
	SoftLib ir.Features = 1 << iota
	// LooseScratch turns errors about scratch tiles (tiles for intermediate values) into
	// warnings.
	LooseScratch
	// Strict turns warnings about what devices reject into errors.
	Strict
)

// WarnRejected reports a use of op that pto-run executes, and that the NPU headers or the
// hardware of the target reject: as a warning, or as an error if the feature Strict is on.
func WarnRejected(op *ir.Op, v *ir.Verifier, format string, args ...any) *ir.Diag {
	if v.Features&Strict != 0 {
		return v.Errorf(op, format, args...)
	}
	return v.Warnf(op, format, args...)
}

// DeviceForms is the attribute of modules whose program was written against the device
// library, such as those that are read from C++. Their instructions may have forms that the
// headers of the library have, but that tests of the public compiler refuse.
const DeviceForms = "pto.device_forms"

// OnlyInLibrary returns the message msg about such a form of op, or "" if the module accepts
// these forms.
func OnlyInLibrary(op *ir.Op, msg string) string {
	if op.Root().HasAttr(DeviceForms) {
		return ""
	}
	return msg + " (only the device library has this form; attribute " + DeviceForms + " of the module accepts it)"
}

// otherProfiles returns the note of an error that names the targets on which a construct
// is legal, or "" if it is legal on none.
func otherProfiles(legal func(t ir.Target) bool) string {
	for _, t := range []ir.Target{sem.A3, sem.A5} {
		if legal(t) {
			name := sem.ProfileName(t)
			return "legal on " + name + ", which --pto-arch=" + name + " chooses, or pto.target_arch = \"" + name + "\" of the module"
		}
	}
	return ""
}

// profileOf returns the target of op if op is a module, and 0 for all other operations.
// For a module, there are four cases. If the attribute pto.target_arch names a target,
// the result is this target. If the module names a device of A5, the result is A5. If it
// names neither, the result is DefaultProfile for the outermost module and 0 for an inner
// module.
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

// ChosenTarget returns the target that the user has chosen by its name, the parameter
// profile. It returns 0 if the name is unknown or empty; 0 means the target of the
// program. If the module names a device of A5, the result is A5 regardless of the user's
// choice.
func ChosenTarget(module *ir.Op, profile string) ir.Target {
	if isA5Device(module) {
		return sem.A5
	}
	t, _ := sem.ParseProfile(profile)
	return t
}

// isA5Device reports whether the module names, in attribute pto.device-spec, a device
// with target A5.
func isA5Device(module *ir.Op) bool {
	s, _ := module.Attr("pto.device-spec").AsString()
	return strings.HasPrefix(s, "Ascend950") || strings.HasPrefix(s, "Ascend910_95")
}
