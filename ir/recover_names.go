// This file handles names that are undefined because of an earlier error, and suggests
// names that the program could mean.

package ir

import (
	"cmp"
	"slices"
	"strings"
)

// A correct text is read without any recovery: the first parser stops at its first
// error, so the code of this file costs it nothing. Only a wrong text is read
// again, on one goroutine. That parser has a recovery: after an error it continues
// with the next statement, so that it finds all errors.
//
// An operation that fails leaves names undefined. The recovery poisons these names:
// an operation that uses a poisoned value causes no error because of it. Braces
// without a counterpart are found in advance (braces.go), so that a missing brace
// does not change the nesting of the rest of the text.

// undefinedNames searches the text between the byte offsets from and to for names of
// values. It returns the names that are not defined in the current scope.
func (p *Parser) undefinedNames(from, to int) (names []string) {
	if from == to {
		return nil
	}
	at := p.lexer
	for p.jump(from); p.kind != tokEOF && p.start < to; p.next() {
		switch p.kind {
		case tokValue:
			names = p.undefinedName(names)
		case tokBad:
			p.skipBadToken()
		case '{':
			if p.opensRegion() { // names inside are not those of the statement
				p.jump(to)
			}
		}
	}
	p.lexer = at
	return names
}

// undefinedName appends the value name at the current token to names if it is not defined
// in the current scope.
func (p *Parser) undefinedName(names []string) []string {
	if p.find(p.Text()).val.scope == p.scope {
		return names
	}
	return append(names, p.Text())
}

// poison marks names as poisoned, which means that their uses are not reported as
// undefined. Either a failed operation would have defined them, or the missing definition
// has already been reported.
func (p *Parser) poison(names []string) {
	for _, name := range names {
		delete(p.scope.forward, name)
		if n := p.find(name); n.val.scope != p.scope {
			if n.val.scope != nil {
				p.scope.shadowed = append(p.scope.shadowed, shadow{n, n.val})
			}
			n.val = entry{scope: p.scope, hint: n.val.hint}
			p.scope.defined = append(p.scope.defined, n)
		}
	}
}

// poisonLine poisons the values that are defined on the line of offset off, before this
// offset. Uses of a poisoned value are not reported. The caller has found unexpected text
// after an operation on this line; the operation was probably parsed wrongly, so its
// results are not reliable.
func (p *Parser) poisonLine(off int) {
	line := p.src.lineStart(off)
	for i := len(p.scope.defined) - 1; i >= 0; i-- {
		e := &p.scope.defined[i].val
		if e.scope != p.scope || e.off < line || e.off >= off {
			return
		}
		e.v, e.pack = nil, nil
	}
}

// poisoned reports whether the operand refers to a name whose definition has failed; see
// poison.
func (p *Parser) poisoned(o Operand) bool {
	e := &p.find(o.Name).val
	return e.scope == p.scope && e.poisoned()
}

// poisoned reports whether the definition of the name to which the entry belongs has
// failed, so that the name refers to no value.
func (e *entry) poisoned() bool { return e.v == nil }

// stand returns a placeholder of type t for a name whose definition could not be parsed.
// With the placeholder, the rest of the operation can be checked. If t is the zero Type,
// stand makes the parser fail without a diagnostic.
func (p *Parser) stand(t Type) *Value {
	if t.IsZero() {
		p.fail()
		return nil
	}
	return &Value{typ: t}
}

// orphan parses a region of an operation that could not be parsed, to find further errors
// in the region. names are the undefined names in the text before the region; the
// operation may define them as block arguments. def is the definition of the operation,
// or nil.
func (p *Parser) orphan(names []string, def *Def) {
	at := p.start
	r := NewRegion()
	isolated := def != nil && def.Traits&IsolatedFromAbove != 0
	body := func() {
		p.poison(names)
		p.regionBody(r, nil)
	}
	if isolated {
		p.isolated(body)
	} else {
		mark := len(p.scope.defined)
		body()
		p.scope.popTo(mark)
	}
	if p.bad && !p.again.over { // the text has ended
		p.bad = false
		p.jump(max(p.again.stopped, at+1))
	}
}

