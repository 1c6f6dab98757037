// This file emits structs and local arrays.

package cpp

import (
	"strconv"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// structName returns the C++ name of a struct type. On first use, it schedules the
// definition of the struct after the definitions of nested structs.
func (m *module) structName(s pto.Struct) string {
	for _, t := range s.Fields.All() {
		if m.typeName(t) == "" {
			return ""
		}
	}
	m.structs = append(m.structs, s)
	return "PtoStruct" + fieldWords(s)
}

// fieldWords returns the component of a struct name that encodes the types of its fields.
// The fields of a nested struct are enclosed in S and E.
func fieldWords(s pto.Struct) string {
	words := ""
	for _, t := range s.Fields.All() {
		if inner, nested := ir.As[pto.Struct](t); nested {
			words += "_S" + fieldWords(inner) + "_E"
		} else {
			words += "_" + strings.ReplaceAll(strings.TrimPrefix(t.String(), "!pto."), "!", "")
		}
	}
	return words
}

// structDef appends the C++ definition of the struct s to b.
func (m *module) structDef(b []byte, s pto.Struct) []byte {
	b = append(b, "\nstruct "+m.typeName(ir.TypeOf(s))+" {\n"...)
	for i, t := range s.Fields.All() {
		b = append(b, "  "+m.typeName(t)+" f"+strconv.Itoa(i)+";\n"...)
	}
	return append(b, "};\n"...)
}

// declareLocal declares an array or a struct on the stack.
func (f *function) declareLocal(op *ir.Op) {
	v := op.Result(0)
	t, isArray := ir.As[pto.LocalArray](v.Type())
	if !isArray {
		f.variable(v)
		return
	}
	elem := elemType(t.Elem)
	if elem == "" {
		f.errorf(op, "returns an array with elements of type %s, which the C++ emitter does not support", t.Elem)
		return
	}
	name := f.nameFor(v)
	f.names[v] = name
	extents := ""
	for _, n := range t.Shape.Slice() {
		extents += "[" + strconv.FormatInt(n, 10) + "]"
	}
	if f.shared[v] {
		f.declareOnTop(elem, name+extents)
	} else {
		f.line(elem, " ", name, extents, ";")
	}
}

// element returns the C++ expression for an element of an array or a field of a struct.
func (f *function) element(op *ir.Op) string {
	if array := sem.EventUseOf(op).Array; array.Given() {
		place := f.value(array.Value)
		for _, i := range sem.LocalUseOf(op).Indices {
			place += "[" + f.value(i) + "]"
		}
		return place
	}
	place := f.value(op.Operand(0))
	path, _ := ir.AttrAs[ir.DenseArrayAttr](op.Attr("path"))
	for _, n := range path.Ints() {
		place += ".f" + strconv.FormatInt(n, 10)
	}
	return place
}

// localGet emits an expression that reads an array element or a struct field on the
// stack.
func (f *function) localGet(op *ir.Op) { f.define(op.Result(0), f.element(op)) }

func (f *function) localSet(op *ir.Op) {
	f.line(f.element(op), " = ", f.value(sem.LocalUseOf(op).Value.Value), ";")
}
