// This file splits patterns into pieces.

package filecheck

import (
	"strings"

	"ptogo/internal/filecheck/ere"
)

// pattern is the text of a directive, split into pieces such as literals, regular
// expressions and variables.
type pattern struct {
	kind kind
	// pos is the offset of the pattern in the check file.
	pos    int
	text   string
	pieces []piece

	// anchored states that the match must be an entire line.
	anchored bool
	// blanks states that blanks around the match are ignored.
	blanks bool
	fold   bool
	// defines maps each string variable that the pattern defines to the index of its
	// piece.
	defines map[string]int

	// whole is the compiled pattern, if it does not depend on variables.
	whole compiled
}

// piece is an element of a pattern: a literal, a regular expression or a block.
type piece interface{ isPiece() }

// The kinds of elements of which the pattern of a directive consists.
type (
	// literalPiece is text that the input must contain literally.
	literalPiece string
	// regexPiece is a regular expression in double braces: {{regex}}.
	regexPiece struct {
		expr   string
		groups int
	}
	// definePiece is [[NAME:regex]]: it defines a string variable as the text that the
	// regular expression matches.
	definePiece struct {
		name string
		regexPiece
	}
	// usePiece is [[NAME]], the use of a string variable. If same is not negative, it is
	// the index of the piece of the same pattern that defines the variable.
	usePiece struct {
		name string
		pos  int
		same int
	}
	// numberPiece is a numeric block [[#...]]: it matches a number, and can define a
	// numeric variable.
	numberPiece struct {
		text   string
		pos    int
		define *numberVar // variable to set, or nil
		expr   expression // required value, or nil for any number
		format format
	}
)

func (literalPiece) isPiece() {}
func (regexPiece) isPiece()   {}
func (definePiece) isPiece()  {}
func (usePiece) isPiece()     {}
func (*numberPiece) isPiece() {}

// patternParser parses one pattern.
type patternParser struct {
	*pattern
	vars *declarations
	// line is the line of the directive, which is the value of @LINE.
	line int
}

// parsePattern parses text, the text after the directive d in the check file. pos is the
// offset of the text in the file, and line is the number of the line with the directive.
// o contains the options of the check, and vars are the variables that are defined before
// this directive.
func parsePattern(d *directive, text string, pos, line int, o *Options, vars *declarations) (*pattern, *patternError) {
	p := &pattern{kind: d.kind, pos: pos, text: text, fold: o.IgnoreCase, defines: map[string]int{}}
	negative := d.kind == kindNot || d.kind == kindImplicitNot
	// As in LLVM's tool, a literal directive can match anywhere in a line.
	if o.MatchFullLines && !negative && !d.literal {
		p.anchored, p.blanks = true, !o.StrictWhitespace
	}
	if d.kind == kindEmpty {
		if text != "" {
			return nil, errorAt(pos, "found non-empty check string for empty check with prefix '%s:'", d.prefix)
		}
		return p, nil
	}
	if text == "" {
		return nil, errorAt(pos, "found empty check string with prefix '%s:'", d.prefix)
	}
	if d.literal {
		p.pieces = []piece{literalPiece(text)}
		return p, nil
	}
	pp := &patternParser{pattern: p, vars: vars, line: line}
	defer vars.endPattern()
	if err := pp.parse(); err != nil {
		return nil, err
	}
	return p, nil
}

// parse splits the pattern text into pieces: regular expressions in {{ }}, blocks in [[
// ]], and literal text between them. A piece starts at {{ or [[, whichever comes first. A
// [[ within {{ }} is a part of the regular expression and does not start a block.
func (p *patternParser) parse() *patternError {
	rest := p.text
	for rest != "" {
		pos := p.pos + len(p.text) - len(rest)
		var err *patternError
		switch {
		case strings.HasPrefix(rest, "{{"):
			rest, err = p.regex(rest, pos)
		case startsBlock(rest):
			rest, err = p.block(rest, pos)
		default:
			n := nextBlock(rest)
			p.pieces = append(p.pieces, literalPiece(rest[:n]))
			rest = rest[n:]
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// startsBlock reports whether the text starts with a [[...]] block. If there are more
// than two opening brackets, only the last two start a block. For example, in a[[[I]]]
// the first bracket is a literal character, and the block is [[I]].
func startsBlock(text string) bool {
	return strings.HasPrefix(text, "[[") && !strings.HasPrefix(text, "[[[")
}

// nextBlock returns the offset of the first {{regex}} or [[...]] block in the text.
func nextBlock(text string) int {
	for i := range len(text) {
		if startsBlock(text[i:]) || strings.HasPrefix(text[i:], "{{") {
			return i
		}
	}
	return len(text)
}

// regex parses a {{regex}} at the start of text and adds it to the pattern. The regular
// expression ends at the first }}. The result rest is the remaining text after this }}.
func (p *patternParser) regex(text string, pos int) (rest string, err *patternError) {
	end := strings.Index(text[2:], "}}")
	if end < 0 {
		return "", errorAt(pos, "found start of regex string with no end '}}'")
	}
	r, err := newRegexPiece(text[2:2+end], pos+2)
	if err != nil {
		return "", err
	}
	if strings.Contains(r.expr, "|") {
		r.expr = "(" + r.expr + ")"
		r.groups++
	}
	p.pieces = append(p.pieces, r)
	return text[2+end+2:], nil
}

// newRegexPiece returns the pattern element for the regular expression expr, which is at
// offset pos of the check file. It checks the expression and counts its groups. The count
// is needed because the groups of all later elements of the pattern receive higher
// numbers.
func newRegexPiece(expr string, pos int) (regexPiece, *patternError) {
	groups, err := ere.Groups(expr)
	if err != nil {
		return regexPiece{}, errorAt(pos, "%v", err)
	}
	return regexPiece{expr, groups}, nil
}

// usesVariables reports whether the pattern defines or uses a string variable or a
// numeric expression.
func (p *pattern) usesVariables() bool {
	for _, piece := range p.pieces {
		switch piece := piece.(type) {
		case definePiece, usePiece:
			return true
		case *numberPiece:
			if piece.expr != nil {
				return true
			}
		}
	}
	return false
}
