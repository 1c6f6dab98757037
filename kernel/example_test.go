package kernel_test

import (
	"fmt"

	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/kernel/build"
)

// ExampleBuild builds a kernel that takes e to the power of a matrix, 16 rows
// at a time, and divides every row by its sum; then runs it on Go slices.
func ExampleBuild() {
	const rows, cols, step = 32, 64, 16
	m := build.Module()
	f := build.Kernel(m, "normalize", build.PtrTo("x", ir.F32), build.PtrTo("y", ir.F32), build.Scalar("s", ir.F32))
	x := f.View(f.Param(0), f.Indices(rows, cols)...)
	y := f.View(f.Param(1), f.Indices(rows, cols)...)
	f.For(f.Index(0), f.Index(rows), f.Index(step), func(row *ir.Value) {
		at, size := []*ir.Value{row, f.Index(0)}, f.Indices(step, cols)
		e := f.TExp(f.TMulS(f.TLoad(f.Part(x, at, size)), f.Param(2)))
		f.TStore(f.TRowExpandDiv(e, f.TRowSum(e)), f.Part(y, at, size))
	})

	prog, err := kernel.Build(m, kernel.Options{Arch: "a5"})
	if err != nil {
		fmt.Println(err)
		return
	}
	in := make([]float32, rows*cols)
	for i := range in {
		in[i] = float32(i % cols % 2) // each row is 0, 1, 0, 1, ...
	}
	out := kernel.Zeros(ir.F32, rows, cols)
	if err := prog.Run(kernel.ArrayOf(in, rows, cols), out, 2.0); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.6f\n", kernel.Slice[float32](out)[rows*cols-4:])
	// Output: [0.003725 0.027525 0.003725 0.027525]
}

const scale = `
func.func @scale(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %s: f32) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %xs = pto.make_tensor_view %x, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xf32>
  %ys = pto.make_tensor_view %y, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xf32>
  %xp = pto.partition_view %xs, offsets = [%c0, %c0], sizes = [%c1, %c8] : !pto.tensor_view<1x8xf32> -> !pto.partition_tensor_view<1x8xf32>
  %yp = pto.partition_view %ys, offsets = [%c0, %c0], sizes = [%c1, %c8] : !pto.tensor_view<1x8xf32> -> !pto.partition_tensor_view<1x8xf32>
  %t = pto.tload %xp : !pto.partition_tensor_view<1x8xf32> -> !pto.tile<1x8xf32>
  %d = pto.tmuls %t, %s : (!pto.tile<1x8xf32>, f32) -> !pto.tile<1x8xf32>
  pto.tstore %d, %yp : (!pto.tile<1x8xf32>, !pto.partition_tensor_view<1x8xf32>) -> ()
  return
}`

// ExampleLoad runs a kernel that is text.
func ExampleLoad() {
	prog, err := kernel.Load(&ir.Source{Name: "scale.pto", Text: scale}, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range prog.Params() {
		fmt.Println(p.Name, p.Type)
	}
	y := kernel.Zeros(ir.F32, 1, 8)
	err = prog.Run(kernel.ArrayOf([]float32{1, 2, 3, 4, 5, 6, 7, 8}, 1, 8), y, 0.5)
	fmt.Println(kernel.Slice[float32](y), err)
	// Output:
	// x !pto.ptr<f32>
	// y !pto.ptr<f32>
	// s f32
	// [0.5 1 1.5 2 2.5 3 3.5 4] <nil>
}

// ExampleLoad_error shows what comes of a program that is wrong.
func ExampleLoad_error() {
	_, err := kernel.Load(&ir.Source{Name: "bad.pto", Text: "func.func @f() {\n  pto.tadd\n}"}, kernel.Options{})
	for _, d := range err.(ir.Errors) {
		fmt.Println(d)
	}
	// Output:
	// bad.pto:3:1: error: expected an SSA value, found '}'
}
