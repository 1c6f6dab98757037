package cpproundtrip

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/frontend/cpp"
	"ptogo/internal/cli"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/equiv"
	"ptogo/runtime/timing"
)

// Outcome is the last step that a launch reached.
type Outcome string

// The outcomes of a round trip. Same means that the C++ is the program in all respects.
// SameSteps means that the predicted time differs for a known reason: the cores execute
// the same instructions in the same order, except for instructions of the scalar unit,
// whose number the C++ compiler changes.
const (
	Same       Outcome = "same"
	SameSteps  Outcome = "same steps"
	OtherTime  Outcome = "other time"
	NotProved  Outcome = "not proved"
	OtherBytes Outcome = "other bytes"
	NotRun     Outcome = "not run"
	NotRead    Outcome = "not read"
	NotWritten Outcome = "not written"
	NoKernel   Outcome = "no kernel"
)

// Case is the result for one launch of a program.
type Case struct {
	Program string
	Launch  string
	Outcome Outcome
	Reason  string
}

// Launch is a launch of a program: the name of the kernel, or the names of two kernels
// with a comma, and the arguments. If the arguments are nil, they are found by trial and
// random.
type Launch struct {
	Kernels string
	Args    []runtime.Arg
}

// File compares all launches of all programs in the file path.
func File(path string) ([]Case, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []Case
	for _, p := range split(path, string(text)) {
		names, others := p.choose(string(text))
		for _, l := range others {
			all = append(all, Case{p.Name, l, NoKernel, "the host cannot pass its parameters"})
		}
		var launches []Launch
		for _, n := range names {
			launches = append(launches, Launch{Kernels: n})
		}
		if len(launches) > 0 {
			all = append(all, p.Compare(launches)...)
		}
	}
	return all, nil
}

// Compare writes the program as C++, reads it, and compares the launches.
func (p *Program) Compare(launches []Launch) []Case {
	all := make([]Case, len(launches))
	for i, l := range launches {
		all[i] = Case{Program: p.Name, Launch: l.Kernels}
	}
	fail := func(o Outcome, reason string) []Case {
		for i := range all {
			all[i].Outcome, all[i].Reason = o, firstLine(reason)
		}
		return all
	}
	written, planned, err := p.written()
	if err != nil {
		return fail(NotWritten, err.Error())
	}
	var diags ir.Diags
	target, _ := sem.ParseProfile(p.Arch)
	module := cpp.Read(&ir.Source{Name: "kernel.cpp", Text: written}, cpp.Options{Target: target}, &diags)
	for i, l := range launches {
		c := comparison{p: p, planned: planned, module: module, read: &diags, Launch: l}
		all[i].Outcome, all[i].Reason = c.run()
		all[i].Reason = firstLine(all[i].Reason)
	}
	return all
}

// written returns the program as C++, and the program as the passes leave it that
// pto-opt --emit=cpp runs.
func (p *Program) written() (cpp, planned string, err error) {
	dir, err := os.MkdirTemp("", "cpproundtrip")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(dir)
	name, _, _ := strings.Cut(filepath.Base(p.Name), "#") // a program in PTO-AS has the name of the file
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(p.Text), 0o644); err != nil {
		return "", "", err
	}
	var texts [2]bytes.Buffer
	for i, options := range [][]string{{"--emit=cpp", "--cpp-launch"}, {"--enable-insert-sync"}} {
		var errs bytes.Buffer
		if code := cli.Opt(append(options, "--pto-arch="+p.Arch, file), strings.NewReader(""), &texts[i], &errs); code != 0 {
			return "", "", errors.New(errorIn(errs.String()))
		}
	}
	return texts[0].String(), texts[1].String(), nil
}

// comparison is the comparison of one launch.
type comparison struct {
	p *Program
	// planned is the text of the program after the passes.
	planned string
	// module was read from the C++, with the diagnostics read. It is nil after an error.
	module *ir.Op
	read   *ir.Diags
	Launch
}

