// This file runs a pipeline on a module, in parallel where possible.

package passes

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"ptogo/ir"
)

// RunOptions are the options of Pipeline.Run, including the functions that observe the
// run.
type RunOptions struct {
	// Target overrides the target that the program selects; 0 means the target of the
	// program.
	Target   ir.Target
	Features ir.Features
	// Diags receives errors, warnings and remarks. It must not be nil.
	Diags *ir.Diags
	// VerifyEach makes the run verify the program after every pass.
	VerifyEach bool
	// Sequential makes the run use one goroutine.
	Sequential bool
	// Seed, if not 0, randomizes orders that must not influence the result, for
	// tests.
	Seed uint64
	// Clock returns the clock for a target, which predicts durations. If it is nil, passes
	// count instructions.
	Clock func(t ir.Target) Clock

	// Stop, if not nil, ends the run with an error when it is closed. The pass that is
	// running then still completes.
	Stop <-chan struct{}

	// After, if not nil, is called after every pass that succeeded, with the operation on
	// which the pass ran and the whole program. It adds errors to diags and returns false
	// to end the run. The run then uses one goroutine.
	After func(p *Pass, op, module *ir.Op, diags *ir.Diags) bool

	// Log, if not nil, receives a line when a pass begins and ends, and for each
	// pattern, fold or removal that changed the program. The run then uses one
	// goroutine.
	Log func(pass *Pass, text string)

	// Dump selects which programs are printed before and after passes. If it is nil, none
	// are printed.
	Dump *Dump
	// Timing measures the duration of each pass. If it is nil, no durations are measured.
	Timing *Timing
	// Statistics adds up the counts that passes record. If it is nil, no counts are
	// recorded.
	Statistics *Statistics
	// Memory limits the memory of the program in bytes, as far as the number of its
	// operations determines it (ir.Budget); 0 means 1 GiB.
	Memory int64
	// Exhausted, if not "", makes the budget exhausted from the start, for tests of passes:
	// it is the reason in the error.
	Exhausted string
	// Reproduce, if not nil, receives the text of a file that repeats the failure
	// of a pass: its input and a pipeline with only this pass. The run then uses
	// one goroutine, because the input is the whole program.
	Reproduce func(text []byte)
}

// Run runs the pipeline on a module and reports whether all passes succeeded. After
// a failure the program may be partly transformed.
func (p *Pipeline) Run(module *ir.Op, o RunOptions) bool {
	if p.Anchor != anyOp && p.Anchor != module.Name() {
		o.Diags.Error(module.Loc(), fmt.Sprintf("a pipeline for '%s' cannot run on '%s'", p.Anchor, module.Name()))
		return false
	}
	r := &runner{o: o, module: module}
	defer o.budget().Begin(module)()
	if o.Reproduce != nil || o.After != nil || o.Log != nil || o.Dump.wholeProgram() {
		r.o.Sequential = true
	}
	o.Timing.begin(p)
	l := &lane{diags: o.Diags, out: o.Dump.writer()}
	return r.pipeline(p, module, l) && r.verifyWhole(module)
}

// defaultMemory is the limit of memory of a program if RunOptions.Memory is 0.
const defaultMemory = 1 << 30

// budget returns the budget of the passes.
func (o *RunOptions) budget() *ir.Budget {
	b := &ir.Budget{Memory: cmp.Or(o.Memory, defaultMemory)}
	if o.Exhausted != "" {
		b.Stop = func() string { return o.Exhausted }
	} else if stop := o.Stop; stop != nil {
		b.Stop = func() string {
			select {
			case <-stop:
				return "the run was interrupted"
			default:
				return ""
			}
		}
	}
	return b
}

// verifyWhole verifies the module if the verification of single functions skipped rules.
// Those rules read other functions, which other passes may have been changing at the same
// time. It returns false if there is an error.
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
		r.o.Diags.Add(d.Severity, d.Loc, d.Text).As(d.Code).Notes = d.Notes
	}
	return false
}

// runner is the state of one run of a pipeline.
type runner struct {
	o      RunOptions
	module *ir.Op
	// left reports whether the verification of functions has skipped rules.
	left atomic.Bool
}

// pipeline runs the steps of the pipeline p on the operation op, up to the first failure.
// It returns true if all steps succeeded. l receives the diagnostics and dumps of these
// steps.
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

// nested runs a pipeline in parallel on the matching operations directly inside op. It
// processes all these operations even if one fails, and returns false if at least one
// failed. The output is in program order, so it does not depend on the number of CPUs.
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

// childrenFor returns the operations directly inside op that match the anchor.
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

// pass runs one pass on one operation, with dumps, timing, verification and statistics,
// and reports whether it succeeded.
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
		step: s, target: r.o.Target, counts: make([]int64, len(s.Pass.Stats)), log: r.o.Log, clock: r.o.Clock,
	}
	c.logf("begins on %s", describe(op))
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
	if ok && r.o.After != nil {
		ok = r.o.After(s.Pass, op, r.module, c.Diags)
	}
	if ok {
		c.logf("ends on %s", describe(op))
	} else {
		c.logf("fails on %s", describe(op))
	}
	l.take(c.Diags)
	r.o.Statistics.add(s, c.counts)
	if stack == "" { // after a panic the program may be too broken to print
		r.o.Dump.after(s.Pass, op, r.module, l.out, before, ok)
	}
	if !ok && r.o.Reproduce != nil {
		r.o.Reproduce(reproducer(input, l.pipeline(r.module, s), c.Diags, stack))
	}
	return ok
}

// guarded runs a pass and its After check. It converts a panic to an error; the result
// stack is then the call stack of the panic.
func guarded(p *Pass, c *Context, op *ir.Op) (stack string, err error) {
	defer func() {
		x := recover()
		if e, ok := x.(*ir.Exceeded); ok {
			err = e
			return
		}
		if x != nil {
			stack = string(debug.Stack())
			err = fmt.Errorf("the code of the pass failed with an internal error: %v", x)
		}
	}()
	if err = p.Run(c, op); err == nil && p.After != nil {
		err = p.After(op)
	}
	return "", err
}

// verify checks the program after a pass and returns whether it is correct. If op is only
// a part of the module, rules that need the whole module are omitted.
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

// input returns the text of the program before a pass, or nil if no reproducer is
// wanted.
func (r *runner) input() []byte {
	if r.o.Reproduce == nil {
		return nil
	}
	return ir.Bytes(r.module, ir.PrintOptions{Generic: true, Sequential: true})
}

// describe returns the name of the operation op, followed by its symbol if it has one,
// for diagnostics.
func describe(op *ir.Op) string {
	if name, ok := ir.SymbolName(op); ok {
		return op.Name() + " @" + name
	}
	return op.Name()
}
