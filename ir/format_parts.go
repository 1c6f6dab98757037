package ir

import (
	"iter"
	"slices"
	"strings"
)

// literal is text that stands for itself: a keyword or punctuation. The empty
// literal only suppresses a space.
type literal string

func (e literal) parse(p *Parser, _ *OpParse) {
	if e != "" {
		p.Expect(string(e))
	}
}

func (e literal) print(w *Printer, _ *Op) { w.Token(string(e)) }

// synonyms is keywords that mean the same; the first is written.
type synonyms []string

func (e synonyms) parse(p *Parser, _ *OpParse) { p.Keyword(e...) }

func (e synonyms) print(w *Printer, _ *Op) { w.Token(e[0]) }

// anchored marks the element whose presence decides about its group.
type anchored struct{ element }

// operandPart is the operands of one argument.
type operandPart struct {
	i     int
	arity Arity
}

func (e operandPart) parse(p *Parser, st *OpParse) {
	switch {
	case e.arity == One || e.arity == Optional && p.AtOperand():
		st.operands[e.i] = append(st.operands[e.i], p.Operand())
	case e.arity == Variadic:
		st.operands[e.i] = p.Operands(st.operands[e.i])
	}
}

func (e operandPart) print(w *Printer, op *Op) {
	from, to := op.ArgRange(e.i)
	w.values(op, from, to)
}

func (e operandPart) present(op *Op) bool {
	from, to := op.ArgRange(e.i)
	return from < to
}

// typePart is the types of one argument or result.
type typePart struct {
	i      int
	result bool
	arity  Arity
}

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

func (e typePart) present(op *Op) bool {
	from, to := op.ArgRange(e.i)
	if e.result {
		from, to = op.ResultRange(e.i)
	}
	return from < to
}

// sharedType is one type that stands for several arguments and results.
type sharedType struct{ parts []typePart }

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

func (e sharedType) print(w *Printer, op *Op) { e.parts[0].print(w, op) }

// attrPart is one attribute with a place of its own: an enum by its keyword,
// a number without its type where the type is known.
type attrPart struct{ def *AttrDef }

func (e attrPart) parse(p *Parser, st *OpParse) {
	if _, ok := e.def.Type.(anyUnit); ok {
		st.Attr(e.def.Name, AttrOf(UnitAttr{}))
		return
	}
	st.Attr(e.def.Name, p.AttrAs(e.def.Type))
}

// AttrAs reads an attribute in the short form that its constraint allows.
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
		if p.kind == tokString { // "KEYWORD", an old spelling
			off := p.start
			word := p.Quoted()
			a, ok := c.Lookup(word)
			if !ok && !p.bad {
				p.ErrorAt(off, "'%s' is no case of #%s.%s: expected %s", word, c.Dialect, c.Name, c.WantAttr())
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
		if p.followedByType(c.t) { // the type may stand here, though it is known
			p.next()
			p.next()
		}
		return a
	}
	return p.Attr()
}

// followedByType reports whether a colon and the type t come next. Behind the
// colon may as well be the types of the operands.
func (p *Parser) followedByType(t Type) bool {
	if p.kind != ':' {
		return false
	}
	ahead := p.lexer
	ahead.next()
	return ahead.text[ahead.start:ahead.end] == t.String()
}

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

// angledAttr is an enum whose keyword is written in angle brackets. It is
// also read as a string, in full, or bare.
type angledAttr struct{ attrPart }

func (e angledAttr) print(w *Printer, op *Op) {
	if a := op.Attr(e.def.Name); !a.IsZero() {
		w.part()
		w.Raw("<" + a.Keyword() + ">")
		w.glue, w.punct = false, true
	}
}

func (e attrPart) present(op *Op) bool {
	return op.HasAttr(e.def.Name) && op.Attr(e.def.Name) != e.def.Default
}

// regionPart is a region in braces.
type regionPart struct {
	i        int
	isolated bool
}

func (e regionPart) parse(p *Parser, st *OpParse) {
	r := NewRegion()
	st.AddRegion(r)
	p.RegionInto(r, nil, e.isolated)
	st.implicitTerminator(p, e.i, r)
}

func (e regionPart) print(w *Printer, op *Op) { w.Region(op, e.i, false) }

func (e regionPart) present(op *Op) bool { return !op.Region(e.i).Empty() }

// implicitTerminator adds the terminator, or the block, that the text may
// leave out.
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
	EnsureTerminator(r, d.Implicit, LocAt(p.src, p.prevEnd-1))
}

