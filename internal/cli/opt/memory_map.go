// This file writes maps of local memory (--memory-map).

package opt

import (
	"fmt"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/jsonform"
	"ptogo/internal/playground"
	"ptogo/internal/version"
	"ptogo/ir"
	"ptogo/lower/plan"
	"ptogo/web"
)

// memoryMapForms are the formats in which pto-opt writes the addresses of tiles in
// local memory.
var memoryMapForms = []string{"text", "json", "svg", "html"}

// memoryMapMode writes the addresses of tiles in local memory instead of the program, in a
// format of memoryMapForms.
type memoryMapMode struct{ form string }

// write writes the addresses of tiles in local memory, in the format that
// --memory-map selects. It returns false after an error.
func (m *memoryMapMode) write(t *optTool, module *ir.Op, diags *ir.Diags) bool {
	tiles := plan.MapMemory(module, t.target)
	switch m.form {
	case "json":
		t.out.Write(jsonform.MemoryMap(tiles))
	case "svg":
		fmt.Fprint(t.out, tiles.SVG())
	case "html":
		return writeMemoryDocument(t, module, tiles, diags)
	default:
		fmt.Fprint(t.out, tiles.Text())
	}
	return true
}

// writeMemoryDocument writes the addresses of tiles together with the program as an HTML
// document. It returns false after an error.
func writeMemoryDocument(t *optTool, module *ir.Op, m *plan.MemoryMap, diags *ir.Diags) bool {
	r := &playground.Report{Tool: version.Text(), Target: sem.ProfileName(t.target), Memory: jsonform.MemoryMap(m)}
	for _, f := range fn.Functions(module) {
		if src, _ := f.Loc().Source(); src != nil {
			r.File, r.Program = ir.Visible(src.Name), src.Text
		}
	}
	text, err := web.Report(r)
	if err != nil {
		diags.Error(module.Loc(), err.Error())
		return false
	}
	t.out.Write(text)
	return true
}
