// This file defines attributes: interned constants attached to operations and types.

package ir

import (
	"bytes"
	"math/big"
	"sort"
	"strconv"
	"strings"
)

// Attr is a constant that is attached to an operation or a type. It occupies one
// word, and two attributes with equal content are equal by ==, because AttrOf
// interns the content. The zero Attr means "no attribute".
type Attr struct{ n *interned[AttrData] }

// AttrData is the content of an Attr. Its dynamic type must be comparable, because
// it is the key of the intern table.
type AttrData interface {
	// AppendAttr appends the attribute in MLIR syntax, such as 4 : i32, to b and returns
	// the extended slice.
	AppendAttr(b []byte) []byte
}

// AttrOf returns the attribute with content d. Equal contents always return the same
// Attr. A dialect calls AttrOf for the attribute types that it defines itself.
func AttrOf[D interface {
	comparable
	AttrData
}](d D) Attr {
	same := func(known AttrData) bool { k, ok := known.(D); return ok && k == d }
	return Attr{internAttr(hashData(d), same, func() AttrData { return ownStrings(d) })}
}

// internAttr returns the interned (unique) attribute with a given content. hash is the
// hash of the content, and the function same reports whether an attribute has this
// content. If the table of attributes does not contain the attribute, internAttr adds the
// one that the function own returns. internAttr is not inlined, because the Go compiler
// would otherwise translate the generic table code once in each package that creates
// attributes.
//
//go:noinline
func internAttr(hash uint64, same func(AttrData) bool, own func() AttrData) *interned[AttrData] {
	return intern(&attrs, hash, same, own)
}

// attrs is the table of all attribute contents. All programs of the process share it, so
// that equal attributes have the same pointer even in different programs.
var attrs internTable[AttrData]

// IsZero reports whether a is absent (the zero Attr).
func (a Attr) IsZero() bool { return a == Attr{} }

// Data returns the content of a, or nil if a is the zero Attr.
func (a Attr) Data() AttrData {
	if a.IsZero() {
		return nil
	}
	return a.n.data
}

// AttrAs returns the content of a and true if its dynamic type is D.
func AttrAs[D AttrData](a Attr) (D, bool) {
	d, ok := a.Data().(D)
	return d, ok
}

// AppendTo appends the attribute in MLIR syntax to b and returns the extended slice. For
// the zero Attr it appends <<no attribute>>, so that printing an invalid operation does
// not panic.
func (a Attr) AppendTo(b []byte) []byte {
	if a.IsZero() {
		return append(b, "<<no attribute>>"...)
	}
	return a.Data().AppendAttr(b)
}

// String returns the MLIR syntax of a.
func (a Attr) String() string { return string(a.AppendTo(nil)) }

// NamedAttr is an entry of an attribute dictionary: a name with the attribute that is its
// value.
type NamedAttr struct {
	Name string
	Attr Attr
}

type (
	// UnitAttr has no value: its presence is the information, as in a flag.
	UnitAttr struct{}
	// IntegerAttr is an integer of an integer or index type. Big holds the
	// decimal digits of a value that does not fit an int64.
	IntegerAttr struct {
		Type Type
		V    int64
		Big  string
	}
	// FloatAttr is a floating-point constant of type Type. Bits holds its encoding in the
	// format of that type, for example IEEE binary16 for f16.
	FloatAttr struct {
		Type Type
		Bits uint64
	}
	// StringAttr is a string. Type is the zero Type for most strings. It is set only if
	// the program writes a type after the string, as in "text" : type.
	StringAttr struct {
		S    string
		Type Type
	}
	// TypeAttr is a type used as an attribute.
	TypeAttr struct{ Type Type }
	// ArrayAttr is a list of attributes.
	ArrayAttr struct{ Elems List[Attr] }
	// DictAttr is a dictionary from names to attributes. Entries is sorted by name.
	DictAttr struct{ Entries List[NamedAttr] }
	// SymbolRefAttr is a reference to a symbol. It is printed as @Root, or as
	// @Root::@Nested for a symbol that is defined inside the symbol Root.
	SymbolRefAttr struct {
		Root   string
		Nested List[string]
	}
	// DenseArrayAttr is a one-dimensional array of numbers with the syntax array<Elem:
	// ...>. Raw holds the elements as little-endian bytes; an element of type i1 occupies
	// one byte.
	DenseArrayAttr struct {
		Elem Type
		Raw  string
	}
	// DenseAttr is dense<...> : Type. Raw holds one element (a splat) or all
	// of them, little-endian; Strings is used when the elements are strings.
	DenseAttr struct {
		Type    Type
		Raw     string
		Strings List[string]
	}
	// DenseResourceAttr is an attribute with the syntax dense_resource<Handle> : Type. It
	// represents the elements of a tensor whose data is in a resource section of the
	// file, under the name Handle.
	DenseResourceAttr struct {
		Handle string
		Type   Type
	}
	// AffineAttr is an attribute with the syntax affine_map<...> or affine_set<...>. Its
	// content is not analyzed but kept as text.
	AffineAttr struct {
		Set  bool
		Text string
	}
	// StridedAttr is the memory layout of a memref, with the syntax strided<[...],
	// offset: o>. Strides and Offset count elements.
	StridedAttr struct {
		Strides Dims
		Offset  int64
	}
	// OpaqueAttr is an attribute with the syntax #dialect.body or #dialect<body> whose
	// body is kept as text. Its dialect is not registered, or no pass reads the
	// attribute.
	OpaqueAttr struct {
		Dialect, Body string
		Type          Type
	}
	// RawAttr is a builtin attribute that is kept as its text, because no pass
	// reads it: sparse or distinct.
	RawAttr struct{ Text string }
	// LocAttr is a location that is used as an attribute, as its text: loc(...).
	LocAttr struct{ Text string }
)

