package dialect_test

import (
	"testing"

	"ptogo/tools/mlirtest"
)

func TestArithRejects(t *testing.T) {
	const head = "func.func @f(%x: i32, %y: i64, %u: ui32, %i: index, %c: i1, %f: f32, %v: vector<4xi32>, %w: vector<5xi32>, %c4: vector<4xi1>, %m: memref<2xi32>) {\n"
	rejected := mlirtest.NewRejections(t)
	for _, c := range []struct{ name, body, want string }{
		{"unsigned", "%r = arith.addi %u, %u : ui32", `operand "lhs" must be a signless integer or index, or a vector or tensor of it, but is ui32`},
		{"memref", "%r = arith.addi %m, %m : memref<2xi32>", `operand "lhs" must be a signless integer`},
		{"float for integer", "%r = arith.addi %f, %f : f32", `operand "lhs" must be a signless integer`},
		{"integer for float", "%r = arith.addf %x, %x : i32", `operand "lhs" must be a floating-point number`},
		{"two types", "%r = arith.addi %x, %y : i32", `use of value '%y' expects different type than prior uses: 'i32' vs 'i64'`},
		{"two types in generic form", `%r = "arith.addi"(%x, %y) : (i32, i64) -> i32`, `operand "rhs" must be of the type of "lhs", i32, but is i64`},
		{"another result", `%r = "arith.addi"(%x, %x) : (i32, i32) -> i64`, `result "result" must be of the type of "lhs", i32, but is i64`},
		{"too few operands", `%r = "arith.addi"(%x) : (i32) -> i32`, `has 1 operand, but expects 2`},
		{"unknown flag", "%r = arith.addi %x, %x overflow<nsv> : i32", `'nsv' is not a case of #arith.overflow: expected none, nsw, nuw`},
		{"flag of another kind", "%r = arith.addi %x, %x {overflowFlags = 1 : i32} : i32", `attribute "overflowFlags" must be #arith.overflow<none,nsw,nuw>`},
		{"predicate", "%r = arith.cmpi less, %x, %x : i32", `expected one of eq, ne, slt`},
		{"float predicate", "%r = arith.cmpi olt, %x, %x : i32", `expected one of eq, ne, slt`},
		{"predicate number", `%r = "arith.cmpi"(%x, %x) <{predicate = 10 : i64}> : (i32, i32) -> i1`, `attribute "predicate" must be an i64 that numbers one of eq, ne`},
		{"predicate missing", `%r = "arith.cmpi"(%x, %x) : (i32, i32) -> i1`, `requires the attribute "predicate"`},
		{"shape of comparison", `%r = "arith.cmpi"(%v, %v) <{predicate = 1 : i64}> : (vector<4xi32>, vector<4xi32>) -> i1`, `result "result" must be vector<4xi1>, but is i1`},
		{"narrowing extension", "%r = arith.extsi %y : i64 to i32", "casts type i64 to type i32, but the result must be wider"},
		{"same width", "%r = arith.trunci %x : i32 to i32", "must be narrower"},
		{"widening to index", "%r = arith.extsi %x : i32 to index", `result "out" must be a signless integer`},
		{"no index", "%r = arith.index_cast %x : i32 to i64", "must be index where the operand is an integer"},
		{"shape of cast", "%r = arith.extsi %v : vector<4xi32> to vector<5xi64>", "casts type vector<4xi32> to type vector<5xi64>, but both must have the same shape"},
		{"width of bitcast", "%r = arith.bitcast %f : f32 to i16", "must be of the same width"},
		{"rounding", "%r = arith.truncf %f sideways : f32 to f16", "expected ':', found 'sideways'"},
		{"condition", "%r = arith.select %x, %x, %x : i32", "use of value '%x' expects different type than prior uses: 'i1' vs 'i32'"},
		{"shape of condition", "%r = arith.select %c4, %w, %w : vector<4xi1>, vector<5xi32>", "by a condition of type vector<4xi1>, whose shape must be that of the operands, which have type vector<5xi32>"},
		{"unsigned constant", "%r = arith.constant 1 : ui32", "integer constants must have signless types"},
		{"string constant", `%r = arith.constant "text"`, "'arith.constant' op"},
		{"symbol constant", `%r = arith.constant @f`, "'arith.constant' op"},
		{"constant out of range", "%r = arith.constant 300 : i8", "300 does not fit type i8"},
		{"type of constant", `%r = "arith.constant"() <{value = 1 : i32}> : () -> i64`, `must be of the type of attribute "value", i32, but is i64`},
		{"carry", "%r:2 = arith.addui_extended %x, %x : i32, i32", `result "overflow" must be i1, but is i32`},
	} {
		t.Run(c.name, func(t *testing.T) { rejected.Add(t, head+c.body+"\nreturn\n}", c.want) })
	}
}
