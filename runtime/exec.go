// This file defines the executable form of a program: frames, steps, blocks, regions
// and functions.

package runtime

import (
	"ptogo/ir"
)

// step is a Go function that executes one compiled operation on the values in frame fr,
// the storage of a function call. It returns the fault of the operation, or nil.
type step func(fr *frame) *Fault

// slot is the index of a value in a frame, the storage of a function call. A frame has a
// separate array for each class of values, such as scalars or tiles; the slot is an index
// in one of these arrays.
type slot int32

// frame holds the values of one call of a function. Each class of values, such as scalars
// or tiles, has its own array.
type frame struct {
	core *core
	// x holds scalars as the bits of their format, and pointers as encoded addresses.
	x []uint64
	// v holds vector registers, m masks, t tiles, w tensor views, and a alignment
	// registers.
	v []vreg
	m []mask
	t []*tile
	w []view
	a []alignState
	// r holds the lanes of logical vectors, and p the patches of the patch engine.
	r [][]byte
	p []patches
	// tiles is the storage of the tiles that t points to, one for each operation that
	// creates a tile.
	tiles []tile
	// tops are the stack pointers of the core at the start of the call; the end of the
	// call restores them.
	tops tops
	// lin holds the symbolic expressions of the values, if Options.Lineage is set.
	lin *frameTrace
}

// class is the class of a value, such as scalar or tile. A frame has a separate array for
// the values of each class.
type class uint8

const (
	noClass class = iota
	scalarClass
	vectorClass
	maskClass
	tileClass
	viewClass
	alignClass
	rowClass
	patchClass
	numClasses
)

// block is a list of steps (executing functions) that run in order. It corresponds to a
// basic block of the program.
type block struct {
	steps []step
	// ops are the operations that the steps execute; ops[i] belongs to steps[i].
	ops []*ir.Op
	// op is the operation that contains the block.
	op *ir.Op
}

// run executes the steps of the block in order until one faults. Entering a block counts
// as an additional step, so that a loop with an empty body also reaches the step limit.
func (b *block) run(fr *frame) (f *Fault) {
	at := 0
	defer func() {
		if f == nil && at < len(b.steps) { // the step panicked before it finished
			f = broken(b.ops[at], recover())
		}
	}()
	if c := fr.core; c.bounded {
		if c.left -= int64(len(b.steps)) + 1; c.left < 0 {
			if f := c.goOn(b.op); f != nil {
				return f
			}
		}
	}
	for ; at < len(b.steps); at++ {
		if f := b.steps[at](fr); f != nil {
			return f
		}
	}
	return nil
}

// stopEvery is the number of steps that a core executes between two checks whether the
// launch must stop.
const stopEvery = 256

// goOn is called when the core has executed all steps of its current portion. It assigns
// the next portion of steps to the core. It returns a fault instead if Options.MaxSteps
// is reached or Options.Stop requests the end of the launch.
func (c *core) goOn(op *ir.Op) *Fault {
	o := &c.prog.opts
	rest := c.rest + c.left // left is below zero
	if rest < 0 {
		return faultAt(op, "did not finish within the limit of %s", ir.Count(int(o.MaxSteps), "step")).stopped()
	}
	if o.Stop != nil {
		if why := o.Stop(); why != "" {
			return faultAt(op, "%s", why).stopped()
		}
	}
	if c.task != nil && c.cluster.launch.shared() { // it may wait for memory of another rank in a loop
		if f := c.pause(); f != nil {
			return f
		}
	}
	c.left = min(rest, stopEvery)
	c.rest = rest - c.left
	return nil
}

// round counts a round of a loop inside of the instruction op as a step, so that the limits of
// the launch hold in copies with many bursts.
func (c *core) round(op *ir.Op) *Fault {
	if !c.bounded {
		return nil
	}
	if c.left--; c.left >= 0 {
		return nil
	}
	return c.goOn(op)
}

