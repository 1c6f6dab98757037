package debug_test

import (
	"fmt"

	_ "ptogo/dialect/all"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/kernel/debug"
	"ptogo/runtime"
)

// ExampleCompare compares two arrays as --expect of pto-run does.
func ExampleCompare() {
	got := kernel.ArrayOf([]float32{1, 2, 3, 4}, 2, 2)
	want := kernel.ArrayOf([]float32{1, 2, 3.5, 4}, 2, 2)
	d := debug.Compare(got, want, debug.Tolerance{Rel: 1e-3}, false)
	fmt.Println(d.Count, "of", d.Elements, "differ, first at", debug.Position(got, d.First))
	// Output:
	// 1 of 4 differ, first at 1, 0
}

// ExampleStats counts what a launch executes and moves.
func ExampleStats() {
	prog, err := kernel.Load(&ir.Source{Name: "double.pto", Text: `
func.func @double(%x: !pto.partition_tensor_view<16x64xf32>, %y: !pto.partition_tensor_view<16x64xf32>) attributes {pto.kernel} {
  %t = pto.tload %x : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>
  %d = pto.tadd %t, %t : (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>
  pto.tstore %d, %y : (!pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>) -> ()
  return
}`}, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var stats debug.Stats
	plan, err := prog.Plan(runtime.Options{Listeners: []runtime.Listener{&stats}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := plan.Run(kernel.Zeros(ir.F32, 16, 64), kernel.Zeros(ir.F32, 16, 64)); err != nil {
		fmt.Println(err)
	}
	for _, i := range stats.Counts().Instructions {
		fmt.Println(i.Name, "on", i.Pipe, "reads", i.Read, "and writes", i.Written, "bytes")
	}
	// Output:
	// pto.tadd on PIPE_V reads 8192 and writes 4096 bytes
	// pto.tload on PIPE_MTE2 reads 4096 and writes 4096 bytes
	// pto.tstore on PIPE_MTE3 reads 4096 and writes 4096 bytes
}
