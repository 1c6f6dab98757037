// This file is the public interface of the package: Plan prepares kernels, Program.Run
// launches them, and Options configure both.

package runtime

import (
	"io"
	"slices"
	"sync"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	isasimt "ptogo/dialect/pto/isa/simt"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Buffer is a buffer in global memory that a launch passes to kernels as an argument.
type Buffer struct {
	Data []byte
	// Name is the name of the buffer in messages.
	Name string
	// Size, if not 0, is the number of bytes of Data that the kernel should use. The
	// bytes after Size represent the padding that a device allocator adds: an access to
	// the padding is not a fault, but Options.Warn reports it.
	Size int
	// Window makes the buffer accessible to the other ranks (devices) of the launch. Each
	// rank must pass a window of equal size as the same argument.
	Window bool
	// Members, of a buffer that receives a communication context, are the ranks of the domain
	// that the context describes. They have the numbers 0, 1, ... in the domain, in this
	// order. If Members is nil, the domain has all ranks.
	Members []int

	// planes are the expression tokens of the bytes in Data, with Options.Lineage.
	planes *planes
}

// Arg is an argument of a launch: a buffer for a pointer parameter, or the bits of a
// scalar in the format of the parameter.
type Arg struct {
	Buf  *Buffer
	Bits uint64
	// Part, if not 0, passes a different section of the buffer to each block: block b
	// receives the address of byte b * Part.
	Part int
	// Context means that the launch writes the communication context of the rank
	// (addresses of shared buffers) to the buffer. The buffer must have at least
	// ContextBytes bytes.
	Context bool
}

// CloneArgs returns a copy of arguments and of their buffers, so that a run cannot change
// the originals.
func CloneArgs(args []Arg) []Arg {
	own := slices.Clone(args)
	for i, a := range own {
		if a.Buf != nil {
			buf := *a.Buf
			buf.Data = slices.Clone(buf.Data)
			own[i].Buf = &buf
		}
	}
	return own
}

// Options configure a Program. The zero value runs one block on the target that the
// module names.
type Options struct {
	Target   ir.Target
	Features ir.Features
	// Blocks is the number of blocks of each rank; 0 means 1.
	Blocks int
	// Ranks is the number of ranks; 0 means 1.
	Ranks int
	// MaxSteps limits the number of operations that each block can execute; 0 means no
	// limit. The bursts of a copy count, too.
	MaxSteps int64
	// MaxMemory limits the memory of a launch in bytes: the local memories of blocks that
	// run at the same time, and a quarter of it for logical vectors (VMI values). 0 means
	// 1 GiB.
	MaxMemory int64
	// Cores are the cores of each rank on which blocks run. If blocks that wait for other
	// blocks occupy all of them, so that the other blocks can never start on a device,
	// Warn reports it, and the other blocks start nevertheless. The zero value means that
	// there are enough cores.
	Cores Cores
	// Stop, if not nil, is called regularly while a kernel runs. If it returns a text,
	// the launch ends with a fault that has this text. Several goroutines can call Stop
	// at the same time.
	Stop func() string
	// Workers is the number of blocks that can run in parallel. With 0 or 1, blocks run
	// in order, as do the blocks of programs with atomic stores. With more workers, the
	// result of other kernels whose blocks write the same memory is undefined.
	Workers int
	// Out receives the output of print instructions in the order of the blocks; nil
	// discards it.
	Out io.Writer
	// MaxOutput limits the number of bytes that a launch can print; 0 means no limit.
	MaxOutput int64
	// Warn receives a fault value for each suspicious event that is not an error, once
	// per operation and block; nil discards them. Several goroutines can call Warn at the
	// same time.
	Warn func(*Fault)
	// Listeners receive all events of the launch.
	Listeners []Listener
	// Seed, if not 0, makes the pipes of all cores run concurrently, in a pseudo-random
	// order that the synchronization of the program permits. All blocks then run
	// interleaved, and Listeners receive no events.
	Seed uint64
	// SkipArithmetic omits the computations of tile instructions on data. Control flow,
	// addresses and events stay complete; see DataDependence.
	SkipArithmetic bool
	// KeepAccesses makes SkipArithmetic execute instructions with pointers or views, so that
	// listeners hear of all accesses of memory. Checkers need it.
	KeepAccesses bool
	// FlushDenormals makes elementwise floating-point functions read and write
	// denormals as zeros.
	FlushDenormals bool
	// ScratchFill is the initial value of each byte of local memory at the start of a
	// block. A result that changes with it depends on memory that was never written.
	ScratchFill byte
	// Lineage, if not nil, receives the symbolic expressions that a launch computes.
	// Blocks then run one after the other, and Listeners must be empty.
	Lineage *Lineage
}

// defaultMaxMemory is the limit of memory if Options.MaxMemory is 0.
const defaultMaxMemory = 1 << 30

// kernelMarks are the names of the attributes that mark a function as a kernel.
var kernelMarks = []string{"pto.kernel", "pto.aicore", "pto.entry"}

// Kernels returns the functions of a module that can be launched. These are the functions
// that an attribute marks as kernels. If no function is marked, they are all public
// functions with a body.
func Kernels(module *ir.Op) []*ir.Op {
	var public []*ir.Op
	for _, f := range fn.Functions(module) {
		if vis, _ := f.Attr("sym_visibility").AsString(); vis != "private" && fn.Body(f) != nil {
			public = append(public, f)
		}
	}
	marked := slices.DeleteFunc(slices.Clone(public), func(f *ir.Op) bool {
		return !slices.ContainsFunc(kernelMarks, f.HasAttr)
	})
	if len(marked) > 0 {
		return marked
	}
	return public
}

// Program is the compiled form of one or more kernels. The method Run can be called
// several times, and several calls can run at the same time.
type Program struct {
	opts   Options
	module *ir.Op
	target ir.Target
	roles  []role
	// funcs is the number of compiled functions.
	funcs int
	// registers is the number of special registers in use.
	registers int
	// rings is the number of queue rings in use.
	rings int
	// together means that blocks wait for each other, so that they must run interleaved.
	together bool
	// prints means that a kernel prints.
	prints bool
	// block are the cores that a block occupies.
	block coreCount
	out   sync.Mutex
}

// Plan compiles kernels for a launch in which all kernels receive the same arguments.
// After an error it returns nil, and diags contains the error.
func Plan(module *ir.Op, kernels []*ir.Op, o Options, diags *ir.Diags) *Program {
	o.Blocks, o.Ranks = max(o.Blocks, 1), max(o.Ranks, 1)
	if o.Seed != 0 {
		o.Listeners, o.Workers = nil, 1
	}
	if o.Lineage != nil {
		o.Listeners, o.Workers, o.Seed = nil, 1, 0
	}
	if o.Out == nil {
		o.Out = io.Discard
	}
	if o.Workers > 1 && (isasimt.Combining(module) || !byBlock(o.Listeners)) {
		o.Workers = 1
	}
	p := newPlanner(module, o, diags)
	p.divide = p.divided(kernels)
	for _, k := range kernels {
		p.function(k)
	}
	p.guarded()
	if p.failed {
		return nil
	}
	return &Program{
		opts: o, module: module, target: p.target, roles: p.roles(kernels),
		funcs: len(p.order), registers: len(p.registers), together: p.together, prints: p.prints,
		rings: len(p.queues) * sem.QueueWays, block: coresOfBlock(p.roles(kernels)),
	}
}

// byBlock reports whether all listeners implement BlockListener, so that blocks may run
// in parallel.
func byBlock(listeners []Listener) bool {
	for _, l := range listeners {
		if _, ok := l.(BlockListener); !ok {
			return false
		}
	}
	return true
}

// divided reports whether a kernel for both core types runs on two simulated cores, one
// for the cube unit and one for the vector unit. This requires a random schedule
// (Options.Seed) and a kernel whose code can be separated.
func (p *planner) divided(kernels []*ir.Op) bool {
	return p.opts.Seed != 0 && len(kernels) == 1 && analysis.Mixed(kernels[0]) && analysis.Inseparable(kernels[0]) == nil
}

// Run executes the kernels once. args are the arguments of rank 0, then those of rank 1,
// and so on. If a kernel faults, the error is a *Fault. If the arguments do not match the
// parameters of the kernels, the error has another type.
func (p *Program) Run(args []Arg) error {
	l, err := p.newLaunch(args)
	if err != nil {
		return err
	}
	var f *Fault
	switch {
	case p.opts.Seed != 0:
		f = p.atRandom(l)
	case (p.together || l.shared()) && l.blocks() > 1:
		f = p.runTogether(l)
	case p.opts.Workers > 1 && l.blocks() > 1:
		f = p.sideBySide(l)
	default:
		f = p.inOrder(l)
	}
	l.events.end(f)
	l.started.release()
	if f != nil {
		return f
	}
	return nil
}
