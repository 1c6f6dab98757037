// This file searches for a pattern in the input.

package filecheck

import (
	"fmt"
	"math/big"
	"strings"

	"ptogo/internal/filecheck/ere"
)

// compiled is a pattern whose variables have been replaced by their values, ready for a
// search.
type compiled struct {
	// literal is the text of the pattern, if it contains only literals.
	literal string
	// re is the compiled expression of any other pattern.
	re *ere.Regexp
	// fold ignores the case of ASCII letters.
	fold bool
	// ok is false if the pattern has not been compiled yet.
	ok bool
}

// capture describes which variable receives the text of a capture group.
type capture struct {
	// group is the number of the group in the expression.
	group int
	// name is the string variable that receives the text, or "".
	name string
	// number is the numeric block that receives the text, or nil.
	number *numberPiece
}

// matchError is the reason why a search could not start: a variable without a value, or a
// number out of range.
type matchError struct {
	// pos is the offset in the check file, or -1 for the whole pattern.
	pos     int
	message string
}

// match returns the first match of the pattern in the text, and sets the variables that
// the pattern defines. The result ok is false without a match. The result errs contains
// the reasons why the search could not start.
func (p *pattern) match(text string, v *values) (found textRange, ok bool, errs []matchError) {
	switch p.kind {
	case kindEOF:
		return textRange{len(text), len(text)}, true, nil
	case kindEmpty:
		at, ok := emptyLine(text)
		return textRange{at, at}, ok, nil
	}
	// The text of the expression depends on the values of variables, so it is built
	// for each search.
	expr, captures, errs := p.expression(p.pieces, v)
	if errs != nil {
		return textRange{}, false, errs
	}
	c, err := p.compile(expr)
	if err != nil {
		return textRange{}, false, []matchError{{-1, err.Error()}}
	}
	loc, err := c.find(text)
	if err != nil {
		return textRange{}, false, []matchError{{-1, err.Error()}}
	}
	if loc == nil {
		return textRange{}, false, nil
	}
	if errs := v.assign(captures, text, loc); errs != nil {
		return textRange{}, false, errs
	}
	return textRange{loc[0], loc[1]}, true, nil
}

// emptyLine returns the offset of the first empty line in the text that follows a line
// end. The second result is false if there is none.
func emptyLine(text string) (int, bool) {
	if i := strings.Index(text, "\n\n"); i >= 0 {
		return i + 1, true
	}
	return len(text), strings.HasSuffix(text, "\n")
}

// expression returns the given elements of the pattern as one regular expression,
// together with the capture groups that define variables. If the value of a variable is
// missing, it returns errors.
func (p *pattern) expression(pieces []piece, v *values) (string, []capture, []matchError) {
	var b strings.Builder
	var captures []capture
	var errs []matchError
	group := 1 // number of the next group
	for _, piece := range pieces {
		switch piece := piece.(type) {
		case literalPiece:
			b.WriteString(ere.Quote(string(piece)))
		case regexPiece:
			b.WriteString(piece.expr)
		case definePiece:
			b.WriteString("(" + piece.expr + ")")
			captures = append(captures, capture{group: group, name: piece.name})
		case usePiece:
			if piece.same >= 0 {
				// The variable has no value before the match. A back reference
				// requires the same text in the same match.
				fmt.Fprintf(&b, `\%d`, p.groupOf(piece.same))
			} else if value, ok := v.strings[piece.name]; ok {
				b.WriteString(ere.Quote(value))
			} else {
				errs = append(errs, matchError{piece.pos, "undefined variable: " + piece.name})
			}
		case *numberPiece:
			expr, err := piece.regex(v)
			errs = append(errs, piece.explain(err)...)
			b.WriteString("(" + expr + ")")
			captures = append(captures, capture{group: group, number: piece})
		}
		group += groupsOf(piece)
	}
	return b.String(), captures, errs
}

// regex returns a regular expression for the text that the numeric block matches. If the
// block has no expression, the regular expression matches every number in the format of
// the block. If the block has an expression, regex evaluates it, and the regular
// expression matches only the text of the value.
func (n *numberPiece) regex(v *values) (string, error) {
	if n.expr == nil {
		expr, _ := n.format.regex()
		return expr, nil
	}
	value, err := n.expr.eval(v)
	if err != nil {
		return "", err
	}
	text, err := n.format.text(value)
	return ere.Quote(text), err
}