// region is a compiled region with several basic blocks. jumps[i] executes the terminator
// of block i and returns the index of the next block, or -1 to leave the region.
type region struct {
	blocks []block
	jumps  []func(fr *frame) int
	// decided[i] checks that the branch condition at the end of block i does not depend
	// on input data. It is used only with Options.Lineage.
	decided []func(fr *frame) *Fault
}

// run executes the region from its first basic block, until the terminator of a block
// leaves the region or a step faults.
func (r *region) run(fr *frame) *Fault {
	for i := 0; i >= 0; i = r.jumps[i](fr) {
		if f := r.blocks[i].run(fr); f != nil {
			return f
		}
		if r.decided != nil {
			if f := r.decided[i](fr); f != nil {
				return f
			}
		}
	}
	return nil
}

// leave is the jump (compiled terminator) of a basic block that ends its region. A jump
// returns the number of the next block; leave returns -1, because no block follows.
func leave(*frame) int { return -1 }

// function is a function of the program, compiled for execution. Each value has a slot,
// an index among the values of its class (such as scalars or tiles). The parameters of
// the function occupy the first slots of each class.
type function struct {
	op    *ir.Op
	index int
	body  region
	// size is the number of slots of each class in a frame.
	size [numClasses]slot
	// rows are the sizes in bytes of the logical vectors in a frame.
	rows []int
	// vectors is the sum of rows.
	vectors int64
	// tiles is the number of operations that create a tile.
	tiles int
	// reserves means that the function allocates memory on the stack of its core.
	reserves bool
	// collective means that the work items of this SIMT function exchange values, for
	// example by a vote. They must then run interleaved.
	collective bool
	calls      []*function
	consts     []constant
	// homes maps values to their slots, for listeners.
	homes map[*ir.Value]slot
}

// constant is a scalar constant of a function: its bits, and the slot that stores them.
// The slot is initialized when a frame is created and never changes.
type constant struct {
	at   slot
	bits uint64
}

// newFrame allocates the storage for one call of f on core c, a frame. It initializes the
// values that are constants.
func (f *function) newFrame(c *core) *frame {
	fr := &frame{
		core:  c,
		x:     make([]uint64, f.size[scalarClass]),
		v:     make([]vreg, f.size[vectorClass]),
		m:     make([]mask, f.size[maskClass]),
		t:     make([]*tile, f.size[tileClass]),
		w:     make([]view, f.size[viewClass]),
		a:     make([]alignState, f.size[alignClass]),
		r:     newRows(f.rows),
		p:     make([]patches, f.size[patchClass]),
		tiles: make([]tile, f.tiles),
	}
	for _, k := range f.consts {
		fr.x[k.at] = k.bits
	}
	if c.lin != nil {
		fr.lin = f.newTrace()
	}
	return fr
}

// move describes the copy of a value from one slot to another. A slot is an index among
// the values of one class, such as scalars or tiles; both slots of a move belong to the
// same class.
type move struct {
	class    class
	from, to slot
}

// moves is a list of copies with the effect of simultaneous copies. The planner has
// ordered the list so that no copy overwrites the source of a later one.
type moves []move

// run executes the copies of values in ms within one frame, the storage of the values of
// a call.
func (ms moves) run(fr *frame) { ms.between(fr, fr) }

// between executes the copies from the frame src to the frame dst, for example from the
// values of a caller to those of its callee.
func (ms moves) between(src, dst *frame) {
	for _, m := range ms {
		if dst.lin != nil {
			dst.lin.move(m, src.lin)
		}
		switch m.class {
		case scalarClass:
			dst.x[m.to] = src.x[m.from]
		case vectorClass:
			dst.v[m.to] = src.v[m.from]
		case maskClass:
			dst.m[m.to] = src.m[m.from]
		case tileClass:
			dst.t[m.to] = src.t[m.from]
		case viewClass:
			dst.w[m.to] = src.w[m.from]
		case alignClass:
			dst.a[m.to] = src.a[m.from]
		case rowClass:
			copy(dst.r[m.to], src.r[m.from])
		case patchClass:
			dst.p[m.to] = src.p[m.from]
		}
	}
}
