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
)

// All cores of a team run in one thread. Registers of the core, and where
// blocks take turns also local memory, are put away when another one runs.

// defineTeam writes the function of C that runs a team: for one block, or for
// all blocks of the launch where they wait for each other; then the call for
// block 0 runs all of them.
func (m *module) defineTeam(t *team) {
	c := newCode(m, m.funcs[t.entry])
	args := ownArgs(c.fn)
	n := len(args) - 2
	blockIdx, blockNum := args[n], args[n+1]
	first, blocks := blockIdx, value.Value(index(1))
	if t.blocks {
		begin, others := c.newBlock("all"), c.newBlock("others")
		c.branch(c.icmp(enum.IPredEQ, blockIdx, index(0)), begin, others)
		c.enter(others)
		c.ret(nil)
		c.enter(begin)
		first, blocks = index(0), blockNum
	}
	perBlock := index(int64(len(t.cores)))
	total := c.mul(blocks, perBlock)
	c.call(c.written(beginTurns, i64, i64), total, perBlock)
	cores := c.call(c.intrinsic("malloc", ptr, i64), c.mul(total, index(8)))
	c.loop("block", blocks, func(b value.Value) {
		for i, core := range t.cores {
			k := c.add(c.mul(b, perBlock), index(int64(i)))
			c.call(c.written(turnTo, i64), k)
			handle := m.startCore(c, t, core, args[:n], c.add(first, b), blockNum)
			c.store(handle, c.at(ptr, cores, k), 8)
		}
	})
	c.call(c.runCores(), cores, total)
	c.call(c.intrinsic("free", void, ptr), cores)
	c.call(c.written(endTurns))
	c.ret(nil)
}

// startCore starts the kernel of a core. A vector kernel beside a cube kernel
// may have one parameter more: the number of its core.
func (m *module) startCore(c *code, t *team, core pto.Core, args []value.Value, blockIdx, blockNum value.Value) value.Value {
	g := m.member(t, core.Kernel, core.Unit)
	if g == nil {
		return nullPtr{} // reported
	}
	sub := index(int64(core.Sub))
	args = slices.Clone(args)
	own := g.Params[:len(g.Params)-3]
	if len(own) == len(args)+1 && core.Unit == vectorUnit {
		if _, ok := own[len(args)].Typ.(*types.IntType); ok {
			args = append(args, c.resize(sub, own[len(args)].Typ, false))
		}
	}
	if !slices.EqualFunc(own, args, func(p *llir.Param, x value.Value) bool { return p.Typ.Equal(x.Type()) }) {
		m.errorf(core.Kernel, "takes other parameters than the kernel beside it").Note(t.entry.Loc(), "which is this one")
		return nullPtr{}
	}
	return c.call(g, append(args, blockIdx, blockNum, sub)...)
}

// progress counts what cores get done.
const progress = "progress"

// count adds one to a counter.
func (c *code) count(p value.Value) { c.store(c.add(c.load(i64, p, 8), index(1)), p, 8) }

// runCores is the routine that lets cores take turns until all are done. It
// stops the program when all wait and a whole round changes nothing.
func (c *code) runCores() *llir.Func {
	return c.private("run_cores", void, []types.Type{ptr, i64}, func(c *code, args []value.Value) value.Value {
		cores, n := args[0], args[1]
		round, done := c.newBlock("round"), c.newBlock("done")
		c.jump(round)
		c.enter(round)
		state := c.launchMemory(progress, 8)
		before := c.load(i64, state, 8)
		alive := c.reduce("core", n, []value.Value{integer(i1, 0)}, func(k value.Value, acc []value.Value) []value.Value {
			handle := c.load(ptr, c.at(ptr, cores, k), 8)
			on := c.not(c.isDone(handle))
			c.when("turn", on, func() {
				c.call(c.written(turnTo, i64), k)
				c.resume(handle)
				c.when("over", c.isDone(handle), func() { c.count(state) })
			})
			return []value.Value{c.or(acc[0], on)}
		})[0]
		stuck := c.icmp(enum.IPredEQ, before, c.load(i64, state, 8))
		c.trapIf(c.and(alive, stuck))
		c.branch(alive, round, done)
		c.enter(done)
		c.loop("end", n, func(k value.Value) { c.destroy(c.load(ptr, c.at(ptr, cores, k), 8)) })
		return nil
	})
}

