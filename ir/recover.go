package ir

import (
	"cmp"
	"slices"
	"strings"
)

// A text is read without recovery first: that parser stops at its first error
// and pays nothing for what this file does. Only if a text is wrong is it read
// again, on one goroutine, by a parser with a recovery, which goes on after the
// operation that an error is in and so finds the errors that follow.
//
// A failed operation leaves names undefined. recovery poisons them: an operation
// that uses a poisoned value reports nothing about it. Braces without a
// counterpart are found in advance (braces.go), so that one missing brace
// does not shift the meaning of everything after it.

// recovery is what a parser keeps to go on after errors. A parser without one
// is nil here.
type recovery struct {
	braces  braces
	errors  int   // reported so far
	places  []int // where they are
	over    bool  // the parser gives up at its next error
	ended   bool  // the missing end of a region at the end of the text is reported
	stopped int   // where the parser was when it stopped
	closed  int   // where the last region that was read ends
	aliases map[string]bool
	// mismatched are values with the types that the text gives them wrongly.
	mismatched map[mismatch]bool
	named      []namedAt // names of values in the order of the text
	inside     int       // first of named in the function that is read
}

// mismatch is a value with a type that is not its own.
type mismatch struct {
	v *Value
	t Type
}

// mismatches reports whether a use of v with the type t has been reported before:
// then the definition is probably wrong, and the other uses follow from it.
func (r *recovery) mismatches(v *Value, t Type) bool {
	if r == nil {
		return false
	}
	m := mismatch{v, t}
	known := r.mismatched[m]
	r.mismatched[m] = true
	return known
}

// namedAt is a name of a value and where the text defines it.
type namedAt struct {
	name string
	off  int
}

// Bounds on the work for texts that hardly are programs.
const (
	MaxParseErrors = 10_000 // that are reported of a text
	maxSuggestions = 100    // errors with suggestions, which look at all names
	maxLookahead   = 64     // tokens to see whether a line starts an operation
)

// ReadText reads a text with read, which returns nil after an error. A text with
// errors is read once more to find all of them.
func ReadText(src *Source, opts ParseOptions, diags *Diags, read func(p *Parser) *Op) *Op {
	var found Diags
	try := func(prepare func(p *Parser)) (*Op, *forks) {
		found = Diags{}
		p := NewParser(src, opts, &found)
		prepare(p)
		return read(p), p.forked
	}
	plainly := func(p *Parser) {}
	op, forked := try(func(p *Parser) { p.forked.guess = true })
	if op == nil && forked.guessed.Load() {
		// A wrong guess looks like an error, too; only now it matters which.
		op, forked = try(plainly)
	}
	switch {
	case op == nil:
		opts.Sequential = true
		op, _ = try((*Parser).goOnAfterErrors)
	case forked.old.renew && !opts.Sequential:
		// Which of several parts comes first, and so where warnings stand, is
		// certain only one after the other.
		opts.Sequential = true
		op, _ = try(plainly)
	}
	diags.take(&found)
	return op
}

// goOnAfterErrors makes the parser, which has read nothing yet, go on after errors.
func (p *Parser) goOnAfterErrors() {
	if p.bad {
		return
	}
	p.again = &recovery{braces: findBraces(p.src), aliases: map[string]bool{}, mismatched: map[mismatch]bool{}}
	if len(p.again.braces.stray) > 0 {
		p.text = p.again.braces.without(p.text)
	}
	p.jump(0)
}

// fail stops the parser without a message: it is at the end of the text from now
// on, where every method reads nothing. A parser that recovers fails so at what
// follows from an error that has been reported.
func (p *Parser) fail() {
	if p.bad {
		return
	}
	if p.bad = true; p.again != nil {
		p.again.stopped = p.start
	}
	p.kind, p.start, p.end = tokEOF, len(p.text), len(p.text)
}

// count counts an error that has been reported. The parser gives up after many.
func (r *recovery) count(d *Diag) {
	r.places = append(r.places, d.Loc.off)
	if r.errors++; r.errors == MaxParseErrors {
		r.over = true
		d.Note(Loc{}, "there are too many errors: the text after this one was not read")
	}
}

// giveUp makes the error that is being reported the last one.
func (p *Parser) giveUp() {
	if p.again != nil {
		p.again.over = true
	}
}

// Statement reads one statement with read. After an error in it, a parser that
// recovers goes on at the next one.
func (p *Parser) Statement(read func()) {
	start := p.start
	read()
	p.goOn(start)
}

// aside reports errors with report and goes on at the same token, if the parser
// recovers: for errors that have no part in how the text is read on.
func (p *Parser) aside(report func()) {
	at := p.lexer
	report()
	if p.again != nil && p.bad && !p.again.over {
		p.lexer, p.bad, p.misread = at, false, nil
	}
}

