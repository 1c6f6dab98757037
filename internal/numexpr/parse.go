package numexpr

import (
	"fmt"
	"strconv"
	"strings"
)

// Error is an error at a byte offset of the program text.
type Error struct {
	// Offset is the offset of the error in the program text, in bytes.
	Offset int
	Text   string
}

func (e *Error) Error() string { return e.Text }

// node is a node of the syntax tree.
type node struct {
	// kind is "number", "name", "call", "index", "slice", "T" (transpose), or an
	// operator.
	kind string
	// off is the byte offset of the node in the program text.
	off int
	// text is the name, for a name or a call.
	text string
	// x is the value of a number.
	x float64
	// args are the operands. In a slice, nil marks an omitted bound.
	args []*node
	// keys are the names of the arguments of a call; "" marks a positional argument.
	keys []string
}

// statement assigns the value of an expression to a name. The name is empty for an
// expression without an assignment.
type statement struct {
	name  string
	value *node
}

// token is a lexical token of the program and its byte offset.
type token struct {
	text string
	off  int
}

// operators lists the operators. A longer operator precedes its prefixes, so that the
// scanner finds it first.
var operators = []string{"**", "//", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "@", "(", ")", "[", "]", ",", ":", "=", "<", ">", ".", ";"}

// scan splits the program text into tokens. A line end outside of brackets becomes the
// token ";".
func scan(text string) (tokens []token, err error) {
	depth := 0
	for i := 0; i < len(text); {
		c := text[i]
		start := i
		switch {
		case c == '#':
			for i < len(text) && text[i] != '\n' {
				i++
			}
			continue
		case c == '\n' && depth == 0:
			tokens = append(tokens, token{";", i})
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			i++
			continue
		case isDigit(c) || c == '.' && i+1 < len(text) && isDigit(text[i+1]):
			i = numberEnd(text, i)
		case isLetter(c):
			for i < len(text) && (isLetter(text[i]) || isDigit(text[i])) {
				i++
			}
		default:
			op := operatorAt(text[i:])
			if op == "" {
				return nil, &Error{i, fmt.Sprintf("unexpected character %q", text[i])}
			}
			switch op {
			case "(", "[":
				depth++
			case ")", "]":
				depth--
			}
			i += len(op)
		}
		tokens = append(tokens, token{text[start:i], start})
	}
	return append(tokens, token{"", len(text)}), nil
}

func operatorAt(text string) string {
	for _, op := range operators {
		if strings.HasPrefix(text, op) {
			return op
		}
	}
	return ""
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

// numberEnd returns the offset of the end of the number that starts at offset i.
func numberEnd(text string, i int) int {
	for i < len(text) && (isDigit(text[i]) || text[i] == '.') {
		i++
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		j := i + 1
		if j < len(text) && (text[j] == '+' || text[j] == '-') {
			j++
		}
		if j < len(text) && isDigit(text[j]) {
			for i = j; i < len(text) && isDigit(text[i]); i++ {
			}
		}
	}
	return i
}

// maxDepth limits the nesting depth of expressions.
const maxDepth = 200

// parser parses tokens by recursive descent.
type parser struct {
	tokens []token
	at     int
	depth  int
}

// parse returns the statements of the program text, or an *Error.
func parse(text string) (list []statement, err error) {
	tokens, err := scan(text)
	if err != nil {
		return nil, err
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *Error:
			list, err = nil, e
		default:
			panic(e)
		}
	}()
	p := &parser{tokens: tokens}
	for {
		for p.accept(";") {
		}
		if p.peek() == "" {
			return list, nil
		}
		list = append(list, p.statement())
		if p.peek() != "" && p.peek() != ";" {
			p.fail("expected an operator or the end of the line, found '%s'", p.peek())
		}
	}
}

func (p *parser) peek() string { return p.tokens[p.at].text }

func (p *parser) next() token {
	t := p.tokens[p.at]
	if t.text != "" {
		p.at++
	}
	return t
}

func (p *parser) accept(text string) bool {
	if p.peek() != text {
		return false
	}
	p.at++
	return true
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		found := "'" + p.peek() + "'"
		if p.peek() == "" {
			found = "the end"
		}
		p.fail("expected '%s', found %s", text, found)
	}
}

func (p *parser) fail(format string, args ...any) {
	panic(&Error{p.tokens[p.at].off, fmt.Sprintf(format, args...)})
}

func (p *parser) statement() statement {
	if name := p.peek(); name != "" && isLetter(name[0]) && p.tokens[p.at+1].text == "=" {
		p.at += 2
		return statement{name, p.expression(0)}
	}
	return statement{"", p.expression(0)}
}

