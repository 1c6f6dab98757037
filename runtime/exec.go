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
	core  *core
	x     []uint64 // scalars as bits of their format, and addresses
	v     []vreg
	m     []mask
	t     []*tile
	w     []view
	a     []alignState
	r     [][]byte // vmi values
	p     []patches
	tiles []tile      // what t points to: one for each place that makes a tile
	tops  tops        // of the stacks, when the function started
	lin   *frameTrace // tokens, with Options.Lineage
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

// block is a list of steps that run one after the other.
type block struct {
	steps []step
	ops   []*ir.Op // what each step executes
	op    *ir.Op   // what the block belongs to
}

// run executes the block. Entering it counts as one step more, so that empty
// loops come to an end too.
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

// stopEvery is how many steps a core executes between questions whether to stop.
const stopEvery = 256

// limit sets how many steps the core may execute.
func (c *core) limit() {
	o := &c.prog.opts
	c.left, c.rest = 0, cmp.Or(o.MaxSteps, math.MaxInt64/2)
	if o.Stop == nil {
		c.left, c.rest = c.rest, 0
	}
}

// goOn grants a core more steps when it has used its share, unless it has reached
// MaxSteps or the launch must stop.
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

// region is blocks that jump to each other. A jump returns the number of the
// next block, or -1 to leave.
type region struct {
	blocks []block
	jumps  []func(fr *frame) int
	// decided checks that a condition by which a block jumps is known, with Options.Lineage.
	decided []func(fr *frame) *Fault
}

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

// function is a planned function. Parameters have the first slots of their
// classes.
type function struct {
	op       *ir.Op
	index    int
	body     region
	size     [numClasses]slot // how many slots a frame has
	rows     []int            // how many bytes the rows have
	tiles    int              // how many tile descriptors
	reserves bool             // it reserves memory on its frame
	// collective means that work items which run the function combine values.
	collective bool
	calls      []*function
	consts     []constant
	homes      map[*ir.Value]slot // where its values live, for listeners
}

// constant is a slot that never changes.
type constant struct {
	at   slot
	bits uint64
}

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

// moves copy values at once, as block arguments take them: the planner has
// put them into an order in which no source is overwritten too early.
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
