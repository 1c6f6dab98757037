// This file defines the state of the parser and its basic methods.

package ir

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
)

// listState describes the lists that enclose the attribute at the current token.
type listState struct {
	// noTyped is greater than 0 if a colon after a number does not introduce its type.
	noTyped int
	// inList reports whether the parser is inside an array or dictionary.
	inList bool
}

// Parser reads MLIR text. Dialects use its methods to read the custom text of their
// operations, types and attributes.
//
// Errors are sticky: after the first one every method reads nothing and returns a
// zero value, and Failed returns true. Parsing code therefore needs no check after
// each step, as long as its loops end when Accept returns false. A parser that
// recovers (recover.go) clears the error at the end of the operation.
type Parser struct {
	lexer
	// src is the source of the text, which diagnostics name.
	src *Source
	// diags receives the diagnostics.
	diags *Diags
	// opts are the options of Parse.
	opts ParseOptions
	// names are the aliases that the text has defined so far.
	names *aliases
	// unclosed is the cache of guessEnd: ends of bodies that the rest of the text
	// lacks.
	unclosed map[string]bool
	// scope holds the value names that are visible at the current token.
	scope *scope
	// depth is the current nesting; see maxDepth.
	depth int
	// bad reports whether the parser is in the state after an error.
	bad bool
	// misread is the last syntax error until the operation that contains it has
	// added an example to it.
	misread *Diag
	listState
	// typeBody reads a type whose name the current operation leaves out, or is nil.
	typeBody func(p *Parser) Type
	// mayBeLate allows a location to use an alias that is defined later in the
	// text; isLate reports that the last location did.
	mayBeLate, isLate bool

	region *regionState
	memory *memory
	// literals are those of the last dense<...>. The next one reuses their memory.
	literals []denseLit
	// defaults are the dialects whose operations may be written without prefix, in
	// the order of the search.
	defaults []string
	// before holds operations to insert before the one that is being read; see
	// Before.
	before []*Op
	// forked parses function bodies on other goroutines.
	forked *forks
	// again is the state for going on after errors. It is nil for the first reading
	// of a text, which stops at the first error.
	again *recovery
}

// ParseOptions are the options of Parse.
type ParseOptions struct {
	// AllowUnregistered accepts operations, types and attributes of unknown dialects.
	AllowUnregistered bool
	// Sequential makes the parser use one goroutine.
	Sequential bool
	// Spare provides memory and receives it again; nil is allowed.
	Spare *Spare
	// Index, if not nil, receives where names and operations are in the text. The
	// parser then uses one goroutine.
	Index *TextIndex
}

// aliases are the names that a file defines for attributes and types.
type aliases struct {
	attrs map[string]Attr
	types map[string]Type
	// large maps each large alias, with its # or !, to the bytes of its text.
	// expanded is the sum over all uses so far. Both limit the expansion; see
	// expand.
	large    map[string]int
	expanded *atomic.Int64
	// shared reports that another parser reads the maps, so a write must copy them
	// first.
	shared bool
	// late are the locations that use an alias before its definition.
	late []lateLoc
}

// lateLoc is an operation whose location must be read again.
type lateLoc struct {
	// op is the operation.
	op *Op
	// off is the offset of its location.
	off int
}

// maxDepth bounds the nesting of regions, types and attributes, so that hostile
// input causes an error and not a stack overflow.
const maxDepth = 2000

// Failed reports whether the parser is in the state after an error.
func (p *Parser) Failed() bool { return p.bad }

// Errorf reports an error at the current token.
func (p *Parser) Errorf(format string, args ...any) *Diag {
	return p.ErrorAt(p.start, format, args...)
}

// ErrorAt reports an error at a byte offset. It drops all errors of an operation
// after the first one, since they usually follow from it.
func (p *Parser) ErrorAt(off int, format string, args ...any) *Diag {
	if p.bad {
		return &Diag{}
	}
	p.fail()
	d := p.diags.Error(LocAt(p.src, off), fmt.Sprintf(format, args...)).As(CodeSyntax)
	if p.again != nil {
		p.again.count(d)
	}
	return d
}

