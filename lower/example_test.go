package lower_test

import (
	"fmt"

	_ "ptogo/dialect/all"
	"ptogo/ir"
	"ptogo/lower/bufferize"
	"ptogo/lower/plan"
	"ptogo/passes"
)

// Example takes a kernel from Level 1, where tiles are values, to buffers with
// addresses. Package kernel does that, and runs the kernel, in one call.
func Example() {
	module, err := ir.Parse(&ir.Source{Name: "double.pto", Text: `
func.func @double(%x: !pto.partition_tensor_view<16x64xf32>, %y: !pto.partition_tensor_view<16x64xf32>) {
  %t = pto.tload %x : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>
  %d = pto.tadd %t, %t : (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>
  pto.tstore %d, %y : (!pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>) -> ()
  return
}`}, ir.ParseOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var diags ir.Diags
	p := passes.NewPipeline()
	p.Add(bufferize.Bufferize, "reuse=true", &diags)
	p.Add(plan.PlanMemory, "", &diags)
	if !p.Run(module, passes.RunOptions{Diags: &diags}) {
		fmt.Println(diags.Err())
		return
	}
	fmt.Println(module)
	// Output:
	// module {
	//   func.func @double(%x: !pto.partition_tensor_view<16x64xf32>, %y: !pto.partition_tensor_view<16x64xf32>) {
	//     %c0_i64 = arith.constant 0 : i64
	//     %t = pto.alloc_tile addr = %c0_i64 : !pto.tile_buf<vec, 16x64xf32>
	//     pto.tload ins(%x : !pto.partition_tensor_view<16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>)
	//     pto.tadd ins(%t, %t : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>)
	//     pto.tstore ins(%t : !pto.tile_buf<vec, 16x64xf32>) outs(%y : !pto.partition_tensor_view<16x64xf32>)
	//     return
	//   }
	// }
}
