// This file predicts the time of one candidate.

package tune

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync"

	_ "ptogo/dialect/all"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower"
	"ptogo/lower/plan"
	"ptogo/passes"
	"ptogo/runtime"
	"ptogo/runtime/timing"
)

// program is a candidate that has been compiled and is ready to run.
type program struct {
	*kernel.Program
	blocks int
	args   []string
	// memory is the largest use of each local memory in bytes, by the name of the memory.
	memory map[string]int64
}

// rejected is the error for a candidate that the verifier or a compiler pass does not
// accept. The search continues with other candidates.
type rejected struct{ error }

// clock returns the timing model of the target t, with which passes predict durations.
func clock(t ir.Target) passes.Clock { return timing.NewStatic(t) }

// registry holds the compiler passes that a search description may name.
var registry = sync.OnceValue(func() *passes.Registry {
	return passes.NewRegistry(passes.Table{Passes: lower.List}, passes.Table{Passes: passes.List, Order: passes.Rules})
})

// load compiles one candidate for one problem size. It expands the program template with
// the values in params, which are the parameters of the candidate, and then verifies and
// lowers the program. index is the index of the candidate, and size is the index of the
// problem size.
func (s *Space) load(index int, params Values, size int) (*program, error) {
	names, err := s.names(params, size)
	if err != nil {
		return nil, err
	}
	file, kernel, text := cmp.Or(s.File, "kernel.pto"), s.Kernel, s.Text
	switch {
	case s.Reference != "" && s.isBaseline(params):
		file, kernel, text = s.Reference, s.ReferenceKernel, s.referenceText
	case len(s.Texts) > 0:
		return s.lower(&ir.Source{Name: file, Text: s.Texts[index][size]}, kernel, names)
	}
	if text, err = expand(text, names); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s.lower(&ir.Source{Name: file, Text: text}, kernel, names)
}

// Launch is a candidate as a program that no pass has changed, with its launch.
type Launch struct {
	Source *ir.Source
	// Kernel is the name of the kernel, or "" if the program has only one. Blocks is the
	// number of blocks, and Args are the arguments in the syntax of pto-run --arg.
	Kernel string
	Blocks int
	Args   []string
}

// Launch returns the program and the launch of the candidate p at the largest problem size.
func (s *Space) Launch(p *Prediction) (*Launch, error) {
	size := len(s.Sizes) - 1
	names, err := s.names(p.Params, size)
	if err != nil {
		return nil, err
	}
	l := &Launch{Source: &ir.Source{Name: cmp.Or(s.File, "kernel.pto")}, Kernel: s.Kernel}
	text := s.Text
	if s.Reference != "" && s.isBaseline(p.Params) {
		l.Source.Name, l.Kernel, text = s.Reference, s.ReferenceKernel, s.referenceText
	}
	if len(s.Texts) > 0 {
		l.Source.Text = s.Texts[p.index][size]
	} else if l.Source.Text, err = expand(text, names); err != nil {
		return nil, err
	}
	blocks, err := evaluate(s.Blocks, names)
	if err != nil {
		return nil, err
	}
	l.Blocks = int(blocks)
	for _, a := range s.Args {
		arg, err := expand(a, names)
		if err != nil {
			return nil, err
		}
		l.Args = append(l.Args, arg)
	}
	return l, nil
}

// lower verifies the program src and compiles it for execution on a device: it assigns
// addresses and inserts flags and barriers. entry is the name of the kernel. The map
// names contains the values of the tuning parameters; lower uses them to evaluate the
// expressions for the number of blocks and for the arguments of the launch.
func (s *Space) lower(src *ir.Source, entry string, names Values) (*program, error) {
	p := &program{memory: map[string]int64{}}
	blocks, err := evaluate(s.Blocks, names)
	if err != nil {
		return nil, err
	}
	if blocks < 1 || blocks > 1<<16 {
		return nil, rejected{fmt.Errorf("the launch has %d blocks: expected 1 to %d", blocks, 1<<16)}
	}
	p.blocks = int(blocks)
	for _, a := range s.Args {
		arg, err := expand(a, names)
		if err != nil {
			return nil, err
		}
		p.args = append(p.args, arg)
	}
	asked, err := s.asked(names)
	if err != nil {
		return nil, err
	}
	var diags ir.Diags
	module := kernel.Parse(src, ir.ParseOptions{Sequential: true}, &diags)
	if module == nil {
		return nil, rejected{ir.Errors(diags.All())}
	}
	o := kernel.Options{Arch: s.Arch, Kernel: entry, Arguments: len(p.args)}
	if err := kernel.SetTarget(module, s.Arch); err != nil {
		return nil, err
	}
	target := ir.TargetOf(module)
	if s.Arch != "" {
		target, _ = sem.ParseProfile(s.Arch)
	}
	verify := ir.VerifyOptions{Target: target, Features: o.Features(), Sequential: true}
	if !ir.Verify(module, verify, &diags) {
		return nil, rejected{ir.Errors(diags.All())}
	}
	if err := runPasses(module, asked, passes.RunOptions{Target: target, Features: o.Features(), Diags: &diags, Sequential: true, Clock: clock}); err != nil {
		return nil, err
	}
	for _, f := range plan.MapMemory(module, target).Functions {
		for _, m := range f.Spaces {
			p.memory[m.Space] = max(p.memory[m.Space], m.Top)
		}
	}
	if p.Program, err = kernel.Build(module, o); err != nil {
		return nil, rejected{err}
	}
	if len(p.Params()) != len(p.args) {
		return nil, fmt.Errorf("the kernel has %s, but 'args' has %d arguments", ir.Count(len(p.Params()), "parameter"), len(p.args))
	}
	return p, nil
}

