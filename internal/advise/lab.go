// This file builds variants of a program and predicts their times.

package advise

import (
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"

	_ "ptogo/dialect/all"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower/bufferize"
	"ptogo/lower/plan"
	"ptogo/lower/resize"
	"ptogo/lower/splitcores"
	"ptogo/passes"
	"ptogo/runtime"
	"ptogo/runtime/numerics"
	"ptogo/runtime/timing"
)

// Lab builds, predicts and verifies variants of one program.
type Lab struct {
	Launch
	// module is the program as written. It is only copied.
	module *ir.Op
	// whole is the program as written, ready for execution.
	whole    *kernel.Program
	name     string
	target   ir.Target
	features ir.Features
	chip     *timing.Chip
	facts    Facts
	// reference has the rounding errors of the program as written. It is nil until they are
	// needed.
	reference *numerics.Reference
	// results are the results of the program as written, by data set.
	results map[int][]runtime.Arg
	// recent are the latest results of passes, because variants that follow each other
	// often differ only in their launch.
	recent []*passed
	// reports are the numbers of reports of checkers about the base, by checker.
	reports map[reportKind]int
}

// clock returns the timing model of the target t, with which passes predict durations.
func clock(t ir.Target) passes.Clock { return timing.NewStatic(t) }

// NewLab reads and verifies the program of a launch. For an invalid program, the error is
// an ir.Errors.
func NewLab(l Launch) (*Lab, error) {
	lab := &Lab{Launch: l, results: map[int][]runtime.Arg{}}
	var diags ir.Diags
	if lab.module = kernel.ParsePublic(l.Source, l.Options.PublicIR, ir.ParseOptions{}, &diags); lab.module == nil {
		return nil, diags.Err()
	}
	if err := kernel.SetTarget(lab.module, l.Options.Arch); err != nil {
		return nil, err
	}
	lab.target = pto.ChosenTarget(lab.module, l.Options.Arch)
	if l.Options.SoftLib {
		lab.features |= pto.SoftLib
	}
	if plan.HasAddresses(lab.module) { // as pto-opt verifies such programs
		lab.features |= pto.LooseScratch
	}
	if !ir.Verify(lab.module, ir.VerifyOptions{Target: lab.target, Features: lab.features}, &diags) {
		return nil, diags.Err()
	}
	var err error
	if lab.whole, err = kernel.Build(cloneModule(lab.module), l.Options); err != nil {
		return nil, err
	}
	lab.name = lab.whole.LaunchName()
	if lab.chip, err = timing.ChipFor(l.Chip, lab.whole.Profile()); err != nil {
		return nil, err
	}
	if lab.facts = factsOf(lab.whole); !lab.facts.Synchronized {
		lab.facts.Resizes = lab.resizes()
		lab.facts.Batches = lab.changes(Variant{}.with(bufferize.Bufferize.Name, ""), resize.Batch)
	}
	lab.facts.Flattens = lab.changes(Variant{}, passes.FlattenLoops)
	return lab, nil
}

// blocks returns the number of blocks of the launch as given.
func (l *Lab) blocks() int { return max(l.Run.Blocks, 1) }

// Chip returns the name of the chip for which the Lab predicts times.
func (l *Lab) Chip() string { return l.chip.Name }

// Name returns the name of the kernel, or of the two kernels with a comma.
func (l *Lab) Name() string { return l.name }

// cloneModule returns a copy of a module.
func cloneModule(m *ir.Op) *ir.Op { return m.Clone(map[*ir.Value]*ir.Value{}) }

// bases returns the variants from which a search can start, the best one first. A program
// with synchronization is its own base. Another program first needs the passes that
// prepare it for the device, and if these do not accept a kernel for both kinds of cores,
// the pass that splits it.
func (l *Lab) bases() []Variant {
	asWritten := Variant{Blocks: l.blocks()}
	if l.facts.Synchronized {
		return []Variant{asWritten}
	}
	list := []Variant{asWritten.prepared(false)}
	if l.facts.Mixed {
		list = append(list, asWritten.with(splitcores.Pass.Name, "").prepared(false))
	}
	return list
}

