// This file defines the state of the parser and its basic methods.

package ir

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
)

// listState records whether the attribute that is being parsed is inside a list or
// dictionary. The parser needs this to decide whether a colon after the attribute
// introduces the type of the attribute.
type listState struct {
	// noTyped is greater than 0 if a colon after a number must not be parsed as the start
	// of its type.
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
	// src is the source that diagnostics refer to.
	src *Source
	// diags receives the diagnostics.
	diags *Diags
	// opts are the options of Parse.
	opts ParseOptions
	// names are the aliases that the text has defined so far.
	names *aliases
	// unclosed caches for guessEnd which indentations have no closing brace in the rest
	// of the text.
	unclosed map[string]bool
	// scope holds the value names that are visible at the current token.
	scope *scope
	// depth is the current nesting of regions, types and attributes; it is limited by
	// maxDepth.
	depth int
	// bad reports whether an error has occurred from which the parser has not recovered.
	bad bool
	// misread is the last syntax error, until the operation that contains it has added an
	// example of its syntax.
	misread *Diag
	listState
	// typeBody parses a type whose name the syntax of the current operation omits; see
	// TypeBody. It is nil otherwise.
	typeBody func(p *Parser) Type
	// mayBeLate allows a location to use an alias that is defined later in the
	// text; isLate reports that the last location did.
	mayBeLate, isLate bool

	region *regionState
	memory *memory
	// literals holds the literals of the last dense<...> attribute. The next such
	// attribute reuses the memory.
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
	// Spare provides memory from earlier calls and receives it again for later ones; it
	// may be nil.
	Spare *Spare
	// Index, if not nil, receives the positions of names and operations in the text. The
	// parser then uses only one goroutine.
	Index *TextIndex
}

// aliases are the names that a file defines for attributes and types.
type aliases struct {
	attrs map[string]Attr
	types map[string]Type
	// large maps each alias with a long text, with its # or !, to the length of this text
	// in bytes. expanded is the total length of the texts for which aliases have been
	// used so far. With both, method expand limits the total.
	large    map[string]int
	expanded *atomic.Int64
	// shared reports whether another parser reads the maps. Before changing a shared map,
	// the parser must copy it.
	shared bool
	// late are the locations that use an alias before its definition.
	late []lateLoc
}

// lateLoc is an operation whose location must be parsed a second time at the end of the
// text, because it uses an alias that is defined later.
type lateLoc struct {
	// op is the operation.
	op *Op
	// off is the byte offset of its location in the text.
	off int
}

// maxDepth bounds the nesting of regions, types and attributes, so that hostile
// input causes an error and not a stack overflow.
const maxDepth = 2000

// Failed reports whether an error has occurred from which the parser has not recovered.
// All methods then read nothing and return zero values.
func (p *Parser) Failed() bool { return p.bad }

// Errorf reports an error at the current token and returns it. The message is the result
// of formatting args with format. Errors after the first one are dropped until the parser
// has recovered.
func (p *Parser) Errorf(format string, args ...any) *Diag {
	return p.ErrorAt(p.start, format, args...)
}

// ErrorAt reports an error at the byte offset off and returns it, so that notes can be
// added. The message is the result of formatting args with format. Until the parser has
// recovered from an error, further errors are dropped, since they usually follow from the
// first one.
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

// expected reports an error that names the token which should be at the current position,
// and returns the diagnostic. The parameter what describes that token.
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

// clip shortens s to at most 40 bytes for a diagnostic, followed by an ellipsis.
func clip(s string) string {
	const limit = 40
	if len(s) > limit {
		return s[:limit] + "..."
	}
	return s
}

