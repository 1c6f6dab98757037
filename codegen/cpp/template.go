// This file fills in call templates.

package cpp

import (
	"slices"
	"strings"
	"sync"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// part is an element of a call template (pto.Cpp): literal text, a placeholder for an
// operand or attribute, or a group that may be omitted.
type part struct {
	kind partKind
	// text is the literal text, or the name of the attribute.
	text string
	// arg is the index of the argument in the syntax of the instruction.
	arg int
	// scratch reports that the argument is a scratch tile that may be missing.
	scratch bool
	// as is the index of the argument whose C++ type this argument must have, or -1.
	as int
	// form selects how the value of an attribute is written: '^' in capitals, '~' in
	// mixed case, '%' with each word capitalized, and '#' with 0 and 1 for booleans. 0
	// leaves the value unchanged.
	form byte
	// prefix is prepended to the value of an attribute that does not have it already.
	prefix string
	// absent is the C++ text that is written instead if the instruction does not have the
	// attribute.
	absent string
	// attr is the definition of the attribute.
	attr *ir.AttrDef
	// group contains the elements of a group that may be omitted.
	group []part
}

// partKind is the kind of an element of a call template, which describes the C++ call for
// an instruction. An element is, for example, a text, an operand or an attribute.
type partKind uint8

// The kinds of elements of a call template: text, an operand, its type, the type of its
// elements, an attribute, a barrier, and a group that is omitted if one of its elements
// is missing.
const (
	plainText partKind = iota
	operandHole
	typeHole
	elemHole
	attrHole
	barrierHole
	optionalGroup
)

// spellings caches the parsed call templates (patterns of a C++ call) for each form of an
// instruction. A form is a list of operands that the instruction permits.
var spellings sync.Map // *ir.Form -> [][]part

// spellingsOf returns the parsed call templates (patterns of a C++ call) of the
// instruction d with the operands that form describes, in the order of preference.
func spellingsOf(d *ir.Def, form *ir.Form) [][]part {
	if known, ok := spellings.Load(form); ok {
		return known.([][]part)
	}
	texts := pto.InfoOf(d).Cpp.Calls
	if texts == nil {
		texts = []string{usualCall(d, form)}
	}
	var all [][]part
	for _, text := range texts {
		if c := (&compiler{d: d, form: form, rest: text}); c.fits() {
			all = append(all, c.parts(""))
		}
	}
	spellings.Store(form, all)
	return all
}

// usualCall returns the call template for an instruction that follows the naming
// convention of the library. The template consists of the name in capitals, followed by
// the outputs and the inputs of the form as arguments.
func usualCall(d *ir.Def, form *ir.Form) string {
	var outs, ins, tmp []string
	for _, a := range form.Operands {
		hole := "{" + a.Name + "}"
		switch {
		case a.Role == ir.Out || a.Role == ir.InOut:
			outs = append(outs, hole)
		case a.Role == ir.Scratch:
			tmp = append(tmp, hole)
		case a.Arity != ir.One:
			ins = append(ins, "[, "+hole+"]")
		default:
			ins = append(ins, hole)
		}
	}
	_, name, _ := strings.Cut(d.Name, ".")
	name = strings.ToUpper(strings.ReplaceAll(name, ".", "_"))
	args := strings.Join(slices.Concat(outs, ins, tmp), ", ")
	return name + precision(d) + "(" + strings.ReplaceAll(args, ", [, ", "[, ") + ")"
}

// precision returns the part of the C++ call template that selects the precision mode as
// a template argument. It returns "" if instruction d has no attribute precisionType. The
// brackets make the argument optional, because the library has a default.
func precision(d *ir.Def) string {
	a := d.Attr("precisionType")
	if a == nil {
		return ""
	}
	enum, ok := a.Type.(*ir.Enum)
	if !ok {
		return ""
	}
	word, _, _ := strings.Cut(enum.Name, "_")
	return "<[pto::" + mixedCase(word) + "Algorithm::{precisionType^}]>"
}

// mixedCase converts words that are separated by underscores to mixed case, for example
// atomic_add to AtomicAdd. The library names its enumerators in mixed case.
func mixedCase(words string) string {
	var b strings.Builder
	for _, w := range strings.Split(words, "_") {
		if w != "" {
			b.WriteString(strings.ToUpper(w[:1]) + w[1:])
		}
	}
	return b.String()
}

// compiler parses one call template for one form of an instruction. rest is the text that
// has not been parsed yet.
type compiler struct {
	d    *ir.Def
	form *ir.Form
	rest string
}

// fits reports whether the call template fits the form of the instruction: the form must
// declare every operand and attribute that the template contains. A definition may have
// several templates for different forms.
func (c *compiler) fits() bool {
	for _, hole := range strings.Split(c.rest, "{")[1:] {
		text, _, _ := strings.Cut(hole, "}")
		if h := parseHole(text); h.kind != barrierHole && c.argument(h.name) < 0 && c.d.Attr(h.name) == nil {
			return false
		}
	}
	return true
}

// holeText is the parsed text of a placeholder, which is written in braces in a call
// template.
type holeText struct {
	// kind is operandHole, typeHole, elemHole, attrHole or barrierHole. name is the name
	// of the operand or attribute.
	kind partKind
	name string
	// must means that the operand may not be missing, even if it is a scratch tile.
	must bool
	// as is the name of the argument whose C++ type this argument must have. prefix is
	// prepended to the value of an attribute.
	as, prefix string
	// absent is the C++ text that is written instead of a missing attribute, and form
	// selects how an attribute is written.
	absent string
	form   byte
}

// parseHole parses the text between the braces of a placeholder in a call template. The
// result contains the name of the operand or attribute that replaces the placeholder, and
// the modifiers in the text.
func parseHole(text string) holeText {
	if text == "barrier" {
		return holeText{kind: barrierHole}
	}
	h := holeText{kind: operandHole}
	switch word, name, _ := strings.Cut(text, " "); word {
	case "type":
		h.kind, text = typeHole, name
	case "elem":
		h.kind, text = elemHole, name
	}
	text, h.must = strings.CutPrefix(text, "!")
	text, h.absent, _ = strings.Cut(text, "|")
	text, h.as, _ = strings.Cut(text, "=")
	text, h.prefix, _ = strings.Cut(text, "+")
	if i := strings.IndexAny(text, "^~#%"); i >= 0 {
		h.form, text = text[i], text[:i]
	}
	h.name = text
	return h
}

// argument returns the index of the argument with the given name among the arguments of
// the instruction form, or -1 if the form does not have it.
func (c *compiler) argument(name string) int {
	return slices.IndexFunc(c.form.Operands, func(a ir.Arg) bool { return a.Name == name })
}

// parts parses a call template up to the text end, which is the closing bracket of a
// group or "" at the end of the template.
func (c *compiler) parts(end string) []part {
	var ps []part
	for c.rest != end {
		i := strings.IndexAny(c.rest, "{[]")
		switch {
		case i < 0:
			ps = append(ps, part{text: c.rest})
			c.rest = ""
		case i > 0:
			ps = append(ps, part{text: c.rest[:i]})
			c.rest = c.rest[i:]
		case c.rest[0] == '{':
			hole, rest, _ := strings.Cut(c.rest[1:], "}")
			ps, c.rest = append(ps, c.hole(hole)), rest
		case c.rest[0] == '[':
			c.rest = c.rest[1:]
			ps = append(ps, part{kind: optionalGroup, group: c.parts("]")})
		default: // the end of a group
			c.rest = c.rest[1:]
			return ps
		}
	}
	return ps
}

// hole parses the text of one placeholder of a call template.
func (c *compiler) hole(text string) part {
	h := parseHole(text)
	if h.kind == barrierHole {
		return part{kind: barrierHole}
	}
	if i := c.argument(h.name); i >= 0 {
		return part{kind: h.kind, arg: i, scratch: c.form.Operands[i].Role == ir.Scratch && !h.must, as: c.argument(h.as)}
	}
	return part{kind: attrHole, text: h.name, attr: c.d.Attr(h.name), form: h.form, prefix: h.prefix, absent: h.absent}
}