// Base builds, predicts and verifies the program before all steps. An error that is an
// Unsound means that checkers report errors about it.
func (l *Lab) Base() (*Built, *Time, *Proof, error) {
	if _, err := l.want(0); err != nil {
		return nil, nil, nil, err
	}
	var first error
	for _, v := range l.bases() {
		b, err := l.Build(v)
		var t *Time
		if err == nil {
			t, err = l.Predict(b)
		}
		var p *Proof
		if err == nil {
			p, err = l.verifyBase(b)
		}
		if err == nil && p.Wrong != "" {
			err = fmt.Errorf("the program with addresses and synchronization, as pto-opt --enable-insert-sync writes it, is not right: %s", p.Wrong)
		}
		if err == nil {
			l.facts.Places, l.facts.FixedBlocks = t.Places, l.FixedBlocks
			return b, t, p, nil
		}
		if _, unsound := errors.AsType[*Unsound](err); unsound || errors.Is(err, ErrStopped) {
			return nil, nil, nil, err
		}
		if first == nil {
			first = err
		}
	}
	if r, ok := errors.AsType[Rejection](first); ok {
		first = r.Err
	}
	return nil, nil, nil, first
}

// Steps returns the steps that may make the program faster. Base must have been called.
func (l *Lab) Steps() []Step { return l.facts.Steps() }

// program is a variant that is ready for execution.
type program struct {
	*kernel.Program
	// extra are the arguments after those of the program as written.
	extra []runtime.Arg
	// own are the results of the program by data set, if they may differ from those of the
	// program as written by rounding errors. It is nil otherwise.
	own map[int][]runtime.Arg
}

// passed is the result of the passes of a variant, or their error. The key identifies the
// passes.
type passed struct {
	key   string
	built *Built
	err   error
}

// mostRecent is the number of results of passes that a Lab stores.
const mostRecent = 4

// Build implements Bench. It runs the passes of the variant, unless their result is known.
func (l *Lab) Build(v Variant) (*Built, error) {
	if err := l.stopped(); err != nil {
		return nil, err
	}
	key := Variant{Passes: v.Passes}.key()
	i := slices.IndexFunc(l.recent, func(p *passed) bool { return p.key == key })
	if i < 0 {
		p := &passed{key: key}
		p.built, p.err = l.runPasses(v)
		l.recent = append(l.recent[max(0, len(l.recent)-mostRecent+1):], p)
		i = len(l.recent) - 1
	}
	p := l.recent[i]
	if p.err != nil {
		return nil, p.err
	}
	b := *p.built
	prog := *b.prog.(*program)
	prog.extra = slices.Clone(prog.extra)
	if v.reassociates() {
		prog.own = map[int][]runtime.Arg{}
	}
	b.Variant, b.prog = v, &prog
	return &b, nil
}

// runPasses runs the passes of the variant v on a copy of the program.
func (l *Lab) runPasses(v Variant) (*Built, error) {
	var diags ir.Diags
	module := cloneModule(l.module)
	p := v.pipeline(&diags)
	if p == nil {
		return nil, ir.Errors(diags.All())
	}
	o := passes.RunOptions{Target: l.target, Features: l.features, Diags: &diags, VerifyEach: true, Clock: clock, Memory: l.Memory, Statistics: &passes.Statistics{}}
	if len(v.Passes) > 0 && !p.Run(module, o) {
		return nil, Rejection{ir.Errors(errorsIn(&diags))}
	}
	if v.has(passes.SplitBlocks.Name) && o.Statistics.Summary(passes.SplitBlocks) == "" {
		return nil, Rejection{errors.New("no loop can be divided; " + passes.SplitBlocks.Name + " with remarks=true reports the reason")}
	}
	if (v.has(resize.Pass.Name) || v.has(resizeColumns) || v.has(resizeSums)) && o.Statistics.Summary(resize.Pass) == "" {
		return nil, Rejection{errors.New("no tiles can be resized; " + resize.Pass.Name + " with remarks=true reports the reason")}
	}
	b := &Built{Variant: v, Text: module.String() + "\n", Kernel: l.launchIn(module)}
	options := l.Options
	options.Kernel, options.PublicIR, options.Arguments = b.Kernel, "", len(l.Names)
	prog, err := kernel.Build(module, options)
	if err != nil {
		return nil, Rejection{err}
	}
	params := prog.Params()
	if len(params) < len(l.Names) {
		return nil, Rejection{fmt.Errorf("the kernel has %s after the passes, but %d before", ir.Count(len(params), "parameter"), len(l.Names))}
	}
	ready := &program{Program: prog}
	for _, p := range params[len(l.Names):] {
		if !p.IsPointer() {
			return nil, Rejection{fmt.Errorf("the kernel needs a further number, %%%s", ir.Visible(p.Name))}
		}
		ready.extra = append(ready.extra, runtime.Arg{})
	}
	b.prog = ready
	return b, nil
}

