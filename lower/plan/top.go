// This file warns about tiles at the end of the unified buffer.

package plan

import (
	"fmt"

	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// WarnTop warns about tiles to which the program assigns addresses near the end of vec
// memory (the unified buffer). Some devices corrupt this end of the memory. The pass
// pto-plan-memory therefore uses only the first bytes of vec, as many as the function
// usable returns.
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
