// This file runs SIMT functions: one execution per work item, interleaved if work
// items exchange values.

package runtime

import (
	"iter"

	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// subgroup is the number of SIMT work items that can exchange values with each other
// (32).
const subgroup = analysis.Subgroup

// maxWorkItems is the maximum number of work items (threads) of a SIMT launch.
const maxWorkItems = 2048

// workItem is one execution of a SIMT function, similar to a thread. The field dims
// contains the three dimensions of the launch, and id is the position of the work item in
// them.
type workItem struct {
	dims, id [3]uint32
	// index is the number of the work item in the launch, from 0.
	index int
	// phase is the number of pto.syncthreads that the work item has passed.
	phase int
	task  *itemTask
	stack stack
}

// simtLaunch compiles op into a step, a function that calls a SIMT function once for each
// work item.
func (p *planner) simtLaunch(op *ir.Op, _ sem.SimtLaunch) step {
	callee := p.callee(op)
	if callee == nil {
		return nil
	}
	var next [numClasses]slot
	enter := firstSlots(&next, sem.SimtArgs(op), p, false)
	var dims [3]func(fr *frame) uint64
	for i, o := range sem.SimtDimensionsOf(op).Operands {
		dims[i] = p.number(o)
	}
	return p.withScopeEvents(op, func(fr *frame) *Fault {
		var n [3]uint32
		for i := range n {
			n[i] = uint32(dims[i](fr))
		}
		return runItems(op, fr, n, callee.collective, itemCall(callee, enter))
	})
}

// itemCall returns a function that calls callee for one work item. enter lists the copies
// of the arguments from the caller to the callee.
func itemCall(callee *function, enter moves) func(fr *frame) *Fault {
	return func(fr *frame) *Fault {
		c := fr.core
		if f := c.room(callee.op, callee, 1); f != nil {
			return f
		}
		in := c.enter(callee)
		enter.between(fr, in)
		f := callee.body.run(in)
		c.leave(callee, in)
		return f
	}
}

// simtDims compiles op into a step, a function that sets the launch dimensions for later
// calls of SIMT functions.
func (p *planner) simtDims(op *ir.Op, _ sem.SimtDims) step {
	d := sem.SimtDimensionsOf(op).Operands
	x, y, z := p.slot(d[0].Value), p.slot(d[1].Value), p.slot(d[2].Value)
	return func(fr *frame) *Fault {
		fr.core.simtDims = [3]uint32{uint32(fr.x[x]), uint32(fr.x[y]), uint32(fr.x[z])}
		return nil
	}
}

// simtSection compiles op into a step, a function that executes the region of op once for
// each work item. If work items run interleaved, each work item has a separate copy of
// the values that are defined outside the region.
func (p *planner) simtSection(op *ir.Op) step {
	var dims [3]uint32
	for i, n := range sem.SimtDimensionsOf(op).Numbers {
		dims[i] = uint32(n)
	}
	f := p.cur
	outside := len(f.rows)
	body := p.branch(op, op.Region(0))
	return p.withScopeEvents(op, func(fr *frame) *Fault {
		if fr.core.unit&vectorUnit == 0 {
			return nil
		}
		if !f.collective {
			return runItems(op, fr, dims, false, body)
		}
		if fault := fr.core.room(op, f, int(min(uint64(dims[0])*uint64(dims[1])*uint64(dims[2]), maxWorkItems))); fault != nil {
			return fault
		}
		return runItems(op, fr, dims, true, func(fr *frame) *Fault { return body(fr.clone(outside)) })
	})
}

// clone returns a copy of a frame, the storage of a call, for one work item. Each work
// item needs separate storage, except for arrays and structs that are declared outside
// the SIMT region. rows is the number of these arrays and structs; the copy shares their
// memory with fr.
func (fr *frame) clone(rows int) *frame {
	c := *fr
	if fr.lin != nil {
		c.lin = fr.lin.clone(rows)
	}
	c.x = append([]uint64(nil), fr.x...)
	c.v = append([]vreg(nil), fr.v...)
	c.m = append([]mask(nil), fr.m...)
	c.w = append([]view(nil), fr.w...)
	c.a = append([]alignState(nil), fr.a...)
	c.p = append([]patches(nil), fr.p...)
	c.t = append([]*tile(nil), fr.t...)
	c.r = append([][]byte(nil), fr.r...)
	for i := rows; i < len(c.r); i++ {
		c.r[i] = append([]byte(nil), c.r[i]...)
	}
	return &c
}

// runItems executes body once for each work item of a launch with the dimensions dims. If
// collective is set, the work items exchange values and run interleaved. If it is not
// set, they run sequentially. It returns a fault if the dimensions are not supported.
func runItems(op *ir.Op, fr *frame, dims [3]uint32, collective bool, body func(fr *frame) *Fault) *Fault {
	n := uint64(dims[0]) * uint64(dims[1]) * uint64(dims[2])
	if dims[0] > maxWorkItems || dims[1] > maxWorkItems || n < 1 || n > maxWorkItems {
		return faultAt(op, "must launch 1 to %d work items, but its dimensions are %dx%dx%d", maxWorkItems, dims[0], dims[1], dims[2])
	}
	c := fr.core
	outer := c.item
	defer func() { c.item = outer }()
	if collective {
		return runSideBySide(fr, dims, int(n), body)
	}
	var item workItem
	for i := range int(n) {
		free := item.stack[:0]
		item = newItem(dims, i)
		item.stack, c.item = free, &item
		if f := body(fr); f != nil {
			return f.inItem(&item)
		}
	}
	return nil
}

// newItem returns the work item with number i of a launch with the given dimensions.
func newItem(dims [3]uint32, i int) workItem {
	k := uint32(i)
	return workItem{
		dims: dims, index: i,
		id: [3]uint32{k % dims[0], k / dims[0] % dims[1], k / dims[0] / dims[1]},
	}
}

// itemTask is a work item that runs as a coroutine. It runs until it must wait for other
// work items, of its subgroup or of the launch.
type itemTask struct {
	item  workItem
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	fault *Fault
	depth int
	done  bool

	// at is the operation at which the work item waits, or nil.
	at *ir.Op
	// combine computes the results for all lanes of a subgroup that wait at the same
	// operation.
	combine func(lanes []*itemTask)
	// bits is the value that the work item contributes.
	bits uint64
	// control is the value of the control operand, for example a lane number.
	control uint64
	// out is the value that the work item receives.
	out uint64
}

// lane returns the number of the work item in its subgroup, from 0 to 31.
func (t *itemTask) lane() int { return t.item.index % subgroup }

// runSideBySide executes the code of a SIMT launch for n work items. body is a function
// that executes the code of one work item. The executions are coroutines, which run
// interleaved. dims are the launch dimensions.
func runSideBySide(fr *frame, dims [3]uint32, n int, body func(fr *frame) *Fault) *Fault {
	c := fr.core
	tasks := make([]*itemTask, n)
	for i := range tasks {
		t := &itemTask{item: newItem(dims, i), depth: c.depth}
		t.item.task = t
		t.next, t.stop = iter.Pull(func(yield func(struct{}) bool) {
			t.yield = yield
			t.fault = body(fr)
		})
		tasks[i] = t
	}
	depth := c.depth
	defer func() {
		for _, t := range tasks {
			t.stop()
		}
		c.depth = depth
	}()
	for {
		for _, t := range tasks {
			if f := t.resume(c); f != nil {
				return f
			}
		}
		if !meet(tasks) {
			return nil // all are done
		}
	}
}

// resume runs the coroutine of a work item on core c until the work item waits or has
// ended. It returns the fault of the work item, or nil.
func (t *itemTask) resume(c *core) *Fault {
	if t.done || t.at != nil {
		return nil
	}
	c.item, c.depth = &t.item, t.depth
	_, more := t.next()
	t.depth = c.depth
	t.done = !more
	if t.fault != nil {
		t.fault.inItem(&t.item)
	}
	return t.fault
}

// meet resumes work items (SIMT threads) that have stopped at an operation. Some
// operations combine values of a subgroup. In each subgroup, meet selects the stopped
// work item with the lowest lane and all work items that have stopped at the same
// operation. It computes the results of the operation for these work items and resumes
// them. Other operations combine the complete launch. If no subgroup has work items to
// resume, meet resumes all work items that have stopped at such an operation. meet
// returns true if it has resumed a work item.
func meet(tasks []*itemTask) bool {
	moved := false
	for at := 0; at < len(tasks); at += subgroup {
		var lanes []*itemTask
		for _, t := range tasks[at:min(at+subgroup, len(tasks))] {
			if t.at != nil && t.combine != nil && (len(lanes) == 0 || lanes[0].at == t.at) {
				lanes = append(lanes, t)
			}
		}
		if len(lanes) > 0 {
			lanes[0].combine(lanes)
			moved = true
		}
		for _, t := range lanes {
			t.at = nil
		}
	}
	if moved {
		return true
	}
	for _, t := range tasks {
		moved = moved || t.at != nil
		t.at = nil
	}
	return moved
}

// meetOthers makes the current work item wait for other work items, and returns the value
// that it receives from them. If the parameter combine is nil, it waits for all work
// items of the launch. Otherwise it waits for its subgroup and passes the two numbers
// bits and control to them. When all have arrived, the function combine computes the
// results for all work items of the subgroup from these numbers.
func (c *core) meetOthers(op *ir.Op, bits, control uint64, combine func(lanes []*itemTask)) (uint64, *Fault) {
	t := c.aloneTask()
	t.bits, t.control = bits, control
	if t.yield == nil {
		if combine != nil {
			combine([]*itemTask{t})
		}
		return t.out, nil
	}
	t.at, t.combine = op, combine
	if !t.yield(struct{}{}) {
		return 0, stopped()
	}
	return t.out, nil
}

// aloneTask returns the coroutine of the current work item. Outside SIMT code, and if
// work items run sequentially, it returns a placeholder that never waits.
func (c *core) aloneTask() *itemTask {
	if c.item != nil && c.item.task != nil {
		return c.item.task
	}
	t := &itemTask{}
	if c.item != nil {
		t.item = *c.item
	}
	return t
}

// syncThreads compiles op into a step, a function that waits for all work items of the
// launch.
func (p *planner) syncThreads(op *ir.Op, _ sem.SyncThreads) step {
	p.cur.collective = true
	return func(fr *frame) *Fault {
		_, f := fr.core.meetOthers(op, 0, 0, nil)
		if w := fr.core.item; w != nil {
			w.phase++
		}
		return f
	}
}

// workItem compiles op into a step, a function that reads a property of the current work
// item, such as its number. Outside SIMT code, it returns the properties of a launch with
// a single work item.
func (p *planner) workItem(op *ir.Op, kind sem.WorkItem) step {
	d := p.slot(op.Result(0))
	f, _ := p.format(op, op.Result(0).Type())
	alone := workItem{dims: [3]uint32{1, 1, 1}}
	var ask func(c *core, w *workItem) uint64
	switch kind.What {
	case sem.ThreadIdx:
		ask = func(_ *core, w *workItem) uint64 { return uint64(w.id[kind.Axis]) }
	case sem.BlockDim:
		ask = func(_ *core, w *workItem) uint64 { return uint64(w.dims[kind.Axis]) }
	case sem.GridDim:
		ask = func(*core, *workItem) uint64 { return 0 } // as public golden data has it
	case sem.GridBlockIdx:
		ask = func(*core, *workItem) uint64 { return 0 }
	case sem.VectorCore:
		ask = func(c *core, _ *workItem) uint64 { return uint64(c.cluster.block*c.cluster.subBlocks() + c.sub) }
	case sem.Lane:
		ask = func(_ *core, w *workItem) uint64 { return uint64(w.index % subgroup) }
	case sem.Clock:
		ask = func(c *core, _ *workItem) uint64 { c.clock++; return c.clock }
	default:
		p.errorf(op, "cannot be executed by pto-run yet")
		return nil
	}
	return func(fr *frame) *Fault {
		w := fr.core.item
		if w == nil {
			w = &alone
		}
		fr.x[d] = ask(fr.core, w) & f.Mask()
		return nil
	}
}

// keptSlots is the number of 64-bit values that a work item can preserve from one SIMT
// launch to the next.
const keptSlots = 123

// slotOfItem returns the storage of a 64-bit value that the current work item preserves
// from one SIMT launch to the next. slot is the index of the value.
func (c *core) slotOfItem(slot int64) *uint64 {
	if c.kept == nil {
		c.kept = make([]uint64, maxWorkItems*keptSlots)
	}
	i := 0
	if c.item != nil {
		i = c.item.index
	}
	return &c.kept[i*keptSlots+int(slot)]
}

// keptState compiles op into a step, a function that saves a value of the work item for
// the next SIMT launch, or restores it.
func (p *planner) keptState(op *ir.Op, kind sem.KeptState) step {
	n, ok := sem.KeptSlot(op)
	if !ok || n < 0 || n >= keptSlots {
		p.errorf(op, "uses slot %d to keep a value between SIMT launches, but only slots 0 to %d exist", n, keptSlots-1)
		return nil
	}
	if kind.Resume {
		d := p.slot(op.Result(0))
		return func(fr *frame) *Fault { fr.x[d] = *fr.core.slotOfItem(n); return nil }
	}
	from := p.slot(op.Operand(0))
	return func(fr *frame) *Fault { *fr.core.slotOfItem(n) = fr.x[from]; return nil }
}
