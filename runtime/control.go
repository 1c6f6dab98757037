// This file compiles control flow: loops, branches, sections, jumps between blocks,
// assertions and calls.

package runtime

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/cf"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Values are in slots of a frame, so loops and branches pass values by copies between
// slots. Loop-carried values and loop results share slots, so the last iteration needs no
// copy.

// control compiles an operation of MLIR's scf dialect (structured control flow) into a
// step, the function that executes the operation with its regions.
func (p *planner) control(op *ir.Op, kind scf.Control) step {
	switch kind {
	case scf.CountedLoop:
		return p.countedLoop(op)
	case scf.ConditionalLoop:
		return p.conditionalLoop(op)
	case scf.TwoWay:
		return p.twoWay(op)
	case scf.ManyWay:
		return p.manyWay(op)
	case scf.Once:
		return p.once(op)
	}
	p.errorf(op, "cannot be executed by pto-run yet")
	return nil
}

// countedLoop compiles the loop scf.for into a step, the Go function that runs its
// iterations. Each value has a slot, an index in the storage of the call. The results of
// the loop use the slots of the loop-carried values, so the final values need no copy.
func (p *planner) countedLoop(op *ir.Op) step {
	lower, upper, by := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Operand(2))
	signed, mask := counting(op.Operand(0).Type())
	decided := []func(*frame) *Fault{p.decides(op, lower), p.decides(op, upper), p.decides(op, by)}
	args := op.Region(0).Entry().Args()
	carried := p.homes(args[1:])
	enter := p.moves(p.homes(op.Operands()[3:]), carried)
	for i, r := range op.Results() {
		p.share(r, args[1+i])
	}
	counter := p.slot(args[0])
	body, end := p.steps(op.Region(0).Entry())
	next := p.moves(p.homes(end.Operands()), carried)
	return p.withRounds(op, &body, func(fr *frame) int64 { return signed(fr.x[counter]) }, func(fr *frame) *Fault {
		for _, known := range decided {
			if f := known(fr); f != nil {
				return f
			}
		}
		from, to, by := signed(fr.x[lower]), signed(fr.x[upper]), signed(fr.x[by])
		if by <= 0 {
			return faultAt(op, "needs a positive step, but its step is %d", by)
		}
		enter.run(fr)
		for i := from; i < to; {
			fr.x[counter] = uint64(i) & mask
			if f := body.run(fr); f != nil {
				return f.inLoop(op, int((i-from)/by), i)
			}
			next.run(fr)
			if i += by; i < from { // went past the largest integer
				break
			}
		}
		return nil
	})
}

// counting returns two values for the integer type t of a loop counter. The first is a
// function that converts the bits of the counter into a signed number. The second is a
// mask with one set bit for each bit of the type.
func counting(t ir.Type) (signed func(bits uint64) int64, mask uint64) {
	f, _ := ir.FormatOf(t)
	return func(bits uint64) int64 { return num.Int(f, bits) }, f.Mask()
}

// conditionalLoop compiles the loop scf.while into a step, the function that evaluates
// the condition region and runs the body while the condition is true.
func (p *planner) conditionalLoop(op *ir.Op) step {
	before, after := op.Region(0).Entry(), op.Region(1).Entry()
	start := p.homes(before.Args())
	enter := p.moves(p.homes(op.Operands()), start)
	for i, r := range op.Results() {
		p.share(r, after.Arg(i)) // both are what the condition hands on
	}
	head, decide := p.steps(before)
	goOn := p.slot(decide.Operand(0))
	decided := p.decides(decide, goOn)
	pass := p.moves(p.homes(decide.Operands()[1:]), p.homes(after.Args()))
	body, end := p.steps(after)
	next := p.moves(p.homes(end.Operands()), start)
	return p.withRounds(op, &head, nil, func(fr *frame) *Fault {
		enter.run(fr)
		for round := 0; ; round++ {
			if f := head.run(fr); f != nil {
				return f.inLoop(op, round, 0)
			}
			if f := decided(fr); f != nil {
				return f
			}
			more := fr.x[goOn] != 0
			pass.run(fr)
			if !more {
				return nil
			}
			if f := body.run(fr); f != nil {
				return f.inLoop(op, round, 0)
			}
			next.run(fr)
		}
	})
}

// branch compiles the region r of the conditional operation op into a function that
// executes it. The function copies the operands of the region's terminator to the results
// of op.
func (p *planner) branch(op *ir.Op, r *ir.Region) func(fr *frame) *Fault {
	if r.Empty() {
		return func(*frame) *Fault { return nil }
	}
	body, end := p.steps(r.Entry())
	var give moves
	if end != nil {
		give = p.moves(p.homes(end.Operands()), p.homes(op.Results()))
	}
	if len(give) == 0 {
		return body.run
	}
	return func(fr *frame) *Fault {
		if f := body.run(fr); f != nil {
			return f
		}
		give.run(fr)
		return nil
	}
}

