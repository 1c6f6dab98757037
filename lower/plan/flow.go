// This file builds the control flow graph on which live ranges are computed.

package plan

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// flowPoint is a point of the control flow graph of a function at which allocations may
// be used.
type flowPoint struct {
	// op is nil at the start of a block and after an operation with regions.
	op *ir.Op
	// succs are the indices of the points that can follow.
	succs []int
}

// flow builds the points of the control flow graph of the function. Then it computes in
// which allocations each value may be stored, and records where allocations are used or
// overwritten.
func (p *memoryPlan) flow() {
	b := &flowBuilder{p: p, at: map[*ir.Op]int{}, entry: map[*ir.Block]int{}, to: map[*ir.Value][]*ir.Value{}}
	b.region(p.f.Region(0))
	p.store(b.to)
	for i := range p.points {
		p.events(i)
	}
	p.settle()
}

// flowBuilder builds the points of the control flow graph of a function, and the edges
// between them.
type flowBuilder struct {
	p *memoryPlan
	// at is the index of the point of each operation.
	at map[*ir.Op]int
	// entry is the index of the first point of each block.
	entry map[*ir.Block]int
	// to maps a value to the values that may have the same storage afterwards.
	to map[*ir.Value][]*ir.Value
}

// newPoint appends a point for op with an edge from point prev, and returns its index. A
// negative prev means that the point has no predecessor.
func (b *flowBuilder) newPoint(op *ir.Op, prev int) int {
	b.p.points = append(b.p.points, flowPoint{op: op})
	n := len(b.p.points) - 1
	if prev >= 0 {
		b.link(prev, n)
	}
	return n
}

// link records that control can go from the point in the parameter from to the point in
// the parameter to.
func (b *flowBuilder) link(from, to int) {
	b.p.points[from].succs = append(b.p.points[from].succs, to)
}

// region adds the program points of a region to the control flow graph, in program order.
// It returns the indices of the last points of blocks without a terminator; from these
// points, control leaves the region.
func (b *flowBuilder) region(r *ir.Region) (open []int) {
	var jumps []*ir.Op
	for blk := range r.Blocks() {
		last := b.newPoint(nil, -1)
		b.entry[blk] = last
		for op := range blk.Ops() {
			last = b.op(op, last)
		}
		switch end := blk.Terminator(); {
		case end == nil:
			open = append(open, last)
		case len(end.Successors()) > 0:
			jumps = append(jumps, end)
		}
	}
	// Jumps are linked at the end, because a jump can go to a later block, whose
	// entry point does not exist before.
	for _, end := range jumps {
		for i, s := range end.Successors() {
			from, to := end.SuccRange(i)
			b.link(b.at[end], b.entry[s])
			b.pass(end.Operands()[from:to], s.Args())
		}
	}
	return open
}

// op builds the points of the operation op, which follow the point with index prev. It
// returns the index of the last of these points.
func (b *flowBuilder) op(op *ir.Op, prev int) int {
	// An operation on scalars cannot use an allocation, so it needs no point.
	if len(op.Regions()) == 0 && !op.HasTrait(ir.Terminator) && !carriesStorage(op) {
		return prev
	}
	n := b.newPoint(op, prev)
	b.at[op] = n
	if len(op.Regions()) > 0 {
		return b.around(op, n)
	}
	if op.HasTrait(ir.Terminator) {
		return n
	}
	for _, r := range op.Results() {
		if isCarrier(r.Type()) {
			b.passAll(op.Operands(), r)
		}
	}
	if _, scale := op.Def().Sem.(sem.ScaleAddress); scale { // the tile dst is then at the address of the scales of src
		b.passAll([]*ir.Value{op.Arg("src")}, op.Arg("dst"))
	}
	return n
}

// around builds the points of the operation op, which has regions, and returns the index
// of the point that follows op.
func (b *flowBuilder) around(op *ir.Op, before int) int {
	var open []int
	for _, r := range op.Regions() {
		open = append(open, b.region(r)...)
	}
	after := b.newPoint(nil, -1)
	flows, known := passes.Flows(op)
	for _, f := range flows {
		from, to := before, after
		if f.From != op {
			from = b.at[f.From]
		}
		if f.Region != passes.Leaving {
			if op.Region(f.Region).Empty() {
				continue
			}
			to = b.entry[op.Region(f.Region).Entry()]
		}
		b.link(from, to)
		b.pass(f.From.Operands()[min(f.First, f.From.NumOperands()):], f.To)
	}
	if !known {
		b.anyOrder(op, before, after)
	}
	for _, n := range open {
		b.link(n, after)
		for _, r := range op.Regions() { // the region may run again
			b.link(n, b.entry[r.Entry()])
		}
	}
	return after
}

// anyOrder adds edges as if the regions of op could run in any order, and as if every
// value could become every result and argument. It is used for operations with unknown
// control flow. before and after are the points that precede and follow op.
func (b *flowBuilder) anyOrder(op *ir.Op, before, after int) {
	from, values := []int{before}, op.Operands()
	for _, r := range op.Regions() {
		for blk := range r.Blocks() {
			if end := blk.Terminator(); end != nil && len(end.Successors()) == 0 {
				from, values = append(from, b.at[end]), append(values, end.Operands()...)
			}
		}
	}
	b.receive(values, op.Results())
	for _, r := range op.Regions() {
		if !r.Empty() {
			b.receive(values, r.Entry().Args())
		}
	}
	for _, n := range from {
		b.link(n, after)
		for _, r := range op.Regions() {
			if !r.Empty() {
				b.link(n, b.entry[r.Entry()])
			}
		}
	}
}

// receive records that control flow can pass any of the given values to each value in the
// list to. The values in the list to may therefore be stored in the same memory as the
// given values.
func (b *flowBuilder) receive(values, to []*ir.Value) {
	for _, v := range to {
		b.passAll(values, v)
	}
}

// pass records that control flow copies values: each value in the list from is copied to
// the value with the same index in the list to.
func (b *flowBuilder) pass(from, to []*ir.Value) {
	for i := range min(len(from), len(to)) {
		b.passAll(from[i:i+1], to[i])
	}
}

// passAll records that one value may be stored in the same memory as any value in the
// list from. The parameter to is this value.
func (b *flowBuilder) passAll(from []*ir.Value, to *ir.Value) {
	for _, v := range from {
		if isCarrier(v.Type()) {
			b.to[v] = append(b.to[v], to)
		}
	}
}

// carriesStorage reports whether op has an operand or result that gives access to memory.
func carriesStorage(op *ir.Op) bool {
	for i := range op.NumOperands() {
		if isCarrier(op.Operand(i).Type()) {
			return true
		}
	}
	for i := range op.NumResults() {
		if isCarrier(op.Result(i).Type()) {
			return true
		}
	}
	return false
}

// isCarrier reports whether values of type t give access to memory: tiles, pointers,
// views and handles of asynchronous operations.
func isCarrier(t ir.Type) bool {
	return pto.SpaceOf(t) != sem.NoSpace || ir.Is[pto.Handle](t)
}
