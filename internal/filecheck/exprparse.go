// This file parses numeric expressions.

package filecheck

import (
	"math/big"
	"strings"
)

// maxNesting limits the nesting depth of parentheses in expressions.
const maxNesting = 100

// exprParser parses the contents of a numeric block [[#...]].
type exprParser struct {
	// text is the contents of the block.
	text string
	// base is the offset of the block's contents in the check file.
	base int
	// pos is the offset, within the contents, of the next character.
	pos  int
	vars *declarations
	// line is the value of @LINE; it is negative if @LINE is not allowed.
	line int
	// deep is the current nesting of parentheses.
	deep int
}

// The method rest returns the text that has not been read. The method at returns the
// offset of this text in the check file.
func (e *exprParser) rest() string { return e.text[e.pos:] }
func (e *exprParser) at() int      { return e.base + e.pos }

// blanks skips white space, which is allowed between any two tokens.
func (e *exprParser) blanks() {
	e.pos += len(e.rest()) - len(strings.TrimLeft(e.rest(), " \t"))
}

// accept skips the text s if the remaining text starts with it. It reports whether it has
// skipped s.
func (e *exprParser) accept(s string) bool {
	if !strings.HasPrefix(e.rest(), s) {
		return false
	}
	e.pos += len(s)
	return true
}

// format parses an optional format, such as "%x,", at the start of an expression. A
// format ends with a comma. If the text before the first comma contains a parenthesis,
// the comma separates arguments of a function call, and the expression has no format.
func (e *exprParser) format() (format, *patternError) {
	comma := strings.IndexByte(e.rest(), ',')
	if open := strings.IndexByte(e.rest(), '('); comma < 0 || open >= 0 && open < comma {
		return format{}, nil
	}
	e.blanks()
	f, err := parseFormat(e.text[e.pos:comma], e.at())
	e.pos = comma + 1
	return f, err
}

// definition parses "NAME:" and returns the name and its offset pos. If the block defines
// no variable, it returns an empty name.
func (e *exprParser) definition() (name string, pos int, err *patternError) {
	colon := strings.IndexByte(e.rest(), ':')
	if colon < 0 {
		return "", 0, nil
	}
	end := e.pos + colon
	e.blanks()
	pos = e.at()
	head := e.text[e.pos:end]
	if name, err = scanName(head, pos); err != nil {
		return "", 0, err
	}
	if name[0] == '@' {
		return "", 0, errorAt(pos, "definition of pseudo numeric variable unsupported")
	}
	if trimmedLength(head) > len(name) {
		return "", 0, errorAt(pos+len(name), "unexpected characters after numeric variable name")
	}
	e.pos = end + 1
	return name, pos, nil
}

// trimmedLength returns the length of the text without its trailing blanks.
func trimmedLength(text string) int { return len(strings.TrimRight(text, " \t")) }

// expression parses operands and operators from the current position to the end of the
// text of the parser, which is one numeric expression of a pattern.
func (e *exprParser) expression() (expression, *patternError) {
	begin := e.pos
	left, err := e.operand("invalid matching constraint or operand format")
	for err == nil {
		e.blanks()
		if e.rest() == "" {
			break
		}
		left, err = e.operation(left, begin)
	}
	return left, err
}

// operation parses an operator and its right operand, and returns the operation. The
// parameter left is the left operand, and begin is the offset at which it starts.
func (e *exprParser) operation(left expression, begin int) (expression, *patternError) {
	var f func(a, b *big.Int) (*big.Int, error)
	switch {
	case e.accept("+"):
		f = functions["add"]
	case e.accept("-"):
		f = functions["sub"]
	default:
		return nil, errorAt(e.at(), "unsupported operation '%c'", []rune(e.rest())[0])
	}
	e.blanks()
	if e.rest() == "" {
		return nil, errorAt(e.at(), "missing operand in expression")
	}
	right, err := e.operand("invalid operand format")
	if err != nil {
		return nil, err
	}
	return binaryExpr{strings.TrimSpace(e.text[begin:e.pos]), f, left, right}, nil
}

// operand parses an expression in parentheses, a call, a variable or a number. The
// parameter invalid is the error message if the text is none of these.
func (e *exprParser) operand(invalid string) (expression, *patternError) {
	e.blanks()
	pos := e.at()
	rest := e.rest()
	switch {
	case strings.HasPrefix(rest, "("):
		return e.parenthesised()
	case rest != "" && (rest[0] == '@' || rest[0] == '$' || isNameByte(rest[0]) && !isDigitByte(rest[0])):
		name, err := scanName(rest, pos)
		if err != nil {
			return nil, err
		}
		e.pos += len(name)
		// White space is allowed before the parenthesis of a call. Without one, the
		// position stays at the end of the name.
		after := e.pos
		if e.blanks(); name[0] != '@' && e.accept("(") {
			return e.call(name, pos)
		}
		e.pos = after
		return e.variable(name, pos)
	}
	v, n := scanInteger(rest)
	if n == 0 {
		return nil, errorAt(pos, "%s", invalid)
	}
	e.pos += n
	return literalExpr{v}, nil
}

