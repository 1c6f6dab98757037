// This file implements optional groups of assembly formats.

package ir

import (
	"slices"
)

// anchored marks the anchor of an optional group: the printer writes the group if this
// element is present.
type anchored struct{ element }

// optional is the group ( ... )? of a format. The parser parses the group if the current
// token can start the first element of the group. The printer prints the group if the
// anchor, one of its elements, is present in the operation.
type optional struct {
	anchor    element
	body      []element
	otherwise []element
}

// parse parses an optional group of a format, such as ( A : B )?, where A is the body and
// B is the alternative. If the method starts reports that the next token can start the
// body, parse parses the elements of the body. In all other cases, it parses the elements
// of the alternative.
func (e optional) parse(p *Parser, st *OpParse) {
	body := e.otherwise
	if e.starts(p, st) {
		body = e.body
	}
	for _, x := range body {
		if p.bad {
			return
		}
		x.parse(p, st)
	}
}

// starts reports whether the parser should read an optional group ( ... )? of a format.
// Each group has an anchor: the element that decides whether the printer writes the
// group. There are two cases. If the anchor is the list of types of an operand, starts
// returns true if the text contained values for this operand. For every other anchor, it
// returns true if the current token can be the first token of the group.
func (e optional) starts(p *Parser, st *OpParse) bool {
	if t, ok := e.anchor.(typePart); ok && !t.result {
		return len(st.operands[t.i]) > 0
	}
	return groupStarts(e.body, p)
}

// print writes an optional group of a format, such as ( A : B )?. One element of the body
// A is marked as the anchor. If the operand or attribute of the anchor is present in op,
// print writes the body. If it is absent, print writes the alternative B.
func (e optional) print(w *Printer, op *Op) {
	body := e.otherwise
	if present(e.anchor, op) {
		body = e.body
	}
	for _, x := range body {
		x.print(w, op)
	}
}

// present reports whether the printer would print any text for op when it reaches the
// format element e. The result is false for elements that cannot be optional.
func present(e element, op *Op) bool {
	x, ok := e.(interface{ present(*Op) bool })
	return ok && x.present(op)
}

// groupStarts reports whether the current token can start a group with the elements in
// body. If the first element is a keyword, the next token must also be one with which the
// second element can start. The reason is that several groups of one format may start
// with the same keyword.
func groupStarts(body []element, p *Parser) bool {
	for body[0] == literal("") {
		body = body[1:]
	}
	if !startsHere(body[0], p) {
		return false
	}
	first, ok := body[0].(literal)
	if !ok || len(body) < 2 || first == "" {
		return true
	}
	ahead := p.lexer
	ahead.next()
	text := ahead.text[ahead.start:ahead.end]
	switch second := unwrapped(body[1]).(type) {
	case literal:
		return second == "" || text == string(second)
	case synonyms:
		return slices.Contains(second, text)
	case attrPart:
		if enum, ok := second.def.Type.(*Enum); ok {
			_, known := enum.Lookup(text)
			return known
		}
	}
	return true
}

// unwrapped returns the format element that decides whether e is present in a program. If
// e marks an element as the anchor of a group, this is the marked element. If e is an
// element custom<...>, this is its first argument. In all other cases, it is e itself.
func unwrapped(e element) element {
	switch x := e.(type) {
	case anchored:
		return unwrapped(x.element)
	case hookPart:
		if len(x.args) > 0 {
			return unwrapped(x.args[0])
		}
	}
	return e
}

// startsHere reports whether the current token of the parser p can be the first token of
// the format element e.
func startsHere(e element, p *Parser) bool {
	switch e := e.(type) {
	case literal:
		return p.At(string(e))
	case synonyms:
		return slices.Contains(e, p.Text()) && p.AtIdent()
	case anchored:
		return startsHere(e.element, p)
	case hookPart:
		return len(e.args) > 0 && startsHere(e.args[0], p)
	case operandPart:
		return p.AtOperand()
	case typePart:
		return p.kind == tokBang || p.kind == tokIdent || p.kind == '('
	case quotedAttr:
		return p.kind == tokString || startsHere(e.attrPart, p)
	case fullAttr:
		return startsHere(e.attrPart, p)
	case keyedAttrs:
		return p.kind == '{'
	case angledAttr:
		return p.At("<") || startsHere(e.attrPart, p)
	case attrPart:
		if enum, ok := e.def.Type.(*Enum); ok {
			_, known := enum.Lookup(p.Text())
			return known && p.kind == tokIdent || p.kind == tokHash
		}
		return p.kind != tokEOF && p.kind != ':' && p.kind != '{' && p.kind != ')'
	case regionPart:
		return p.kind == '{'
	}
	return false
}

// repeated is the group ( ... )* of a format. The body occurs once per value of the
// variadic arguments in it.
type repeated struct{ body []element }

// parse reads the body of a group ( ... )* repeatedly. It stops before a token that
// cannot start the body.
func (e repeated) parse(p *Parser, st *OpParse) {
	for groupStarts(e.body, p) && !p.bad {
		for _, x := range e.body {
			e.one(x).parse(p, st)
		}
	}
}

// The method one returns a copy of the element x for use in a repeated group. A variadic
// element would read a list of values; the copy reads a single value, since each
// repetition of the group reads one value.
func (e repeated) one(x element) element {
	switch x := x.(type) {
	case operandPart:
		x.arity = One
		return x
	case typePart:
		x.arity = One
		return x
	}
	return x
}

// print writes the body of a repeated group ( ... )* as often as necessary. The group
// contains operands, and print writes the body one time for each value of these operands.
func (e repeated) print(w *Printer, op *Op) {
	n := 0
	for _, x := range e.body {
		if o, ok := x.(operandPart); ok {
			from, to := op.ArgRange(o.i)
			n = to - from
		} else if t, ok := x.(typePart); ok && !t.result {
			from, to := op.ArgRange(t.i)
			n = to - from
		}
	}
	for k := range n {
		for _, x := range e.body {
			switch x := x.(type) {
			case operandPart:
				from, _ := op.ArgRange(x.i)
				w.values(op, from+k, from+k+1)
			case typePart:
				from, _ := op.ArgRange(x.i)
				w.listType(op.operands[from+k].value.typ, false)
			default:
				x.print(w, op)
			}
		}
	}
}
