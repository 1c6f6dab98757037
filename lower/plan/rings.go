// This file keeps rings of buffers apart from other tiles of their loops.

package plan

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// widenRings extends the live range of each ring of buffers (pto.alloc_multi_tile) to the
// loops that use it. Iterations of such a loop overlap in time: if two rings shared bytes,
// an iteration would have to wait for the previous one. widenRings returns a function that
// restores the live ranges, or nil if no range has changed.
func (p *memoryPlan) widenRings(allocations []*allocation) (narrow func()) {
	loops := map[*ir.Op]*[2]int{}
	users := map[*allocation][]*ir.Op{}
	for _, r := range allocations {
		if r.fixed || r.always || !ir.Is[pto.MultiTileBuf](r.op.Result(0).Type()) {
			continue
		}
		for _, e := range r.events {
			if loop := loopAround(p.points[e.point].op); loop != nil {
				users[r] = append(users[r], loop)
				loops[loop] = &[2]int{len(p.points), -1}
			}
		}
	}
	if len(loops) == 0 {
		return nil
	}
	for n := range p.points {
		for op := p.points[n].op; op != nil; op = op.Parent() {
			if b := loops[op]; b != nil {
				b[0], b[1] = min(b[0], n), max(b[1], n)
			}
		}
	}
	was := map[*allocation][2]int{}
	for r, used := range users {
		was[r] = [2]int{r.from, r.to}
		for _, loop := range used {
			r.from, r.to = min(r.from, loops[loop][0]), max(r.to, loops[loop][1])
		}
	}
	return func() {
		for r, w := range was {
			r.from, r.to = w[0], w[1]
		}
	}
}

// loopAround returns the innermost loop that contains op, or nil.
func loopAround(op *ir.Op) *ir.Op {
	for ; op != nil; op = op.Parent() {
		if op.Is(scf.For) || op.Is(scf.While) {
			return op
		}
	}
	return nil
}
