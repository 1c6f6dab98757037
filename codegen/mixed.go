package codegen

import (
	"maps"
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// A kernel with parts for the cube core and parts for the vector cores runs on
// three cores of a block: each is a coroutine, which lets the others run where
// it waits for a signal. They take turns in the order of the runtime.

// unit is the kind of core that a function is written for.
type unit uint8

const (
	anyUnit unit = iota // one core stands for all
	cubeUnit
	vectorUnit
)

// blockCores is how many cores a block has.
const blockCores = 1 + vectorCores

// isMixed reports whether a function has parts for both kinds of cores, and
// nothing that cannot be written for several.
func (m *module) isMixed(f *ir.Op) bool {
	sections := map[pto.ScopeKind]bool{}
	for op := range f.Walk() {
		switch sem := op.Def().Sem.(type) {
		case pto.Scope:
			sections[sem.Kind] = true
			if op.NumResults() > 0 {
				return false
			}
		case pto.CrossSet:
			if sem.Reach == pto.ReachAll {
				return false
			}
		}
		if calleeOf(op) != nil || onOwnMemory(op) {
			return false
		}
	}
	return sections[pto.CubeSection] && sections[pto.VectorSection] && !sections[pto.SimtSection] && len(m.tiles.callers[f]) == 0
}

// onOwnMemory reports whether an operation outside of the parts for the cube
// core works on memory of which only that one is written.
func onOwnMemory(op *ir.Op) bool {
	for p := op; p != nil; p = p.Parent() {
		if s, ok := p.Def().Sem.(pto.Scope); ok && s.Kind == pto.CubeSection {
			return false
		}
	}
	switch op.Def().Sem.(type) {
	case pto.CastPtr, pto.AddPtr:
		return false
	}
	for _, v := range op.Operands() {
		switch pto.SpaceOf(v.Type()) {
		case pto.L0A, pto.L0B, pto.L0C, pto.BT, pto.FB:
			return true
		}
	}
	return false
}

// defineMixed writes a kernel for three cores.
func (m *module) defineMixed(op *ir.Op) {
	g := m.funcs[op]
	cube, vector := m.defineCore(op, cubeUnit), m.defineCore(op, vectorUnit)
	c := newCode(m, g)
	args := ownArgs(g)
	cores := c.slot(types.NewArray(blockCores, ptr))
	start := func(k int64, co *llir.Func) {
		c.call(c.turnToCore(), index(k))
		c.store(c.call(co, append(slices.Clone(args), index(max(k-1, 0)))...), c.at(ptr, cores, index(k)), 8)
	}
	start(0, cube)
	for sub := range int64(vectorCores) {
		start(1+sub, vector)
	}
	c.call(c.runCores(), cores)
	c.ret(nil)
}

// defineCore writes the coroutine of a kind of core. It has one parameter
// more: the number of the vector core.
func (m *module) defineCore(op *ir.Op, u unit) *llir.Func {
	g := m.funcs[op]
	name := map[unit]string{cubeUnit: ".cube", vectorUnit: ".vector"}[u]
	params := copyParams(g)
	sub := llir.NewParam("sub_block_idx", i64)
	co := m.newCoroutine(g.Name()+name, append(params, sub))
	f, args := m.newFunction(op, co, params)
	f.unit, f.vectorCore = u, sub
	if u == vectorUnit {
		f.ub = f.sel(f.icmp(enum.IPredEQ, sub, index(0)), m.space(pto.UB), m.secondBuffer())
	}
	f.begin()
	f.region(op.Region(0), args)
	f.finish()
	return co
}

// secondBuffer is the unified buffer of the second vector core.
func (m *module) secondBuffer() value.Value {
	return m.memory("ub.1", int64(pto.UB.Size(m.opts.Target)))
}

// space is the start of a local memory as the core sees it.
func (c *code) space(s pto.Space) value.Value {
	if s == pto.UB && c.ub != nil {
		return c.ub
	}
	return c.module.space(s)
}

// progress counts what cores get done.
const progress = "progress"

// count adds one to a counter of the block.
func (c *code) count(p value.Value) { c.store(c.add(c.load(i64, p, 8), index(1)), p, 8) }

// runCores is the routine that lets cores take turns until all are done. It
// stops the program when all wait and a whole round changes nothing.
func (c *code) runCores() *llir.Func {
	return c.private("run_cores", void, []types.Type{ptr}, func(c *code, args []value.Value) value.Value {
		round, done := c.newBlock("round"), c.newBlock("done")
		c.jump(round)
		c.enter(round)
		state := c.memory(progress, 8)
		before := c.load(i64, state, 8)
		alive := c.reduce("core", index(blockCores), []value.Value{integer(i1, 0)}, func(k value.Value, acc []value.Value) []value.Value {
			handle := c.load(ptr, c.at(ptr, args[0], k), 8)
			on := c.not(c.isDone(handle))
			c.when("turn", on, func() {
				c.call(c.turnToCore(), k)
				c.resume(handle)
				c.when("over", c.isDone(handle), func() { c.count(state) })
			})
			return []value.Value{c.or(acc[0], on)}
		})[0]
		stuck := c.icmp(enum.IPredEQ, before, c.load(i64, state, 8))
		c.trapIf(c.and(alive, stuck))
		c.branch(alive, round, done)
		c.enter(done)
		c.loop("end", index(blockCores), func(k value.Value) { c.destroy(c.load(ptr, c.at(ptr, args[0], k), 8)) })
		return nil
	})
}

const turnToCore = "turn_to_core"

// turnToCore is the routine that makes a core the one that runs: every core
// has registers of its own. Its body is written last, when all registers are
// known.
func (m *module) turnToCore() *llir.Func {
	if m.helpers[turnToCore] == nil {
		f := llir.NewFunc("pto."+turnToCore, void, llir.NewParam("", i64))
		f.Linkage, f.FuncAttrs = enum.LinkageInternal, []llir.FuncAttribute{enum.FuncAttrNoUnwind}
		m.helpers[turnToCore] = f
		m.Funcs = append(m.Funcs, f)
	}
	return m.helpers[turnToCore]
}

// finishMixed writes what must know all registers.
func (m *module) finishMixed() {
	f := m.helpers[turnToCore]
	if f == nil {
		return
	}
	c := newCode(m, f)
	core := m.memory("core", 8)
	now, next := c.load(i64, core, 8), value.Value(f.Params[0])
	for _, name := range slices.Sorted(maps.Keys(m.tables)) {
		if !strings.HasPrefix(name, registerPrefix) {
			continue
		}
		register := address{m.tables[name]}
		saved := m.memory("saved."+strings.TrimPrefix(name, registerPrefix), 8*blockCores)
		c.store(c.load(i64, register, 8), c.at(i64, saved, now), 8)
		c.store(c.load(i64, c.at(i64, saved, next), 8), register, 8)
	}
	c.store(next, core, 8)
	c.ret(nil)
}

// Signals are counters. The cube core has one for each number and vector core
// it comes from; a vector core one for each number.
const coreSignals = signals / vectorCores

// signal is a counter of a kind of core.
func (f *function) signal(of string, i value.Value) value.Value {
	return f.at(i64, f.memory("signals."+of, 8*signals), i)
}

// told are the counters of those that hear a signal of this core.
func (f *function) told(n value.Value, reach pto.Reach) []value.Value {
	if f.unit == vectorUnit {
		return f.counters("cube", n, reach)
	}
	return f.counters("vectors", n, reach)
}

// heard are the counters that this core waits for: where signals do not go one
// to one, the cube core waits for both vector cores.
func (f *function) heard(n value.Value, reach pto.Reach) []value.Value {
	if f.unit == vectorUnit {
		return f.counters("vectors", n, reach)
	}
	return f.counters("cube", n, reach)
}

// counters are those counters of a kind of core that a signal of this core, or
// for it, is about.
func (f *function) counters(of string, n value.Value, reach pto.Reach) []value.Value {
	low := f.rest(n, coreSignals)
	switch {
	case f.unit == vectorUnit:
		return []value.Value{f.signal(of, f.add(low, f.mul(f.vectorCore, index(coreSignals))))}
	case reach == pto.ReachPeer:
		return []value.Value{f.signal(of, n)}
	}
	return []value.Value{f.signal(of, low), f.signal(of, f.add(low, index(coreSignals)))}
}

// crossWait writes waiting for a signal of another core.
func (f *function) crossWait(op *ir.Op, sem pto.CrossWait) {
	counters := f.heard(f.signalID(op), sem.Reach)
	missing := func() value.Value {
		none := value.Value(integer(i1, 0))
		for _, p := range counters {
			none = f.or(none, f.icmp(enum.IPredEQ, f.load(i64, p, 8), index(0)))
		}
		return none
	}
	f.when("waits", missing(), func() {
		f.count(f.memory(progress, 8))
		wait, look, on := f.newBlock("wait"), f.newBlock("look"), f.newBlock("heard")
		f.jump(wait)
		f.enter(wait)
		f.pause(false, look)
		f.enter(look)
		f.branch(missing(), wait, on)
		f.enter(on)
		f.count(f.memory(progress, 8))
	})
	for _, p := range counters {
		f.store(f.sub(f.load(i64, p, 8), index(1)), p, 8)
	}
}
