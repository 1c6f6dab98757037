// This file parses attributes of the builtin dialect.

package ir

import (
	"slices"
	"strings"
)

// Interning copies the strings of attributes. The text of a large file can
// therefore be freed, although the program refers to parts of it.

// Attr parses an attribute and returns it. It reports an error if the current token
// cannot start an attribute.
func (p *Parser) Attr() Attr {
	if a := p.OptionalAttr(); !a.IsZero() {
		return a
	}
	p.expected("an attribute")
	return Attr{}
}

// OptionalAttr parses an attribute, or returns the zero Attr without an error if the
// current token cannot start one.
func (p *Parser) OptionalAttr() Attr {
	if !p.Enter() {
		return Attr{}
	}
	defer p.Leave()
	switch p.kind {
	case tokString:
		return p.stringAttr()
	case tokInt, tokFloat, '-':
		return p.numberAttr()
	case tokSymbol:
		return p.SymbolRef()
	case '[':
		return p.arrayAttr()
	case '{':
		return Dict(p.dictBody(nil)...)
	case tokHash:
		return p.hashAttr()
	case tokIdent:
		if a, ok := p.keywordAttr(); ok {
			return a
		}
	}
	if t := p.OptionalType(); !t.IsZero() {
		return TypeAsAttr(t)
	}
	return Attr{}
}

// keywordAttr parses an attribute that starts with a keyword, such as true or dense. It
// returns false if the current keyword does not start an attribute.
func (p *Parser) keywordAttr() (Attr, bool) {
	switch p.Text() {
	case "true", "false":
		v := p.At("true")
		p.next()
		return BoolAttr(v), true
	case "unit":
		p.next()
		return Unit, true
	case "dense":
		return p.denseAttr(), true
	case "array":
		return p.denseArrayAttr(), true
	case "dense_resource":
		return p.denseResourceAttr(), true
	case "affine_map", "affine_set":
		set := p.At("affine_set")
		return p.affineAttr(set), true
	case "strided":
		return p.stridedAttr(), true
	case "loc":
		return p.locAttr(), true
	case "sparse", "distinct":
		return p.rawAttr(), true
	}
	return Attr{}, false
}

// affineAttr parses an affine map, or an affine set if the parameter set is true. The
// attribute contains only the source text of the map or set, since no pass evaluates
// affine expressions.
func (p *Parser) affineAttr(set bool) Attr {
	p.next()
	if p.kind != '<' {
		p.expected("'<'")
		return Attr{}
	}
	start := p.end
	end := skipAffine(p.text, start)
	if end < 0 {
		p.Errorf("this '<' is not closed")
		return Attr{}
	}
	p.jump(end + 1)
	return AttrOf(AffineAttr{set, squeeze(p.text[start:end])})
}

// skipAffine returns the offset of the > that closes the affine map or set whose text
// starts at offset i, or -1. The > in -> and >= does not close it.
func skipAffine(s string, i int) int {
	for ; i < len(s); i++ {
		switch s[i] {
		case '>':
			if s[i-1] != '-' && (i+1 == len(s) || s[i+1] != '=') {
				return i
			}
		case '"', '{', '}', '@', '<': // characters that no map contains
			return -1
		}
	}
	return -1
}

// squeeze returns s with each run of white space and comments replaced by one blank.
func squeeze(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i], _, _ = strings.Cut(l, "//")
	}
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
}

// stringAttr parses a string, followed by an optional colon and type. Outside a list or
// dictionary the colon belongs to the operation, so no type is parsed.
func (p *Parser) stringAttr() Attr {
	a := StringAttr{S: p.Quoted()}
	if p.kind == ':' && !p.inFormat() {
		p.next()
		a.Type = p.Type()
	}
	return AttrOf(a)
}

// inFormat reports whether the current attribute is outside lists and dictionaries. A
// colon and a type can only belong to an attribute inside a list or dictionary. Outside,
// a colon after the attribute belongs to the enclosing operation: in custom syntax, it
// precedes the operand types.
func (p *Parser) inFormat() bool { return !p.inList }

// SymbolRef reads @a::@b::... and returns it as a symbol reference.
func (p *Parser) SymbolRef() Attr {
	a := SymbolRefAttr{Root: p.SymbolName()}
	var nested []string
	for p.kind == tokColon2 && p.lexer.at(p.end) == '@' {
		p.next()
		nested = append(nested, p.SymbolName())
	}
	a.Nested = MakeList(nested...)
	return AttrOf(a)
}

// arrayAttr parses an array attribute [a, b, ...].
func (p *Parser) arrayAttr() Attr {
	var elems []Attr
	was := p.enterList()
	p.expect('[')
	p.List("]", func() { elems = append(elems, p.Attr()) })
	p.listState = was
	p.expect(']')
	return Array(elems...)
}

