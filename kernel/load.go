// This file loads programs.

package kernel

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/ptoas"
	"ptogo/lower/version"
)

// Options select the target of a program and its kernels, and state how to read the
// program.
type Options struct {
	// Arch is the target profile: a2, a3 or a5. If it is empty, the attribute
	// pto.target_arch of the module selects the profile; the default is a3.
	Arch string
	// Kernel is the name of the kernel, or A,B for a cube kernel and a vector kernel that
	// run together. It may be empty if the program contains only one kernel.
	Kernel string
	// SoftLib accepts operations that the hardware lacks and a software library
	// implements.
	SoftLib bool
	// Strict rejects what devices reject, although the engines execute it.
	Strict bool
	// Arguments is the number of arguments of a launch, or 0 if it is not known. A kernel
	// with exactly this number of parameters receives its position in the launch in
	// parameters. Any other kernel reads the position with instructions (see bindLaunch).
	Arguments int
	// PublicIR is set for output of the public compiler: LastDump, or the option or class
	// of the compiler pass after which the program was printed. If it is empty, the
	// program is an ordinary one.
	PublicIR string
	// Original is the source of which passes have made the program, or nil. Diagnostics name
	// its lines for the operations whose locations are in it.
	Original *ir.Source
}

// Features returns the feature bits for the options. The result always includes
// LooseScratch, which turns errors about scratch tiles into warnings, because the
// interpreter needs no scratch tiles.
func (o Options) Features() ir.Features {
	f := pto.LooseScratch
	if o.SoftLib {
		f |= pto.SoftLib
	}
	return f
}

// Program is a checked and lowered program together with the kernels to run.
type Program struct {
	// Module is the lowered module.
	Module *ir.Op
	// Kernels is the kernel, or the kernels that are launched together.
	Kernels []*ir.Op
	// Target is the target that Options.Arch selects, or 0.
	Target ir.Target
	// Features are the feature bits with which the program was verified.
	Features ir.Features
	// Declared is the number of parameters in the source text of the kernel. A launch
	// supplies fewer arguments if the kernel reads its position in the launch with
	// instructions.
	Declared int
	// Warnings are diagnostics that are not errors.
	Warnings []*ir.Diag
}

// Parse parses a program in MLIR syntax, at any level, or in PTO-AS, or the program of a
// source in another language. After an error it returns nil, and diags are the error.
func Parse(src *ir.Source, opts ir.ParseOptions, diags *ir.Diags) *ir.Op {
	if src.Program != nil {
		return src.Program(diags)
	}
	if ptoas.IsAS(src.Text) {
		return ptoas.ReadAS(src, ptoas.ASOptions{ParseOptions: opts}, diags)
	}
	module, _ := ir.Parse(src, opts, diags)
	if module != nil && !version.CheckStated(module, diags) {
		return nil
	}
	return module
}

// LastDump is a value for Options.PublicIR. It is for a text in which the public compiler
// has printed the program several times, after several passes. LastDump selects the last
// of these programs.
const LastDump = "last"

// ParsePublic parses a program that the public compiler has printed. It also accepts
// operations that only passes of the public compiler create. selected names the compiler
// pass after which the program was printed, or is LastDump for the last program. If
// selected is empty, src must be an ordinary program.
func ParsePublic(src *ir.Source, selected string, opts ir.ParseOptions, diags *ir.Diags) *ir.Op {
	if selected == "" {
		return Parse(src, opts, diags)
	}
	pass := selected
	if pass == LastDump {
		pass = ""
	}
	src, err := ptoas.Dumped(src, pass)
	if err != nil {
		diags.Error(ir.Loc{}, err.Error())
		return nil
	}
	module := Parse(src, opts, diags)
	if module == nil || !ptoas.Internal(module, diags) {
		return nil
	}
	return module
}

// Load parses, checks and lowers a program. For an invalid program, the error is an
// ir.Errors, which also contains the warnings.
func Load(src *ir.Source, o Options) (*Program, error) {
	var diags ir.Diags
	module := ParsePublic(src, o.PublicIR, ir.ParseOptions{}, &diags)
	if module == nil {
		return nil, diags.Err()
	}
	if o.Original != nil {
		ir.Relocate(module, o.Original)
	}
	return prepare(module, o, &diags)
}

// Build checks and lowers a module that Go code has built. It modifies the module.
func Build(module *ir.Op, o Options) (*Program, error) { return prepare(module, o, &ir.Diags{}) }

// prepare selects the target, verifies the module, chooses the kernels and lowers them.
// Before the lowering, it replaces kernel parameters that are views or tiles by pointers.
// The replacement adds instructions that create the tiles and load them; the lowering
// must process these, too.
func prepare(module *ir.Op, o Options, diags *ir.Diags) (*Program, error) {
	if err := SetTarget(module, o.Arch); err != nil {
		return nil, err
	}
	p := &Program{Module: module, Target: pto.ChosenTarget(module, o.Arch), Features: o.Features()}
	read := p.Features
	if o.Strict {
		read |= pto.Strict // not for the lowered program, which no device executes
	}
	if !ir.Verify(module, ir.VerifyOptions{Target: p.Target, Features: read}, diags) {
		return nil, diags.Err()
	}
	if p.Kernels = choose(module, o.Kernel, diags); p.Kernels == nil {
		return nil, diags.Err()
	}
	p.Declared = len(fn.Body(p.Entry()).Args())
	for i, k := range p.Kernels {
		if slices.Contains(p.Kernels[:i], k) {
			continue // it runs on both vector cores
		}
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

// Profile returns the target of the program. It is the target in Options.Arch, or the
// target that the module names if Options.Arch was empty.
func (p *Program) Profile() ir.Target {
	if p.Target != 0 {
		return p.Target
	}
	return ir.TargetOf(p.Module)
}

// SetTarget sets the attribute pto.target_arch of a module, and of all operations in it
// that have the attribute. Code that examines a single operation then finds the right
// target. An empty arch changes nothing. It returns an error for an unknown profile.
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

// Param is a parameter of a kernel: its name in the program and its type.
type Param struct {
	// Name is the name of the parameter without %, or "".
	Name string
	// Type is the type in the function signature.
	Type ir.Type
}

// IsPointer reports whether the argument for the parameter must be an Array. If it
// returns false, the argument must be a number.
func (p Param) IsPointer() bool { return ir.Is[pto.PtrType](p.Type) || ir.Is[ir.MemRefType](p.Type) }

// Entry returns the kernel whose parameters determine the arguments of a launch. If
// several kernels are launched together, it is the kernel with the fewest parameters.
func (p *Program) Entry() *ir.Op { return analysis.Narrowest(p.Kernels) }

// Name returns the symbol name of the kernel that the method Entry returns. The
// parameters of this kernel determine the arguments of a launch.
func (p *Program) Name() string { return fn.Name(p.Entry()) }

// LaunchName returns the names of all kernels of the launch, separated by commas, as the
// option --kernel accepts them.
func (p *Program) LaunchName() string { return strings.Join(kernelNames(p.Kernels), ",") }

// Params returns the parameters for which a launch supplies arguments. It omits the
// parameters in which the frontend pypto passes the position of a core
// (%__pypto_spmd_block_idx, ...). Parameters that are views or tiles appear as pointers,
// because a launch can supply only pointers and numbers.
func (p *Program) Params() []Param {
	args := fn.Body(p.Entry()).Args()
	params := make([]Param, len(args))
	for i, a := range args {
		params[i] = Param{a.Name(), a.Type()}
	}
	return params
}
