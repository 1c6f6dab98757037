// This file parses operations, and their custom form.

package ir

import (
	"slices"
	"strconv"
	"strings"
)

// resultName is one item of the result list before the equals sign: %name, or %name:count
// for a group of results.
type resultName struct {
	// name is the name with the %.
	name string
	// off is the byte offset of the name in the text.
	off int
	// count is the number of results in the group; 1 for a plain name.
	count int
}

// Operation parses one operation in generic or custom syntax and appends it to b. It
// returns the operation, or nil after an error.
func (p *Parser) Operation(b *Block) *Op {
	if !p.Enter() {
		return nil
	}
	defer p.Leave()
	start := p.start
	var buf [4]resultName
	names := p.resultNames(buf[:0])
	off := p.start
	var op *Op
	switch p.kind {
	case tokString:
		op = p.genericOp(off)
	case tokIdent:
		op = p.customOp(off)
	default:
		switch {
		case p.kind == ':' && b.last != nil && !firstOnLine(p.text, p.start):
			p.untyped(b.last)
		case !p.expectedEnd():
			p.expected("an operation")
		}
	}
	if p.bad || op == nil {
		return nil
	}
	p.opLoc(op)
	p.nameResults(op, names, off)
	if p.bad {
		return nil
	}
	for _, first := range p.before {
		b.link(first, b.last)
	}
	p.before = p.before[:0]
	b.link(op, b.last)
	p.opts.Index.op(op, start, off, p.prevEnd)
	return op
}

// resultNames parses a list of results such as "%a, %b:2 =" and appends them to names. It
// returns nil if the operation has no result list.
func (p *Parser) resultNames(names []resultName) []resultName {
	if p.kind != tokValue {
		return nil
	}
	for {
		r := resultName{name: p.Text(), off: p.start, count: 1}
		if !p.accept(tokValue) {
			p.expected("an SSA value")
		}
		if p.accept(':') {
			if r.count = int(p.Integer()); !p.bad && (r.count < 1 || r.count > 1<<16) {
				p.ErrorAt(r.off, "expected a positive number of results")
			}
		}
		names = append(names, r)
		if !p.accept(',') {
			break
		}
	}
	p.expect('=')
	return names
}

// nameResults binds the names in a result list such as "%a, %b:2 =" to the results of op.
// The parameter off is the byte offset of op in the text. If the list does not name
// exactly as many results as op has, the function reports an error. Without names it does
// nothing.
func (p *Parser) nameResults(op *Op, names []resultName, off int) {
	if len(names) == 0 {
		return
	}
	total := 0
	for _, r := range names {
		total += r.count
	}
	if total != len(op.results) {
		p.ErrorAt(names[0].off, "operation '%s' has %s, but %d %s named", op.def.Name, Count(len(op.results), "result"), total, isAre(total)).As(CodeCounts)
		return
	}
	i := 0
	for _, r := range names {
		if r.count == 1 {
			p.define(r.name, r.off, &op.results[i])
			i++
			continue
		}
		vs := make([]*Value, r.count)
		for k := range vs {
			vs[k] = &op.results[i]
			i++
		}
		p.define(r.name, r.off, vs...)
	}
}

// Count returns the number n with the noun in the parameter what, for diagnostics. It
// adds an s unless n is 1, as in "1 operand" and "2 operands".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// isAre returns "is" if n is 1, and "are" otherwise, for diagnostics.
func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// definition returns the definition of the operation with the given full name, or nil
// after an error, which it reports at byte offset off. If ParseOptions.AllowUnregistered
// is set, an operation of an unknown dialect is not an error.
func (p *Parser) definition(off int, name string) *Def {
	if d := Lookup(name); d != nil {
		return d
	}
	if p.opts.AllowUnregistered && strings.Contains(name, ".") && LookupDialect(dialectOf(name)) == nil {
		return unknownDef(name)
	}
	p.unknownOp(off, name)
	return nil
}

// dialectOf returns the dialect prefix of an operation name: the text before the first
// dot.
func dialectOf(name string) string {
	d, _ := splitName(name)
	return d
}

// untyped reports an error if types follow the operation op, although its syntax does not
// contain types.
func (p *Parser) untyped(op *Op) {
	at := LocAt(p.src, p.start)
	ahead := p.lexer
	ahead.next()
	d := p.Errorf("expected the end of the operation, found ':'").As(CodeColon)
	if len(op.results) != 1 {
		d.Note(at, "'"+op.def.Name+"' is written without types")
		p.dropTypes(d, at)
		return
	}
	t := op.results[0].typ
	d.Note(at, "'"+op.def.Name+"' is written without types: its result is always "+t.String())
	if strings.HasPrefix(p.src.Text[ahead.start:], t.String()) { // another type needs a conversion
		p.dropTypes(d, at)
	}
	if ahead.kind == tokIdent && p.text[ahead.start:ahead.end] == "index" && Is[IntegerType](t) {
		d.Note(at, "'arith.index_cast' makes an index of it")
	}
}

