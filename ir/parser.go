package ir

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
)

// listState is what the lists around an attribute mean for it.
type listState struct {
	noTyped int  // >0 where a colon after a number is not its type
	inList  bool // inside an array or dictionary
}

// Parser reads MLIR text. Dialects use its methods to read the custom text
// of their operations, types and attributes.
//
// Errors stick: after the first one every method reads nothing and returns a
// zero value, and Failed reports true. So code that parses can be written
// without checking each step, as long as its loops run on Accept. When an
// erroneous text is read again to find all errors (recover.go), an error sticks
// to the end of its operation.
type Parser struct {
	lexer
	src   *Source
	diags *Diags
	opts  ParseOptions
	names *aliases
	// unclosed are the ends of bodies that the rest of the text has not got.
	unclosed map[string]bool
	scope    *scope
	depth    int
	bad      bool
	// misread is an error about how an operation is written, until the
	// operation that it is about shows how to write it.
	misread *Diag
	listState
	// typeBody reads a type whose name the operation leaves out, or is nil.
	typeBody func(p *Parser) Type
	// A location may name an alias that comes later in the text.
	mayBeLate, isLate bool

	region *regionState
	memory *memory
	// defaults are the dialects whose operations may leave out their prefix.
	defaults []string
	// before are operations that the text of the next one stands for, too.
	before []*Op
	// forked counts the function bodies that other goroutines parse.
	forked *forks
	// again is what the parser needs to go on after errors, or nil if it does not.
	again *recovery
}

// ParseOptions are what a caller of Parse may choose.
type ParseOptions struct {
	// AllowUnregistered accepts operations, types and attributes of dialects
	// that nobody registered.
	AllowUnregistered bool
	// Sequential keeps the parser on one goroutine.
	Sequential bool
	// Spare, if not nil, is used and added to.
	Spare *Spare
}

// aliases are the names that a file gives to attributes and types.
type aliases struct {
	attrs map[string]Attr
	types map[string]Type
	// large is how many bytes of text the aliases, with their # or !, stand for
	// that are not small, and expanded is how many all uses of them stand for.
	large    map[string]int
	expanded *atomic.Int64
	// shared means that another parser reads the maps: write to a copy.
	shared bool
	// late are uses of location aliases before their definition.
	late []lateLoc
}

type lateLoc struct {
	op  *Op
	off int // where the text of the location starts
}

// maxDepth bounds how deep regions, types and attributes may nest, so that
// hostile input ends in a message.
const maxDepth = 2000

// Failed reports whether an error has been found in what is read.
func (p *Parser) Failed() bool { return p.bad }

// Errorf reports an error at the current token.
func (p *Parser) Errorf(format string, args ...any) *Diag {
	return p.ErrorAt(p.start, format, args...)
}

// ErrorAt reports an error at a byte offset. Only the first error of an
// operation is kept, since the others may follow from it.
func (p *Parser) ErrorAt(off int, format string, args ...any) *Diag {
	if p.bad {
		return &Diag{}
	}
	p.fail()
	d := p.diags.Error(LocAt(p.src, off), fmt.Sprintf(format, args...))
	if p.again != nil {
		p.again.count(d)
	}
	return d
}

// expected reports that something else should stand here.
func (p *Parser) expected(what string) *Diag {
	if p.kind == tokBad {
		return p.badToken()
	}
	p.misread = p.Errorf("expected %s, found %s", what, p.found())
	return p.misread
}

func (p *Parser) found() string {
	switch p.kind {
	case tokIdent, tokInt, tokFloat, tokValue, tokBlock, tokSymbol, tokHash, tokBang, tokString:
		return "'" + clip(p.Text()) + "'"
	}
	return p.kind.describe()
}

// clip shortens a text for a message.
func clip(s string) string {
	const limit = 40
	if len(s) > limit {
		return s[:limit] + "..."
	}
	return s
}