// isDigitByte reports whether c is an ASCII digit.
func isDigitByte(c byte) bool { return '0' <= c && c <= '9' }

// variable parses the use of a variable in an expression. name is the name of the
// variable, and pos is the offset of this name in the check file. variable declares an
// unknown variable, which has no value until a later directive defines it. Using a
// variable that the same directive defines is an error, because its value is known only
// after the match.
func (e *exprParser) variable(name string, pos int) (expression, *patternError) {
	if name == "@LINE" {
		if e.line < 0 {
			return nil, errorAt(pos, "@LINE has no value here")
		}
		return lineExpr(e.line), nil
	}
	v := e.vars.numbers[name]
	if v == nil {
		v = &numberVar{name: name, format: format{verb: 'u'}}
		e.vars.numbers[name] = v
	}
	if v.fresh {
		return nil, errorAt(pos, "numeric variable '%s' defined earlier in the same directive", name)
	}
	return varExpr{v, pos}, nil
}

// nested parses an expression and stops at one of the characters in ends. It reports an
// error if expressions are nested too deeply.
func (e *exprParser) nested(ends string) (expression, *patternError) {
	if e.deep++; e.deep > maxNesting {
		return nil, errorAt(e.at(), "expression nested too deeply")
	}
	defer func() { e.deep-- }()
	begin := e.pos
	left, err := e.operand("invalid operand format")
	for err == nil {
		e.blanks()
		if rest := e.rest(); rest == "" || strings.IndexByte(ends, rest[0]) >= 0 {
			break
		}
		left, err = e.operation(left, begin)
	}
	return left, err
}

// parenthesised parses an expression in parentheses.
func (e *exprParser) parenthesised() (expression, *patternError) {
	e.accept("(")
	inner, err := e.nested(")")
	if err != nil {
		return nil, err
	}
	if !e.accept(")") {
		return nil, errorAt(e.at(), "missing ')' at end of nested expression")
	}
	return inner, nil
}

// call parses the arguments of the function name, which is at offset pos of the check
// file, and returns the call.
func (e *exprParser) call(name string, pos int) (expression, *patternError) {
	f, ok := functions[name]
	if !ok {
		return nil, errorAt(pos, "call to undefined function '%s'", name)
	}
	var args []expression
	for e.blanks(); !strings.HasPrefix(e.rest(), ")"); e.blanks() {
		if len(args) > 0 && !e.accept(",") {
			return nil, errorAt(e.at(), "missing ')' at end of call expression")
		}
		if e.blanks(); e.rest() == "" || e.rest()[0] == ')' || e.rest()[0] == ',' {
			return nil, errorAt(e.at(), "missing argument")
		}
		arg, err := e.nested(",)")
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	e.accept(")")
	if len(args) != 2 {
		return nil, errorAt(pos, "function '%s' takes 2 arguments but %d given", name, len(args))
	}
	return binaryExpr{e.text[pos-e.base : e.pos], f, args[0], args[1]}, nil
}

// scanInteger scans a decimal or hexadecimal (0x) integer with an optional minus sign. It
// returns the number and its length in bytes, or length 0 if the text does not start with
// one.
func scanInteger(text string) (*big.Int, int) {
	digits, negative := strings.CutPrefix(text, "-")
	base, valid := 10, "0123456789"
	for _, prefix := range []string{"0x", "0X"} {
		if rest, ok := strings.CutPrefix(digits, prefix); ok {
			digits, base, valid = rest, 16, "0123456789abcdefABCDEF"
		}
	}
	n := len(digits) - len(strings.TrimLeft(digits, valid))
	v, ok := new(big.Int).SetString(digits[:n], base)
	if !ok || v.BitLen() > maxBits {
		return nil, 0
	}
	if negative {
		v.Neg(v)
	}
	return v, len(text) - len(digits) + n
}

// parseLegacyLine parses text, the offset in [[@LINE+1]]: a sign and a decimal number
// without white space. pos is the offset of the text in the check file, and line is the
// value of @LINE.
func parseLegacyLine(text string, pos, line int) (expression, *patternError) {
	if text == "" {
		return lineExpr(line), nil
	}
	e := &exprParser{text: text, base: pos}
	op := functions["add"]
	if e.accept("-") {
		op = functions["sub"]
	} else if !e.accept("+") {
		return nil, errorAt(pos, "unsupported operation '%c'", []rune(text)[0])
	}
	if e.rest() == "" {
		return nil, errorAt(e.at(), "missing operand in expression")
	}
	n := len(e.rest()) - len(strings.TrimLeft(e.rest(), "0123456789"))
	v, ok := new(big.Int).SetString(e.rest()[:n], 10)
	if !ok {
		return nil, errorAt(e.at(), "invalid operand format")
	}
	if e.pos += n; e.rest() != "" {
		return nil, errorAt(e.at(), "unexpected characters at end of expression '%s'", e.rest())
	}
	return binaryExpr{"@LINE" + text, op, lineExpr(line), literalExpr{v}}, nil
}
