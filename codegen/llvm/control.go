// This file emits control flow as LLVM blocks with phi instructions.

package llvm

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/arith"
	"ptogo/dialect/cf"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// join is an LLVM block at which several control flow edges meet. It has a phi
// instruction for each value that depends on the edge.
type join struct {
	block *llir.Block
	// vs are the values of the program that the phi instructions define.
	vs   []*ir.Value
	phis []*llir.InstPhi
}

// newJoin returns a join that defines the program values vs by phi instructions. The
// parameter name is the name of its LLVM block. The join has no incoming edge yet.
func (f *function) newJoin(name string, vs []*ir.Value) *join {
	j := &join{block: f.NewBlock(name), vs: vs}
	for _, v := range vs {
		ts, _ := partsOf(v.Type())
		for _, t := range ts {
			j.phis = append(j.phis, &llir.InstPhi{Typ: t})
		}
	}
	return j
}

// arrive adds an edge from the current block to the join j, a block with phi
// instructions. Along this edge, phi instruction i receives the value xs[i].
func (f *function) arrive(j *join, xs []value.Value) {
	for i := range j.phis {
		ll.AddIncoming(j.phis[i], xs[i], f.Block)
	}
}

// reach emits a jump from the current block to the join. The parameter xs contains the
// values of the phi instructions of the join for this jump.
func (f *function) reach(j *join, xs []value.Value) {
	f.arrive(j, xs)
	f.code.Jump(j.block)
}

// start makes the block of the join j the current block, to which the following
// instructions are added. If the join has no predecessor, it is unreachable and its
// values are poison.
func (f *function) start(j *join) {
	f.Enter(j.block)
	all := make([]value.Value, len(j.phis))
	for i, p := range j.phis {
		all[i] = ll.Poison(p.Typ)
		if len(p.Incs) > 0 {
			f.Do(p)
			all[i] = p
		}
	}
	for i, p := range splitParts(all, j.vs) {
		f.set(j.vs[i], p...)
	}
}

// control emits an operation of the scf dialect (structured control flow), or the
// terminator of a region of such an operation.
func (f *function) control(op *ir.Op, kind scf.Control) {
	switch kind {
	case scf.CountedLoop:
		f.countedLoop(op)
	case scf.ConditionalLoop:
		f.conditionalLoop(op)
	case scf.TwoWay:
		f.twoWay(op)
	case scf.ManyWay:
		f.manyWay(op)
	case scf.Once:
		done := f.newJoin("done", op.Results())
		f.inside(op.Region(0), nil, func(end *ir.Op) { f.reach(done, f.all(end.Operands())) })
		f.start(done)
	case scf.Leave, scf.Decide:
		f.leave[len(f.leave)-1](op)
	default:
		f.unsupported(op)
	}
}

// inside emits the region r with the values args as its block arguments. The function
// leave emits the code for each operation at which control leaves the region, such as
// scf.yield. Its parameter end is this operation.
func (f *function) inside(r *ir.Region, args []value.Value, leave func(end *ir.Op)) {
	f.leave = append(f.leave, leave)
	f.region(r, args)
	f.leave = f.leave[:len(f.leave)-1]
	if f.Block != nil { // what ends it could not be written
		f.End(llir.NewUnreachable())
	}
}

// region emits the blocks of a region, whose entry block has the arguments args. Each
// block is emitted after its dominators; unreachable blocks are omitted.
func (f *function) region(r *ir.Region, args []value.Value) {
	entry := r.Entry()
	for i, p := range splitParts(args, entry.Args()) {
		f.set(entry.Arg(i), p...)
	}
	if entry == r.Last() {
		f.ops(entry)
		return
	}
	saved := f.blocks
	f.blocks = map[*ir.Block]*join{}
	order := reversePostorder(entry)
	for _, b := range order {
		f.blocks[b] = f.newJoin("bb", b.Args())
	}
	f.reach(f.blocks[entry], args)
	heads := loopHeads(order)
	for _, b := range order {
		f.start(f.blocks[b])
		if heads[b] && b.First() != nil {
			f.mark(b.First())
		}
		f.ops(b)
		if f.Block != nil { // what ends it could not be written
			f.End(llir.NewUnreachable())
		}
	}
	f.blocks = saved
}