// Routines that must know all registers and memories, and are written last.
const (
	beginTurns = "begin_turns" // for so many cores, and so many in a block
	turnTo     = "turn_to"     // makes a core the one that runs
	endTurns   = "end_turns"
)

// written is a routine whose body finishTurns writes.
func (m *module) written(name string, params ...types.Type) *llir.Func {
	if m.helpers[name] == nil {
		ps := make([]*llir.Param, len(params))
		for i, t := range params {
			ps[i] = llir.NewParam("", t)
		}
		f := llir.NewFunc("pto."+name, void, ps...)
		f.Linkage, f.FuncAttrs = enum.LinkageInternal, []llir.FuncAttribute{enum.FuncAttrNoUnwind}
		m.helpers[name] = f
		m.Funcs = append(m.Funcs, f)
	}
	return m.helpers[name]
}

// launchMemory is memory that all cores of a launch share.
func (m *module) launchMemory(name string, size int64) value.Value {
	return address{m.threadVariable("pto.launch."+name, zeros(size))}
}

// away is memory that is put away when another core, or block, runs.
type away struct {
	size int64
	each []value.Value
}

// putAway finds variables of a thread by the start of their names.
func (m *module) putAway(mine func(name string) bool) away {
	var a away
	for _, name := range slices.Sorted(maps.Keys(m.tables)) {
		if g := m.tables[name]; mine(name) {
			a.each = append(a.each, address{g})
			a.size += variableSize(g)
		}
	}
	return a
}

// variableSize is the size of a variable: words or bytes.
func variableSize(g *llir.Global) int64 {
	if t, ok := g.ContentType.(*types.ArrayType); ok {
		return int64(t.Len)
	}
	return 8
}

// finishTurns writes what must know all registers and memories.
func (m *module) finishTurns() {
	if m.helpers[turnTo] == nil {
		return
	}
	registers := m.putAway(func(name string) bool { return strings.HasPrefix(name, registerPrefix) })
	memory := away{}
	if m.blocksTakeTurns {
		memory = m.putAway(func(name string) bool { return m.ofBlock[name] })
	}
	begin := newCode(m, m.helpers[beginTurns])
	calloc := m.intrinsic("calloc", ptr, i64, i64)
	total, perBlock := value.Value(begin.fn.Params[0]), value.Value(begin.fn.Params[1])
	state := func(name string) value.Value { return m.launchMemory(name, 8) }
	begin.store(index(0), state("core"), 8)
	begin.store(perBlock, state("cores_of_block"), 8)
	begin.store(begin.call(calloc, total, index(registers.size)), state("registers"), 8)
	begin.store(begin.call(calloc, begin.udiv(total, perBlock), index(memory.size)), state("memory"), 8)
	begin.ret(nil)

	turn := newCode(m, m.helpers[turnTo])
	now, next := turn.load(i64, state("core"), 8), value.Value(turn.fn.Params[0])
	turn.store(next, state("core"), 8)
	turn.swap(registers, state("registers"), now, next)
	if m.blocksTakeTurns {
		n := turn.load(i64, state("cores_of_block"), 8)
		nowBlock, nextBlock := turn.udiv(now, n), turn.udiv(next, n)
		turn.when("block", turn.icmp(enum.IPredNE, nowBlock, nextBlock), func() {
			turn.swap(memory, state("memory"), nowBlock, nextBlock)
		})
	}
	turn.ret(nil)

	end := newCode(m, m.helpers[endTurns])
	for _, name := range []string{"registers", "memory"} {
		end.call(m.intrinsic("free", void, ptr), end.load(ptr, state(name), 8))
	}
	end.ret(nil)
}

// swap puts memory of one away and brings that of another back.
func (c *code) swap(a away, room, now, next value.Value) {
	all := c.load(ptr, room, 8)
	at := func(i value.Value) value.Value { return c.offset(all, c.mul(i, index(a.size))) }
	from, to, n := at(now), at(next), int64(0)
	for _, p := range a.each {
		size := variableSize(p.(address).Value.(*llir.Global))
		c.copyBytes(c.offset(from, index(n)), p, index(size))
		c.copyBytes(p, c.offset(to, index(n)), index(size))
		n += size
	}
}
