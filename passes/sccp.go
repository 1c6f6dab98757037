// This file defines sparse conditional constant propagation.

package passes

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// SCCP replaces values that are constant on all paths that can be executed (sparse
// conditional constant propagation).
var SCCP = &Pass{
	Name:  "sccp",
	Title: "SCCP",
	Doc:   "Sparse conditional constant propagation: replaces a value by a constant if all reachable paths compute that constant.",
	Stats: []Stat{{"num-constants", "values replaced by constants"}},
	Run: func(c *Context, op *ir.Op) error {
		for o := range op.Walk() {
			if len(o.Regions()) > 0 && o.HasTrait(ir.IsolatedFromAbove) && !o.HasTrait(ir.GraphRegion) {
				newPropagation(o).run(c)
			}
		}
		return nil
	},
}

// fact is what the analysis knows about a value, an element of the lattice of constants:
// unknown (the zero fact), one constant, or varying.
type fact struct {
	attr   ir.Attr
	varies bool
}

// known reports whether the analysis has reached the value. The value is then constant,
// or it is known to vary.
func (f fact) known() bool { return f.varies || !f.attr.IsZero() }

// propagation implements the algorithm of Wegman and Zadeck for one isolated operation.
// It starts with the optimistic assumption that no block is executed and all values are
// unknown. Then it follows control from the entry until no fact changes any more.
type propagation struct {
	root *ir.Op
	// facts maps each value to the information about it.
	facts map[*ir.Value]fact
	// runs are the blocks that control can reach.
	runs map[*ir.Block]bool
	// blocks are reached blocks that have not been processed.
	blocks []*ir.Block
	// ops are operations to process again, because a fact about an operand changed.
	ops []*ir.Op
	// queued is the set of the operations in ops.
	queued map[*ir.Op]bool
}

// newPropagation returns the initial state, in which control reaches the entry blocks of
// the regions of root. The arguments of these blocks count as not constant, because the
// callers are not known.
func newPropagation(root *ir.Op) *propagation {
	p := &propagation{root: root, facts: map[*ir.Value]fact{}, runs: map[*ir.Block]bool{}, queued: map[*ir.Op]bool{}}
	for _, r := range root.Regions() {
		p.enter(r.Entry(), nil, nil)
	}
	return p
}

// run processes the worklists until they are empty, which determines the values that are
// constant in every execution. It then replaces the uses of each of these values by a
// constant operation.
func (p *propagation) run(c *Context) {
	for len(p.blocks)+len(p.ops) > 0 {
		if n := len(p.blocks); n > 0 {
			b := p.blocks[n-1]
			p.blocks = p.blocks[:n-1]
			for op := range b.Ops() {
				p.visit(op)
			}
			continue
		}
		op := p.ops[len(p.ops)-1]
		p.ops = p.ops[:len(p.ops)-1]
		delete(p.queued, op)
		p.visit(op)
	}
	p.replace(c)
}

// enter records that control can reach block b, and which values its arguments then have.
// The parameter to lists arguments of b, and from lists the values that they receive, in
// the same order. All other arguments of b count as varying.
func (p *propagation) enter(b *ir.Block, to, from []*ir.Value) {
	if b == nil {
		return
	}
	given := make([]bool, len(b.Args()))
	for i, a := range to {
		if a.Block() == b && !given[a.Index()] {
			given[a.Index()] = true
			p.learn(a, p.fact(from[i]))
		}
	}
	for i, a := range b.Args() {
		if !given[i] {
			p.learn(a, fact{varies: true})
		}
	}
	if !p.runs[b] {
		p.runs[b] = true
		p.blocks = append(p.blocks, b)
	}
}

// fact returns what the analysis knows about the value v. If it knows nothing yet, the
// result is the zero fact.
func (p *propagation) fact(v *ir.Value) fact { return p.facts[v] }

// learn merges a fact into the information about v. Two different constants make v
// varying. If the information changes, the analysis must process the users of v once
// more.
func (p *propagation) learn(v *ir.Value, f fact) {
	old := p.facts[v]
	if !f.known() || old.varies || old == f {
		return
	}
	if old.known() {
		f = fact{varies: true}
	}
	p.facts[v] = f
	for u := range v.Uses() {
		op := u.Owner()
		if op.Block() != nil && p.runs[op.Block()] && !p.queued[op] {
			p.queued[op] = true
			p.ops = append(p.ops, op)
		}
	}
}

// visit processes an operation that control reaches: it updates the facts about its
// results and determines which regions or blocks control reaches next.
func (p *propagation) visit(op *ir.Op) {
	switch {
	case op.HasTrait(ir.IsolatedFromAbove) && len(op.Regions()) > 0:
		p.vary(op.Results()) // its regions have a propagation of their own
	case len(op.Regions()) > 0:
		p.around(op)
	case len(op.Successors()) > 0:
		p.jump(op)
	case op.HasTrait(ir.Terminator):
		p.leave(op)
	default:
		p.compute(op)
	}
}

// vary marks values as varying, that is, not constant.
func (p *propagation) vary(vs []*ir.Value) {
	for _, v := range vs {
		p.learn(v, fact{varies: true})
	}
}

