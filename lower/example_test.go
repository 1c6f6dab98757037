package lower_test

import (
	"fmt"
	"os"

	_ "ptogo/dialect/all"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/bufferize"
	"ptogo/lower/insertsync"
	"ptogo/lower/plan"
	"ptogo/lower/ptoas"
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

const loadAndStore = `
func.func @copy(%x: !pto.partition_tensor_view<16x64xf32>, %y: !pto.partition_tensor_view<16x64xf32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : i64
  %t = pto.alloc_tile addr = %c0 : !pto.tile_buf<vec, 16x64xf32>
  pto.tload ins(%x : !pto.partition_tensor_view<16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>)
  pto.tstore ins(%t : !pto.tile_buf<vec, 16x64xf32>) outs(%y : !pto.partition_tensor_view<16x64xf32>)
  return
}`

// Example_synchronization proves a kernel, which fails, then inserts the flag that is
// missing and proves it again.
func Example_synchronization() {
	module, err := ir.Parse(&ir.Source{Name: "copy.pto", Text: loadAndStore}, ir.ParseOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	target := func(*ir.Op) ir.Target { return sem.A3 }
	var diags ir.Diags
	tally := insertsync.Verify(module, target, insertsync.Verdicts, &diags)
	fmt.Println("hazards:", tally[insertsync.Hazard])

	p := passes.NewPipeline()
	p.Add(insertsync.Pass, "", &diags)
	if !p.Run(module, passes.RunOptions{Diags: &diags}) {
		fmt.Println(diags.Err())
		return
	}
	tally = insertsync.Verify(module, target, insertsync.Verdicts, &diags)
	fmt.Println("proved:", tally[insertsync.Proved])
	// Output:
	// hazards: 1
	// proved: 1
}

// Example_memoryMap shows where tiles are.
func Example_memoryMap() {
	module, err := ir.Parse(&ir.Source{Name: "copy.pto", Text: loadAndStore}, ir.ParseOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(plan.MapMemory(module, sem.A3).Text())
	// Output:
	// @copy vec: 4096 of 196608 bytes, peak 4096 at pto.tload at copy.pto:5:3
	//          0..4095     |                       #############            | * %t
}

// Example_assembly prints a program in the PTO-AS syntax.
func Example_assembly() {
	module, err := ir.Parse(&ir.Source{Name: "exp.pto", Text: `
func.func @exp(%x: !pto.partition_tensor_view<16x64xf32>) {
  %a = pto.tload %x : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>
  %b = pto.texp %a : !pto.tile<16x64xf32> -> !pto.tile<16x64xf32>
  return
}`}, ir.ParseOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var diags ir.Diags
	if !ptoas.WriteAS(os.Stdout, module, &diags) {
		fmt.Println(diags.Err())
	}
	// Output:
	// .arg %x : !pto.partition_tensor_view<16x64xf32>;
	// %a = tload %x : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>;
	// %b = texp %a : !pto.tile<16x64xf32> -> !pto.tile<16x64xf32>;
}
