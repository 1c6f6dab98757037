// This file parses locations.

package ir

import (
	"strconv"
	"strings"
)

// No pass reads locations, so the parser keeps them in a compact form. A location
// "file":line:col is an explicitLoc. Any other location is normalized text in which
// aliases are replaced by their definition.

// locAttr parses a location loc(...) and returns it as an attribute.
func (p *Parser) locAttr() Attr {
	p.next()
	if p.kind != '(' {
		p.expected("'('")
		return Attr{}
	}
	p.next()
	b := p.location([]byte("loc("))
	p.Expect(")")
	return AttrOf(LocAttr{string(append(b, ')'))})
}

// location parses the text between the parentheses of loc(...) and appends it to b in
// normalized form.
func (p *Parser) location(b []byte) []byte {
	if !p.Enter() {
		return b
	}
	defer p.Leave()
	switch {
	case p.kind == tokString:
		return p.namedLoc(b)
	case p.kind == tokHash:
		return p.locAlias(b)
	case p.Accept("unknown"):
		return append(b, "unknown"...)
	case p.Accept("callsite"):
		p.Expect("(")
		b = p.location(append(b, "callsite("...))
		p.Expect("at")
		b = p.location(append(b, " at "...))
		p.Expect(")")
		return append(b, ')')
	case p.Accept("fused"):
		return p.fusedLoc(b)
	}
	p.expected("a location")
	return b
}

// namedLoc parses a location of the form "file":line:column, "name"(location) or "name",
// and appends its normalized text to b.
func (p *Parser) namedLoc(b []byte) []byte {
	b = AppendQuoted(b, p.Quoted())
	switch {
	case p.Accept(":"):
		b = strconv.AppendInt(append(b, ':'), p.Integer(), 10)
		p.Expect(":")
		return strconv.AppendInt(append(b, ':'), p.Integer(), 10)
	case p.Accept("("):
		b = p.location(append(b, '('))
		p.Expect(")")
		return append(b, ')')
	}
	return b
}

// fusedLoc parses a location of the form fused<metadata>[location, ...], in which the
// metadata is optional, and appends its normalized text to b.
func (p *Parser) fusedLoc(b []byte) []byte {
	b = append(b, "fused"...)
	if p.Accept("<") {
		b = append(p.Attr().AppendTo(append(b, '<')), '>')
		p.Expect(">")
	}
	p.Expect("[")
	sep := "["
	p.List("]", func() {
		b = p.location(append(b, sep...))
		sep = ", "
	})
	p.Expect("]")
	if sep == "[" {
		b = append(b, sep...)
	}
	return append(b, ']')
}

// locAlias parses a location alias #name and appends the text of the location that it
// denotes to b.
func (p *Parser) locAlias(b []byte) []byte {
	off, name := p.start, p.Text()[1:]
	if !p.expand() {
		return b
	}
	p.next()
	a, ok := p.names.attrs[name]
	if p.again.poisonedAlias("#" + name) {
		p.fail()
		return b
	}
	if !ok {
		// Printers define aliases at the end of the file; resolveLateLocs handles
		// this.
		if !p.mayBeLate {
			p.ErrorAt(off, "undefined location alias '#%s'", name)
		}
		p.isLate = true
		return b
	}
	l, ok := AttrAs[LocAttr](a)
	if !ok {
		p.ErrorAt(off, "'#%s' must be a location, but is %s", name, a)
		return b
	}
	return append(b, l.Text[len("loc("):len(l.Text)-1]...)
}

// opLoc parses an optional loc(...) that follows op in the text, and sets the location of
// op.
func (p *Parser) opLoc(op *Op) {
	if p.At("loc") && op != nil {
		op.SetLoc(p.trailingLoc(op.Loc(), op))
	}
}

// trailingLoc parses an optional loc(...) after an operation or block argument. It
// returns that location, combined with the source position of base. op is the operation,
// or nil for a block argument.
func (p *Parser) trailingLoc(base Loc, op *Op) Loc {
	if !p.At("loc") || p.lexer.at(p.end) != '(' {
		return base
	}
	if at := p.place(); at != nil {
		return Loc{base.src, base.off, at}
	}
	start := p.start
	p.mayBeLate, p.isLate = true, false
	a := p.locAttr()
	p.mayBeLate = false
	switch {
	case p.bad:
		return base
	case p.isLate:
		if op != nil {
			p.names.late = append(p.names.late, lateLoc{op, start})
		}
		return base
	}
	return LocOf(a).withSource(base.src, base.off)
}

// resolveLateLocs parses some locations a second time: those that use an alias whose
// definition follows later in the text.
func (p *Parser) resolveLateLocs() {
	for _, l := range p.names.late {
		p.jump(l.off)
		a := p.locAttr()
		if p.bad {
			return
		}
		l.op.SetLoc(LocOf(a).withSource(l.op.src, int(l.op.off)))
	}
}

// SkipLoc parses an optional loc(...) and discards it. It is used where the text has no
// operation to which the location could belong.
func (p *Parser) SkipLoc() { p.trailingLoc(Loc{}, nil) }

// place parses a location of the most frequent form, loc("file":line:col), and returns
// it. For any other location it returns nil and does not move the parser. It reads bytes
// instead of tokens, because locations are up to half of the text that frontends print.
func (p *Parser) place() *explicitLoc {
	s := p.text[p.end:]
	if !strings.HasPrefix(s, `("`) {
		return nil
	}
	n := strings.IndexAny(s[2:], "\"\\\n")
	if n < 0 || s[2+n] != '"' {
		return nil
	}
	file, at := s[1:n+3], n+3
	line, at := placeNumber(s, at)
	col, at := placeNumber(s, at)
	if at < 0 || at == len(s) || s[at] != ')' {
		return nil
	}
	p.jump(p.end + at + 1)
	m := &take(&p.memory.slabs.places, 1)[0]
	*m = explicitLoc{file: p.memory.quoted(file), line: line, col: col}
	return m
}

// placeNumber parses ":123" at s[at:] and returns the number and the offset after it. The
// offset is -1 if the text has a different form or the number has more than 9 digits.
func placeNumber(s string, at int) (n uint32, end int) {
	if at < 0 || at >= len(s) || s[at] != ':' {
		return 0, -1
	}
	i := at + 1
	for ; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
		n = 10*n + uint32(s[i]-'0')
	}
	if digits := i - at - 1; digits == 0 || digits > 9 {
		return 0, -1
	}
	return n, i
}

// quoted returns the printed form of the quoted string text, which contains no escapes.
// It caches the last result, since successive locations usually name the same file.
func (m *memory) quoted(text string) string {
	if m.file.text != text {
		m.file.text = strings.Clone(text)
		m.file.printed = string(AppendQuoted(nil, m.file.text[1:len(text)-1]))
	}
	return m.file.printed
}
