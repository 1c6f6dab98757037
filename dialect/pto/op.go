// This file defines Op, the description from which an instruction is defined.

package pto

import (
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Args is a list of operands or results.
type Args []ir.Arg

// Op describes an instruction: everything that the dialect knows about it. The
// family functions TileOp, VectorOp and PlainOp make an ir.Def of it, to which they
// add the forms and rules that all instructions of the family share. The definition
// keeps the Op: InfoOf returns it.
type Op struct {
	Name string // without "pto."
	// Aliases are other names that texts may use, without "pto."
	Aliases []string
	Old     []string // names that it once had
	Doc     string   // one sentence: what it does
	Page    string   // the page that defines it
	Group   string   // tile, vector, dma, ...
	Family  string   // the chapter of the manual

	Ins   Args // what is read; scratch operands have Role Scratch
	Outs  Args
	Attrs []ir.AttrDef
	Sem   ir.Meaning
	On    sem.Profiles // where it exists; 0 means everywhere
	Pipe  sem.Pipe     // the pipe that executes it
	// PipeOf overrides Pipe where the pipe depends on operands or target.
	PipeOf func(op *ir.Op, t ir.Target) sem.Pipe
	Rules  []Rule // relate operands to each other
	// Strict is for elementwise instructions whose page asks that valid regions
	// be equal at run time; those of others are read as far as dst reaches.
	Strict bool
	// Access lists the memory that it reads and writes through pointers. Tiles
	// need no entry: their role says it.
	Access []Access
	// Scratch lists the profiles that work in the scratch operands; 0 means A2/A3.
	// The others leave them alone.
	Scratch sem.Profiles
	// ScratchTile is the scratch tile it works in, which a pass supplies where the
	// text leaves it out. With OwnScratch it has memory of its own instead.
	ScratchTile ScratchTile
	OwnScratch  bool
	// Clobbers names sources that op writes too.
	Clobbers func(op *ir.Op) []string
	// Disjoint names tiles of op that must not share a byte, because it writes
	// some while it still reads others, or several of them.
	Disjoint func(op *ir.Op) []string
	Notes    []string  // choices where the public sources differ
	Cycles   []Latency // those that public pages give; Timed adds them
	Issue    Issue     // how the vector unit of A5 takes it; Issued adds it
	Cpp      Cpp       // where the C++ library departs from its rule

	Syntax   ir.Syntax // where the family's text does not fit
	SSA, DPS ir.Syntax // the same for one level of a tile instruction
	// Order is the order of the Level-2 operands where it is not Ins, Outs: the
	// public order, which shows in the generic form.
	Order []string
	// Tensor says that Level 2 may give the written destination as a tensor, too.
	Tensor   bool
	Traits   ir.Trait
	Regions  []ir.RegionDef
	Verify   func(op *ir.Op, v *ir.Verifier)
	Fold     func(op *ir.Op, in []ir.Attr) []ir.FoldResult
	Examples []string
}

// def returns the definition, without forms. It keeps o.
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

func prefixed(names []string) []string {
	var full []string
	for _, n := range names {
		full = append(full, "pto."+n)
	}
	return full
}

// misspelt warns of attributes that mean nothing to an instruction, but are
// almost named like one that does.
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

// InfoOf returns the Op that a definition was made from, or nil for a definition of
// another dialect.
func InfoOf(d *ir.Def) *Op {
	info, _ := d.Info.(*Op)
	return info
}
