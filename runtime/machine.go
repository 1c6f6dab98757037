// This file defines the state of a simulated core.

package runtime

import (
	"cmp"
	"math"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// unit is a set of core types: cube core, vector core, or both.
type unit = sem.Unit

const (
	cubeUnit   = sem.CubeUnit
	vectorUnit = sem.VectorUnit
	anyUnit    = sem.AnyUnit
)

// core simulates one core with its local memories. It executes one kernel at a time.
type core struct {
	prog    *Program
	cluster *cluster
	// gm are the global buffers that the core can access: the buffers of its rank, and
	// windows (shared ranges) of other ranks.
	gm   []*Buffer
	unit unit
	// sub is the number of the vector core in its block.
	sub int
	// forBoth means that the core also raises its signals for the other vector core of
	// the block.
	forBoth bool
	// own are the memories that belong to the core. The array spaces can also refer to
	// memories of other cores.
	own    *memories
	spaces [numMemories]*memory
	// buffers are the unified buffers of the vector cores, which the cube core of the
	// block can access.
	buffers [vectorCores]*memory
	// frames contains unused frames of each function for later calls, because allocating
	// a frame is slow.
	frames [][]*frame
	// bounded means that MaxSteps or Stop is set.
	bounded bool
	// rec records events; it is nil without listeners.
	rec *recorder
	// pipes are the simulated asynchronous pipes; it is nil if instructions execute in
	// program order.
	pipes *pipeSet
	// lin computes expressions; it is nil without Options.Lineage.
	lin *tracer

	// The following state is cleared at the start of each block.
	progress
	*pending // the pipes that run beside it share it
	special
	simt
	// units are the unit flags of L0C. ends are the states of the queues on this core.
	// reset clears these slices in place, because their sizes depend on the program.
	units unitFlags
	// ends are the states of the queues between cores, for the producer or consumer on
	// this core.
	ends      []ringEnd
	registers []register

	// scratch are temporary buffers for rows of operands whose elements are not adjacent.
	scratch [2 + 2*maxInputs][]byte
	// numbers is a further temporary buffer, which grows to the size that an instruction
	// needs. large is such a buffer for bytes.
	numbers []uint64
	large   []byte
}

// progress is the state of a core that is cleared at the start of each block.
type progress struct {
	// depth is the number of active function calls.
	depth int
	// task is the coroutine of the core if it runs interleaved with others, and nil
	// otherwise.
	task *task
	// left is the number of steps until the core calls goOn. rest is the number of steps
	// that remain after those until MaxSteps.
	left int64
	// rest is the number of steps that remain after left until MaxSteps.
	rest int64
	// back is the direction of the previous long loop; see turn.
	back bool
	// warned contains the operations that have already caused a warning.
	warned map[*ir.Op]bool
	// polls is the number of consecutive unsuccessful tests of a signal.
	polls int
}

// pending holds the flags that the pipes of a core have set, and the owners of its buffer
// tokens. Instructions wait for both.
type pending struct {
	// flags contains the flags that pipes of the core have set and for which no pipe has
	// waited yet.
	flags flags
	// holders contains, for each buffer token, the operations with which pipes have acquired
	// it.
	holders holders
}

// special holds the special registers of a core, and results that an instruction leaves
// for a later instruction.
type special struct {
	// ar is the special register AR, the number of bytes that unaligned stores have
	// written.
	ar uint64
	// compacted is the number of bytes that the last compaction (removal of unselected
	// lanes) has written.
	compacted int
	// merged is the number of records that the last merge has consumed from each list.
	merged [4]int
	// atomic is the mode in which stores combine with the contents of global memory.
	atomic atomic
	// roundings are the active rounding modes for the operands of matrix products.
	roundings []operandRounding
	// patches are the registers of the patch engine (img2col).
	patches patches
}

// simt is the state of a core that executes SIMT work items.
type simt struct {
	// item is the work item that is running.
	item     *workItem
	simtDims [3]uint32
	// kept are the values that work items preserve from one SIMT launch to the next.
	kept   []uint64
	stacks stacks
	clock  uint64
}

// newCore returns a simulated core of type u for program p. sub is the index of the core
// among the vector cores of its block.
func newCore(p *Program, u unit, sub int) *core {
	c := &core{prog: p, unit: u, sub: sub, frames: make([][]*frame, p.funcs), bounded: p.opts.MaxSteps > 0 || p.opts.Stop != nil, pending: &pending{}}
	c.ends = make([]ringEnd, p.rings)
	c.units = newUnitFlags(p.target)
	c.registers = make([]register, p.registers)
	c.own = takeMemories(p.target, p.opts.ScratchFill)
	c.spaces, c.scratch = c.own.spaces, c.own.scratch
	if l := p.opts.Lineage; l != nil {
		c.lin = &tracer{t: l.Exprs, shadows: l.Shadows, definedness: l.Definedness}
	}
	return c
}

// reset prepares the core for the next block. It sets local memory to the initial
// contents that the launch options define, so that a block never reads data of earlier
// blocks.
func (c *core) reset() {
	c.progress = progress{warned: map[*ir.Op]bool{}}
	c.limit()
	*c.pending = pending{}
	c.special = special{atomic: atomic{fn: scalar.Add}, patches: sem.UnsetPatches()}
	c.simt = simt{}
	clear(c.units)
	clear(c.ends)
	clear(c.registers)
	for _, m := range c.spaces {
		m.reset(c.prog.opts.ScratchFill)
	}
	for _, m := range c.buffers {
		if m != nil {
			m.reset(c.prog.opts.ScratchFill)
		}
	}
}

// limit initializes the number of steps that the core may execute, from Options.MaxSteps.
// If the launch can be stopped from outside, the steps are granted in portions of
// stopEvery.
func (c *core) limit() {
	o := &c.prog.opts
	c.left, c.rest = 0, cmp.Or(o.MaxSteps, math.MaxInt64/2)
	if o.Stop == nil {
		c.left, c.rest = c.rest, 0
	}
}

// turn selects the direction of the next loop over long operands. It returns true if the
// loop should process the elements from last to first. The result alternates from call to
// call. The reason is that the cache of the host often contains only the data that the
// previous loop accessed last. A loop in the opposite direction starts with this data.
func (c *core) turn() (back bool) {
	c.back = !c.back
	return c.back
}

// maxDepth is the maximum depth of nested calls. It stops endless recursion with a fault.
const maxDepth = 256

// enter returns a frame (the storage of values) for a call of f. It reuses a frame from
// the pool if possible.
func (c *core) enter(f *function) *frame {
	c.depth++
	if free := c.frames[f.index]; len(free) > 0 {
		c.frames[f.index] = free[:len(free)-1]
		fr := free[len(free)-1]
		fr.tops = c.tops()
		return fr
	}
	fr := f.newFrame(c)
	fr.tops = c.tops()
	return fr
}

// room returns a fault if the logical vectors of a new call of f do not fit into the
// memory of the launch. op is the call or the function.
func (c *core) room(op *ir.Op, f *function, calls int) *Fault {
	if f.vectors == 0 || calls == 1 && len(c.frames[f.index]) > 0 {
		return nil
	}
	need := f.vectors * int64(calls)
	if c.lin != nil {
		need *= 5 // the tokens
	}
	if all := c.cluster.launch.vectors.Add(need); all > c.prog.opts.vectorLimit() {
		return faultAt(op, "needs %d bytes for VMI vectors, more than the limit of %d bytes, a quarter of --max-memory", all, c.prog.opts.vectorLimit())
	}
	return nil
}

// vectorLimit returns the number of bytes that the logical vectors of a launch may need.
func (o *Options) vectorLimit() int64 { return cmp.Or(o.MaxMemory, defaultMaxMemory) / 4 }

// leave ends a call of f. It returns fr, the storage of the call, to the pool of the core
// and releases the stack memory of the call.
func (c *core) leave(f *function, fr *frame) {
	c.depth--
	if f.reserves {
		c.release(fr.tops)
	}
	c.frames[f.index] = append(c.frames[f.index], fr)
}

// run executes the kernel k with the given parameter values and returns its fault, or
// nil.
func (c *core) run(k *function, params []uint64) *Fault {
	if f := c.room(k.op, k, 1); f != nil {
		return f.onCore(c)
	}
	fr := c.enter(k)
	copy(fr.x, params) // parameters have the first slots
	c.rec.kernel(k, fr, KernelBegin)
	f := k.body.run(fr)
	if f == nil {
		c.rec.kernel(k, fr, KernelEnd)
	}
	c.leave(k, fr)
	if f != nil {
		f.onCore(c)
	}
	return f
}
