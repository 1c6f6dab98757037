package cli

import (
	"fmt"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/internal/example"
	"ptogo/ir"
)

// explain prints the reference page of an instruction.
func (t *optTool) explain(name string) int {
	full := name
	if !strings.Contains(name, ".") || ir.Lookup(name) == nil {
		full = "pto." + name
	}
	def := ir.Lookup(full)
	if def == nil || pto.InfoOf(def) == nil {
		names := make([]string, len(pto.Dialect.Defs))
		for i, d := range pto.Dialect.Defs {
			names[i] = d.Name
		}
		if near := ir.Nearest(full, names); near != "" {
			return t.fail("there is no instruction '%s': did you mean '%s'?", name, near)
		}
		return t.fail("there is no instruction '%s'", name)
	}
	fmt.Fprint(t.streams.out, pto.Reference(def, example.Spellings(def)))
	return exitOK
}
