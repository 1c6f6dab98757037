package ir

import (
	"math/big"
	"slices"
	"strings"

	"ptogo/ir/num"
)

// Attr reads an attribute.
func (p *Parser) Attr() Attr {
	if a := p.OptionalAttr(); !a.IsZero() {
		return a
	}
	p.expected("an attribute")
	return Attr{}
}

// OptionalAttr reads an attribute if one stands here.
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

// keywordAttr reads an attribute that starts with a keyword of its own.
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

// affineAttr keeps a map or set as its text, since nothing here computes with
// it.
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

// skipAffine returns the offset of the > that ends a map or set, or -1. The >
// of an arrow or comparison does not.
func skipAffine(s string, i int) int {
	for ; i < len(s); i++ {
		switch s[i] {
		case '>':
			if s[i-1] != '-' && (i+1 == len(s) || s[i+1] != '=') {
				return i
			}
		case '"', '{', '}', '@', '<': // in no map
			return -1
		}
	}
	return -1
}

// squeeze returns s with every run of white space and comments as one blank.
func squeeze(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i], _, _ = strings.Cut(l, "//")
	}
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
}

func (p *Parser) stringAttr() Attr {
	a := StringAttr{S: p.Quoted()}
	if p.kind == ':' && !p.inFormat() {
		p.next()
		a.Type = p.Type()
	}
	return AttrOf(a)
}

// inFormat reports whether a colon here belongs to the text around the
// attribute: in a custom operation the types follow behind a colon, so only
// an attribute inside a list or dictionary takes a type of its own.
func (p *Parser) inFormat() bool { return !p.inList }

// numberAttr reads an integer or a number with its type, which is i64 or f64
// where it is left out.
func (p *Parser) numberAttr() Attr {
	off := p.start
	neg := p.Accept("-")
	kind, text := p.kind, p.Text()
	if kind != tokInt && kind != tokFloat {
		p.expected("a number")
		return Attr{}
	}
	p.next()
	var t Type
	if p.kind == ':' && p.noTyped == 0 {
		p.next()
		t = p.Type()
	}
	switch {
	case p.bad:
		return Attr{}
	case kind == tokFloat || Is[FloatType](t):
		if t.IsZero() {
			t = F64
		}
		return p.floatAttr(off, neg, text, t)
	case t.IsZero():
		t = I64
	}
	return p.IntegerOf(off, neg, text, t)
}

// TypedNumber reads a number that has type t, with neither colon nor type in
// the text.
func (p *Parser) TypedNumber(t Type) Attr {
	off := p.start
	if p.At("true") || p.At("false") {
		v := p.At("true")
		p.next()
		if t != I1 {
			p.ErrorAt(off, "'%v' is of type i1, not %s", v, t)
		}
		return BoolAttr(v)
	}
	neg := p.Accept("-")
	kind, text := p.kind, p.Text()
	if kind != tokInt && kind != tokFloat {
		p.expected("a number")
		return Attr{}
	}
	p.next()
	if Is[FloatType](t) {
		return p.floatAttr(off, neg, text, t)
	}
	if kind == tokFloat {
		p.ErrorAt(off, "'%s' is no value of type %s", text, t)
		return Attr{}
	}
	return p.IntegerOf(off, neg, text, t)
}

// IntegerOf returns the integer that text spells as a value of type t; it
// reports one that does not fit at off.
func (p *Parser) IntegerOf(off int, neg bool, text string, t Type) Attr {
	if v, ok := smallInt(text, neg, t); ok {
		return IntAttr(t, v)
	}
	v, ok := new(big.Int).SetString(text, 0)
	if !strings.HasPrefix(text, "0x") {
		v, ok = new(big.Int).SetString(text, 10)
	}
	if !ok {
		p.ErrorAt(off, "bad integer '%s'", clip(text))
		return Attr{}
	}
	if neg {
		v.Neg(v)
	}
	width, sign := 64, Signless
	switch d := t.Data().(type) {
	case IntegerType:
		width, sign = int(d.Width), d.Sign
	case IndexType:
	default:
		p.ErrorAt(off, "an integer cannot have type %s", t)
		return Attr{}
	}
	if !fits(v, width, sign) {
		p.ErrorAt(off, "%s does not fit type %s", clip(v.String()), t)
		return Attr{}
	}
	if width > 64 {
		if sign == Signless && v.BitLen() == width { // read as negative
			v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(width)))
		}
		return bigIntAttr(t, v)
	}
	return IntAttr(t, wrap(lowBits(v), width, sign))
}

