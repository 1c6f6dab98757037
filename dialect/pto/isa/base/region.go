// This file defines sections, vector functions and other operations with a region.

package base

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// BodyRegion declares the region of an instruction that has exactly one region, named
// body, for the instructions that it contains.
var BodyRegion = []ir.RegionDef{{Name: "body", SingleBlock: true}}

// VecScope is pto.vecscope, which contains instructions for the vector unit (a vector
// function).
var VecScope = Define("vecscope", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "other", Family: "region", Page: ScalarPage("micro-instruction", name), Pipe: sem.PipeV,
		Doc:      "Holds vector instructions, which the vector unit executes as one function.",
		Regions:  BodyRegion,
		Traits:   ir.NoTerminator,
		Sem:      sem.Scope{Kind: sem.VectorFunction},
		Syntax:   ir.Asm("$body attr-dict"),
		Rules:    []Rule{OutsideScope()},
		Verify:   verifyVecScope,
		Examples: []string{"pto.vecscope { pto.mem_bar \"VV_ALL\" }"},
	})
})

// verifyVecScope warns if the target does not support vector functions, and reports an
// error if the body has arguments.
func verifyVecScope(op *ir.Op, v *ir.Verifier) {
	vectorFunctions(op, v)
	noArguments(op, v)
}

// noArguments reports an error if the block in the body of op has arguments.
func noArguments(op *ir.Op, v *ir.Verifier) {
	b := op.Region(0).Entry()
	switch {
	case b == nil:
		v.Errorf(op, "requires a body")
	case len(b.Args()) > 0:
		v.Errorf(op, "must have a body without arguments, but it has %d", len(b.Args()))
	}
}

// vectorFunctions warns about a vector function if the program names a target other than
// A5, because only A5 supports vector functions. Programs that name no target are not
// checked: their target can be A5.
func vectorFunctions(op *ir.Op, v *ir.Verifier) {
	named := op.Parent()
	for named != nil && !named.HasAttr("pto.target_arch") {
		named = named.Parent()
	}
	if named != nil && v.Target != sem.A5 {
		WarnRejected(op, v, "contains vector instructions, which target %s does not have; only a5 has them", sem.ProfileName(v.Target)).
			Note(ir.Loc{}, "add pto.target_arch = \"a5\" to the module, or use --pto-arch=a5")
	}
}

// StrictVecScope is pto.strict_vecscope, a vector function whose body cannot use values
// from outside. The operands of the instruction become the arguments of the body.
var StrictVecScope = Define("strict_vecscope", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "other", Family: "region", Page: "PTOAS:docs/isa/tile-op/01-tile-overview.md", Pipe: sem.PipeV,
		Doc:     "Holds vector instructions that use no values from outside but the captures, which are the arguments of its body.",
		Ins:     Args{Many("captures", ir.Any)},
		Regions: BodyRegion,
		Traits:  ir.NoTerminator | ir.IsolatedFromAbove,
		Sem:     sem.Scope{Kind: sem.VectorFunction},
		Rules:   []Rule{OutsideScope()},
		Syntax:  ir.AsmWith("`(` $captures `)` custom<body>($body) attr-dict functional-type", map[string]ir.Hook{"body": labelledBody}),
		Verify: func(op *ir.Op, v *ir.Verifier) {
			vectorFunctions(op, v)
			b := op.Region(0).Entry()
			if b == nil {
				v.Errorf(op, "requires a body")
				return
			}
			if len(b.Args()) != op.NumOperands() {
				v.Errorf(op, "captures %d values, but its body has %d arguments", op.NumOperands(), len(b.Args()))
				return
			}
			for i, a := range b.Args() {
				if t := op.Operand(i).Type(); a.Type() != t {
					v.Errorf(op, "captures a value of type %s as argument #%d, but that argument has type %s", t, i, a.Type())
				}
			}
		},
		Examples: []string{"pto.strict_vecscope(%p) { ^bb0(%q: !pto.ptr<f32, ub>): } : (!pto.ptr<f32, ub>) -> ()"},
	})
})

// labelledBody is the syntax of a region whose block is written with a label, which
// declares the arguments of the block.
var labelledBody = ir.Hook{
	ParseFn: func(p *ir.Parser, st *ir.OpParse) { st.Region(p, nil) },
	PrintFn: func(w *ir.Printer, op *ir.Op) { w.Region(op, 0, true) },
}

// Definitions of the sections of a kernel that only one core type executes.
var (
	SectionCube   = section("section.cube", sem.CubeSection, "Holds what the cube core alone executes.")
	SectionVector = section("section.vector", sem.VectorSection, "Holds what the vector cores alone execute.")
)

