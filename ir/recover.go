// This file lets the parser continue after a syntax error, so that one run reports
// several.

package ir

import (
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

// recovery is the state of a parser that continues after errors. It is nil in a parser
// that stops at the first error, so its methods accept a nil receiver.
type recovery struct {
	// braces are the braces of the text that have no matching brace.
	braces braces
	// errors is the number of reported errors.
	errors int
	// places are the offsets of the reported errors.
	places []int
	// over makes the parser stop for good at its next error.
	over bool
	// ended reports whether the missing brace of a region at the end of the text has been
	// reported.
	ended bool
	// stopped is the offset at which the parser met the last error.
	stopped int
	// closed is the offset after the last region that was parsed.
	closed int
	// aliases are the aliases whose definition has an error. Uses of them are not
	// reported again.
	aliases map[string]bool
	// mismatched is the set of reported type errors: pairs of a value and a different
	// type that a use in the text specifies.
	mismatched map[mismatch]bool
	// named are all value names parsed so far, in the order of the text.
	named []namedAt
	// inside is the index in named of the first name in the current function.
	inside int
}

// mismatch is a value together with a wrong type that a use specifies for it.
type mismatch struct {
	v *Value
	t Type
}

// mismatches records a use of v with the wrong type t. It returns true if an earlier use
// with the same wrong type has been reported. Then the definition of v is probably wrong,
// and further errors would only repeat the first one.
func (r *recovery) mismatches(v *Value, t Type) bool {
	if r == nil {
		return false
	}
	m := mismatch{v, t}
	known := r.mismatched[m]
	r.mismatched[m] = true
	return known
}

// namedAt is the name of a value with the offset of its definition.
type namedAt struct {
	name string
	off  int
}

// Bounds on the work of a parser that continues after errors, so that a text that is not
// a program at all costs little time.
const (
	MaxParseErrors = 10_000 // errors after which the parser stops
	maxSuggestions = 100    // errors with suggestions, each of which compares all names
	maxLookahead   = 64     // tokens that are inspected to decide whether a line starts an operation
)

// ReadText parses the text of src. It calls the function read, which must parse the whole
// text and return nil after an error. ReadText returns the result of read. If the text
// has errors, ReadText calls read a second time, with a parser that continues after
// errors. opts are the options of the parser, and the parameter diags receives the
// diagnostics.
func ReadText(src *Source, opts ParseOptions, diags *Diags, read func(p *Parser) *Op) *Op {
	var found Diags
	try := func(prepare func(p *Parser)) (*Op, *forks) {
		found = Diags{}
		opts.Index.reset()
		p := NewParser(src, opts, &found)
		prepare(p)
		return read(p), p.forked
	}
	plainly := func(p *Parser) {}
	op, forked := try(func(p *Parser) { p.forked.guess = true })
	if op == nil && forked.guessed.Load() {
		// A wrong guess of guessEnd looks like an error. Reading without guesses
		// decides.
		op, forked = try(plainly)
	}
	switch {
	case op == nil:
		opts.Sequential = true
		op, _ = try((*Parser).goOnAfterErrors)
		found.keepHelpful(src, func(edited *Source) []*Diag {
			var errors Diags
			p := NewParser(edited, ParseOptions{AllowUnregistered: opts.AllowUnregistered, Sequential: true}, &errors)
			p.goOnAfterErrors()
			read(p)
			return errors.All()
		})
	case forked.old.renew && !opts.Sequential:
		// Only a sequential parser determines which use of an outdated form is the
		// first one, which the warning reports.
		opts.Sequential = true
		op, _ = try(plainly)
	}
	opts.Index.finish()
	diags.take(&found)
	return op
}

// goOnAfterErrors switches p to the mode in which it continues after errors. p must be at
// the start of the text.
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

// fail puts the parser in the error state without a diagnostic. It moves to the end of
// the text, where every method reads nothing. Callers use fail directly for consequences
// of an error that has already been reported.
func (p *Parser) fail() {
	if p.bad {
		return
	}
	if p.bad = true; p.again != nil {
		p.again.stopped = p.start
	}
	p.kind, p.start, p.end = tokEOF, len(p.text), len(p.text)
}

// count records the reported error d. After MaxParseErrors errors, count sets a flag that
// stops the parser.
func (r *recovery) count(d *Diag) {
	r.places = append(r.places, d.Loc.off)
	if r.errors++; r.errors == MaxParseErrors {
		r.over = true
		d.Note(Loc{}, "there are too many errors: the text after this one was not read")
	}
}

// Statement parses one statement by calling read. If the statement has an error, a parser
// that continues after errors moves to the next statement.
func (p *Parser) Statement(read func()) {
	start := p.start
	read()
	p.goOn(start)
}

// aside calls the function report, which reports an error, and then restores the position
// of the parser in the text. It is for errors after which the parser can continue at the
// same token. If the parser stops at the first error anyway, aside does not restore the
// position.
func (p *Parser) aside(report func()) {
	at := p.lexer
	report()
	if p.again != nil && p.bad && !p.again.over {
		p.lexer, p.bad, p.misread = at, false, nil
	}
}

// goOn clears the error state of a parser that continues after errors. It moves the
// parser to the statement that follows the failed one, which starts at offset start.
func (p *Parser) goOn(start int) {
	if !p.bad || p.again == nil || p.again.over {
		return
	}
	p.bad, p.misread = false, nil
	p.listState, p.mayBeLate, p.before = listState{}, false, p.before[:0]
	p.skipStatement(start)
}

// skipStatement moves to the statement that follows the failed one, which starts at
// offset start. It marks the names that the failed statement would define as poisoned, so
// that their uses cause no further errors. It still parses the remaining regions of the
// failed statement, to find errors in them.
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

// statementDef returns the definition of the operation in the statement that starts at
// the current token, or nil if its name is not found.
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

// startsStatement reports whether the current token starts the statement that follows the
// failed one at offset start. The token must be the first on its line. It must look like
// the start of an operation, or be indented no more than the failed statement. The
// parameter depth is the number of braces that have been opened since start.
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

// definesValue reports whether the next tokens are result names, "=" and an
// operation.
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

// firstOnLine reports whether there are only blanks before off on its line.
func firstOnLine(text string, off int) bool {
	for off > 0 && (text[off-1] == ' ' || text[off-1] == '\t') {
		off--
	}
	return off == 0 || text[off-1] == '\n'
}

// opensRegion reports whether the current brace is the last token on its line. Printers
// put the opening brace of a region at the end of a line, but not that of a dictionary.
func (p *Parser) opensRegion() bool {
	next := skipSpace(p.text, p.end)
	return strings.Contains(p.text[p.end:next], "\n")
}

// skipBadToken moves past a token that the lexer could not read. For an unterminated
// string it moves to the end of the line.
func (p *Parser) skipBadToken() {
	n := strings.IndexByte(p.text[p.start:], '\n')
	if c := p.text[p.start]; c != '"' && c != '@' || n < 0 {
		p.jump(max(p.end, p.start+1))
		return
	}
	p.jump(p.start + n)
}

// enterFunction records the start of a function body, in which names of other functions
// are not suggested. The caller calls the returned function at the end of the body.
func (r *recovery) enterFunction() (leave func()) {
	if r == nil {
		return func() {}
	}
	saved := r.inside
	r.inside = len(r.named)
	return func() { r.named, r.inside = r.named[:r.inside], saved }
}

// isMissing reports whether a closing brace is missing before the token at offset off.
func (r *recovery) isMissing(off int) bool { return r != nil && r.braces.missing[off] > 0 }

// missingBrace reports that the closing brace of a region is missing before the current
// token. open is the offset of the opening brace of the region.
func (p *Parser) missingBrace(open int) {
	at := p.start
	p.again.braces.missing[at]--
	p.aside(func() {
		p.expected("'}'").As(CodeBrace).also(
			Note{Loc: LocAt(p.src, open), Text: "it belongs to this '{'"},
			Note{Loc: LocAt(p.src, at), Text: "the text from here on is indented as if the region had ended", Fix: p.closing(open, at)})
	})
}

// closing returns a fix that inserts a closing brace. The brace closes the region that
// starts at the byte offset in the parameter open. The fix inserts the brace on a new
// line before the line that contains the byte offset in the parameter at.
func (p *Parser) closing(open, at int) *Fix {
	line := p.src.Line(open)
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	start := p.src.lineStart(at)
	return &Fix{p.src, start, start, indent + "}\n"}
}

// openAtEnd reports that the text ends inside a region. open is the offset of the opening
// brace of this region. openAtEnd reports only the innermost region, because the outer
// regions are unclosed for the same reason.
func (p *Parser) openAtEnd(open int) {
	if r := p.again; r != nil && p.kind == tokEOF {
		if r.ended {
			p.fail()
			return
		}
		r.ended = true
	}
	d := p.expected("'}'").As(CodeBrace).Note(LocAt(p.src, open), "it belongs to this '{'")
	if p.src.Text[len(p.src.Text)-1] == '\n' {
		d.Notes[len(d.Notes)-1].Fix = p.closing(open, len(p.src.Text))
	}
}

// closedRegion is called after a region has been parsed. It records the offset of the end
// of the region. After an error in a statement, the parser continues at this offset, so
// that it does not parse the region twice.
func (r *recovery) closedRegion(p *Parser) {
	switch {
	case r == nil:
	case p.bad:
		r.closed = r.stopped
	default:
		r.closed = p.prevEnd
	}
}

// also appends the given notes to those of the diagnostic d.
func (d *Diag) also(notes ...Note) { d.Notes = append(d.Notes, notes...) }

// clean reports whether the parser has found no error; r may be nil.
func (r *recovery) clean() bool { return r == nil || r.errors == 0 }

// finishBraces reports the closing braces that have no opening brace. An earlier error
// can explain such a brace. finishBraces therefore omits a brace if there was an error
// between the probable first line of its region and the brace.
func (p *Parser) finishBraces() {
	for _, s := range p.again.braces.stray {
		if p.again.reportedIn(s.head, s.next) {
			continue
		}
		p.aside(func() {
			p.ErrorAt(s.off, "expected an operation, found '}'").As(CodeBrace).Note(LocAt(p.src, s.off), "remove this '}': each '{' of the same indentation has a '}' already").Replace(LocAt(p.src, s.off), "}", "")
		})
	}
}
