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

// core is one core of the machine with its memory spaces. It executes one kernel
// at a time.
type core struct {
	prog    *Program
	cluster *cluster
	gm      []*Buffer // that the core may access: those of its rank, and windows of others
	unit    unit
	sub     int       // number of the vector core in its block
	forBoth bool      // it raises signals for the other vector core, too
	own     *memories // as they were when the core was made
	spaces  [numMemories]*memory
	buffers [vectorCores]*memory // of the vector cores, as a cube core sees them
	frames  [][]*frame           // free frames per function
	bounded bool                 // MaxSteps or Stop is set
	rec     *recorder            // of events; nil without listeners
	pipes   *pipeSet             // that run beside the scalar unit; nil in program order
	lin     *tracer              // of expressions; nil without Options.Lineage

	// What starts anew with every block, in parts whose zero value is that.
	progress
	*pending // the pipes that run beside it share it
	special
	simt
	// As large as the program needs, so reset clears them in place.
	units     unitFlags // of L0C
	ends      []ringEnd // of the queues between cores
	registers []register

	scratch [2 + 2*maxInputs][]byte // rows of operands that do not lie side by side
	numbers []uint64                // more of them, as large as needed
	large   []byte
}

// progress is how far a core is in its kernel.
type progress struct {
	depth  int             // of calls
	task   *task           // when other cores run side by side, else nil
	left   int64           // steps until goOn is asked
	rest   int64           // steps after those until MaxSteps
	back   bool            // see turn
	warned map[*ir.Op]bool // operations that have been warned of
	polls  int             // tests of a signal in vain, one after the other
}

// pending is what instructions wait for inside a core.
type pending struct {
	flags   flags
	holders holders // of the buffers that pipes take turns with
}

// special are the special registers, and what instructions leave for later ones.
type special struct {
	ar        uint64 // of unaligned stores, in bytes
	compacted int    // bytes that the last compaction kept
	merged    [4]int // records that the last merge took from each list
	atomic    atomic
	roundings []operandRounding // of the operands of products
	patches   patches           // registers of the patch engine
}

// simt is the state of work items.
type simt struct {
	item     *workItem // the one that is running
	simtDims [3]uint32
	kept     []uint64 // what work items keep from launch to launch
	stacks   stacks
	clock    uint64
}

func newCore(p *Program, u unit, sub int) *core {
	c := &core{prog: p, unit: u, sub: sub, frames: make([][]*frame, p.funcs), bounded: p.opts.MaxSteps > 0 || p.opts.Stop != nil, pending: &pending{}}
	c.ends = make([]ringEnd, p.rings)
	c.units = newUnitFlags(p.target)
	c.registers = make([]register, p.registers)
	c.own = takeMemories(p.target, p.opts.ScratchFill)
	c.spaces, c.scratch = c.own.spaces, c.own.scratch
	if l := p.opts.Lineage; l != nil {
		c.lin = &tracer{t: l.Exprs}
	}
	return c
}

// reset makes the core ready for a block. Local memory starts as the launch
// says, so that a block does not depend on those before it.
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

// turn reports whether to walk over long operands from their end. Often the
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

// leave returns the frame of a call to the pool.
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
		f.onCore(c)
	}
	return f
}