func (p *Parser) badToken() *Diag {
	switch c := p.text[p.start]; {
	case c == '"' || c == '@' && p.lexer.at(p.start+1) == '"':
		return p.Errorf("string is not closed on its line")
	case c < ' ' || c >= 0x7f:
		return p.Errorf("unexpected byte 0x%02x in the text", c)
	case c == '#':
		at := LocAt(p.src, p.start)
		return p.Errorf("unexpected character '#'").Note(at, "comments begin with //")
	default:
		return p.Errorf("unexpected character '%c'", c)
	}
}

// Text returns the text of the current token.
func (p *Parser) Text() string { return p.text[p.start:p.end] }

// Offset returns where the current token starts.
func (p *Parser) Offset() int { return p.start }

// PrevEnd returns where the token before the current one ends.
func (p *Parser) PrevEnd() int { return p.prevEnd }

// LocAt returns the location of a byte offset.
func (p *Parser) LocAt(off int) Loc { return LocAt(p.src, off) }

// At reports whether the current token is lit, punctuation or keyword.
func (p *Parser) At(lit string) bool {
	if len(lit) == 1 && !isNameStart(lit[0]) { // punctuation is its own kind
		return p.kind == token(lit[0])
	}
	return p.end-p.start == len(lit) && p.kind != tokString && p.text[p.start:p.end] == lit && lit != ""
}

// Accept moves past lit if it is the current token.
func (p *Parser) Accept(lit string) bool {
	if !p.At(lit) {
		return false
	}
	p.next()
	return true
}

// Expect moves past lit, which must be the current token.
func (p *Parser) Expect(lit string) bool {
	if p.Accept(lit) {
		return true
	}
	// ">" may be the end of a longer token such as "->" only in bad text.
	p.expected("'" + lit + "'")
	return false
}

// accept moves past a token of the given kind.
func (p *Parser) accept(k token) bool {
	if p.kind != k {
		return false
	}
	p.next()
	return true
}

// expect moves past a token of punctuation, which must be the current one.
func (p *Parser) expect(k token) bool {
	if p.accept(k) {
		return true
	}
	p.expected(k.describe())
	return false
}

// AtEmptyBraces reports whether {} comes next.
func (p *Parser) AtEmptyBraces() bool {
	return p.kind == '{' && p.lexer.at(skipSpace(p.text, p.end)) == '}'
}

// AtSeq reports whether two tokens come next.
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

// AtInteger reports whether an integer stands here, with or without sign.
func (p *Parser) AtInteger() bool {
	return p.kind == tokInt || p.kind == '-' && isDigit(p.lexer.at(p.end))
}

// Ident reads a bare identifier.
func (p *Parser) Ident() string {
	if p.kind != tokIdent {
		p.expected("an identifier")
		return ""
	}
	s := p.Text()
	p.next()
	return s
}

// Keyword reads an identifier that must be one of the choices.
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
		d.Suggest(LocAt(p.src, off), word, choices...)
	}
	return ""
}

// Quoted reads a string and returns its value.
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
		p.ErrorAt(start, "integer does not fit 64 bits")
		return 0
	}
	p.next()
	if neg {
		return -int64(u)
	}
	return int64(u)
}

// SymbolName reads @name and returns the name.
func (p *Parser) SymbolName() string {
	if p.kind != tokSymbol {
		at, named, word := LocAt(p.src, p.start), p.kind == tokIdent, p.Text()
		if d := p.expected("a symbol name"); named {
			d.Note(at, "symbol names begin with @: @"+word)
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

// Enter guards a step down in text that may nest without bound; after it
// reported false the parser has failed. Leave goes back up.
func (p *Parser) Enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.giveUp()
		p.Errorf("text nests deeper than %d levels", maxDepth)
		return false
	}
	return true
}

// Leave ends what Enter began.
func (p *Parser) Leave() { p.depth-- }

// jump makes the token at or after off the current one.
func (p *Parser) jump(off int) {
	p.end = off
	p.next()
}

// List reads items separated by commas, up to but not including closer, which
// may follow at once.
func (p *Parser) List(closer string, item func()) {
	if p.At(closer) {
		return
	}
	item()
	for p.accept(',') {
		item()
	}
}
