// This file lets results reuse the memory of operands.

package plan

import (
	"slices"

	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// moveIn lets the results of elementwise instructions in memory space s reuse the bytes
// of an operand whose live range ends at the instruction. It returns those of the given
// allocations that still need bytes of their own.
func (p *memoryPlan) moveIn(s sem.Space, allocations []*allocation) []*allocation {
	for n := range p.points {
		op := p.points[n].op
		if op == nil || !analysis.InPlace(op) {
			continue
		}
		if dst := p.sole(op, ir.Out); dst != nil && dst.space == s {
			p.takeOver(op, n, dst)
		}
	}
	return slices.DeleteFunc(slices.Clone(allocations), func(r *allocation) bool { return r.host != nil })
}

// takeOver lets the allocation dst, a tile that op writes, use the bytes of an operand of
// op. This is possible if the live range of dst starts at program point n and the operand
// is not needed after n. The tile types of dst and of the operand must be equal. Each
// element of the result then has the address of the corresponding operand element, and op
// reads this element before it overwrites it.
func (p *memoryPlan) takeOver(op *ir.Op, n int, dst *allocation) {
	if dst.host != nil || dst.from != n || dst.fixed || dst.always {
		return
	}
	for i, a := range op.Form().Operands {
		from, to := op.ArgRange(i)
		if a.Role != ir.In || to != from+1 {
			continue
		}
		src := p.whole(op.Operand(from))
		if src == nil || src == dst || src.fixed || src.always || src.op.Result(0).Type() != dst.op.Result(0).Type() || p.named(op, src) > 1 {
			continue
		}
		host := src
		for host.host != nil {
			host = host.host
		}
		if src.to == n && host.to == n {
			dst.host, host.to = host, dst.to
			p.c.Count("num-in-place", 1)
			return
		}
	}
}

// whole returns the allocation of the value v if v is a whole tile. It returns nil if v
// is a view of a tile or not a tile at all.
func (p *memoryPlan) whole(v *ir.Value) *allocation {
	if r := p.held[v].sole(); r != nil && r.op.Result(0) == v {
		return r
	}
	return nil
}

// sole returns the allocation of the operand of op with the given role, if this operand
// is a whole tile. The result is nil if op has no such operand or several, if the operand
// is only a region of a tile, or if op has a scratch operand.
func (p *memoryPlan) sole(op *ir.Op, role ir.Role) *allocation {
	var v *ir.Value
	for i, a := range op.Form().Operands {
		from, to := op.ArgRange(i)
		switch {
		case from == to:
		case a.Role == ir.Scratch:
			return nil
		case a.Role != role:
		case v != nil || to != from+1:
			return nil
		default:
			v = op.Operand(from)
		}
	}
	if v == nil {
		return nil
	}
	return p.whole(v)
}

// named counts the operands of op whose storage can be the allocation r. A value can have
// several possible allocations, because control flow determines which tile it refers to.
func (p *memoryPlan) named(op *ir.Op, r *allocation) int {
	times := 0
	for _, v := range op.Operands() {
		if p.held[v].mayHold(r) {
			times++
		}
	}
	return times
}
