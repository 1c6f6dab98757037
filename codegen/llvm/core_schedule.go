// This file emits the schedule that runs several cores of a block in turns on one
// thread, including saving and restoring their state.

package llvm

import (
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/analysis"
)

// All cores of a team run in one thread. Registers of the core, and where
// blocks take turns also local memory, are put away when another one runs.

// defineTeam emits the C function that runs one block of a launch: all cores of the team
// t, each as a coroutine. If blocks of the launch wait for each other, the call for block
// 0 runs all blocks, and the calls for the remaining blocks return immediately.
func (m *module) defineTeam(t *team) {
	c := newCode(m, m.funcs[t.entry])
	args := ownArgs(c.Func)
	n := len(args) - 2
	blockIdx, blockNum := args[n], args[n+1]
	first, blocks := blockIdx, value.Value(ll.Index(1))
	if t.blocks {
		begin, others := c.NewBlock("all"), c.NewBlock("others")
		c.Branch(c.ICmp(enum.IPredEQ, blockIdx, ll.Index(0)), begin, others)
		c.Enter(others)
		c.Ret(nil)
		c.Enter(begin)
		first, blocks = ll.Index(0), blockNum
	}
	perBlock := ll.Index(int64(len(t.cores)))
	total := c.Mul(blocks, perBlock)
	c.Call(c.Later(beginSchedule, ll.I64, ll.I64), total, perBlock)
	cores := c.Call(c.Intrinsic("malloc", ll.Ptr, ll.I64), c.Mul(total, ll.Index(8)))
	c.Loop("block", blocks, func(b value.Value) {
		for i, core := range t.cores {
			k := c.Add(c.Mul(b, perBlock), ll.Index(int64(i)))
			c.Call(c.Later(switchTo, ll.I64), k)
			handle := m.startCore(c, t, core, args[:n], c.Add(first, b), blockNum)
			c.Store(handle, c.At(ll.Ptr, cores, k), 8)
		}
	})
	c.Call(c.runCores(), cores, total)
	c.Call(c.Intrinsic("free", ll.Void, ll.Ptr), cores)
	c.Call(c.Later(endSchedule))
	c.Ret(nil)
}

// startCore emits a call that creates a coroutine, in which one core of team t runs its
// kernel. It returns the handle of the coroutine. The parameter args contains the
// arguments of the kernel; blockIdx is the index of the block, and blockNum is the number
// of blocks. The kernel of a vector core can have one parameter more than args has
// entries. If it is an integer, it receives the index of the vector core.
func (m *module) startCore(c *code, t *team, core analysis.Core, args []value.Value, blockIdx, blockNum value.Value) value.Value {
	g := m.member(t, core.Kernel, core.Unit)
	if g == nil {
		return ll.Null // reported
	}
	sub := ll.Index(int64(core.Sub))
	args = slices.Clone(args)
	own := g.Params[:len(g.Params)-3]
	if len(own) == len(args)+1 && core.Unit == vectorUnit {
		if _, ok := own[len(args)].Typ.(*types.IntType); ok {
			args = append(args, c.Resize(sub, own[len(args)].Typ, false))
		}
	}
	if !slices.EqualFunc(own, args, func(p *llir.Param, x value.Value) bool { return p.Typ.Equal(x.Type()) }) {
		m.errorf(core.Kernel, "must have the same parameters as the kernel that is launched with it").Note(t.entry.Loc(), "the other kernel is defined here")
		return ll.Null
	}
	return c.Call(g, append(args, blockIdx, blockNum, sub)...)
}

// progress is the name of a variable that cores increment whenever they do something for
// which another core may wait. If all cores have been resumed once and the variable has
// not changed, the cores are deadlocked.
const progress = "progress"

// count emits an increment of the 64-bit counter at address p.
func (c *code) count(p value.Value) { c.Store(c.Add(c.Load(ll.I64, p, 8), ll.Index(1)), p, 8) }

// runCores returns the helper function that resumes the coroutines of the cores in turn
// until all cores have ended. If all cores wait and a full round makes no progress, the
// helper function traps, because the cores are deadlocked.
func (c *code) runCores() *llir.Func {
	run := c.private("run_cores", ll.Void, []types.Type{ll.Ptr, ll.I64}, func(c *code, args []value.Value) value.Value {
		cores, n := args[0], args[1]
		round, done := c.NewBlock("round"), c.NewBlock("done")
		c.Jump(round)
		c.Enter(round)
		state := c.launchMemory(progress, 8)
		before := c.Load(ll.I64, state, 8)
		alive := c.Reduce("core", n, []value.Value{ll.Integer(ll.I1, 0)}, func(k value.Value, acc []value.Value) []value.Value {
			handle := c.Load(ll.Ptr, c.At(ll.Ptr, cores, k), 8)
			on := c.Not(c.isDone(handle))
			c.When("turn", on, func() {
				c.Call(c.Later(switchTo, ll.I64), k)
				c.resume(handle)
				c.When("over", c.isDone(handle), func() { c.count(state) })
			})
			return []value.Value{c.Or(acc[0], on)}
		})[0]
		stuck := c.ICmp(enum.IPredEQ, before, c.Load(ll.I64, state, 8))
		c.TrapIf(c.And(alive, stuck))
		c.Branch(alive, round, done)
		c.Enter(done)
		c.Loop("end", n, func(k value.Value) { c.destroy(c.Load(ll.Ptr, c.At(ll.Ptr, cores, k), 8)) })
		return nil
	})
	// It reads cores[k] for k below n only, and both come from defineTeam: no value of
	// a kernel is part of an address.
	c.Trust(run)
	return run
}

