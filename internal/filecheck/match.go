package filecheck

import (
	"fmt"
	"math/big"
	"strings"

	"ptogo/internal/filecheck/ere"
)

// compiled is a pattern with its substitutions made, ready to search with.
type compiled struct {
	literal string      // when there is nothing but text
	re      *ere.Regexp // otherwise
	fold    bool
	ok      bool // set up
}

// capture is a group whose text goes to a variable.
type capture struct {
	group  int
	name   string       // string variable
	number *numberPiece // or numeric block
}

// matchError is why a pattern could not even be tried: a variable without a
// value, a number out of range.
type matchError struct {
	pos     int // in the check file; -1 for the whole pattern
	message string
}

// match searches text for the first match and gives the variables it defines
// their values.
func (p *pattern) match(text string, v *values) (found textRange, ok bool, errs []matchError) {
	switch p.kind {
	case kindEOF:
		return textRange{len(text), len(text)}, true, nil
	case kindEmpty:
		at, ok := emptyLine(text)
		return textRange{at, at}, ok, nil
	}
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

// emptyLine returns where the first line without any text begins, of those
// that follow a newline.
func emptyLine(text string) (int, bool) {
	if i := strings.Index(text, "\n\n"); i >= 0 {
		return i + 1, true
	}
	return len(text), strings.HasSuffix(text, "\n")
}

// expression writes the pieces as one regular expression.
func (p *pattern) expression(pieces []piece, v *values) (string, []capture, []matchError) {
	var b strings.Builder
	var captures []capture
	var errs []matchError
	group := 1 // of the next piece
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

// regex matches the numbers the block accepts.
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

// explain turns the error of an evaluation into one for every variable
// without a value, or one for the block.
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

// compile makes the expression ready. A pattern without substitutions is
// compiled once.
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

// compilePieces compiles the expression of some of the pattern's pieces.
func (p *pattern) compilePieces(pieces []piece, expr string) (compiled, error) {
	c := compiled{fold: p.fold, ok: true}
	if text, ok := onlyLiterals(pieces); ok && !p.anchored {
		c.literal = text
		return c, nil
	}
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

// onlyLiterals returns the text the pieces stand for, if it is fixed.
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

// substitutes reports whether the expression depends on variables.
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

// find returns the bounds of the first match and of its groups.
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

// indexFold is strings.Index for ASCII letters of either case. Bytes above
// ASCII are left alone.
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

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// assign gives the variables of a match their values.
func (v *values) assign(captures []capture, text string, loc []int) []matchError {
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
