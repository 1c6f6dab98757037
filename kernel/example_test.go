package kernel_test

import (
	"fmt"
	"os"

	_ "ptogo/dialect/all"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/kernel/build"
	"ptogo/runtime"
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

// ExampleLoad_wrongType shows the error of a program that is wrong.
func ExampleLoad_wrongType() {
	_, err := kernel.Load(&ir.Source{Name: "bad.pto", Text: "func.func @f() {\n  pto.tadd\n}"}, kernel.Options{})
	for _, d := range err.(ir.Errors) {
		fmt.Println(d)
	}
	// Output:
	// bad.pto:3:1: error: expected an SSA value, found '}'
}

// ExampleProgram_Plan runs a kernel many times: planning happens once.
func ExampleProgram_Plan() {
	prog, err := kernel.Load(&ir.Source{Name: "scale.pto", Text: scale}, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := prog.Plan(runtime.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := kernel.Zeros(ir.F32, 1, 8), kernel.Zeros(ir.F32, 1, 8)
	x.Fill(func(i int) float64 { return float64(i) })
	for _, s := range []float64{1, 10} {
		if err := plan.Run(x, y, s); err != nil {
			fmt.Println(err)
		}
		fmt.Println(kernel.Slice[float32](y))
	}
	// Output:
	// [0 1 2 3 4 5 6 7]
	// [0 10 20 30 40 50 60 70]
}

// ExampleArrayOf makes an array of a kernel from a Go slice.
func ExampleArrayOf() {
	a := kernel.ArrayOf([]int32{1, 2, 3, 4, 5, 6}, 2, 3)
	fmt.Println(kernel.ShapeText(a.Shape, a.Elem), a.Position(4), a.Float(4))
	// Output: 2x3xi32 [1 1] 5
}

// ExampleReadNpy writes an array in the format of numpy and reads it.
func ExampleReadNpy() {
	a, err := kernel.ReadNpy(kernel.ArrayOf([]float32{1.5, 2.5}, 2).Npy())
	fmt.Println(kernel.Slice[float32](a), err)
	_, err = kernel.ReadNpy([]byte("no numpy"))
	fmt.Println(err)
	// Output:
	// [1.5 2.5] <nil>
	// not a .npy file
}

// ExampleParseShape reads a shape as --arg of pto-run has it.
func ExampleParseShape() {
	shape, elem, err := kernel.ParseShape("32x64xbf16")
	fmt.Println(shape, elem, err)
	// Output: [32 64] bf16 <nil>
}

// ExampleArray_Print shows the corners of a matrix.
func ExampleArray_Print() {
	a := kernel.Zeros(ir.I32, 2, 3)
	a.Fill(func(i int) float64 { return float64(i * i) })
	a.Print(os.Stdout, "squares")
	// Output:
	// squares: 2x3xi32
	//    0   1   4
	//    9  16  25
}