// expected reports the error that the current token is not what it should be.
func (p *Parser) expected(what string) *Diag {
	if p.kind == tokBad {
		return p.badToken()
	}
	p.misread = p.Errorf("expected %s, found %s", what, p.found())
	return p.misread
}

// found returns a description of the current token for diagnostics.
func (p *Parser) found() string {
	switch p.kind {
	case tokIdent, tokInt, tokFloat, tokValue, tokBlock, tokSymbol, tokHash, tokBang, tokString:
		return "'" + clip(p.Text()) + "'"
	}
	return p.kind.describe()
}

// clip shortens s to a length that suits a diagnostic.
func clip(s string) string {
	const limit = 40
	if len(s) > limit {
		return s[:limit] + "..."
	}
	return s
}

// badToken reports the error in a token that the lexer could not read.
func (p *Parser) badToken() *Diag {
	switch c := p.text[p.start]; {
	case c == '"' || c == '@' && p.lexer.at(p.start+1) == '"':
		return p.Errorf("string is not closed on its line").As(CodeCharacter)
	case c < ' ' || c >= 0x7f:
		return p.Errorf("unexpected byte 0x%02x in the text", c).As(CodeCharacter)
	case c == '#':
		at := LocAt(p.src, p.start)
		return p.Errorf("unexpected character '#'").As(CodeCharacter).Note(at, "comments begin with //").Replace(at, "#", "//")
	default:
		return p.Errorf("unexpected character '%c'", c).As(CodeCharacter)
	}
}

// Text returns the text of the current token.
func (p *Parser) Text() string { return p.text[p.start:p.end] }

// Offset returns the offset of the current token.
func (p *Parser) Offset() int { return p.start }

// PrevEnd returns the offset after the previous token.
func (p *Parser) PrevEnd() int { return p.prevEnd }

// LocAt returns the location of a byte offset in the text.
func (p *Parser) LocAt(off int) Loc { return LocAt(p.src, off) }

// At reports whether the current token is the punctuation or keyword lit.
func (p *Parser) At(lit string) bool {
	if len(lit) == 1 && !isNameStart(lit[0]) { // punctuation is its own kind
		return p.kind == token(lit[0])
	}
	return p.end-p.start == len(lit) && p.kind != tokString && p.text[p.start:p.end] == lit && lit != ""
}

// Accept skips the current token if it is lit, and reports whether it was.
func (p *Parser) Accept(lit string) bool {
	if !p.At(lit) {
		return false
	}
	p.next()
	return true
}

// Expect skips the current token if it is lit. Otherwise it reports an error and
// returns false.
func (p *Parser) Expect(lit string) bool {
	if p.Accept(lit) {
		return true
	}
	// A ">" is part of a longer token such as "->" only in a wrong text.
	p.expected("'" + lit + "'")
	return false
}

// accept skips the current token if its kind is k, and reports whether it was.
func (p *Parser) accept(k token) bool {
	if p.kind != k {
		return false
	}
	p.next()
	return true
}

// expect skips the current token if its kind is k. Otherwise it reports an error
// and returns false.
func (p *Parser) expect(k token) bool {
	if p.accept(k) {
		return true
	}
	p.expected(k.describe())
	return false
}

// AtEmptyBraces reports whether the next tokens are {}.
func (p *Parser) AtEmptyBraces() bool {
	return p.kind == '{' && p.lexer.at(skipSpace(p.text, p.end)) == '}'
}

// AtSeq reports whether the next two tokens are first and second.
func (p *Parser) AtSeq(first, second string) bool {
	if !p.At(first) {
		return false
	}
	ahead := p.lexer
	ahead.next()
	return ahead.text[ahead.start:ahead.end] == second
}

