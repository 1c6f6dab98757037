// This file defines arrays and structs on the stack.

package base

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// The struct group: arrays and structures on the stack of a core.

// local completes the description o of an instruction on arrays or structs on the stack,
// and returns the definition. The scalar unit executes these instructions.
func local(o Op) *ir.Def {
	o.Group, o.Page, o.Pipe = "struct", Manual, sem.PipeS
	return PlainOp(o)
}

// Constraints that accept arrays and structs on the stack.
var (
	anyLocalArray = ir.TypeIf("a !pto.local_array", ir.Is[LocalArray])
	anyStruct     = ir.TypeIf("a !pto.struct", ir.Is[Struct])
)

// Definitions of the instructions on arrays on the stack.
var (
	DeclareLocalArray = declareLocal("declare_local_array", "local-array", "array", anyLocalArray,
		"Reserves an array on the stack; its elements are undefined until they are written.",
		"%a = pto.declare_local_array -> !pto.local_array<4x8xf32>")
	LocalArrayGet = Define("local_array_get", func(name string) *ir.Def {
		return local(Op{
			Name: name, Family: "local-array", Doc: "Returns the element at indices.",
			Ins:      Args{In("array", anyLocalArray), Many("indices", Index)},
			Outs:     Args{Out("result", elementOf("array"))},
			Access:   []Access{{Arg: "array", Read: true}},
			Sem:      sem.Local{Act: sem.LocalGet},
			Rules:    []Rule{Fact(indexFault)},
			Syntax:   ir.Asm("$array `[` $indices `]` attr-dict `:` type($array) `->` type($result)"),
			Examples: []string{"%v = pto.local_array_get %a[%i, %j] : !pto.local_array<4x8xf32> -> f32"},
		})
	})
	LocalArraySet = Define("local_array_set", func(name string) *ir.Def {
		return local(Op{
			Name: name, Family: "local-array", Doc: "Writes value to the element at indices.",
			Ins:      Args{In("array", anyLocalArray), Many("indices", Index), In("value", elementOf("array"))},
			Access:   []Access{{Arg: "array", Write: true}},
			Sem:      sem.Local{Act: sem.LocalSet},
			Rules:    []Rule{Fact(indexFault)},
			Syntax:   ir.Asm("$array `[` $indices `]` `,` $value attr-dict `:` type($array) `,` type($value)"),
			Examples: []string{"pto.local_array_set %a[%i], %v : !pto.local_array<16xi32>, i32"},
		})
	})
)

// Definitions of the instructions on structs on the stack. Only a declaration can
// create a struct value (Struct.Maker).
var (
	DeclareStruct = declareLocal("declare_struct", "struct", "s", anyStruct,
		"Reserves a struct on the stack; its fields are undefined until they are written.",
		"%s = pto.declare_struct -> !pto.struct<!pto.struct<f32, i8>, i16>")
	StructGet = Define("struct_get", func(name string) *ir.Def {
		return local(Op{
			Name: name, Family: "struct", Doc: "Returns the scalar at path.",
			Ins:      Args{In("s", anyStruct)},
			Outs:     Args{Out("value", ir.Any)},
			Attrs:    []ir.AttrDef{pathAttr},
			Access:   []Access{{Arg: "s", Read: true}},
			Sem:      sem.Local{Act: sem.LocalGet},
			Rules:    []Rule{Fact(pathFault)},
			Syntax:   ir.AsmWith("$s custom<path>($path) attr-dict `:` type($s) `->` type($value)", pathHooks),
			Examples: []string{"%v = pto.struct_get %s[0, 1] : !pto.struct<!pto.struct<f32, i8>, i16> -> i8"},
		})
	})
	StructSet = Define("struct_set", func(name string) *ir.Def {
		return local(Op{
			Name: name, Family: "struct", Doc: "Writes value to the scalar at path.",
			Ins:      Args{In("s", anyStruct), In("value", ir.Any)},
			Attrs:    []ir.AttrDef{pathAttr},
			Access:   []Access{{Arg: "s", Write: true}},
			Sem:      sem.Local{Act: sem.LocalSet},
			Rules:    []Rule{Fact(pathFault)},
			Syntax:   ir.AsmWith("$s custom<path>($path) `,` $value attr-dict `:` type($s) `,` type($value)", pathHooks),
			Examples: []string{"pto.struct_set %s[1], %v : !pto.struct<f16, i8>, i8"},
		})
	})
)

// declareLocal declares the instruction pto.NAME, which reserves storage on the stack and
// returns it as the result with the given name and the type constraint typ. family is the
// chapter of the manual, doc is the description for the reference page, and example is a
// program text.
func declareLocal(name, family, result string, typ ir.Constraint, doc, example string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return local(Op{
			Name: name, Family: family, Doc: doc,
			Outs:     Args{Out(result, typ)},
			Sem:      sem.Local{},
			Rules:    []Rule{escapeRule{}},
			Syntax:   ir.Asm("attr-dict `->` type($" + result + ")"),
			Examples: []string{example},
		})
	})
}

