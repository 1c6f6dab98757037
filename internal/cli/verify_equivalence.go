package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"ptogo/dialect/fn"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/kernel"
	"ptogo/passes"
	"ptogo/runtime"
	"ptogo/runtime/equiv"
)

// equivalenceFlags are the options of pto-opt that prove each pass.
type equivalenceFlags struct {
	verify bool
	args   []string
	blocks int
}

func (f *equivalenceFlags) define(fs *pflag.FlagSet) {
	fs.BoolVar(&f.verify, "verify-equivalence", false, "after each pass, decide whether the kernels still compute the same bits for all data (docs/equivalence.md); a pass that changed what a kernel computes is an error")
	fs.StringArrayVar(&f.args, "equivalence-arg", nil, "one argument of the kernels for --verify-equivalence, by its `SPEC` as for pto-run --arg (default: buffers as large as the kernel needs, and small numbers)")
	fs.IntVar(&f.blocks, "equivalence-blocks", 1, "launch `N` blocks for --verify-equivalence")
}

func (f *equivalenceFlags) check() error {
	if !f.verify && (len(f.args) > 0 || f.blocks != 1) {
		return errors.New("--equivalence-arg and --equivalence-blocks need --verify-equivalence")
	}
	if f.blocks < 1 || f.blocks > 1<<16 {
		return fmt.Errorf("--equivalence-blocks must be between 1 and %d", 1<<16)
	}
	return nil
}

// equivalence proves the passes of one program.
type equivalence struct {
	tool  *optTool
	flags *equivalenceFlags
	last  *ir.Op // the program before the pass
	tally map[equiv.Outcome]int
}

func newEquivalence(t *optTool, f *equivalenceFlags, module *ir.Op) *equivalence {
	return &equivalence{tool: t, flags: f, last: cloneModule(module), tally: map[equiv.Outcome]int{}}
}

func cloneModule(m *ir.Op) *ir.Op { return m.Clone(map[*ir.Value]*ir.Value{}) }

// after compares the program with that before a pass. Where a pass runs on functions
// one by one, only the kernels that contain the function can differ; all are compared,
// since a kernel may call it.
func (e *equivalence) after(p *passes.Pass, _, module *ir.Op, diags *ir.Diags) bool {
	before := e.last
	e.last = cloneModule(module)
	if before.String() == module.String() {
		return true
	}
	ok := true
	for _, name := range launches(before) {
		v, o, err := e.compare(before, name)
		text := fmt.Sprintf("pass '%s': @%s ", p.Name, ir.Visible(name))
		switch {
		case err != nil:
			e.tally[equiv.NotDecided]++
			diags.Add(ir.Remark, module.Loc(), text+"is not compared: "+firstLine(err.Error()))
		case v.Outcome == equiv.Differs:
			d := diags.Error(module.Loc(), text+"computes something else after it: "+v.Difference(o))
			for i, side := range []string{"before", "after"} {
				d.Note(ir.Loc{}, side+" the pass: "+v.Place.Texts[i])
			}
			ok = false
			e.tally[v.Outcome]++
		default:
			e.tally[v.Outcome]++
			if v.Outcome == equiv.NotDecided {
				diags.Add(ir.Remark, module.Loc(), text+"is not decided: "+v.Why)
			}
		}
	}
	return ok
}

// report prints what came of the proofs.
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
	fmt.Fprintf(t.err, "%s: verify-equivalence: %s\n", t.tool, strings.Join(parts, ", "))
}

