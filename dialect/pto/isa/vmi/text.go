// This file implements the syntax of VMI memory accesses.

package vmi

import (
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/ir"
)

// The text of loads and stores: operands in their order, the place in memory
// in brackets after the pointer.

// withMemoryText sets the syntax of a load or store, and an example if it has none.
func withMemoryText(o Op) Op {
	var format strings.Builder
	for i, a := range o.Ins {
		switch {
		case inBrackets(a):
			format.WriteString("`[` $" + a.Name + " `]` ")
		case i == 0:
			format.WriteString("$" + a.Name + " ")
		default:
			format.WriteString("`,` $" + a.Name + " ")
		}
	}
	o.Syntax = ir.Asm(format.String() + "attr-dict types")
	if o.Examples == nil {
		o.Examples = []string{memoryExample(o)}
	}
	return o
}

// inBrackets reports whether the text of a load or store contains the operand a in the
// brackets after the pointer.
func inBrackets(a ir.Arg) bool { return a.Name == "offset" || a.Name == "indices" }

// memoryExample returns the text of an example: a load or store of 64 lanes of f32.
func memoryExample(o Op) string {
	var values strings.Builder
	var types []string
	for i, a := range o.Ins {
		switch {
		case inBrackets(a):
			values.WriteString("[%" + a.Name + "]")
		case i == 0:
			values.WriteString("%" + a.Name)
		default:
			values.WriteString(", %" + a.Name)
		}
		if t := memorySample(a); t != "" {
			types = append(types, t)
		}
	}
	for _, a := range o.Attrs {
		if a.Name == numGroups.Name {
			values.WriteString(" {num_groups = 8 : i64}")
		}
	}
	text := "pto.vmi." + o.Name + " " + values.String() + " : " + strings.Join(types, ", ")
	if len(o.Outs) > 0 {
		return "%r = " + text + " -> !pto.vmi.vreg<64xf32>"
	}
	return text
}

// memorySample returns the type that example texts contain for operand a, such as
// "!pto.ptr<f32, ub>". It returns "" if the syntax omits the type of the operand.
func memorySample(a ir.Arg) string {
	switch a.Type.(type) {
	case vmiPtr:
		return "!pto.ptr<f32, ub>"
	case vmiMaskFor:
		return "!pto.vmi.mask<64xpred>"
	case likeVMI:
		return "!pto.vmi.vreg<64xi32>"
	}
	switch a.Type {
	case Index:
		return ""
	case WrittenI16:
		return "i16"
	}
	return "!pto.vmi.vreg<64xf32>"
}

// parseUnified parses vload and vstore: the vectors to store, a pointer with an offset,
// and the strides and the mask. The types of offsets and strides are optional.
func parseUnified(p *ir.Parser, st *ir.OpParse) {
	front := p.Operands(nil)
	p.Expect("[")
	st.Operand("offset", p.Operand())
	p.Expect("]")
	var more []ir.Operand
	if p.Accept(",") {
		more = p.Operands(nil)
	}
	st.AttrDict(p)
	off := p.Offset()
	p.Expect(":")
	types := p.Types()
	if p.Failed() || !shareFront(p, st, off, front, types) {
		return
	}
	shareTrailing(p, st, off, more, types[len(front):])
	if len(st.Form.Results) == 0 || !p.Expect("->") {
		return
	}
	if p.At("(") {
		st.ResultType("results", p.TypesInParens()...)
	} else {
		st.ResultType("results", p.Types()...)
	}
}

// shareFront assigns the first operands in the text of a vload or vstore to the operand
// names of the definition, together with their types. The list front contains these
// operands: the vectors to store, and then the pointer. In the text, they precede the
// operand "offset". The list types contains all types in the text, in the order of the
// operands. The result is false after an error.
func shareFront(p *ir.Parser, st *ir.OpParse, off int, front []ir.Operand, types []ir.Type) bool {
	vectors, pointer := unifiedArgs(st.Form)
	last := len(front) - 1
	switch {
	case last < 0, vectors == "" && last > 0:
		p.ErrorAt(off, "'%s' op expects one pointer before the offset", st.Def.Name)
		return false
	case len(types) <= last:
		p.ErrorAt(off, "'%s' op has %d types here, but needs those of the %d operands before the offset", st.Def.Name, len(types), last+1)
		return false
	}
	if vectors != "" {
		st.Operand(vectors, front[:last]...)
		st.OperandType(vectors, types[:last]...)
	}
	st.Operand(pointer, front[last])
	st.OperandType(pointer, types[last])
	return true
}

