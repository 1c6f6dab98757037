// This file defines the standard custom syntaxes of operations: results last, lists,
// and destination-passing (ins and outs).

package ir

import "slices"

// This file defines syntaxes that follow from the list of operands alone. Most
// operations use one of them and need no format string.

// SSASyntax returns the syntax: name operands {attrs} : (types) -> types.
func SSASyntax() Syntax { return Asm("operands attr-dict signature") }

// ListSyntax returns the syntax: name operands {attrs} : types -> types.
func ListSyntax() Syntax { return Asm("operands attr-dict types") }

// DPSSyntax returns the syntax of destination-passing forms: name ins(operands :
// types) outs(operands : types) {attrs}. Operands with the role Out or InOut are in
// outs, all others in ins. The parser also accepts the attributes inside ins.
func DPSSyntax() Syntax { return &dpsSyntax{} }

// DPSLists is DPSSyntax with explicit names of the operands in ins and outs. It is
// for operations that have a scratch buffer among their destinations.
func DPSLists(ins, outs []string) Syntax { return &dpsSyntax{ins, outs} }

// dpsSyntax is a placeholder. compileForm replaces it by a format when the operands
// of the form are known.
type dpsSyntax struct{ ins, outs []string }

// Parse panics: compileForm replaces a dpsSyntax before any text is read.
func (*dpsSyntax) Parse(*Parser, *OpParse) { panic("BUG: form is not registered") }

// Print panics for the same reason as Parse.
func (*dpsSyntax) Print(*Printer, *Op) { panic("BUG: form is not registered") }

// lists returns the numbers of the operands in ins and of those in outs.
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

// argNumbers returns the numbers of the operands with the given names. It panics on
// an unknown name, which is an error in a dialect.
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

// allArgs returns the numbers of all operands: 0, 1, 2, ...
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
	if len(ins) > 0 {
		f.elems = append(f.elems,
			literal("ins"), literal("("), operandList{ins}, attrDict{f: f, silent: true},
			colonTypes{operandTypes{ins}}, literal(")"))
	}
	f.elems = append(f.elems, literal("outs"), literal("("))
	if len(outs) > 0 {
		f.elems = append(f.elems, operandList{outs}, colonTypes{operandTypes{outs}})
	}
	f.elems = append(f.elems, literal(")"), attrDict{f: f})
	for _, r := range form.Results {
		c := &compiler{def: d, form: form, f: f, toks: formatTokens("(`->` type($" + r.Name + ")^)?")}
		f.elems = append(f.elems, c.seq("")...)
	}
	return f
}

// colonTypes is ": T, U". The text may leave it out if the values determine the
// types.
type colonTypes struct{ operandTypes }

// parse reads the types if there is a colon. Without one, the values determine the types.
func (e colonTypes) parse(p *Parser, st *OpParse) {
	if p.Accept(":") {
		e.operandTypes.parse(p, st)
	}
}

// print always writes the colon and the types.
func (e colonTypes) print(w *Printer, op *Op) {
	w.Token(":")
	e.operandTypes.print(w, op)
}

// twinOf returns the first form of d if f is another form with the same operands
// and neither has results. Otherwise it returns nil.
func twinOf(d *Def, f *Form) *Form {
	first := d.Forms[0]
	same := func(a, b Arg) bool { return a.Name == b.Name && a.Arity == b.Arity && a.Role == b.Role }
	if f == first || len(first.Results)+len(f.Results) > 0 || !slices.EqualFunc(first.Operands, f.Operands, same) {
		return nil
	}
	return first
}

// compileForm compiles the syntax of a form and computes its derived fields. Def
// calls it once, under a lock.
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
