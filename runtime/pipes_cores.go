// This file splits a mixed kernel into a cube core and a vector core for random
// schedules.

package runtime

import (
	"ptogo/ir"
)

// A function that contains work for both core types but no sections (analysis.Mixed) is
// executed once, in program order. With Options.Seed, it runs on a cube core and on a
// vector core instead. Each has its own pipes and scalar unit, so that only signals order
// the two cores, as on a device. The vector core represents both vector cores of its
// block: it raises the signals of both.

// onOwnCore returns a step that executes s only on the kind of core, such as vector
// cores, that executes op on a device. On all other cores, the step does nothing. If the
// launch does not simulate each core separately (p.divide is false), onOwnCore returns s
// itself.
func (p *planner) onOwnCore(op *ir.Op, s step) step {
	if !p.divide || s == nil {
		return s
	}
	if u := p.unitFor(op); u != anyUnit {
		return onlyOn(u, s)
	}
	return s
}
