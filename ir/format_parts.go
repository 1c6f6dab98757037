// This file implements literals, operands and lists in assembly formats.

package ir

import "strings"

// literal is an element of a format with fixed text, a keyword or punctuation. The empty
// literal has no text; it suppresses the space before the next element.
type literal string

// parse reads the keyword or punctuation of the element and reports an error if the
// current token is different.
func (e literal) parse(p *Parser, st *OpParse) {
	// A comma in place of the colon usually means too many operands, so the error
	// adds a note on that.
	if e == ":" && p.At(",") && strings.HasPrefix(strings.TrimLeft(p.text[p.end:], " \t\n"), "%") {
		at := LocAt(p.src, p.start)
		p.expected("':'").Note(at, "'"+st.Def.Name+"' op accepts no more operands here")
	}
	if e != "" {
		p.Expect(string(e))
	}
}

// print writes the keyword or punctuation of the element with the spacing that MLIR uses
// for it.
func (e literal) print(w *Printer, _ *Op) { w.Token(string(e)) }

// optionalLiteral is a keyword that the program may omit. The printer always writes it.
type optionalLiteral string

// parse skips the optional keyword if it is the current token.
func (e optionalLiteral) parse(p *Parser, _ *OpParse) { p.Accept(string(e)) }

// print writes the optional keyword, whether or not the program contained it.
func (e optionalLiteral) print(w *Printer, _ *Op) { w.Token(string(e)) }

// synonyms is a list of keywords with one meaning. The parser accepts each of them; the
// printer writes the first.
type synonyms []string

// parse reads one of the keywords that have the same meaning, and reports an error if the
// current token is none of them.
func (e synonyms) parse(p *Parser, _ *OpParse) { p.Keyword(e...) }

// print writes the first of the keywords that have the same meaning, whichever one the
// program used.
func (e synonyms) print(w *Printer, _ *Op) { w.Token(e[0]) }

// operandPart is the element $name of a format. It represents operand declaration i of
// the operation; a variadic declaration has several operands.
type operandPart struct {
	i     int
	arity Arity
}

// parse reads one operand, or a list of them for a variadic argument.
func (e operandPart) parse(p *Parser, st *OpParse) {
	switch {
	case e.arity == One || e.arity == Optional && p.AtOperand():
		st.operands[e.i] = append(st.operands[e.i], p.Operand())
	case e.arity == Variadic:
		st.operands[e.i] = p.Operands(st.operands[e.i])
	}
}

// print writes the operands that belong to the declared argument e.i, separated by
// commas. A variadic argument can have several operands.
func (e operandPart) print(w *Printer, op *Op) {
	from, to := op.ArgRange(e.i)
	w.values(op, from, to)
}

// present reports whether op has an operand for the argument.
func (e operandPart) present(op *Op) bool {
	from, to := op.ArgRange(e.i)
	return from < to
}

// attrPart is the element $x of a format for one attribute. The attribute is written in
// its short form: an enum as its keyword, a number without its type if the constraint
// fixes the type.
type attrPart struct{ def *AttrDef }

// parse reads the value in the short form that the constraint of the attribute defines. A
// unit attribute has no text, so parse only sets it.
func (e attrPart) parse(p *Parser, st *OpParse) {
	if _, ok := e.def.Type.(anyUnit); ok {
		st.Attr(e.def.Name, AttrOf(UnitAttr{}))
		return
	}
	st.Attr(e.def.Name, p.AttrAs(e.def.Type))
}

// AttrAs reads an attribute that constraint c accepts. The text may be the short form,
// such as a bare keyword, or the full form with dialect and type.
func (p *Parser) AttrAs(c AttrConstraint) Attr {
	if n, ok := c.(Narrower); ok {
		c = n.Unwrap()
	}
	switch c := c.(type) {
	case *enumIn:
		return c.read(p)
	case *Enum:
		// Besides the keyword, the attribute in full is accepted.
		if p.kind == tokHash {
			return p.Attr()
		}
		if p.kind == tokString { // "KEYWORD", an old form
			off := p.start
			word := p.Quoted()
			a, ok := c.Lookup(word)
			if !ok && !p.bad {
				p.ErrorAt(off, "'%s' is not a case of #%s.%s: expected %s", word, c.Dialect, c.Name, c.WantAttr()).As(CodeUnknownWord)
			}
			return a
		}
		if p.At("<") { // <KEYWORD>
			return p.enumAttr(c, true)
		}
		return p.EnumCase(c)
	case *Flags:
		if p.kind == tokHash {
			return p.Attr()
		}
		return p.Flags(c)
	case intOf:
		a := p.TypedNumber(c.t)
		if p.followedByType(c.t) { // the text may repeat the type, although it is known
			p.next()
			p.next()
		}
		return a
	}
	return p.Attr()
}

// followedByType reports whether the next tokens are a colon and the type t. It
// looks ahead, because a colon may also introduce the types of the operands.
func (p *Parser) followedByType(t Type) bool {
	if p.kind != ':' {
		return false
	}
	ahead := p.lexer
	ahead.next()
	return ahead.text[ahead.start:ahead.end] == t.String()
}