// note records a value name and the offset of its definition, for later suggestions.
func (r *recovery) note(name string, off int) { r.named = append(r.named, namedAt{name, off}) }

// undeclared reports the use of an undefined name at offset off. It also poisons the
// name, so each name is reported only once.
func (p *Parser) undeclared(off int, name string) {
	p.ErrorAt(off, "use of undeclared SSA value name '%s'", name).As(CodeUndeclared).also(p.meant(off, name)...)
	if p.again != nil {
		p.poison([]string{name})
	}
}

// poisonAlias records that the definition of an alias has an error. alias includes the #
// or !.
func (r *recovery) poisonAlias(alias string) {
	if r != nil {
		r.aliases[alias] = true
	}
}

// poisonedAlias reports whether the definition of the alias had an error. If r is nil,
// the parser stops at the first error, so the result is false.
func (r *recovery) poisonedAlias(alias string) bool { return r != nil && r.aliases[alias] }

// reportedIn reports whether the parser has reported an error at a byte offset in a
// closed range. from and to are the first and the last offset of the range.
func (r *recovery) reportedIn(from, to int) bool {
	return slices.ContainsFunc(r.places, func(off int) bool { return from <= off && off <= to })
}

// suggests reports whether diagnostics should still contain suggestions of similar names.
// Computing a suggestion is slow, so the parser stops suggesting after maxSuggestions
// errors in a text.
func (p *Parser) suggests() bool { return p.again == nil || p.again.errors <= maxSuggestions }

// meant returns notes that suggest what the undeclared name at offset off may refer to.
// The suggestion is a value of the same name in a region that does not enclose the use.
// If there is none, it is a value with a similar name in the same function.
func (p *Parser) meant(off int, name string) []Note {
	r := p.again
	if r == nil || !p.suggests() {
		return nil
	}
	var names []string
	for _, n := range r.named[r.inside:] {
		if n.name == name {
			return []Note{{Loc: LocAt(p.src, n.off), Text: "'" + name + "' is defined here, in a region that the use is not in"}}
		}
		names = append(names, n.name[1:])
	}
	near := Nearest(name[1:], names)
	if near == "" {
		return nil
	}
	notes := (&Diag{}).DidYouMean(LocAt(p.src, off), name, "%"+near).Notes
	if !p.misspelt(name, "%"+near) {
		notes[0].Fix = nil
	}
	return notes
}

// misspelt reports whether one of two names is so likely a misspelling of the other that
// an edit may replace it. Names with different numbers are different values. A name that
// the text has several times is missing rather than misspelt, unless nothing uses the
// other one.
func (p *Parser) misspelt(name, near string) bool {
	return digits(name) == digits(near) && (p.occurrences(name) == 1 || p.occurrences(near) == 1)
}

// digits returns the decimal digits of a name, in order.
func digits(name string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, name)
}

// occurrences counts how often the text has the name of a value.
func (p *Parser) occurrences(name string) int {
	n := 0
	for text := p.src.Text; ; {
		i := strings.Index(text, name)
		if i < 0 {
			return n
		}
		if text = text[i+len(name):]; text == "" || !isNameByte(text[0]) {
			n++
		}
	}
}

// reportForward reports the names that are used but never defined, each at its
// first use.
func (p *Parser) reportForward() {
	type use struct {
		name string
		off  int
	}
	var uses []use
	for name, fs := range p.scope.forward {
		first := slices.MinFunc(fs, func(a, b forward) int { return cmp.Compare(a.off, b.off) })
		uses = append(uses, use{name, first.off})
	}
	slices.SortFunc(uses, func(a, b use) int { return cmp.Compare(a.off, b.off) })
	for _, u := range uses {
		p.aside(func() { p.undeclared(u.off, u.name) })
	}
}
