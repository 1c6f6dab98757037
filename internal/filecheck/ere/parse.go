// This file parses POSIX extended regular expressions.

package ere

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// maxRepeat is the largest repetition count that an expression may contain, as defined by
// POSIX.
const maxRepeat = 255

// maxDepth limits the nesting depth of groups, so that no expression can exhaust the
// stack.
const maxDepth = 200

// The reasons why an expression is rejected, with the messages of POSIX regcomp.
var (
	errBackref     = errors.New("invalid backreference number")
	errBraces      = errors.New("braces not balanced")
	errBrackets    = errors.New("brackets ([ ]) not balanced")
	errClass       = errors.New("invalid character class")
	errCollate     = errors.New("invalid collating element")
	errCount       = errors.New("invalid repetition count(s)")
	errDepth       = errors.New("groups nested too deeply")
	errEmpty       = errors.New("empty (sub)expression")
	errEscape      = errors.New(`trailing backslash (\)`)
	errParens      = errors.New("parentheses not balanced")
	errRange       = errors.New("invalid character range")
	errRepeat      = errors.New("repetition-operator operand invalid")
	errTooComplex  = errors.New("expression too large")
	errSearchLimit = errors.New("search with back references took too many steps")
)

// node is one part of a syntax tree.
type node interface{ isNode() }

type (
	char     rune          // one character
	class    struct{ set } // one character of a set
	anchor   byte          // a position: one of the constants below
	sequence []node        // one after the other; empty matches ""
	choice   []node        // one of them
	backref  int           // what the group matched, again
	group    struct {      // a parenthesised part
		index int
		body  node
	}
	repeat struct { // body, min to max times; max < 0 is without end
		body     node
		min, max int
		lazy     bool // only in hints
	}
)

const (
	lineStart anchor = '^'
	lineEnd   anchor = '$'
	wordStart anchor = '<'
	wordEnd   anchor = '>'
)

func (char) isNode()     {}
func (class) isNode()    {}
func (anchor) isNode()   {}
func (sequence) isNode() {}
func (choice) isNode()   {}
func (backref) isNode()  {}
func (group) isNode()    {}
func (repeat) isNode()   {}

// parser parses one expression.
type parser struct {
	text string
	pos  int
	fold bool
	// groups is the number of groups opened so far.
	groups int
	// closed reports, by group number, whether the group is complete. Back references can
	// refer only to complete groups.
	closed []bool
	depth  int

	hasBackref bool
	hasWord    bool
}

// parse parses the entire text. It returns the syntax tree of the regular expression, and
// the parser, which has counted the groups of the expression. If fold is set, the
// expression ignores the case of ASCII letters.
func parse(text string, fold bool) (*parser, node, error) {
	p := &parser{text: text, fold: fold, closed: []bool{false}}
	n, err := p.choice(false)
	if err == nil && p.more() {
		err = errParens // choice only stops early at an unmatched ')'
	}
	return p, n, err
}

func (p *parser) more() bool { return p.pos < len(p.text) }

