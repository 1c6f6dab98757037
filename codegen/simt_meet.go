package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	llir "github.com/llir/llvm/ir"

	"ptogo/ir"
)

// A task is a work item that runs side by side with others: words of memory.
const (
	taskAt      = iota // the number of the instruction that it waits at, or 0
	taskCombine        // the routine that combines values there; none waits for all
	taskBits           // the value it gives
	taskControl        // the other operand
	taskOut            // the value it gets
	taskHandle         // its coroutine
	taskWords
)

// tasks are the tasks of a launch, or what stands for them.
type tasks struct {
	*code
	first value.Value
}

// of is the address of a word of task i.
func (t tasks) of(i value.Value, word int64) value.Value {
	return t.at(i64, t.first, t.add(t.mul(i, index(taskWords)), index(word)))
}

// read is an integer of a task.
func (t tasks) read(i value.Value, word int64) value.Value { return t.load(i64, t.of(i, word), 8) }

// write sets one.
func (t tasks) write(i value.Value, word int64, x value.Value) { t.store(x, t.of(i, word), 8) }

// launchTasks are the tasks of the launch that runs.
func (c *code) launchTasks() tasks {
	return tasks{c, c.workspace("tasks", 8*taskWords*maxWorkItems)}
}

// itemsTogether runs work items side by side, which start makes.
func (f *function) itemsTogether(dims [3]value.Value, start func() (handle value.Value)) {
	f.launched(dims, func(n value.Value) {
		all := f.launchTasks()
		f.loop("item", n, func(i value.Value) {
			f.turnTo(all, i)
			all.write(i, taskAt, index(0))
			f.store(start(), all.of(i, taskHandle), 8)
		})
		f.call(f.scheduler(), n)
	})
}

// turnTo makes a work item the one that runs.
func (c *code) turnTo(all tasks, i value.Value) {
	c.setState(itemNumber, i)
	c.setState(itemTask, all.of(i, taskAt))
}

// scheduler is the routine that runs work items in turns, until all are done.
func (c *code) scheduler() *llir.Func {
	return c.private("run_items", void, []types.Type{i64}, func(c *code, args []value.Value) value.Value {
		n, all := args[0], c.launchTasks()
		head, turn, done := c.newBlock("round"), c.newBlock("turn"), c.newBlock("done")
		c.jump(head)
		c.enter(head)
		c.branch(c.call(c.letGo(), n), turn, done)
		c.enter(turn)
		c.loop("item", n, func(i value.Value) {
			handle := c.load(ptr, all.of(i, taskHandle), 8)
			ready := c.and(c.icmp(enum.IPredEQ, all.read(i, taskAt), index(0)), c.not(c.isDone(handle)))
			c.when("ready", ready, func() {
				c.turnTo(all, i)
				c.resume(handle)
			})
		})
		c.jump(head)
		c.enter(done)
		c.loop("item", n, func(i value.Value) { c.destroy(c.load(ptr, all.of(i, taskHandle), 8)) })
		return nil
	})
}

// letGo is the routine that lets those go on that have come to the same place:
// in each subgroup the ones that wait where its lowest lane waits; if there are
// none, all that wait for everybody. It tells whether anybody goes on.
func (c *code) letGo() *llir.Func {
	return c.private("let_go", i1, []types.Type{i64}, func(c *code, args []value.Value) value.Value {
		n, all := args[0], c.launchTasks()
		groups := c.ceilQuo(n, subgroup)
		moved := c.reduce("subgroup", groups, []value.Value{integer(i1, 0)}, func(g value.Value, acc []value.Value) []value.Value {
			first := c.mul(g, index(subgroup))
			lanes := tasks{c, all.of(first, taskAt)}
			mask := lanes.waiting(c.atMost(c.sub(n, first), index(subgroup)))
			some := c.icmp(enum.IPredNE, mask, index(0))
			c.when("meet", some, func() {
				combine := c.load(ptr, lanes.of(c.lowest(mask), taskCombine), 8)
				c.do(&llir.InstCall{Callee: routine{combine}, Args: []value.Value{lanes.first, mask}, Typ: void})
				lanes.each(mask, func(i value.Value) { lanes.write(i, taskAt, index(0)) })
			})
			return []value.Value{c.or(acc[0], some)}
		})[0]
		return c.choose("moved", moved, func() value.Value { return integer(i1, 1) }, func() value.Value {
			return c.reduce("item", n, []value.Value{integer(i1, 0)}, func(i value.Value, acc []value.Value) []value.Value {
				waits := c.icmp(enum.IPredNE, all.read(i, taskAt), index(0))
				all.write(i, taskAt, index(0))
				return []value.Value{c.or(acc[0], waits)}
			})[0]
		})
	})
}

