// Package pybind generates a Python table of all operations and enums from the
// definitions, for python/ptogo/mlir_compat. With this table, builders in Python create
// operations that the verifier accepts.
package pybind

import (
	"fmt"
	"strings"

	_ "ptogo/dialect/all" // every dialect that programs of PTO use
	"ptogo/ir"
)

// Definitions returns the text of the Python module _definitions.py. The module contains
// the descriptions of all operations and enums that the Python bindings need.
func Definitions() string {
	var b strings.Builder
	b.WriteString(head)
	b.WriteString("OPS = {\n")
	for _, d := range ir.Dialects() {
		for _, def := range d.All() {
			for _, name := range append([]string{def.Name}, def.Old...) {
				fmt.Fprintf(&b, "    %q: %q,\n", name, operation(def))
			}
		}
	}
	b.WriteString("}\n\nENUMS = {\n")
	for _, d := range ir.Dialects() {
		for _, e := range d.Enums {
			fmt.Fprintf(&b, "    %q: %q,\n", e.Dialect+"."+e.Name, enum(e))
		}
	}
	b.WriteString("}\n\nOLD_NAMES = {\n")
	for _, d := range ir.Dialects() {
		for _, def := range d.All() {
			for _, name := range def.Old {
				fmt.Fprintf(&b, "    %q: %q,\n", name, def.Name)
			}
		}
	}
	b.WriteString("}\n\nOLD_PREFIXES = {\n")
	for _, d := range ir.Dialects() {
		for _, def := range d.All() {
			for _, a := range def.Attrs {
				if a.OldPrefix[0] != "" {
					fmt.Fprintf(&b, "    %q: (%q, %q, %q),\n", def.Name, a.Name, a.OldPrefix[0], a.OldPrefix[1])
				}
			}
		}
	}
	b.WriteString("}\n")
	return b.String()
}

const head = `"""The operations and enums of the dialects, as their definitions in Go say.

Written by go run ./tools/pybind/gen; do not edit.

An operation is "results | operands | attributes | regions", each a list of
names. A name ends in ? if it stands for at most one value or may be absent, in
* if it stands for any number. A result goes on with ~operand if it has the type
of that operand, and with =type if its type is always the same. An attribute
goes on with :kind, see attributes.build. An enum is the template of its text
and its cases with their numbers.

OLD_NAMES are names that operations once had, with those of today. OLD_PREFIXES
are, by operation, an attribute and how its text once began, and begins today.
"""

`

// operation describes an operation for Python: its results, operands, attributes and
// regions. It uses the form in which destinations are operands, if the operation has one.
func operation(d *ir.Def) string {
	f := d.Form(ir.DPS)
	if f == nil {
		f = d.Forms[0]
	}
	parts := []string{list(f.Results, result), list(f.Operands, operand), list(d.Attrs, attribute), list(d.Regions, region)}
	return strings.Join(parts, " | ")
}

func list[T any](args []T, text func(*T) string) string {
	var words []string
	for i := range args {
		words = append(words, text(&args[i]))
	}
	return strings.Join(words, " ")
}

func operand(a *ir.Arg) string {
	return a.Name + map[ir.Arity]string{ir.Optional: "?", ir.Variadic: "*"}[a.Arity]
}

func result(a *ir.Arg) string {
	if f, ok := a.Type.(interface{ Follows() string }); ok {
		return operand(a) + "~" + f.Follows()
	}
	if t := fixedType(a.Type); t != "" && a.Arity == ir.One {
		return operand(a) + "=" + t
	}
	return operand(a)
}

// fixedType returns the text of the type that the constraint c always infers. It returns
// "" if the type depends on operands.
func fixedType(c ir.Constraint) string {
	i, ok := c.(ir.Inferrer)
	if !ok {
		return ""
	}
	t := i.Infer(&ir.Env{Def: &ir.Def{}, Form: &ir.Form{}})
	if t.IsZero() {
		return ""
	}
	return t.String()
}

func region(r *ir.RegionDef) string {
	if r.Variadic {
		return r.Name + "*"
	}
	return r.Name
}

func attribute(a *ir.AttrDef) string {
	name := a.Name
	if a.Optional || !a.Default.IsZero() {
		name += "?"
	}
	return name + ":" + kind(a.Type)
}

// sample describes one kind of attribute constraint by attributes that only constraints
// of this kind accept. The tool determines the kind of a constraint by testing which of
// these attributes it accepts.
type sample struct {
	kind  string
	attrs []ir.Attr
}

var samples = []sample{
	{"unit", []ir.Attr{ir.AttrOf(ir.UnitAttr{})}},
	{"bool", []ir.Attr{ir.BoolAttr(true), ir.BoolAttr(false)}},
	{"i32", integers(ir.I32)},
	{"i64", integers(ir.I64)},
	{"i8", integers(ir.I8)},
	{"i16", integers(ir.I16)},
	{"i32s", []ir.Attr{ir.AttrOf(ir.DenseArrayAttr{Elem: ir.I32})}},
	{"i64s", []ir.Attr{ir.AttrOf(ir.DenseArrayAttr{Elem: ir.I64})}},
	{"symbol", []ir.Attr{ir.Symbol("f")}},
}

func integers(t ir.Type) []ir.Attr {
	var all []ir.Attr
	for _, v := range []int64{0, 1, 2, 16} {
		all = append(all, ir.IntAttr(t, v))
	}
	return all
}

// kind returns a name for the set of attributes that the constraint c accepts, such as
// the name of an enum. By this name, Python code selects how it converts a Python value
// to an attribute.
func kind(c ir.AttrConstraint) string {
	if n, ok := c.(ir.Narrower); ok {
		c = n.Unwrap()
	}
	if e, ok := c.(*ir.Enum); ok {
		return e.Dialect + "." + e.Name
	}
	accepted := map[string]bool{}
	for _, s := range samples {
		for _, a := range s.attrs {
			if c.CheckAttr(a) {
				accepted[s.kind] = true
			}
		}
	}
	if len(accepted) == 1 {
		for k := range accepted {
			return k
		}
	}
	return "any"
}

// enum describes an enum for Python: the template of its text, and its cases.
func enum(e *ir.Enum) string {
	template := fmt.Sprintf("#%s.%s<{}>", e.Dialect, e.Name)
	if e.Short {
		template = fmt.Sprintf("#%s<%s {}>", e.Dialect, e.Name)
	}
	var cases []string
	for _, c := range e.Cases {
		cases = append(cases, fmt.Sprintf("%s=%d", c.Name, c.Value))
	}
	return template + " | " + strings.Join(cases, " ")
}