// reversePostorder returns the blocks reachable from entry in reverse postorder.
func reversePostorder(entry *ir.Block) []*ir.Block {
	seen := map[*ir.Block]bool{}
	var out []*ir.Block
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		if seen[b] {
			return
		}
		seen[b] = true
		if last := b.Last(); last != nil {
			for _, s := range last.Successors() {
				visit(s)
			}
		}
		out = append(out, b)
	}
	visit(entry)
	slices.Reverse(out)
	return out
}

// loopHeads returns the blocks that are targets of back edges. The parameter order lists
// the blocks in reverse postorder.
func loopHeads(order []*ir.Block) map[*ir.Block]bool {
	heads, passed := map[*ir.Block]bool{}, map[*ir.Block]bool{}
	for _, b := range order {
		passed[b] = true
		if last := b.Last(); last != nil {
			for _, s := range last.Successors() {
				heads[s] = heads[s] || passed[s]
			}
		}
	}
	return heads
}

// jumpTo emits a terminator of the cf dialect: a branch, a conditional branch or a
// switch.
func (f *function) jumpTo(op *ir.Op, kind cf.Jump) {
	type edge struct {
		block *llir.Block
		to    *join
		xs    []value.Value
	}
	targets := make([]*llir.Block, len(op.Successors()))
	reached := make(map[*llir.Block]bool, len(targets))
	var edges []edge
	for i, b := range op.Successors() {
		from, to := op.SuccRange(i)
		j, xs := f.blocks[b], f.all(op.Operands()[from:to])
		if targets[i] = j.block; !reached[j.block] {
			reached[j.block] = true
			f.arrive(j, xs)
			continue
		}
		// LLVM knows a way in by the block it comes from, so a second way from
		// here needs a block of its own.
		targets[i] = f.NewBlock("edge")
		edges = append(edges, edge{targets[i], j, xs})
	}
	switch kind {
	case cf.Always:
		f.code.Jump(targets[0])
	case cf.ByCondition:
		f.Branch(f.val(op.Operand(0)), targets[0], targets[1])
	case cf.ByValue:
		f.SwitchOn(f.val(op.Operand(0)), targets[0], cf.CaseValues(op), targets[1:])
	}
	for _, e := range edges {
		f.Enter(e.block)
		f.reach(e.to, e.xs)
	}
}

// branchOf emits a region of an scf operation. The parameter done is the join after the
// operation, a block with phi instructions. The terminator of the region becomes a jump
// to this block, which receives the yielded values.
func (f *function) branchOf(r *ir.Region, done *join) {
	if r.Empty() {
		f.reach(done, nil)
		return
	}
	f.inside(r, nil, func(end *ir.Op) { f.reach(done, f.all(end.Operands())) })
}

// twoWay emits scf.if. If the condition is a constant, it emits only the region that is
// executed, because the region that is not executed may contain unsupported operations.
func (f *function) twoWay(op *ir.Op) {
	done := f.newJoin("if.end", op.Results())
	if c, ok := arith.ConstantInt(op.Operand(0)); ok {
		only := op.Region(0)
		if c == 0 {
			only = op.Region(1)
		}
		f.branchOf(only, done)
		f.start(done)
		return
	}
	then, otherwise := f.NewBlock("if"), f.NewBlock("if.else")
	f.Branch(f.val(op.Operand(0)), then, otherwise)
	f.Enter(then)
	f.branchOf(op.Region(0), done)
	f.Enter(otherwise)
	f.branchOf(op.Region(1), done)
	f.start(done)
}

// manyWay emits scf.index_switch as an LLVM switch with a block for each case. The
// operation executes the region of one case.
func (f *function) manyWay(op *ir.Op) {
	done := f.newJoin("switch.end", op.Results())
	var cases []uint64
	for _, c := range scf.Cases(op) {
		cases = append(cases, uint64(c))
	}
	blocks := make([]*llir.Block, len(op.Regions()))
	for i := range blocks {
		blocks[i] = f.NewBlock("case")
	}
	f.SwitchOn(f.val(op.Operand(0)), blocks[0], cases, blocks[1:])
	for i, r := range op.Regions() {
		f.Enter(blocks[i])
		f.branchOf(r, done)
	}
	f.start(done)
}

