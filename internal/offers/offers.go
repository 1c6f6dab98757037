// Package offers lists the changes of a kernel that passes can make and that the timing
// model can predict.
package offers

import (
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/notes"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower/plan"
	"ptogo/runtime/timing"
)

// Of returns the changes of a program that passes can make, for the recommendations of
// --timing. It applies the same conditions as the passes. A pass therefore never rejects
// a recommended change.
func Of(prog *kernel.Program) []timing.Offer {
	more := map[*ir.Op]bool{}
	for _, f := range analysis.Reached(prog.Kernels) {
		for _, r := range plan.Rings(f, prog.Profile()) {
			for u := range r.Alloc.Result(0).Uses() {
				more[u.Owner()] = true
			}
			for op := range r.Loop.Walk() {
				if _, waits := op.Def().Sem.(sem.WaitFlag); waits {
					more[op] = true
				}
			}
		}
	}
	if len(more) == 0 {
		return nil
	}
	by := "pto-opt --pto-multi-buffer=factor=2 --enable-insert-sync"
	if notes.Synchronizes(prog.Kernels) { // which flags of its own would undo
		by = "pto-opt --pto-bufferize --pto-multi-buffer=factor=2 --pto-plan-memory --pto-insert-sync=force=true"
	}
	return []timing.Offer{{Change: "one buffer more", By: by, Options: timing.Options{MoreBuffers: more}}}
}
