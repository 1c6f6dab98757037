package pto

import (
	"strings"

	"ptogo/ir"
)

// The target profiles. A2 and A3 share one instruction set.
const (
	A2 ir.Target = 1 + iota
	A3
	A5
)

// DefaultProfile is what a program without pto.target_arch is checked for.
const DefaultProfile = A3

// Feature bits that widen what is legal.
const (
	// SoftLib allows operations that a profile computes in a software library.
	SoftLib ir.Features = 1 << iota
)

// ProfileName returns the name of a profile as flags and attributes spell it.
func ProfileName(t ir.Target) string {
	switch t {
	case A2:
		return "a2"
	case A3:
		return "a3"
	case A5:
		return "a5"
	}
	return ""
}

// otherProfiles tells on which profile something is legal.
func otherProfiles(legal func(t ir.Target) bool) string {
	for _, t := range []ir.Target{A3, A5} {
		if legal(t) {
			name := ProfileName(t)
			return "legal on " + name + ", which --pto-arch=" + name + " chooses, or pto.target_arch = \"" + name + "\" of the module"
		}
	}
	return ""
}

// ParseProfile returns the profile for a name; a2a3 is a3.
func ParseProfile(name string) (ir.Target, bool) {
	switch strings.ToLower(name) {
	case "a2":
		return A2, true
	case "a3", "a2a3":
		return A3, true
	case "a5":
		return A5, true
	}
	return 0, false
}

// profileOf reads pto.target_arch of a module, or the name of a device that has
// the profile A5. The module around a whole file always has a profile.
func profileOf(op *ir.Op) ir.Target {
	if !op.HasTrait(ir.SymbolTable) {
		return 0
	}
	if s, ok := op.Attr("pto.target_arch").AsString(); ok {
		if t, ok := ParseProfile(s); ok {
			return t
		}
	}
	if isA5Device(op) {
		return A5
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
		return A5
	}
	t, _ := ParseProfile(profile)
	return t
}

// isA5Device reports whether a module names a device that has the profile A5.
func isA5Device(module *ir.Op) bool {
	s, _ := module.Attr("pto.device-spec").AsString()
	return strings.HasPrefix(s, "Ascend950") || strings.HasPrefix(s, "Ascend910_95")
}

// Profiles is a set of profiles.
type Profiles uint8

// Sets of profiles.
const (
	OnA2A3 Profiles = 1 << iota
	OnA5
	OnAll = OnA2A3 | OnA5
)

// Has reports whether the set contains t, or every profile while none is known
// (t is 0).
func (p Profiles) Has(t ir.Target) bool {
	switch t {
	case 0:
		return p == OnAll
	case A5:
		return p&OnA5 != 0
	}
	return p&OnA2A3 != 0
}