// badToken reports the reason why the lexer could not read the current token, such as an
// unterminated string.
func (p *Parser) badToken() *Diag {
	switch c := p.text[p.start]; {
	case c == '"' || c == '@' && p.lexer.at(p.start+1) == '"':
		return p.Errorf("expected '\"' at the end of the string, on the same line").As(CodeCharacter)
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

// Source returns the text that p parses.
func (p *Parser) Source() *Source { return p.src }

// Offset returns the offset of the current token.
func (p *Parser) Offset() int { return p.start }

// PrevEnd returns the offset after the previous token.
func (p *Parser) PrevEnd() int { return p.prevEnd }

// LocAt returns the location of a byte offset in the text.
func (p *Parser) LocAt(off int) Loc { return LocAt(p.src, off) }

// At reports whether the current token is the punctuation or keyword lit. It does not
// move the parser.
func (p *Parser) At(lit string) bool {
	if len(lit) == 1 && !isNameStart(lit[0]) { // punctuation is its own kind
		return p.kind == token(lit[0])
	}
	return p.end-p.start == len(lit) && p.kind != tokString && p.text[p.start:p.end] == lit && lit != ""
}

// Accept reports whether the current token is lit and, if so, moves to the next token.
func (p *Parser) Accept(lit string) bool {
	if !p.At(lit) {
		return false
	}
	p.next()
	return true
}

// Expect moves to the next token and returns true if the text of the current token is
// lit. Otherwise it reports an error and returns false.
func (p *Parser) Expect(lit string) bool {
	if p.Accept(lit) {
		return true
	}
	// A ">" is part of a longer token such as "->" only in a wrong text.
	p.expected("'" + lit + "'")
	return false
}

// accept reports whether the current token has kind k and, if so, moves to the next
// token.
func (p *Parser) accept(k token) bool {
	if p.kind != k {
		return false
	}
	p.next()
	return true
}

// expect moves to the next token if the current token has kind k. Otherwise it reports an
// error and returns false.
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

// AtSeq reports whether the next two tokens equal the strings first and second, in this
// order.
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

// AtOperand reports whether the current token is the name of an SSA value, such as %x.
func (p *Parser) AtOperand() bool { return p.kind == tokValue }

// AtSymbol reports whether the current token is a symbol name.
func (p *Parser) AtSymbol() bool { return p.kind == tokSymbol }

// AtInteger reports whether the current token starts an integer, with or without a
// minus.
func (p *Parser) AtInteger() bool {
	return p.kind == tokInt || p.kind == '-' && isDigit(p.lexer.at(p.end))
}

// Ident parses a bare identifier and returns it, or reports an error and returns "".
func (p *Parser) Ident() string {
	if p.kind != tokIdent {
		p.expected("an identifier")
		return ""
	}
	s := p.Text()
	p.next()
	return s
}

// Keyword parses an identifier and returns it. It reports an error if the identifier is
// not one of the choices.
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

// Quoted parses a quoted string and returns its content, with escapes resolved.
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

// Integer parses a decimal or hexadecimal integer with an optional minus sign. It reports
// an error if the value does not fit an int64.
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

// SymbolName parses @name or @"name" and returns the name without the @.
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

// Enter records the start of one more nesting level. If the nesting exceeds maxDepth, it
// reports an error and returns false. The caller must call Leave at the end of the level.
func (p *Parser) Enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.giveUp()
		p.Errorf("the text is nested deeper than %d levels", maxDepth).As(CodeTooLarge)
		return false
	}
	return true
}

// giveUp makes the parser stop at its next error instead of continuing with the next
// statement.
func (p *Parser) giveUp() {
	if p.again != nil {
		p.again.over = true
	}
}

// Leave records the end of the nesting level that the last call of Enter started.
func (p *Parser) Leave() { p.depth-- }

// jump moves the parser to the first token at or after the byte offset off.
func (p *Parser) jump(off int) {
	p.end = off
	p.next()
}

// List parses items that are separated by commas, by calling item for each of them. It
// stops before the token closer. If closer is the current token, the list is empty.
func (p *Parser) List(closer string, item func()) {
	if p.At(closer) {
		return
	}
	item()
	for p.accept(',') {
		item()
	}
}