// print writes the value of the attribute in its short form. It writes nothing for a unit
// attribute, an attribute without a value: the format contains a keyword that already
// shows that the attribute is set.
func (e attrPart) print(w *Printer, op *Op) {
	if _, ok := e.def.Type.(anyUnit); ok {
		return
	}
	a := op.Attr(e.def.Name)
	if a.IsZero() {
		return
	}
	w.AttrAs(e.def.Type, a)
}

// angledAttr is an enum attribute that the printer writes as <KEYWORD>. The parser also
// accepts a string, the bare keyword, and the full form #dialect.name<KEYWORD>.
type angledAttr struct{ attrPart }

// print writes <KEYWORD>, or nothing if the attribute is absent.
func (e angledAttr) print(w *Printer, op *Op) {
	if a := op.Attr(e.def.Name); !a.IsZero() {
		w.part()
		w.Raw("<" + a.Keyword() + ">")
		w.glue, w.punct = false, true
	}
}

// present reports whether the attribute is set to a value other than its default. The
// printer omits default values.
func (e attrPart) present(op *Op) bool {
	return op.HasAttr(e.def.Name) && op.Attr(e.def.Name) != e.def.Default
}

// regionPart is the element of a format for region i, written in braces.
type regionPart struct {
	i        int
	isolated bool
}

// parse reads the region and appends the implicit terminator if the text omits it.
func (e regionPart) parse(p *Parser, st *OpParse) {
	r := NewRegion()
	st.AddRegion(r)
	p.RegionInto(r, nil, e.isolated)
	st.implicitTerminator(p, e.i, r)
}

// print writes the region without a label for the entry block.
func (e regionPart) print(w *Printer, op *Op) { w.Region(op, e.i, false) }

// present reports whether the region of op contains at least one block. In a format
// string, a region can be the anchor of an optional group: the printer omits the group if
// present returns false.
func (e regionPart) present(op *Op) bool { return !op.Region(e.i).Empty() }

// implicitTerminator completes the region r, which has index i in the operation that is
// being parsed. It appends the implicit terminator if the text omits it. For the text {}
// it first adds an empty block.
func (st *OpParse) implicitTerminator(p *Parser, i int, r *Region) {
	d := st.Def.regionDef(i)
	switch {
	case p.bad || d == nil:
		return
	case d.Implicit == nil:
		if d.SingleBlock && r.Empty() && st.Def.Traits&NoTerminator != 0 {
			r.Append(NewBlock()) // {} is a block without operations
		}
		return
	}
	ensureTerminator(r, d.Implicit, LocAt(p.src, p.prevEnd-1))
}

// ensureTerminator appends an operation of definition d, without operands, to the last
// block of r unless that block already ends with a terminator. It first adds a block if r
// is empty.
func ensureTerminator(r *Region, d *Def, loc Loc) {
	if r.Empty() {
		r.Append(NewBlock())
	}
	if r.Last().Terminator() == nil {
		s := State{Def: d, Loc: loc}
		for range d.Regions {
			s.Regions = append(s.Regions, NewRegion(NewBlock()))
		}
		if d.checkRegions(0) == "" {
			s.Regions = nil
		}
		r.Last().Append(New(s))
	}
}

// succPart is the element of a format for the list of successors, separated by commas.
type succPart struct{}

// parse reads one or more block labels, separated by commas.
func (succPart) parse(p *Parser, st *OpParse) {
	for {
		st.AddSuccessor(p.Successor())
		if !p.Accept(",") {
			return
		}
	}
}

// print writes the labels of the successors, separated by commas.
func (succPart) print(w *Printer, op *Op) {
	for i, s := range op.succs {
		if i > 0 {
			w.Token(",")
		}
		w.Successor(s)
	}
}

// attrDict is the dictionary of all attributes that the format does not print
// elsewhere.
type attrDict struct {
	// f is the format, which records the attributes that its other elements print.
	f *asmFormat
	// keyword reports whether the word "attributes" precedes the dictionary.
	keyword bool
	// written reports whether the printer writes the dictionary of op at this position; nil
	// means always. The parser accepts a dictionary at every position of the format.
	written func(op *Op) bool
}

// parse reads the dictionary if the text contains one at this position.
func (e attrDict) parse(p *Parser, st *OpParse) {
	if e.keyword && !p.Accept("attributes") {
		return
	}
	st.AttrDict(p)
}

// print writes the attributes that the other elements of the format do not print.
func (e attrDict) print(w *Printer, op *Op) {
	if e.written == nil || e.written(op) {
		w.attrDict(op, e.f.inline, e.keyword)
	}
}

// hookPart is the element custom<...>($x, ...) of a format. A Hook parses and prints the
// text of this element. If the element is the anchor of a group, the group is printed if
// the first argument of the element is present.
type hookPart struct {
	h    Hook
	args []element
}

// parse parses a custom<...> element of a format. A hook is a pair of Go functions that
// parse and print such an element; parse calls the first one.
func (e hookPart) parse(p *Parser, st *OpParse) { e.h.ParseFn(p, st) }

// print writes the text of a custom<...> element for op, by calling the Go function that
// its hook provides.
func (e hookPart) print(w *Printer, op *Op) { e.h.PrintFn(w, op) }

// present reports whether the first argument of the hook is present in op. The printer
// prints a group that starts with the hook only in this case.
func (e hookPart) present(op *Op) bool { return len(e.args) > 0 && present(e.args[0], op) }
