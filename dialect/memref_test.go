package dialect_test

import (
	"testing"

	"ptogo/tools/mlirtest"
)

func TestMemrefRejects(t *testing.T) {
	const head = "func.func @f(%n: index, %x: f32, %a: i32, %m: memref<4x8xf32>, %u: memref<*xf32>, %b: memref<64xi8>, %w: memref<64xi16>) {\n"
	rejected := mlirtest.NewRejections(t)
	for _, c := range []struct{ name, body, want string }{
		{"sizes", "%r = memref.alloc(%n) : memref<4xf32>", "requires one size for each dynamic extent, but has 1 size, and its result type memref<4xf32> has 0 dynamic extents"},
		{"missing size", "%r = memref.alloc() : memref<?xf32>", "requires one size for each dynamic extent, but has 0 sizes, and its result type memref<?xf32> has 1 dynamic extent"},
		{"symbols", "%r = memref.alloc()[%n] : memref<4xf32>", "has 1 symbol, but must have none, because the layout of its result type memref<4xf32> has no symbols"},
		{"unranked", "%r = memref.alloc() : memref<*xf32>", "'memref.alloc' op"},
		{"no memref", "%r = memref.alloc() : i32", `result "memref" must be a memref, but is i32`},
		{"indices of load", "%r = memref.load %m[%n] : memref<4x8xf32>", "has 1 indices, but requires one for each dimension of memref<4x8xf32>"},
		{"indices of store", "memref.store %x, %m[%n, %n, %n] : memref<4x8xf32>", "has 3 indices, but requires one for each dimension of memref<4x8xf32>"},
		{"integer index", "%r = memref.load %m[%a, %n] : memref<4x8xf32>", "use of value '%a' expects different type than prior uses: 'index' vs 'i32'"},
		{"element", "memref.store %a, %m[%n, %n] : memref<4x8xf32>", "use of value '%a' expects different type than prior uses: 'f32' vs 'i32'"},
		{"element in generic form", `"memref.store"(%a, %m, %n, %n) : (i32, memref<4x8xf32>, index, index) -> ()`, `operand "value" must be f32, but is i32`},
		{"copy", "memref.copy %m, %b : memref<4x8xf32> to memref<64xi8>", "but both must have the same element type and the same shape"},
		{"rank of cast", "%r = memref.cast %m : memref<4x8xf32> to memref<?xf32>", "a shape that cannot be the same"},
		{"extent of cast", "%r = memref.cast %m : memref<4x8xf32> to memref<5x8xf32>", "a shape that cannot be the same"},
		{"layout of cast", "%r = memref.cast %m : memref<4x8xf32> to memref<4x8xf32, strided<[9, 1]>>", "a shape that cannot be the same"},
		{"space of cast", "%r = memref.cast %m : memref<4x8xf32> to memref<4x8xf32, 1>", "another memory space"},
		{"element of space cast", "%r = memref.memory_space_cast %m : memref<4x8xf32> to memref<4x8xf16, 1>", "differs in more than the memory space"},
		{"offsets", "%r = memref.subview %m[0] [4, 8] [1, 1] : memref<4x8xf32> to memref<4x8xf32>", "has 1 offsets, but requires 2"},
		{"window", "%r = memref.subview %m[0, 2] [4, 4] [1, 1] : memref<4x8xf32> to memref<4x4xf32>", "but selects a part of type memref<4x4xf32, strided<[8, 1], offset: 2>>"},
		{"dropped dimension", "%r = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<4x8xf32> to memref<4xf32>", "the result may only omit dimensions of extent 1"},
		{"values of a list", `%r = "memref.subview"(%m, %n) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 8>, static_strides = array<i64: 1, 1>}> : (memref<4x8xf32>, index) -> memref<4x8xf32>`, "the attribute \"static_offsets\" has another number of dynamic entries"},
		{"extent of reinterpret_cast", "%r = memref.reinterpret_cast %m to offset: [0], sizes: [3], strides: [1] : memref<4x8xf32> to memref<4xf32>", "but its attributes require a result type with extent 3"},
		{"stride of reinterpret_cast", "%r = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [2] : memref<4x8xf32> to memref<4xf32>", "but its attributes require a result type with stride 2"},
		{"offset of reinterpret_cast", "%r = memref.reinterpret_cast %m to offset: [2], sizes: [4], strides: [1] : memref<4x8xf32> to memref<4xf32>", "but its attributes require a result type with offset 2"},
		{"source of view", "%r = memref.view %w[%n][] : memref<64xi16> to memref<4xf32>", "requires an operand of type memref<Nxi8>"},
		{"sizes of view", "%r = memref.view %b[%n][] : memref<64xi8> to memref<?xf32>", "requires one size for each dynamic extent, but has 0 sizes, and its result type memref<?xf32> has 1 dynamic extent"},
		{"unknown global", "%r = memref.get_global @nope : memref<2xf32>", "refers to @nope, which is not a memref.global of this module"},
	} {
		t.Run(c.name, func(t *testing.T) { rejected.Add(t, head+c.body+"\nreturn\n}", c.want) })
	}
}

func TestMemrefRejectsGlobals(t *testing.T) {
	rejected := mlirtest.NewRejections(t)
	for _, c := range []struct{ name, text, want string }{
		{"type of get_global", "memref.global @g : memref<2xf32>\nfunc.func @f() {\n%r = memref.get_global @g : memref<3xf32>\nreturn\n}", "has result type memref<3xf32>, but global @g has type memref<2xf32>"},
		{"dynamic", "memref.global @g : memref<?xf32>", "must have a memref type of static shape"},
		{"value", "memref.global @g : memref<2xf32> = dense<[1.0, 2.0, 3.0]>", "expected 2 elements here, found 3"},
		{"value in generic form", `"memref.global"() <{sym_name = "g", type = memref<2xf32>, initial_value = dense<1> : tensor<2xi32>}> : () -> ()`, "but requires an initial value of type tensor<2xf32>"},
		{"no memref", "memref.global @g : i32", "must be a memref type"},
	} {
		t.Run(c.name, func(t *testing.T) { rejected.Add(t, c.text, c.want) })
	}
}

func TestMemrefAlignment(t *testing.T) { // MLIR leaves this to LLVM
	mlirtest.RejectsAlone(t, "func.func @f() {\n%r = memref.alloc() {alignment = 3 : i64} : memref<4xf32>\nreturn\n}", "has alignment 3, but the alignment must be a power of two")
}
