// This file determines which cores run a launch, and emits each function once per kind
// of core.

package llvm

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/effect"
)

// Kernels that run on several cores of a block are a team, and so are kernels
// whose blocks wait for each other. Each core is a coroutine, which lets the
// others run where it waits; they take turns in the order of the runtime.

// unit is the type of the core for which a function is emitted. It is the cube core, the
// vector core, or one core that represents both.
type unit = sem.Unit

const (
	cubeUnit   = sem.CubeUnit
	vectorUnit = sem.VectorUnit
	anyUnit    = sem.AnyUnit // one core represents all cores of a block
)

// vectorCores is the number of vector cores that share a block with one cube core.
const vectorCores = sem.VectorCores

// team describes the code for the kernels of one launch that several cores execute: the
// kernels, the cores of a block, and the functions in which a core can wait.
type team struct {
	// entry is the kernel that determines the name and parameters of the C function.
	entry *ir.Op
	// cores are the cores of a block, each with the kernel that it runs.
	cores []analysis.Core
	// blocks means that blocks of the launch wait for each other.
	blocks bool
	// waits are the functions in which a core can wait for another core.
	waits map[*ir.Op]bool
	// members maps each pair of a function and a kind of core to the LLVM function that
	// was created for it.
	members map[member]*llir.Func
}

// member is a function of the program together with the kind of core that runs it. Each
// such pair is emitted as a separate LLVM function.
type member struct {
	op   *ir.Op
	unit unit
}

// teamOf returns the team of the given kernels: the cores that execute them together in
// one launch. It returns nil for a single kernel that runs on one core and does not
// depend on other blocks.
func (m *module) teamOf(kernels []*ir.Op) *team {
	reached := analysis.Reached(kernels)
	t := &team{
		entry: analysis.Narrowest(kernels), cores: analysis.CoresOf(kernels, m.opts.Target), blocks: acrossBlocks(reached),
		waits: findWaits(reached), members: map[member]*llir.Func{},
	}
	if len(t.cores) == 1 && len(kernels) == 1 && !t.blocks {
		return nil
	}
	return t
}

// acrossBlocks reports whether an instruction in fns waits for cores of other blocks.
func acrossBlocks(fns []*ir.Op) bool {
	for _, f := range fns {
		for op := range f.Walk() {
			if op.Effects().Has(effect.WaitsAcross) {
				return true
			}
		}
	}
	return false
}

