package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// unit is a set of the kinds of cores.
type unit = sem.Unit

const (
	cubeUnit   = sem.CubeUnit
	vectorUnit = sem.VectorUnit
	anyUnit    = sem.AnyUnit
)

// core is one core of the machine with its memory spaces and flags. It
// executes one kernel at a time.
type core struct {
	prog    *Program
	cluster *cluster
	gm      []*Buffer
	unit    unit
	sub     int // number of the vector core in its block
	spaces  [numMemories][]byte
	buffers [vectorCores][]byte // of the vector cores, as a cube core sees them
	frames  [][]*frame          // free frames per function
	depth   int                 // of calls
	task    *task               // when other cores run side by side, else nil
	used    bool                // a block has run here

	bounded bool
	left    int64 // steps until MaxSteps

	flags     flags
	holders   holders   // of the buffers that pipes take turns with
	units     unitFlags // of L0C
	ends      []ringEnd // of the queues between cores
	ar        uint64    // special register of unaligned stores, in bytes
	compacted int       // bytes that the last compaction kept
	merged    [4]int    // records that the last merge took from each list
	registers []register
	rec       *recorder // of events; nil without listeners
	atomic    atomic
	roundings []operandRounding // of the operands of products
	patches   patches           // registers of the patch engine

	item     *workItem // the one that is running, in simt code
	simtDims [3]uint32
	kept     []uint64 // what work items keep from launch to launch
	stacks   stacks
	clock    uint64

	back    bool                    // see turn
	scratch [2 + 2*maxInputs][]byte // rows of operands that do not lie side by side
	numbers []uint64                // more of them, as large as needed
	large   []byte
	warned  map[*ir.Op]bool // operations that have been warned of
}

func newCore(p *Program, gm []*Buffer, u unit, sub int) *core {
	c := &core{prog: p, gm: gm, unit: u, sub: sub, frames: make([][]*frame, p.funcs), bounded: p.opts.MaxSteps > 0}
	c.ends = make([]ringEnd, p.rings)
	c.units = newUnitFlags(p.target)
	c.registers = make([]register, p.registers)
	for s := range c.spaces {
		// Through 64-bit words, so that every element of a space is aligned.
		c.spaces[s] = bytesOf(make([]uint64, memorySize(sem.Space(s), p.target)/8))
	}
	for i := range c.scratch {
		c.scratch[i] = bytesOf(make([]uint64, chunkBytes/8))
	}
	return c
}

// reset makes the core ready for a block. Local memory starts as the launch
// says, so that a block does not depend on those before it.
func (c *core) reset() {
	c.left, c.depth, c.task = c.prog.opts.MaxSteps, 0, nil
	c.warned = map[*ir.Op]bool{}
	c.flags, c.holders, c.ar, c.compacted, c.merged = flags{}, holders{}, 0, 0, [4]int{}
	clear(c.units)
	c.stacks = stacks{}
	c.back = false
	c.item, c.simtDims, c.kept, c.clock = nil, [3]uint32{}, nil, 0
	clear(c.registers)
	clear(c.ends)
	c.atomic, c.roundings, c.patches = atomic{fn: scalar.Add}, nil, sem.UnsetPatches()
	if c.used || c.prog.opts.ScratchFill != 0 { // new memory is zeros
		for _, s := range c.spaces {
			c.prog.fill(s)
		}
		for _, s := range c.buffers {
			c.prog.fill(s)
		}
	}
	c.used = true
}

// fill makes local memory what it is when a block starts.
func (p *Program) fill(mem []byte) {
	if len(mem) == 0 {
		return
	}
	mem[0] = p.opts.ScratchFill
	for n := 1; n < len(mem); n *= 2 {
		copy(mem[n:], mem[:n])
	}
}

// turn tells whether to walk over long operands from their end. Often the
// nearest cache does not hold all of them, but only what an instruction touched
// last: the next one finds it there if it begins where the one before it ended.
func (c *core) turn() (back bool) {
	c.back = !c.back
	return c.back
}

// maxDepth bounds how deep functions may call each other.
const maxDepth = 256

// enter returns a frame for a call of f.
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

// leave gives the frame of a call back.
func (c *core) leave(f *function, fr *frame) {
	c.depth--
	if f.reserves {
		c.release(fr.tops)
	}
	c.frames[f.index] = append(c.frames[f.index], fr)
}

// run executes a kernel with the given parameters.
func (c *core) run(k *function, params []uint64) *Fault {
	fr := c.enter(k)
	copy(fr.x, params) // parameters have the first slots
	c.rec.kernel(k, fr, KernelBegin)
	f := k.body.run(fr)
	if f == nil {
		c.rec.kernel(k, fr, KernelEnd)
	}
	c.leave(k, fr)
	if f != nil {
		f.Block = c.cluster.index
	}
	return f
}
