// This file accepts outdated forms of unaligned accesses.

package vector

import (
	"fmt"

	"ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Unaligned loads once had an offset: vldas %p[%i] is vldas of addptr %p, %i.

// alignSource parses the source operand of an unaligned load, including a deprecated
// form with an offset.
var alignSource = map[string]ir.Hook{"source": {
	ParseFn: func(p *ir.Parser, st *ir.OpParse) {
		source := p.Operand()
		if off := p.Offset(); p.Accept("[") {
			source = movedOperand(p, st, source, p.Operand(), off)
			p.Expect("]")
		}
		st.Operand("source", source)
	},
	PrintFn: func(w *ir.Printer, op *ir.Op) { w.Values(op.Arg("source")) },
}}

// movedOperand supports a deprecated syntax, in which an instruction has an offset
// operand. The current instruction only has an address. movedOperand inserts the
// computation of this address: the operand source plus offset elements. It returns the
// address as an operand. The parameter off is the byte position of the offset in the
// text.
func movedOperand(p *ir.Parser, st *ir.OpParse, source, offset ir.Operand, off int) ir.Operand {
	from, by := p.Resolve(source, ir.Type{}), p.Resolve(offset, ir.Index)
	if p.Failed() {
		return source
	}
	name := st.Def.Name
	p.Old(off, name+" %p[%i]", name+" %q, with %q = pto.addptr %p, %i")
	moved := ir.New(ir.State{Def: base.AddPtr, Loc: p.LocAt(st.Off), Operands: []*ir.Value{from, by}, Results: []ir.Type{from.Type()}})
	p.Before(moved)
	at := ir.Operand{Name: fmt.Sprintf("%%moved.%d", off), Off: off} // there is one at each offset of the text
	p.Define(at.Name, off, moved.Result(0))
	return at
}

// RenewLoads updates unaligned loads without increment in old programs. In the old
// syntax, such a load has a third result, but no operation uses it. RenewLoads replaces
// the load by one with two results.
func RenewLoads(module *ir.Op) {
	var old []*ir.Op
	for op := range module.Walk() {
		_, load := op.Def().Sem.(sem.AlignLoad)
		if !load || op.NumOperands() != 2 || op.NumResults() != 3 || op.Result(2).HasUses() {
			continue
		}
		if moved := op.Operand(0).Op(); moved != nil && moved.Def() == base.AddPtr && moved.Loc() == op.Loc() {
			old = append(old, op)
		}
	}
	for _, op := range old {
		today := ir.New(ir.State{
			Def: op.Def(), Loc: op.Loc(), Operands: op.Operands(),
			Results: []ir.Type{op.Result(0).Type(), op.Result(1).Type()}, Attrs: op.ExtraAttrs(),
		})
		op.Block().InsertBefore(today, op)
		for i := range today.NumResults() {
			op.Result(i).ReplaceAllUses(today.Result(i))
		}
		op.Erase()
	}
}
