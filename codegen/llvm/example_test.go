package llvm_test

import (
	"fmt"
	"strings"

	"ptogo/codegen/llvm"
	_ "ptogo/dialect/all"
	"ptogo/ir"
)

// ExampleEmit emits a kernel as LLVM IR and shows what it defines.
func ExampleEmit() {
	module, err := ir.Parse(&ir.Source{Name: "add.pto", Text: `
func.func @add(%p: !pto.ptr<i32>, %n: i32) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %v = pto.load_scalar %p[%c0] : !pto.ptr<i32> -> i32
  %sum = arith.addi %v, %n : i32
  pto.store_scalar %sum, %p[%c0] : !pto.ptr<i32>, i32
  return
}`}, ir.ParseOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var diags ir.Diags
	var text strings.Builder
	if !llvm.Emit(&text, module, llvm.Options{Triple: "aarch64-unknown-linux-gnu"}, &diags) {
		fmt.Println(diags.Err())
		return
	}
	for line := range strings.Lines(text.String()) {
		if strings.HasPrefix(line, "define") || strings.Contains(line, " = add i32 ") {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	// Output:
	// define void @add(ptr %p, i32 %n, i64 %block_idx, i64 %block_num) nounwind {
	// %sum = add i32 %v, %n
}
