package cli

import (
	"fmt"
	"slices"

	"ptogo/ir"
	"ptogo/lower/plan"
)

// memoryMapForms are how pto-opt writes a map of local memory.
var memoryMapForms = []string{"text", "json", "svg"}

// writeMemoryMap writes where tiles lie in local memory.
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

// memoryMapSteps adds the passes that give tiles their addresses, where the user names none of them: programs
// whose tiles are values have nowhere to lie before.
func memoryMapSteps(steps []passStep) []passStep {
	at := func(name string) int {
		return slices.IndexFunc(steps, func(p passStep) bool { return p.pass.Name == name })
	}
	const bufferize, plan = "pto-bufferize", "pto-plan-memory"
	if at(bufferize) < 0 {
		before := at(plan)
		if before < 0 {
			before = len(steps)
		}
		steps = slices.Insert(steps, before, passStep{registry.Lookup(bufferize), ""})
	}
	if at(plan) < 0 {
		steps = append(steps, passStep{registry.Lookup(plan), ""})
	}
	return steps
}