// section declares the instruction pto.NAME, which marks a section of a kernel. The
// section is a region of the instruction. Only cores of one type execute it, and the
// parameter kind determines this type.
func section(name string, kind sem.ScopeKind, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return PlainOp(Op{
			Name: name, Doc: doc, Group: "other", Family: "region", Page: Manual, Pipe: sem.NoPipe,
			Regions:  BodyRegion,
			Traits:   ir.NoTerminator,
			Sem:      sem.Scope{Kind: kind},
			Rules:    []Rule{OutsideScope()},
			Syntax:   ir.Asm("$body attr-dict"),
			Verify:   func(op *ir.Op, v *ir.Verifier) { onOwnCore(op, kind.Unit(), v) },
			Examples: []string{"pto." + name + " { }"},
		})
	})
}

// onOwnCore reports tile instructions in a section that the cores of the section, own,
// cannot execute: their pipe belongs to the other type of core. It does not check other
// instructions, of which public programs have some in the section of the other type.
func onOwnCore(section *ir.Op, own sem.Unit, v *ir.Verifier) {
	for op := range section.Walk() {
		if executes(own, op, v.Target) {
			continue
		}
		other := "cube core"
		if own == sem.CubeUnit {
			other = "vector core"
		}
		v.Errorf(op, "on target %s: executes on a %s (%s), but is in '%s'", sem.ProfileName(v.Target), other, PipeFor(op, v.Target), section.Name()).
			Note(section.Loc(), "the section begins here; move the instruction out of it")
	}
}

// executes reports whether cores of type own can execute op, as far as onOwnCore checks it.
func executes(own sem.Unit, op *ir.Op, target ir.Target) bool {
	if info := InfoOf(op.Def()); info == nil || info.Group != "tile" {
		return true
	}
	pipe := PipeFor(op, target)
	return pipe == sem.PipeMTE3 || pipe.Unit(target)&own != 0
}

// OnOwnCore reports whether the cores of the section around op, if there is one, can execute
// op.
func OnOwnCore(op *ir.Op, target ir.Target) bool {
	for _, d := range []*ir.Def{SectionCube, SectionVector} {
		if section := op.ParentOf(d); section != nil && !executes(d.Sem.(sem.Scope).Kind.Unit(), op, target) {
			return false
		}
	}
	return true
}

// FusionRegion is pto.fusion_region. It marks tile instructions that a pass should fuse,
// and returns the values of the pto.yield at its end.
var FusionRegion = Define("fusion_region", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "other", Family: "region", Page: PtoODS, Pipe: sem.NoPipe,
		Doc:      "Holds tile instructions to be fused, and returns the values that pto.yield names at its end.",
		Outs:     Args{Many("outputs", ir.Any)},
		Regions:  BodyRegion,
		Sem:      sem.Scope{Kind: sem.FusionRegion},
		Syntax:   ir.Asm("$body attr-dict `:` type($outputs)"),
		Verify:   verifyFusion,
		Examples: []string{"%r = pto.fusion_region { %b = pto.get_block_idx pto.yield(%b) : (i64) -> () } : i64"},
	})
})

// verifyFusion reports an error if the values that a fusion region yields do not match
// its results.
func verifyFusion(op *ir.Op, v *ir.Verifier) {
	noArguments(op, v)
	b := op.Region(0).Entry()
	if b == nil {
		return
	}
	y := b.Terminator()
	if y == nil || y.Def().Sem != any(sem.ScopeYield{}) {
		v.Errorf(op, "must end with 'pto.yield'")
		return
	}
	if y.NumOperands() != op.NumResults() {
		v.Errorf(y, "yields %d values, but 'pto.fusion_region' has %d results", y.NumOperands(), op.NumResults())
		return
	}
	for i, o := range y.Operands() {
		if t := op.Result(i).Type(); o.Type() != t {
			v.Errorf(y, "yields a value of type %s as result #%d, but this result has type %s", o.Type(), i, t)
		}
	}
}

// Yield is pto.yield, which ends a fusion region and provides its results.
var Yield = Define("yield", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "other", Family: "region", Page: PtoODS, Pipe: sem.NoPipe,
		Doc:      "Ends a fusion region and returns its results.",
		Ins:      Args{Many("values", ir.Any)},
		Traits:   ir.Terminator,
		Sem:      sem.ScopeYield{},
		Examples: []string{"pto.yield(%x) : (i32) -> ()"},
		Syntax:   ir.Asm("`(` $values `)` attr-dict functional-type"),
		Verify: func(op *ir.Op, v *ir.Verifier) {
			if p := op.Parent(); p == nil || !p.Is(FusionRegion) {
				v.Errorf(op, "must be inside a 'pto.fusion_region'")
			}
		},
	})
})
