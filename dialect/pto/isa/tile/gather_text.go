// This file implements the syntax of gathers and scatters.

package tile

import (
	. "ptogo/dialect/pto"
	"ptogo/ir"
)

// patternSyntax is the Level 2 syntax of instructions that have two variants. One variant
// has a pattern, an attribute that is written among the operands. The other has optional
// operands instead:
//
//	ins(%src, {maskPattern = #pto.mask_pattern<P0101>} : T, "row") outs(%dst : T)
//	ins(%src, %indices, %tmp : T, U, U) outs(%dst : T)
//
// The parameters value, index and tmp are the names of the optional operands. The parser
// distinguishes a value from an index by its type.
func patternSyntax(value, index, tmp string) ir.Syntax {
	s := patternText{value, index, tmp}
	return ir.Hook{ParseFn: s.parse, PrintFn: s.print}
}

// patternText parses and prints the syntax that patternSyntax returns. Its fields are the
// names of the optional operands of the instruction.
type patternText struct{ value, index, tmp string }

// parse parses the text of an instruction that has either optional operands or a pattern.
// The text contains the operand src, then the optional operands or the pattern, and then
// the destinations. The comment of patternSyntax shows the syntax.
func (s patternText) parse(p *ir.Parser, st *ir.OpParse) {
	p.Expect("ins")
	p.Expect("(")
	st.Operand("src", p.Operand())
	switch {
	case p.Accept(",") && p.At("{"):
		st.AttrDict(p)
		p.Expect(":")
		st.OperandType("src", p.Type())
		if p.Accept(",") {
			st.Attr("axis", ir.Str(p.Quoted()))
		}
	case p.AtOperand():
		s.operands(p, st)
	default:
		st.AttrDict(p)
		if p.Accept(":") {
			st.OperandType("src", p.Type())
		}
	}
	p.Expect(")")
	p.Expect("outs")
	p.Expect("(")
	s.outs(p, st)
	p.Expect(")")
	st.AttrDict(p)
}

// operands parses the optional operands after src, and then the types of all source
// operands.
func (s patternText) operands(p *ir.Parser, st *ir.OpParse) {
	off := p.Offset()
	ops := p.Operands(nil)
	st.AttrDict(p)
	p.Expect(":")
	ts := p.Types()
	if p.Failed() {
		return
	}
	if len(ts) != len(ops)+1 {
		p.ErrorAt(off, "'%s' op has %d operands here, but %d types", st.Def.Name, len(ops)+1, len(ts))
		return
	}
	st.OperandType("src", ts[0])
	names := []string{s.index, s.tmp}
	if s.value != "" && !IsTile(ts[1]) {
		names[0] = s.value
	}
	for i, o := range ops {
		if i >= len(names) || names[i] == "" {
			p.ErrorAt(off, "'%s' op has too many operands here", st.Def.Name)
			return
		}
		st.Operand(names[i], o)
		st.OperandType(names[i], ts[i+1])
	}
}

// outs parses the list outs(...) of an instruction: one or two destinations and their
// types.
func (s patternText) outs(p *ir.Parser, st *ir.OpParse) {
	off := p.Offset()
	ops := p.Operands(nil)
	var ts []ir.Type
	if p.Accept(":") {
		ts = p.Types()
	}
	names := []string{"dst"}
	if s.value != "" {
		names = append(names, "cdst")
	}
	for i, o := range ops {
		if i >= len(names) {
			p.ErrorAt(off, "'%s' op has too many destinations", st.Def.Name)
			return
		}
		st.Operand(names[i], o)
		if i < len(ts) {
			st.OperandType(names[i], ts[i])
		}
	}
}

// print prints an instruction that has either optional operands or a mask pattern. The
// doc comment of patternSyntax shows the syntax.
func (s patternText) print(w *ir.Printer, op *ir.Op) {
	ins := s.present(op, "src", s.value, s.index, s.tmp)
	w.Token("ins")
	w.Token("(")
	w.Values(ins...)
	pattern := op.HasAttr("maskPattern") && len(ins) == 1
	if pattern {
		w.Token(",")
		w.Attr(ir.Dict(ir.NamedAttr{Name: "maskPattern", Attr: op.Attr("maskPattern")}))
	}
	w.Token(":")
	w.Types(ir.TypesOf(ins)...)
	if pattern && op.HasAttr("axis") {
		w.Token(",")
		w.Attr(op.Attr("axis"))
	}
	w.Token(")")
	outs := s.present(op, "dst", "cdst")
	w.Token("outs")
	w.Token("(")
	w.Values(outs...)
	w.Token(":")
	w.Types(ir.TypesOf(outs)...)
	w.Token(")")
	if pattern {
		w.AttrDict(op, "maskPattern", "axis")
	} else {
		w.AttrDict(op)
	}
}

// present returns those operands of op that have one of the given names. Names of
// operands that op omits are ignored.
func (patternText) present(op *ir.Op, names ...string) []*ir.Value {
	var vs []*ir.Value
	for _, name := range names {
		if name != "" {
			vs = append(vs, op.Args(name)...)
		}
	}
	return vs
}
