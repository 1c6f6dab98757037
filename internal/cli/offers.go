package cli

import (
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower/plan"
	"ptogo/runtime/timing"
)

// offersOf returns the changes that a pass could make to a program, as far as the pass
// itself accepts the program. --timing must not recommend a change that the pass would
// then reject.
func offersOf(prog *kernel.Program) []timing.Offer {
	more := map[*ir.Op]bool{}
	for _, f := range analysis.Reached(prog.Kernels) {
		for _, r := range plan.Rings(f, targetOf(prog)) {
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
	if synchronizes(prog.Kernels) { // which flags of its own would undo
		by = "pto-opt --pto-bufferize --pto-multi-buffer=factor=2 --pto-plan-memory --pto-insert-sync=force=true"
	}
	return []timing.Offer{{Change: "one buffer more", By: by, Options: timing.Options{MoreBuffers: more}}}
}