// compute evaluates an operation with the known facts about its operands, and records the
// facts about its results.
func (p *propagation) compute(op *ir.Op) {
	if op.NumResults() == 0 {
		return
	}
	if a, ok := arith.ConstantAttr(op.Result(0)); ok && op.NumResults() == 1 {
		p.learn(op.Result(0), fact{attr: a})
		return
	}
	in := make([]ir.Attr, op.NumOperands())
	for i, v := range op.Operands() {
		f := p.fact(v)
		if !f.known() {
			return // the operation is processed again when the operand is known
		}
		in[i] = f.attr
	}
	if op.Def().Fold == nil || !IsPure(op) {
		p.vary(op.Results())
		return
	}
	folded := op.Def().Fold(op, in)
	for i, v := range op.Results() {
		// A result that does not fold varies.
		f := fact{varies: true}
		if i < len(folded) {
			switch r := folded[i]; {
			case r.Value != nil:
				f = p.fact(r.Value)
			case !r.Const.IsZero() && r.Const.ValueType() == v.Type():
				f = fact{attr: r.Const}
			}
		}
		p.learn(v, f)
	}
}

// jump records that control reaches the successors that a terminator can select, given
// the fact about its operand.
func (p *propagation) jump(op *ir.Op) {
	succs := op.Successors()
	goals := span(len(succs))
	if len(succs) > 1 && len(controlPatterns(op.Def())) > 0 {
		f := p.fact(op.Operand(0))
		if !f.known() {
			return
		}
		if _, bits, ok := f.attr.NumberBits(); ok {
			goals = []int{jumpGoal(op, bits)}
		}
	}
	for _, i := range goals {
		// Without a definition of the operands that a successor receives, all its
		// arguments vary.
		if op.Def().SuccOperands == nil {
			p.enter(succs[i], nil, nil)
			continue
		}
		from, to := op.SuccRange(i)
		p.enter(succs[i], succs[i].Args(), op.Operands()[from:to])
	}
}

// span returns the list 0, 1, ..., n-1.
func span(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// around records what control can reach after op: the entry blocks of those regions of op
// that control can enter, and the code after op if control can skip the regions.
func (p *propagation) around(op *ir.Op) {
	flows, known := Flows(op)
	if !known {
		p.vary(op.Results())
		for _, r := range op.Regions() {
			p.enter(r.Entry(), nil, nil)
		}
		return
	}
	// A branch with a constant condition enters only the region that the condition
	// selects.
	only := noRegion
	if isBranch(op) {
		f := p.fact(op.Operand(0))
		if !f.known() {
			return
		}
		if n, ok := f.attr.AsInt(); ok {
			only = branchTaken(op, n)
		}
	}
	for _, f := range flows {
		if f.From == op && (only == noRegion || f.Region == only || f.Region == Leaving) {
			p.follow(op, f)
		}
	}
}

// isBranch reports whether op runs exactly one of its regions, which its first operand
// selects.
func isBranch(op *ir.Op) bool {
	return op.Def().Sem == scf.TwoWay || op.Def().Sem == scf.ManyWay
}

// leave processes end, the terminator of a region. It marks the code to which control can
// continue as reachable, and passes the operands of end to this code.
func (p *propagation) leave(end *ir.Op) {
	parent := end.Parent()
	if parent == p.root {
		return
	}
	flows, _ := Flows(parent)
	for _, f := range flows {
		if f.From == end {
			p.follow(parent, f)
		}
	}
}

// follow processes the flow f, in which control passes operands to other values, such as
// block arguments. It merges the facts about each operand into the value that receives
// the operand.
func (p *propagation) follow(op *ir.Op, f Flow) {
	from := f.From.Operands()
	from = from[min(f.First, len(from)):]
	to := f.To[:min(len(f.To), len(from))]
	if f.Region != Leaving {
		p.enter(op.Region(f.Region).Entry(), to, from)
		return
	}
	for i, v := range to {
		p.learn(v, p.fact(from[i]))
	}
}

// replace replaces the uses of constant values by constants, and erases the
// operations that become dead.
func (p *propagation) replace(c *Context) {
	consts, rw := newConstants(), &ir.Rewriter{}
	var computed []*ir.Op
	for op := range p.root.Walk() {
		if op == p.root {
			continue
		}
		if isConstant(op) {
			consts.keep(op)
			continue
		}
		computed = append(computed, op)
	}
	for _, op := range computed {
		p.replaceAll(c, consts, rw, op, op.Results())
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				p.replaceAll(c, consts, rw, op, b.Args())
			}
		}
	}
	for _, r := range p.root.Regions() {
		for b := range r.Blocks() {
			if first := b.First(); first != nil {
				p.replaceAll(c, consts, rw, first, b.Args())
			}
		}
	}
	// In reverse order, so that an operation whose users are erased first becomes
	// dead in time.
	for _, op := range slices.Backward(computed) {
		if p.runs[op.Block()] && p.settled(op) && IsDead(op) {
			op.Erase()
		}
	}
}

// settled reports whether op has results and all of them are known constants.
func (p *propagation) settled(op *ir.Op) bool {
	for _, v := range op.Results() {
		if f := p.fact(v); f.attr.IsZero() {
			return false
		}
	}
	return op.NumResults() > 0
}

// replaceAll replaces the uses of those values in vs for which the analysis has found a
// constant. Each replacement is the result of a constant operation that dominates op. If
// consts, the set of existing constants, does not contain this operation, the rewriter rw
// creates it.
func (p *propagation) replaceAll(c *Context, consts *constants, rw *ir.Rewriter, op *ir.Op, vs []*ir.Value) {
	for _, v := range vs {
		f := p.fact(v)
		if f.varies || f.attr.IsZero() || !v.HasUses() {
			continue
		}
		if k := consts.get(rw, op, f.attr, v.Type()); k != nil {
			v.ReplaceAllUses(k)
			c.Count("num-constants", 1)
		}
	}
}
