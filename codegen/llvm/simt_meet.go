// This file emits the scheduler of work items that wait for each other.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	llir "github.com/llir/llvm/ir"

	"ptogo/codegen/ll"
	"ptogo/ir"
)

const (
	// A task is the state of a SIMT work item that runs as a coroutine: an array of
	// 64-bit words. These constants are the indices of the words. taskAt is the number of
	// the instruction at which the work item waits, or 0. taskCombine is the address of
	// the function that computes the exchange of values at this instruction, or 0 if the
	// work item waits for all work items. taskBits is the value that the work item
	// contributes, and taskControl is its control operand. taskOut is the value that it
	// receives. taskHandle is its coroutine handle, and taskWords is the number of words.
	taskAt = iota
	taskCombine
	taskBits
	taskControl
	taskOut
	taskHandle
	taskWords
)

// tasks is the array of task states of a launch, one per SIMT work item.
type tasks struct {
	c     *code
	first value.Value
}

// of emits the address of one word of the state of task i (a SIMT work item). The
// parameter word is the index of the word.
func (t tasks) of(i value.Value, word int64) value.Value {
	return t.c.At(ll.I64, t.first, t.c.Add(t.c.Mul(i, ll.Index(taskWords)), ll.Index(word)))
}

// read emits a load of one word of the state of task i (a SIMT work item). The parameter
// word is the index of the word.
func (t tasks) read(i value.Value, word int64) value.Value { return t.c.Load(ll.I64, t.of(i, word), 8) }

// write emits a store of x to one word of the state of task i (a SIMT work item). The
// parameter word is the index of the word.
func (t tasks) write(i value.Value, word int64, x value.Value) { t.c.Store(x, t.of(i, word), 8) }

// launchTasks returns an accessor for the states of all work items of the current launch.
// The states contain code addresses, so the kernel must not be able to address them. For
// this reason, they are not stored in a workspace, which a kernel can reach.
func (c *code) launchTasks() tasks {
	return tasks{c, c.bytes("pto.tasks", 8*taskWords*maxWorkItems)}
}

// itemsTogether emits a launch whose work items wait for each other. It creates one
// coroutine for each work item and calls the scheduler, which resumes them. The function
// start emits the creation of the coroutine for the current work item.
func (f *function) itemsTogether(dims [3]value.Value, start func() (handle value.Value)) {
	f.launched(dims, func(n value.Value) {
		all := f.launchTasks()
		f.Loop("item", n, func(i value.Value) {
			f.switchTo(all, i)
			all.write(i, taskAt, ll.Index(0))
			f.Store(start(), all.of(i, taskHandle), 8)
		})
		f.Call(f.scheduler(), n)
	})
}

// switchTo emits code that makes work item i the current one: it stores the number and
// the task of the item in core variables. The parameter all gives access to the tasks of
// all work items.
func (c *code) switchTo(all tasks, i value.Value) {
	c.setState(itemNumber, i)
	c.setState(itemTask, all.of(i, taskAt))
}

// scheduler returns the helper function that resumes the coroutines of the work items in
// turn until all work items have ended.
func (c *code) scheduler() *llir.Func {
	return c.private("run_items", ll.Void, []types.Type{ll.I64}, func(c *code, args []value.Value) value.Value {
		n, all := args[0], c.launchTasks()
		head, turn, done := c.NewBlock("round"), c.NewBlock("turn"), c.NewBlock("done")
		c.Jump(head)
		c.Enter(head)
		c.Branch(c.Call(c.letGo(), n), turn, done)
		c.Enter(turn)
		c.Loop("item", n, func(i value.Value) {
			handle := c.Load(ll.Ptr, all.of(i, taskHandle), 8)
			ready := c.And(c.ICmp(enum.IPredEQ, all.read(i, taskAt), ll.Index(0)), c.Not(c.isDone(handle)))
			c.When("ready", ready, func() {
				c.switchTo(all, i)
				c.resume(handle)
			})
		})
		c.Jump(head)
		c.Enter(done)
		c.Loop("item", n, func(i value.Value) { c.destroy(c.Load(ll.Ptr, all.of(i, taskHandle), 8)) })
		return nil
	})
}

