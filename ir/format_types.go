// This file implements types in assembly formats.

package ir

import (
	"iter"
)

// typePart is an element type($x) in a format string. At this element, the program text
// contains a list of types: the types of the operands that argument number i represents
// or, if the field result is true, the types of the results that result declaration
// number i represents.
type typePart struct {
	i      int
	result bool
	arity  Arity
}

// parse reads one type, or for a variadic argument any number, including none.
func (e typePart) parse(p *Parser, st *OpParse) {
	into := &st.types
	if e.result {
		into = &st.results
	}
	if e.arity == Variadic {
		if t := p.OptionalType(); !t.IsZero() {
			(*into)[e.i] = append((*into)[e.i], t)
			for p.Accept(",") {
				(*into)[e.i] = append((*into)[e.i], p.Type())
			}
		}
		return
	}
	(*into)[e.i] = append((*into)[e.i], p.Type())
}

// print writes the types of the values, separated by commas.
func (e typePart) print(w *Printer, op *Op) {
	if e.result {
		from, to := op.ResultRange(e.i)
		for i := from; i < to; i++ {
			w.listType(op.results[i].typ, i > from)
		}
		return
	}
	from, to := op.ArgRange(e.i)
	for i := from; i < to; i++ {
		w.listType(op.operands[i].value.typ, i > from)
	}
}

// present reports whether op has at least one value for the operand or result to which
// the element type($x) of the format refers.
func (e typePart) present(op *Op) bool {
	from, to := op.ArgRange(e.i)
	if e.result {
		from, to = op.ResultRange(e.i)
	}
	return from < to
}

// sharedType is the element type($a, $b) of a format: one type that several operands and
// results have. The printer writes the type of the first of them.
type sharedType struct{ parts []typePart }

// parse reads one type from the program text. In the format element e, this type is
// written once for several operands and results. parse assigns it to all of them.
func (e sharedType) parse(p *Parser, st *OpParse) {
	t := p.Type()
	for _, x := range e.parts {
		if x.result {
			st.results[x.i] = append(st.results[x.i], t)
			continue
		}
		for range st.operands[x.i] {
			st.types[x.i] = append(st.types[x.i], t)
		}
	}
}

// print writes the type of the first operand or result in the list. The other operands
// and results in the list have equal types, so the text contains the type only once.
func (e sharedType) print(w *Printer, op *Op) { e.parts[0].print(w, op) }

// operandList is the element of a format for the operands of several arguments, separated
// by commas. args holds the indices of the arguments in the form.
type operandList struct{ args []int }

// parse reads a list of operands. It assigns the operands to e.args, the operand names
// that the list in the format represents.
func (e operandList) parse(p *Parser, st *OpParse) { st.Operands(p, e.args) }

// print writes the operands of the arguments, separated by commas.
func (e operandList) print(w *Printer, op *Op) {
	for n, i := range argOperands(op, e.args) {
		if n > 0 {
			w.Token(",")
		}
		w.Value(op.operands[i].value)
	}
}

// argOperands yields the indices of all operands of op that belong to certain declared
// arguments of its form. An argument has a name and can consist of several operands; args
// contains the indices of the arguments. The first yielded value is a running count from
// 0, and the second is the operand index.
func argOperands(op *Op, args []int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		n := 0
		for _, a := range args {
			from, to := op.ArgRange(a)
			for i := from; i < to; i++ {
				if !yield(n, i) {
					return
				}
				n++
			}
		}
	}
}

// operandTypes is the element of a format for the types of the operands of several
// arguments. The program may omit these types if the values determine them.
type operandTypes struct{ args []int }

// parse parses a list of types and assigns the types to the operands. If the current
// token cannot start a type, parse reads nothing.
func (e operandTypes) parse(p *Parser, st *OpParse) {
	off := p.start
	if p.kind == tokIdent || p.kind == tokBang || p.kind == '(' || p.kind == '<' {
		st.Types(p, off, e.args, p.Types())
	}
}

// print writes the types of the operands, separated by commas.
func (e operandTypes) print(w *Printer, op *Op) {
	for n, i := range argOperands(op, e.args) {
		w.listType(op.operands[i].value.typ, n > 0)
	}
}

// typeList is the element of a format for the types of all operands and results after a
// colon. The parser accepts (T, U) -> R and T, U -> R and T, U. It also accepts the
// omission of all types if the values and the constraints determine them.
type typeList struct {
	// parens makes the printer write (T, U) -> R rather than T, U -> R.
	parens bool
	// always makes the printer write the parentheses even around a single operand type.
	always bool
}

