// This file describes call templates for readers of C++.

package cpp

import (
	"slices"
	"strings"

	"ptogo/ir"
)

// Pattern is the C++ call for one form of an instruction, for programs that read C++
// instead of writing it.
type Pattern struct {
	// Name is the name of the function. Types are its template arguments, and Args are
	// its arguments.
	Name        string
	Types, Args []Item
}

// Item is an argument in a Pattern.
type Item struct {
	// Operand is the index of the operand among the operands of the form, or -1.
	Operand int
	// IsType reports that the argument is a C++ type.
	IsType bool
	// Attr is the attribute that the argument states, or nil.
	Attr *ir.AttrDef
	// Optional reports that the call may lack the argument.
	Optional bool
	// Pointer reports that the argument is a pointer to a tile.
	Pointer bool

	text string
	hole *part
}

// Text returns the C++ text of the argument if the attribute has the given keyword, such
// as CmpMode::EQ.
func (i Item) Text(keyword string) string { return i.text + i.hole.written(keyword) }

// Patterns returns the calls for the instruction d with the operands that form describes.
// It omits calls that consist of several statements, and those whose arguments are
// expressions.
func Patterns(d *ir.Def, form *ir.Form) []Pattern {
	var all []Pattern
	for _, parts := range spellingsOf(d, form) {
		r := patternReader{into: -1}
		if r.read(parts, false); !r.bad && r.into == 2 {
			all = append(all, r.Pattern)
		}
	}
	return all
}

// patternReader collects the arguments of a call template.
type patternReader struct {
	Pattern
	// item is the current argument. into is -1 in the name of the function, 0 in the
	// template arguments, 1 in the arguments and 2 after them.
	item Item
	into int
	bad  bool
}

// read reads the parts of a template. optional reports that the call may lack them.
func (r *patternReader) read(parts []part, optional bool) {
	for i := range parts {
		p := &parts[i]
		switch p.kind {
		case plainText:
			for k := range len(p.text) {
				r.char(p.text[k])
			}
			continue
		case optionalGroup:
			r.read(p.group, true)
			continue
		case barrierHole:
			r.bad = true
		case attrHole:
			r.item.Attr = p.attr
		default:
			r.item.IsType = p.kind != operandHole
		}
		hole := *p
		r.item.hole, r.item.Optional = &hole, optional || p.kind == attrHole && p.absent != ""
	}
}

// char reads one character of the text of a template.
func (r *patternReader) char(c byte) {
	switch {
	case r.into == 2 || c == ';':
		r.bad = true
	case r.into < 0 && c == '<':
		r.into = 0
	case r.into < 0 && c == '(':
		r.into = 1
		return
	case r.into < 0:
		r.Name += string(c)
	case c == ',' || c == '>' && r.into == 0 || c == ')' && r.into == 1:
		r.flush()
		if c == '>' {
			r.into = -1
		} else if c == ')' {
			r.into = 2
		}
	case c == '(' || c == '.':
		r.bad = true
	case c == ' ':
	case c == '&':
		r.item.Pointer = true
	default:
		r.item.text += string(c)
	}
}

// flush ends the current argument.
func (r *patternReader) flush() {
	if r.item.hole == nil {
		r.bad = r.bad || r.item.text != ""
		return
	}
	r.item.Operand = -1
	if r.item.Attr == nil {
		r.item.Operand = r.item.hole.arg
	}
	if r.into == 0 {
		r.Types = append(r.Types, r.item)
	} else {
		r.Args = append(r.Args, r.item)
	}
	r.item = Item{}
}

// Keywords returns the keywords of the attribute of an argument, without the ones for
// which the C++ text is the same as for a previous one.
func (i Item) Keywords() []string {
	e, ok := i.Attr.Type.(*ir.Enum)
	if !ok {
		return nil
	}
	var all, texts []string
	for _, k := range e.Keywords() {
		if t := i.Text(k); !slices.Contains(texts, strings.TrimSpace(t)) {
			all, texts = append(all, k), append(texts, t)
		}
	}
	return all
}