// launches are the kernels of a module, each with the one that it is launched with: that
// for the other kind of core, whose name differs in its ending.
func launches(module *ir.Op) []string {
	var names []string
	for _, k := range runtime.Kernels(module) {
		names = append(names, fn.Name(k))
	}
	var all []string
	for _, name := range names {
		if stem, ok := strings.CutSuffix(name, "_vector"); ok && contains(names, stem+"_cube") {
			continue // with the cube kernel
		}
		if stem, ok := strings.CutSuffix(name, "_cube"); ok && contains(names, stem+"_vector") {
			name += "," + stem + "_vector"
		}
		all = append(all, name)
	}
	return all
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// launchLike returns the kernels of a module that are launched as those of another: of
// the same name, the two that a pass made of one, or the only ones.
func launchLike(module *ir.Op, name string) string {
	all := launches(module)
	for _, l := range all {
		if l == name || l == name+"_cube,"+name+"_vector" {
			return l
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return name
}

// compare compares the kernels of a name in both programs.
func (e *equivalence) compare(before *ir.Op, name string) (*equiv.Verdict, *equiv.Options, error) {
	a, err := e.build(before, name)
	if err != nil {
		return nil, nil, err
	}
	b, err := e.build(e.last, launchLike(e.last, name))
	if err != nil {
		return nil, nil, err
	}
	params := a.Params()
	extra := b.Params()
	if len(extra) < len(params) {
		return nil, nil, fmt.Errorf("the kernel has %d parameters before and %d after the pass", len(params), len(extra))
	}
	extra = extra[len(params):]
	for size := 1 << 12; ; size *= 8 {
		o, err := e.options(params, size)
		if err != nil {
			return nil, nil, err
		}
		v, err := equiv.Compare(sideOf(a), withExtra(sideOf(b), extra), *o)
		if err != nil || len(e.flags.args) > 0 || size >= 1<<24 || !v.TooSmall {
			return v, o, err
		}
	}
}

// extraBytes is the size of a buffer that a program has in addition.
const extraBytes = 1 << 20

// withExtra gives a program its parameters after those of the other program.
func withExtra(s equiv.Side, params []kernel.Param) equiv.Side {
	for _, p := range params {
		if p.IsPointer() {
			s.Extra = append(s.Extra, runtime.Arg{Buf: &runtime.Buffer{Data: make([]byte, extraBytes)}})
		} else {
			s.Extra = append(s.Extra, runtime.Arg{Bits: smallNumber(num.S32)})
		}
	}
	return s
}

func (e *equivalence) build(module *ir.Op, name string) (*kernel.Program, error) {
	args := 0
	if len(e.flags.args) > 0 {
		args = len(e.flags.args)
	}
	return kernel.Build(cloneModule(module), kernel.Options{Arch: e.tool.flags.arch, Kernel: name, SoftLib: e.tool.flags.softLib, Arguments: args})
}

// options are those of a comparison, whose buffers have a size unless arguments are given.
func (e *equivalence) options(params []kernel.Param, size int) (*equiv.Options, error) {
	o := &equiv.Options{Run: runtime.Options{Blocks: e.flags.blocks, MaxSteps: 1 << 22}}
	if n := len(e.flags.args); n > 0 && n != len(params) {
		return nil, fmt.Errorf("the kernel has %s, but there are %d --equivalence-arg", ir.Count(len(params), "parameter"), n)
	}
	for i, p := range params {
		o.Names = append(o.Names, paramText(p, i))
		elem := ir.Type{}
		if p.IsPointer() {
			elem = ir.ElementType(p.Type)
		}
		o.Elems = append(o.Elems, elem)
		switch {
		case len(e.flags.args) > 0:
			a, err := parseArg(e.flags.args[i], p, argPlace{0, 0, 1})
			if err != nil {
				return nil, err
			}
			if a.perBlock {
				if err := a.divide(e.flags.blocks, elem); err != nil {
					return nil, err
				}
			}
			o.Args = append(o.Args, a.value)
		case p.IsPointer():
			o.Args = append(o.Args, runtime.Arg{Buf: &runtime.Buffer{Data: make([]byte, size)}})
		default:
			f, _ := ir.FormatOf(p.Type)
			o.Args = append(o.Args, runtime.Arg{Bits: smallNumber(f)})
		}
	}
	return o, nil
}

// smallNumber is an argument that nobody gave: 1.5 or 1.
func smallNumber(f num.Format) uint64 {
	if f.IsFloat() {
		return num.Encode(f, 1.5, num.NearestEven, false)
	}
	return 1
}