const (
	// These routines save and restore the state of cores. They are emitted last, when all
	// registers and memories are known. begin_schedule prepares for a number of cores,
	// switch_to makes a core the running one, and end_schedule frees the saved state.
	beginSchedule = "begin_schedule" // for so many cores, and so many in a block
	switchTo      = "switch_to"      // makes a core the one that runs
	endSchedule   = "end_schedule"
)

// launchMemory returns the address of a memory that all cores and blocks of a launch
// share. The parameter size is its size in bytes. Calls with the same name return the
// same memory. Cores use it, for example, to synchronize with each other.
func (m *module) launchMemory(name string, size int64) value.Value {
	return m.bytes("pto.launch."+name, size)
}

// away describes a set of thread-local variables of a simulated core or block. When the
// thread switches to another core or block, the emitted code saves the contents of these
// variables in a buffer. It restores them when the first core or block continues.
type away struct {
	// size is the total size of the variables in bytes.
	size int64
	// each is the list of the variables.
	each []ll.Global
}

// putAway returns the list and the total size of certain thread-local variables: those
// for whose names the function mine returns true. The emitted code saves them while
// another core or block runs.
func (m *module) putAway(mine func(name string) bool) away {
	a := away{each: m.Variables(mine)}
	for _, g := range a.each {
		a.size += g.Bytes
	}
	return a
}

// finishSchedule emits the bodies of three functions: one allocates buffers for the state
// of the cores, one switches from one core to another, and one frees the buffers. A
// switch saves and restores the variables that represent registers of a core and, if it
// changes the block, memories of the block. finishSchedule must therefore be called after
// all other code is emitted, when all these variables are known.
func (m *module) finishSchedule() {
	if m.Pending(switchTo) == nil {
		return
	}
	registers := m.putAway(func(name string) bool { return strings.HasPrefix(name, registerPrefix) })
	memory := away{}
	if m.blocksTakeTurns {
		memory = m.putAway(func(name string) bool { return m.ofBlock[name] })
	}
	begin := newCode(m, m.Pending(beginSchedule))
	calloc := m.Intrinsic("calloc", ll.Ptr, ll.I64, ll.I64)
	total, perBlock := value.Value(begin.Func.Params[0]), value.Value(begin.Func.Params[1])
	state := func(name string) value.Value { return m.launchMemory(name, 8) }
	begin.Store(ll.Index(0), state("core"), 8)
	begin.Store(perBlock, state("cores_of_block"), 8)
	begin.Store(begin.Call(calloc, total, ll.Index(registers.size)), state("registers"), 8)
	begin.Store(begin.Call(calloc, begin.UDiv(total, perBlock), ll.Index(memory.size)), state("memory"), 8)
	begin.Ret(nil)

	turn := newCode(m, m.Pending(switchTo))
	now, next := turn.Load(ll.I64, state("core"), 8), value.Value(turn.Func.Params[0])
	turn.Store(next, state("core"), 8)
	turn.swap(registers, state("registers"), now, next)
	if m.blocksTakeTurns {
		n := turn.Load(ll.I64, state("cores_of_block"), 8)
		nowBlock, nextBlock := turn.UDiv(now, n), turn.UDiv(next, n)
		turn.When("block", turn.ICmp(enum.IPredNE, nowBlock, nextBlock), func() {
			turn.swap(memory, state("memory"), nowBlock, nextBlock)
		})
	}
	turn.Ret(nil)

	end := newCode(m, m.Pending(endSchedule))
	for _, name := range []string{"registers", "memory"} {
		end.Call(m.Intrinsic("free", ll.Void, ll.Ptr), end.Load(ll.Ptr, state(name), 8))
	}
	end.Ret(nil)
}

// swap emits code that switches execution from one core to another. The parameter now is
// the number of the current core, and next is the number of the other core. The parameter
// a lists the variables whose contents differ between cores. The parameter room is the
// address of a pointer to a buffer that contains one entry for each core. The code copies
// these variables to the entry of the current core. Then it copies the entry of the other
// core to the variables.
func (c *code) swap(a away, room, now, next value.Value) {
	all := c.Load(ll.Ptr, room, 8)
	at := func(i value.Value) value.Value { return c.offset(all, c.Mul(i, ll.Index(a.size))) }
	from, to, n := at(now), at(next), int64(0)
	for _, g := range a.each {
		size := ll.Index(g.Bytes)
		c.copyBytes(c.offset(from, ll.Index(n)), g.Address, size)
		c.copyBytes(g.Address, c.offset(to, ll.Index(n)), size)
		n += g.Bytes
	}
}
