// This file emits SIMT launches as loops over work items.

package llvm

import (
	"fmt"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

const (
	// subgroup is the number of work items that can exchange values with each other.
	// maxWorkItems is the maximum number of work items of a launch.
	subgroup     = analysis.Subgroup
	maxWorkItems = 2048
)

const (
	// These are the names of core registers for SIMT work items. The registers with the
	// prefix item describe the current work item; they are all zero outside of a launch.
	// itemInside is 1 in a launch. itemNumber is the number of the work item, and
	// itemDims starts the names of the launch dimensions. itemTask is the address of the
	// state of the work item if work items wait for each other. callDims starts the names
	// of the dimensions for following calls of SIMT functions. coreClock is the clock
	// that programs can read.
	itemInside = "item.inside"
	itemNumber = "item.number"
	itemTask   = "item.task"
	itemDims   = "item.dim"
	callDims   = "simt.dim"
	coreClock  = "clock"
)

// dimOf returns the name of the core register that holds component axis (0, 1 or 2) of a
// three-dimensional launch size or position. The parameter state is the common prefix of
// the names of the three registers.
func dimOf(state string, axis int) string { return fmt.Sprintf("%s%d", state, axis) }

// itemDim emits the launch size along one axis. Outside of a launch it is 1.
func (c *code) itemDim(axis int) value.Value {
	return c.MaxInt(c.state(dimOf(itemDims, axis)), ll.Index(1))
}

// lane emits the index of the current work item within its subgroup of 32 work items.
func (c *code) lane() value.Value { return c.Rem(c.state(itemNumber), subgroup) }

// workItem emits a property of the current SIMT work item, such as its number.
func (f *function) workItem(op *ir.Op, kind sem.WorkItem) {
	x := value.Value(ll.Index(0)) // of the grid, as public golden data has it
	switch kind.What {
	case sem.ThreadIdx:
		x = f.state(itemNumber)
		for axis := range kind.Axis {
			x = f.UDiv(x, f.itemDim(axis))
		}
		if kind.Axis < 2 {
			x = f.URem(x, f.itemDim(kind.Axis))
		}
	case sem.BlockDim:
		x = f.itemDim(kind.Axis)
	case sem.GridDim, sem.GridBlockIdx:
	case sem.VectorCore:
		x = f.blockIdx
	case sem.Lane:
		x = f.lane()
	case sem.Clock:
		x = f.Add(f.state(coreClock), ll.Index(1))
		f.setState(coreClock, x)
	default:
		f.unsupported(op)
		return
	}
	f.set(op.Result(0), f.Resize(x, intTypeOf(op.Result(0).Type()), false))
}

// simtDims emits an instruction that sets the launch dimensions for following calls of
// SIMT functions.
func (f *function) simtDims(op *ir.Op, _ sem.SimtDims) {
	for axis, o := range sem.SimtDimensionsOf(op).Operands {
		f.setState(dimOf(callDims, axis), f.ZExt(f.Resize(f.val(o.Value), ll.I32, false), ll.I64))
	}
}

// simtLaunch emits an instruction that runs a function once for each SIMT work item of a
// launch.
func (f *function) simtLaunch(op *ir.Op, _ sem.SimtLaunch) {
	var dims [3]value.Value
	for axis, o := range sem.SimtDimensionsOf(op).Operands {
		dims[axis] = f.ZExt(f.Resize(f.val(o.Value), ll.I32, false), ll.I64)
	}
	f.launch(op, analysis.CalleeOf(op), dims, f.all(sem.SimtArgs(op)))
}

// launch emits a loop that calls the function callee with args for each work item of a
// launch with the given dimensions.
func (f *function) launch(op, callee *ir.Op, dims [3]value.Value, args []value.Value) {
	args = append(args, f.blockIdx, f.blockNum)
	switch {
	case f.team != nil:
		f.itemsInTeam(op)
	case f.funcs[callee] == nil:
		f.errorf(op, "calls the function %s, which the LLVM IR emitter does not support", op.Attr("callee"))
	case f.together[callee] != nil:
		f.itemsTogether(dims, func() value.Value { return f.Call(f.together[callee], args...) })
	default:
		f.items(dims, func() { f.Call(f.funcs[callee], args...) })
	}
}

// callEntry emits a call of a SIMT function from code that is not executed by a work
// item. If the program has set launch dimensions before, the call starts a launch: the
// function runs once per work item. If it has not, the emitted code executes the ordinary
// call that the function plain emits.
func (f *function) callEntry(op, callee *ir.Op, plain func()) {
	var dims [3]value.Value
	any := value.Value(ll.Index(0))
	for axis := range dims {
		dims[axis] = f.state(dimOf(callDims, axis))
		any = f.Or(any, dims[axis])
	}
	first := f.And(f.ICmp(enum.IPredNE, any, ll.Index(0)), f.ICmp(enum.IPredEQ, f.state(itemInside), ll.Index(0)))
	f.When("launch", first, func() { f.launch(op, callee, dims, f.all(op.Operands())) })
	f.When("call", f.Not(first), plain)
}

// simtSection emits a section that vector cores execute once per SIMT work item.
func (f *function) simtSection(op *ir.Op) {
	if f.team != nil {
		f.itemsInTeam(op)
		return
	}
	var dims [3]value.Value
	for axis, n := range sem.SimtDimensionsOf(op).Numbers {
		dims[axis] = ll.Index(n)
	}
	if !f.meeting[op] {
		f.items(dims, func() { f.sectionBody(op) })
		return
	}
	co, args := f.outline(op)
	f.itemsTogether(dims, func() value.Value { return f.Call(co, args...) })
}

// sectionBody emits the region of a SIMT section for one work item. It first adjusts the
// addresses of memory that each work item has separately.
func (f *function) sectionBody(op *ir.Op) {
	f.ownParts(op, func() { f.sectionRegion(op) })
}

// sectionRegion emits the region of a SIMT section. Instructions in the region can use
// the values that are defined at this point of the function.
func (f *function) sectionRegion(op *ir.Op) {
	body := op.Region(0)
	if body.Entry().Terminator() == nil {
		f.region(body, nil)
		return
	}
	done := f.newJoin("section", nil)
	f.inside(body, nil, func(*ir.Op) { f.reach(done, nil) })
	f.start(done)
}

// items emits a loop over all work items of a launch with the given dimensions. The
// function body emits the loop body.
func (f *function) items(dims [3]value.Value, body func()) {
	f.launched(dims, func(n value.Value) {
		f.Loop("item", n, func(i value.Value) {
			f.setState(itemNumber, i)
			body()
		})
	})
}

// launched emits a launch with the given dimensions. It calls body to emit the code
// between the start and the end of the launch. The argument n of body is the total number
// of work items. If there are too many work items, the emitted code traps.
func (f *function) launched(dims [3]value.Value, body func(n value.Value)) {
	n := f.Mul(f.Mul(dims[0], dims[1]), dims[2])
	tooMany := func(x value.Value) value.Value { return f.ICmp(enum.IPredUGT, x, ll.Index(maxWorkItems)) }
	f.TrapIf(f.Or(f.Or(tooMany(dims[0]), tooMany(dims[1])), f.ICmp(enum.IPredUGE, f.Sub(n, ll.Index(1)), ll.Index(maxWorkItems))))
	names := []string{itemInside, itemNumber, itemTask}
	for axis := range dims {
		names = append(names, dimOf(itemDims, axis))
	}
	var before []value.Value
	for _, name := range names {
		before = append(before, f.state(name))
	}
	f.setState(itemInside, ll.Index(1))
	for axis := range dims {
		f.setState(dimOf(itemDims, axis), dims[axis])
	}
	body(n)
	for i, name := range names {
		f.setState(name, before[i])
	}
}

// keptState emits an instruction that saves a value of each work item for the next
// launch, or restores it. The memory for these values is initialized with zeros.
func (f *function) keptState(op *ir.Op, kind sem.KeptState) {
	slot, _ := sem.KeptSlot(op)
	all := f.workspace(fmt.Sprintf("kept.%d", slot), 8*maxWorkItems)
	kept := f.At(ll.I64, all, f.state(itemNumber))
	if kind.Resume {
		f.set(op.Result(0), f.fromWord(f.Load(ll.I64, kept, 8), intTypeOf(op.Result(0).Type())))
		return
	}
	f.Store(f.toWord(f.val(op.Operand(0))), kept, 8)
}
