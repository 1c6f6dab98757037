// This file orders the operations of a block.

package vector

import (
	"slices"

	"ptogo/dialect/pto"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/ir"
	"ptogo/passes"
)

// node is an operation of a block, with its dependences.
type node struct {
	op *ir.Op
	// index is the position in the block.
	index int
	// preds and succs are the nodes that must precede or follow, with delays.
	preds, succs []edge
	// height is the number of cycles from the issue of the operation to the issue of the
	// last operation that depends on it.
	height float64
	// start is the earliest cycle in which the operation can be issued.
	start float64
	// waits is the number of operations that must precede it and are not in the order yet.
	waits int
	// counts reports that the vector unit executes the operation.
	counts bool
}

// edge is a dependence: the number of cycles between the issue of two operations.
type edge struct {
	to    *node
	delay float64
}

// graph contains the operations of a block except its terminator.
type graph struct{ nodes []*node }

// class is how an operation takes part in the order of accesses.
type class uint8

const (
	// free operations access no memory.
	free class = iota
	loads
	stores
	// fixed operations keep their order with all operations that are not free.
	fixed
)

// classOf returns the class of op.
func classOf(op *ir.Op) class {
	if r, ok := reaches.Run(nil, op); ok {
		return r.class
	}
	if op.Is(isasync.MemBar) || !op.HasTrait(ir.Pure) && !op.HasTrait(ir.ConstantLike) {
		return fixed
	}
	return free
}

// newGraph returns the dependences between the operations of the block b.
func newGraph(b *ir.Block, clock passes.Clock) *graph {
	g := &graph{}
	made := map[*ir.Op]*node{}
	var ordered []*node
	spans := map[*node]bytes{}
	for op := range b.Ops() {
		if op == b.Terminator() {
			break
		}
		n := &node{op: op, index: len(g.nodes)}
		n.counts = pto.InfoOf(op.Def()) != nil
		made[op] = n
		g.nodes = append(g.nodes, n)
		for _, v := range op.Operands() {
			if from := made[v.Op()]; v.Op() != nil && from != nil {
				delay := 0.0
				if from.counts && n.counts {
					delay = clock.Delay(from.op, op)
				}
				from.precedes(n, delay)
			}
		}
		c := classOf(op)
		if c == free {
			continue
		}
		spans[n] = bytesOf(op)
		for _, e := range ordered {
			if mayReorder(classOf(e.op), c) || classOf(e.op) != fixed && c != fixed && spans[e].apart(spans[n]) {
				continue
			}
			e.precedes(n, 0)
		}
		ordered = append(ordered, n)
	}
	for _, n := range slices.Backward(g.nodes) {
		for _, e := range n.succs {
			n.height = max(n.height, e.delay+e.to.height)
		}
	}
	return g
}

// mayReorder reports whether operations of two classes can always change places.
func mayReorder(a, b class) bool { return a == loads && b == loads }

// precedes adds a dependence of m on n.
func (n *node) precedes(m *node, delay float64) {
	n.succs = append(n.succs, edge{m, delay})
	m.preds = append(m.preds, edge{n, delay})
	m.waits++
}

// ops returns the operations in the order of the block.
func (g *graph) ops() []*ir.Op {
	var ops []*ir.Op
	for _, n := range g.nodes {
		ops = append(ops, n.op)
	}
	return ops
}

// perCycle is the assumed number of instructions that the vector unit issues per cycle.
const perCycle = 3

// order returns the operations in a new order. It repeatedly takes an operation that
// depends on no remaining operation. Among those that can be issued by now, it takes the
// one with the longest chain of dependent operations. While few registers are left, it
// prefers operations that need no additional register.
func (g *graph) order(b *ir.Block) []*ir.Op {
	live := newLive(b, g.ops())
	var ready []*node
	for _, n := range g.nodes {
		if n.waits == 0 {
			ready = append(ready, n)
		}
	}
	var order []*ir.Op
	issued := 0
	for len(ready) > 0 {
		now := float64(issued) / perCycle
		best := ready[0]
		for _, n := range ready[1:] {
			if n.before(best, now, live) {
				best = n
			}
		}
		ready = slices.DeleteFunc(ready, func(n *node) bool { return n == best })
		order = append(order, best.op)
		live.execute(best.op)
		if best.counts {
			issued++
		}
		start := max(best.start, now)
		for _, e := range best.succs {
			e.to.start = max(e.to.start, start+e.delay)
			if e.to.waits--; e.to.waits == 0 {
				ready = append(ready, e.to)
			}
		}
	}
	return order
}