// Unit is the unit attribute, which has no value: only its presence matters.
var Unit = AttrOf(UnitAttr{})

// IntAttr returns v as an attribute of integer or index type t.
func IntAttr(t Type, v int64) Attr { return AttrOf(IntegerAttr{Type: t, V: v}) }

// BoolAttr returns v as an attribute of type i1.
func BoolAttr(v bool) Attr {
	if v {
		return IntAttr(I1, 1)
	}
	return IntAttr(I1, 0)
}

// Str returns s as a string attribute without a type.
func Str(s string) Attr { return AttrOf(StringAttr{S: s}) }

// TypeAsAttr returns t as an attribute.
func TypeAsAttr(t Type) Attr { return AttrOf(TypeAttr{t}) }

// Symbol returns a reference to the symbol with the given name.
func Symbol(name string) Attr { return AttrOf(SymbolRefAttr{Root: name}) }

// Array returns an array attribute with the given elements.
func Array(elems ...Attr) Attr { return AttrOf(ArrayAttr{MakeList(elems...)}) }

// Dict returns a dictionary attribute with the entries sorted by name.
func Dict(entries ...NamedAttr) Attr {
	s := append([]NamedAttr(nil), entries...)
	sort.SliceStable(s, func(i, j int) bool { return s[i].Name < s[j].Name })
	return AttrOf(DictAttr{MakeList(s...)})
}

// AsInt returns the value of an integer attribute of any integer or index type and true.
// The second result is false for any other attribute, and for an integer that does not
// fit an int64.
func (a Attr) AsInt() (int64, bool) {
	d, ok := AttrAs[IntegerAttr](a)
	return d.V, ok && d.Big == ""
}

// AsString returns the value of a string attribute and true. For every other attribute
// the second result is false.
func (a Attr) AsString() (string, bool) {
	d, ok := AttrAs[StringAttr](a)
	return d.S, ok
}

// AsBool returns the value of an i1 attribute and true. For every other attribute ok is
// false.
func (a Attr) AsBool() (value, ok bool) {
	d, ok := AttrAs[IntegerAttr](a)
	return d.V != 0, ok && d.Type == I1
}

// AppendAttr implements AttrData: it appends the attribute in MLIR syntax to b.
func (UnitAttr) AppendAttr(b []byte) []byte { return append(b, "unit"...) }

// AppendAttr appends the integer with its type, as in 4 : i32. An i1 is printed as true
// or false.
func (a IntegerAttr) AppendAttr(b []byte) []byte {
	if a.Type == I1 {
		return strconv.AppendBool(b, a.V != 0)
	}
	return a.Type.AppendTo(append(a.AppendValue(b), " : "...))
}

// AppendValue appends the integer in decimal, without its type, to b and returns the
// extended slice.
func (a IntegerAttr) AppendValue(b []byte) []byte {
	if a.Big != "" {
		return append(b, a.Big...)
	}
	if t, ok := As[IntegerType](a.Type); ok && t.Sign == Unsigned {
		return strconv.AppendUint(b, uint64(a.V), 10)
	}
	return strconv.AppendInt(b, a.V, 10)
}

// BigInt returns the value of an integer of any width. It reads V as unsigned if
// the type is unsigned.
func (a IntegerAttr) BigInt() *big.Int {
	if a.Big != "" {
		if v, ok := new(big.Int).SetString(a.Big, 10); ok {
			return v
		}
	}
	if t, ok := As[IntegerType](a.Type); ok && t.Sign == Unsigned {
		return new(big.Int).SetUint64(uint64(a.V))
	}
	return big.NewInt(a.V)
}

// AppendAttr appends the number with its type, as in 1.5 : f32.
func (a FloatAttr) AppendAttr(b []byte) []byte {
	return a.Type.AppendTo(append(appendFloat(b, a.Type, a.Bits), " : "...))
}

// AppendAttr appends the string in quotes, and its type after a colon if it has one.
func (a StringAttr) AppendAttr(b []byte) []byte {
	b = AppendQuoted(b, a.S)
	if !a.Type.IsZero() {
		b = a.Type.AppendTo(append(b, " : "...))
	}
	return b
}

// AppendQuoted appends s in double quotes with MLIR's escapes. A backslash is
// doubled. A quote and a byte outside printable ASCII become a backslash with two
// hexadecimal digits.
func AppendQuoted(b []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			b = append(b, `\\`...)
		case c >= ' ' && c < 0x7f && c != '"':
			b = append(b, c)
		default:
			b = append(b, '\\', hex[c>>4], hex[c&15])
		}
	}
	return append(b, '"')
}

