// This file defines the pass that removes locations.

package passes

import "ptogo/ir"

// StripDebugInfo removes the locations of all operations.
var StripDebugInfo = &Pass{
	Name:  "strip-debuginfo",
	Title: "StripDebugInfo",
	Doc:   "Removes the source locations of all operations.",
	Run: func(_ *Context, op *ir.Op) error {
		for o := range op.Walk() {
			o.SetLoc(ir.Loc{})
		}
		return nil
	},
}