// EnsureTerminator appends a terminator without operands to the last block of
// a region if that has none, and makes the block if the region is empty.
func EnsureTerminator(r *Region, d *Def, loc Loc) {
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

// succPart is the successors, separated by commas.
type succPart struct{}

func (succPart) parse(p *Parser, st *OpParse) {
	for {
		st.AddSuccessor(p.Successor())
		if !p.Accept(",") {
			return
		}
	}
}

func (succPart) print(w *Printer, op *Op) {
	for i, s := range op.succs {
		if i > 0 {
			w.Token(",")
		}
		w.Successor(s)
	}
}

// attrDict is the dictionary of all attributes that have no other place.
type attrDict struct {
	f       *asmFormat
	keyword bool
	// silent marks a second place where a dictionary may be read; it is
	// written at the other.
	silent bool
}

func (e attrDict) parse(p *Parser, st *OpParse) {
	if e.keyword && !p.Accept("attributes") {
		return
	}
	st.AttrDict(p)
}

func (e attrDict) print(w *Printer, op *Op) {
	if !e.silent {
		w.attrDict(op, e.f.inline, e.keyword)
	}
}

// operandList is the operands of several arguments, separated by commas. args
// are their numbers in the form.
type operandList struct{ args []int }

func (e operandList) parse(p *Parser, st *OpParse) { st.Operands(p, e.args) }

func (e operandList) print(w *Printer, op *Op) {
	for n, i := range argOperands(op, e.args) {
		if n > 0 {
			w.Token(",")
		}
		w.Value(op.operands[i].value)
	}
}

// argOperands yields the numbers of the operands that belong to some
// arguments, with a running count in front.
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

// operandTypes is the types of the operands of several arguments.
type operandTypes struct{ args []int }

func (e operandTypes) parse(p *Parser, st *OpParse) {
	off := p.start
	if p.kind == tokIdent || p.kind == tokBang || p.kind == '(' || p.kind == '<' {
		st.Types(p, off, e.args, p.Types())
	}
}

func (e operandTypes) print(w *Printer, op *Op) {
	for n, i := range argOperands(op, e.args) {
		w.listType(op.operands[i].value.typ, n > 0)
	}
}

// typeList is the types of all operands and results behind a colon. It reads
// (T, U) -> R, T, U -> R, T, U, or nothing at all where values and rules tell
// the types.
type typeList struct {
	parens bool // write (T, U) -> R rather than T, U -> R
	always bool // even around a single operand
}

func (e typeList) parse(p *Parser, st *OpParse) {
	if p.At("->") { // no operands, or none whose type is written
		e.parseResults(p, st)
		return
	}
	if !p.Accept(":") {
		// The types may be missing, but a word on the same line is no operation.
		if p.kind == tokIdent && !p.At("loc") && !strings.Contains(p.text[p.prevEnd:p.start], "\n") {
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
		if p.At(",") { // (T), U -> R
			p.next()
			ts = append(ts, p.Types()...)
		}
	default:
		ts = p.Types()
	}
	if p.bad {
		return
	}
	if !p.At("->") && st.countOperands(st.Form.allArgs(), false) == 0 && len(st.flats) == 0 { // : R
		st.takeResults(p, off, ts)
		return
	}
	st.Types(p, off, st.Form.allArgs(), ts)
	if p.At("->") {
		e.parseResults(p, st)
	}
}

// functionalType is a typeList that says everything: a type for each operand,
// in parentheses, and the results.
type functionalType struct{ typeList }

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
		p.ErrorAt(off, "'%s' op has %s here, but %s", st.Def.Name, Count(n, "operand"), Count(len(ts), "type"))
		return
	}
	st.Types(p, off, st.Form.allArgs(), ts)
	if !p.At("->") {
		p.expected("'->'")
		return
	}
	e.parseResults(p, st)
}

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

// takeResults hands out result types in order: to optional results only as
// far as there are more types than required ones.
func (st *OpParse) takeResults(p *Parser, off int, ts []Type) {
	if p.bad {
		return
	}
	args := st.Form.Results
	if msg := checkSegments(args, nil, len(ts)); msg != "" {
		p.ErrorAt(off, "'%s' op has %s here, but %s", st.Def.Name, Count(len(ts), "result type"), msg)
		return
	}
	segs := defaultSegs(args, len(ts))
	for i := range args {
		from, to := segment(args, segs, i, len(ts))
		st.results[i] = append(st.results[i], ts[from:to]...)
	}
}

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

// elided reports whether operand i belongs to an argument whose type is always
// the same and therefore not written.
func (typeList) elided(op *Op, i int) bool {
	for k := range op.form.Operands {
		if from, to := op.ArgRange(k); from <= i && i < to {
			return isFixed(&op.form.Operands[k])
		}
	}
	return false
}

// hookPart is custom<...>. As the anchor of a group it stands for its first
// argument.
type hookPart struct {
	h    Hook
	args []element
}

func (e hookPart) parse(p *Parser, st *OpParse) { e.h.ParseFn(p, st) }
func (e hookPart) print(w *Printer, op *Op)     { e.h.PrintFn(w, op) }

func (e hookPart) present(op *Op) bool { return len(e.args) > 0 && present(e.args[0], op) }

// optional is ( ... )?. Reading, it is there if its first element can start
// here; writing, if the anchor is present.
type optional struct {
	anchor    element
	body      []element
	otherwise []element
}

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

// starts decides whether the group is there. Types follow the operands they
// belong to, which have been read; anything else shows in the text.
func (e optional) starts(p *Parser, st *OpParse) bool {
	if t, ok := e.anchor.(typePart); ok && !t.result {
		return len(st.operands[t.i]) > 0
	}
	return groupStarts(e.body, p)
}

func (e optional) print(w *Printer, op *Op) {
	body := e.otherwise
	if present(e.anchor, op) {
		body = e.body
	}
	for _, x := range body {
		x.print(w, op)
	}
}

// present reports whether the element has anything to write.
func present(e element, op *Op) bool {
	x, ok := e.(interface{ present(*Op) bool })
	return ok && x.present(op)
}

// groupStarts reports whether the text at the parser can be a group. Where
// two keywords come first, both are looked at.
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

// unwrapped returns the element that shows whether a group is there.
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

// startsHere reports whether the text at the parser can be the element.
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

// repeated is ( ... )*: once per value of the variadic arguments inside.
type repeated struct{ body []element }

func (e repeated) parse(p *Parser, st *OpParse) {
	for groupStarts(e.body, p) && !p.bad {
		for _, x := range e.body {
			e.one(x).parse(p, st)
		}
	}
}

// one makes a variadic part stand for a single value.
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