// findWaits returns the functions among fns in which a core may wait for another core,
// directly or in a call.
func findWaits(fns []*ir.Op) map[*ir.Op]bool {
	waits := map[*ir.Op]bool{}
	for _, f := range fns {
		for op := range f.Walk() {
			waits[f] = waits[f] || op.Effects().Has(effect.Waits)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range fns {
			for op := range f.Walk() {
				if c := analysis.CalleeOf(op); c != nil && waits[c] && !waits[f] {
					waits[f], changed = true, true
				}
			}
		}
	}
	return waits
}

// teamsOf creates the teams for the given functions. A team consists of kernels that
// several cores execute together in one launch. teamsOf returns the functions that belong
// to no team; a single core executes each of them.
func (m *module) teamsOf(fns []*ir.Op) (alone []*ir.Op) {
	var inTeams, roots []*ir.Op
	for _, kernels := range m.opts.Together {
		if t := m.teamOf(kernels); t != nil {
			m.teams = append(m.teams, t)
			inTeams = append(inTeams, kernels...)
		}
	}
	if len(inTeams) == 0 && analysis.OneCore(fns, m.opts.Target) && !acrossBlocks(fns) {
		return fns // without a look at what each function calls, which may be all the others
	}
	together := inTeams
	for _, f := range fns {
		if isPrivate(f) || slices.Contains(together, f) {
			continue
		}
		if t := m.teamOf([]*ir.Op{f}); t != nil {
			m.teams = append(m.teams, t)
			inTeams = append(inTeams, f)
		} else {
			roots = append(roots, f)
		}
	}
	inTeams, roots = analysis.Reached(inTeams), analysis.Reached(roots)
	return slices.DeleteFunc(slices.Clone(fns), func(f *ir.Op) bool {
		return slices.Contains(inTeams, f) && !slices.Contains(roots, f)
	})
}

// defineTeams emits the functions of all teams. A team is the code for the kernels of one
// launch that several cores execute.
func (m *module) defineTeams() {
	for _, t := range m.teams {
		m.blocksTakeTurns = m.blocksTakeTurns || t.blocks
		if m.funcs[t.entry] != nil {
			m.defineTeam(t)
		}
	}
	for len(m.todo) > 0 {
		next := m.todo[0]
		m.todo = m.todo[1:]
		next()
	}
	m.finishSchedule()
}

// count returns the number of cores of a block that are of one of the given kinds. The
// parameter u is a set of kinds (cube core, vector core) as bits.
func (t *team) count(u unit) int64 {
	n := int64(0)
	for _, c := range t.cores {
		if c.Unit&u != 0 {
			n++
		}
	}
	return n
}

// vectors returns the number of vector cores in a block for which the module emits code.
// It is 1 if one core represents all cores.
func (t *team) vectors() int64 {
	n := int64(0)
	for _, c := range t.cores {
		if c.Unit == vectorUnit {
			n++
		}
	}
	return max(n, 1)
}

// member returns the LLVM function for the program function op on a core of kind u, and
// creates it on first use. The LLVM function has an additional parameter for the number
// of the vector core. If it is a coroutine with results, another parameter is the address
// to which it writes the results. Kernels are always coroutines.
func (m *module) member(t *team, op *ir.Op, u unit) *llir.Func {
	key := member{op, u}
	if g := t.members[key]; g != nil {
		return g
	}
	params, ret, ok := m.signature(op)
	if !ok {
		return nil
	}
	name := m.funcs[t.entry].Name() + map[unit]string{cubeUnit: ".cube", vectorUnit: ".vector", anyUnit: ".core"}[u]
	if op != t.entry {
		name += "." + fn.Name(op)
	}
	for m.HasFunction(name) { // by one of another module, or one that the program calls so
		name += "."
	}
	n := len(params)
	params = append(params, llir.NewParam("sub_block_idx", ll.I64))
	var g *llir.Func
	if t.suspends(op) {
		if !ret.Equal(ll.Void) {
			params = append(params, llir.NewParam("results", ll.Ptr))
		}
		g = m.newCoroutine(name, params)
	} else {
		g = m.AddInternal(name, ret, params...)
	}
	t.members[key] = g
	m.todo = append(m.todo, func() { m.defineMember(t, key, n, ret) })
	return g
}

// reached returns the functions that a core of kind u executes: the kernels of these
// cores in team t, and the functions that they call.
func (t *team) reached(u unit) []*ir.Op {
	var fns []*ir.Op
	add := func(f *ir.Op) {
		if !slices.Contains(fns, f) {
			fns = append(fns, f)
		}
	}
	for _, c := range t.cores {
		if c.Unit == u {
			add(c.Kernel)
		}
	}
	for i := 0; i < len(fns); i++ {
		for op := range fns[i].Walk() {
			if c := analysis.CalleeOf(op); c != nil && analysis.CalledUnit(fns[i], c)&sectionUnit(op)&u != 0 {
				add(c)
			}
		}
	}
	return fns
}

// suspends reports whether the function op is emitted as a coroutine, which can stop at a
// wait and be resumed later. This is the case for kernels, and for functions in which a
// core may wait for another core.
func (t *team) suspends(op *ir.Op) bool {
	return t.waits[op] || slices.ContainsFunc(t.cores, func(c analysis.Core) bool { return c.Kernel == op })
}

// defineMember emits the body of an LLVM function of team t. The parameter key identifies
// the function of the program and the kind of core that executes it, n is the number of
// LLVM parameters for its parameters and the block, and ret is the type of its results. If
// the LLVM function is a coroutine, it stores the results in memory instead of returning
// them.
func (m *module) defineMember(t *team, key member, n int, ret types.Type) {
	g := t.members[key]
	f, args := m.newFunction(key.op, g, g.Params[:n])
	f.unit, f.team, f.vectorCore = key.unit, t, g.Params[n]
	if key.unit == vectorUnit {
		f.ub = f.Select(f.ICmp(enum.IPredEQ, f.vectorCore, ll.Index(0)), m.space(sem.UB), m.secondBuffer())
	}
	if !t.suspends(key.op) {
		f.region(key.op.Region(0), args)
		if f.Block != nil { // a body that ends in what could not be written
			f.End(llir.NewUnreachable())
		}
		return
	}
	if !ret.Equal(ll.Void) {
		f.resultsAt = g.Params[n+1]
	}
	f.begin()
	f.region(key.op.Region(0), args)
	f.finish()
}

// callMember emits a call of the program function target on the current core.
func (f *function) callMember(op, target *ir.Op) {
	if analysis.CalledUnit(f.op, target)&f.unit == 0 {
		f.skip(op)
		return
	}
	if fn.Body(target) == nil {
		f.errorf(op, "calls the function %s, but a kernel for several cores can only call functions with a body", op.Attr("callee"))
		return
	}
	if target.HasAttr("pto.simt_entry") {
		f.itemsInTeam(op)
		return
	}
	g := f.module.member(f.team, target, f.unit)
	if g == nil {
		return // reported
	}
	args := append(f.all(op.Operands()), f.blockIdx, f.blockNum, f.vectorCore)
	if !f.team.suspends(target) {
		f.setResults(op, f.Call(g, args...))
		return
	}
	_, outs := fn.TypeOf(target)
	ret, _ := resultType(outs)
	if ret.Equal(ll.Void) {
		f.await(f.Call(g, args...))
		return
	}
	scratch := f.Slot(ret)
	f.await(f.Call(g, append(args, scratch)...))
	f.setResults(op, f.Load(ret, scratch, 8))
}

// skip handles an operation that only other kinds of cores execute. It emits no code and
// sets the results of the operation to zeros, because later code may still refer to them.
func (f *function) skip(op *ir.Op) {
	for _, v := range op.Results() {
		ts, _ := partsOf(v.Type())
		p := make(parts, len(ts))
		for i, t := range ts {
			p[i] = ll.Zero(t)
		}
		f.set(v, p...)
	}
}

// onCubeMemory reports an error if a function for a vector core contains an instruction
// that accesses a memory of the cube core, because this instruction cannot be emitted. It
// returns true in this case, and false for all other instructions and functions.
func (f *function) onCubeMemory(op *ir.Op) bool {
	if f.unit != vectorUnit {
		return false
	}
	for _, e := range pto.Effects(op) {
		switch e.Space {
		case sem.L0A, sem.L0B, sem.L0C, sem.BT, sem.FB:
			f.errorf(op, "accesses %s, a memory of the cube core, from a vector core, which the LLVM IR emitter does not support yet", e.Space)
			return true
		}
	}
	return false
}

// itemsInTeam reports an error for op: SIMT work items are not supported in a kernel for
// several cores.
func (f *function) itemsInTeam(op *ir.Op) {
	f.errorf(op, "runs work items in a kernel that spans several cores, which the LLVM IR emitter does not support yet")
}

// The method until emits code that waits until a condition is true. The function ready
// emits the condition, an i1. If the core runs alone, the code does not wait: a condition
// that is false is a fault, because no other core could make it true.
func (f *function) until(ready func() value.Value) {
	if f.team == nil {
		f.TrapIf(f.Not(ready()))
		return
	}
	f.When("waits", f.Not(ready()), func() {
		f.count(f.launchMemory(progress, 8))
		wait, look, on := f.NewBlock("wait"), f.NewBlock("look"), f.NewBlock("ready")
		f.Jump(wait)
		f.Enter(wait)
		f.pause(false, look)
		f.Enter(look)
		f.Branch(ready(), on, wait)
		f.Enter(on)
		if f.marked != nil {
			f.mark(f.marked) // others have been at work since
		}
		f.count(f.launchMemory(progress, 8))
	})
}
