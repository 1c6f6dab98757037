// This file prints the custom syntax of operations.

package ir

import (
	"slices"
	"strings"
)

// Token writes a keyword or punctuation with the spaces that MLIR puts around it.
// The empty string suppresses the next space.
func (w *Printer) Token(s string) {
	if s == "" {
		w.glue = true
		return
	}
	if w.spaceBefore(s) {
		w.buf = append(w.buf, ' ')
	}
	w.buf = append(w.buf, s...)
	w.glue = len(s) == 1 && strings.Contains("<({[", s)
	w.punct = !isNameStart(s[0])
}

// spaceBefore reports whether the printer must print a space before the token s. It
// follows the rules of MLIR.
func (w *Printer) spaceBefore(s string) bool {
	switch {
	case w.glue:
		return false
	case len(s) != 1 && s != "->":
		return true
	case w.punct:
		return !strings.Contains(">)}],", s)
	}
	return !strings.Contains("<>(){}[],", s)
}

// part writes a space before the next word of the output, unless w.glue is set. It clears
// w.glue, so that the flag suppresses only one space.
func (w *Printer) part() {
	if !w.glue {
		w.buf = append(w.buf, ' ')
	}
	w.glue, w.punct = false, false
}

// Raw writes text without a space before or after it.
func (w *Printer) Raw(s string) {
	w.buf = append(w.buf, s...)
	w.glue = true
}

// Value writes the name of the value v, such as %0.
func (w *Printer) Value(v *Value) {
	w.part()
	w.buf = w.names.append(w.buf, v)
}

// Values writes names of operands, separated by commas.
func (w *Printer) Values(vs ...*Value) {
	for i, v := range vs {
		if i > 0 {
			w.Token(",")
		}
		w.Value(v)
	}
}

// values writes the names of some operands of op, separated by commas: the operands with
// the indices in the half-open range [from, to).
func (w *Printer) values(op *Op, from, to int) {
	for i := from; i < to; i++ {
		if i > from {
			w.Token(",")
		}
		w.Value(op.operands[i].value)
	}
}

// Type writes the type t.
func (w *Printer) Type(t Type) {
	w.part()
	w.typ(t)
}

// Types writes the given types, separated by commas.
func (w *Printer) Types(ts ...Type) {
	for i, t := range ts {
		w.listType(t, i > 0)
	}
}

// listType writes a type as an element of a list. If comma is true, it writes a comma
// first.
func (w *Printer) listType(t Type, comma bool) {
	if comma {
		w.Token(",")
	}
	w.Type(t)
}

// Attr writes an attribute in its full syntax, including type or dialect.
func (w *Printer) Attr(a Attr) {
	w.part()
	w.buf = a.AppendTo(w.buf)
}

// Elements writes the elements of a dense attribute without its type. It writes any other
// attribute in full.
func (w *Printer) Elements(a Attr) {
	d, ok := AttrAs[DenseAttr](a)
	if !ok {
		w.Attr(a)
		return
	}
	w.part()
	w.buf = d.AppendElements(w.buf)
}

// Number writes a number without its type. For the zero Attr it writes a placeholder, so
// that invalid operations can be printed.
func (w *Printer) Number(a Attr) {
	w.part()
	if a.IsZero() {
		w.buf = a.AppendTo(w.buf)
		return
	}
	w.buf = appendNumber(w.buf, a.Data())
}

// AttrAs writes an attribute in the short form that its constraint c allows, such as a
// bare enum keyword.
func (w *Printer) AttrAs(c AttrConstraint, a Attr) {
	if n, ok := c.(Narrower); ok {
		c = n.Unwrap()
	}
	switch c.(type) {
	case *Enum:
		w.part()
		w.buf = append(w.buf, a.Keyword()...)
	case *Flags:
		d, _ := AttrAs[flagsAttr](a)
		w.part()
		w.buf = d.AppendCases(w.buf)
	case intOf:
		w.Number(a)
	default:
		w.Attr(a)
	}
}

// Newline starts a new line with the indentation of the current operation.
func (w *Printer) Newline() {
	w.newline()
	w.glue, w.punct = true, false
}

// Symbol writes @name.
func (w *Printer) Symbol(name string) {
	w.part()
	w.buf = appendSymbol(w.buf, name)
}

// Text writes a string in quotes.
func (w *Printer) Text(s string) {
	w.part()
	w.buf = AppendQuoted(w.buf, s)
}

// Successor writes the name of a block, such as ^bb1.
func (w *Printer) Successor(b *Block) {
	w.part()
	w.buf = w.names.appendBlock(w.buf, b)
}

// Region writes region i of op. If args is true, the label of the entry block contains
// the arguments of the block. Region omits an implicit terminator, because the parser
// adds it when it reads the text.
func (w *Printer) Region(op *Op, i int, args bool) {
	w.part()
	r := op.regions[i]
	var implicit *Op
	if d := op.def.regionDef(i); d != nil && d.Implicit != nil && r.last != nil && r.first == r.last {
		if last := r.last.last; last != nil && last.def == d.Implicit && last.bare() {
			implicit = last
		}
	}
	if implicit == nil {
		w.region(r, args)
		return
	}
	w.buf = append(w.buf, '{')
	w.indent += 2
	if b := r.first; args && len(b.args) > 0 {
		w.label(b)
	}
	if w.opts.Users {
		w.argUsers(r.first)
	}
	for o := r.first.first; o != implicit; o = o.next {
		w.newline()
		w.op(o)
	}
	w.indent -= 2
	w.newline()
	w.buf = append(w.buf, '}')
}

// bare reports whether op consists of its name only, without operands, attributes or
// regions. The printer may omit a bare terminator, because the parser adds it again.
func (op *Op) bare() bool {
	for range op.OwnAttrs() {
		return false
	}
	for _, r := range op.regions {
		if r.first != r.last || r.first != nil && !r.first.Empty() {
			return false
		}
	}
	return len(op.operands) == 0 && len(op.extra) == 0
}

// AttrDict writes the attribute dictionary of op without the attributes named in except.
// It writes nothing if no attribute remains.
func (w *Printer) AttrDict(op *Op, except ...string) {
	skip := map[string]bool{}
	for _, e := range except {
		skip[e] = true
	}
	w.attrDict(op, skip, false)
}

// AttrDictWithKeyword writes the keyword "attributes" and the attribute dictionary of op
// without the attributes named in except. It writes nothing if no attribute remains.
func (w *Printer) AttrDictWithKeyword(op *Op, except ...string) {
	skip := map[string]bool{}
	for _, e := range except {
		skip[e] = true
	}
	w.attrDict(op, skip, true)
}

// attrDict writes attributes of op as a dictionary. It omits attributes whose names are
// in the map skip, and attributes that have their default value. If the parameter keyword
// is set, the word "attributes" precedes the dictionary.
func (w *Printer) attrDict(op *Op, skip map[string]bool, keyword bool) {
	var buf [8]NamedAttr
	entries := buf[:0]
	for i, a := range op.attrs {
		d := &op.def.Attrs[i]
		if !a.IsZero() && !skip[d.Name] && a != d.Default {
			entries = append(entries, NamedAttr{d.textName(), a})
		}
	}
	if len(op.extra) > 0 {
		for _, e := range op.extra {
			if !skip[e.Name] {
				entries = append(entries, e)
			}
		}
		slices.SortFunc(entries, func(a, b NamedAttr) int { return strings.Compare(a.Name, b.Name) })
	}
	if len(entries) == 0 {
		return
	}
	if keyword {
		w.Token("attributes")
	}
	w.part()
	w.buf = appendDict(w.buf, entries)
}