// explain converts the error of evaluating an expression to errors of the search. It
// returns one error for each undefined variable. If the error has another cause, it
// returns one error for the whole block.
func (n *numberPiece) explain(err error) []matchError {
	if err == nil {
		return nil
	}
	var errs []matchError
	for _, u := range undefined(err) {
		errs = append(errs, matchError{u.pos, u.Error()})
	}
	if errs == nil {
		errs = []matchError{{n.pos, fmt.Sprintf("unable to substitute '%s': %v", n.text, err)}}
	}
	return errs
}

// compile compiles the pattern, whose regular expression is expr. A pattern without
// variables is compiled only once.
func (p *pattern) compile(expr string) (compiled, error) {
	if p.whole.ok {
		return p.whole, nil
	}
	c, err := p.compilePieces(p.pieces, expr)
	if err == nil && !p.substitutes() {
		p.whole = c
	}
	return c, err
}

// compilePieces compiles some elements of the pattern, the parameter pieces. expr is the
// regular expression of these elements.
func (p *pattern) compilePieces(pieces []piece, expr string) (compiled, error) {
	c := compiled{fold: p.fold, ok: true}
	if text, ok := onlyLiterals(pieces); ok && !p.anchored {
		c.literal = text
		return c, nil
	}
	// The anchors are in the expression and not checked afterwards: only then does
	// the search continue with the next line if the first match is not a whole
	// line.
	if p.anchored {
		pad := ""
		if p.blanks {
			pad = " *"
		}
		expr = "^" + pad + expr + pad + "$"
	}
	var err error
	c.re, err = ere.Compile(expr, p.fold)
	return c, err
}

// onlyLiterals returns the text of the given pattern elements. The second result is false
// unless all of them are literals.
func onlyLiterals(pieces []piece) (string, bool) {
	var b strings.Builder
	for _, piece := range pieces {
		text, ok := piece.(literalPiece)
		if !ok {
			return "", false
		}
		b.WriteString(string(text))
	}
	return b.String(), true
}

// substitutes reports whether the regular expression depends on the values of variables.
func (p *pattern) substitutes() bool {
	for _, piece := range p.pieces {
		switch piece := piece.(type) {
		case usePiece:
			if piece.same < 0 {
				return true
			}
		case *numberPiece:
			if piece.expr != nil {
				return true
			}
		}
	}
	return false
}

// find returns the byte ranges of the first match in the text and of its groups. The
// result contains two offsets for each range, the start and the end; the first range is
// the complete match. The slice is nil if the text contains no match. The error is that
// of the search with the regular expression.
func (c *compiled) find(text string) ([]int, error) {
	if c.re != nil {
		return c.re.Find(text)
	}
	i := strings.Index(text, c.literal)
	if c.fold {
		i = indexFold(text, c.literal)
	}
	if i < 0 {
		return nil, nil
	}
	return []int{i, i + len(c.literal)}, nil
}

// indexFold returns the index of word in text, ignoring the case of ASCII letters, or -1.
func indexFold(text, word string) int {
	for i := 0; i+len(word) <= len(text); i++ {
		n := 0
		for n < len(word) && lower(text[i+n]) == lower(word[n]) {
			n++
		}
		if n == len(word) {
			return i
		}
	}
	return -1
}

// lower returns an ASCII letter in lower case. Other bytes stay unchanged.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// assign sets the variables that a match of a pattern defines. captures describes the
// variables, and loc holds the offsets of the match and of its groups in the text. If a
// number cannot be parsed, assign sets no variable and returns errors.
func (v *values) assign(captures []capture, text string, loc []int) []matchError {
	// Two loops: all numbers are read before the first variable is set.
	numbers := make([]*big.Int, len(captures))
	for i, c := range captures {
		if c.number == nil {
			continue
		}
		value, ok := c.number.format.value(text[loc[2*c.group]:loc[2*c.group+1]])
		if !ok {
			return []matchError{{c.number.pos, "unable to read the matched text as a number"}}
		}
		numbers[i] = value
	}
	for i, c := range captures {
		switch {
		case c.number == nil:
			v.strings[c.name] = text[loc[2*c.group]:loc[2*c.group+1]]
		case c.number.define != nil:
			v.numbers[c.number.define] = numbers[i]
		}
	}
	return nil
}