// countedLoop emits scf.for. A step that is zero or negative is a fault (llvm.trap).
func (f *function) countedLoop(op *ir.Op) {
	lower, upper, step := f.val(op.Operand(0)), f.val(op.Operand(1)), f.val(op.Operand(2))
	if n, ok := ll.ConstantInt(step); !ok || n <= 0 {
		f.TrapIf(f.ICmp(enum.IPredSLE, step, f.Int(step, 0)))
	}
	entry := op.Region(0).Entry()
	head, body, done := f.newJoin("for", entry.Args()), f.NewBlock("for.body"), f.newJoin("for.end", op.Results())
	f.reach(head, append([]value.Value{lower}, f.all(op.Operands()[3:])...))
	f.start(head)
	i := f.val(entry.Arg(0))
	f.arrive(done, f.all(entry.Args()[1:]))
	f.Branch(f.ICmp(enum.IPredSLT, i, upper), body, done.block)
	f.Enter(body)
	f.inside(op.Region(0), f.all(entry.Args()), func(end *ir.Op) {
		carried := f.all(end.Operands())
		next := f.advance(i, step, done, carried)
		f.reach(head, append([]value.Value{next}, carried...))
	})
	f.start(done)
}

// advance emits the increment of the loop counter i by step, and returns the new value.
// If the addition overflows, the loop must end, because the exact sum exceeds every upper
// bound. For this case, the emitted code contains a jump to the end of the loop (done),
// which passes the values in the list carried. A step of 1 cannot overflow, because i is
// below the upper bound.
func (f *function) advance(i, step value.Value, done *join, carried []value.Value) value.Value {
	next := llir.NewAdd(i, step)
	f.Do(next)
	if n, ok := ll.ConstantInt(step); ok && n == 1 {
		next.OverflowFlags = []enum.OverflowFlag{enum.OverflowFlagNSW}
		return next
	}
	on := f.NewBlock("for.next")
	f.arrive(done, carried)
	f.Branch(f.ICmp(enum.IPredSLT, next, i), done.block, on)
	f.Enter(on)
	return next
}

// conditionalLoop emits scf.while: a loop that evaluates its condition region before each
// iteration of its body.
func (f *function) conditionalLoop(op *ir.Op) {
	before, after := op.Region(0), op.Region(1)
	head := f.newJoin("while", before.Entry().Args())
	body := f.NewBlock("while.body")
	done := f.newJoin("while.end", op.Results())
	f.reach(head, f.all(op.Operands()))
	f.start(head)
	var passed []value.Value
	f.inside(before, f.all(before.Entry().Args()), func(end *ir.Op) {
		passed = f.all(end.Operands()[1:])
		f.arrive(done, passed)
		f.Branch(f.val(end.Operand(0)), body, done.block)
	})
	f.Enter(body)
	f.inside(after, passed, func(end *ir.Op) { f.reach(head, f.all(end.Operands())) })
	f.start(done)
}

// sectionUnits maps the kind of a section to the kind of core that executes it: cube or
// vector. A section is a region of a mixed kernel that only one kind of core executes.
var sectionUnits = map[sem.ScopeKind]unit{sem.CubeSection: cubeUnit, sem.VectorSection: vectorUnit}

// scope emits an operation that executes its region once, for example a section for
// vector cores. The operands of the operation become the arguments of the region.
func (f *function) scope(op *ir.Op, kind sem.Scope) {
	switch kind.Kind {
	case sem.VectorFunction, sem.FusionRegion:
	case sem.CubeSection, sem.VectorSection:
		if on := sectionUnits[kind.Kind]; f.unit&on == 0 {
			f.skip(op)
			return
		}
	case sem.SimtSection:
		f.simtSection(op)
		return
	default:
		f.unsupported(op)
		return
	}
	body := op.Region(0)
	args := f.all(op.Operands()[:len(body.Entry().Args())])
	if body.Entry().Terminator() == nil {
		f.region(body, args)
		return
	}
	done := f.newJoin("scope", op.Results())
	f.inside(body, args, func(end *ir.Op) { f.reach(done, f.all(end.Operands())) })
	f.start(done)
}

// scopeYield emits the terminator of a region that executes once, such as the region of a
// section for one kind of core.
func (f *function) scopeYield(op *ir.Op, _ sem.ScopeYield) { f.leave[len(f.leave)-1](op) }

// assert emits cf.assert: the kernel faults if the condition is false.
func (f *function) assert(op *ir.Op, _ cf.Check) { f.TrapIf(f.Not(f.val(op.Operand(0)))) }

// stop emits an instruction that ends the kernel with a fault.
func (f *function) stop(*ir.Op, sem.Stop) { f.TrapIf(ll.ConstantBool(true)) }