// twoWay compiles scf.if into a step, the function that executes one of the two regions.
// If the condition is a constant, it compiles only the selected region: the other region
// can contain operations that the runtime cannot execute.
func (p *planner) twoWay(op *ir.Op) step {
	if c, ok := arith.ConstantInt(op.Operand(0)); ok {
		if c != 0 {
			return p.branch(op, op.Region(0))
		}
		return p.branch(op, op.Region(1))
	}
	cond := p.slot(op.Operand(0))
	decided := p.decides(op, cond)
	then, otherwise := p.branch(op, op.Region(0)), p.branch(op, op.Region(1))
	return func(fr *frame) *Fault {
		if f := decided(fr); f != nil {
			return f
		}
		if fr.x[cond] != 0 {
			return then(fr)
		}
		return otherwise(fr)
	}
}

// manyWay compiles scf.index_switch into a step: a function that executes the region
// whose case value equals the operand. If no case value equals the operand, the step
// executes the default region.
func (p *planner) manyWay(op *ir.Op) step {
	arg := p.slot(op.Operand(0))
	decided := p.decides(op, arg)
	cases := scf.Cases(op)
	branches := make([]func(*frame) *Fault, len(op.Regions()))
	for i, r := range op.Regions() {
		branches[i] = p.branch(op, r)
	}
	return func(fr *frame) *Fault {
		if f := decided(fr); f != nil {
			return f
		}
		return branches[1+slices.Index(cases, int64(fr.x[arg]))](fr) // no case: region 0
	}
}

// once compiles scf.execute_region into a step, the Go function that executes the
// operation. The step runs the region one time and copies the operands of the region's
// terminator to the results of op.
func (p *planner) once(op *ir.Op) step {
	results := p.homes(op.Results())
	r := p.region(op, op.Region(0), func(end *ir.Op) moves {
		return p.moves(p.homes(end.Operands()), results)
	})
	return r.run
}

// scope compiles an operation that executes its region one time on one type of core, for
// example a section for vector cores or a vector function. The arguments of the region
// are the operands of op. On other cores the step does nothing.
func (p *planner) scope(op *ir.Op, kind sem.Scope) step {
	on := anyUnit
	switch kind.Kind {
	case sem.VectorFunction, sem.FusionRegion:
	case sem.CubeSection:
		on = cubeUnit
	case sem.VectorSection:
		on = vectorUnit
	case sem.SimtSection:
		return p.simtSection(op)
	default:
		p.errorf(op, "cannot be executed by pto-run yet")
		return nil
	}
	entry := op.Region(0).Entry()
	for i, a := range entry.Args() {
		p.share(a, op.Operand(i))
	}
	body := p.branch(op, op.Region(0))
	if kind.Kind == sem.VectorFunction {
		body = p.withScopeEvents(op, body)
	}
	if on == anyUnit {
		return body
	}
	return onlyOn(on, body)
}

// region compiles a region with several basic blocks, which branch to each other. When a
// terminator leaves the region, its operands become the results of op. For each
// terminator of this kind, the function give returns the copies from the operands to the
// results.
func (p *planner) region(op *ir.Op, r *ir.Region, give func(end *ir.Op) moves) region {
	number := map[*ir.Block]int{}
	for b := range r.Blocks() {
		number[b] = len(number)
	}
	var out region
	for b := range r.Blocks() {
		steps, end := p.steps(b)
		out.blocks = append(out.blocks, steps)
		out.jumps = append(out.jumps, p.jump(end, number, give))
		if p.opts.Lineage != nil {
			out.decided = append(out.decided, p.jumpDecided(end))
		}
	}
	return out
}

// jump compiles end, the terminator of a basic block, into a function. The map contains
// the number of each block.
//
// If the terminator is a jump, the function copies values to the arguments of the next
// block, and returns the number of this block. If the terminator leaves the region, the
// function copies the operands of the terminator to their destinations, and returns a
// negative number. give is a callback that returns these destinations as a list of
// copies.
func (p *planner) jump(end *ir.Op, number map[*ir.Block]int, give func(end *ir.Op) moves) func(fr *frame) int {
	if end == nil {
		return leave
	}
	kind, ok := end.Def().Sem.(cf.Jump)
	if !ok {
		ms := give(end)
		if len(ms) == 0 {
			return leave
		}
		return func(fr *frame) int {
			ms.run(fr)
			return -1
		}
	}
	targets := make([]int, len(end.Successors()))
	passes := make([]moves, len(targets))
	for i, b := range end.Successors() {
		from, to := end.Def().SuccOperands(end, i)
		targets[i] = number[b]
		passes[i] = p.moves(p.homes(end.Operands()[from:to]), p.homes(b.Args()))
	}
	next := p.successor(end, kind)
	return func(fr *frame) int {
		i := next(fr)
		passes[i].run(fr)
		return targets[i]
	}
}

