// This file resolves value names during parsing.

package ir

import (
	"slices"
	"strconv"
)

// Operand is a reference to an SSA value in the text: %name or %name#2.
type Operand struct {
	// Name is the name with the %.
	Name string
	// Index is the number after #, which selects a result of a group; 0 if there is none.
	Index int
	// Off is the byte offset of the name in the text.
	Off int
}

// scope holds the value names that are visible inside one operation that is isolated from
// above. The names defined in a nested region are removed at the end of that region.
type scope struct {
	// defined is a stack of the names that the scope defines, in the order of definition.
	defined []*valueName
	// shadowed are the entries of outer scopes that names of this scope hide. They are
	// restored when the scope ends.
	shadowed []shadow
	// forward maps each name that is used before its definition to placeholders for its
	// values.
	forward map[string][]forward
}

// valueName is a name in the text with the value that it currently refers to.
type valueName = named[entry]

// entry is what a name refers to: a value, or a group of values for %x:2. A name without
// a value is poisoned: its definition has failed, and its uses are not reported (see
// recover.go).
type entry struct {
	// scope is the scope that defines the name, or nil.
	scope *scope
	// v is the value, or the first value of a group; nil if the name is poisoned.
	v *Value
	// pack are the values of a group; it is nil for a single value.
	pack []*Value
	// off is the offset of the definition.
	off int
	// hint is the shared name hint of the values with this name; it is created on first
	// use.
	hint *hint
}

// shadow is an entry of an outer scope that an inner scope hides, to be restored when the
// inner scope ends.
type shadow struct {
	name *valueName
	was  entry
}

// forward is a placeholder for a value that the text defines after its use.
type forward struct {
	// v is the placeholder value.
	v *Value
	// off is the byte offset of the first use.
	off int
	// index is the result number after # in the use.
	index int
}

// end removes the names that the scope defines and restores the hidden entries of outer
// scopes.
func (s *scope) end() {
	s.popTo(0)
	for _, h := range s.shadowed {
		h.name.val = h.was
	}
	*s = scope{defined: s.defined}
}

// find returns the entry for a value name, which includes its %. It adds an empty entry
// if there is none.
func (p *Parser) find(name string) *valueName {
	name = name[1:]
	return find(&p.memory.names, name, hashName(name))
}

// noValue reports that the current token is not an SSA value. It adds a note for the two
// usual mistakes: a literal number, and a name without %.
func (p *Parser) noValue() {
	at, word, kind := LocAt(p.src, p.start), p.Text(), p.kind
	d := p.expected("an SSA value")
	switch kind {
	case tokInt, tokFloat:
		d.Note(at, "operands are values: %c = arith.constant "+clip(word)+" : TYPE makes one")
	case tokIdent:
		if p.find("%"+word).val.scope == p.scope {
			d.DidYouMean(at, word, "%"+word)
		}
	}
}

// Operand parses a value reference %name or %name#i.
func (p *Parser) Operand() Operand {
	if p.kind != tokValue {
		p.noValue()
		return Operand{}
	}
	o := Operand{Name: p.Text(), Off: p.start}
	hash := p.end
	if p.opts.Index != nil {
		p.indexUse(o)
	}
	p.next()
	// "#" belongs to the operand only if it follows without a blank.
	if p.kind == tokHash && p.start == hash {
		n, err := strconv.Atoi(p.text[p.start+1 : p.end])
		if err != nil {
			p.expected("a result number")
			return Operand{}
		}
		o.Index = n
		p.next()
	}
	return o
}

// Operands parses a list of value references %a, %b, ..., which may be empty. It appends
// them to the slice into and returns the extended slice.
func (p *Parser) Operands(into []Operand) []Operand {
	if p.kind != tokValue {
		return into
	}
	into = append(into, p.Operand())
	for p.accept(',') {
		into = append(into, p.Operand())
	}
	return into
}

// lookup returns the value that an operand refers to, or nil if it is not defined yet or
// its definition has failed.
func (p *Parser) lookup(o Operand) *Value {
	e := &p.find(o.Name).val
	switch {
	case e.scope != p.scope || e.poisoned():
		return nil
	case e.pack == nil && o.Index == 0:
		return e.v
	case o.Index < len(e.pack):
		return e.pack[o.Index]
	}
	n := max(1, len(e.pack))
	p.ErrorAt(o.Off, "%s has %s, but this use refers to result #%d", o.Name, Count(n, "result"), o.Index).As(CodeUndeclared)
	return nil
}