// escapeRule is a rule for an instruction that reserves storage in a scope, such as a
// section. The storage does not exist outside of the scope. Therefore the result of the
// instruction must not be an operand of the terminator of a block, which would pass it
// out of the scope.
type escapeRule struct{}

// Verify implements Rule. It reports a violation of the rule by op.
func (escapeRule) Verify(op *ir.Op, v *ir.Verifier) {
	for u := range op.Result(0).Uses() {
		if user := u.Owner(); user.HasTrait(ir.Terminator) {
			v.Errorf(op, "allocates storage that is only valid in its scope, so its result must not leave the scope through '%s'", user.Name()).
				Note(user.Loc(), "it leaves the scope here")
		}
	}
}

// indexFault checks the indices of op, an instruction on a local array. It returns a
// message if the number of indices differs from the number of dimensions, or if a
// constant index is out of range. It returns "" otherwise.
func indexFault(op *ir.Op) string {
	t, _ := ir.As[LocalArray](op.Operand(0).Type())
	indices := op.Args("indices")
	if len(indices) != t.Shape.Len() {
		return fmt.Sprintf("needs one index for each of the %d dimensions of \"array\", but has %d", t.Shape.Len(), len(indices))
	}
	for i, x := range indices {
		if c, ok := ConstantInt(x); ok && (c < 0 || c >= t.Shape.At(i)) {
			return fmt.Sprintf("index #%d is %d, but the extent of this dimension is %d", i, c, t.Shape.At(i))
		}
	}
	return ""
}

// pathAttr declares the attribute with the path to a field of nested structs: the
// number of the field at each level.
var pathAttr = ir.AttrDef{Name: "path", Type: ir.AnyInts, Doc: "the number of the field at every level"}

// pathHooks parses and prints the path to a field of nested structs. Its syntax is a list
// of numbers in brackets, such as [1, 0].
var pathHooks = map[string]ir.Hook{"path": {ParseFn: parsePath, PrintFn: printPath}}

// parsePath parses the path to a field, such as [1, 0].
func parsePath(p *ir.Parser, st *ir.OpParse) {
	var path []int64
	p.Expect("[")
	p.List("]", func() { path = append(path, p.Integer()) })
	p.Expect("]")
	st.Attr("path", ir.I64Array(path...))
}

// printPath prints the path to a field, such as [1, 0].
func printPath(w *ir.Printer, op *ir.Op) {
	w.Token("[")
	for i, n := range pathOf(op) {
		if i > 0 {
			w.Token(",")
		}
		w.Token(fmt.Sprint(n))
	}
	w.Token("]")
}

// pathOf returns the path to the field that op, an instruction on structs, reads or
// writes. The path contains the number of a field for each level of nested structs,
// outermost first.
func pathOf(op *ir.Op) []int64 {
	d, _ := ir.AttrAs[ir.DenseArrayAttr](op.Attr("path"))
	return d.Ints()
}

// pathFault checks the path of op, a list of field numbers in nested structs. The path
// must lead to a scalar of the type that op reads or writes. If it does not, pathFault
// returns a message; otherwise it returns "".
func pathFault(op *ir.Op) string {
	path := pathOf(op)
	if len(path) == 0 {
		return "needs a path of at least one field"
	}
	t := op.Operand(0).Type()
	for level, n := range path {
		s, ok := ir.As[Struct](t)
		if !ok {
			return fmt.Sprintf("path continues at level %d, but the field there is a scalar of type %s", level, t)
		}
		fields := s.Fields.Slice()
		if n < 0 || n >= int64(len(fields)) {
			return fmt.Sprintf("path has field %d at level %d, which is out of range: %s has %d fields", n, level, t, len(fields))
		}
		t = fields[n]
	}
	if ir.Is[Struct](t) {
		return "path must end at a scalar field, but ends at " + t.String()
	}
	if value := scalarAt(op); value != t {
		return fmt.Sprintf("\"value\" must be %s, the type of the field, but is %s", t, value)
	}
	return ""
}

// scalarAt returns the type of the scalar that op reads or writes.
func scalarAt(op *ir.Op) ir.Type {
	if op.NumResults() > 0 {
		return op.Result(0).Type()
	}
	return op.Arg("value").Type()
}

// FieldOf returns the byte offset, relative to the start of the struct, and the type of
// the field that op reads or writes.
func FieldOf(op *ir.Op) (at int64, t ir.Type) {
	t = op.Operand(0).Type()
	for _, n := range pathOf(op) {
		d, _ := ir.As[Struct](t)
		fields := d.Fields.Slice()
		for _, before := range fields[:n] {
			at += FieldBytes(before)
		}
		t = fields[n]
	}
	return at, t
}
