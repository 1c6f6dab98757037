// This file defines the attribute that controls the barrier at the end of a kernel.

package pto

import (
	"slices"
	"strings"

	"ptogo/ir"
)

// tailHintAttr says what ends a kernel whose synchronization is inserted. Here a
// kernel ends when all its instructions have, so it is for the C++ alone.
const tailHintAttr = "pto.auto_sync_tail_hint"

// The values of tailHintAttr that the public compiler knows, in small letters and
// with hyphens.
var (
	tailAll    = []string{"barrier-all", "default"}
	tailStores = []string{"mte3-to-s-event0", "setwait-mte3-to-s-event0"}
)

// WaitsForStoresOnly reports whether function f asks that a kernel ends by waiting
// for its stores to global memory, with a flag from MTE3 to the scalar unit, in
// place of a barrier of all pipes.
func WaitsForStoresOnly(f *ir.Op) bool {
	return slices.Contains(tailStores, tailHint(f.Attr(tailHintAttr)))
}

func tailHint(a ir.Attr) string {
	s, _ := a.AsString()
	return strings.ReplaceAll(strings.ToLower(s), "_", "-")
}

func verifyTailHint(op *ir.Op, a ir.Attr, v *ir.Verifier) {
	if s := tailHint(a); !slices.Contains(tailAll, s) && !slices.Contains(tailStores, s) {
		v.Errorf(op, "attribute \"%s\" must be \"barrier-all\" or \"mte3-to-s-event0\", but is %s", tailHintAttr, a)
	}
}
