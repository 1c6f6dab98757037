package kernel

import (
	"fmt"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/ptoas"

	// Every dialect that programs may use.
	_ "ptogo/dialect/all"
)

// Options say for what a program is checked and which of its kernels runs.
type Options struct {
	// Arch is the profile, a2, a3 or a5. Empty means what the module names in
	// pto.target_arch, else a3.
	Arch string
	// Kernel is the name of the kernel, or A,B for a cube and a vector kernel that
	// are launched together. It may be empty where there is only one.
	Kernel string
	// SoftLib accepts operations that a software library computes.
	SoftLib bool
	// Arguments is how many arguments a launch will supply, if that is known. A
	// kernel with as many parameters takes its place in the launch from them,
	// where others ask the core for it.
	Arguments int
}

// Features are the feature bits that the options ask for. Engines need no
// scratch tiles, so what is wrong with those is a warning.
func (o Options) Features() ir.Features {
	f := pto.LooseScratch
	if o.SoftLib {
		f |= pto.SoftLib
	}
	return f
}

// Program is a checked and lowered program with the kernels to run.
type Program struct {
	Module   *ir.Op
	Kernels  []*ir.Op // one, or those that are launched together
	Target   ir.Target
	Features ir.Features
	// Declared is how many parameters the text gives the kernel. A launch supplies
	// fewer if the kernel takes its place in the launch in some.
	Declared int
	// Warnings are what is suspicious about the text, but no error.
	Warnings []*ir.Diag
}

// Parse reads a program in any of its spellings: MLIR's, at any level, or
// PTO-AS. It returns nil after an error, which is in diags.
func Parse(src *ir.Source, opts ir.ParseOptions, diags *ir.Diags) *ir.Op {
	if ptoas.IsAS(src.Text) {
		return ptoas.ReadAS(src, ptoas.ASOptions{ParseOptions: opts}, diags)
	}
	module, _ := ir.Parse(src, opts, diags)
	return module
}

// Load reads, checks and lowers a program. An error of the program is an
// ir.Errors, which holds its warnings too.
func Load(src *ir.Source, o Options) (*Program, error) {
	var diags ir.Diags
	module := Parse(src, ir.ParseOptions{}, &diags)
	if module == nil {
		return nil, diags.Err()
	}
	return prepare(module, o, &diags)
}

// Build checks and lowers a module, which it changes.
func Build(module *ir.Op, o Options) (*Program, error) { return prepare(module, o, &ir.Diags{}) }

func prepare(module *ir.Op, o Options, diags *ir.Diags) (*Program, error) {
	if err := SetTarget(module, o.Arch); err != nil {
		return nil, err
	}
	p := &Program{Module: module, Target: pto.ChosenTarget(module, o.Arch), Features: o.Features()}
	if !ir.Verify(module, ir.VerifyOptions{Target: p.Target, Features: p.Features}, diags) {
		return nil, diags.Err()
	}
	if p.Kernels = choose(module, o.Kernel, diags); p.Kernels == nil {
		return nil, diags.Err()
	}
	p.Declared = len(fn.Body(p.Entry()).Args())
	for _, k := range p.Kernels {
		if o.Arguments != len(fn.Body(k).Args()) {
			bindLaunch(k)
		}
		makeStorage(k)
	}
	if !Lower(module, p.Target, p.Features, diags) {
		return nil, diags.Err()
	}
	p.Warnings = diags.All()
	return p, nil
}

// SetTarget makes a module, with all in it, one for a profile; no profile leaves
// it as it is. What looks at operations alone then sees the right target.
func SetTarget(module *ir.Op, arch string) error {
	if arch == "" {
		return nil
	}
	if _, ok := sem.ParseProfile(arch); !ok {
		return fmt.Errorf("unknown profile '%s': expected a2, a3 or a5", arch)
	}
	name := ir.Str(sem.ProfileName(pto.ChosenTarget(module, arch)))
	for op := range module.Walk() {
		if op == module || op.HasAttr("pto.target_arch") {
			op.SetAttr("pto.target_arch", name)
		}
	}
	return nil
}

// Param is a parameter of a kernel.
type Param struct {
	Name string // without its %, or empty
	Type ir.Type
}

// IsPointer reports whether the parameter takes an Array; others take numbers.
func (p Param) IsPointer() bool { return ir.Is[pto.PtrType](p.Type) || ir.Is[ir.MemRefType](p.Type) }

// Entry is the kernel whose parameters a launch supplies: of several the one with
// the fewest.
func (p *Program) Entry() *ir.Op { return analysis.Narrowest(p.Kernels) }

// Name is the name of the kernel that runs.
func (p *Program) Name() string { return fn.Name(p.Entry()) }

// Params are the parameters that a launch supplies. Those with which pypto passes
// the place of a core in the launch (%__pypto_spmd_block_idx, ...) are none, and
// pointers stand for views and tiles.
func (p *Program) Params() []Param {
	args := fn.Body(p.Entry()).Args()
	params := make([]Param, len(args))
	for i, a := range args {
		params[i] = Param{a.Name(), a.Type()}
	}
	return params
}
