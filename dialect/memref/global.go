// This file defines global buffers.

package memref

import "ptogo/ir"

// Global is memref.global, a named buffer, with or without initial elements.
var Global = &ir.Def{
	Name:    "memref.global",
	Summary: "Declares or defines a buffer with a name.",
	Page:    page,
	Traits:  ir.IsSymbol,
	Attrs: []ir.AttrDef{
		{Name: "sym_name", Type: ir.AnyString},
		{Name: "sym_visibility", Type: ir.AnyString, Optional: true},
		{Name: "type", Type: ir.AttrIf("a memref type", func(a ir.Attr) bool {
			t, ok := ir.AttrAs[ir.TypeAttr](a)
			return ok && ir.Is[ir.MemRefType](t.Type)
		})},
		{Name: "initial_value", Type: ir.AnyAttr, Optional: true, Doc: "dense elements; unit for a buffer without a value"},
		{Name: "constant", Type: ir.AnyUnit, Optional: true},
		alignment,
	},
	Forms:  []*ir.Form{{Syntax: ir.Hook{ParseFn: parseGlobal, PrintFn: printGlobal}}},
	Sem:    Declare,
	Verify: verifyGlobal,
}

// parseGlobal reads ["visibility"] [constant] @name : type [= value] {attributes}.
// The value is dense elements without a type, or "uninitialized".
func parseGlobal(p *ir.Parser, st *ir.OpParse) {
	if p.AtString() {
		st.Attr("sym_visibility", ir.Str(p.Quoted()))
	}
	if p.Accept("constant") {
		st.Attr("constant", ir.Unit)
	}
	st.Attr("sym_name", ir.Str(p.SymbolName()))
	p.Expect(":")
	off := p.Offset()
	t := p.Type()
	st.Attr("type", ir.TypeAsAttr(t))
	if p.Accept("=") {
		if p.Accept("uninitialized") {
			st.Attr("initial_value", ir.Unit)
		} else {
			data, ok := tensorOf(t)
			if !ok && !p.Failed() {
				p.ErrorAt(off, "%s has no static shape, so it cannot have initial elements", t)
			}
			st.Attr("initial_value", p.Elements(data))
		}
	}
	st.AttrDict(p)
}

// printGlobal distinguishes three cases: no initial value (an external
// declaration), an uninitialized definition, and initial elements.
func printGlobal(w *ir.Printer, op *ir.Op) {
	if s, ok := op.Attr("sym_visibility").AsString(); ok {
		w.Text(s)
	}
	if op.HasAttr("constant") {
		w.Token("constant")
	}
	name, _ := op.Attr("sym_name").AsString()
	w.Symbol(name)
	w.Token(":")
	w.Type(globalType(op))
	switch init := op.Attr("initial_value"); {
	case init.IsZero():
	case init == ir.Unit:
		w.Token("=")
		w.Token("uninitialized")
	default:
		w.Token("=")
		w.Elements(init)
	}
	w.AttrDict(op, "sym_visibility", "constant", "sym_name", "type", "initial_value")
}

// globalType returns the type of the buffer of a global.
func globalType(op *ir.Op) ir.Type {
	t, _ := ir.AttrAs[ir.TypeAttr](op.Attr("type"))
	return t.Type
}

// tensorOf returns the type of the initial elements of a global: a tensor with the
// shape of the memref. It returns false if the shape is not static.
func tensorOf(t ir.Type) (ir.Type, bool) {
	m, ok := ir.As[ir.MemRefType](t)
	if !ok || m.Unranked || !m.Shape.Static() {
		return ir.Type{}, false
	}
	return ir.TypeOf(ir.TensorType{Shape: m.Shape, Elem: m.Elem}), true
}

// verifyGlobal requires a static shape, because the size of a global must be known,
// and initial elements of the same shape and element type.
func verifyGlobal(op *ir.Op, v *ir.Verifier) {
	t := globalType(op)
	data, ok := tensorOf(t)
	if !ok {
		v.Errorf(op, "must have a memref type of static shape, but has %s", t)
		return
	}
	if init := op.Attr("initial_value"); !init.IsZero() && init != ir.Unit && init.ValueType() != data {
		v.Errorf(op, "has the initial value %s, but requires an initial value of type %s", init, data)
	}
}

// GetGlobal is memref.get_global, which returns the named buffer of a memref.global in
// the same module.
var GetGlobal = &ir.Def{
	Name:    "memref.get_global",
	Summary: "Gives the buffer with a name.",
	Page:    page,
	Traits:  ir.Pure,
	Attrs:   []ir.AttrDef{{Name: "name", Type: ir.AnySymbol}},
	Forms: []*ir.Form{{
		Results: []ir.Arg{{Name: "result", Type: ir.AnyMemRef}},
		Syntax:  ir.Asm("$name `:` type($result) attr-dict"),
	}},
	Sem: Named,
	Verify: func(op *ir.Op, v *ir.Verifier) {
		g := ir.LookupSymbol(op, op.Attr("name"))
		if g == nil || !g.Is(Global) {
			v.Errorf(op, "refers to %s, which is not a memref.global of this module", op.Attr("name"))
			return
		}
		if t := globalType(g); t != op.Result(0).Type() {
			v.Errorf(op, "has result type %s, but global %s has type %s", op.Result(0).Type(), op.Attr("name"), t).Note(g.Loc(), "it is defined here")
		}
	},
}