// run compares the launch of the program with that of the C++.
func (c *comparison) run() (Outcome, string) {
	prog, err := kernel.Load(c.p.source(), kernel.Options{Arch: c.p.Arch, Kernel: c.Kernels})
	if err != nil {
		return NotRun, err.Error()
	}
	in := inputs{params: prog.Params(), args: c.Args, random: c.Args == nil}
	if c.Args == nil {
		in.args = data.Guess(prog, runtime.Options{MaxSteps: 1 << 22})
	}
	want, err := in.run(prog)
	if err != nil && in.random {
		in.random = false
		want, err = in.run(prog)
	}
	if err != nil {
		return NotRun, err.Error()
	}
	other, reason := c.other()
	if other == nil {
		return NotRead, reason
	}
	if have, want := len(other.Params()), len(prog.Params()); have != want {
		return NotRead, fmt.Sprintf("the C++ has %d parameters, not %d", have, want)
	}
	device, err := kernel.Load(&ir.Source{Name: c.p.Name, Text: c.planned}, kernel.Options{Arch: c.p.Arch, Kernel: c.Kernels})
	if err != nil {
		return NotRun, "after passes: " + err.Error()
	}
	planned, err := in.run(device)
	if err != nil {
		return NotRun, "after passes: " + err.Error()
	}
	have, err := in.run(other)
	if err != nil {
		return OtherBytes, err.Error()
	}
	if at := differing(want, have); at != "" {
		in.fill = 0xA5
		again, err := in.run(prog)
		switch {
		case err != nil || differing(want, again) != "":
			return NotRun, "the result depends on local memory that was never written"
		case slices.ContainsFunc(slices.Collect(maps.Keys(have.steps)), func(core string) bool {
			return strings.HasSuffix(core, " 1") && len(have.steps[core]) > len(planned.steps[core]) // the second vector core
		}):
			return OtherBytes, "the second vector core also stores, which pto-run does not execute in a kernel without sections"
		}
		return OtherBytes, at
	}
	v, err := proof(prog, other, in.args)
	switch {
	case err != nil:
		return NotProved, err.Error()
	case v.Outcome == equiv.Differs:
		return OtherBytes, "for other data"
	case v.Outcome != equiv.Equivalent:
		return NotProved, v.Why
	case planned.cycles == have.cycles:
		return Same, ""
	case maps.EqualFunc(planned.steps, have.steps, slices.Equal):
		return SameSteps, "other scalar instructions"
	}
	all := maps.Clone(have.steps)
	maps.DeleteFunc(have.steps, func(core string, _ []string) bool { return planned.steps[core] == nil })
	if maps.EqualFunc(planned.steps, have.steps, slices.Equal) {
		return SameSteps, "both vector cores execute what pto-run executes on one for a kernel without sections"
	}
	atEnd := func(a, b []string) bool {
		return slices.Equal(a, b) || len(b) == len(a)+1 && slices.Equal(a, b[:len(a)]) && strings.Contains(b[len(a)], "PIPE_ALL")
	}
	if maps.EqualFunc(planned.steps, have.steps, atEnd) {
		return SameSteps, "the C++ waits for stores of the scalar unit at its end, and cleans the data cache"
	}
	for core, a := range planned.steps {
		b := have.steps[core]
		if b == nil { // a kernel of scalar instructions alone, which the C++ has for both types of cores
			for _, other := range all {
				b = other
			}
		}
		if onlyBarriersMore(a, b) {
			continue
		}
		for i := range max(len(a), len(b)) {
			switch {
			case i >= len(a):
				return OtherTime, "the C++ also executes " + b[i]
			case i >= len(b):
				return OtherTime, "the C++ does not execute " + a[i]
			case a[i] != b[i]:
				return OtherTime, "the C++ executes " + b[i] + " instead of " + a[i]
			}
		}
	}
	return OtherTime, "the C++ also executes barriers, of which it makes fences, cleaning of the data cache, and the order of tci"
}

// onlyBarriersMore reports whether the steps b are the steps a with further barriers.
func onlyBarriersMore(a, b []string) bool {
	rest := slices.Clone(a)
	for _, step := range b {
		switch {
		case len(rest) > 0 && step == rest[0]:
			rest = rest[1:]
		case !strings.HasPrefix(step, fmt.Sprint(runtime.PipeBarrier, " ")):
			return false
		}
	}
	return len(rest) == 0
}

// other returns the kernels of the C++, or the reason why they cannot be read.
func (c *comparison) other() (*kernel.Program, string) {
	if c.module == nil {
		return nil, firstError(c.read)
	}
	for _, k := range strings.Split(c.Kernels, ",") {
		for _, d := range c.read.All() {
			if reason, failed := strings.CutPrefix(d.Text, "kernel '"+k+"' cannot be read: "); failed {
				return nil, reason
			}
		}
	}
	prog, err := kernel.Build(c.module.Clone(map[*ir.Value]*ir.Value{}), kernel.Options{Arch: c.p.Arch, Kernel: c.sameLaunch()})
	if err != nil {
		return nil, err.Error()
	}
	return prog, ""
}

// differing returns a text about the first byte in which two results differ, or "".
func differing(a, b result) string {
	for i := range a.bufs {
		for k, x := range a.bufs[i] {
			if b.bufs[i][k] != x {
				return fmt.Sprintf("byte %d of argument %d differs", k, i)
			}
		}
	}
	return ""
}

