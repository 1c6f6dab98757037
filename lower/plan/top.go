// This file warns about tiles at the end of the unified buffer.

package plan

import (
	"fmt"

	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// WarnTop warns about tiles to which the program assigns addresses near the end of vec
// memory (the unified buffer). The pass pto-plan-memory does not use the last part of
// this memory, because some devices corrupt it; the function usable returns the size of
// the other part.
func WarnTop(module *ir.Op, target ir.Target, diags *ir.Diags) {
	for op := range module.Walk() {
		b, ok := analysis.PlacedBytes(op)
		t := target
		if t == 0 {
			t = ir.TargetOf(op)
		}
		if !ok || b.Space != sem.UB || b.To <= usable(sem.UB, t) {
			continue
		}
		text := fmt.Sprintf("'%s' op uses bytes %d..%d of vec, but kernels on %s should use only the first %d KiB",
			op.Name(), b.From, b.To-1, sem.ProfileName(t), usable(sem.UB, t)>>10)
		diags.Add(ir.Warning, op.Loc(), text).As(ir.CodeRule).
			Note(ir.Loc{}, "some devices silently corrupt memory past this address (pto-isa issue 170, pypto issue 1804)")
	}
}
