// This file defines the standard custom syntaxes of operations: results last, lists,
// and destination-passing (ins and outs).

package ir

import "slices"

// This file defines syntaxes that follow from the list of operands alone. Most
// operations use one of them and need no format string.

// SSASyntax returns the custom syntax of operations whose operands and results are SSA
// values: name operands {attrs} : (types) -> types.
func SSASyntax() Syntax { return Asm("operands attr-dict signature") }

// ListSyntax returns the custom syntax in which the operand types are listed without
// parentheses: name operands {attrs} : types -> types.
func ListSyntax() Syntax { return Asm("operands attr-dict types") }

// DPSSyntax returns the syntax of destination-passing forms: name ins(operands :
// types) outs(operands : types) {attrs}. Operands with the role Out or InOut are in
// outs, all others in ins. The parser also accepts the attributes inside ins.
func DPSSyntax() Syntax { return &dpsSyntax{} }

// DPSLists returns the same syntax as DPSSyntax, except that the parameters ins and outs
// name the operands that are written in ins(...) and in outs(...). It is for operations
// whose text lists a scratch buffer in outs(...).
func DPSLists(ins, outs []string) Syntax { return &dpsSyntax{ins: ins, outs: outs} }

// DPSInside returns the same syntax as DPSSyntax, except that the attributes of an
// operation are written before the types in ins(...) if the function inside returns true.
// The public assembler reads the attributes of some operations only there.
func DPSInside(inside func(op *Op) bool) Syntax { return &dpsSyntax{inside: inside} }

// dpsSyntax records that a form has the destination-passing syntax. The fields ins and
// outs hold the operand names that DPSLists received, or are nil. The field inside holds
// the function that DPSInside received, or is nil. When the operands of the form are
// known, compileForm replaces the dpsSyntax by a compiled format.
type dpsSyntax struct {
	ins, outs []string
	inside    func(op *Op) bool
}

// Parse always panics: compileForm replaces every dpsSyntax before the first text is
// parsed.
func (*dpsSyntax) Parse(*Parser, *OpParse) { panic("BUG: form is not registered") }

// Print is never called, because compileForm replaces every dpsSyntax before the first
// operation is printed. It panics.
func (*dpsSyntax) Print(*Printer, *Op) { panic("BUG: form is not registered") }

// lists returns the indices of the operands that are written in ins(...) and of those in
// outs(...).
func (s *dpsSyntax) lists(form *Form) (ins, outs []int) {
	if s.ins != nil || s.outs != nil {
		return form.argNumbers(s.ins), form.argNumbers(s.outs)
	}
	for i, a := range form.Operands {
		if a.Role == Out || a.Role == InOut {
			outs = append(outs, i)
		} else {
			ins = append(ins, i)
		}
	}
	return ins, outs
}

// argNumbers returns the indices of the operands with the given names. It panics on an
// unknown name, which is an error in the Go code of a dialect.
func (f *Form) argNumbers(names []string) []int {
	var args []int
	for _, name := range names {
		i := slices.IndexFunc(f.Operands, func(a Arg) bool { return a.Name == name })
		if i < 0 {
			panic("BUG: form has no operand " + name)
		}
		args = append(args, i)
	}
	return args
}

// allArgs returns the indices of all operands: 0, 1, 2, ... The slice is cached and
// shared.
func (f *Form) allArgs() []int {
	if len(f.all) != len(f.Operands) {
		f.all = make([]int, len(f.Operands))
		for i := range f.all {
			f.all[i] = i
		}
	}
	return f.all
}

// format returns the compiled format of a destination-passing form.
func (s *dpsSyntax) format(d *Def, form *Form) *asmFormat {
	ins, outs := s.lists(form)
	f := &asmFormat{inline: map[string]bool{}}
	inside := s.inside
	if inside == nil {
		inside = func(*Op) bool { return false }
	}
	if len(ins) > 0 {
		f.elems = append(f.elems,
			literal("ins"), literal("("), operandList{ins}, attrDict{f: f, written: inside},
			colonTypes{operandTypes{ins}}, literal(")"))
	}
	f.elems = append(f.elems, literal("outs"), literal("("))
	if len(outs) > 0 {
		f.elems = append(f.elems, operandList{outs}, colonTypes{operandTypes{outs}})
	}
	f.elems = append(f.elems, literal(")"), attrDict{f: f, written: func(op *Op) bool { return !inside(op) }})
	for _, r := range form.Results {
		c := &compiler{def: d, form: form, f: f, toks: formatTokens("(`->` type($" + r.Name + ")^)?")}
		f.elems = append(f.elems, c.seq("")...)
	}
	return f
}

// colonTypes is the element ": T, U" of a format: a colon and the operand types. The
// program may omit it if the operand values determine the types.
type colonTypes struct{ operandTypes }

// parse reads the operand types after a colon. If the next token is not a colon, it reads
// nothing: the types of the operands are then those of their values.
func (e colonTypes) parse(p *Parser, st *OpParse) {
	if p.Accept(":") {
		e.operandTypes.parse(p, st)
	}
}

// print always writes the colon and the types, even where the parser does not require
// them.
func (e colonTypes) print(w *Printer, op *Op) {
	w.Token(":")
	e.operandTypes.print(w, op)
}

// twinOf returns the first form of d if the parser can confuse it with the form f. Both
// forms then have the same operands and no results, and the parser distinguishes them
// only by their operand types. In every other case twinOf returns nil.
func twinOf(d *Def, f *Form) *Form {
	first := d.Forms[0]
	same := func(a, b Arg) bool { return a.Name == b.Name && a.Arity == b.Arity && a.Role == b.Role }
	if f == first || len(first.Results)+len(f.Results) > 0 || !slices.EqualFunc(first.Operands, f.Operands, same) {
		return nil
	}
	return first
}

// compileForm compiles the syntax of form f of d and computes the derived fields of f. It
// is called once per form, under the lock of the definition.
func compileForm(d *Def, f *Form) {
	for _, args := range [][]Arg{f.Operands, f.Results} {
		for i := range args {
			if b, ok := args[i].Type.(TypeBody); ok {
				f.typeBody = func(p *Parser) Type { return b.ParseTypeBody(p, f.Level) }
			}
		}
	}
	f.single = variable(f.Operands)+variable(f.Results) == 0
	f.twin = twinOf(d, f)
	f.allArgs() // computed now, since parsers share the form
	switch s := f.Syntax.(type) {
	case *asmFormat:
		if s.elems == nil {
			s.compile(d, f)
		}
	case *dpsSyntax:
		f.Syntax = s.format(d, f)
	}
}
