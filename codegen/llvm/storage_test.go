package llvm_test

import (
	"bytes"
	"strings"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
	"ptogo/dialect/fn"
	"ptogo/ir"
)

// TestFunctionOfSeveralLaunches assigns memory to a function that is called by kernels
// which run together, and by a kernel that runs alone. Its tile must not overlap the
// tiles of any of these kernels.
func TestFunctionOfSeveralLaunches(t *testing.T) {
	const put = `
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x4xi64>
  pto.texpands ins(%x : i64) outs(%t : !pto.tile_buf<vec, 1x4xi64>)`
	const kernel = `
func.func @NAME(%x: i64, %y: i64, %out: !pto.ptr<i64>) attributes {pto.kernel, pto.kernel_kind = #pto.kernel_kind<KIND>} {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %all = pto.make_tensor_view %out, shape = [%c1, %c4], strides = [%c4, %c1] : !pto.tensor_view<1x4xi64>
  %v = pto.partition_view %all, offsets = [%c0, %c0], sizes = [%c1, %c4] : !pto.tensor_view<1x4xi64> -> !pto.partition_tensor_view<1x4xi64>` + put + `
  func.call @other(%y) : (i64) -> ()
  pto.tstore ins(%t : !pto.tile_buf<vec, 1x4xi64>) outs(%v : !pto.partition_tensor_view<1x4xi64>)
  return
}`
	text := "module attributes {pto.target_arch = \"a5\"} {\nfunc.func private @other(%x: i64) {" + put + "\n  return\n}"
	for _, name := range []string{"alone", "first_vector", "first_cube", "last_vector", "last_cube"} {
		kind := "vector"
		if strings.HasSuffix(name, "cube") {
			kind = "cube"
		}
		text += strings.NewReplacer("NAME", name, "KIND", kind).Replace(kernel)
	}
	m := llvmtest.Parse(t, "launches.pto", text+"\n}\n")
	o := llvm.Options{Together: [][]*ir.Op{named(m, "first_vector", "first_cube"), named(m, "last_vector", "last_cube")}}
	p := llvmtest.Compile(t, m, o, "0")
	for _, name := range []string{"alone", "first_vector", "last_vector"} {
		out := make([]byte, 32)
		if err := p.Run(name, 1, uint64(1), uint64(2), out); err != nil {
			t.Error(err)
		}
		if want := words(1, 1, 1, 1); !bytes.Equal(out, want) {
			t.Errorf("the tile of @%s holds %v, which it did not write", name, int64s(out))
		}
	}
}

// named returns the functions of m with the given names, in that order.
func named(m *ir.Op, names ...string) (found []*ir.Op) {
	for _, name := range names {
		for _, f := range fn.Functions(m) {
			if fn.Name(f) == name {
				found = append(found, f)
			}
		}
	}
	return found
}
