// This file defines the executable form of a program: frames, steps, blocks, regions
// and functions.

package runtime

import (
	"cmp"
	"math"

	"ptogo/ir"
)

// step executes one planned operation and returns what went wrong, or nil.
type step func(fr *frame) *Fault

// slot is the place of a value in the array of its class.
type slot int32

// frame holds the values of one call of a function, one array per class.
type frame struct {
	core *core
	// x holds scalars as the bits of their format, and pointers as encoded addresses.
	x []uint64
	// v holds vector registers, m masks, t tiles, w tensor views, a alignment registers,
	// r the lanes of logical vectors (VMI), and p patches of the patch engine.
	v []vreg
	m []mask
	t []*tile
	w []view
	a []alignState
	r [][]byte // vmi values
	p []patches
	// tiles is the storage of the tiles that t points to, one for each operation that
	// creates a tile.
	tiles []tile
	// tops are the tops of the stacks at the start of the call.
	tops tops
	// lin holds the expressions of the values, with Options.Lineage.
	lin *frameTrace
}

// class selects the array of a frame that holds a value.
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

// block is a list of steps that run in order. It corresponds to a block of the program.
type block struct {
	steps []step
	// ops are the operations that the steps execute, and op is the operation that
	// contains the block.
	ops []*ir.Op
	op  *ir.Op // what the block belongs to
}

// run executes the block. Entering a block counts as an additional step, so that a loop
// with an empty body also reaches the step limit.
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

// stopEvery is the number of steps between two checks whether the launch must stop.
const stopEvery = 256

// limit initializes the number of steps that the core may execute.
func (c *core) limit() {
	o := &c.prog.opts
	c.left, c.rest = 0, cmp.Or(o.MaxSteps, math.MaxInt64/2)
	if o.Stop == nil {
		c.left, c.rest = c.rest, 0
	}
}

// goOn is called when the core has used its current share of steps. It grants another
// share, or returns a fault if MaxSteps is reached or the launch must stop.
func (c *core) goOn(op *ir.Op) *Fault {
	o := &c.prog.opts
	rest := c.rest + c.left // left is below zero
	if rest < 0 {
		return faultAt(op, "did not finish within %d steps", o.MaxSteps).stopped()
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

// region is a planned region whose blocks jump to each other. jumps[i] returns the number
// of the block that follows block i, or -1 to leave the region.
type region struct {
	blocks []block
	jumps  []func(fr *frame) int
	// decided[i] checks that the condition at the end of block i does not depend on input
	// data, with Options.Lineage.
	decided []func(fr *frame) *Fault
}

// run executes the region, starting at its first block.
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

// leave is the jump that ends a region.
func leave(*frame) int { return -1 }

// function is a planned function. Its parameters occupy the first slots of their classes.
type function struct {
	op    *ir.Op
	index int
	body  region
	// size is the number of slots of each class in a frame.
	size [numClasses]slot
	// rows are the sizes in bytes of the logical vectors in a frame.
	rows []int
	// tiles is the number of operations that create a tile.
	tiles int
	// reserves means that the function allocates memory on the stack of its core.
	reserves bool
	// collective means that work items of the function exchange values, for example by a
	// vote.
	collective bool
	calls      []*function
	consts     []constant
	// homes maps values to their slots, for listeners.
	homes map[*ir.Value]slot
}

// constant is a slot that is initialized once per frame and never changes.
type constant struct {
	at   slot
	bits uint64
}

// newFrame allocates a frame and initializes its constants.
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

// move copies a value from one slot to another of the same class.
type move struct {
	class    class
	from, to slot
}

// moves copies values as if all copies happened at the same time. The planner has sorted
// them so that no copy overwrites the source of a later one.
type moves []move

// run copies between the slots of one frame.
func (ms moves) run(fr *frame) { ms.between(fr, fr) }

// between copies from the slots of one frame to those of another.
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
