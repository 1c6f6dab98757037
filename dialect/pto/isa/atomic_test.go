package isa_test

import (
	"testing"

	isasimt "ptogo/dialect/pto/isa/simt"
	"ptogo/tools/mlirtest"
)

func TestCombining(t *testing.T) {
	const store = `!part = !pto.partition_tensor_view<1x64xf32>
!tile = !pto.tile_buf<vec, 1x64xf32>
func.func @f(%t: !tile, %p: !part) {
  pto.tstore ins(%t : !tile) outs(%p : !part)`
	for _, c := range []struct {
		text string
		want bool
	}{
		{store + "\n  return\n}", false},
		{store + " {atomicType = #pto<atomic_type atomic_none>}\n  return\n}", false},
		{store + " {atomicType = #pto<atomic_type atomic_add>}\n  return\n}", true},
		{"func.func @f() {\n  pto.set_atomic_add\n  return\n}", true},
		{"module attributes {pto.target_arch = \"a5\"} {\nfunc.func @f(%p: !pto.ptr<i32>, %x: i32) attributes {pto.simt_entry} {\n" +
			"  %r = pto.atomic_exch %p, %x : !pto.ptr<i32>, i32 -> i32\n  return\n}\n}", true},
	} {
		if got := isasimt.Combining(mlirtest.Parse(t, "in", c.text)); got != c.want {
			t.Errorf("%v, want %v, of\n%s", got, c.want, c.text)
		}
	}
}