// bigIntAttr returns v as an attribute of an integer type of any width.
func bigIntAttr(t Type, v *big.Int) Attr {
	if v.IsInt64() {
		return IntAttr(t, v.Int64())
	}
	return AttrOf(IntegerAttr{Type: t, Big: v.String()})
}

// smallInt is the common case of IntegerOf: a short decimal number of type
// i32, i64 or index.
func smallInt(text string, neg bool, t Type) (int64, bool) {
	if len(text) > 9 || t != Index && t != I64 && t != I32 {
		return 0, false
	}
	v := int64(0)
	for i := range len(text) {
		if !isDigit(text[i]) {
			return 0, false
		}
		v = v*10 + int64(text[i]-'0')
	}
	if neg {
		v = -v
	}
	return v, true
}

// fits reports whether v is a value of a type: signless types take what fits
// either with or without sign.
func fits(v *big.Int, width int, sign Sign) bool {
	lo, hi := -width+1, width // -2^(width-1) <= v < 2^width
	if sign == Signed {
		hi = width - 1
	}
	if sign == Unsigned || width == 0 {
		return v.Sign() >= 0 && v.BitLen() <= hi
	}
	if v.Sign() < 0 {
		return new(big.Int).Not(v).BitLen() <= -lo
	}
	return v.BitLen() <= hi
}

// lowBits returns the low 64 bits of v in two's complement.
func lowBits(v *big.Int) uint64 {
	if v.Sign() < 0 {
		return uint64(v.Int64())
	}
	return v.Uint64()
}

// wrap returns the low bits of u, sign-extended unless the type is unsigned.
// The widths are up to 64.
func wrap(u uint64, width int, sign Sign) int64 {
	if width == 1 || sign == Unsigned {
		return int64(u & (1<<width - 1))
	}
	shift := 64 - width
	return int64(u<<shift) >> shift
}

// FormatOf returns the element format of a scalar type; index counts as i64.
func FormatOf(t Type) (num.Format, bool) {
	switch d := t.Data().(type) {
	case FloatType:
		if d.Name == "f8E8M0FNU" {
			return num.F8E8M0, true
		}
		return num.ParseFormat(d.Name)
	case IntegerType:
		return num.ParseFormat(t.String())
	case IndexType:
		return num.I64, true
	case interface{ Format() num.Format }:
		return d.Format(), true
	}
	return num.Invalid, false
}

func (p *Parser) floatAttr(off int, neg bool, text string, t Type) Attr {
	f, ok := FormatOf(t)
	if !ok || !Is[FloatType](t) {
		p.ErrorAt(off, "type %s has no numbers with a decimal point", t)
		return Attr{}
	}
	if strings.HasPrefix(text, "0x") { // the bits of the number
		v, _ := new(big.Int).SetString(text, 0)
		if neg {
			p.ErrorAt(off, "the bits of a number have no minus in front")
			return Attr{}
		}
		if v.BitLen() > f.Bits() {
			p.ErrorAt(off, "%s does not fit the bits of type %s", clip(text), t)
			return Attr{}
		}
		return AttrOf(FloatAttr{t, v.Uint64()})
	}
	if !strings.ContainsAny(text, ".") {
		p.ErrorAt(off, "a number of type %s needs a decimal point", t).
			Note(LocAt(p.src, off), "write "+text+".0")
		return Attr{}
	}
	if neg {
		text = "-" + text
	}
	bits, err := num.ParseFloat(f, text)
	if err != nil {
		p.ErrorAt(off, "bad number '%s'", clip(text))
	}
	return AttrOf(FloatAttr{t, bits})
}

// appendFloat appends a floating-point number as MLIR prints it.
func appendFloat(b []byte, t Type, bits uint64) []byte {
	f, ok := FormatOf(t)
	if !ok {
		panic("BUG: float attribute of type " + t.String())
	}
	return append(b, num.FormatFloat(f, bits)...)
}

// Float returns a float attribute with the bits of a value of type t.
func Float(t Type, bits uint64) Attr { return AttrOf(FloatAttr{t, bits}) }

// SymbolRef reads @a::@b.
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

func (p *Parser) arrayAttr() Attr {
	var elems []Attr
	defer p.list()()
	p.Expect("[")
	p.List("]", func() { elems = append(elems, p.Attr()) })
	p.Expect("]")
	return Array(elems...)
}

// list notes that what follows stands inside a list; the function it returns
// goes back to how things were.
func (p *Parser) list() (restore func()) {
	typed, in := p.noTyped, p.inList
	p.noTyped, p.inList = 0, true
	return func() { p.noTyped, p.inList = typed, in }
}