// sameLaunch returns the launch of the C++ that has the name of the given one, or that
// has its name in C++, where an underscore follows a name that C++ does not allow.
func (c *comparison) sameLaunch() string {
	all := data.Launches(c.module)
	if slices.Contains(all, c.Kernels) || !slices.Contains(all, c.Kernels+"_") {
		return c.Kernels
	}
	return c.Kernels + "_"
}

// inputs are the arguments of a launch, with the parameters of the program for which they
// were found. If random is set, random numbers replace the contents of buffers. The byte
// fill is the initial contents of local memory.
type inputs struct {
	params []kernel.Param
	args   []runtime.Arg
	random bool
	fill   byte
}

// result is what a launch leaves: the buffers, the predicted time in cycles, and the
// steps of all units except the scalar unit.
type result struct {
	bufs   [][]byte
	cycles float64
	steps  stepList
}

// run executes a launch on one block, with copies of the buffers.
func (in inputs) run(prog *kernel.Program) (r result, err error) {
	rec := timing.NewRecorder()
	r.steps = stepList{}
	plan, err := prog.Plan(runtime.Options{MaxSteps: 1 << 24, ScratchFill: in.fill, Out: &bytes.Buffer{}, Listeners: []runtime.Listener{rec, r.steps}})
	if err != nil {
		return r, err
	}
	given := make([]any, len(in.args))
	r.bufs = make([][]byte, len(in.args))
	for i, a := range in.args {
		if a.Buf != nil {
			array := data.Flat(bytes.Clone(a.Buf.Data), ir.ElementType(in.params[i].Type))
			if in.random {
				array.Randomize(uint64(i) + 1)
			}
			r.bufs[i] = array.Data
			a = runtime.Arg{Buf: &runtime.Buffer{Data: array.Data}}
		}
		given[i] = a
	}
	if err := plan.Run(given...); err != nil {
		return r, err
	}
	chip, err := timing.ChipFor("", prog.Profile())
	if err != nil {
		return r, err
	}
	res, err := timing.Replay(rec, chip, timing.Options{})
	if err != nil {
		return r, err
	}
	r.cycles = res.Cycles
	return r, nil
}

// stepList is a listener that records the instructions of each core, except those of the
// scalar unit.
type stepList map[string][]string

// Begin implements runtime.Listener.
func (s stepList) Begin(*runtime.Launch) {}

// Event implements runtime.Listener.
func (s stepList) Event(e *runtime.Event) {
	if e.Core == nil || e.Op == nil || e.Pipe == sem.PipeS || e.Pipe == sem.NoPipe {
		return
	}
	step := fmt.Sprint(e.Kind, " ", e.Pipe)
	if info := pto.InfoOf(e.Op.Def()); info != nil && info.Group == "tile" {
		step += " " + e.Op.Name()
	}
	core := fmt.Sprint(e.Core.Block, " ", e.Core.Unit, " ", e.Core.Sub)
	s[core] = append(s[core], step)
}

// End implements runtime.Listener.
func (s stepList) End(*runtime.Fault) {}

// proof compares the programs for all data. If addresses or branches depend on inputs, it
// assumes zeros in these.
func proof(prog, other *kernel.Program, args []runtime.Arg) (*equiv.Verdict, error) {
	o := equiv.Options{Run: runtime.Options{MaxSteps: 1 << 22}, Args: args, MostExpressions: 1 << 24}
	for i, p := range prog.Params() {
		elem := p.Type
		if p.IsPointer() {
			elem = ir.ElementType(p.Type)
		}
		o.Names, o.Elems = append(o.Names, fmt.Sprint("argument ", i)), append(o.Elems, elem)
	}
	assumed := map[int]bool{}
	for {
		v, err := equiv.Compare(side(prog), side(other), o)
		if err != nil || len(v.Inputs) == 0 || len(assumed) >= len(args) {
			return v, err
		}
		for _, i := range v.Inputs {
			assumed[i] = true
		}
		o.Known, o.Zeros = func(arg int) bool { return assumed[arg] }, true
	}
}

func side(p *kernel.Program) equiv.Side {
	return equiv.Side{Module: p.Module, Kernels: p.Kernels, Target: p.Target, Features: p.Features}
}

// firstError returns the text of the first error.
func firstError(diags *ir.Diags) string {
	for _, d := range diags.All() {
		if d.Severity == ir.Error {
			return d.Text
		}
	}
	return "no error"
}

// errorIn returns the text of the first error that a tool printed.
func errorIn(printed string) string {
	for l := range strings.Lines(printed) {
		if _, text, ok := strings.Cut(l, "error: "); ok {
			return text
		}
	}
	return printed
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if _, rest, ok := strings.Cut(line, "error: "); ok {
		return rest
	}
	return line
}
