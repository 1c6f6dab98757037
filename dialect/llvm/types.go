// This file defines LLVM types.

package llvm

import (
	"strconv"

	"ptogo/ir"
)

type (
	// PointerType is !llvm.ptr<Space>. Space is the number of a memory space; 0 is
	// not printed.
	PointerType struct{ Space uint32 }
	// StructType is !llvm.struct<...>. A struct with a name can contain itself, by
	// its name alone, and its body can be unknown.
	StructType struct {
		Name   string
		Named  bool
		Packed bool
		Body   Body
		Elems  ir.List[ir.Type]
	}
	// ArrayType is !llvm.array<Len x Elem>.
	ArrayType struct {
		Len  int64
		Elem ir.Type
	}
	// VectorType is !llvm.vec<Len x Elem>, for element types that a builtin vector
	// cannot have.
	VectorType struct {
		Len      int64
		Scalable bool
		Elem     ir.Type
	}
	// FunctionType is !llvm.func<Result (Params)>.
	FunctionType struct {
		Result   ir.Type
		Params   ir.List[ir.Type]
		Variadic bool
	}
	// PlainType is a type that consists of its name, such as !llvm.void.
	PlainType struct{ Name string }
)

// Body indicates what is known about the members of a struct type: the members themselves
// (Known), nothing (Opaque), or that they are those of an enclosing struct (Reference).
type Body uint8

// The states of a struct type: its members are known, its members are unknown (opaque),
// or the type refers to an enclosing struct of the same name.
const (
	Known Body = iota
	Opaque
	Reference
)

// Types that need no parameters.
var (
	Ptr  = ir.TypeOf(PointerType{})
	Void = ir.TypeOf(PlainType{"void"})
)

// SpaceOf returns the number of the memory space that a pointer refers to. Space 0
// is stack memory.
func SpaceOf(t ir.Type) uint32 {
	p, _ := ir.As[PointerType](t)
	return p.Space
}

// shortType is a type of this dialect. Inside another type of the dialect it is
// printed without !llvm.
type shortType interface {
	ir.TypeData
	appendShort(b []byte) []byte
}

// appendLong appends a type with its prefix !llvm.
func appendLong(b []byte, t shortType) []byte { return t.appendShort(append(b, "!llvm."...)) }

// appendInner appends the type t to b in the form that it has inside another type of the
// LLVM dialect, where the prefix !llvm. can be omitted.
func appendInner(b []byte, t ir.Type) []byte {
	if s, ok := t.Data().(shortType); ok {
		return s.appendShort(b)
	}
	return t.AppendTo(b)
}

// appendList appends the types ts in parentheses to b. If variadic is set, it writes
// "..." at the end of the list, as for a variadic function.
func appendList(b []byte, ts ir.List[ir.Type], variadic bool) []byte {
	b = append(b, '(')
	for i, t := range ts.All() {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendInner(b, t)
	}
	switch {
	case variadic && ts.Len() > 0:
		b = append(b, ", ..."...)
	case variadic:
		b = append(b, "..."...)
	}
	return append(b, ')')
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t PointerType) AppendType(b []byte) []byte { return appendLong(b, t) }

func (t PointerType) appendShort(b []byte) []byte {
	b = append(b, "ptr"...)
	if t.Space != 0 {
		b = append(strconv.AppendUint(append(b, '<'), uint64(t.Space), 10), '>')
	}
	return b
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t StructType) AppendType(b []byte) []byte { return appendLong(b, t) }

// appendShort appends the struct type to b without the prefix !llvm. If a struct refers
// to itself, the inner reference consists only of the name of the struct, because its
// text would be infinite otherwise.
func (t StructType) appendShort(b []byte) []byte {
	b = append(b, "struct<"...)
	if t.Named {
		b = ir.AppendQuoted(b, t.Name)
		if t.Body != Reference {
			b = append(b, ", "...)
		}
	}
	switch t.Body {
	case Reference:
		return append(b, '>')
	case Opaque:
		return append(b, "opaque>"...)
	}
	if t.Packed {
		b = append(b, "packed "...)
	}
	return append(appendList(b, t.Elems, false), '>')
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t ArrayType) AppendType(b []byte) []byte { return appendLong(b, t) }

func (t ArrayType) appendShort(b []byte) []byte {
	b = strconv.AppendInt(append(b, "array<"...), t.Len, 10)
	return append(appendInner(append(b, " x "...), t.Elem), '>')
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t VectorType) AppendType(b []byte) []byte { return appendLong(b, t) }

func (t VectorType) appendShort(b []byte) []byte {
	b = append(b, "vec<"...)
	if t.Scalable {
		b = append(b, "? x "...)
	}
	b = strconv.AppendInt(b, t.Len, 10)
	return append(appendInner(append(b, " x "...), t.Elem), '>')
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t FunctionType) AppendType(b []byte) []byte { return appendLong(b, t) }

func (t FunctionType) appendShort(b []byte) []byte {
	b = appendInner(append(b, "func<"...), t.Result)
	return append(appendList(append(b, ' '), t.Params, t.Variadic), '>')
}

// AppendType implements ir.TypeData. It appends the type in MLIR syntax to b.
func (t PlainType) AppendType(b []byte) []byte { return appendLong(b, t) }

func (t PlainType) appendShort(b []byte) []byte { return append(b, t.Name...) }