// launchIn returns the names of the kernels in a module after passes. They are those of the
// program as written, or of the parts into which a pass has split its kernel.
func (l *Lab) launchIn(module *ir.Op) string {
	var names []string
	for _, f := range fn.Functions(module) {
		names = append(names, fn.Name(f))
	}
	for _, name := range strings.Split(l.name, ",") {
		if !slices.Contains(names, name) {
			return data.LaunchLike(module, l.name)
		}
	}
	return l.name
}

// errorsIn returns the errors in diags.
func errorsIn(diags *ir.Diags) []*ir.Diag {
	return slices.DeleteFunc(slices.Clone(diags.All()), func(d *ir.Diag) bool { return d.Severity != ir.Error })
}

// stopped returns ErrStopped if the run was interrupted or has reached its time limit.
func (l *Lab) stopped() error {
	if l.Run.Stop != nil && l.Run.Stop() != "" {
		return ErrStopped
	}
	return nil
}

// Predict implements Bench. It executes the variant once and replays the execution on the
// timing model.
func (l *Lab) Predict(b *Built) (*Time, error) {
	prog := b.prog.(*program)
	if err := l.sizeExtra(b, prog); err != nil {
		return nil, err
	}
	args, err := l.arguments(prog, b.Blocks, 0)
	if err != nil {
		return nil, err
	}
	o := l.Run
	o.Blocks = b.Blocks
	if o.SkipArithmetic = runtime.DataDependence(prog.Module) == nil; o.SkipArithmetic {
		o.Workers = goruntime.GOMAXPROCS(0) // no block sees data of another one
	}
	rec := timing.NewRecorder()
	o.Listeners = []runtime.Listener{rec}
	if err := l.execute(prog, args, o); err != nil {
		return nil, err
	}
	res, err := timing.Replay(rec, l.chip, timing.Options{Warm: l.Warm})
	if err != nil {
		return nil, Rejection{err}
	}
	return &Time{Micros: res.Micros, Total: res.Total(), Places: res.Cores, Kind: res.Kind.Name, Error: res.Kind.Error}, nil
}

// arguments returns new arguments for a launch of prog with the data of the given set.
func (l *Lab) arguments(prog *program, blocks, set int) ([]runtime.Arg, error) {
	args, err := l.Args(blocks, set)
	if err != nil {
		return nil, Rejection{err}
	}
	if blocks != l.blocks() && slices.ContainsFunc(args, func(a runtime.Arg) bool { return a.Part > 0 }) {
		return nil, Rejection{errors.New("an argument has a part for each block of the given launch")}
	}
	return append(args, runtime.CloneArgs(prog.extra)...), nil
}

// execute runs a program. Its error is ErrStopped after an interrupt or at the time
// limit, and otherwise a Rejection.
func (l *Lab) execute(prog *program, args []runtime.Arg, o runtime.Options) error {
	p, err := prog.Plan(o)
	if err != nil {
		return Rejection{err}
	}
	values := make([]any, len(args))
	for i := range args {
		values[i] = args[i]
	}
	err = p.Run(values...)
	if err == nil {
		return nil
	}
	if stop := l.stopped(); stop != nil {
		return stop
	}
	return Rejection{err}
}

// extraSizes are the sizes in bytes of a further argument of a program, such as the
// memory for the slots of queues. The first size with which the program runs is used.
var extraSizes = []int{1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24}

// sizeExtra allocates the further arguments of a program.
func (l *Lab) sizeExtra(b *Built, prog *program) error {
	if len(prog.extra) == 0 {
		return nil
	}
	params := prog.Params()[len(l.Names):]
	var err error
	for _, size := range extraSizes {
		b.Extra = nil
		for i, p := range params {
			elem := ir.ElementType(p.Type)
			f, ok := ir.FormatOf(elem)
			if !ok || f.Bytes() == 0 {
				return Rejection{fmt.Errorf("the kernel needs memory of elements of type %s", elem)}
			}
			prog.extra[i] = runtime.Arg{Buf: &runtime.Buffer{Data: make([]byte, size), Name: "memory for queues"}}
			b.Extra = append(b.Extra, "zeros="+kernel.ShapeText([]int64{int64(size / f.Bytes())}, elem))
		}
		var args []runtime.Arg
		if args, err = l.arguments(prog, b.Blocks, 0); err != nil {
			return err
		}
		o := l.Run
		o.Blocks = b.Blocks
		err = l.execute(prog, args, o)
		if err == nil || errors.Is(err, ErrStopped) {
			return err
		}
	}
	return err
}
