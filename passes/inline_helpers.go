// This file defines the pass pto-inline-libcall.

package passes

import (
	"math"

	"ptogo/dialect/fn"
	"ptogo/ir"
)

// helperMark is the attribute of helper functions that frontends generate for a kernel.
const helperMark = "pto.tilelang.inline_proc"

// InlineHelpers is the pass pto-inline-libcall. It replaces the calls of helper functions
// that frontends generate.
var InlineHelpers = &Pass{
	Name:   "pto-inline-libcall",
	Title:  "PTOInlineLibCall",
	Doc:    "Replaces calls of functions with the attribute " + helperMark + " by their bodies, and removes these functions.",
	Anchor: "builtin.module",
	Stats:  []Stat{{"num-inlined", "calls replaced"}},
	Run: func(c *Context, module *ir.Op) error {
		in := newInliner(c, module)
		in.most, in.marked = math.MaxInt64, helperMark
		for _, f := range fn.Functions(module) {
			in.function(f)
		}
		removeUnreached(module, func(op *ir.Op) bool { return isPrivate(op) && op.HasAttr(helperMark) })
		return nil
	},
}