// levels lists the binary operators by increasing precedence.
var levels = [][]string{{"<", "<=", ">", ">=", "==", "!="}, {"+", "-"}, {"*", "/", "//", "%", "@"}}

// expression parses an expression whose operators have the given precedence level or a
// higher one.
func (p *parser) expression(level int) *node {
	if level == len(levels) {
		return p.unary()
	}
	if p.depth++; p.depth > maxDepth*len(levels) {
		p.fail("the expression is nested too deeply")
	}
	defer func() { p.depth-- }()
	left := p.expression(level + 1)
	for {
		op := p.tokens[p.at]
		if !contains(levels[level], op.text) {
			return left
		}
		p.at++
		left = &node{kind: op.text, off: op.off, args: []*node{left, p.expression(level + 1)}}
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func (p *parser) unary() *node {
	op := p.tokens[p.at]
	if op.text == "-" || op.text == "+" {
		if p.depth++; p.depth > maxDepth*len(levels) {
			p.fail("the expression is nested too deeply")
		}
		defer func() { p.depth-- }()
		p.at++
		x := p.unary()
		if op.text == "+" {
			return x
		}
		return &node{kind: "neg", off: op.off, args: []*node{x}}
	}
	base := p.postfix()
	if op := p.tokens[p.at]; p.accept("**") {
		return &node{kind: "**", off: op.off, args: []*node{base, p.unary()}}
	}
	return base
}

// postfix parses an operand and its suffixes: indices such as [0], method calls such as
// .sum(axis=1), and the transposition .T, in any number.
func (p *parser) postfix() *node {
	n := p.operand()
	for {
		at := p.tokens[p.at]
		switch {
		case p.accept("["):
			n = &node{kind: "index", off: at.off, args: append([]*node{n}, p.indices()...)}
		case p.accept("."):
			name := p.next()
			if name.text == "T" {
				n = &node{kind: "T", off: name.off, args: []*node{n}}
				continue
			}
			if name.text == "" || !isLetter(name.text[0]) {
				p.at--
				p.fail("expected a method such as .sum(axis=1), or .T")
			}
			p.expect("(")
			n = p.call(name, n)
		default:
			return n
		}
	}
}

func (p *parser) operand() *node {
	t := p.next()
	switch {
	case t.text == "(":
		n := p.expression(0)
		p.expect(")")
		return n
	case t.text != "" && (isDigit(t.text[0]) || t.text[0] == '.' && len(t.text) > 1):
		x, err := strconv.ParseFloat(t.text, 64)
		if err != nil {
			panic(&Error{t.off, fmt.Sprintf("'%s' is not a number", t.text)})
		}
		return &node{kind: "number", off: t.off, x: x}
	case t.text != "" && isLetter(t.text[0]):
		if p.accept("(") {
			return p.call(t)
		}
		return &node{kind: "name", off: t.off, text: t.text}
	case t.text == "":
		p.fail("expected an expression, found the end")
	}
	p.at--
	p.fail("expected an expression, found '%s'", t.text)
	return nil
}

// call parses the arguments of a call, after the opening parenthesis. For a method call,
// the parameter first is the object.
func (p *parser) call(name token, first ...*node) *node {
	n := &node{kind: "call", off: name.off, text: name.text, args: first, keys: make([]string, len(first))}
	for !p.accept(")") {
		key := ""
		if word := p.peek(); word != "" && isLetter(word[0]) && p.tokens[p.at+1].text == "=" {
			key = word
			p.at += 2
		}
		n.args, n.keys = append(n.args, p.expression(0)), append(n.keys, key)
		if p.peek() != ")" {
			p.expect(",")
		}
	}
	return n
}

// indices parses the indices after an opening bracket.
func (p *parser) indices() (list []*node) {
	for {
		list = append(list, p.index())
		if p.accept("]") {
			return list
		}
		p.expect(",")
	}
}

// index parses one index, or a slice from:to:step.
func (p *parser) index() *node {
	off := p.tokens[p.at].off
	part := func() *node {
		if t := p.peek(); t == ":" || t == "," || t == "]" {
			return nil
		}
		return p.expression(0)
	}
	from := part()
	if p.peek() != ":" {
		if from == nil {
			p.fail("expected an index")
		}
		return from
	}
	s := &node{kind: "slice", off: off, args: []*node{from, nil, nil}}
	for i := 1; i <= 2 && p.accept(":"); i++ {
		s.args[i] = part()
	}
	return s
}
