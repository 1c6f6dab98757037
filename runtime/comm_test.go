package runtime

import (
	"slices"
	"testing"
)

// commKernel runs body on views of three pieces of %x: %a and %b of 4 elements
// and %ab, which is both.
func commKernel(body string) string {
	return `
func.func @k(%x: !pto.ptr<i32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %five = arith.constant 5 : i32
  %p = pto.addptr %x, %c4 : !pto.ptr<i32> -> !pto.ptr<i32>
  %a = pto.make_tensor_view %x, shape = [%c1, %c4], strides = [%c4, %c1] : !pto.tensor_view<1x4xi32>
  %b = pto.make_tensor_view %p, shape = [%c1, %c4], strides = [%c4, %c1] : !pto.tensor_view<1x4xi32>
  %ab = pto.make_tensor_view %x, shape = [%c2, %c4], strides = [%c4, %c1] : !pto.tensor_view<2x4xi32>
  %p2 = pto.addptr %p, %c4 : !pto.ptr<i32> -> !pto.ptr<i32>
  %c = pto.make_tensor_view %p2, shape = [%c1, %c4], strides = [%c4, %c1] : !pto.tensor_view<1x4xi32>
  %cd = pto.make_tensor_view %p2, shape = [%c2, %c4], strides = [%c4, %c1] : !pto.tensor_view<2x4xi32>
  %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xi32>
` + body + `
  return
}`
}

// TestComm runs communication where all ranks are one.
func TestComm(t *testing.T) {
	const one, two, tile = "!pto.tensor_view<1x4xi32>", "!pto.tensor_view<2x4xi32>", "!pto.tile_buf<vec, 1x8xi32>"
	for _, c := range []struct {
		name, body string
		want       []int32
	}{
		{"a copy", "pto.comm.tput(%c, %a, buf(%t) : " + one + ", " + one + ", " + tile + ")",
			[]int32{0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15}},
		{"a copy that adds", "pto.comm.tput(%c, %a, buf(%t) : " + one + ", " + one + ", " + tile + ") {atomicType = #pto<atomic_type atomic_add>}",
			[]int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 12, 13, 14, 15}},
		{"a broadcast", "pto.comm.tbroadcast(%a, recv(%t), group(%b, %c) : " + one + ", " + tile + ", " + one + ", " + one + ") {root = 0 : i32}",
			[]int32{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 12, 13, 14, 15}},
		{"a gathering", "pto.comm.tgather(%cd, recv(%t), group(%b, %a) : " + two + ", " + tile + ", " + one + ", " + one + ") {root = 0 : i32}",
			[]int32{0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 0, 1, 2, 3}},
		{"a scattering", "pto.comm.tscatter(%cd, recv(%t), group(%b, %a) : " + two + ", " + tile + ", " + one + ", " + one + ") {root = 0 : i32}",
			[]int32{12, 13, 14, 15, 8, 9, 10, 11, 8, 9, 10, 11, 12, 13, 14, 15}},
		{"a reduction", "pto.comm.treduce(%c, %t, recv(%t), group(%a, %b) : " + one + ", " + tile + ", " + tile + ", " + one + ", " + one + ") {reduceOp = #pto<reduce_op sum>, root = 0 : i32}",
			[]int32{0, 1, 2, 3, 4, 5, 6, 7, 4, 6, 8, 10, 12, 13, 14, 15}},
		{"a signal that is there", "pto.comm.tnotify(%a, %five : " + one + ", i32) {notifyOp = #pto<notify_op set>}\n" +
			"pto.comm.twait(%a, %five : " + one + ", i32) {cmp = #pto<wait_cmp ge>}",
			[]int32{5, 5, 5, 5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
	} {
		t.Run(c.name, func(t *testing.T) {
			buf := words(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
			mustRun(t, commKernel(c.body), ptr(buf))
			if got := as[int32](buf.Data); !slices.Equal(got, c.want) {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}
