// This file defines sets of target profiles.

package sem

import (
	"strings"

	"ptogo/ir"
)

// The targets (chip families) for which programs are compiled. A2 and A3 have the same
// instruction set.
const (
	A2 ir.Target = 1 + iota
	A3
	A5
)

// ProfileName returns the name of a target in command-line options and attributes, such
// as "a2".
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

// ParseProfile returns the target with the given name, ignoring case. a2a3 means A3. The
// bool result is false if the name is unknown.
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

// Profiles is a set of targets, in which A2 and A3 are one element because their
// instruction sets are equal.
type Profiles uint8

// The sets of targets that definitions of instructions use.
const (
	OnA2A3 Profiles = 1 << iota
	OnA5
	OnAll = OnA2A3 | OnA5
)

// Has reports whether the set contains t. If t is 0, the unknown target, it returns true
// only if the set contains all targets.
func (p Profiles) Has(t ir.Target) bool {
	switch t {
	case 0:
		return p == OnAll
	case A5:
		return p&OnA5 != 0
	}
	return p&OnA2A3 != 0
}