// waiting is the set of the lanes that wait for their subgroup where the lowest
// of them does.
func (t tasks) waiting(n value.Value) value.Value {
	none := []value.Value{index(0), index(0)}
	return t.reduce("lane", n, none, func(i value.Value, acc []value.Value) []value.Value {
		place := t.read(i, taskAt)
		waits := t.and(t.icmp(enum.IPredNE, place, index(0)), t.icmp(enum.IPredNE, t.read(i, taskCombine), index(0)))
		same := t.or(t.icmp(enum.IPredEQ, acc[1], index(0)), t.icmp(enum.IPredEQ, acc[1], place))
		joins := t.and(waits, same)
		return []value.Value{t.or(acc[0], t.shl(t.zext(joins, i64), i)), t.sel(joins, place, acc[1])}
	})[0]
}

// lowest is the lowest lane of a set that is not empty.
func (c *code) lowest(mask value.Value) value.Value {
	return c.call(c.intrinsic("llvm.cttz.i64", i64, i64, i1), mask, integer(i1, 1))
}

// each runs body for every lane of a set, from the lowest up.
func (t tasks) each(mask value.Value, body func(i value.Value)) {
	t.loop("lane", index(subgroup), func(i value.Value) {
		t.when("takes_part", t.has(mask, i), func() { body(i) })
	})
}

// has reports whether a set has lane i, which must be below 64.
func (c *code) has(mask, i value.Value) value.Value { return c.trunc(c.lshr(mask, i), i1) }

// routine is the address of a function that combines values, to be called.
type routine struct{ value.Value }

func (routine) Type() types.Type { return types.NewPointer(types.NewFunc(void, ptr, i64)) }

// meet writes waiting for the other lanes, where combine works out what each
// gets; or for all work items, without it. Work items that are alone meet
// nobody.
func (f *function) meet(op *ir.Op, bits, control value.Value, combine *llir.Func) value.Value {
	alone := func() value.Value {
		if combine == nil {
			return index(0)
		}
		lanes, lane := tasks{f.code, f.workspace("alone", 8*taskWords*subgroup)}, f.lane()
		lanes.write(lane, taskBits, bits)
		lanes.write(lane, taskControl, control)
		f.call(combine, lanes.first, f.shl(index(1), lane))
		return lanes.read(lane, taskOut)
	}
	if f.co == nil {
		return alone()
	}
	mine := f.load(ptr, f.coreState(itemTask), 8)
	return f.choose("alone", f.icmp(enum.IPredEQ, mine, nullPtr{}), alone, func() value.Value {
		f.meetings++
		task, own := tasks{f.code, mine}, index(0)
		task.write(own, taskAt, index(f.meetings))
		task.write(own, taskBits, bits)
		task.write(own, taskControl, control)
		by := value.Value(nullPtr{})
		if combine != nil {
			by = address{combine}
		}
		f.store(by, task.of(own, taskCombine), 8)
		resumed := f.newBlock("resumed")
		f.pause(false, resumed)
		f.enter(resumed)
		return task.read(own, taskOut)
	})
}