// AtIdent reports whether the current token is a bare identifier.
func (p *Parser) AtIdent() bool { return p.kind == tokIdent }

// AtString reports whether the current token is a string.
func (p *Parser) AtString() bool { return p.kind == tokString }

// AtOperand reports whether the current token is an SSA value.
func (p *Parser) AtOperand() bool { return p.kind == tokValue }

// AtSymbol reports whether the current token is a symbol name.
func (p *Parser) AtSymbol() bool { return p.kind == tokSymbol }

// AtInteger reports whether the current token starts an integer, with or without a
// minus.
func (p *Parser) AtInteger() bool {
	return p.kind == tokInt || p.kind == '-' && isDigit(p.lexer.at(p.end))
}

// Ident reads a bare identifier and returns it, or "" after an error.
func (p *Parser) Ident() string {
	if p.kind != tokIdent {
		p.expected("an identifier")
		return ""
	}
	s := p.Text()
	p.next()
	return s
}

// Keyword reads an identifier and returns it. It reports an error if the identifier
// is not one of the choices.
func (p *Parser) Keyword(choices ...string) string {
	if p.kind == tokIdent {
		for _, c := range choices {
			if p.At(c) {
				p.next()
				return c
			}
		}
	}
	off, word, named := p.start, p.Text(), p.kind == tokIdent
	if d := p.expected("one of " + strings.Join(choices, ", ")); named {
		d.As(CodeUnknownWord).Suggest(LocAt(p.src, off), word, choices...)
	}
	return ""
}

// Quoted reads a string and returns its value without quotes and escapes.
func (p *Parser) Quoted() string {
	if p.kind != tokString {
		p.expected("a string")
		return ""
	}
	s, ok := unquote(p.Text())
	if !ok {
		p.Errorf("bad escape in string")
		return ""
	}
	p.next()
	return s
}

// Integer reads a decimal or hexadecimal integer with an optional minus.
func (p *Parser) Integer() int64 {
	start := p.start
	neg := p.Accept("-")
	if p.kind != tokInt {
		p.expected("an integer")
		return 0
	}
	u, err := strconv.ParseUint(p.Text(), 0, 64)
	if isDecimal := !strings.HasPrefix(p.Text(), "0x"); isDecimal {
		u, err = strconv.ParseUint(p.Text(), 10, 64)
	}
	if err != nil || u > 1<<63 || u == 1<<63 && !neg {
		p.ErrorAt(start, "integer does not fit 64 bits").As(CodeNumber)
		return 0
	}
	p.next()
	if neg {
		return -int64(u)
	}
	return int64(u)
}

// SymbolName reads @name or @"name" and returns the name.
func (p *Parser) SymbolName() string {
	if p.kind != tokSymbol {
		at, named, word := LocAt(p.src, p.start), p.kind == tokIdent, p.Text()
		if d := p.expected("a symbol name"); named {
			d.Note(at, "symbol names begin with @: @"+word).Replace(at, word, "@"+word)
		}
		return ""
	}
	s := p.Text()[1:]
	if s[0] == '"' {
		var ok bool
		if s, ok = unquote(s); !ok {
			p.Errorf("bad escape in symbol name")
			return ""
		}
	}
	p.next()
	return s
}

// Enter counts one level of nesting. If it returns false the text nests too deeply
// and the parser has failed. The caller must call Leave at the end of the level.
func (p *Parser) Enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.giveUp()
		p.Errorf("text nests deeper than %d levels", maxDepth).As(CodeTooLarge)
		return false
	}
	return true
}

// Leave ends the level that Enter began.
func (p *Parser) Leave() { p.depth-- }

// jump moves to the first token at or after off.
func (p *Parser) jump(off int) {
	p.end = off
	p.next()
}

// List reads items that are separated by commas, by calling item for each. It stops
// before closer, and reads no item if closer is the current token.
func (p *Parser) List(closer string, item func()) {
	if p.At(closer) {
		return
	}
	item()
	for p.accept(',') {
		item()
	}
}
