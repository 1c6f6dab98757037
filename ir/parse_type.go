// This file parses types.

package ir

import (
	"strconv"
	"strings"
)

// Type parses a type and returns it. It reports an error if the current token cannot
// start a type.
func (p *Parser) Type() Type {
	if t := p.OptionalType(); !t.IsZero() {
		return t
	}
	off, word, named := p.start, p.Text(), p.kind == tokIdent
	d := p.expected("a type")
	switch {
	case named && strings.Contains(word, "."):
		d.As(CodeUnknownType).Note(LocAt(p.src, off), "types of dialects begin with !: !"+word).Replace(LocAt(p.src, off), word, "!"+word)
	case named:
		d.Suggest(LocAt(p.src, off), word, "f16", "bf16", "f32", "f64", "i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64", "index")
	}
	return Type{}
}

// OptionalType parses a type, or returns the zero Type without an error if the current
// token cannot start one.
func (p *Parser) OptionalType() Type {
	switch p.kind {
	case tokIdent, tokBang:
		return p.cachedType()
	case '(':
		return p.functionType()
	case '<':
		if p.typeBody != nil {
			return p.typeBody(p)
		}
	}
	return Type{}
}

// namedType parses a type that starts with a word or a !. It returns the zero Type if the
// word is not a type.
func (p *Parser) namedType() Type {
	if !p.Enter() {
		return Type{}
	}
	defer p.Leave()
	if p.kind == tokBang {
		return p.bangType()
	}
	return p.builtinType()
}

// builtinType parses a builtin type that starts with a keyword. It returns the zero Type
// if the keyword is not a type.
func (p *Parser) builtinType() Type {
	name := p.Text()
	if t := simpleType(name); !t.IsZero() {
		if it, ok := As[IntegerType](t); ok && it.Width > maxIntWidth {
			p.Errorf("integer width is limited to %d bits", maxIntWidth)
			return Type{}
		}
		p.next()
		return t
	}
	var read func() Type
	switch name {
	case "vector":
		read = p.vectorType
	case "tensor":
		read = p.tensorType
	case "memref":
		read = p.memrefType
	case "tuple":
		read = p.tupleType
	case "complex":
		read = p.complexType
	default:
		return Type{}
	}
	p.next()
	if !p.Expect("<") {
		return Type{}
	}
	t := read()
	if !p.Expect(">") {
		return Type{}
	}
	return t
}

// maxIntWidth is the largest width of an integer type in MLIR.
const maxIntWidth = 1<<24 - 1

// simpleType returns the builtin type whose whole text is name, or the zero Type.
func simpleType(name string) Type {
	switch name {
	case "index":
		return Index
	case "none":
		return None
	}
	if floatNames[name] {
		return TypeOf(FloatType{name})
	}
	sign, digits := Signless, name
	switch {
	case len(name) > 2 && name[:2] == "si":
		sign, digits = Signed, name[2:]
	case len(name) > 2 && name[:2] == "ui":
		sign, digits = Unsigned, name[2:]
	case len(name) > 1 && name[0] == 'i':
		digits = name[1:]
	default:
		return Type{}
	}
	if !isDigit(digits[0]) || digits[0] == '0' {
		return Type{}
	}
	w, err := strconv.ParseUint(digits, 10, 32)
	if err != nil {
		return Type{}
	}
	return TypeOf(IntegerType{Width: uint32(w), Sign: sign})
}

// functionType parses a function type (T, ...) -> U. The types T and U can be function
// types themselves, so it counts the nesting depth.
func (p *Parser) functionType() Type {
	if !p.Enter() {
		return Type{}
	}
	defer p.Leave()
	ins := p.TypesInParens()
	if !p.Expect("->") {
		return Type{}
	}
	return Func(ins, p.ResultTypes())
}

// TypesInParens parses a list of types in parentheses, (T, U, ...).
func (p *Parser) TypesInParens() []Type { return p.typesInParens(nil) }

// typesInParens parses a list of types in parentheses, (T, U, ...), and appends them to
// ts.
func (p *Parser) typesInParens(ts []Type) []Type {
	if p.Expect("(") {
		p.List(")", func() { ts = append(ts, p.Type()) })
		p.Expect(")")
	}
	return ts
}

// ResultTypes parses the types after an arrow: one type, or any number of types in
// parentheses.
func (p *Parser) ResultTypes() []Type { return p.resultTypes(nil) }

// resultTypes parses one type, or any number of types in parentheses, and appends them to
// ts.
func (p *Parser) resultTypes(ts []Type) []Type {
	if p.At("(") {
		return p.typesInParens(ts)
	}
	return append(ts, p.Type())
}

// Types parses one or more types that are separated by commas.
func (p *Parser) Types() []Type {
	ts := []Type{p.Type()}
	for p.Accept(",") {
		ts = append(ts, p.Type())
	}
	return ts
}

