// This file parses attributes of other dialects and attribute aliases.

package ir

import (
	"strings"
)

// hashAttr parses an attribute that starts with #: an alias #alias, or
// #dialect.mnemonic<...>, or #dialect<...>.
func (p *Parser) hashAttr() Attr {
	off, name := p.start, p.Text()[1:]
	if a, ok := p.names.attrs[name]; ok {
		if !p.expand() {
			return Attr{}
		}
		p.next()
		return a
	}
	dialect, mnemonic := splitName(name)
	d := LookupDialect(dialect)
	if d == nil {
		return p.opaqueAttr()
	}
	p.next()
	if mnemonic != "" {
		return p.dialectAttr(off, d, mnemonic, true)
	}
	if !p.Expect("<") {
		return Attr{}
	}
	mnemonic = p.Ident()
	a := p.dialectAttr(off, d, mnemonic, false)
	p.Expect(">")
	return a
}

// dialectAttr parses an attribute of dialect d whose mnemonic has already been read.
// angle states whether the case of an enum is in its own angle brackets: it is true for
// #d.name<case> and false for #d<name case>.
func (p *Parser) dialectAttr(off int, d *Dialect, mnemonic string, angle bool) Attr {
	if p.bad {
		return Attr{}
	}
	for _, e := range d.Enums {
		if e.Name == mnemonic {
			return p.enumAttr(e, angle)
		}
	}
	if read := d.Attrs[mnemonic]; read != nil {
		return read(p)
	}
	diag := p.ErrorAt(off, "unknown attribute '#%s.%s'", d.Name, mnemonic).As(CodeUnknownWord)
	names := keys(d.Attrs)
	for _, e := range d.Enums {
		names = append(names, e.Name)
	}
	if near := Nearest(mnemonic, names); near != "" {
		diag.DidYouMean(LocAt(p.src, off), "#"+d.Name+"."+mnemonic, "#"+d.Name+"."+near)
	}
	return Attr{}
}

// enumAttr parses one case of the enum e. If angle is true, the case must be in angle
// brackets.
func (p *Parser) enumAttr(e *Enum, angle bool) Attr {
	if angle && !p.Expect("<") {
		return Attr{}
	}
	a := p.EnumCase(e)
	if angle {
		p.Expect(">")
	}
	return a
}

// EnumCase parses one keyword of the enum e and returns the attribute of this keyword. A
// keyword may consist of digits. EnumCase reports an error for an unknown keyword.
func (p *Parser) EnumCase(e *Enum) Attr {
	off := p.start
	word := ""
	if p.kind == tokInt {
		word = p.Text()
		p.next()
	} else {
		word = p.Ident()
	}
	if p.bad {
		return Attr{}
	}
	a, ok := e.Lookup(word)
	if !ok {
		p.ErrorAt(off, "'%s' is not a case of #%s.%s: expected %s", word, e.Dialect, e.Name, strings.Join(e.Keywords(), ", ")).As(CodeUnknownWord).
			Suggest(LocAt(p.src, off), word, e.Keywords()...)
	}
	return a
}

// opaqueAttr parses an attribute of an unregistered dialect and keeps its text.
func (p *Parser) opaqueAttr() Attr {
	a := OpaqueAttr{}
	a.Dialect, a.Body = p.opaque("attribute", func() []string { return keys(p.names.attrs) })
	if p.kind == ':' && !p.inFormat() {
		p.next()
		a.Type = p.Type()
	}
	if p.bad {
		return Attr{}
	}
	return AttrOf(a)
}

// stridedAttr parses a memref layout strided<[S, ...], offset: O>. The offset is 0 if the
// text has none.
func (p *Parser) stridedAttr() Attr {
	a := StridedAttr{}
	p.next()
	p.Expect("<")
	p.Expect("[")
	var ds []int64
	p.List("]", func() { ds = append(ds, p.strideValue()) })
	p.Expect("]")
	if p.Accept(",") {
		p.Expect("offset")
		p.Expect(":")
		a.Offset = p.strideValue()
	}
	p.Expect(">")
	a.Strides = MakeDims(ds...)
	return AttrOf(a)
}

// strideValue parses a stride or an offset: an integer, or ? for Dynamic.
func (p *Parser) strideValue() int64 {
	if p.Accept("?") {
		return Dynamic
	}
	return p.Integer()
}

// rawAttr parses an attribute and stores only its text. It is called for those attributes
// that no pass reads.
func (p *Parser) rawAttr() Attr {
	start := p.start
	end := p.end
	for end < len(p.text) && (p.text[end] == '[' || p.text[end] == '<') {
		if end = skipBalanced(p.text, end); end < 0 {
			p.Errorf("expected a closing bracket at the end of this attribute")
			return Attr{}
		}
	}
	p.jump(end)
	if p.kind == ':' && p.noTyped == 0 {
		p.next()
		p.Type()
		end = p.prevEnd
	}
	return AttrOf(RawAttr{p.text[start:end]})
}
