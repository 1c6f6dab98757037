// This file proposes instructions that convert or copy an operand first.

package repair

import (
	"fmt"
	"regexp"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// copies returns the attempts in which an operand of op, which the text names at off, is
// copied to another memory or layout before op, or is converted if it is a number.
func copies(a *attempt, op *ir.Op, off int) []*attempt {
	r := newReader(a.text)
	s := extent(a.text, off)
	var all []*attempt
	for _, v := range op.Operands() {
		for _, place := range operands(a.text, s) {
			name := a.text[place.off:place.end]
			if name != "%"+v.Name() {
				continue
			}
			if scalar(v.Type()) {
				all = append(all, converted(a, r, s, place, v)...)
				continue
			}
			info, ok := pto.TileOf(v.Type())
			if !ok {
				continue
			}
			for _, t := range copyTypes(info) {
				all = append(all, copied(a, r, s, place, v.Type(), withInfo(v.Type(), t))...)
			}
		}
	}
	return all
}

// copyTypes returns the types to which an instruction can copy the tile t: in the memories
// of the cube unit.
func copyTypes(t pto.TileInfo) []pto.TileInfo {
	var all []pto.TileInfo
	for _, space := range spaces {
		if space == t.Space || t.Space == sem.L0A || t.Space == sem.L0B {
			continue
		}
		plain := t
		plain.Space = space
		all = append(all, usual(t, space), plain)
	}
	return all
}

// copied returns the attempts that copy the operand at place to a tile of type to before the
// operation with the lines s, and use the copy there.
func copied(a *attempt, r *reader, s, place span, from, to ir.Type) []*attempt {
	name := fresh(a, a.text[place.off:place.end])
	indent := indentation(a.text[s.off:])
	line := fmt.Sprintf("%s%s = pto.tmov %s : %s -> %s\n", indent, name, a.text[place.off:place.end], r.written(from), r.written(to))
	if ir.Is[pto.TileBuf](from) {
		line = fmt.Sprintf("%[1]s%[2]s = pto.alloc_tile : %[4]s\n%[1]spto.tmov ins(%[3]s : %[5]s) outs(%[2]s : %[4]s)\n", indent, name, a.text[place.off:place.end], r.written(to), r.written(from))
	}
	info, _ := pto.TileOf(to)
	what := fmt.Sprintf("with a copy of %s in %s", a.text[place.off:place.end], info.Space.Loc())
	return replaced(a, r, s, place, name, line, from, to, what)
}

// converted returns the attempts that convert the number at place before the operation with
// the lines s.
func converted(a *attempt, r *reader, s, place span, v *ir.Value) []*attempt {
	var all []*attempt
	for _, c := range []struct {
		op   string
		to   ir.Type
		from func(ir.Type) bool
	}{
		{"arith.index_cast", ir.Index, ir.Is[ir.IntegerType]},
		{"arith.index_cast", ir.I32, func(t ir.Type) bool { return t == ir.Index }},
		{"arith.index_cast", ir.I64, func(t ir.Type) bool { return t == ir.Index }},
		{"arith.extsi", ir.I64, func(t ir.Type) bool { return t == ir.I32 }},
	} {
		if !c.from(v.Type()) {
			continue
		}
		old := a.text[place.off:place.end]
		name := fresh(a, old)
		line := fmt.Sprintf("%s%s = %s %s : %s to %s\n", indentation(a.text[s.off:]), name, c.op, old, v.Type(), c.to)
		all = append(all, replaced(a, r, s, place, name, line, v.Type(), c.to, fmt.Sprintf("with %s converted to %s", old, c.to))...)
	}
	return all
}

// replaced returns the attempts that insert line before the operation with the lines s and
// use name instead of the operand at place there. If the text writes the type of the operand,
// it becomes to.
func replaced(a *attempt, r *reader, s, place span, name, line string, from, to ir.Type, what string) []*attempt {
	named := r.named(a.text, types(a.text, s), from.String())
	all := []*attempt{a.edit(place, name, costOperation)}
	if len(named) > 0 {
		all = nil
	}
	for _, t := range named {
		if t.off < place.off {
			continue
		}
		all = append(all, a.edit(t, r.written(to), costOperation).edit(place, name, 0))
	}
	for i, b := range all {
		all[i] = b.edit(span{s.off, s.off}, line, 0).called(what)
	}
	return all
}

// fresh returns a name of a value that the text does not have, nor the edits for other errors,
// derived from name.
func fresh(a *attempt, name string) string {
	base := strings.TrimRight(name, "0123456789#")
	if base == "%" {
		base = "%v"
	}
	for i := 0; ; i++ {
		x := base + "_copy"
		if i > 0 {
			x += fmt.Sprint(i)
		}
		if !regexp.MustCompile(regexp.QuoteMeta(x) + `\b`).MatchString(a.text + a.others) {
			return x
		}
	}
}

// indentation returns the blanks and tabs at the start of text.
func indentation(text string) string { return text[:len(text)-len(strings.TrimLeft(text, " \t"))] }
