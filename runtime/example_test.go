package runtime_test

import (
	"encoding/binary"
	"fmt"

	_ "ptogo/dialect/all"
	"ptogo/ir"
	"ptogo/runtime"
)

// countdown writes n, n-1, ... to the memory of %p, beginning at element 0.
const countdown = `
func.func @countdown(%p: !pto.ptr<i32>, %n: i32) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %upper = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %upper step %c1 {
    %k = arith.index_cast %i : index to i32
    %v = arith.subi %n, %k : i32
    pto.store_scalar %v, %p[%i] : !pto.ptr<i32>, i32
  }
  return
}`

// ExamplePlan prepares a kernel once and launches it twice: first with memory
// that is large enough, then not. Package kernel also checks and lowers the
// program, and turns Go values into arguments.
func ExamplePlan() {
	module, err := ir.Parse(&ir.Source{Name: "countdown.pto", Text: countdown}, ir.ParseOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var diags ir.Diags
	prog := runtime.Plan(module, runtime.Kernels(module), runtime.Options{}, &diags)
	if prog == nil {
		fmt.Println(diags.Err())
		return
	}
	buf := &runtime.Buffer{Data: make([]byte, 16), Name: "p"}
	fmt.Println(prog.Run([]runtime.Arg{{Buf: buf}, {Bits: 4}}))
	values := make([]int32, 4)
	if _, err := binary.Decode(buf.Data, binary.LittleEndian, values); err != nil {
		fmt.Println(err)
	}
	fmt.Println(values)
	fmt.Println(prog.Run([]runtime.Arg{{Buf: buf}, {Bits: 5}}))
	// Output:
	// <nil>
	// [4 3 2 1]
	// countdown.pto:9:5: 'pto.store_scalar' op accesses memory out of bounds: it writes bytes 16..19 of gm buffer 0 (p) through "ptr", but the buffer has 16 bytes (%i = 4)
}