// dropTypes adds a fix (a text edit) to the last note of d. The edit deletes the types of
// an operation. They start with a colon, at the location that is the second argument, and
// extend to the end of the line or to a comment on that line.
func (p *Parser) dropTypes(d *Diag, at Loc) {
	rest := p.src.Text[at.off:]
	if end := strings.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	if comment := strings.Index(rest, "//"); comment >= 0 {
		rest = rest[:comment]
	}
	rest = strings.TrimRight(rest, " \t\r")
	before := len(strings.TrimRight(p.src.Text[:at.off], " \t"))
	d.Replace(LocAt(p.src, before), p.src.Text[before:at.off]+rest, "")
}

// expectedEnd reports an error if the current token is on the same line as the preceding
// operation and does not start another operation. The usual cause is a missing colon
// before the types. It returns whether it reported the error.
func (p *Parser) expectedEnd() bool {
	if firstOnLine(p.text, p.start) || p.kind == tokEOF || p.kind == '}' || p.kind == tokBad {
		return false
	}
	switch before := strings.TrimRight(p.text[:p.start], " \t"); before[len(before)-1] {
	case '{', '}', '=', ':', ';':
		return false
	}
	if p.afterInteger() {
		at := LocAt(p.src, p.start)
		p.Errorf("expected a decimal point before the exponent of a number").As(CodeNumber).
			Note(at, "MLIR writes 1.0e-6, not 1e-6").Replace(at, "", ".0")
		return true
	}
	at, starts := LocAt(p.src, p.start), p.startsType()
	d := p.Errorf("expected ':' or the end of the operation, found %s", p.found()).As(CodeColon).Note(at, "the types of an operation follow a ':', and the next operation begins on a new line")
	if starts {
		d.Replace(at, "", ": ")
	}
	return true
}

// afterInteger reports whether the current token is an exponent that follows an integer
// without a blank, as in 1e-6.
func (p *Parser) afterInteger() bool {
	return p.kind == tokIdent && p.start == p.prevEnd && p.start > 0 && isDigit(p.text[p.start-1]) && strings.ContainsAny(p.text[p.start:p.start+1], "eE")
}

// startsType reports whether a type or a list of types can begin at the current token.
func (p *Parser) startsType() bool {
	return p.kind == tokBang || p.kind == '(' || p.kind == tokIdent && isTypeWord(p.Text())
}

// isTypeWord reports whether a word is a builtin scalar type such as f32 or index.
func isTypeWord(word string) bool {
	digits := strings.TrimLeft(word, "abefinstuTF")
	return word == "index" || len(digits) > 0 && len(digits) < len(word) && strings.Trim(digits, "0123456789") == ""
}

// unknownOp reports, at byte offset off, that no operation has the given name, with a
// suggestion if one is likely.
func (p *Parser) unknownOp(off int, name string) {
	if !strings.Contains(name, ".") && p.expectedEnd() {
		return
	}
	nextByte := p.lexer.at(skipSpace(p.text, p.end)) // an error ends the text
	dialect := LookupDialect(dialectOf(name))
	d := p.ErrorAt(off, "unknown operation '%s'", name).As(CodeUnknownOp)
	at := LocAt(p.src, off)
	_, short := splitName(name)
	switch {
	case dialect != nil && dialect.Internal[short] != "":
		d.Note(at, dialect.Internal[short])
	case dialect != nil && dialect.Read[short] != nil:
		d.Note(at, "write '"+name+"' without quotes: the public sources do not define its generic form")
	case dialect != nil:
		d.Suggest(at, name, opNames(dialect)...)
	case nextByte == '=':
		d.Note(at, "the name of a value begins with %: %"+name).Replace(at, name, "%"+name)
	case !strings.Contains(name, "."):
		for _, other := range Dialects() {
			if full := other.Name + "." + name; Lookup(full) != nil {
				d.DidYouMean(at, name, full)
			}
		}
	default:
		if full := inNearDialect(name); full != "" {
			d.DidYouMean(at, name, full)
			return
		}
		d.Note(at, "dialect '"+dialectOf(name)+"' is not known; --allow-unregistered-dialect accepts its operations in generic form")
	}
}

