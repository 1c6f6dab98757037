package check_test

import (
	"fmt"

	_ "ptogo/dialect/all"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// ExampleChecker checks a launch: the addition may start before the load has
// ended, since no flag is between them.
func ExampleChecker() {
	prog, err := kernel.Load(&ir.Source{Name: "double.pto", Text: `
func.func @double(%x: !pto.partition_tensor_view<16x64xf32>, %y: !pto.partition_tensor_view<16x64xf32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : i64
  %t = pto.alloc_tile addr = %c0 : !pto.tile_buf<vec, 16x64xf32>
  pto.tload ins(%x : !pto.partition_tensor_view<16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>)
  pto.tadd ins(%t, %t : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>)
  pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
  pto.tstore ins(%t : !pto.tile_buf<vec, 16x64xf32>) outs(%y : !pto.partition_tensor_view<16x64xf32>)
  return
}`}, kernel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	checker, err := check.New(check.Options{Kinds: []check.Kind{check.Race}})
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := prog.Plan(runtime.Options{Listeners: []runtime.Listener{checker}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := plan.Run(kernel.Zeros(ir.F32, 16, 64), kernel.Zeros(ir.F32, 16, 64)); err != nil {
		fmt.Println(err)
	}
	for _, r := range checker.Reports() {
		fmt.Println(r.Loc, r.Class, r.Text)
	}
	// Output:
	// double.pto:6:3 RAW WAW RAW in bytes 0..4095 of ub (%t): 'pto.tadd' on PIPE_V reads what 'pto.tload' on PIPE_MTE2 may not have written yet
}

// ExampleKinds lists what can be checked.
func ExampleKinds() {
	fmt.Println(check.Kinds())
	// Output:
	// [race sync init mem device output redundant]
}
