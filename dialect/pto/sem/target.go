// This file defines sets of target profiles.

package sem

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

// Profiles is a set of profiles.
type Profiles uint8

// Sets of profiles.
const (
	OnA2A3 Profiles = 1 << iota
	OnA5
	OnAll = OnA2A3 | OnA5
)

// Has reports whether the set contains t. If the profile is unknown (t is 0), it returns
// true.
func (p Profiles) Has(t ir.Target) bool {
	switch t {
	case 0:
		return p == OnAll
	case A5:
		return p&OnA5 != 0
	}
	return p&OnA2A3 != 0
}
