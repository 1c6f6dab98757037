package timing_test

import (
	"fmt"

	_ "ptogo/dialect/all"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/timing"
)

// ExampleReplay predicts how long a kernel lasts on a chip: a launch is recorded
// once and may be replayed for several chips.
func ExampleReplay() {
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
	recorder := timing.NewRecorder()
	plan, err := prog.Plan(runtime.Options{Listeners: []runtime.Listener{recorder}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := plan.Run(kernel.Zeros(ir.F32, 16, 64), kernel.Zeros(ir.F32, 16, 64)); err != nil {
		fmt.Println(err)
	}
	chip, err := timing.ChipFor("910B1", prog.Target)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := timing.Replay(recorder, chip, timing.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("the kernel lasts less than 2 us:", r.Micros > 0 && r.Micros < 2)
	_, err = timing.ChipFor("911", prog.Target)
	fmt.Println(err)
	// Output:
	// the kernel lasts less than 2 us: true
	// unknown chip '911': expected 910B1, 910B2, 910B3, 910B4, 950, 959X
}
