// This file matches blocks of directives.

package filecheck

import (
	"strings"
)

// maxReference is the largest group number that a back reference in a regular expression
// can have.
const maxReference = 9

// block parses a [[...]] block at the start of the text, and returns the text that
// follows.
func (p *patternParser) block(text string, pos int) (rest string, err *patternError) {
	inner, pos := text[2:], pos+2
	end, err := blockEnd(inner, pos)
	if err != nil {
		return "", err
	}
	body, rest := inner[:end], inner[end+2:]
	if number, ok := strings.CutPrefix(body, "#"); ok {
		return rest, p.number(number, pos+1)
	}
	return rest, p.stringBlock(body, pos)
}

// blockEnd returns the offset in text of the `]]` that closes a [[...]] block. A `]]`
// inside the brackets of a regular expression in the block does not close it. The
// parameter pos is the offset of the text in the check file, for errors.
func blockEnd(text string, pos int) (int, *patternError) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch {
		case depth == 0 && strings.HasPrefix(text[i:], "]]"):
			return i, nil
		case text[i] == '\\':
			i++
		case text[i] == '[':
			depth++
		case text[i] == ']':
			if depth == 0 {
				return 0, errorAt(pos+i, `missing closing "]" for regex variable`)
			}
			depth--
		}
	}
	return 0, errorAt(pos-2, "invalid substitution block, no ]] found")
}

// stringBlock parses body, the contents of a [[...]] block about a string variable:
// NAME:regex, NAME, or @LINE in its old syntax.
func (p *patternParser) stringBlock(body string, pos int) *patternError {
	head, expr, isDefinition := strings.Cut(body, ":")
	if i := strings.IndexAny(head, " \t"); i >= 0 {
		return errorAt(pos+i, "unexpected whitespace")
	}
	name, err := scanName(head, pos)
	if err != nil {
		return err
	}
	rest := head[len(name):]
	switch {
	case isDefinition && (rest != "" || name[0] == '@'):
		return errorAt(pos, "invalid name in string variable definition")
	case isDefinition:
		return p.define(name, expr, pos)
	case name[0] == '@':
		return p.legacyLine(rest, pos, pos+len(name))
	case rest != "":
		return errorAt(pos, "invalid name in string variable use")
	}
	return p.use(name, pos)
}

// define adds an element for [[NAME:regex]] to the pattern, where name is the variable
// and expr the regular expression. It compiles the expression separately, so that an
// unbalanced parenthesis in it is an error and cannot close a group of the surrounding
// pattern.
func (p *patternParser) define(name, expr string, pos int) *patternError {
	if p.vars.numbers[name] != nil {
		return errorAt(pos, "numeric variable with name '%s' already exists", name)
	}
	p.vars.strings[name] = true
	// An empty expression is legal and has the meaning of ().
	r := regexPiece{expr: ""}
	if expr != "" {
		var err *patternError
		if r, err = newRegexPiece(expr, pos+len(name)+1); err != nil {
			return err
		}
	}
	p.defines[name] = len(p.pieces)
	p.pieces = append(p.pieces, definePiece{name, r})
	return nil
}

// use adds an element to the pattern for a block [[NAME]], which refers to a variable;
// the parameter name is the name of the variable. If the same pattern defines the
// variable, the variable has no value before the match, so the element becomes a back
// reference. Any other variable is replaced by its value.
func (p *patternParser) use(name string, pos int) *patternError {
	same, ok := p.defines[name]
	if !ok {
		same = -1
	} else if p.groupOf(same) > maxReference {
		return errorAt(pos, "cannot refer back to more than %d groups on one line", maxReference)
	}
	p.pieces = append(p.pieces, usePiece{name, pos, same})
	return nil
}

// groupOf returns the number of the first capture group of p.pieces[i] in the regular
// expression of the whole pattern.
func (p *pattern) groupOf(i int) int {
	n := 1
	for _, piece := range p.pieces[:i] {
		n += groupsOf(piece)
	}
	return n
}

// groupsOf returns the number of capture groups that an element of a pattern adds to the
// regular expression.
func groupsOf(p piece) int {
	switch p := p.(type) {
	case regexPiece:
		return p.groups
	case definePiece:
		return p.groups + 1
	case *numberPiece:
		return p.groups()
	}
	return 0
}

// groups returns the number of capture groups in the regular expression of the numeric
// block. The count includes the group around the complete block.
func (n *numberPiece) groups() int {
	if n.expr != nil {
		return 1
	}
	_, groups := n.format.regex()
	return groups + 1
}

// legacyLine parses an expression such as [[@LINE+2]], in which @LINE is the line number
// of the pattern. rest is the text after @LINE: nothing, or a sign and a decimal number.
// restPos is the offset of this text in the check file, and pos is the offset of the
// first byte after the brackets [[.
func (p *patternParser) legacyLine(rest string, pos, restPos int) *patternError {
	e, err := parseLegacyLine(rest, restPos, p.line)
	if err != nil {
		return err
	}
	p.pieces = append(p.pieces, &numberPiece{
		text: p.text[pos-p.pos : restPos-p.pos+len(rest)], pos: pos, expr: e, format: format{verb: 'u'},
	})
	return nil
}

// scanName scans the variable name at the start of text and returns it. A leading $ marks
// a global variable. A leading @ marks a pseudo variable; @LINE is the only one.
func scanName(text string, pos int) (string, *patternError) {
	n := 0
	if text != "" && (text[0] == '$' || text[0] == '@') {
		n = 1
	}
	first := n
	for n < len(text) && isNameByte(text[n]) {
		n++
	}
	name := text[:n]
	switch {
	case text == "":
		return "", errorAt(pos, "empty variable name")
	case text[0] == '@' && n == first:
		return "", errorAt(pos+1, "empty pseudo variable name")
	case n == first || '0' <= text[first] && text[first] <= '9':
		return "", errorAt(pos, "invalid variable name")
	case text[0] == '@' && name != "@LINE":
		return "", errorAt(pos, "invalid pseudo numeric variable '%s'", name)
	}
	return name, nil
}
