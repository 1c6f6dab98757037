// This file converts communication between ranks.

package cpp

import (
	"slices"
	"strconv"
	"strings"

	"ptogo/frontend/llir"
	"ptogo/ir"
)

// communicate converts a signal between ranks, or a copy from or to another rank.
func (f *function) communicate(v *llir.Value, c *libraryCall) {
	name := "pto." + strings.ToLower(c.name)
	var names, types, attrs []string
	for i := range c.args {
		a := &c.args[i]
		if a.kind == intArgument {
			a.name, a.typ = f.asType(v, *a, 32)
		}
		if a.kind == enumArgument {
			attrs = append(attrs, f.commAttribute(v, name, *a))
			continue
		}
		f.variable(a)
		names, types = append(names, a.name), append(types, a.typ)
	}
	for _, t := range c.types {
		if t.word != "AtomicNone" {
			attrs = append(attrs, f.commAttribute(v, name, t))
		}
	}
	if slices.Contains(names, "") || len(names) < 2 {
		f.failf(v, "this call of %s has no counterpart in PTO yet", strings.Replace(c.name, ".", "::", 1))
	}
	operands := strings.Join(names, ", ")
	if len(names) > 2 { // copies have one or two tiles
		operands = names[0] + ", " + names[1] + ", buf(" + strings.Join(names[2:], ", ") + ")"
	}
	text := name + "(" + operands + " : " + strings.Join(types, ", ") + ")"
	if len(attrs) > 0 {
		text += " {" + strings.Join(attrs, ", ") + "}"
	}
	if c.name == "comm.TTEST" {
		f.define(v, text+" -> i1")
		return
	}
	f.line(v, "%s", text)
}

// collective converts an operation on a group of ranks: the data of the root, for a
// reduction its accumulator, one or two tiles, and the views of the group.
func (f *function) collective(v *llir.Value, c *libraryCall) {
	name := "pto." + strings.ToLower(c.name)
	refuse := func() {
		f.failf(v, "this call of %s has no counterpart in PTO yet", strings.Replace(c.name, ".", "::", 1))
	}
	if len(c.types) != 1 || c.types[0].v == nil || c.types[0].v.Op != "int" {
		refuse()
	}
	attrs := []string{"root = " + strconv.FormatInt(c.types[0].v.Int, 10) + " : i32"}
	var head, tiles, group, types []string
	for i := range c.args {
		f.variable(&c.args[i])
		a := c.args[i]
		switch {
		case a.kind == enumArgument:
			attrs = append(attrs, f.commAttribute(v, name, a))
			continue
		case a.kind != tileArgument && a.kind != viewArgument:
			refuse()
		case i == 0 || i == 1 && c.name == "comm.TREDUCE":
			head = append(head, a.name)
		case a.kind == tileArgument:
			tiles = append(tiles, a.name)
		default:
			group = append(group, a.name)
		}
		types = append(types, a.typ)
	}
	if len(tiles) == 0 || len(group) == 0 {
		refuse()
	}
	f.line(v, "%s(%s, recv(%s), group(%s) : %s) {%s}", name, strings.Join(head, ", "), strings.Join(tiles, ", "), strings.Join(group, ", "),
		strings.Join(types, ", "), strings.Join(attrs, ", "))
}

// variable gives a tile of a copy the extents that its C++ type leaves open, although they
// are constants: the library copies a remainder of rows or columns by changing them.
func (f *function) variable(a *argument) {
	if a.tile == nil || !a.from.Args[9].IsConst(-1) && !a.from.Args[10].IsConst(-1) {
		return
	}
	t := *a.tile
	if a.from.Args[9].IsConst(-1) {
		t.validRows = -1
	}
	if a.from.Args[10].IsConst(-1) {
		t.validCols = -1
	}
	f.drop(*a)
	*a = f.allocated(a.from, t)
}

// commAttribute returns the attribute that an enumerator states.
func (f *function) commAttribute(v *llir.Value, op string, a argument) string {
	def := ir.Lookup(op)
	if def == nil {
		f.failf(v, "%s has no counterpart in PTO", op)
	}
	for _, d := range def.Attrs {
		e, ok := d.Type.(*ir.Enum)
		if !ok {
			continue
		}
		for _, k := range e.Keywords() {
			if strings.EqualFold(strings.ReplaceAll(k, "_", ""), a.word) {
				return d.Name + " = " + e.Attr(k).String()
			}
		}
	}
	f.failf(v, "%s with %s::%s has no counterpart in PTO yet", op, a.enum, a.word)
	return ""
}