// parse reads the types of all operands and results, and assigns them to operands and
// results. It accepts three notations: "(T, U) -> R", "T, U -> R" and "T, U".
func (e typeList) parse(p *Parser, st *OpParse) {
	if p.At("->") { // no operands, or only operands of fixed types
		e.parseResults(p, st)
		return
	}
	if !p.Accept(":") {
		// Without types, an identifier here starts the next operation.
		if p.kind == tokIdent && !p.At("loc") && !p.atOperationName() {
			p.expected("':'")
		}
		return
	}
	off := p.start
	var ts []Type
	switch {
	case p.At("->"):
	case p.At("("):
		ts = p.TypesInParens()
		if p.At(",") { // mixed style: (T), U -> R
			p.next()
			ts = append(ts, p.Types()...)
		}
	default:
		ts = p.Types()
	}
	if p.bad {
		return
	}
	if !p.At("->") && st.countOperands(st.Form.allArgs(), false) == 0 && len(st.flats) == 0 { // only results: ": R"
		st.takeResults(p, off, ts)
		return
	}
	st.Types(p, off, st.Form.allArgs(), ts)
	if p.At("->") {
		e.parseResults(p, st)
	}
}

// functionalType is the element functional-type of a format: the types of all operands in
// parentheses, an arrow and the result types. Unlike in the other lists of types, no type
// may be omitted.
type functionalType struct{ typeList }

// parse reads exactly one type per operand and reports an error if the number of types
// differs. The operands are already known, because the operands precede the types in the
// text.
func (e functionalType) parse(p *Parser, st *OpParse) {
	if !p.Expect(":") {
		return
	}
	off := p.start
	ts := p.TypesInParens()
	n := 0
	for _, os := range st.operands {
		n += len(os)
	}
	for _, l := range st.flats {
		n += len(l.operands)
	}
	if len(ts) != n && !p.bad {
		p.ErrorAt(off, "'%s' op has %s here, but %s", st.Def.Name, Count(n, "operand"), Count(len(ts), "type")).As(CodeCounts)
		return
	}
	st.Types(p, off, st.Form.allArgs(), ts)
	if !p.At("->") {
		p.expected("'->'")
		return
	}
	e.parseResults(p, st)
}

// parseResults reads "->" and the result types, with or without parentheses.
func (e typeList) parseResults(p *Parser, st *OpParse) {
	p.next()
	off := p.start
	var ts []Type
	if p.At("(") {
		ts = p.TypesInParens()
	} else {
		ts = p.Types()
	}
	st.takeResults(p, off, ts)
}

// takeResults assigns the types ts to the results in the order of their declaration. If
// there are more types than required results, the additional types belong to optional
// results.
func (st *OpParse) takeResults(p *Parser, off int, ts []Type) {
	if p.bad {
		return
	}
	args := st.Form.Results
	if msg := checkSegments(args, nil, len(ts)); msg != "" {
		p.ErrorAt(off, "'%s' op has %s here, but %s", st.Def.Name, Count(len(ts), "result type"), msg).As(CodeCounts)
		return
	}
	segs := defaultSegs(args, len(ts))
	for i := range args {
		from, to := segment(args, segs, i, len(ts))
		st.results[i] = append(st.results[i], ts[from:to]...)
	}
}

// print writes the list of operand and result types of op. It omits a type that the
// definition of the operation already determines. If it omits every type, it also omits
// the colon and the parentheses of the list.
func (e typeList) print(w *Printer, op *Op) {
	var buf [8]Type
	ins := buf[:0]
	for i := range op.operands {
		if !e.elided(op, i) {
			ins = append(ins, op.operands[i].value.typ)
		}
	}
	if len(ins) == 0 && len(op.results) == 0 && !e.always {
		return
	}
	wrap := e.parens && (e.always || len(ins) != 1)
	w.Token(":")
	if wrap {
		w.Token("(")
	}
	for i, t := range ins {
		w.listType(t, i > 0)
	}
	if wrap {
		w.Token(")")
	}
	switch {
	case len(op.results) > 0:
		if len(ins) > 0 || e.parens {
			w.Token("->")
		}
		e.printResults(w, op)
	case e.parens:
		w.Token("->")
		w.Token("(")
		w.Token(")")
	}
}

// printResults writes "->" and the result types. Several result types are put in
// parentheses if e.parens is set.
func (e typeList) printResults(w *Printer, op *Op) {
	wrap := e.parens && len(op.results) > 1
	if wrap {
		w.Token("(")
	}
	for i := range op.results {
		w.listType(op.results[i].typ, i > 0)
	}
	if wrap {
		w.Token(")")
	}
}

// elided reports whether the printer omits the type of operand i, because its argument
// always has the same type. The type of an optional operand is always printed, because it
// shows the reader that the operand exists.
func (typeList) elided(op *Op, i int) bool {
	for k := range op.form.Operands {
		if from, to := op.ArgRange(k); from <= i && i < to {
			a := &op.form.Operands[k]
			return a.Arity == One && isFixed(a)
		}
	}
	return false
}
