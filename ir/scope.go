package ir

import (
	"slices"
	"strconv"
)

// Operand is a reference to a value as the text has it: %name or %name#2.
type Operand struct {
	Name  string // with the %
	Index int    // after #, else 0
	Off   int
}

// scope holds the names of values that are visible inside one operation that
// is isolated from above. Names of inner regions are taken out again when the
// region ends.
type scope struct {
	defined  []*valueName         // in the order of definition, for popping
	shadowed []shadow             // what names meant outside
	forward  map[string][]forward // used and not yet defined, by name
}

// valueName is a name of the text, with what it stands for at the moment.
type valueName = named[entry]

// entry is what a name stands for: a value, or several for %x:2.
type entry struct {
	scope *scope // where it is defined, or nil
	v     *Value
	pack  []*Value
	off   int
	hint  *hint // for values of the name; made when first needed
}

type shadow struct {
	name *valueName
	was  entry
}

// forward is a value that stands in for one that is defined further on.
type forward struct {
	v     *Value
	off   int
	index int // of the result that the name stands for, with #
}

// end takes out what is left of the scope.
func (s *scope) end() {
	s.popTo(0)
	for _, h := range s.shadowed {
		h.name.val = h.was
	}
	*s = scope{defined: s.defined}
}

// find returns the entry of a name with its %.
func (p *Parser) find(name string) *valueName {
	name = name[1:]
	return p.memory.names.find(name, hashName(name))
}

// noValue reports that something else stands where a value should.
func (p *Parser) noValue() {
	at, word, kind := LocAt(p.src, p.start), p.Text(), p.kind
	d := p.expected("an SSA value")
	switch kind {
	case tokInt, tokFloat:
		d.Note(at, "operands are values: %c = arith.constant "+clip(word)+" : TYPE makes one")
	case tokIdent:
		if p.find("%"+word).val.scope == p.scope {
			d.Note(at, "did you mean '%"+word+"'?")
		}
	}
}

// Operand reads %name or %name#i.
func (p *Parser) Operand() Operand {
	if p.kind != tokValue {
		p.noValue()
		return Operand{}
	}
	o := Operand{Name: p.Text(), Off: p.start}
	hash := p.end
	p.next()
	// The index follows the name at once: %x#1.
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

// Operands reads %a, %b, ... and may read none.
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

// lookup returns the value an operand refers to, or nil if it is not defined
// yet.
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
	p.ErrorAt(o.Off, "%s has %s, there is no #%d", o.Name, Count(n, "result"), o.Index)
	return nil
}

// Resolve returns the value that o refers to, which must have type t. Where t
// is no type, the value must have been defined in front.
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
	p.ErrorAt(o.Off, "use of value '%s' expects different type than prior uses: '%s' vs '%s'", o.Name, t, v.typ).
		Note(p.defined(o, v), "prior use here")
	return nil
}

// defined returns where v came into the text.
func (p *Parser) defined(o Operand, v *Value) Loc {
	if v.op != nil {
		return v.op.Loc()
	}
	if e := p.find(o.Name).val; e.scope == p.scope {
		return LocAt(p.src, e.off)
	}
	return LocAt(p.src, o.Off)
}

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

// define gives vs the name, which must be new.
func (p *Parser) define(name string, off int, vs ...*Value) {
	if p.bad {
		return
	}
	n := p.find(name)
	e := &n.val
	if e.scope == p.scope && !e.poisoned() {
		p.ErrorAt(off, "redefinition of SSA value '%s'", name).Note(LocAt(p.src, e.off), "previously defined here")
		return
	}
	if p.again != nil {
		p.again.note(name, off)
	}
	if e.scope != nil && e.scope != p.scope {
		p.scope.shadowed = append(p.scope.shadowed, shadow{n, *e})
	}
	e.scope, e.v, e.pack, e.off = p.scope, vs[0], nil, off
	if len(vs) > 1 {
		e.pack = slices.Clone(vs)
	}
	p.scope.defined = append(p.scope.defined, n)
	if isDigit(n.text[0]) { // numbers are given anew when the program is printed
		e.hint = nil
	} else if e.hint == nil {
		e.hint = &p.memory.slabs.hints.take(1)[0]
		*e.hint = hint{n.text, n.hash}
	}
	for _, v := range vs {
		v.hint = e.hint
	}
	if len(p.scope.forward) > 0 {
		p.bindForward(name, vs)
	}
}

// bindForward replaces the stand-ins for a name that is now defined.
func (p *Parser) bindForward(name string, vs []*Value) {
	uses := p.scope.forward[name]
	delete(p.scope.forward, name)
	for _, f := range uses {
		switch {
		case f.index >= len(vs):
			p.scope.forward[name] = append(p.scope.forward[name], f)
		case f.v.typ != vs[f.index].typ:
			p.ErrorAt(f.off, "use of value '%s' expects different type than its definition: '%s' vs '%s'", name, f.v.typ, vs[f.index].typ)
			return
		default:
			f.v.ReplaceAllUses(vs[f.index])
		}
	}
}

// popTo takes out the names that were defined after the mark.
func (s *scope) popTo(mark int) {
	for _, n := range s.defined[mark:] {
		n.val = entry{hint: n.val.hint}
	}
	s.defined = s.defined[:mark]
}

// finishScope reports names that were used and never defined.
func (p *Parser) finishScope() {
	if len(p.scope.forward) > 0 && !p.bad {
		p.reportForward()
	}
}
