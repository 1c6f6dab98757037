// Package inspect parses and verifies texts for tools that show diagnostics during
// editing: the language server and the playground. Read is the central function.
package inspect

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower/plan"
)

// TargetArch is the attribute of a module that names its chip family (a2, a3 or a5).
const TargetArch = "pto.target_arch"

// Program is the result of parsing and verifying a text.
type Program struct {
	Diags []*ir.Diag
	// Module is the parsed program, or nil after a syntax error.
	Module *ir.Op
	Target ir.Target
	// OK states that the verifier accepts the module.
	OK bool
}

// Read parses and verifies a text for the chip family arch: a2, a3 or a5. If arch is
// empty or unknown, the module determines the family. The parameter index, if not nil,
// receives the positions of names.
func Read(src *ir.Source, arch string, index *ir.TextIndex) *Program {
	p := &Program{}
	var diags ir.Diags
	defer func() { p.Diags = diags.All() }()
	p.Module = kernel.Parse(src, ir.ParseOptions{AllowUnregistered: true, Index: index}, &diags)
	p.Target, _ = sem.ParseProfile(arch)
	if p.Module == nil {
		return p
	}
	if p.Target = pto.ChosenTarget(p.Module, arch); p.Target == 0 {
		p.Target = ir.TargetOf(p.Module)
	}
	Choose(p.Module, arch)
	p.OK = ir.Verify(p.Module, ir.VerifyOptions{Target: p.Target, Features: Features(p.Module), Sequential: true}, &diags)
	if p.OK {
		plan.WarnTop(p.Module, p.Target, &diags)
	}
	return p
}

// Features returns the default hardware features for a module. pto-opt uses them if no
// command line option lists features.
func Features(module *ir.Op) ir.Features {
	if plan.HasAddresses(module) {
		return pto.LooseScratch
	}
	return 0
}

// Choose sets the chip family of the module to arch (a2, a3 or a5), because passes read
// it from the module. An unknown name changes nothing.
func Choose(module *ir.Op, arch string) {
	if _, ok := sem.ParseProfile(arch); ok {
		kernel.SetTarget(module, arch)
	}
}
