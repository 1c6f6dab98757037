// In generic form a memory space of a dialect stands in a dictionary, which
// tools without the dialect accept. It reads back as the space.
// RUN: pto-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: pto-opt %s --mlir-print-op-generic | pto-opt | FileCheck %s

// GENERIC: function_type = (memref<4xf32, {memory_space = #pto.address_space<vec>}>, memref<4xf32, 1 : i64>, memref<4xf32>) -> tuple<memref<2xi8, {memory_space = #pto.address_space<gm>}>>
// GENERIC: ^bb0(%a: memref<4xf32, {memory_space = #pto.address_space<vec>}>
// CHECK: func.func private @g(memref<4xf32, #pto.address_space<vec>>, memref<4xf32, 1 : i64>, memref<4xf32>) -> tuple<memref<2xi8, #pto.address_space<gm>>>
// CHECK: @f(%a: memref<4xf32, #pto.address_space<vec>>)
func.func private @g(memref<4xf32, #pto.address_space<vec>>, memref<4xf32, 1>, memref<4xf32>) -> tuple<memref<2xi8, #pto.address_space<gm>>>
func.func @f(%a: memref<4xf32, #pto.address_space<vec>>) {
  return
}