// AttrDict reads {name = value, ...} if it stands here and returns the entries
// in the order of the text.
func (p *Parser) AttrDict() []NamedAttr {
	if !p.At("{") {
		return nil
	}
	return p.dictBody(nil)
}

// dictBody reads {...}. Where the operation is known, its enums may be given
// by their keywords alone.
func (p *Parser) dictBody(def *Def) []NamedAttr {
	var entries []NamedAttr
	restore := p.list()
	p.Expect("{")
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
		if slices.ContainsFunc(entries, func(o NamedAttr) bool { return o.Name == e.Name }) {
			p.ErrorAt(off, "attribute '%s' is given twice", e.Name)
			return
		}
		if p.Accept("=") {
			e.Attr = p.dictValue(def, e.Name)
		} else {
			e.Attr = Unit
		}
		entries = append(entries, e)
	})
	restore()
	p.Expect("}")
	if p.bad {
		return nil
	}
	return entries
}

// AttrDictOf reads an attribute dictionary of an operation: its enums may be
// written by their keywords alone.
func (p *Parser) AttrDictOf(def *Def) []NamedAttr {
	if !p.At("{") {
		return nil
	}
	attrs := p.dictBody(def)
	for i := range attrs {
		attrs[i].Name = def.attrName(attrs[i].Name)
	}
	return attrs
}

func (p *Parser) dictValue(def *Def, name string) Attr {
	if def != nil && (p.kind == tokIdent || p.kind == tokString) {
		if d := def.Attr(def.attrName(name)); d != nil {
			if enum, ok := d.Type.(*Enum); ok {
				return p.AttrAs(enum)
			}
		}
	}
	return p.Attr()
}

// hashAttr reads #alias, #dialect.mnemonic<...> or #dialect<...>.
func (p *Parser) hashAttr() Attr {
	off, name := p.start, p.Text()[1:]
	if a, ok := p.names.attrs[name]; ok {
		p.next()
		return a
	}
	dialect, mnemonic := splitName(name)
	d := LookupDialect(dialect)
	if d == nil {
		return p.opaqueAttr(off, name)
	}
	if mnemonic != "" {
		p.next()
		return p.dialectAttr(off, d, mnemonic, true)
	}
	p.next()
	if !p.Expect("<") {
		return Attr{}
	}
	mnemonic = p.Ident()
	a := p.dialectAttr(off, d, mnemonic, false)
	p.Expect(">")
	return a
}

// dialectAttr reads the attribute that mnemonic announces; angle says that the
// body of an enum stands in <> of its own.
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
	diag := p.ErrorAt(off, "unknown attribute '#%s.%s'", d.Name, mnemonic)
	names := keys(d.Attrs)
	for _, e := range d.Enums {
		names = append(names, e.Name)
	}
	if near := Nearest(mnemonic, names); near != "" {
		diag.Note(LocAt(p.src, off), "did you mean '#"+d.Name+"."+near+"'?")
	}
	return Attr{}
}

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

// EnumCase reads one keyword of e.
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
		d := p.ErrorAt(off, "'%s' is no case of #%s.%s: expected %s", word, e.Dialect, e.Name, strings.Join(e.Keywords(), ", "))
		if near := Nearest(word, e.Keywords()); near != "" {
			d.Note(LocAt(p.src, off), "did you mean '"+near+"'?")
		}
	}
	return a
}

func (p *Parser) opaqueAttr(off int, name string) Attr {
	dialect, body := splitName(name)
	if body == "" && p.lexer.at(p.end) != '<' {
		p.ErrorAt(off, "undefined attribute alias '#%s'", name)
		return Attr{}
	}
	if !p.opts.AllowUnregistered {
		p.ErrorAt(off, "attribute '#%s' is of dialect '%s', which is not known here", name, dialect).
			Note(LocAt(p.src, off), "--allow-unregistered-dialect carries such attributes along")
		return Attr{}
	}
	body += p.balanced()
	a := OpaqueAttr{Dialect: dialect, Body: body}
	if p.kind == ':' && !p.inFormat() {
		p.next()
		a.Type = p.Type()
	}
	return AttrOf(a)
}

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

func (p *Parser) strideValue() int64 {
	if p.Accept("?") {
		return Dynamic
	}
	return p.Integer()
}

// rawAttr keeps an attribute that the project only carries along.
func (p *Parser) rawAttr() Attr {
	start := p.start
	end := p.end
	for end < len(p.text) && (p.text[end] == '[' || p.text[end] == '<') {
		if end = skipBalanced(p.text, end); end < 0 {
			p.Errorf("this attribute is not closed")
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