// goOn moves a parser that recovers and has failed to the next statement after
// the one at start.
func (p *Parser) goOn(start int) {
	if !p.bad || p.again == nil || p.again.over {
		return
	}
	p.bad, p.misread = false, nil
	p.listState, p.mayBeLate, p.before = listState{}, false, p.before[:0]
	p.skipStatement(start)
}

// skipStatement moves to the next statement after the one at start, which has
// failed, and poisons the names that it would have defined. The regions of the
// statement that have not been read are read for their errors.
func (p *Parser) skipStatement(start int) {
	r := p.again
	from := max(start, r.closed)
	p.jump(start)
	def := p.statementDef()
	p.jump(from)
	p.poisonLine(start)
	depth := 0
	names := p.undefinedNames(start, from)
	for p.kind != tokEOF {
		if p.start > from || from > start {
			if r.braces.missing[p.start] > 0 || p.startsStatement(start, depth) {
				break
			}
		}
		switch p.kind {
		case tokValue:
			names = p.undefinedName(names)
		case tokBad:
			p.skipBadToken()
			continue
		case '{':
			if p.opensRegion() {
				p.orphan(names, def)
				continue
			}
			depth++
		case '}':
			if depth == 0 && p.start > start {
				p.poison(names)
				return
			}
			depth = max(0, depth-1)
		}
		p.next()
	}
	p.poison(names)
}

// statementDef returns the definition of the operation whose statement starts
// here, or nil.
func (p *Parser) statementDef() *Def {
	for range maxLookahead {
		switch p.kind {
		case tokIdent:
			return p.lookupCustom(p.Text())
		case tokString:
			name, _ := unquote(p.Text())
			return Lookup(name)
		case tokValue, tokInt, ',', ':', '=':
			p.next()
		default:
			return nil
		}
	}
	return nil
}

// undefinedNames returns the names from one offset up to another that mean
// nothing here.
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

// undefinedName adds the name that stands here, if it means nothing.
func (p *Parser) undefinedName(names []string) []string {
	if p.find(p.Text()).val.scope == p.scope {
		return names
	}
	return append(names, p.Text())
}

// poison marks names as those of values that a failed operation would have
// defined, or that have been reported as undefined.
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

// poisonLine poisons the values that the line of an offset defines before it. If
// an operation is followed by something else on its line, it has probably ended
// too early.
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

// poisoned reports whether the operand names a poisoned value.
func (p *Parser) poisoned(o Operand) bool {
	e := &p.find(o.Name).val
	return e.scope == p.scope && e.poisoned()
}

func (e *entry) poisoned() bool { return e.v == nil }

// stand returns a value in place of a poisoned one, if the text gives its type.
// It only lets the operation be checked further.
func (p *Parser) stand(t Type) *Value {
	if t.IsZero() {
		p.fail()
		return nil
	}
	return &Value{typ: t}
}

// startsStatement reports whether the current token starts a statement after
// the one at start: it is the first on its line and looks like an operation, or
// is indented no more than the statement. depth counts open braces.
func (p *Parser) startsStatement(start, depth int) bool {
	if !p.firstOnLine() {
		return p.kind == ';' && depth == 0
	}
	switch p.kind {
	case tokBlock:
		next := p.lexer.at(skipSpace(p.text, p.end))
		return next == ':' || next == '('
	case tokHash, tokBang:
		return p.followedByEquals()
	case tokIdent:
		if p.atOperationName() && !p.followedByEquals() {
			return true
		}
		if p.start == p.again.stopped {
			return false // the error is about this word
		}
	case tokString:
		if p.lexer.at(p.end) == '(' && (depth == 0 || p.src.column(p.start) <= p.src.column(start)) {
			return true
		}
	case tokValue:
		if p.definesValue() {
			return true
		}
	case '.':
	default:
		return false
	}
	return depth == 0 && p.src.column(p.start) <= p.src.column(start)
}

// definesValue reports whether names of results and an operation follow.
func (p *Parser) definesValue() bool {
	ahead := p.lexer
	for range maxLookahead {
		switch ahead.kind {
		case tokValue, tokInt, ',', ':':
			ahead.next()
		case '=':
			ahead.next()
			return ahead.kind == tokIdent || ahead.kind == tokString
		default:
			return false
		}
	}
	return false
}

// firstOnLine reports whether the current token is the first one on its line.
func (p *Parser) firstOnLine() bool { return firstOnLine(p.text, p.start) }

func firstOnLine(text string, off int) bool {
	for off > 0 && (text[off-1] == ' ' || text[off-1] == '\t') {
		off--
	}
	return off == 0 || text[off-1] == '\n'
}