// letGo returns the helper function that lets waiting work items continue. In each
// subgroup, the helper function takes the lowest waiting lane and all work items that
// wait at the same instruction as this lane. It computes their exchange of values. If no
// subgroup waits for an exchange, it releases all work items that wait at a barrier. It
// returns true if a work item can continue.
func (c *code) letGo() *llir.Func {
	return c.private("let_go", ll.I1, []types.Type{ll.I64}, func(c *code, args []value.Value) value.Value {
		n, all := args[0], c.launchTasks()
		groups := c.CeilQuo(n, subgroup)
		moved := c.Reduce("subgroup", groups, []value.Value{ll.Integer(ll.I1, 0)}, func(g value.Value, acc []value.Value) []value.Value {
			first := c.Mul(g, ll.Index(subgroup))
			lanes := tasks{c, all.of(first, taskAt)}
			mask := lanes.waiting(c.AtMost(c.Sub(n, first), ll.Index(subgroup)))
			some := c.ICmp(enum.IPredNE, mask, ll.Index(0))
			c.When("meet", some, func() {
				combine := c.Load(ll.Ptr, lanes.of(c.lowest(mask), taskCombine), 8)
				c.Do(&llir.InstCall{Callee: combinerAddress{combine}, Args: []value.Value{lanes.first, mask}, Typ: ll.Void})
				lanes.each(mask, func(i value.Value) { lanes.write(i, taskAt, ll.Index(0)) })
			})
			return []value.Value{c.Or(acc[0], some)}
		})[0]
		return c.Choose("moved", moved, func() value.Value { return ll.Integer(ll.I1, 1) }, func() value.Value {
			return c.Reduce("item", n, []value.Value{ll.Integer(ll.I1, 0)}, func(i value.Value, acc []value.Value) []value.Value {
				waits := c.ICmp(enum.IPredNE, all.read(i, taskAt), ll.Index(0))
				all.write(i, taskAt, ll.Index(0))
				return []value.Value{c.Or(acc[0], waits)}
			})[0]
		})
	})
}

// waiting emits the bit mask of the lanes, among the first n, that wait for an exchange
// at the same instruction as the lowest waiting lane.
func (t tasks) waiting(n value.Value) value.Value {
	none := []value.Value{ll.Index(0), ll.Index(0)}
	return t.c.Reduce("lane", n, none, func(i value.Value, acc []value.Value) []value.Value {
		place := t.read(i, taskAt)
		waits := t.c.And(t.c.ICmp(enum.IPredNE, place, ll.Index(0)), t.c.ICmp(enum.IPredNE, t.read(i, taskCombine), ll.Index(0)))
		same := t.c.Or(t.c.ICmp(enum.IPredEQ, acc[1], ll.Index(0)), t.c.ICmp(enum.IPredEQ, acc[1], place))
		joins := t.c.And(waits, same)
		return []value.Value{t.c.Or(acc[0], t.c.Shl(t.c.ZExt(joins, ll.I64), i)), t.c.Select(joins, place, acc[1])}
	})[0]
}

// lowest emits the index of the lowest lane in a bit mask of lanes. The mask must not be
// zero.
func (c *code) lowest(mask value.Value) value.Value {
	return c.Call(c.Intrinsic("llvm.cttz.i64", ll.I64, ll.I64, ll.I1), mask, ll.Integer(ll.I1, 1))
}

// The method each emits a loop over the lanes whose bits are set in mask, in increasing
// order. The parameter body is a function that emits the code for lane i.
func (t tasks) each(mask value.Value, body func(i value.Value)) {
	t.c.Loop("lane", ll.Index(subgroup), func(i value.Value) {
		t.c.When("takes_part", t.c.has(mask, i), func() { body(i) })
	})
}

// has emits a test, an i1, whether lane i is in a set of lanes. The bits of the parameter
// mask represent the lanes of the set. Lane i must be below 64.
func (c *code) has(mask, i value.Value) value.Value { return c.Trunc(c.LShr(mask, i), ll.I1) }

// combinerAddress is the run-time address of a combiner function, together with its
// function type, which an LLVM call instruction needs.
type combinerAddress struct{ value.Value }

func (combinerAddress) Type() types.Type {
	return types.NewPointer(types.NewFunc(ll.Void, ll.Ptr, ll.I64))
}

// meet emits code with which a work item waits for other work items. If combine is nil,
// the work item waits for all work items of the launch, and the result has no meaning. If
// combine is not nil, the work item waits for its subgroup. The function combine then
// computes the results of all lanes from the operands bits and control of each lane, and
// meet returns the result for this work item. A work item that runs alone does not wait.
func (f *function) meet(op *ir.Op, bits, control value.Value, combine *llir.Func) value.Value {
	alone := func() value.Value {
		if combine == nil {
			return ll.Index(0)
		}
		lanes, lane := tasks{f.code, f.workspace("alone", 8*taskWords*subgroup)}, f.lane()
		lanes.write(lane, taskBits, bits)
		lanes.write(lane, taskControl, control)
		f.Call(combine, lanes.first, f.Shl(ll.Index(1), lane))
		return lanes.read(lane, taskOut)
	}
	if f.co == nil {
		return alone()
	}
	mine := f.Load(ll.Ptr, f.coreState(itemTask), 8)
	return f.Choose("alone", f.ICmp(enum.IPredEQ, mine, ll.Null), alone, func() value.Value {
		f.meetings++
		task, own := tasks{f.code, mine}, ll.Index(0)
		task.write(own, taskAt, ll.Index(f.meetings))
		task.write(own, taskBits, bits)
		task.write(own, taskControl, control)
		by := value.Value(ll.Null)
		if combine != nil {
			by = ll.FunctionAddress(combine)
		}
		f.Store(by, task.of(own, taskCombine), 8)
		resumed := f.NewBlock("resumed")
		f.pause(false, resumed)
		f.Enter(resumed)
		return task.read(own, taskOut)
	})
}