// inNearDialect returns the full name of an existing operation whose name equals name
// except for a small misspelling of the dialect, or "".
func inNearDialect(name string) string {
	dialect, rest := splitName(name)
	for _, other := range Dialects() {
		full := other.Name + "." + rest
		if Nearest(dialect, []string{other.Name}) != "" && Lookup(full) != nil {
			return full
		}
	}
	return ""
}

// opNames returns the names of all operations of a dialect, those that are only read last.
func opNames(d *Dialect) []string {
	all := d.All()
	names := make([]string, len(all))
	for i, def := range all {
		names[i] = def.Name
	}
	for _, name := range keys(d.Read) {
		names = append(names, d.Name+"."+name)
	}
	return names
}

// Names of the attributes that hold the number of values of each argument.
const (
	operandSegments = "operandSegmentSizes"
	resultSegments  = "resultSegmentSizes"
)

// customOp parses an operation in custom syntax, whose name is at offset off, and returns
// it, or nil after an error.
func (p *Parser) customOp(off int) *Op {
	name := p.Text()
	def := p.lookupCustom(name)
	if def == nil {
		if read := reader(name); read != nil {
			p.next()
			return read(p, off)
		}
		p.unknownOp(off, name)
		return nil
	}
	if len(def.Old) > 0 && slices.Contains(def.Old, name) {
		p.Old(off, name, def.Name)
	}
	if def.Traits&Unregistered != 0 {
		p.Errorf("operation '%s' is not registered; it can only be read in generic form", name)
		return nil
	}
	p.next()
	form := p.customForm(def)
	if form == nil || form.Syntax == nil {
		p.ErrorAt(off, "operation '%s' has no custom form; write it in generic form", def.Name)
		return nil
	}
	st := p.newOpParse(def, form, off)
	saved := p.typeBody
	p.typeBody = form.typeBody
	form.Syntax.Parse(p, st)
	p.typeBody = saved
	if p.misread != nil {
		p.showExample(st)
	}
	op := st.build(p)
	p.memory.pool = append(p.memory.pool, st)
	return op
}

// reader returns the function that parses an operation without a definition, or nil; see
// Dialect.Read. name is the full name of the operation.
func reader(name string) func(p *Parser, off int) *Op {
	dialect, short := splitName(name)
	if d := LookupDialect(dialect); d != nil {
		return d.Read[short]
	}
	return nil
}

// As builds an operation of definition def, whose custom text begins at offset off. The
// function fill adds operands, types and attributes. It returns nil after an error.
func (p *Parser) As(def *Def, off int, fill func(st *OpParse)) *Op {
	st := p.newOpParse(def.Made(), def.Forms[0], off)
	fill(st)
	op := st.build(p)
	p.memory.pool = append(p.memory.pool, st)
	return op
}

// showExample adds a note to the last syntax error. The note contains an example of the
// operation in the same syntax form. If the definition has no such example, showExample
// adds nothing.
func (p *Parser) showExample(st *OpParse) {
	d := p.misread
	p.misread = nil // an enclosing operation must not add its example, too
	for _, text := range st.Def.Examples {
		if strings.Contains(text, " ins(") == (st.Form.Level == DPS) {
			d.Note(LocAt(p.src, st.Off), "an example: "+text)
			return
		}
	}
}

// lookupCustom returns the definition of the operation with the given name in custom
// syntax, or nil. The dialect prefix may be missing, as in "return" and "module", if the
// dialect is one of the default dialects.
func (p *Parser) lookupCustom(name string) *Def {
	if d := Lookup(name); d != nil {
		return d
	}
	for _, dialect := range p.defaults {
		if d := Lookup(dialect + "." + name); d != nil {
			return d
		}
	}
	return nil
}

// atOperationName reports whether the current word is the name of an operation. A word
// with a dot always counts as a name, so that the parser reports a misspelled name as an
// unknown operation. A word without a dot counts only if an operation has this name.
func (p *Parser) atOperationName() bool {
	name := p.Text()
	return strings.Contains(name, ".") || p.lookupCustom(name) != nil
}

// customForm returns the form of d for the operation that is being parsed. If the current
// token is the lead keyword of a form, it returns this form. Otherwise it returns the
// first form without a lead keyword.
func (p *Parser) customForm(d *Def) *Form {
	var plain *Form
	for _, f := range d.Forms {
		if f.Lead != "" && p.At(f.Lead) {
			return f
		}
		if f.Lead == "" && plain == nil {
			plain = f
		}
	}
	if plain == nil && len(d.Forms) > 0 {
		return d.Forms[0]
	}
	return plain
}

// sorted sorts s in place and returns it. Lists in diagnostics must not depend on the
// order of map iteration.
func sorted(s []string) []string {
	slices.Sort(s)
	return s
}
