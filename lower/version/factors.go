// This file selects the names of instructions with factors.

package version

import (
	"sync"

	"ptogo/dialect/pto/history"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/ir"
)

// factored are instructions that have not had the operand fp in all versions. Old versions
// have the second definition instead if the operand is present. tstore_fp is read as
// tstore; the ISA manual has the other two, so that they are instructions of their own.
var factored = sync.OnceValue(func() [][2]*ir.Def {
	return [][2]*ir.Def{
		{isatile.TExtract, isatile.TExtractFp},
		{isatile.TInsert, isatile.TInsertFp},
		{isatile.TStore, onlyWritten(isatile.TStore, "pto.tstore_fp")},
	}
})

// onlyWritten returns a definition that exists only to be printed: d under another name,
// with the operands src, fp and dst.
func onlyWritten(d *ir.Def, name string) *ir.Def {
	form := &ir.Form{Level: ir.DPS, Lead: "ins", Syntax: ir.DPSSyntax()}
	for _, arg := range []string{"src", "fp", "dst"} {
		for _, a := range d.Made().Form(ir.DPS).Operands {
			if a.Name == arg {
				a.Arity = ir.One
				form.Operands = append(form.Operands, a)
			}
		}
	}
	return &ir.Def{Name: name, Forms: []*ir.Form{form}, Attrs: d.Attrs, Traits: d.Traits, Sem: d.Sem, Info: d.Info}
}

// factorTwin returns the definition that version v has instead of that of op, an
// instruction with factors, or nil. The result is also nil if the definition lacks an
// attribute of op.
func factorTwin(op *ir.Op, v history.Version) *ir.Def {
	if op.Arg("fp") == nil {
		return nil
	}
	for _, t := range factored() {
		today, before := t[0], t[1]
		span, _ := history.Lookup(history.Arg(today.Made().Name, "fp"))
		switch {
		case op.Is(before) && span.Has(v):
			return today
		case op.Is(today) && !span.Has(v) && hasAttrs(op, before.Made().Name, v):
			return before
		}
	}
	return nil
}

// hasAttrs reports whether version v has all attributes of op, except those with their
// default value, for the instruction with the given name.
func hasAttrs(op *ir.Op, name string, v history.Version) bool {
	for a := range op.OwnAttrs() {
		span, known := history.Lookup(history.Arg(name, a.Name))
		if a.Attr != op.Def().Attr(a.Name).Default && !(known && span.Has(v)) {
			return false
		}
	}
	return true
}
