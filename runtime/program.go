package runtime

import (
	"io"
	"slices"
	"sync"

	"ptogo/dialect/fn"
	isasimt "ptogo/dialect/pto/isa/simt"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Buffer is a piece of global memory that a kernel gets as an argument.
type Buffer struct {
	Data []byte
	Name string // for messages
	// Size, if it is not 0, is how many bytes of Data the kernel should use. The rest
	// represents the padding that a device allocator adds: an access there is not a
	// fault, but Options.Warn reports it.
	Size int
	// Window lets other ranks of the launch access the buffer. Every rank has a
	// window of the same size as the same argument.
	Window bool

	planes *planes // the tokens of Data, with Options.Lineage
}

// Arg is an argument of a launch: a buffer for a pointer, raw bits in the
// format of the parameter for a scalar.
type Arg struct {
	Buf  *Buffer
	Bits uint64
	// Part, if it is not 0, gives each block a part of the buffer of its own: block b
	// gets the address of byte b * Part.
	Part int
	// Context says that the buffer receives the communication context of the
	// rank when the launch starts. It needs ContextBytes bytes.
	Context bool
}

// Options are what a caller may choose. The zero value runs one block on the
// profile that the module names.
type Options struct {
	Target   ir.Target
	Features ir.Features
	// Blocks is how many blocks the launch has; 0 means 1.
	Blocks int
	// Ranks is how many ranks the launch has, each of which runs Blocks blocks; 0
	// means 1.
	Ranks int
	// MaxSteps limits how many operations each block may execute; 0 means no limit.
	MaxSteps int64
	// Stop, if it is set, is asked now and then while a kernel runs. A text ends
	// the launch with a fault of that text where the kernel is. It may be called
	// from several goroutines.
	Stop func() string
	// Workers is how many blocks may run at the same time. Up to 1 they run
	// one after the other, in order, and so do those of programs that combine
	// with what is in global memory. Other kernels whose blocks write the same
	// memory have no defined result with more.
	Workers int
	// Out receives what instructions print, in the order of the blocks; nil
	// discards it.
	Out io.Writer
	// MaxOutput bounds how many bytes a launch may print; 0 means no limit.
	MaxOutput int64
	// Warn receives what is suspicious but no fault, once for each operation
	// and block; nil discards it. It may be called from several goroutines.
	Warn func(*Fault)
	// Listeners hear of everything that a launch executes, each of all of it.
	Listeners []Listener
	// Seed, if it is not 0, lets the pipes of all cores run side by side, in an
	// order that it chooses and the synchronization of the program allows. All
	// blocks run together then, and Listeners hear nothing.
	Seed uint64
	// SkipArithmetic leaves out what tile instructions do to data, and keeps
	// control, addresses and events; see DataDependence.
	SkipArithmetic bool
	// FlushDenormals makes elementwise floating-point functions read and write
	// denormals as zeros.
	FlushDenormals bool
	// ScratchFill is what every byte of local memory is when a block starts. What
	// changes with it depends on storage that nothing wrote.
	ScratchFill byte
	// Lineage, if it is not nil, receives the expressions that a launch computes.
	// Blocks then run one after the other, and Listeners must be empty.
	Lineage *Lineage
}

// kernelMarks are the attributes that mark a function as one to launch.
var kernelMarks = []string{"pto.kernel", "pto.aicore", "pto.entry"}

// Kernels returns the functions of a module that can be launched: the marked
// ones, or all public functions with a body if none is marked.
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

// Program is a plan: kernels ready to run. It may be run many times, also from
// several goroutines.
type Program struct {
	opts      Options
	module    *ir.Op
	target    ir.Target
	roles     []role
	funcs     int  // how many functions are planned
	registers int  // how many registers they use
	rings     int  // how many rings of queues they use
	together  bool // blocks wait for each other
	out       sync.Mutex
}

// Plan prepares the kernels of one launch. They get the same arguments. It
// returns nil if there is an error, which is in diags.
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
		funcs: len(p.order), registers: len(p.registers), together: p.together,
		rings: len(p.queues) * sem.QueueWays,
	}
}

// Run launches the kernels. The arguments of rank 0 come first, then those of
// rank 1, and so on. An error of the program is a *Fault.
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
	if f != nil {
		return f
	}
	return nil
}