// asked returns the passes for one candidate, which the field Passes of the search
// description lists. An entry may end in a condition, "PASS if CONDITION". Such a pass is
// added only if the condition holds. names are the values of the variables in conditions.
func (s *Space) asked(names Values) ([]string, error) {
	var list []string
	for _, text := range s.Passes {
		pass, condition, ok := strings.Cut(text, " if ")
		if ok {
			x, err := evaluate(condition, names)
			if err != nil {
				return nil, err
			}
			if x == 0 {
				continue
			}
		}
		pass, err := expand(pass, names)
		if err != nil {
			return nil, err
		}
		list = append(list, pass)
	}
	return list, nil
}

// runPasses runs the passes of the device path, the standard sequence for a device, on a
// module. asked lists the passes that a candidate, a variant of the tuned kernel,
// requests. If a requested pass belongs to the device path, its options apply there. If
// it does not, runPasses runs it before the path.
func runPasses(module *ir.Op, asked []string, o passes.RunOptions) error {
	first, with := passes.NewPipeline(), map[*passes.Pass]string{}
	for _, text := range asked {
		name, options, _ := strings.Cut(strings.TrimSpace(text), "{")
		pass := registry().Lookup(name)
		if pass == nil {
			return fmt.Errorf("unknown pass '%s'", name)
		}
		options = strings.TrimSuffix(options, "}")
		if onPath(pass) {
			with[pass] = options
		} else if !first.Add(pass, options, o.Diags) {
			return ir.Errors(o.Diags.All())
		}
	}
	pipeline := passes.NewPipeline()
	for _, p := range lower.DevicePath {
		options, ok := with[p]
		if (ok || !lower.Optional(p)) && !pipeline.Add(p, options, o.Diags) {
			return ir.Errors(o.Diags.All())
		}
	}
	if !first.Run(module, o) || !pipeline.Run(module, o) {
		return rejected{ir.Errors(o.Diags.All())}
	}
	return nil
}

// onPath reports whether the pass p belongs to the device path, the standard sequence of
// passes for execution on a device.
func onPath(p *passes.Pass) bool {
	for _, q := range lower.DevicePath {
		if p == q {
			return true
		}
	}
	return false
}

// arguments returns the arguments for a run of the candidate. If zeros is set, arrays of
// random numbers contain zeros instead, because a prediction only needs their shapes. The
// function read returns the contents of a file.
func (p *program) arguments(zeros bool, read func(path string) ([]byte, error)) ([]*data.Arg, error) {
	var list []*data.Arg
	for i, spec := range p.args {
		if zeros && strings.HasPrefix(spec, "rand=") {
			shape, _, _ := strings.Cut(strings.TrimPrefix(spec, "rand="), ",")
			spec = "zeros=" + shape
		}
		a, err := data.Parse(spec, p.Params()[i], data.Place{Ranks: 1, Read: read})
		if err == nil && a.PerBlock {
			err = a.Divide(p.blocks, ir.ElementType(p.Params()[i].Type))
		}
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i, err)
		}
		list = append(list, a)
	}
	return list, nil
}

// slower is the reason for ending a prediction early: the launch has already read,
// written or computed so much that its predicted time exceeds the times of the best
// candidates.
const slower = "slower than the best candidates: the bytes or operations so far need more time"

// predict predicts the time of the program p. It returns the prediction and a lower bound
// of the time in microseconds. If the bound exceeds limit during the launch, the
// prediction ends early and res is nil. A limit of 0 means no limit. read is a function
// that returns the contents of a file. stop is a function that returns a reason for
// ending the launch, or "" to continue.
func (s *Space) predict(p *program, limit float64, read func(path string) ([]byte, error), stop func() string) (res *timing.Result, bound float64, err error) {
	chip, err := timing.ChipFor(s.Chip, p.Profile())
	if err != nil {
		return nil, 0, err
	}
	skip := runtime.DataDependence(p.Module) == nil
	args, err := p.arguments(skip, read)
	if err != nil {
		return nil, 0, err
	}
	rec := timing.NewRecorder()
	b := timing.NewBound(rec, chip)
	o := runtime.Options{Blocks: p.blocks, Listeners: []runtime.Listener{rec}, SkipArithmetic: skip, Workers: 1}
	o.Stop = func() string {
		if limit > 0 && b.Micros() > limit {
			return slower
		}
		return stop()
	}
	plan, err := p.Plan(o)
	if err != nil {
		return nil, 0, rejected{err}
	}
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a.Value
	}
	if err := plan.Run(values...); err != nil {
		var f *runtime.Fault
		if errors.As(err, &f) && f.Stopped && limit > 0 && b.Micros() > limit {
			return nil, b.Micros(), nil
		}
		return nil, 0, rejected{err}
	}
	if res, err = timing.Replay(rec, chip, timing.Options{}); err != nil {
		return nil, 0, rejected{err}
	}
	return res, b.Micros(), nil
}
