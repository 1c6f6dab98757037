package isa_test

import (
	"testing"

	"ptogo/dialect/pto/sem"
)

func TestStruct(t *testing.T) {
	declare := func(typ, body string) string {
		return "func.func @f(%x: f32, %b: i8, %i: index) {\n%s = pto.declare_" + typ + "\n" + body + "\nreturn\n}"
	}
	const pair = "struct -> !pto.struct<f32, !pto.struct<i8, f32>>"
	const array = "local_array -> !pto.local_array<4x8xf32>"
	checkVerify(t, sem.A3, []verifyCase{
		{"field of a field", declare(pair, "pto.struct_set %s[1, 0], %b : !pto.struct<f32, !pto.struct<i8, f32>>, i8"), ""},
		{"field out of range", declare(pair, "pto.struct_set %s[2], %x : !pto.struct<f32, !pto.struct<i8, f32>>, f32"), "field 2 at level 0, which is out of range"},
		{"negative field", declare(pair, "pto.struct_set %s[-1], %x : !pto.struct<f32, !pto.struct<i8, f32>>, f32"), "field -1 at level 0, which is out of range"},
		{"path through a scalar", declare(pair, "pto.struct_set %s[0, 0], %x : !pto.struct<f32, !pto.struct<i8, f32>>, f32"), ", but the field there is a scalar of type"},
		{"path to a struct", declare(pair, "%v = pto.struct_get %s[1] : !pto.struct<f32, !pto.struct<i8, f32>> -> !pto.struct<i8, f32>"), "must end at a scalar field"},
		{"empty path", declare(pair, "%v = pto.struct_get %s[] : !pto.struct<f32, !pto.struct<i8, f32>> -> f32"), "at least one field"},
		{"type of the field", declare(pair, "pto.struct_set %s[0], %b : !pto.struct<f32, !pto.struct<i8, f32>>, i8"), `"value" must be f32`},
		{"no fields", "func.func private @f(!pto.struct<>)", "at least one field"},
		{"array as a field", declare("struct -> !pto.struct<!pto.local_array<4xf32>>", ""), "cannot hold a field of type !pto.local_array<4xf32>"},
		{"odd integer as a field", declare("struct -> !pto.struct<i24>", ""), "cannot hold a field of type i24"},

		{"as a parameter", "func.func @f(%s: !pto.struct<f32>) {\nreturn\n}", "must be created by 'pto.declare_struct' in the same function"},
		{"as a result", "func.func private @f() -> !pto.struct<f32>", "returns a value of type !pto.struct<f32>"},
		{"returned", "func.func @f() -> !pto.struct<f32> {\n%s = pto.declare_struct -> !pto.struct<f32>\nreturn %s : !pto.struct<f32>\n}", "pto.struct<f32>"},
		{"selected", "func.func @f(%c: i1) {\n%s = pto.declare_struct -> !pto.struct<f32>\n%t = arith.select %c, %s, %s : !pto.struct<f32>\nreturn\n}", "only 'pto.declare_struct' may"},

		{"element", declare(array, "%v = pto.local_array_get %s[%i, %i] : !pto.local_array<4x8xf32> -> f32"), ""},
		{"too few indices", declare(array, "%v = pto.local_array_get %s[%i] : !pto.local_array<4x8xf32> -> f32"), "one index for each of the 2 dimensions"},
		{"index out of range", declare(array, "%n = arith.constant 8 : index\npto.local_array_set %s[%i, %n], %x : !pto.local_array<4x8xf32>, f32"), "index #1 is 8, but the extent of this dimension is 8"},
		{"last index", declare(array, "%n = arith.constant 7 : index\npto.local_array_set %s[%i, %n], %x : !pto.local_array<4x8xf32>, f32"), ""},
		{"type of the element", declare(array, "pto.local_array_set %s[%i, %i], %b : !pto.local_array<4x8xf32>, i8"), "must be f32"},
		{"open extent", declare("local_array -> !pto.local_array<?xf32>", ""), "must be a positive number"},
		{"no extent", declare("local_array -> !pto.local_array<f32>", ""), "at least one extent"},
		{"array of index", declare("local_array -> !pto.local_array<4xindex>", ""), "but not index"},
	})
}
