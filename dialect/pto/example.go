// This file generates examples for instructions without one.

package pto

import (
	"strings"

	"ptogo/ir"
)

// Sample generates examples for the reference page of a tile instruction that has none.
// The Level 1 example uses values. If all tiles are in vec and the instruction has no
// syntax of its own, Sample adds a Level 2 example.
//
// outs and ins contain the types of the results and of the operands, without scratch
// operands. Tile types are abbreviated, as in 16x64xf32; other types are written in full.
func (o *Op) Sample(outs []string, ins ...string) {
	if o.Examples != nil {
		return
	}
	var names, results, old []string
	for _, a := range o.Ins {
		if a.Role != ir.Scratch {
			names = append(names, valueOf(a))
		}
	}
	types := append([]string(nil), ins...)
	for i, a := range o.Outs {
		if results = append(results, valueOf(a)); a.Role == ir.InOut {
			old, types = append(old, valueOf(a)), append(types, outs[i])
			results[i] = "%new"
		}
	}
	ssa := strings.Join(results, ", ") + " = pto." + o.Name + " " + strings.Join(append(names, old...), ", ") +
		" : " + InParens(written(types, "!pto.tile<")) + " -> " + InParens(written(outs, "!pto.tile<"))
	o.Examples = []string{ssa}
	if o.DPS != nil || strings.Contains(ssa, "loc=") {
		return
	}
	for i, a := range o.Outs {
		results[i] = valueOf(a)
	}
	o.Examples = append(o.Examples, "pto."+o.Name+" ins("+strings.Join(names[:len(ins)], ", ")+" : "+strings.Join(written(ins, "!pto.tile_buf<vec, "), ", ")+
		") outs("+strings.Join(results, ", ")+" : "+strings.Join(written(outs, "!pto.tile_buf<vec, "), ", ")+")")
}

// valueOf returns the name of the value that examples use for operand a, such as %src.
func valueOf(a ir.Arg) string { return "%" + strings.ToLower(a.Name) }

// written expands abbreviated tile types such as 16x64xf32 to full types. open is the
// text before the shape in the full type.
func written(types []string, open string) []string {
	var full []string
	for _, t := range types {
		if t[0] >= '0' && t[0] <= '9' {
			t = open + t + ">"
		}
		full = append(full, t)
	}
	return full
}

// InParens joins types as in a signature: a single type alone, several types in
// parentheses.
func InParens(types []string) string {
	if len(types) == 1 {
		return types[0]
	}
	return "(" + strings.Join(types, ", ") + ")"
}

// Common returns the name of an element type for examples. If possible, it chooses a type
// that all targets support.
func (on On) Common() string {
	both := on.A2A3 & on.A5
	if both == 0 {
		both = on.A2A3 | on.A5
	}
	for _, t := range []string{"f32", "i32", "f16", "i16"} {
		if e, ok := elemNamed(t); ok && both&e != 0 {
			return t
		}
	}
	panic("BUG: no example for " + both.String())
}

// elemNamed returns the element type with the given name, such as f32. The bool result is
// false if the name is unknown.
func elemNamed(name string) (Elems, bool) {
	for _, e := range elemNames {
		if e.name == name {
			return e.e, true
		}
	}
	return 0, false
}

// SampleElem returns the element type that examples use: f32 if the set of types in the
// parameter on contains it, and otherwise the widest type of at most 32 bits.
func SampleElem(on Elems) ir.Type {
	for _, c := range []struct {
		e Elems
		t ir.Type
	}{
		{F32, ir.F32}, {I32, ir.I32}, {U32, UintType(32)}, {F16, ir.F16}, {BF16, ir.BF16},
		{I16, ir.I16}, {U16, UintType(16)}, {I8, ir.I8}, {U8, UintType(8)},
	} {
		if on&c.e != 0 {
			return c.t
		}
	}
	panic("BUG: no sample of " + on.String())
}
