// This file converts calls whose template arguments are enumerators in any combination.

package cpp

import (
	"slices"
	"strings"

	"ptogo/frontend/llir"
	"ptogo/ir"
)

// movers are the functions of the library whose template arguments are enumerators in any
// combination, with the instruction for each.
var movers = map[string]string{
	"TMOV": "tmov", "TMOV_FP": "tmov", "TEXTRACT": "textract", "TEXTRACT_FP": "textract", "TINSERT": "tinsert", "TINSERT_FP": "tinsert",
	"TSTORE": "tstore", "TSTORE_FP": "tstore", "TFILLPAD": "tfillpad", "TFILLPAD_INPLACE": "tfillpad", "TFILLPAD_EXPAND": "tfillpad",
}

// moved converts a call of one of movers, or returns nil for another call.
func (f *function) moved(v *llir.Value, c *libraryCall) *bound {
	name, ok := movers[c.name]
	if !ok || len(c.args) < 2 {
		return nil
	}
	def := ir.Lookup("pto." + name)
	b := &bound{def: def, form: def.Form(ir.DPS)}
	b.operands = make([][]argument, len(b.form.Operands))
	set := func(name string, a argument) {
		i := slices.IndexFunc(b.form.Operands, func(o ir.Arg) bool { return o.Name == name })
		if i < 0 {
			f.failf(v, "%s has an argument more than ptogo knows", c.name)
		}
		b.operands[i] = []argument{a}
	}
	if dst := c.args[0].tile; name == "tfillpad" && dst != nil && dst.role == 1 && dst.pad == 0 {
		for i := range 2 { // the library fills tiles in L1 with zeros, with or without a pad
			if a := &c.args[i]; a.tile != nil && a.tile.pad == 0 {
				t := *a.tile
				t.pad = 1
				f.drop(*a)
				*a = f.allocated(a.from, t)
			}
		}
	}
	set("dst", c.args[0])
	set("src", c.args[1])
	rest := c.args[2:]
	if name == "textract" || name == "tinsert" {
		if n := len(rest); n >= 2 && rest[n-1].kind == intArgument && rest[n-2].kind == intArgument {
			window := c.args[1].tile // the tile that contains the window
			if name == "tinsert" {
				window = c.args[0].tile
			}
			if dst, src := &c.args[0], &c.args[1]; name == "textract" && inVec(dst) && inVec(src) && isPair(window.elem) {
				// Inside the unified buffer, this function of the library counts pairs.
				*dst, *src = f.unpacked(*dst), f.unpacked(*src)
				set("dst", *dst)
				set("src", *src)
			} else if window != nil && isPair(window.elem) && window.role != 2 && window.role != 3 {
				i := n - 1
				if window.packsRows() {
					i = n - 2
				}
				rest[i].v = f.half(v, rest[i].v)
			}
			set("indexRow", rest[n-2])
			set("indexCol", rest[n-1])
			rest = rest[:n-2]
		} else {
			zero := argument{kind: intArgument, v: &llir.Value{Op: "int", Type: &llir.Type{Kind: llir.Int, Bits: 64}}}
			set("indexRow", zero)
			set("indexCol", zero)
		}
	}
	for _, a := range rest {
		switch a.kind {
		case tileArgument:
			set("fp", a)
		case intArgument:
			set("preQuantScalar", a)
		default:
			f.failf(v, "%s has an argument that has no counterpart in PTO yet", c.name)
		}
	}
	for _, t := range c.types {
		if t.kind == intArgument && name == "tmov" {
			b.attrs = append(b.attrs, groupAxis(t.v.Int))
		}
		if t.kind != enumArgument || t.enum == "TFillPadMode" {
			continue
		}
		attr := attributeName(t.enum)
		d := def.Attr(attr)
		if d == nil {
			f.failf(v, "%s with pto::%s::%s has no counterpart in PTO yet", c.name, t.enum, t.word)
		}
		e, _ := d.Type.(*ir.Enum)
		found := false
		for _, k := range e.Keywords() {
			if strings.EqualFold(strings.ReplaceAll(k, "_", ""), strings.ReplaceAll(t.word, "_", "")) {
				found = true
				if value := e.Attr(k); value != d.Default {
					b.attrs = append(b.attrs, attr+" = "+value.String())
				}
			}
		}
		if !found {
			f.failf(v, "%s with pto::%s::%s has no counterpart in PTO yet", c.name, t.enum, t.word)
		}
	}
	return b
}

// inVec reports whether an argument is a tile in the unified buffer.
func inVec(a *argument) bool { return a.tile != nil && a.tile.role == 0 }

// attributeName returns the name of the attribute for an enumeration: stPhase for STPhase,
// tinsertMode for TInsertMode, and reluPreMode for ReluPreMode.
func attributeName(enum string) string {
	n := 1
	for n < len(enum) && 'A' <= enum[n] && enum[n] <= 'Z' && n < 2 {
		n++
	}
	return strings.ToLower(enum[:n]) + enum[n:]
}