// enterList records that the parser is now inside a list or dictionary. It returns the
// previous state, which the caller must restore at the end of the list or dictionary.
func (p *Parser) enterList() (was listState) {
	was = p.listState
	p.listState = listState{inList: true}
	return was
}

// AttrDict parses a dictionary {name = value, ...} and returns the entries in the order
// of the text. It returns nil if the current token is not an opening brace.
func (p *Parser) AttrDict() []NamedAttr {
	if p.kind != '{' {
		return nil
	}
	return p.dictBody(nil)
}

// dictBody parses a dictionary {name = value, ...}. If def is not nil, the values of its
// enum attributes may be bare keywords.
func (p *Parser) dictBody(def *Def) []NamedAttr { return p.dictEntries(nil, def) }

// manyAttrs is a number of attributes. For at least this many attributes, a map detects
// duplicate names faster than a linear search.
const manyAttrs = 64

// attrNames returns the set of the names of attrs.
func attrNames(attrs []NamedAttr) map[string]bool {
	names := make(map[string]bool, 2*len(attrs))
	for _, a := range attrs {
		names[a.Name] = true
	}
	return names
}

// dictEntries parses a dictionary {name = value, ...} and appends its entries to a slice.
// The first argument is the slice, and the result is the extended slice. dictEntries
// reports a repeated name as an error. If def is not nil, the values of its enum
// attributes may be bare keywords.
func (p *Parser) dictEntries(into []NamedAttr, def *Def) []NamedAttr {
	entries, mark := into, len(into)
	var seen map[string]bool // the names so far, once there are manyAttrs
	was := p.enterList()
	p.expect('{')
	p.List("}", func() {
		off := p.start
		var e NamedAttr
		if p.kind == tokString {
			e.Name = p.Quoted()
		} else {
			e.Name = p.Ident()
		}
		if p.bad {
			return
		}
		if len(entries)-mark == manyAttrs {
			seen = attrNames(entries[mark:])
		}
		twice := seen[e.Name]
		if seen == nil {
			twice = slices.ContainsFunc(entries[mark:], func(o NamedAttr) bool { return o.Name == e.Name })
		} else {
			seen[e.Name] = true
		}
		if twice {
			p.ErrorAt(off, "attribute '%s' is given twice", e.Name)
			return
		}
		if p.accept('=') {
			e.Attr = p.dictValue(def, e.Name)
		} else {
			e.Attr = Unit
		}
		e.Name = p.memory.cache.name(e.Name)
		entries = append(entries, e)
	})
	p.listState = was
	p.expect('}')
	if p.bad {
		return into
	}
	return entries
}

// AttrDictOf parses the attribute dictionary of an operation of definition def. The
// values of enum attributes may be bare keywords. Alternative names of attributes are
// converted to the names that def declares.
func (p *Parser) AttrDictOf(def *Def) []NamedAttr {
	if p.kind != '{' {
		return nil
	}
	attrs := p.dictBody(def)
	for i := range attrs {
		attrs[i].Name = def.attrName(attrs[i].Name)
	}
	return attrs
}

// dictValue parses the value of a dictionary entry; the parameter name is the name of the
// entry. If def declares the attribute of this name as an enum, a bare keyword is
// accepted. Any other value needs the full attribute syntax.
func (p *Parser) dictValue(def *Def, name string) Attr {
	if def != nil && (p.kind == tokIdent || p.kind == tokString) {
		if d := def.Attr(def.attrName(name)); d != nil {
			if enum, ok := d.Type.(*Enum); ok {
				return p.AttrAs(enum)
			}
			if d.OldPrefix[0] != "" {
				return p.renewed(d.OldPrefix)
			}
		}
	}
	return p.Attr()
}

// renewed parses a string attribute. prefix contains an outdated prefix of the string and
// the prefix that replaces it; see AttrDef.OldPrefix. If the string starts with the
// outdated prefix, renewed returns the attribute with the new one.
func (p *Parser) renewed(prefix [2]string) Attr {
	off := p.start
	return p.withoutOld(off, p.Attr(), prefix)
}

// withoutOld replaces an outdated prefix of a string attribute, which is the parameter a.
// If the string starts with prefix[0], the result starts with prefix[1] instead, and
// withoutOld records the outdated use at offset off. It returns any other attribute
// unchanged.
func (p *Parser) withoutOld(off int, a Attr, prefix [2]string) Attr {
	s, ok := a.AsString()
	rest, old := strings.CutPrefix(s, prefix[0])
	if !ok || !old {
		return a
	}
	p.Old(off, s, prefix[1]+rest)
	return Str(prefix[1] + rest)
}