// AppendAttr implements AttrData: it appends the attribute in MLIR syntax to b.
func (a TypeAttr) AppendAttr(b []byte) []byte { return a.Type.AppendTo(b) }

// AppendAttr implements AttrData: it appends the attribute in MLIR syntax to b.
func (a ArrayAttr) AppendAttr(b []byte) []byte {
	b = append(b, '[')
	for i, e := range a.Elems.All() {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendListed(b, e)
	}
	return append(b, ']')
}

// appendListed appends the attribute a as an element of an array. An integer of type i64
// and a float of type f64 are printed without their type, as MLIR does. A float that
// prints as hexadecimal bits (0x...) keeps its type, because the parser would read the
// bits alone as an integer.
func appendListed(b []byte, a Attr) []byte {
	switch d := a.Data().(type) {
	case IntegerAttr:
		if d.Type == I64 {
			return d.AppendValue(b)
		}
	case FloatAttr:
		if text := appendFloat(nil, d.Type, d.Bits); d.Type == F64 && !bytes.HasPrefix(text, []byte("0x")) {
			return append(b, text...)
		}
	}
	return a.AppendTo(b)
}

// AppendAttr implements AttrData: it appends the attribute in MLIR syntax to b.
func (a DictAttr) AppendAttr(b []byte) []byte { return appendDict(b, a.Entries.Slice()) }

// appendDict appends the attribute dictionary {name = value, ...} to b, in the order of
// entries.
func appendDict(b []byte, entries []NamedAttr) []byte {
	b = append(b, '{')
	for i, e := range entries {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendNamedAttr(b, e)
	}
	return append(b, '}')
}

// appendNamedAttr appends name = value, or only the name for a unit attribute.
func appendNamedAttr(b []byte, e NamedAttr) []byte {
	if isBareName(e.Name) {
		b = append(b, e.Name...)
	} else {
		b = AppendQuoted(b, e.Name)
	}
	if e.Attr == Unit {
		return b
	}
	return e.Attr.AppendTo(append(b, " = "...))
}

// isBareName reports whether s has the syntax of an identifier, so that the printer can
// write it without quotes as an attribute name or after @.
func isBareName(s string) bool {
	if s == "" || !isNameStart(s[0]) {
		return false
	}
	for i := range len(s) {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return true
}

// AppendAttr implements AttrData: it appends the attribute in MLIR syntax to b.
func (a SymbolRefAttr) AppendAttr(b []byte) []byte {
	b = appendSymbol(b, a.Root)
	for _, n := range a.Nested.All() {
		b = appendSymbol(append(b, "::"...), n)
	}
	return b
}

// appendSymbol appends @name to b. The name is put in quotes if it contains characters
// that an identifier cannot have.
func appendSymbol(b []byte, name string) []byte {
	b = append(b, '@')
	if isBareName(name) {
		return append(b, name...)
	}
	return AppendQuoted(b, name)
}

// AppendAttr implements AttrData: it appends the attribute in MLIR syntax to b.
func (a DenseResourceAttr) AppendAttr(b []byte) []byte {
	b = append(b, "dense_resource<"...)
	if isBareName(a.Handle) {
		b = append(b, a.Handle...)
	} else {
		b = AppendQuoted(b, a.Handle)
	}
	return a.Type.AppendTo(append(b, "> : "...))
}

// AppendAttr implements AttrData: it appends the attribute in MLIR syntax to b.
func (a AffineAttr) AppendAttr(b []byte) []byte {
	if a.Set {
		b = append(b, "affine_set<"...)
	} else {
		b = append(b, "affine_map<"...)
	}
	return append(append(b, a.Text...), '>')
}

// AppendAttr implements AttrData: it appends the attribute in MLIR syntax to b.
func (a StridedAttr) AppendAttr(b []byte) []byte {
	b = append(b, "strided<["...)
	for i := range a.Strides.Len() {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendDim(b, a.Strides.At(i))
	}
	b = append(b, ']')
	if a.Offset != 0 {
		b = appendDim(append(b, ", offset: "...), a.Offset)
	}
	return append(b, '>')
}

// AppendAttr implements AttrData: it appends the attribute in MLIR syntax to b.
func (a OpaqueAttr) AppendAttr(b []byte) []byte {
	b = append(append(b, '#'), a.Dialect...)
	if !strings.HasPrefix(a.Body, "<") {
		b = append(b, '.')
	}
	b = append(b, a.Body...)
	if !a.Type.IsZero() {
		b = a.Type.AppendTo(append(b, " : "...))
	}
	return b
}

// AppendAttr implements AttrData: it appends the attribute in MLIR syntax to b.
func (a RawAttr) AppendAttr(b []byte) []byte { return append(b, a.Text...) }

// AppendAttr implements AttrData: it appends the attribute in MLIR syntax to b.
func (a LocAttr) AppendAttr(b []byte) []byte { return append(b, a.Text...) }