// peek returns the next character without consuming it, or -1 at the end.
func (p *parser) peek() rune {
	if !p.more() {
		return -1
	}
	if c := p.text[p.pos]; c < utf8.RuneSelf {
		return rune(c)
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	return r & 0xff
}

// next consumes one character.
func (p *parser) next() rune {
	c := p.peek()
	if c < utf8.RuneSelf {
		p.pos++
	} else {
		_, n := utf8.DecodeRuneInString(p.text[p.pos:])
		p.pos += n
	}
	return c
}

// accept consumes the next character if it is c. It reports whether it has consumed a
// character.
func (p *parser) accept(c rune) bool {
	if p.peek() != c {
		return false
	}
	p.pos++
	return true
}

// choice parses alternatives up to the end of the text or, if inGroup is set, up to the
// closing parenthesis of the group.
func (p *parser) choice(inGroup bool) (node, error) {
	var alternatives choice
	for {
		var seq sequence
		for p.more() && p.peek() != '|' && !(inGroup && p.peek() == ')') {
			n, err := p.repeated()
			if err != nil {
				return nil, err
			}
			seq = append(seq, n)
		}
		if len(seq) == 0 {
			return nil, errEmpty
		}
		alternatives = append(alternatives, simplify(seq))
		if !p.accept('|') {
			break
		}
	}
	if len(alternatives) == 1 {
		return alternatives[0], nil
	}
	return alternatives, nil
}

// simplify returns the only element of a sequence with one element. It returns all other
// sequences unchanged.
func simplify(seq sequence) node {
	if len(seq) == 1 {
		return seq[0]
	}
	return seq
}

// repeated parses one atom and the repetition operator that may follow.
func (p *parser) repeated() (node, error) {
	atom, err := p.atom()
	if err != nil {
		return nil, err
	}
	lo, hi, found, err := p.repetition()
	if err != nil || !found {
		return atom, err
	}
	if atom == lineStart {
		return nil, errRepeat
	}
	if _, _, twice, _ := p.repetition(); twice {
		return nil, errRepeat
	}
	return repeat{body: atom, min: lo, max: hi}, nil
}

// repetition parses *, +, ? or {...}, and returns the minimum and maximum count (-1 for
// no maximum). The result found is false if the text has no repetition operator. A brace
// that is not followed by a digit is an ordinary character.
func (p *parser) repetition() (lo, hi int, found bool, err error) {
	switch {
	case p.accept('*'):
		return 0, -1, true, nil
	case p.accept('+'):
		return 1, -1, true, nil
	case p.accept('?'):
		return 0, 1, true, nil
	case p.peek() == '{' && p.pos+1 < len(p.text) && isDigit(p.text[p.pos+1]):
		p.pos++
		lo, hi, err = p.bounds()
		return lo, hi, true, err
	}
	return 0, 0, false, nil
}

// bounds parses the rest of a repetition after its opening brace: n}, n,} or n,m}. It
// returns the minimum and the maximum number of repetitions. The maximum is -1 if it is
// unbounded, as in n,}.
func (p *parser) bounds() (lo, hi int, err error) {
	if lo, err = p.count(); err != nil {
		return 0, 0, err
	}
	hi = lo
	if p.accept(',') {
		hi = -1
		if p.more() && isDigit(p.text[p.pos]) {
			if hi, err = p.count(); err != nil {
				return 0, 0, err
			}
			if hi < lo {
				return 0, 0, errCount
			}
		}
	}
	if p.accept('}') {
		return lo, hi, nil
	}
	// A brace further on means what stands here is wrong, not missing.
	for p.more() && p.peek() != '}' {
		p.next()
	}
	if p.more() {
		return 0, 0, errCount
	}
	return 0, 0, errBraces
}

// count parses a decimal repetition count.
func (p *parser) count() (int, error) {
	n := 0
	for p.more() && isDigit(p.text[p.pos]) {
		if n = n*10 + int(p.text[p.pos]-'0'); n > maxRepeat {
			return 0, errCount
		}
		p.pos++
	}
	return n, nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// atom parses a group, a character, a class or an anchor.
func (p *parser) atom() (node, error) {
	switch c := p.next(); c {
	case '(':
		return p.group()
	case ')':
		return nil, errParens
	case '*', '+', '?':
		return nil, errRepeat
	case '{':
		if p.more() && isDigit(p.text[p.pos]) {
			return nil, errRepeat
		}
		return p.literal(c), nil
	case '^':
		return lineStart, nil
	case '$':
		return lineEnd, nil
	case '.':
		var s set
		s.negate()
		return class{s}, nil
	case '[':
		return p.bracket()
	case '\\':
		return p.escape()
	default:
		return p.literal(c), nil
	}
}

// literal returns the node that matches the character c itself, in either case if the
// parser ignores case.
func (p *parser) literal(c rune) node {
	if p.fold && isWord(c) && c != '_' && !isDigit(byte(c)) {
		var s set
		s.add(c)
		s.fold()
		return class{s}
	}
	return char(c)
}

// group parses the rest of a group after its opening parenthesis. The empty group () is
// allowed, although an empty alternative is not.
func (p *parser) group() (node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, errDepth
	}
	defer func() { p.depth-- }()
	p.groups++
	index := p.groups
	p.closed = append(p.closed, false)
	var body node = sequence{}
	if p.peek() != ')' {
		if !p.more() {
			return nil, errParens
		}
		var err error
		if body, err = p.choice(true); err != nil {
			return nil, err
		}
	}
	if !p.accept(')') {
		return nil, errParens
	}
	p.closed[index] = true
	return group{index, body}, nil
}

// escape parses the text after a backslash: a back reference, or the character itself.
// POSIX has no \d, \n and similar escapes.
func (p *parser) escape() (node, error) {
	if !p.more() {
		return nil, errEscape
	}
	c := p.next()
	if c < '1' || c > '9' {
		return p.literal(c), nil
	}
	index := int(c - '0')
	if index > p.groups || !p.closed[index] {
		return nil, errBackref
	}
	p.hasBackref = true
	return backref(index), nil
}

// Groups checks the syntax of expr, an expression in which each rune represents a byte
// (see Widen). It returns the number of its groups.
func Groups(expr string) (int, error) {
	p, _, err := parse(expr, false)
	if err != nil {
		return 0, fmt.Errorf("invalid regex: %w", err)
	}
	return p.groups, nil
}