// tupleType parses the rest of tuple<T, U, ...> after the opening bracket.
func (p *Parser) tupleType() Type {
	var ts []Type
	p.List(">", func() { ts = append(ts, p.Type()) })
	return TypeOf(TupleType{MakeList(ts...)})
}

// complexType parses the rest of complex<T> after the opening bracket.
func (p *Parser) complexType() Type {
	off := p.start
	t := p.Type()
	if !p.bad && !Is[IntegerType](t) && !Is[FloatType](t) {
		p.ErrorAt(off, "complex element must be an integer or floating-point type, but is %s", t)
	}
	return TypeOf(ComplexType{t})
}

// bangType parses a type that starts with !: an alias !alias, or !dialect.mnemonic<...>,
// or !dialect<...>.
func (p *Parser) bangType() Type {
	off, name := p.start, p.Text()[1:]
	if t, ok := p.names.types[name]; ok {
		if !p.expand() {
			return Type{}
		}
		p.next()
		return t
	}
	dialect, mnemonic := splitName(name)
	d := LookupDialect(dialect)
	if d == nil {
		return p.opaqueType()
	}
	p.next()
	if mnemonic == "" { // !dialect<mnemonic ...>
		if !p.Expect("<") {
			return Type{}
		}
		mnemonic = p.Ident()
		t := p.dialectType(off, d, mnemonic)
		p.Expect(">")
		return t
	}
	return p.dialectType(off, d, mnemonic)
}

// dialectType parses a type of dialect d with the function that the dialect registered
// for the mnemonic. It reports an unknown mnemonic at byte offset off.
func (p *Parser) dialectType(off int, d *Dialect, mnemonic string) Type {
	if p.bad {
		return Type{}
	}
	read := d.Types[mnemonic]
	if read == nil {
		diag := p.ErrorAt(off, "unknown type '!%s.%s'", d.Name, mnemonic).As(CodeUnknownType)
		if near := Nearest(mnemonic, keys(d.Types)); near != "" {
			diag.DidYouMean(LocAt(p.src, off), "!"+d.Name+"."+mnemonic, "!"+d.Name+"."+near)
		}
		return Type{}
	}
	return read(p)
}

// splitName splits a name at the first dot into the dialect and the rest. Without a dot,
// the rest is "".
func splitName(s string) (dialect, rest string) {
	dialect, rest, _ = strings.Cut(s, ".")
	return dialect, rest
}

// opaqueType parses a type of an unregistered dialect and keeps its text.
func (p *Parser) opaqueType() Type {
	dialect, body := p.opaque("type", func() []string { return keys(p.names.types) })
	if p.bad {
		return Type{}
	}
	return TypeOf(OpaqueType{dialect, body})
}

// opaque parses a type or an attribute of an unregistered dialect. It returns the name of
// the dialect and the rest of the text. A name without a dot must be an undefined alias,
// so opaque reports an error for it. The function aliases returns the known aliases, for
// a suggestion. The parameter what is "type" or "attribute", for messages.
func (p *Parser) opaque(what string, aliases func() []string) (dialect, body string) {
	off, text := p.start, p.Text()
	dialect, body = splitName(text[1:])
	switch {
	case body == "" && p.again.poisonedAlias(text):
		p.fail()
	case body == "" && p.lexer.at(p.end) != '<':
		d := p.ErrorAt(off, "undefined %s alias '%s'", what, text).As(CodeAlias)
		if near := Nearest(dialect, aliases()); near != "" {
			d.DidYouMean(LocAt(p.src, off), text, text[:1]+near)
		}
	case !p.opts.AllowUnregistered:
		d := p.ErrorAt(off, "%s '%s' belongs to dialect '%s', which is not registered", what, text, dialect).As(CodeUnknownType)
		for _, other := range Dialects() {
			if other.Types[dialect] != nil && what == "type" {
				d.DidYouMean(LocAt(p.src, off), "!"+dialect, "!"+other.Name+"."+dialect)
			}
		}
		d.Note(LocAt(p.src, off), "--allow-unregistered-dialect carries such "+what+"s along")
	default:
		bodyAt := p.end - len(body)
		p.skipBalanced()
		body = p.text[bodyAt:max(bodyAt, p.prevEnd)]
	}
	return dialect, body
}

// skipBalanced moves past the current token. If a < follows the token without a blank, it
// also moves past the matching >.
func (p *Parser) skipBalanced() {
	end := p.end
	if p.lexer.at(end) != '<' {
		p.next()
		return
	}
	if end = skipBalanced(p.text, end); end < 0 {
		p.ErrorAt(p.end, "this '<' is not closed")
		return
	}
	p.jump(end)
}