// opensRegion reports whether the brace that stands here is the last token on
// its line, as the one that opens a region usually is.
func (p *Parser) opensRegion() bool {
	next := skipSpace(p.text, p.end)
	return strings.Contains(p.text[p.end:next], "\n")
}

// skipBadToken moves past a token that is none. A string that is not closed ends
// with its line.
func (p *Parser) skipBadToken() {
	n := strings.IndexByte(p.text[p.start:], '\n')
	if c := p.text[p.start]; c != '"' && c != '@' || n < 0 {
		p.jump(max(p.end, p.start+1))
		return
	}
	p.jump(p.start + n)
}

// orphan reads a region of an operation that has failed. names are what the
// text of the operation may define for it.
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

// enterFunction begins a text that sees no values from outside; the function
// that it returns ends it.
func (r *recovery) enterFunction() (leave func()) {
	if r == nil {
		return func() {}
	}
	saved := r.inside
	r.inside = len(r.named)
	return func() { r.named, r.inside = r.named[:r.inside], saved }
}

// isMissing reports whether a region should have ended before an offset.
func (r *recovery) isMissing(off int) bool { return r != nil && r.braces.missing[off] > 0 }

// missingBrace reports that the region that opens at an offset should have ended
// before the current token.
func (p *Parser) missingBrace(open int) {
	at := p.start
	p.again.braces.missing[at]--
	p.aside(func() {
		p.expected("'}'").also(
			Note{LocAt(p.src, open), "it belongs to this '{'"},
			Note{LocAt(p.src, at), "the text from here on is indented as if the region had ended"})
	})
}

// openAtEnd reports that the text ends before the region that opens at an offset.
// Regions around it are open, too, which follows from that.
func (p *Parser) openAtEnd(open int) {
	if r := p.again; r != nil && p.kind == tokEOF {
		if r.ended {
			p.fail()
			return
		}
		r.ended = true
	}
	p.expected("'}'").Note(LocAt(p.src, open), "it belongs to this '{'")
}

// closedRegion notes where a region ends.
func (r *recovery) closedRegion(p *Parser) {
	switch {
	case r == nil:
	case p.bad:
		r.closed = r.stopped
	default:
		r.closed = p.prevEnd
	}
}

// note records the name of a value for suggestions.
func (r *recovery) note(name string, off int) { r.named = append(r.named, namedAt{name, off}) }

// undeclared reports the use of a name that means nothing, once for each name.
func (p *Parser) undeclared(off int, name string) {
	p.ErrorAt(off, "use of undeclared SSA value name '%s'", name).also(p.meant(off, name)...)
	if p.again != nil {
		p.poison([]string{name})
	}
}

// also appends notes.
func (d *Diag) also(notes ...Note) { d.Notes = append(d.Notes, notes...) }

// clean reports whether no error has been reported.
func (r *recovery) clean() bool { return r == nil || r.errors == 0 }

// poisonAlias marks an alias, with its # or !, whose definition has failed.
func (r *recovery) poisonAlias(alias string) {
	if r != nil {
		r.aliases[alias] = true
	}
}

// poisonedAlias reports whether the definition of an alias has failed.
func (r *recovery) poisonedAlias(alias string) bool { return r != nil && r.aliases[alias] }

// finishBraces reports the stray braces of the text, apart from those that an
// error at the head of their region explains.
func (p *Parser) finishBraces() {
	for _, s := range p.again.braces.stray {
		if p.again.reportedIn(s.head, s.next) {
			continue
		}
		p.aside(func() {
			p.ErrorAt(s.off, "expected an operation, found '}'").Note(LocAt(p.src, s.off), "it closes nothing: every '{' before it that is indented like it is closed")
		})
	}
}

// reportedIn reports whether an error is at an offset from from to to.
func (r *recovery) reportedIn(from, to int) bool {
	return slices.ContainsFunc(r.places, func(off int) bool { return from <= off && off <= to })
}

// suggests reports whether errors still come with suggestions.
func (p *Parser) suggests() bool { return p.again == nil || p.again.errors <= maxSuggestions }

// meant returns notes about the value that a use of an undeclared name may mean:
// one of that name in a region that does not enclose the use, or one of a
// similar name anywhere in the function.
func (p *Parser) meant(off int, name string) []Note {
	r := p.again
	if r == nil || !p.suggests() {
		return nil
	}
	var names []string
	for _, n := range r.named[r.inside:] {
		if n.name == name {
			return []Note{{LocAt(p.src, n.off), "'" + name + "' is defined here, in a region that the use is not in"}}
		}
		names = append(names, n.name[1:])
	}
	if near := Nearest(name[1:], names); near != "" {
		return []Note{{LocAt(p.src, off), "did you mean '%" + near + "'?"}}
	}
	return nil
}

// reportForward reports names that were used and never defined.
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
