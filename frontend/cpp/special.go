// This file converts library calls that have no call template, or several instructions.

package cpp

import (
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/frontend/llir"
	"ptogo/ir"
)

// special converts the calls that need more than a call template. It reports whether c is
// one of them.
func (f *function) special(v *llir.Value, c *libraryCall) bool {
	switch c.name {
	case "TROWARGMAX", "TROWARGMIN", "TCOLARGMAX", "TCOLARGMIN":
		if len(c.args) == 4 {
			f.valueAndIndex(v, c)
			return true
		}
	case "TGATHER", "TSCATTER":
		if len(c.args) == 2 {
			f.byPattern(v, c)
			return true
		}
	case "TTRANS":
		if len(c.args) == 3 && f.target == sem.A5 {
			f.drop(c.args[2]) // the headers of A5 do not use tmp
			f.named(v, c.name, map[string]argument{"dst": c.args[0], "src": c.args[1]})
			return true
		}
	case "MSCATTER":
		if len(c.args) == 3 {
			f.scatterMemory(v, c)
			return true
		}
	case "THISTOGRAM":
		if len(c.args) == 3 && len(c.types) == 1 && c.types[0].enum == "HistByte" && len(c.types[0].word) > 0 {
			byteNumber := strings.TrimPrefix(c.types[0].word, "BYTE_")
			f.named(v, c.name, map[string]argument{"dst": c.args[0], "src": c.args[1], "idx": c.args[2]}, "byte = "+byteNumber+" : i32")
			return true
		}
	case "TPOW", "TPOWS":
		if n := len(c.args); n == 4 && c.args[0].kind == tileArgument && strings.Contains(elements[c.args[0].elem].name, "i") {
			f.drop(c.args[3]) // the library ignores tmp for integers
			f.named(v, c.name, map[string]argument{"dst": c.args[0], "base": c.args[1], "exp": c.args[2], "src": c.args[1], "scalar": c.args[2]})
			return true
		}
	}
	return false
}

// valueAndIndex converts a reduction that returns the extreme values and their positions:
// one instruction for each.
func (f *function) valueAndIndex(v *llir.Value, c *libraryCall) {
	value := []argument{c.args[0], c.args[2], c.args[3]}
	if strings.HasPrefix(c.name, "TCOL") {
		value = value[:2]
	}
	f.instruction(v, &libraryCall{name: strings.Replace(c.name, "ARG", "", 1), args: value, block: c.block})
	f.instruction(v, &libraryCall{name: c.name, args: []argument{c.args[1], c.args[2], c.args[3]}, block: c.block})
}

// named converts a call to the instruction whose name it has, with operands by their names.
func (f *function) named(v *llir.Value, name string, operands map[string]argument, attrs ...string) {
	def := ir.Lookup("pto." + strings.ToLower(name))
	b := &bound{def: def, form: def.Form(ir.DPS), attrs: attrs}
	b.operands = make([][]argument, len(b.form.Operands))
	for i, o := range b.form.Operands {
		if a, ok := operands[o.Name]; ok {
			b.operands[i] = []argument{a}
		}
	}
	f.write(v, b)
}

// scatterMemory converts MSCATTER, whose template arguments can be left out from the last
// on.
func (f *function) scatterMemory(v *llir.Value, c *libraryCall) {
	var attrs []string
	for _, t := range c.types {
		for _, a := range []struct{ enum, attr, keyword string }{
			{"Coalesce", "coalesce", "coalesce"}, {"ScatterAtomicOp", "scatterAtomicOp", "scatter_atomic_op"},
			{"ScatterOOB", "scatterOob", "scatter_oob"}, {"ScatterConflict", "scatterConflict", "scatter_conflict"},
		} {
			if t.enum == a.enum {
				attrs = append(attrs, a.attr+" = #pto<"+a.keyword+" "+strings.ToLower(t.word)+">")
			}
		}
	}
	f.named(v, c.name, map[string]argument{"mem": c.args[0], "src": c.args[1], "idx": c.args[2]}, attrs...)
}

// byPattern converts TGATHER and TSCATTER with a pattern, along rows or columns.
func (f *function) byPattern(v *llir.Value, c *libraryCall) {
	pattern, axis := "P1111", ""
	for _, t := range c.types {
		switch {
		case t.enum == "MaskPattern":
			pattern = t.word
		case strings.HasSuffix(t.word, "_COL"):
			axis = "col"
		case c.name == "TSCATTER" && strings.HasSuffix(t.word, "_ROW"):
			axis = "row"
		}
	}
	switch {
	case c.name == "TSCATTER" && pattern != "P1111":
		f.fitScatter(v, c, axis)
	case c.name == "TGATHER" && axis == "col":
		f.fitGather(c)
	}
	attrs := []string{"maskPattern = #pto.mask_pattern<" + pattern + ">"}
	if axis != "" {
		attrs = append(attrs, `axis = "`+axis+`"`)
	}
	f.named(v, c.name, map[string]argument{"dst": c.args[0], "src": c.args[1]}, attrs...)
}

// fitScatter handles a destination with more columns than the source of a scatter along
// columns, or more rows than that of a scatter along rows: the headers fill the whole
// destination with zeros, and scatter as much as the source has.
func (f *function) fitScatter(v *llir.Value, c *libraryCall, axis string) {
	dst, src := c.args[0].tile, c.args[1].tile
	if dst == nil || src == nil || dst.validRows < 0 || dst.validCols < 0 || src.validRows < 0 || src.validCols < 0 {
		return
	}
	t := *dst
	if axis == "col" {
		t.validCols = min(t.validCols, src.validCols)
	} else {
		t.validRows = min(t.validRows, src.validRows)
	}
	if t == *dst {
		return
	}
	zero := argument{kind: intArgument, v: &llir.Value{Op: "int", Type: &llir.Type{Kind: llir.Int, Bits: 64}}}
	f.instruction(v, &libraryCall{name: "TEXPANDS", args: []argument{c.args[0], zero}, block: c.block})
	c.args[0] = f.allocated(c.args[0].from, t)
}

// fitGather handles a destination with more columns than the source of a gather along
// columns: the headers copy the columns of the source, and leave the others as they are.
func (f *function) fitGather(c *libraryCall) {
	dst, src := c.args[0].tile, c.args[1].tile
	if dst == nil || src == nil || src.validCols < 0 || dst.validCols <= src.validCols {
		return
	}
	t := *dst
	t.validCols = src.validCols
	f.drop(c.args[0])
	c.args[0] = f.allocated(c.args[0].from, t)
}