// fewLeft is the number of unused registers from which on the order saves registers.
const fewLeft = 3

// before reports whether the order takes n before m at the time now.
func (n *node) before(m *node, now float64, l *live) bool {
	a, b := l.growth(n.op), l.growth(m.op)
	if l.now.vectors > vectorRegisters-fewLeft && a.vectors != b.vectors {
		return a.vectors < b.vectors
	}
	if l.now.masks >= maskRegisters && a.masks != b.masks {
		return a.masks < b.masks
	}
	if x, y := max(n.start, now), max(m.start, now); x != y {
		return x < y
	}
	if n.height != m.height {
		return n.height > m.height
	}
	return n.index < m.index
}

// live counts the registers in use while operations of a block execute.
type live struct {
	now pressure
	// peak is the number of registers in use while the last operation executed.
	peak pressure
	// uses is the number of remaining uses of each value.
	uses map[*ir.Value]int
}

// newLive returns the state before the operations ops of the block b. Values from outside
// of the block remain in registers, also those that later operations need.
func newLive(b *ir.Block, ops []*ir.Op) *live {
	l := &live{uses: map[*ir.Value]int{}}
	inside := map[*ir.Value]bool{}
	for _, v := range b.Args() {
		inside[v] = true
	}
	for _, op := range ops {
		for _, v := range op.Operands() {
			l.uses[v]++
		}
		for _, v := range op.Results() {
			inside[v] = true
		}
	}
	if end := b.Terminator(); end != nil {
		for _, v := range end.Operands() {
			l.uses[v]++
		}
	}
	for v := range outsideOf(b) {
		l.uses[v]++ // so that it stays
		l.now.add(v, 1)
	}
	for _, v := range b.Args() {
		if l.uses[v] > 0 {
			l.now.add(v, 1)
		}
	}
	return l
}

// outsideOf returns the values of enclosing blocks, up to the vector function, that are in
// use while the block b executes.
func outsideOf(b *ir.Block) map[*ir.Value]bool {
	all := map[*ir.Value]bool{}
	for op := b.Parent(); op.Block() != nil && !pto.IsVectorFunction(op); op = op.Block().Parent() {
		outer := op.Block()
		keep := func(v *ir.Value) {
			for u := range v.Uses() {
				user := u.Owner()
				for user != nil && user.Block() != outer {
					user = user.Parent()
				}
				if user != nil && (user == op || op.Before(user)) {
					all[v] = true
					return
				}
			}
		}
		for _, v := range outer.Args() {
			keep(v)
		}
		for o := outer.First(); o != nil && o != op; o = o.Next() {
			for _, v := range o.Results() {
				keep(v)
			}
		}
	}
	return all
}

// growth returns how many more registers are in use after op.
func (l *live) growth(op *ir.Op) pressure {
	var p pressure
	for _, v := range op.Results() {
		if l.uses[v] > 0 {
			p.add(v, 1)
		}
	}
	for i, v := range op.Operands() {
		if slices.Index(op.Operands(), v) == i && l.uses[v] == count(op, v) {
			p.add(v, -1)
		}
	}
	return p
}

// count returns how often op uses v.
func count(op *ir.Op, v *ir.Value) int {
	n := 0
	for _, o := range op.Operands() {
		if o == v {
			n++
		}
	}
	return n
}

// execute updates the registers in use for the execution of op.
func (l *live) execute(op *ir.Op) {
	for _, v := range op.Operands() {
		if l.uses[v]--; l.uses[v] == 0 {
			l.now.add(v, -1)
		}
	}
	for _, v := range op.Results() {
		l.now.add(v, 1)
	}
	l.peak = l.now
	for _, v := range op.Results() {
		if l.uses[v] == 0 {
			l.now.add(v, -1)
		}
	}
}
