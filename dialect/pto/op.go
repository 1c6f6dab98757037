// This file defines Op, the description from which an instruction is defined.

package pto

import (
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Args is the list of operands or results in the description of an instruction.
type Args []ir.Arg

// Op describes an instruction completely. The functions TileOp, VectorOp and PlainOp
// build a definition (ir.Def) from it and add the syntax and rules that all instructions
// of a family share. InfoOf returns the Op of a definition.
type Op struct {
	// Name is the name without "pto.".
	Name string
	// Aliases are other accepted names, without "pto.".
	Aliases []string
	// Old are deprecated names, for which the parser warns.
	Old []string
	// Doc is one sentence that describes what the instruction does.
	Doc string
	// Page is the public page that specifies the instruction.
	Page string
	// Group is the group in the documentation: tile, vector, dma, ...
	Group string
	// Family is the chapter of the public manual that contains the instruction.
	Family string

	// Ins are the inputs, including scratch operands, which have Role Scratch.
	Ins   Args
	Outs  Args
	Attrs []ir.AttrDef
	Sem   ir.Meaning
	// On are the targets that have the instruction; 0 means all.
	On sem.Profiles
	// Pipe is the hardware queue that executes the instruction.
	Pipe sem.Pipe
	// PipeOf, if set, returns the pipe of an operation for which it depends on operands
	// or on the target.
	PipeOf func(op *ir.Op, t ir.Target) sem.Pipe
	// Rules are conditions that relate operands to each other.
	Rules []Rule
	// Strict marks elementwise instructions whose page requires equal valid regions at
	// run time. Other instructions read as many elements of their sources as dst has,
	// regardless of the valid regions of the sources.
	Strict bool
	// Access lists the operands that are pointers through which the instruction reads or
	// writes memory. Tiles need no entry, because their role (input or destination)
	// determines the access.
	Access []Access
	// Scratch are the targets on which the instruction uses its scratch operands; 0 means
	// A2 and A3. Other targets ignore the operands.
	Scratch sem.Profiles
	// ScratchTile returns the scratch tile that the instruction needs for intermediate
	// values. A pass adds it if the program omits it. OwnScratch means that the
	// instruction has internal memory instead.
	ScratchTile ScratchTile
	OwnScratch  bool
	// Clobbers returns the names of source operands that op overwrites in addition to its
	// destinations.
	Clobbers func(op *ir.Op) []string
	// Disjoint returns the names of tiles that must not share a byte, because op writes
	// one of them while it still reads or writes another.
	Disjoint func(op *ir.Op) []string
	// Error returns the documented error of op on target t for elements of format f, in
	// units in the last place, if the device computes an approximation that is worse than
	// that of the function of op. It returns 0 otherwise, and nil stands for such a function.
	Error func(op *ir.Op, t ir.Target, f num.Format) int
	// Notes describe which source this project follows where public sources disagree.
	Notes []string
	// Cycles are the published durations of the instruction; Timed sets them.
	Cycles []Latency
	// Issue describes how the vector unit of A5 issues the instruction; Issued sets it.
	Issue Issue
	// Cpp describes the call of the C++ library if it differs from the usual call.
	Cpp Cpp

	// Syntax is the syntax of the instruction if it differs from that of its family.
	Syntax ir.Syntax
	// SSA and DPS are the syntax at Level 1 (values) and at Level 2 (buffers), if it
	// differs from that of other tile instructions.
	SSA, DPS ir.Syntax
	// Order lists the names of the Level 2 operands in the public order, if it is not Ins
	// followed by Outs. MLIR's generic syntax shows this order.
	Order []string
	// Tensor permits the Level 2 syntax to also return the written destination as a
	// tensor.
	Tensor   bool
	Traits   ir.Trait
	Regions  []ir.RegionDef
	Verify   func(op *ir.Op, v *ir.Verifier)
	Fold     func(op *ir.Op, in []ir.Attr) []ir.FoldResult
	Examples []string
}

// def returns an ir.Def that is built from o and refers to o. The definition has no
// syntax yet; the caller adds it.
func (o *Op) def() *ir.Def {
	if o.On == 0 {
		o.On = sem.OnAll
	}
	if o.Scratch == 0 {
		o.Scratch = sem.OnA2A3
	}
	d := &ir.Def{
		Name: "pto." + o.Name, Aliases: prefixed(o.Aliases), Old: prefixed(o.Old), Summary: o.Doc, Page: o.Page, Examples: o.Examples,
		Attrs: o.Attrs, Regions: o.Regions, Traits: o.Traits,
		Fold: o.Fold, Sem: o.Sem, Info: o,
	}
	d.Exists = o.On.Has
	d.Place = func(op *ir.Op, v *ir.Verifier) {
		for _, r := range o.Rules {
			if isPlaceRule(r) {
				r.Verify(op, v)
			}
		}
	}
	d.Verify = func(op *ir.Op, v *ir.Verifier) {
		for _, r := range o.Rules {
			if !isPlaceRule(r) {
				r.Verify(op, v)
			}
		}
		if o.Verify != nil {
			o.Verify(op, v)
		}
		misspelt(op, v)
	}
	return d
}

// prefixed returns the names with the prefix "pto.".
func prefixed(names []string) []string {
	var full []string
	for _, n := range names {
		full = append(full, "pto."+n)
	}
	return full
}

// misspelt warns about attributes of op that its definition does not declare, if their
// names are similar to the name of a declared attribute.
func misspelt(op *ir.Op, v *ir.Verifier) {
	for _, a := range op.ExtraAttrs() {
		var names []string
		for _, d := range op.Def().Attrs {
			names = append(names, d.Name)
		}
		if !strings.Contains(a.Name, ".") && ir.Nearest(a.Name, names) != "" {
			v.Warnf(op, "has the attribute \"%s\", which this operation ignores", a.Name).Suggest(op.Loc(), a.Name, names...)
		}
	}
}

// InfoOf returns the Op from which definition d was built, or nil if d belongs to another
// dialect.
func InfoOf(d *ir.Def) *Op {
	info, _ := d.Info.(*Op)
	return info
}
