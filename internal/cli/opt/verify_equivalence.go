// This file implements pto-opt --verify-equivalence.

package opt

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"ptogo/internal/cli/proof"
	"ptogo/internal/cli/report"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/passes"
	"ptogo/runtime"
	"ptogo/runtime/equiv"
)

// equivalenceFlags are the options of pto-opt that prove after each pass that the
// program still computes the same results.
type equivalenceFlags struct {
	// verify requests a proof after each pass.
	verify bool
	// args are kernel arguments in the syntax of --arg, and blocks is the number of
	// blocks of the launch.
	args   []string
	blocks int
	// modulo names the kinds of differences to ignore.
	modulo []string
}

// define declares in fs the command-line options that prove after each pass that the
// program still computes the same results.
func (f *equivalenceFlags) define(fs *pflag.FlagSet) {
	fs.BoolVar(&f.verify, "verify-equivalence", false, "after each pass, check that the kernels still compute the same bits for all input data (docs/equivalence.md). A pass that changes what a kernel computes is an error")
	fs.StringArrayVar(&f.args, "equivalence-arg", nil, "let --verify-equivalence use `SPEC` as the next kernel argument; SPEC has the syntax of pto-run --arg (default: buffers as large as the kernel needs, and small scalars)")
	fs.StringSliceVar(&f.modulo, "equivalence-modulo", nil, "let --verify-equivalence ignore some kinds of differences. `KINDS` is a list of nan-bits (bits of NaN results), reassociation (order of sums) and reciprocal (x/y computed as x times 1/y) (default: none)")
	fs.IntVar(&f.blocks, "equivalence-blocks", 1, "let --verify-equivalence assume that the kernel is launched on `N` blocks")
}

// check returns an error if the options for proofs after each pass contradict each other.
func (f *equivalenceFlags) check() error {
	if !f.verify && (len(f.args) > 0 || f.blocks != 1 || len(f.modulo) > 0) {
		return errors.New("--equivalence-arg, --equivalence-blocks and --equivalence-modulo need --verify-equivalence")
	}
	if _, err := proof.ParseModulo("--equivalence-modulo", f.modulo); err != nil {
		return err
	}
	if f.blocks < 1 || f.blocks > 1<<16 {
		return fmt.Errorf("--equivalence-blocks must be between 1 and %d", 1<<16)
	}
	return nil
}

// equivalence is the state of checking, for one program, that its passes do not change
// its results.
type equivalence struct {
	tool  *optTool
	flags *equivalenceFlags
	// last is the program before the current pass.
	last *ir.Op
	// tally counts the outcomes of the proofs so far.
	tally map[equiv.Outcome]int
	// guessed are the generated arguments of kernels, by name of the kernel, if the
	// command line specifies none.
	guessed map[string]*equiv.Options
	// assumed are the conditions under which kernels were found to be equivalent, in the
	// order in which they were found.
	assumed []string
}

// newEquivalence returns the state for proving that passes do not change the results of a
// program. It stores a copy of the module, so that the module after the first pass can be
// compared with it.
func newEquivalence(t *optTool, f *equivalenceFlags, module *ir.Op) *equivalence {
	return &equivalence{tool: t, flags: f, last: cloneModule(module), tally: map[equiv.Outcome]int{}, guessed: map[string]*equiv.Options{}}
}

// ComputesElse is the start of the error message about a pass that changes the results of
// a kernel.
const ComputesElse = "computes something else after it: "

// cloneModule returns a copy of a module.
func cloneModule(m *ir.Op) *ir.Op { return m.Clone(map[*ir.Value]*ir.Value{}) }

// after compares the kernels after pass p with the kernels before the pass. The parameter
// module is the program after the pass. after adds an error to diags for each kernel that
// computes different results, and returns false if there is one. It compares all kernels
// even if the pass has only transformed some functions, because unchanged kernels may
// call the transformed functions.
func (e *equivalence) after(p *passes.Pass, _, module *ir.Op, diags *ir.Diags) bool {
	before := e.last
	e.last = cloneModule(module)
	if before.String() == module.String() {
		return true
	}
	ok := true
	for _, name := range data.Launches(before) {
		v, o, err := e.compare(before, name)
		text := fmt.Sprintf("pass '%s': @%s ", p.Name, ir.Visible(name))
		switch {
		case err != nil:
			e.tally[equiv.NotDecided]++
			diags.Add(ir.Remark, module.Loc(), text+"is not compared: "+report.FirstLine(err.Error()))
		case v.Outcome == equiv.Differs:
			d := diags.Error(module.Loc(), text+ComputesElse+v.Difference(o))
			for i, side := range []string{"before", "after"} {
				if v.Place == nil {
					break
				}
				d.Note(ir.Loc{}, side+" the pass: "+v.Place.Texts[i])
			}
			ok = false
			e.tally[v.Outcome]++
		default:
			e.tally[v.Outcome]++
			if v.Outcome == equiv.NotDecided {
				diags.Add(ir.Remark, module.Loc(), text+"is not decided: "+v.Why)
				continue
			}
			if a := o.Assumptions(); a != "" && !slices.Contains(e.assumed, a) {
				e.assumed = append(e.assumed, a)
			}
			if o.Known != nil {
				diags.Add(ir.Remark, module.Loc(), text+"is equivalent: "+v.Extent(o))
			}
		}
	}
	return ok
}

