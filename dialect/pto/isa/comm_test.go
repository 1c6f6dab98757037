package isa_test

import (
	"fmt"
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
)

func TestComm(t *testing.T) {
	const (
		part, open, view  = "!pto.partition_tensor_view<4x128xf32>", "!pto.partition_tensor_view<?x128xf32>", "!pto.tensor_view<?x128xf32>"
		tile, half, loose = "!pto.tile_buf<vec, 1x128xf32>", "!pto.tile_buf<vec, 1x96xf32>", "!pto.tile_buf<vec, 1x96xf32, valid=1x?>"
		queue, signal     = "!pto.async_session", "!pto.partition_tensor_view<1xi32>"
	)
	// with makes a function whose parameters %v0, %v1, ... have the given types,
	// which op has in the place of T.
	with := func(op string, types ...string) string {
		params := make([]string, len(types))
		for i, typ := range types {
			params[i] = fmt.Sprintf("%%v%d: %s", i, typ)
		}
		op = strings.Replace(op, "T", strings.Join(types, ", "), 1)
		return "func.func @f(" + strings.Join(params, ", ") + ") {\n" + op + "\nreturn\n}"
	}
	const put, put2 = "pto.comm.tput(%v0, %v1, buf(%v2) : T)", "pto.comm.tput(%v0, %v1, buf(%v2, %v3) : T)"
	const bcast = "pto.comm.tbroadcast(%v0, recv(%v1), group(%v2, %v3) : T) {root = 1 : i32}"
	checkVerify(t, sem.A3, []verifyCase{
		{"put", with(put, part, part, tile), ""},
		{"put a part of open extent", with(put, open, open, tile), ""},
		{"put with two tiles", with(put2, part, part, tile, tile), ""},
		{"tiles of two types", with(put2, part, part, tile, half), `"ping" and "pong" must have the same type`},
		{"put a view of open extent", with(put, view, view, tile), "static except in a !pto.partition_tensor_view"},
		{"put to another shape", with(put, part, open, tile), "must have the same extents"},
		{"put nothing", with(put, "!pto.partition_tensor_view<0x128xf32>", "!pto.partition_tensor_view<0x128xf32>", tile), "must be positive"},
		{"element of the tile", with(put, part, part, "!pto.tile_buf<vec, 1x128xf16>"), "f16"},
		{"tile elsewhere", with(put, part, part, "!pto.tile_buf<mat, 1x128xf32>"), `"ping" must be a !pto.tile_buf in vec`},
		{"a chunk that is not whole", with(put, part, part, half), "in chunks of 96 columns"},
		{"chunks of open extent", with(put, part, part, loose), ""},

		{"notify", with("pto.comm.tnotify(%v0, %v1 : T) {notifyOp = #pto<notify_op set>}", signal, "i32"), ""},
		{"signal of open extent", with("pto.comm.tnotify(%v0, %v1 : T) {notifyOp = #pto<notify_op set>}", "!pto.partition_tensor_view<?xi32>", "i32"), "must be static"},
		{"signal of another type", with("pto.comm.twait(%v0, %v1 : T) {cmp = #pto<wait_cmp ge>}", part, "i32"), "must have elements of type i32"},

		{"broadcast", with(bcast, part, tile, part, part), ""},
		{"broadcast an open extent", with(bcast, open, tile, open, open), "must be static"},
		{"unequal members", with(bcast, part, tile, part, "!pto.partition_tensor_view<8x128xf32>"), "members of the group must have the same type"},
		{"members unlike src", with(bcast, part, tile, "!pto.partition_tensor_view<8x128xf32>", "!pto.partition_tensor_view<8x128xf32>"), `must have the type of "src"`},
		{"root outside", with("pto.comm.tbroadcast(%v0, recv(%v1), group(%v2, %v3) : T) {root = 2 : i32}", part, tile, part, part), "0 to 1, but is 2"},
		{"no group", with(`"pto.comm.tgather"(%v0, %v1) {root = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (T) -> ()`, part, tile), "needs a group"},
		{"gather", with("pto.comm.tgather(%v0, recv(%v1), group(%v2, %v3) : T) {root = 0 : i32}", "!pto.partition_tensor_view<8x128xf32>", tile, part, part), ""},
		{"element of acc", with("pto.comm.treduce(%v0, %v1, recv(%v2), group(%v3) : T) {reduceOp = #pto<reduce_op max>, root = 0 : i32}", part, "!pto.tile_buf<vec, 1x128xf16>", tile, part), "f16"},

		{"flat", "func.func @f(%d: !pto.partition_tensor_view<1x128xf32>, %q: " + queue + ") {\n%e = pto.comm.tput_async(%d, %d, %q : !pto.partition_tensor_view<1x128xf32>, !pto.partition_tensor_view<1x128xf32>, " + queue + ") -> !pto.async_event\nreturn\n}", ""},
		{"not flat", "func.func @f(%d: " + part + ", %q: " + queue + ") {\n%e = pto.comm.tget_async(%d, %d, %q : " + part + ", " + part + ", " + queue + ") -> !pto.async_event\nreturn\n}", "\" must be contiguous, with all extents except the last equal to 1, but it is"},
	})
}
