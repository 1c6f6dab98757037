// This file defines Op, the description from which an instruction is defined.

package pto

import (
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Args is a list of operands or results.
type Args []ir.Arg

// Op describes an instruction completely. The functions TileOp, VectorOp and PlainOp
// build an ir.Def from it and add the forms and rules that the instructions of a family
// share. The definition refers to its Op: InfoOf returns it.
type Op struct {
	// Name is the name without "pto.".
	Name string
	// Aliases are other accepted names, without "pto.".
	Aliases []string
	// Old are deprecated names, for which the parser warns.
	Old []string
	// Doc is one sentence that describes what the instruction does.
	Doc string
	// Page is the public page that defines it.
	Page string
	// Group is the group in the documentation: tile, vector, dma, ...
	Group string
	// Family is the chapter of the manual.
	Family string

	// Ins are the inputs, including scratch operands, which have Role Scratch.
	Ins   Args
	Outs  Args
	Attrs []ir.AttrDef
	Sem   ir.Meaning
	// On are the profiles that have the instruction; 0 means all.
	On sem.Profiles
	// Pipe is the pipe that executes it.
	Pipe sem.Pipe
	// PipeOf overrides Pipe if the pipe depends on operands or on the target.
	PipeOf func(op *ir.Op, t ir.Target) sem.Pipe
	// Rules are conditions that relate operands to each other.
	Rules []Rule
	// Strict marks elementwise instructions whose page requires equal valid regions at
	// run time. Others read as many elements of their sources as dst has.
	Strict bool
	// Access lists the memory that the instruction reads and writes through pointers.
	// Tiles need no entry, because their role determines the access.
	Access []Access
	// Scratch are the profiles that use the scratch operands; 0 means A2/A3. The others
	// ignore them.
	Scratch sem.Profiles
	// ScratchTile returns the scratch tile that the instruction needs. A pass adds it if
	// the program omits it. If OwnScratch is set, the instruction has internal memory
	// instead.
	ScratchTile ScratchTile
	OwnScratch  bool
	// Clobbers returns the names of sources that op also writes.
	Clobbers func(op *ir.Op) []string
	// Disjoint returns the names of tiles of op that must not share a byte, because op
	// writes one while it still reads or writes another.
	Disjoint func(op *ir.Op) []string
	// Notes describe decisions where public sources differ.
	Notes []string
	// Cycles are the published durations; Timed adds them.
	Cycles []Latency
	// Issue describes execution on the vector unit of A5; Issued adds it.
	Issue Issue
	// Cpp describes the C++ form if it differs from the usual call.
	Cpp Cpp

	// Syntax is the text form if it differs from that of the family.
	Syntax ir.Syntax
	// SSA and DPS are the same for one level of a tile instruction.
	SSA, DPS ir.Syntax
	// Order is the order of the Level 2 operands if it is not Ins, Outs. It is the public
	// order, which is visible in the generic form.
	Order []string
	// Tensor permits Level 2 to return the written destination as a tensor, too.
	Tensor   bool
	Traits   ir.Trait
	Regions  []ir.RegionDef
	Verify   func(op *ir.Op, v *ir.Verifier)
	Fold     func(op *ir.Op, in []ir.Attr) []ir.FoldResult
	Examples []string
}

// def returns a definition without forms that refers to o.
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

// prefixed returns names with the prefix "pto.".
func prefixed(names []string) []string {
	var full []string
	for _, n := range names {
		full = append(full, "pto."+n)
	}
	return full
}

// misspelt warns about unknown attributes whose names are similar to a known one.
func misspelt(op *ir.Op, v *ir.Verifier) {
	for _, a := range op.ExtraAttrs() {
		var names []string
		for _, d := range op.Def().Attrs {
			names = append(names, d.Name)
		}
		if !strings.Contains(a.Name, ".") && ir.Nearest(a.Name, names) != "" {
			v.Warnf(op, "has attribute \"%s\", which this operation ignores", a.Name).Suggest(op.Loc(), a.Name, names...)
		}
	}
}

// InfoOf returns the Op from which a definition was built, or nil for a definition of
// another dialect.
func InfoOf(d *ir.Def) *Op {
	info, _ := d.Info.(*Op)
	return info
}
