package passes_test

import (
	"strings"
	"testing"
)

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
