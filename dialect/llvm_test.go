package dialect_test

import (
	"testing"

	"ptogo/tools/mlirtest"
)

func TestLLVMRejects(t *testing.T) {
	const head = "func.func @f(%a: i32, %x: f32, %p: !llvm.ptr, %s: !llvm.struct<(i32, f32)>, %v: vector<2xf32>, %i: index) {\n"
	rejected := mlirtest.NewRejections(t)
	for _, c := range []struct{ name, body, want string }{
		{"load of index", "%r = llvm.load %p : !llvm.ptr -> index", `result "res" must be a type of LLVM with a size, but is index`},
		{"load of nothing", "%r = llvm.load %p : !llvm.ptr -> !llvm.void", "must be a type of LLVM with a size"},
		{"load through a number", "%r = llvm.load %a : i32 -> f32", `operand "addr" must be a pointer, !llvm.ptr, but is i32`},
		{"vector of vectors", "%r = llvm.load %p : !llvm.ptr -> vector<2x2xf32>", "must be a type of LLVM with a size"},
		{"atomic without alignment", "%r = llvm.load %p atomic acquire : !llvm.ptr -> f32", "is atomic, so it requires an alignment"},
		{"ordering of load", "%r = llvm.load %p atomic release {alignment = 4 : i64} : !llvm.ptr -> f32", "must not have the memory ordering release"},
		{"ordering of store", "llvm.store %x, %p atomic acquire {alignment = 4 : i64} : f32, !llvm.ptr", "must not have the memory ordering acquire"},
		{"ordering", "%r = llvm.load %p atomic strong : !llvm.ptr -> f32", "expected one of not_atomic, unordered"},
		{"size of alloca", "%r = llvm.alloca %x x f32 : (f32) -> !llvm.ptr", `operand "arraySize" must be a signless integer, but is f32`},
		{"type of alloca", "%r = llvm.alloca %a x f32 : i32", "needs the type of its size and of its result"},
		{"bits to an address", "%r = llvm.bitcast %x : f32 to !llvm.ptr", "only inttoptr and ptrtoint convert between pointers and numbers"},
		{"float to an address", "%r = llvm.inttoptr %x : f32 to !llvm.ptr", `operand "arg" must be a signless integer, or a vector of it, but is f32`},
		{"address to a float", "%r = llvm.ptrtoint %p : !llvm.ptr to f32", `result "res" must be a signless integer`},
		{"space of a number", "%r = llvm.addrspacecast %p : !llvm.ptr to i32", `result "res" must be a pointer`},
		{"element of a number", "%r = llvm.extractelement %a[%a : i32] : i32", "'llvm.extractelement' op"},
		{"element to insert", "%r = llvm.insertelement %a, %v[%a : i32] : vector<2xf32>", "'llvm.insertelement' op: operand \"value\" must be the element type of \"vector\", f32, but is i32"},
		{"member", "%r = llvm.extractvalue %s[2] : !llvm.struct<(i32, f32)>", "'llvm.extractvalue' op"},
		{"member of a number", "%r = llvm.extractvalue %s[0, 0] : !llvm.struct<(i32, f32)>", "'llvm.extractvalue' op"},
		{"container", "%r = llvm.extractvalue %a[0] : i32", "'llvm.extractvalue' op"},
		{"member to insert", "%r = llvm.insertvalue %x, %s[0] : !llvm.struct<(i32, f32)>", `operand "value" must be the type of the member, i32, but is f32`},
		{"index of getelementptr", "%r = llvm.getelementptr %p[%x] : (!llvm.ptr, f32) -> !llvm.ptr, f32", `operand "dynamicIndices" must be a signless integer`},
		{"member by value", "%r = llvm.getelementptr %p[0, %a] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, f32)>", "by an index that is not constant"},
		{"member out of bounds", "%r = llvm.getelementptr %p[0, 5] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, f32)>", "index #1 selects a member that type !llvm.struct<(i32, f32)> does not have"},
		{"into a number", "%r = llvm.getelementptr %p[0, 1] : (!llvm.ptr) -> !llvm.ptr, f32", "index #1 selects a member that type f32 does not have"},
		{"no index", "%r = llvm.getelementptr %p[] : (!llvm.ptr) -> !llvm.ptr, f32", "expected an integer, found ']'"},
		{"wide index", "%r = llvm.getelementptr %p[99999999999] : (!llvm.ptr) -> !llvm.ptr, f32", "99999999999 does not fit a constant index"},
		{"types of getelementptr", "%r = llvm.getelementptr %p[%a] : (!llvm.ptr) -> !llvm.ptr, f32", "has 1 operand type for 2 operands"},
		{"float constant of an integer", "%r = llvm.mlir.constant(1 : i32) : f32", "has the value 1 : i32, which is not a value of its result type f32"},
		{"width of constant", "%r = llvm.mlir.constant(1.0 : f64) : f32", "which is not a value of its result type f32"},
		{"elements of a number", "%r = llvm.mlir.constant(dense<1> : vector<2xi32>) : i32", "which is not a value of its result type i32"},
		{"undef index", "%r = llvm.mlir.undef : index", `result "res" must be a type of LLVM, but is index`},
		{"builtin vector", "%r = llvm.mlir.undef : !llvm.vec<4 x f32>", "a vector of f32 is a builtin type"},
		{"array", "%r = llvm.mlir.undef : !llvm.array<2xi32>", "expected 'x', found 'xi32'"},
		{"space", "%r = llvm.mlir.undef : !llvm.ptr<i32>", "expected an integer, found 'i32'"},
		{"type", "%r = llvm.mlir.undef : !llvm.nope", "unknown type '!llvm.nope'"},
		{"parameters", "%r = llvm.mlir.undef : !llvm.func<void (..., i32)>", "'...' must be the last parameter"},
	} {
		t.Run(c.name, func(t *testing.T) { rejected.Add(t, head+c.body+"\nreturn\n}", c.want) })
	}
}

func TestLLVMBitcastWidth(t *testing.T) { // MLIR leaves this to LLVM
	mlirtest.RejectsAlone(t, "func.func @f(%x: f32) {\n%r = llvm.bitcast %x : f32 to i64\nreturn\n}", "casts f32 of 32 bits to i64 of 64 bits, but both must have the same size")
}