// Resolve returns the value with the name and number in o. t is its expected type, or the
// zero Type if any type is legal. In the latter case, the definition must precede the use
// in the text. Resolve reports an error if the name is undefined or the value has a
// different type.
func (p *Parser) Resolve(o Operand, t Type) *Value {
	if p.bad {
		return nil
	}
	v := p.lookup(o)
	switch {
	case v != nil || p.bad:
	case p.poisoned(o):
		return p.stand(t)
	default:
		v = p.forwardRef(o, t)
	}
	if p.bad || t.IsZero() || v.typ == t {
		return v
	}
	if p.again.mismatches(v, t) {
		return p.stand(t)
	}
	p.ErrorAt(o.Off, "use of value '%s' expects different type than prior uses: '%s' vs '%s'", o.Name, t, v.typ).As(CodeOtherType).
		Note(p.defined(o, v), "prior use here")
	return nil
}

// defined returns the location of the definition of the value v, to which the operand o
// refers. If the text has not defined v yet, defined returns the location of its first
// use.
func (p *Parser) defined(o Operand, v *Value) Loc {
	if v.op != nil {
		return v.op.Loc()
	}
	if e := p.find(o.Name).val; e.scope == p.scope {
		return LocAt(p.src, e.off)
	}
	return LocAt(p.src, o.Off)
}

// forwardRef returns a placeholder value of type t for a value that the text has not
// defined yet. All uses of the same name and index share one placeholder.
func (p *Parser) forwardRef(o Operand, t Type) *Value {
	for _, f := range p.scope.forward[o.Name] {
		if f.index == o.Index {
			return f.v
		}
	}
	if t.IsZero() {
		p.undeclared(o.Off, o.Name)
		return nil
	}
	v := &Value{typ: t}
	if p.scope.forward == nil {
		p.scope.forward = map[string][]forward{}
	}
	p.scope.forward[o.Name] = append(p.scope.forward[o.Name], forward{v, o.Off, o.Index})
	return v
}

// define binds the value name at offset off to the values vs. It reports an error if the
// scope already defines the name.
func (p *Parser) define(name string, off int, vs ...*Value) {
	if p.bad {
		return
	}
	n := p.find(name)
	e := &n.val
	if e.scope == p.scope && !e.poisoned() {
		p.ErrorAt(off, "redefinition of SSA value '%s'", name).As(CodeRedefined).Note(LocAt(p.src, e.off), "previously defined here")
		return
	}
	if p.again != nil {
		p.again.note(name, off)
	}
	if e.scope != nil && e.scope != p.scope {
		p.scope.shadowed = append(p.scope.shadowed, shadow{n, *e})
	}
	p.opts.Index.define(name, off, vs)
	e.scope, e.v, e.pack, e.off = p.scope, vs[0], nil, off
	if len(vs) > 1 {
		e.pack = slices.Clone(vs)
	}
	p.scope.defined = append(p.scope.defined, n)
	if isDigit(n.text[0]) { // the printer numbers values again, so numbers are not hints
		e.hint = nil
	} else if e.hint == nil {
		e.hint = &take(&p.memory.slabs.hints, 1)[0]
		*e.hint = hint{n.text, n.hash}
	}
	for _, v := range vs {
		v.hint = e.hint
	}
	if len(p.scope.forward) > 0 {
		p.bindForward(name, vs)
	}
}

// bindForward is called when the text defines name with the values vs. It replaces the
// placeholders, which stand for name in earlier uses, by these values. It reports an
// error if a placeholder and its value have different types.
func (p *Parser) bindForward(name string, vs []*Value) {
	uses := p.scope.forward[name]
	delete(p.scope.forward, name)
	for _, f := range uses {
		switch {
		case f.index >= len(vs):
			p.scope.forward[name] = append(p.scope.forward[name], f)
		case f.v.typ != vs[f.index].typ:
			p.ErrorAt(f.off, "use of value '%s' expects different type than its definition: '%s' vs '%s'", name, f.v.typ, vs[f.index].typ).As(CodeOtherType)
			return
		default:
			f.v.ReplaceAllUses(vs[f.index])
		}
	}
}

// popTo removes the most recently defined names from the stack of names, until its length
// is mark. The caller has stored the length of the stack at an earlier time and passes it
// as mark.
func (s *scope) popTo(mark int) {
	for _, n := range s.defined[mark:] {
		n.val = entry{hint: n.val.hint}
	}
	s.defined = s.defined[:mark]
}

// finishScope reports the names that were used but never defined.
func (p *Parser) finishScope() {
	if len(p.scope.forward) > 0 && !p.bad {
		p.reportForward()
	}
}
