// This file writes maps of local memory (--memory-map).

package cli

import (
	"fmt"

	"ptogo/ir"
	"ptogo/lower/plan"
)

// memoryMapForms are how pto-opt writes a map of local memory.
var memoryMapForms = []string{"text", "json", "svg"}

// writeMemoryMap writes the addresses of tiles in local memory.
func (t *optTool) writeMemoryMap(module *ir.Op) bool {
	m := plan.MapMemory(module, t.target(module))
	switch t.flags.memoryMap {
	case "json":
		t.out.Write(m.JSON())
	case "svg":
		fmt.Fprint(t.out, m.SVG())
	default:
		fmt.Fprint(t.out, m.Text())
	}
	return true
}
