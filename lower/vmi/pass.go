// This file lists the passes on VMI instructions.

package vmi

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// Passes lists the passes of this package in an order in which they can run.
var Passes = []*passes.Pass{
	CheckSurface,
	NormalizeSigns,
	ToTyped,
	Combine,
	LegalizeSelect,
	MaskWidths,
	RepeatWeak,
	Assign,
	Fold,
	Repeat,
	Sink,
	CheckLayouts,
	ToVector,
	CombineReductions,
}

// Lowering lists the passes that lower VMI instructions to vector instructions, in order.
// They leave programs without VMI instructions unchanged.
var Lowering = []*passes.Pass{
	NormalizeSigns, LegalizeSelect, ToTyped, Combine, MaskWidths, RepeatWeak, Assign, Fold, Repeat, Sink, ToVector,
}

// ToVector is the pass vmi-to-vpto. It replaces VMI instructions by vector instructions
// on registers.
var ToVector = &passes.Pass{
	Name:   "vmi-to-vpto",
	Title:  "VMIToVPTO",
	Doc:    "Lowers VMI instructions to vector instructions on registers (a5 only). All VMI values must have layouts, which vmi-layout-assignment assigns.",
	Anchor: "builtin.module",
	Stats:  []passes.Stat{{Name: "num-lowered", Doc: "VMI instructions replaced by vector instructions"}},
	Run:    toVector,
}

// toVector runs the pass vmi-to-vpto on a module. The pass replaces VMI instructions by
// instructions on vector registers.
func toVector(c *passes.Context, module *ir.Op) error {
	if err := checkTable(); err != nil {
		return err
	}
	if hidesTypes(c, module) {
		return passes.ErrReported
	}
	lowerers := []*lowerer{}
	for _, f := range fn.Functions(module) {
		l := &lowerer{c: c, f: f, target: sem.A5, parts: map[*ir.Value][]*ir.Value{}, refused: map[*ir.Value]bool{}}
		if !l.ready() {
			return passes.ErrReported
		}
		lowerers = append(lowerers, l)
	}
	failed := false
	for _, l := range lowerers {
		failed = !l.function() || failed
	}
	if failed {
		return passes.ErrReported
	}
	return nil
}
