// This file extends live ranges in fusion regions.

package plan

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// span is a range of program points in the control flow graph, from the first to the last
// one.
type span struct{ from, to int }

// keepInRegions extends live ranges that begin or end in a pto.fusion_region to the whole
// region. The instructions of a region share a loop later, so a tile that one of them no
// longer needs in one round may be read in the next one.
func (p *memoryPlan) keepInRegions() {
	regions := map[*ir.Op]*span{}
	for i, point := range p.points {
		if point.op == nil {
			continue
		}
		if r := fusionRegionOf(point.op); r != nil {
			if regions[r] == nil {
				regions[r] = &span{i, i}
			}
			regions[r].to = i
		}
	}
	for _, r := range p.allocations {
		for _, s := range regions {
			if s.from <= r.from && r.from <= s.to {
				r.from = s.from
			}
			if s.from <= r.to && r.to <= s.to {
				r.to = s.to
			}
		}
	}
}

// fusionRegionOf returns the fusion region that contains op, or nil.
func fusionRegionOf(op *ir.Op) *ir.Op {
	for op = op.Parent(); op != nil; op = op.Parent() {
		if s, ok := op.Def().Sem.(sem.Scope); ok && s.Kind == sem.FusionRegion {
			return op
		}
	}
	return nil
}
