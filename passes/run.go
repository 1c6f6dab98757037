package passes

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"ptogo/ir"
)

// RunOptions say how a pipeline runs and who watches.
type RunOptions struct {
	// Target overrides what the program says itself.
	Target   ir.Target
	Features ir.Features
	// Diags receives errors, warnings and remarks. It must be given.
	Diags *ir.Diags
	// VerifyEach checks the program after every pass.
	VerifyEach bool
	// Sequential stays on one goroutine.
	Sequential bool
	// Seed, if not 0, shuffles orders that must not matter.
	Seed uint64

	// Stop, when it closes, lets no further pass begin: that is an error. It may
	// be nil.
	Stop <-chan struct{}

	Dump       *Dump       // nil: no dumps of the program
	Timing     *Timing     // nil: no times
	Statistics *Statistics // nil: no counts
	// Reproduce receives the text of a file that repeats the failure of a
	// pass: its input and a pipeline of that pass alone. Asking for it keeps
	// the run on one goroutine, since the input is the whole program.
	Reproduce func(text []byte)
}

// Run runs the passes on a module and reports whether all went well. After a
// failure the program may be half changed.
func (p *Pipeline) Run(module *ir.Op, o RunOptions) bool {
	if p.Anchor != anyOp && p.Anchor != module.Name() {
		o.Diags.Error(module.Loc(), fmt.Sprintf("a pipeline for '%s' cannot run on '%s'", p.Anchor, module.Name()))
		return false
	}
	r := &runner{o: o, module: module}
	if o.Reproduce != nil || o.Dump.wholeProgram() {
		r.o.Sequential = true
	}
	o.Timing.begin(p)
	l := &lane{diags: o.Diags, out: o.Dump.writer()}
	return r.pipeline(p, module, l) && r.verifyWhole(module)
}

// verifyWhole checks what was left out of the checks of functions, which may run
// while others change.
func (r *runner) verifyWhole(module *ir.Op) bool {
	if !r.left.Load() {
		return true
	}
	diags := &ir.Diags{}
	if ir.Verify(module, ir.VerifyOptions{Target: r.o.Target, Features: r.o.Features, Sequential: r.o.Sequential}, diags) {
		return true
	}
	diags.Error(module.Loc(), "the passes left "+describe(module)+" in an illegal state")
	for _, d := range diags.All() {
		r.o.Diags.Add(d.Severity, d.Loc, d.Text)
	}
	return false
}

// runner is one run of a pipeline.
type runner struct {
	o      RunOptions
	module *ir.Op
	left   atomic.Bool // whether the checks of functions have left something out
}

// pipeline runs the steps on one operation; the first failure ends it.
func (r *runner) pipeline(p *Pipeline, op *ir.Op, l *lane) bool {
	for _, s := range p.Steps {
		ok := false
		if s.Nested != nil {
			ok = r.nested(s, op, l)
		} else {
			ok = r.pass(s, op, l)
		}
		if !ok {
			return false
		}
	}
	return true
}

// nested runs a pipeline on the operations directly below op that it is for.
// They all run, and what they say comes in the order of the program, whatever
// the number of CPUs.
func (r *runner) nested(s *Step, op *ir.Op, l *lane) bool {
	children := childrenFor(s.Nested.Anchor, op)
	lanes := make([]lane, len(children))
	workers := 1
	if !r.o.Sequential {
		workers = min(runtime.GOMAXPROCS(0), len(children))
	}
	stop := r.o.Timing.start(s, l.worker)
	defer stop()
	var next atomic.Int64
	var wg sync.WaitGroup
	work := func(w int) {
		for i := next.Add(1) - 1; i < int64(len(children)); i = next.Add(1) - 1 {
			cl := &lanes[i]
			cl.begin(l, s.Nested.Anchor, w, r.o.Dump != nil)
			cl.failed = !r.pipeline(s.Nested, children[i], cl)
		}
	}
	for w := 1; w < workers; w++ {
		wg.Go(func() { work(w) })
	}
	work(0)
	wg.Wait()
	ok := true
	for i := range lanes {
		lanes[i].endInto(l)
		ok = ok && !lanes[i].failed
	}
	return ok
}

// childrenFor returns the operations directly below op that a pipeline with
// the anchor runs on.
func childrenFor(anchor string, op *ir.Op) []*ir.Op {
	var ops []*ir.Op
	for _, region := range op.Regions() {
		for b := range region.Blocks() {
			for o := range b.Ops() {
				if o.Name() == anchor || anchor == anyOp && o.HasTrait(ir.IsolatedFromAbove) {
					ops = append(ops, o)
				}
			}
		}
	}
	return ops
}

// pass runs one pass on one operation, with everything that watches it.
func (r *runner) pass(s *Step, op *ir.Op, l *lane) bool {
	select {
	case <-r.o.Stop:
		l.diags.Error(op.Loc(), fmt.Sprintf("pass '%s' was not begun on %s: the run was interrupted", s.Pass.Name, describe(op)))
		return false
	default:
	}
	input := r.input()
	before := r.o.Dump.before(s.Pass, op, r.module, l.out)
	c := &Context{
		Features: r.o.Features, Seed: r.o.Seed, Diags: &ir.Diags{},
		step: s, target: r.o.Target, counts: make([]int64, len(s.Pass.Stats)),
	}
	stop := r.o.Timing.start(s, l.worker)
	stack, err := guarded(s.Pass, c, op)
	stop()
	if err != nil && err != ErrReported {
		c.Diags.Error(op.Loc(), fmt.Sprintf("pass '%s' failed on %s: %v", s.Pass.Name, describe(op), err))
	}
	ok := err == nil && !c.Diags.HasErrors()
	if ok && r.o.VerifyEach {
		ok = r.verify(s.Pass, op, c.Diags)
	}
	l.take(c.Diags)
	r.o.Statistics.add(s, c.counts)
	if stack == "" { // else the program may be too broken to print
		r.o.Dump.after(s.Pass, op, r.module, l.out, before, ok)
	}
	if !ok && r.o.Reproduce != nil {
		r.o.Reproduce(reproducer(input, l.pipeline(r.module, s), c.Diags, stack))
	}
	return ok
}

// guarded runs a pass and its check; a panic becomes an error.
func guarded(p *Pass, c *Context, op *ir.Op) (stack string, err error) {
	defer func() {
		if x := recover(); x != nil {
			stack = string(debug.Stack())
			err = fmt.Errorf("it broke down: %v", x)
		}
	}()
	if err = p.Run(c, op); err == nil && p.After != nil {
		err = p.After(op)
	}
	return "", err
}

func (r *runner) verify(p *Pass, op *ir.Op, diags *ir.Diags) bool {
	if op == r.module {
		r.left.Store(false)
	}
	if ir.Verify(op, ir.VerifyOptions{Target: r.o.Target, Features: r.o.Features, Sequential: r.o.Sequential, Left: &r.left}, diags) {
		return true
	}
	diags.Error(op.Loc(), fmt.Sprintf("pass '%s' left %s in an illegal state", p.Name, describe(op)))
	return false
}

// input returns the program as text if a reproducer may be needed.
func (r *runner) input() []byte {
	if r.o.Reproduce == nil {
		return nil
	}
	return ir.Bytes(r.module, ir.PrintOptions{Generic: true, Sequential: true})
}

// describe names an operation in a message.
func describe(op *ir.Op) string {
	if name, ok := ir.SymbolName(op); ok {
		return op.Name() + " @" + name
	}
	return op.Name()
}
