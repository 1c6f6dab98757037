package runtime

import (
	"slices"
	"strings"
	"testing"

	"ptogo/ir/num"
)

func TestPaddedLoad(t *testing.T) {
	for _, c := range []struct {
		attr string
		want []float64 // both rows
	}{
		{" left_padding_num = %two : index right_padding_num = %one : index", []float64{0, 0, 1, 2, 3, 0, 7, 7, 0, 0, 4, 5, 6, 0, 7, 7}},
		{" pad_mode = #pto.padmode<PadFirstElem> left_padding_num = %two : index", []float64{1, 1, 1, 2, 3, 7, 7, 7, 4, 4, 4, 5, 6, 7, 7, 7}},
		{" pad_mode = #pto.padmode<PadValue> pad_value = %nine : f32 left_padding_num = %one : index init_out_buffer = true", []float64{9, 1, 2, 3, 9, 9, 9, 9, 9, 4, 5, 6, 9, 9, 9, 9}},
		{" pad_value = %nine : f32 init_out_buffer = true init_condition = %no : i1", []float64{1, 2, 3, 7, 7, 7, 7, 7, 4, 5, 6, 7, 7, 7, 7, 7}},
		{" right_padding_num = %nine_i : index", nil},
	} {
		d := tileOf("d", 2, 8, "f32", "", "", slices.Repeat([]float64{7}, 16)...)
		text := tileProgram(`  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %nine = arith.constant 9.0 : f32
  %nine_i = arith.muli %three, %three : index
  %no = arith.constant false
  %v = pto.make_tensor_view %m, shape = [%two, %three], strides = [%three, %one] : !pto.tensor_view<2x3xf32>
  %p = pto.partition_view %v, offsets = [%zero, %zero], sizes = [%two, %three] : !pto.tensor_view<2x3xf32> -> !pto.partition_tensor_view<2x3xf32>
  pto.tload ins(%p : !pto.partition_tensor_view<2x3xf32>) outs(%d : T(d))`+c.attr, d)
		text = strings.Replace(text, "@k(", "@k(%m: !pto.ptr<f32>, ", 1)
		args := []Arg{ptr(numbersOf(num.F32, counted(1, 6)...)), ptr(d.buf)}
		if c.want == nil {
			if f := faultOf(t, text, args...); !strings.Contains(f.Text, "adds 0 and 9 elements of padding to a row") {
				t.Errorf("fault %q", f.Text)
			}
			continue
		}
		mustRun(t, text, args...)
		if got := valuesOf(num.F32, d.buf); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.attr, got, c.want)
		}
	}
}