// report prints a summary of the outcomes of all proofs.
func (e *equivalence) report(t *optTool) {
	var parts []string
	for _, o := range []equiv.Outcome{equiv.Equivalent, equiv.Differs, equiv.NotDecided} {
		if n := e.tally[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	if parts == nil {
		parts = []string{"no pass changed a kernel"}
	}
	parts = append(parts, e.assumed...)
	fmt.Fprintf(t.Err, "%s: verify-equivalence: %s\n", t.Tool, strings.Join(parts, ", "))
}

// compare compares two versions of the kernel with the given name. The parameter before
// is the module before a pass, which contains one version. The module after the pass is
// e.last, which contains the other version. compare returns the verdict and the options
// of the proof.
func (e *equivalence) compare(before *ir.Op, name string) (*equiv.Verdict, *equiv.Options, error) {
	a, err := e.build(before, name)
	if err != nil {
		return nil, nil, err
	}
	b, err := e.build(e.last, data.LaunchLike(e.last, name))
	if err != nil {
		return nil, nil, err
	}
	params := a.Params()
	extra := b.Params()
	if len(extra) < len(params) {
		return nil, nil, fmt.Errorf("the kernel must keep its number of parameters, but has %d before and %d after the pass", len(params), len(extra))
	}
	extra = extra[len(params):]
	o, err := e.options(name, a)
	if err != nil {
		return nil, nil, err
	}
	sides := [2]equiv.Side{proof.SideOf(a), proof.WithExtra(proof.SideOf(b), extra)}
	v, err := equiv.Compare(sides[0], sides[1], *o)
	var assumed []int
	for err == nil && len(e.flags.args) == 0 && len(v.Inputs) > 0 && len(assumed) < len(o.Args) {
		assumed = append(assumed, v.Inputs...)
		o.Known = func(arg int) bool { return slices.Contains(assumed, arg) }
		o.Zeros = true
		v, err = equiv.Compare(sides[0], sides[1], *o)
	}
	return v, o, err
}

// build loads the kernel with the given name from a module, as a program that can be
// executed.
func (e *equivalence) build(module *ir.Op, name string) (*kernel.Program, error) {
	args := 0
	if len(e.flags.args) > 0 {
		args = len(e.flags.args)
	}
	return kernel.Build(cloneModule(module), kernel.Options{Arch: e.tool.flags.arch, Kernel: name, SoftLib: e.tool.flags.softLib, Arguments: args})
}

// options returns the options of a proof for the kernel with the given name, with the
// arguments from the command line or generated ones.
func (e *equivalence) options(name string, p *kernel.Program) (*equiv.Options, error) {
	if o := e.guessed[name]; o != nil {
		again := *o
		again.Known = nil
		return &again, nil
	}
	params := p.Params()
	o := &equiv.Options{Run: runtime.Options{Blocks: e.flags.blocks, MaxSteps: 1 << 22}, MostExpressions: int(int64(e.tool.MaxMemory.Bytes) / 32)}
	if n := len(e.flags.args); n > 0 && n != len(params) {
		return nil, fmt.Errorf("the kernel has %s, but %d --equivalence-arg options were given", ir.Count(len(params), "parameter"), n)
	}
	o.Modulo, _ = proof.ParseModulo("", e.flags.modulo)
	for i, p := range params {
		o.Names = append(o.Names, proof.ParamText(p, i))
		elem := p.Type
		if p.IsPointer() {
			elem = ir.ElementType(p.Type)
		}
		o.Elems = append(o.Elems, elem)
		if len(e.flags.args) == 0 {
			continue
		}
		a, err := data.Parse(e.flags.args[i], p, data.Place{Ranks: 1, Read: e.tool.MaxMemory.Read})
		if err == nil && a.PerBlock {
			err = a.Divide(e.flags.blocks, elem)
		}
		if err != nil {
			return nil, err
		}
		o.Args = append(o.Args, a.Value)
	}
	if len(e.flags.args) == 0 {
		o.Args = data.Guess(p, o.Run)
		e.guessed[name] = o
	}
	return o, nil
}
