package diff

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// use is a tile instruction with its operand types, result types and attributes, without
// the names of its values. Random programs are composed of such instructions.
type use struct {
	def *ir.Def
	// args holds the names of the operands in the definition of the instruction.
	args      []string
	ins, outs []ir.Type
	attrs     []attr
}

// attr is an attribute: its name and its value as text.
type attr struct{ name, text string }

// text returns the text of the instruction u for a program. outs are the names of the
// results, and ins the names of the operands.
func (u *use) text(outs, ins []string) string {
	var b strings.Builder
	if len(outs) > 0 {
		b.WriteString(strings.Join(outs, ", ") + " = ")
	}
	b.WriteString(u.def.Name + " ")
	if _, ok := u.def.Sem.(sem.SubTile); ok {
		info, _ := pto.TileOf(u.outs[0])
		fmt.Fprintf(&b, "%s[%s] sizes [%d, %d] : %s -> %s", ins[0], strings.Join(ins[1:], ", "), info.Rows, info.Cols, u.ins[0], u.outs[0])
		return b.String()
	}
	b.WriteString(strings.Join(ins, ", "))
	for i, a := range u.attrs {
		b.WriteString([]string{" {", ", "}[min(i, 1)] + a.name + " = " + a.text)
	}
	if len(u.attrs) > 0 {
		b.WriteString("}")
	}
	if len(ins)+len(outs) == 0 {
		return b.String()
	}
	return b.String() + " : " + typeList(u.ins) + " -> " + typeList(u.outs)
}

// typeList returns the types as text, in parentheses unless there is exactly one.
func typeList(types []ir.Type) string {
	var s []string
	for _, t := range types {
		s = append(s, t.String())
	}
	if len(s) == 1 {
		return s[0]
	}
	return "(" + strings.Join(s, ", ") + ")"
}

// key returns a text that identifies the instruction with its types and attributes. Tests
// use it as the key of maps and in messages.
func (u *use) key() string { return u.text(nil, u.args) }

// in returns the type of the operand with the given name, or the zero type.
func (u *use) in(name string) ir.Type {
	if i := slices.Index(u.args, name); i >= 0 {
		return u.ins[i]
	}
	return ir.Type{}
}

// source returns the type of the operand "source" or "src".
func (u *use) source() ir.Type {
	if t := u.in("source"); !t.IsZero() {
		return t
	}
	return u.in("src")
}

// argOf returns the declaration of operand i in the definition of the instruction. It
// returns nil if the operand belongs to a list of variable length.
func (u *use) argOf(i int) *ir.Arg {
	for _, f := range u.def.Forms {
		for k := range f.Operands {
			if f.Level != ir.DPS && f.Operands[k].Name == u.args[i] {
				return &f.Operands[k]
			}
		}
	}
	return nil
}

// resultOf returns the declaration of result i in the definition of the instruction. It
// returns nil if the result belongs to a list of variable length.
func (u *use) resultOf(i int) *ir.Arg {
	for _, f := range u.def.Forms {
		if f.Level != ir.DPS && i < len(f.Results) {
			return &f.Results[i]
		}
	}
	return nil
}

// onCube reports whether an operand or a result is in a memory of the cube core.
func (u *use) onCube() bool {
	return slices.ContainsFunc(slices.Concat(u.ins, u.outs), func(t ir.Type) bool {
		info, ok := pto.TileOf(t)
		return ok && info.Space != sem.UB
	})
}

// attr returns the value of the named attribute as text, or "".
func (u *use) attr(name string) string {
	for _, a := range u.attrs {
		if a.name == name {
			return a.text
		}
	}
	return ""
}

// seeds returns the examples in the definitions of all tile instructions, and those in
// moreUses, each as an instruction with its types and attributes. All instructions in
// random programs are variations of these.
func seeds() []*use {
	var all []*use
	for _, d := range pto.Dialect.All() {
		info := pto.InfoOf(d)
		if info == nil || d.Sem == nil || info.Group != "tile" && info.Group != "view" && info.Group != "cube" {
			continue
		}
		for _, text := range slices.Concat(d.Examples, moreUses[d.Name]) {
			if u := readUse(d, text); u != nil {
				all = append(all, u)
			}
		}
	}
	return all
}

// readUse parses an example of the instruction d whose tiles are values (Level 1). The
// parameter text is the text of the example. readUse returns the instruction with its
// types and attributes, or nil if random programs cannot contain it.
func readUse(d *ir.Def, text string) *use {
	var diags ir.Diags
	body := ir.NewBlock()
	p := ir.NewParser(&ir.Source{Name: "example", Text: text}, ir.ParseOptions{}, &diags)
	for !p.AtEOF() && !p.Failed() {
		p.Operation(body)
	}
	if p.Failed() {
		return nil
	}
	op := body.First()
	if op == nil || op.Def() != d || op.Form().Level == ir.DPS || len(op.Regions()) > 0 {
		return nil
	}
	u := &use{def: d}
	for _, a := range op.Form().Operands {
		for range op.Args(a.Name) {
			u.args = append(u.args, a.Name)
		}
	}
	tiles := false
	for _, v := range op.Operands() {
		u.ins = append(u.ins, v.Type())
		tiles = tiles || ir.Is[pto.Tile](v.Type())
		if !canBeMade(v.Type()) {
			return nil
		}
	}
	for _, v := range op.Results() {
		u.outs = append(u.outs, v.Type())
		tiles = tiles || ir.Is[pto.Tile](v.Type())
	}
	for a := range op.OwnAttrs() {
		if !strings.HasSuffix(a.Name, "egmentSizes") {
			u.attrs = append(u.attrs, attr{a.Name, a.Attr.String()})
		}
	}
	if _, ok := d.Sem.(sem.OperandRounding); !tiles && !ok {
		return nil
	}
	return u
}

// canBeMade reports whether random programs can create values of type t.
func canBeMade(t ir.Type) bool {
	return ir.Is[pto.Tile](t) || ir.Is[pto.PartitionView](t) || ir.IsScalar(t)
}