// jumpDecided returns a check for the terminator end, which may be a conditional branch.
// The check faults if the condition depends on symbolic inputs. Equivalence proofs run a
// kernel on symbolic inputs and cannot follow both successors. In ordinary runs, the
// check does nothing.
func (p *planner) jumpDecided(end *ir.Op) func(fr *frame) *Fault {
	if end != nil {
		if kind, ok := end.Def().Sem.(cf.Jump); ok && (kind == cf.ByCondition || kind == cf.ByValue) {
			return p.decides(end, p.slot(end.Operand(0)))
		}
	}
	return func(*frame) *Fault { return nil }
}

// successor returns a function that selects the next block after end, the branch at the
// end of a block. The function evaluates the condition or the value of the branch and
// returns the index of the next block among the successors of the branch.
func (p *planner) successor(end *ir.Op, kind cf.Jump) func(fr *frame) int {
	switch kind {
	case cf.ByCondition:
		cond := p.slot(end.Operand(0))
		return func(fr *frame) int {
			if fr.x[cond] != 0 {
				return 0
			}
			return 1
		}
	case cf.ByValue:
		flag, cases := p.slot(end.Operand(0)), cf.CaseValues(end)
		return func(fr *frame) int { return 1 + slices.Index(cases, fr.x[flag]) }
	}
	return func(*frame) int { return 0 }
}

// assert compiles cf.assert into a step, a function that faults with the message of the
// program if the condition is false.
func (p *planner) assert(op *ir.Op, _ cf.Check) step {
	cond := p.slot(op.Operand(0))
	msg, _ := op.Attr("msg").AsString()
	return func(fr *frame) *Fault {
		if fr.x[cond] == 0 {
			return faultAt(op, "failed: %s", msg)
		}
		return nil
	}
}

// callee returns the compiled function that op calls. If the called function has no body,
// it reports an error at op and returns nil.
func (p *planner) callee(op *ir.Op) *function {
	target := analysis.CalleeOf(op)
	if target == nil || !target.Is(fn.Func) || fn.Body(target) == nil {
		p.errorf(op, "calls %s, which has no body to execute", op.Attr("callee"))
		return nil
	}
	f := p.function(target)
	p.cur.calls = append(p.cur.calls, f)
	return f
}

// call compiles a function call into a step. Parameters and results occupy the first
// slots of the callee's frame (the storage of its values), parameters first. A SIMT
// function runs once for each work item.
func (p *planner) call(op *ir.Op) step {
	callee := p.callee(op)
	if callee == nil {
		return nil
	}
	var next [numClasses]slot
	enter := firstSlots(&next, op.Operands(), p, false)
	give := firstSlots(&next, op.Results(), p, true)
	if on := analysis.CalledUnit(p.cur.op, callee.op); on != anyUnit {
		return onlyOn(on, plainCall(op, callee, enter, give))
	}
	if callee.op.HasAttr("pto.simt_entry") {
		body := itemCall(callee, enter)
		return func(fr *frame) *Fault {
			if c := fr.core; c.item == nil && c.simtDims != [3]uint32{} {
				return runItems(op, fr, c.simtDims, callee.collective, body)
			}
			return body(fr)
		}
	}
	return plainCall(op, callee, enter, give)
}

// onlyOn returns a step that executes the step s on cores whose type is in the set of
// core types given by the parameter on. On all other cores, the returned step does
// nothing.
func onlyOn(on unit, s step) step {
	return func(fr *frame) *Fault {
		if fr.core.unit&on == 0 {
			return nil
		}
		return s(fr)
	}
}

// plainCall returns a step, the Go function that executes a call of a function that is
// not a SIMT function. The step copies the operands into a new frame (the storage of the
// call), runs the callee, and copies the results back. enter lists the copies from the
// operands to the new frame, and give lists the copies from there to the results. The
// step faults if calls are nested too deeply.
func plainCall(op *ir.Op, callee *function, enter, give moves) step {
	return func(fr *frame) *Fault {
		c := fr.core
		if c.depth >= maxDepth {
			return faultAt(op, "exceeds the limit of %d nested function calls", maxDepth)
		}
		if f := c.room(op, callee, 1); f != nil {
			return f
		}
		in := c.enter(callee)
		enter.between(fr, in)
		f := callee.body.run(in)
		give.between(in, fr)
		c.leave(callee, in)
		return f
	}
}

// firstSlots assigns consecutive slots (indices of values) in the callee's frame to the
// values vs of the caller, and returns the copies between them. Each value class
// (scalars, tiles, vectors or masks) has its own array of slots. next contains the next
// free slot of each class; firstSlots increases it. If back is false, the copies go from
// the caller to the callee; if back is true, they go from the callee to the caller.
func firstSlots(next *[numClasses]slot, vs []*ir.Value, p *planner, back bool) moves {
	var ms moves
	for _, v := range vs {
		here := p.home(v)
		m := move{here.class, here.at, next[here.class]}
		if back {
			m.from, m.to = m.to, m.from
		}
		next[here.class]++
		ms = append(ms, m)
	}
	return ms
}
