package passes_test

import (
	"strings"
	"testing"
)

func TestCSE(t *testing.T) {
	check(t, "builtin.module(func.func(cse))", []transform{
		{"equal operations, operands in either order", `func.func @f(%x: i32, %y: i32) -> (i32, i32, i32) {
  %a = arith.addi %x, %y : i32
  %b = arith.addi %y, %x : i32
  %c = arith.subi %x, %y : i32
  %d = arith.subi %y, %x : i32
  %e = arith.muli %a, %b : i32
  return %e, %c, %d : i32, i32, i32
}`, `func.func @f(%x: i32, %y: i32) -> (i32, i32, i32) {
  %a = arith.addi %x, %y : i32
  %c = arith.subi %x, %y : i32
  %d = arith.subi %y, %x : i32
  %e = arith.muli %a, %a : i32
  return %e, %c, %d : i32, i32, i32
}`},
		{"attributes and types count", `func.func @f(%x: i32, %y: i32) -> (i1, i1, i64, i16) {
  %a = arith.cmpi slt, %x, %y : i32
  %b = arith.cmpi sgt, %x, %y : i32
  %c = arith.extsi %x : i32 to i64
  %d = arith.trunci %x : i32 to i16
  return %a, %b, %c, %d : i1, i1, i64, i16
}`, `func.func @f(%x: i32, %y: i32) -> (i1, i1, i64, i16) {
  %a = arith.cmpi slt, %x, %y : i32
  %b = arith.cmpi sgt, %x, %y : i32
  %c = arith.extsi %x : i32 to i64
  %d = arith.trunci %x : i32 to i16
  return %a, %b, %c, %d : i1, i1, i64, i16
}`},
		{"a block sees its dominator, not its sibling", `func.func @f(%x: i32, %c: i1) -> i32 {
  %a = arith.addi %x, %x : i32
  cf.cond_br %c, ^l, ^r
^l:
  %b = arith.addi %x, %x : i32
  %d = arith.muli %b, %x : i32
  cf.br ^e(%d : i32)
^r:
  %g = arith.muli %a, %x : i32
  cf.br ^e(%g : i32)
^e(%h: i32):
  return %h : i32
}`, `func.func @f(%x: i32, %c: i1) -> i32 {
  %a = arith.addi %x, %x : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %d = arith.muli %a, %x : i32
  cf.br ^bb3(%d : i32)
^bb2:
  %g = arith.muli %a, %x : i32
  cf.br ^bb3(%g : i32)
^bb3(%h: i32):
  return %h : i32
}`},
		{"inside a region from outside, not the other way", `func.func private @g(i32)
func.func @f(%x: i32, %c: i1) -> i32 {
  %a = arith.addi %x, %x : i32
  scf.if %c {
    %b = arith.addi %x, %x : i32
    %d = arith.muli %b, %x : i32
    call @g(%d) : (i32) -> ()
  }
  %e = arith.muli %a, %x : i32
  return %e : i32
}`, `func.func private @g(i32)
func.func @f(%x: i32, %c: i1) -> i32 {
  %a = arith.addi %x, %x : i32
  scf.if %c {
    %d = arith.muli %a, %x : i32
    call @g(%d) : (i32) -> ()
  }
  %e = arith.muli %a, %x : i32
  return %e : i32
}`},
		{"tile instructions at level 1, loads up to the next store", `func.func @f(%p: !pto.partition_tensor_view<16x64xf32>, %s: f32) {
  %0 = pto.tload %p : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>
  %1 = pto.tload %p : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>
  %2 = pto.tadds %0, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  %3 = pto.tadds %1, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  pto.tstore %2, %p : (!pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>) -> ()
  pto.tstore %3, %p : (!pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>) -> ()
  %4 = pto.tload %p : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>
  pto.tstore %4, %p : (!pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>) -> ()
  return
}`, `func.func @f(%p: !pto.partition_tensor_view<16x64xf32>, %s: f32) {
  %0 = pto.tload %p : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>
  %2 = pto.tadds %0, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  pto.tstore %2, %p : (!pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>) -> ()
  pto.tstore %2, %p : (!pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>) -> ()
  %4 = pto.tload %p : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>
  pto.tstore %4, %p : (!pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>) -> ()
  return
}`},
		{"buffers stay apart, unused ones go", `func.func @f(%s: f32) {
  %0 = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  %1 = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  %2 = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  pto.tadds ins(%0, %s : !pto.tile_buf<vec, 16x64xf32>, f32) outs(%1 : !pto.tile_buf<vec, 16x64xf32>)
  return
}`, `func.func @f(%s: f32) {
  %0 = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  %1 = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  pto.tadds ins(%0, %s : !pto.tile_buf<vec, 16x64xf32>, f32) outs(%1 : !pto.tile_buf<vec, 16x64xf32>)
  return
}`},
	})
}

func TestCSEState(t *testing.T) {
	const acc, left, right = "!pto.tile<16x16xf32, loc=acc, blayout=col_major, slayout=row_major>", "!pto.tile<16x16xf16, loc=left, blayout=col_major, slayout=row_major>", "!pto.tile<16x16xf16, loc=right, slayout=col_major>"
	text := func(s string) string {
		return strings.NewReplacer("ACC", acc, "LEFT", left, "RIGHT", right).Replace(s)
	}
	check(t, "builtin.module(cse)", []transform{
		{"a valid region is what was set last", `func.func @f(%b: !pto.tile_buf<vec, 16x64xf32, valid=?x?>, %i: index) -> (index, index, index) {
  %x = pto.tile_valid_rows %b : !pto.tile_buf<vec, 16x64xf32, valid=?x?> -> index
  %y = pto.tile_valid_rows %b : !pto.tile_buf<vec, 16x64xf32, valid=?x?> -> index
  pto.set_validshape %b, %i, %i : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
  %z = pto.tile_valid_rows %b : !pto.tile_buf<vec, 16x64xf32, valid=?x?> -> index
  return %x, %y, %z : index, index, index
}`, `func.func @f(%b: !pto.tile_buf<vec, 16x64xf32, valid=?x?>, %i: index) -> (index, index, index) {
  %x = pto.tile_valid_rows %b : !pto.tile_buf<vec, 16x64xf32, valid=?x?> -> index
  pto.set_validshape %b, %i, %i : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
  %z = pto.tile_valid_rows %b : !pto.tile_buf<vec, 16x64xf32, valid=?x?> -> index
  return %x, %x, %z : index, index, index
}`},
		{"a product depends on the mode of the core", text(`func.func @f(%l: LEFT, %r: RIGHT) -> (ACC, ACC, ACC) {
  %a = pto.tmatmul %l, %r : (LEFT, RIGHT) -> ACC
  %b = pto.tmatmul %l, %r : (LEFT, RIGHT) -> ACC
  pto.sethf32mode {enable = true}
  %c = pto.tmatmul %l, %r : (LEFT, RIGHT) -> ACC
  return %a, %b, %c : ACC, ACC, ACC
}`), text(`func.func @f(%l: LEFT, %r: RIGHT) -> (ACC, ACC, ACC) {
  %a = pto.tmatmul %l, %r : (LEFT, RIGHT) -> ACC
  pto.sethf32mode {enable = true}
  %c = pto.tmatmul %l, %r : (LEFT, RIGHT) -> ACC
  return %a, %a, %c : ACC, ACC, ACC
}`)},
	})
}
