// This file implements pto-run --equivalent.

package run

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/proof"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/equiv"
)

// equivalentMode proves whether two programs compute the same results for all data
// (--equivalent).
type equivalentMode struct {
	// path is the file of the second program, and kernel the name of its kernel.
	path   string
	kernel string
	// modulo names the kinds of differences to ignore, such as nan-bits.
	modulo []string
	// assume names the arguments whose data the proof may use.
	assume string
}

// define declares in fs the command-line options for proofs that two programs compute the
// same results.
func (f *equivalentMode) define(fs *pflag.FlagSet) {
	fs.StringVar(&f.path, "equivalent", "", "decide whether the kernel computes the same bits as the kernel in `FILE`, for all data of the given shapes (docs/equivalence.md). Exit codes: 0 equivalent, 3 different, 5 undecided")
	fs.StringVar(&f.kernel, "equivalent-kernel", "", "compare with the kernel `NAME` in the file of --equivalent (default: the name given by --kernel)")
	fs.StringSliceVar(&f.modulo, "modulo", nil, "let --equivalent ignore some kinds of differences. `KINDS` is a list of nan-bits (bits of NaN results), reassociation (order of sums) and reciprocal (x/y computed as x times 1/y) (default: none)")
	fs.StringVar(&f.assume, "assume-inputs", "", "let --equivalent assume that the arguments in `NAMES` have exactly the data of --arg, instead of any data. NAMES is a list of argument names, or a file with one name per line")
}

// check returns an error if the options for proofs of equivalence contradict each other.
func (f *equivalentMode) check(*runFlags) error {
	if f.path == "" && (len(f.modulo) > 0 || f.assume != "" || f.kernel != "") {
		return errors.New("--modulo, --assume-inputs and --equivalent-kernel need --equivalent FILE")
	}
	_, err := proof.ParseModulo("--modulo", f.modulo)
	return err
}

// known returns a function that reports whether --assume-inputs names the kernel argument
// with index arg. The proof may then use the contents of this argument. The option
// contains names, or the path of a file with names; the parameter most is the largest
// accepted size of this file. known returns nil if the option is not given, and an error
// if a name is not a parameter of the kernel.
func (f *equivalentMode) known(params []kernel.Param, most limit.Memory) (func(arg int) bool, error) {
	if f.assume == "" {
		return nil, nil
	}
	names := strings.Split(f.assume, ",")
	if text, err := most.Read(f.assume); err == nil {
		names = strings.Fields(string(text))
	}
	is := make([]bool, len(params))
	for _, name := range names {
		i := slices.IndexFunc(params, func(p kernel.Param) bool { return "%"+p.Name == name || p.Name == name })
		for k := range params {
			if fmt.Sprint(k) == name {
				i = k
			}
		}
		if i < 0 {
			return nil, fmt.Errorf("--assume-inputs: '%s' is neither a file nor a parameter of the kernel", name)
		}
		is[i] = true
	}
	return func(arg int) bool { return is[arg%len(is)] }, nil
}

// used reports whether the command line requests a proof.
func (f *equivalentMode) used() bool { return f.path != "" }

// execute implements --equivalent: it proves or disproves that two programs
// compute the same results, prints the verdict, and returns the exit code.
func (f *equivalentMode) execute(l *launch) int {
	prog := l.prog
	src, err := l.ReadSource(f.path)
	if err != nil {
		return l.Fail("%v", err)
	}
	name := f.kernel
	if name == "" {
		var diags ir.Diags
		if module := kernel.ParsePublic(src, l.flags.publicIR, ir.ParseOptions{}, &diags); module != nil {
			name = data.LaunchLike(module, prog.LaunchName())
		}
	}
	options := l.flags.loading()
	options.Kernel = name
	other, err := kernel.Load(src, options)
	if err != nil {
		return l.Failed(err)
	}
	params := prog.Params()
	extra := other.Params()[min(len(params), len(other.Params())):]
	if len(other.Params()) < len(params) || len(extra) > 0 && l.flags.ranks > 1 {
		return l.Usage("kernel '%s' of file %s has %s, but the kernel of file %s has %d", ir.Visible(other.Name()), f.path, ir.Count(len(other.Params()), "parameter"), l.path, len(params))
	}
	stop := l.stopper()
	defer stop.End()
	o := equiv.Options{Run: runtime.Options{Blocks: l.flags.blocks, Ranks: l.flags.ranks, MaxSteps: l.flags.maxSteps, MaxMemory: int64(l.MaxMemory.Bytes), Stop: stop.Why, FlushDenormals: l.flags.flush, ScratchFill: l.flags.fill}}
	if o.Known, err = f.known(params, l.MaxMemory); err != nil {
		return l.Usage("%v", err)
	}
	o.Modulo, _ = proof.ParseModulo("", f.modulo)
	o.MostExpressions = int(int64(l.MaxMemory.Bytes) / 32)
	for i, a := range l.args {
		o.Args = append(o.Args, a.Value)
		p := params[i%len(params)]
		o.Names = append(o.Names, proof.ParamText(p, i%len(params))+l.rankSuffix(i))
		elem := p.Type
		if p.IsPointer() {
			elem = ir.ElementType(p.Type)
		}
		o.Elems = append(o.Elems, elem)
	}
	v, err := equiv.Compare(proof.SideOf(prog), proof.WithExtra(proof.SideOf(other), extra), o)
	if err != nil {
		return l.Failed(err)
	}
	return f.report(l, v, &o)
}

// report prints the verdict of a proof and returns the exit code.
func (f *equivalentMode) report(l *launch, v *equiv.Verdict, o *equiv.Options) int {
	switch v.Outcome {
	case equiv.Equivalent:
		fmt.Fprintf(l.Out, "equivalent: %s\n", v.Extent(o))
		return exit.OK
	case equiv.Differs:
		fmt.Fprintf(l.Out, "differs: %s\n", v.Difference(o))
	default:
		fmt.Fprintf(l.Out, "not decided: %s\n", v.Why)
		if len(v.Inputs) > 0 {
			var names []string
			for _, arg := range v.Inputs {
				names = append(names, strings.TrimPrefix(o.Names[arg], "%"))
			}
			fmt.Fprintf(l.Out, "note: for a verdict about the given data of that, write --assume-inputs %s\n", strings.Join(names, ","))
		}
	}
	paths := [2]string{l.path, f.path}
	if v.Place != nil {
		for side, text := range v.Place.Texts {
			where := paths[side]
			if op := v.Place.Ops[side]; op != nil && op.Loc().Known() {
				where = op.Loc().String()
			}
			fmt.Fprintf(l.Out, "  %s: %s\n", where, text)
		}
	}
	if v.Outcome == equiv.Differs {
		return exit.Compare
	}
	return exit.Check
}
