// This file evaluates integer expressions over parameters.

package tune

import (
	"fmt"
	"strconv"
	"strings"
)

// Values maps the names of parameters to their values.
type Values map[string]int64

// evaluate returns the value of the integer expression text. The map names contains the
// value of each name in the expression. Operators are + - * / %, comparisons, &&, || and
// !. Functions are min(a, b), max(a, b) and ceildiv(a, b). A condition is 1 or 0.
// Division truncates toward zero.
func evaluate(text string, names Values) (int64, error) {
	p := &expression{text: text, names: names}
	x, err := p.binary(0)
	if err == nil && p.peek() != "" {
		err = fmt.Errorf("unexpected '%s'", p.peek())
	}
	if err != nil {
		return 0, fmt.Errorf("in '%s': %w", text, err)
	}
	return x, nil
}

// expression is the state of a recursive-descent parser that evaluates while it parses.
type expression struct {
	text  string
	at    int
	names Values
	depth int
}

// deepest limits the nesting depth of an expression.
const deepest = 100

// levels lists the binary operators by increasing precedence.
var levels = [][]string{{"||"}, {"&&"}, {"==", "!=", "<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}

// peek returns the next token, or "" at the end.
func (p *expression) peek() string {
	for p.at < len(p.text) && strings.IndexByte(" \t", p.text[p.at]) >= 0 {
		p.at++
	}
	rest := p.text[p.at:]
	if rest == "" {
		return ""
	}
	n := 0
	for n < len(rest) && (rest[n] == '_' || rest[n]|0x20 >= 'a' && rest[n]|0x20 <= 'z' || rest[n] >= '0' && rest[n] <= '9') {
		n++
	}
	if n > 0 {
		return rest[:n]
	}
	for _, two := range []string{"||", "&&", "==", "!=", "<=", ">="} {
		if strings.HasPrefix(rest, two) {
			return two
		}
	}
	return rest[:1]
}

// accept consumes the next token if it is one of tokens. It returns the token, and false
// if none matches.
func (p *expression) accept(tokens ...string) (string, bool) {
	t := p.peek()
	for _, want := range tokens {
		if t == want && t != "" {
			p.at += len(t)
			return t, true
		}
	}
	return "", false
}

// binary evaluates an expression whose operators have the given precedence level or a
// higher one.
func (p *expression) binary(level int) (int64, error) {
	if level == len(levels) {
		return p.unary()
	}
	x, err := p.binary(level + 1)
	for err == nil {
		op, ok := p.accept(levels[level]...)
		if !ok {
			return x, nil
		}
		var y int64
		if y, err = p.binary(level + 1); err == nil {
			x, err = apply(op, x, y)
		}
	}
	return 0, err
}

// apply returns the result of the binary operator op for the operands x and y. Division
// by zero is an error.
func apply(op string, x, y int64) (int64, error) {
	truth := func(b bool) (int64, error) {
		if b {
			return 1, nil
		}
		return 0, nil
	}
	switch op {
	case "||":
		return truth(x != 0 || y != 0)
	case "&&":
		return truth(x != 0 && y != 0)
	case "==":
		return truth(x == y)
	case "!=":
		return truth(x != y)
	case "<=":
		return truth(x <= y)
	case ">=":
		return truth(x >= y)
	case "<":
		return truth(x < y)
	case ">":
		return truth(x > y)
	case "+":
		return x + y, nil
	case "-":
		return x - y, nil
	case "*":
		return x * y, nil
	}
	if y == 0 {
		return 0, fmt.Errorf("division by zero")
	}
	if op == "%" {
		return x % y, nil
	}
	return x / y, nil
}

// unary evaluates a number, a name, a call, or an expression in parentheses.
func (p *expression) unary() (int64, error) {
	if p.depth++; p.depth > deepest {
		return 0, fmt.Errorf("the expression is nested too deeply")
	}
	defer func() { p.depth-- }()
	if op, ok := p.accept("-", "!"); ok {
		x, err := p.unary()
		if op == "-" {
			return -x, err
		}
		y, _ := apply("==", x, 0)
		return y, err
	}
	if _, ok := p.accept("("); ok {
		x, err := p.binary(0)
		return x, p.closing(err)
	}
	t := p.peek()
	if t == "" {
		return 0, fmt.Errorf("expected a number or a name, found the end of the expression")
	}
	p.at += len(t)
	if t[0] >= '0' && t[0] <= '9' {
		return strconv.ParseInt(t, 0, 64)
	}
	if x, ok := p.names[t]; ok {
		return x, nil
	}
	if t == "min" || t == "max" || t == "ceildiv" {
		return p.call(t)
	}
	return 0, fmt.Errorf("'%s' is not a parameter that the --tune file lists", t)
}

// closing consumes a closing parenthesis. It returns err if that is not nil, or an error
// if the next token is another one.
func (p *expression) closing(err error) error {
	if err != nil {
		return err
	}
	if _, ok := p.accept(")"); !ok {
		return fmt.Errorf("expected ')', found '%s'", p.peek())
	}
	return nil
}

// call evaluates a call of a function with two arguments; the parameter name is the name
// of the function.
func (p *expression) call(name string) (int64, error) {
	if _, ok := p.accept("("); !ok {
		return 0, fmt.Errorf("expected '(' after '%s'", name)
	}
	x, err := p.binary(0)
	if err != nil {
		return 0, err
	}
	if _, ok := p.accept(","); !ok {
		return 0, fmt.Errorf("'%s' needs two operands", name)
	}
	y, err := p.binary(0)
	if err = p.closing(err); err != nil {
		return 0, err
	}
	switch {
	case name == "min":
		return min(x, y), nil
	case name == "max":
		return max(x, y), nil
	case y == 0:
		return 0, fmt.Errorf("division by zero")
	}
	return (x + y - 1) / y, nil
}
