// This file defines the pass canonicalize and its patterns for values.

package passes

import (
	"slices"
	"sync"

	"ptogo/ir"
)

// Canonicalize rewrites operations to their simplest form. It has the options and the
// defaults of MLIR's pass of the same name, so that MLIR pipelines run unchanged.
var Canonicalize = &Pass{
	Name:  "canonicalize",
	Title: "Canonicalizer",
	Doc:   "Folds constants, applies the rewrite patterns of the operation definitions, and removes dead operations.",
	Options: []Option{
		{Name: "disable-patterns", Doc: "names of the rewrite patterns that the pass does not apply; the default is none", Kind: words},
		{Name: "enable-patterns", Doc: "names of the rewrite patterns that the pass applies; the default is all patterns", Kind: words},
		{Name: "max-iterations", Doc: "maximum number of times to visit all operations; -1 means no limit", Kind: Number, Default: "10"},
		{Name: "max-num-rewrites", Doc: "maximum number of changes in one iteration; -1 means no limit", Kind: Number, Default: "-1"},
		{Name: "region-simplify", Doc: "whether to simplify blocks and block arguments; aggressive means the same as normal", Kind: Word, Default: "normal",
			Choices: []string{"disabled", "normal", "aggressive"}},
		{Name: "test-convergence", Doc: "report an error if the last permitted iteration still changed the program", Kind: Flag, Default: "false"},
		{Name: "top-down", Doc: "visit operations from the first to the last; if false, in the reverse order", Kind: Flag, Default: "true"},
	},
	Stats: []Stat{
		{"num-folded", "operations replaced by constants or by other values"},
		{"num-removed", "dead operations removed"},
		{"num-rewrites", "rewrite patterns applied"},
	},
	Run: canonicalize,
}

// canonicalize applies folds and patterns until nothing changes. As in MLIR,
// running out of iterations is an error only with test-convergence. Patterns that
// undo each other are always an error, whose message names them.
func canonicalize(c *Context, op *ir.Op) error {
	how := Rewrite{
		Patterns:      selectPatterns(canonicalPatterns(), c.List("enable-patterns"), c.List("disable-patterns")),
		Fold:          true,
		MaxIterations: int(c.Int("max-iterations")),
		MaxRewrites:   int(max(0, c.Int("max-num-rewrites"))),
		BottomUp:      !c.Bool("top-down"),
	}
	if how.MaxIterations == 0 {
		return nil
	}
	if c.Text("region-simplify") != "disabled" {
		how.Between = func() bool { return simplifyRegions(op) }
	}
	res := c.Apply(op, how)
	c.Count("num-folded", res.Folded)
	c.Count("num-removed", res.Removed)
	c.Count("num-rewrites", res.Applied)
	if !res.Converged && (c.Bool("test-convergence") || res.Endless) {
		return res.Err()
	}
	return nil
}

// canonicalPatterns returns the rewrite patterns of all definitions and the patterns for
// control flow. The list is created only once, because creating it builds every operation
// definition.
var canonicalPatterns = sync.OnceValue(func() []ir.Pattern {
	var ps []ir.Pattern
	for _, dialect := range ir.Dialects() {
		for _, def := range dialect.All() {
			for _, p := range def.Rewrites {
				if p.On == nil {
					p.On = def
				}
				ps = append(ps, p)
			}
			ps = append(ps, controlPatterns(def)...)
		}
	}
	return ps
})

// selectPatterns returns the patterns in ps that the options select: those named in
// enable, or all if enable is empty, without those named in disable.
func selectPatterns(ps []ir.Pattern, enable, disable []string) []ir.Pattern {
	if len(enable) == 0 && len(disable) == 0 {
		return ps
	}
	return slices.DeleteFunc(slices.Clone(ps), func(p ir.Pattern) bool {
		return len(enable) > 0 && !slices.Contains(enable, p.Name) || slices.Contains(disable, p.Name)
	})
}
