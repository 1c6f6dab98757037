package build_test

import (
	"fmt"

	_ "ptogo/dialect/all"
	"ptogo/ir"
	"ptogo/kernel/build"
)

// ExampleKernel builds a kernel in Go and prints it as text.
func ExampleKernel() {
	m := build.Module()
	f := build.Kernel(m, "double", build.PtrTo("x", ir.F32), build.PtrTo("y", ir.F32))
	x := f.View(f.Param(0), f.Indices(16, 64)...)
	y := f.View(f.Param(1), f.Indices(16, 64)...)
	t := f.TLoad(f.Whole(x))
	f.TStore(f.TAdd(t, t), f.Whole(y))
	fmt.Println(m)
	// Output:
	// module {
	//   func.func @double(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) attributes {pto.kernel} {
	//     %0 = arith.constant 0 : index
	//     %1 = arith.constant 1 : index
	//     %2 = arith.constant 64 : index
	//     %3 = arith.constant 16 : index
	//     %4 = pto.make_tensor_view %x, shape = [%3, %2], strides = [%2, %1] : !pto.tensor_view<16x64xf32>
	//     %5 = pto.make_tensor_view %y, shape = [%3, %2], strides = [%2, %1] : !pto.tensor_view<16x64xf32>
	//     %6 = pto.partition_view %4, offsets = [%0, %0], sizes = [%3, %2] : !pto.tensor_view<16x64xf32> -> !pto.partition_tensor_view<16x64xf32>
	//     %7 = pto.tload %6 : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>
	//     %8 = pto.tadd %7, %7 : (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>
	//     %9 = pto.partition_view %5, offsets = [%0, %0], sizes = [%3, %2] : !pto.tensor_view<16x64xf32> -> !pto.partition_tensor_view<16x64xf32>
	//     pto.tstore %8, %9 : (!pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>) -> ()
	//     return
	//   }
	// }
}

// ExampleTile and columns are the types that most vector kernels need.
func ExampleTile() {
	fmt.Println(build.Tile(ir.F32, 16, 64))
	fmt.Println(build.Column(ir.F32, 16))
	// Output:
	// !pto.tile<16x64xf32>
	// !pto.tile<16x1xf32, blayout=col_major>
}