// unifiedArgs returns the names of two operands of the form f, which loads or stores
// vectors. The result vectors is the name of the operand with the vectors to store, or ""
// for a load. The result pointer is the name of the pointer.
func unifiedArgs(f *ir.Form) (vectors, pointer string) {
	if len(f.Results) > 0 {
		return "", f.Operands[0].Name
	}
	return f.Operands[0].Name, f.Operands[1].Name
}

// shareTrailing assigns the operands after the offset of a vload or vstore to their
// declarations, and adds them to st. The parameter more contains these operands, and
// types are their types, which the program may omit. There are three cases. With the
// attribute group, or in a load with exactly one operand in more, the first operand is
// the stride. Otherwise, if there are at least two operands, the first two are
// block_stride and repeat_stride. In all other cases, the program omits the strides. In a
// store, the mask can follow in each case.
func shareTrailing(p *ir.Parser, st *ir.OpParse, off int, more []ir.Operand, types []ir.Type) {
	var names []string
	store := len(st.Form.Results) == 0
	switch {
	case !st.GetAttr("group").IsZero() || !store && len(more) == 1:
		names = []string{"stride", "mask"}
	case len(more) >= 2:
		names = []string{"block_stride", "repeat_stride", "mask"}
	default:
		names = []string{"mask"}
	}
	if !store {
		names = names[:len(names)-1]
	}
	if len(more) > len(names) {
		p.ErrorAt(off, "'%s' op has %d operands after the offset, but accepts only %s here", st.Def.Name, len(more), strings.Join(names, ", "))
		return
	}
	for i, o := range more {
		st.Operand(names[i], o)
	}
	masked := len(more) == len(names) && len(more) > 0 && names[len(more)-1] == "mask"
	switch {
	case len(types) == 0:
	case len(types) == len(more):
		for i, t := range types {
			st.OperandType(names[i], t)
		}
	case len(types) == 1 && masked:
		st.OperandType("mask", types[0])
	default:
		p.ErrorAt(off, "'%s' op has %d types too many", st.Def.Name, len(types))
	}
}

// printUnified prints a vload or vstore in the syntax that parseUnified accepts.
func printUnified(w *ir.Printer, op *ir.Op) {
	vectors, pointer := unifiedArgs(op.Form())
	var types []ir.Type
	for _, v := range op.Args(vectors) {
		w.Value(v)
		w.Token(",")
		types = append(types, v.Type())
	}
	w.Value(op.Arg(pointer))
	types = append(types, op.Arg(pointer).Type())
	w.Token("[")
	w.Value(op.Arg("offset"))
	w.Token("]")
	for _, name := range []string{"stride", "block_stride", "repeat_stride", "mask"} {
		for _, v := range op.Args(name) {
			w.Token(",")
			w.Value(v)
			if name == "mask" {
				types = append(types, v.Type())
			}
		}
	}
	w.AttrDict(op)
	w.Token(":")
	w.Types(types...)
	if op.NumResults() > 0 {
		w.Token("->")
		for i, r := range op.Results() {
			if i > 0 {
				w.Token(",")
			}
			w.Type(r.Type())
		}
	}
}

// readableUnified reports whether the parser would read the printed text of op as the
// same operation. If it would not, op is illegal, and the printer prints it in generic
// syntax.
func readableUnified(op *ir.Op) bool {
	stride, block, repeat := op.Arg("stride") != nil, op.Arg("block_stride") != nil, op.Arg("repeat_stride") != nil
	if block != repeat || stride && block {
		return false
	}
	if len(op.Form().Results) > 0 { // a load
		return op.NumResults() > 0 && (stride || !block || !op.HasAttr("group"))
	}
	return stride == op.HasAttr("group")
}
