package cpp_test

import (
	"fmt"
	"strings"

	"ptogo/codegen/cpp"
	_ "ptogo/dialect/all"
	"ptogo/ir"
)

// ExampleEmit translates a kernel with addresses to C++ and prints the library calls in
// it.
func ExampleEmit() {
	module, err := ir.Parse(&ir.Source{Name: "double.pto", Text: `
func.func @double(%x: !pto.partition_tensor_view<16x64xf32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : i64
  %t = pto.alloc_tile addr = %c0 : !pto.tile_buf<vec, 16x64xf32>
  pto.tload ins(%x : !pto.partition_tensor_view<16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>)
  pto.tadd ins(%t, %t : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>)
  return
}`}, ir.ParseOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var diags ir.Diags
	var text strings.Builder
	if !cpp.Emit(&text, module, cpp.Options{}, &diags) {
		fmt.Println(diags.Err())
		return
	}
	for line := range strings.Lines(text.String()) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "T") && strings.HasSuffix(line, ");") {
			fmt.Println(line)
		}
	}
	// Output:
	// TASSIGN(t, c0);
	// TLOAD(t, x);
	// TADD(t, t, t);
}
