// This file defines arrays and structs.

package pto

import "ptogo/ir"

// Types of storage on the stack of a core. The storage is unrelated to tiles: the memory
// planner ignores it, and programs cannot obtain its address.
type (
	// LocalArray is !pto.local_array: an array of scalars on the stack.
	LocalArray struct {
		Shape ir.Dims
		Elem  ir.Type
	}
	// Struct is !pto.struct: a sequence of scalars and structs on the stack. Programs
	// access its fields by index.
	Struct struct{ Fields ir.List[ir.Type] }
)

// Element returns the type of the array's elements.
func (t LocalArray) Element() ir.Type { return t.Elem }

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t LocalArray) AppendType(b []byte) []byte {
	return append(t.Elem.AppendTo(ir.AppendDims(append(b, "!pto.local_array<"...), t.Shape)), '>')
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t Struct) AppendType(b []byte) []byte {
	b = append(b, "!pto.struct<"...)
	for i, f := range t.Fields.All() {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = f.AppendTo(b)
	}
	return append(b, '>')
}

// Maker implements ir.Rooted. It returns the only operation that may create a struct. A
// struct value refers to storage whose lifetime ends with the scope of its declaration; a
// value that another operation returns could outlive it.
func (t Struct) Maker() string { return "pto.declare_struct" }

// fieldTypes are the scalar types that a struct can contain: those that every C++
// compiler supports.
const fieldTypes = Ints | Ints64 | F16 | BF16 | F32 | F64

// parseLocalArray parses <4x8xf32>, the rest of an array type after its name.
func parseLocalArray(p *ir.Parser) ir.Type {
	off := p.Offset()
	shape, elem := shaped(p)
	if p.Failed() {
		return ir.Type{}
	}
	for i := range shape.Len() {
		if shape.At(i) <= 0 {
			p.ErrorAt(off, "every extent of a local_array must be a positive number")
			return ir.Type{}
		}
	}
	switch {
	case shape.Len() == 0:
		p.ErrorAt(off, "a local_array needs at least one extent, as in !pto.local_array<16xi32>")
	case shape.Elements() > 1<<24:
		p.ErrorAt(off, "a local_array of %d elements does not fit any stack", shape.Elements())
	case !ir.IsScalar(elem) || elem == ir.Index:
		p.ErrorAt(off, "a local_array holds integers or floats, but not %s", elem)
	}
	return ir.TypeOf(LocalArray{shape, elem})
}

// parseStruct parses <f16, i8, !pto.struct<f32>>, the rest of a struct type after its
// name.
func parseStruct(p *ir.Parser) ir.Type {
	off := p.Offset()
	var fields []ir.Type
	p.Expect("<")
	p.List(">", func() {
		off := p.Offset()
		f := p.Type()
		if !p.Failed() && !fieldTypes.Has(f) && !ir.Is[Struct](f) {
			p.ErrorAt(off, "a struct cannot hold a field of type %s, only integers of 8, 16, 32 or 64 bits, f16, bf16, f32, f64 and structs", f)
		}
		fields = append(fields, f)
	})
	p.Expect(">")
	if !p.Failed() && len(fields) == 0 {
		p.ErrorAt(off, "a struct must have at least one field")
	}
	return ir.TypeOf(Struct{ir.MakeList(fields...)})
}

// EventBytes is the size in bytes of an element in an array of event numbers.
const EventBytes = 8

// LocalBytes returns the size in bytes of an array or struct on the stack. Each scalar is
// rounded up to whole bytes. It returns 0 for other types.
func LocalBytes(t ir.Type) int64 {
	switch d := t.Data().(type) {
	case LocalArray:
		return d.Shape.Elements() * int64(ByteSize(d.Elem))
	case EventIDArray:
		return int64(d.Size) * EventBytes
	case Struct:
		n := int64(0)
		for _, f := range d.Fields.All() {
			n += FieldBytes(f)
		}
		return n
	}
	return 0
}

// FieldBytes returns the size in bytes of a field of a struct, which is a scalar or
// another struct.
func FieldBytes(t ir.Type) int64 {
	if ir.Is[Struct](t) {
		return LocalBytes(t)
	}
	return int64(ByteSize(t))
}
