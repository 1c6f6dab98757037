// This file defines the attribute that controls the barrier at the end of a kernel.

package pto

import (
	"slices"
	"strings"

	"ptogo/ir"
)

// tailHintAttr is the attribute that selects how a kernel waits for its instructions at
// its end. It only affects generated C++; in the simulator, a kernel always ends when all
// its instructions have ended.
const tailHintAttr = "pto.auto_sync_tail_hint"

// The values of attribute pto.auto_sync_tail_hint that the public compiler accepts, after
// conversion to lower case and with hyphens as separators. The values in tailAll select a
// barrier of all pipes at the end of a kernel. The values in tailStores select a wait for
// stores only.
var (
	tailAll    = []string{"barrier-all", "default"}
	tailStores = []string{"mte3-to-s-event0", "setwait-mte3-to-s-event0"}
)

// WaitsForStoresOnly reports whether function f requests that a kernel ends with a wait
// for its stores to global memory, by a flag from MTE3 to the scalar unit, instead of a
// barrier of all pipes.
func WaitsForStoresOnly(f *ir.Op) bool {
	return slices.Contains(tailStores, tailHint(f.Attr(tailHintAttr)))
}

// tailHint returns the value of the string attribute a in lower case and with hyphens
// instead of underscores, because programs use several forms of the same hint.
func tailHint(a ir.Attr) string {
	s, _ := a.AsString()
	return strings.ReplaceAll(strings.ToLower(s), "_", "-")
}

// verifyTailHint reports an error if the value of attribute pto.auto_sync_tail_hint is
// unknown.
func verifyTailHint(op *ir.Op, a ir.Attr, v *ir.Verifier) {
	if s := tailHint(a); !slices.Contains(tailAll, s) && !slices.Contains(tailStores, s) {
		v.Errorf(op, "attribute \"%s\" must be \"barrier-all\" or \"mte3-to-s-event0\", but is %s", tailHintAttr, a)
	}
}
