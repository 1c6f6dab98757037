package runtime

import (
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir/num"
)

// tableBody is a program with a table of 4x8 f32 in global memory besides its
// tiles.
func tableProgram(body string, vars ...tileVar) string {
	text := tileProgram(`  %four = arith.constant 4 : index
  %eight = arith.constant 8 : index
  %mv = pto.make_tensor_view %m, shape = [%four, %eight], strides = [%eight, %one] : !pto.tensor_view<4x8xf32>
  %mem = pto.partition_view %mv, offsets = [%zero, %zero], sizes = [%four, %eight] : !pto.tensor_view<4x8xf32> -> !pto.partition_tensor_view<4x8xf32>
`+body, vars...)
	return strings.Replace(text, "@k(", "@k(%m: !pto.ptr<f32>, ", 1)
}

func TestMemGather(t *testing.T) {
	table := numbersOf(num.F32, counted(0, 31)...)
	for _, c := range []struct {
		attr string
		idx  []float64
		want []float64
	}{
		{"coalesce = #pto<coalesce elem>", []float64{31, 0, 9}, []float64{31, 0, 9}},
		{"coalesce = #pto<coalesce elem>, gatherOob = #pto<gather_oob clamp>", []float64{32, -1, 9}, []float64{31, 31, 9}},
		{"coalesce = #pto<coalesce elem>, gatherOob = #pto<gather_oob wrap>", []float64{33, 64, 9}, []float64{1, 0, 9}},
		{"coalesce = #pto<coalesce elem>, gatherOob = #pto<gather_oob zero>", []float64{33, 5, -9}, []float64{0, 5, 0}},
	} {
		x, d := tileOf("x", 2, 8, "i32", "", "1x3", c.idx...), tileOf("d", 2, 8, "f32", "", "1x3", -1, -1, -1, -1)
		text := tableProgram("  pto.mgather ins(%mem, %x : !pto.partition_tensor_view<4x8xf32>, T(x)) outs(%d : T(d)) {"+c.attr+"}", x, d)
		mustRun(t, text, ptr(table), ptr(x.buf), ptr(d.buf))
		if got := valuesOf(num.F32, d.buf)[:4]; !slices.Equal(got, append(c.want, -1)) {
			t.Errorf("%s: %v, want %v", c.attr, got, c.want)
		}
	}
	x, d := tileOf("x", 1, 8, "i32", "", "1x3", 2, 4, 0), tileOf("d", 3, 8, "f32", "", "")
	body := "  pto.mgather ins(%mem, %x : !pto.partition_tensor_view<4x8xf32>, T(x)) outs(%d : T(d)) {coalesce = #pto<coalesce row>OOB}"
	mustRun(t, tableProgram(strings.Replace(body, "OOB", ", gatherOob = #pto<gather_oob zero>", 1), x, d), ptr(table), ptr(x.buf), ptr(d.buf))
	want := append(append(counted(16, 23), make([]float64, 8)...), counted(0, 7)...)
	if got := valuesOf(num.F32, d.buf); !slices.Equal(got, want) {
		t.Errorf("rows: %v, want %v", got, want)
	}
	f := faultOf(t, tableProgram(strings.Replace(body, "OOB", "", 1), x, d), ptr(table), ptr(x.buf), ptr(d.buf))
	if !strings.Contains(f.Text, "accesses element 4 of \"mem\", which has only 4 elements") {
		t.Errorf("fault %q", f.Text)
	}
}

func TestMemScatter(t *testing.T) {
	for _, c := range []struct {
		attr string
		idx  []float64
		want []float64 // the first four elements of the table, which start as 10
	}{
		{"{coalesce = #pto<coalesce elem>}", []float64{1, 2, 1}, []float64{10, 3, 2, 10}},
		{"{coalesce = #pto<coalesce elem>, scatterAtomicOp = #pto<scatter_atomic_op add>}", []float64{1, 2, 1}, []float64{10, 14, 12, 10}},
		{"{coalesce = #pto<coalesce elem>, scatterAtomicOp = #pto<scatter_atomic_op max>}", []float64{0, 1, 2}, []float64{10, 10, 10, 10}},
		{"{coalesce = #pto<coalesce elem>, scatterAtomicOp = #pto<scatter_atomic_op min>}", []float64{0, 1, 2}, []float64{1, 2, 3, 10}},
		{"{coalesce = #pto<coalesce elem>, scatterOob = #pto<scatter_oob skip>}", []float64{40, -1, 3}, []float64{10, 10, 10, 3}},
		{"{coalesce = #pto<coalesce elem>, scatterOob = #pto<scatter_oob wrap>}", []float64{32, 33, 3}, []float64{1, 2, 10, 3}},
		{"{}", []float64{0, 1, 2}, []float64{1, 2, 3, 10}}, // one index per element: by its shape
	} {
		table := numbersOf(num.F32, slices.Repeat([]float64{10}, 32)...)
		x, s := tileOf("x", 1, 8, "i32", "", "1x3", c.idx...), tileOf("s", 1, 8, "f32", "", "1x3", 1, 2, 3)
		text := tableProgram("  pto.mscatter ins(%s, %x : T(s), T(x)) outs(%mem : !pto.partition_tensor_view<4x8xf32>) "+c.attr, x, s)
		mustRun(t, text, ptr(table), ptr(x.buf), ptr(s.buf))
		if got := valuesOf(num.F32, table)[:4]; !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.attr, got, c.want)
		}
	}
	table := numbersOf(num.F32, make([]float64, 32)...)
	x, s := tileOf("x", 1, 8, "i32", "", "1x2", 3, 0), tileOf("s", 2, 8, "f32", "", "", counted(1, 16)...)
	body := "  pto.mscatter ins(%s, %x : T(s), T(x)) outs(%mem : !pto.partition_tensor_view<4x8xf32>)"
	mustRun(t, tableProgram(body, x, s), ptr(table), ptr(x.buf), ptr(s.buf))
	if got := valuesOf(num.F32, table); !slices.Equal(got[:8], counted(9, 16)) || !slices.Equal(got[24:], counted(1, 8)) {
		t.Errorf("rows: %v", got)
	}
	x.buf = numbersOf(num.I32, -1, 0, 0, 0, 0, 0, 0, 0)
	if f := faultOf(t, tableProgram(body, x, s), ptr(table), ptr(x.buf), ptr(s.buf)); !strings.Contains(f.Text, "accesses element -1") {
		t.Errorf("fault %q", f.Text)
	}
}

// A gather into mat takes its indices from global memory and puts elements into
// boxes.
func TestMemGatherIntoMat(t *testing.T) {
	for _, c := range []struct {
		mode, scratch, scratchType string
		indices                    int
		index                      func(i int) float64
		want                       func(r, c int) float64
	}{
		{"row", "", "", 16, func(i int) float64 { return float64(15 - i) }, func(r, c int) float64 { return float64(16*(15-r) + c) }},
		{"elem", ", %sp", ", !pto.partition_tensor_view<16x16xf32>", 256, func(i int) float64 { return float64(255 - i) }, func(r, c int) float64 { return float64(255 - 16*r - c) }},
	} {
		shape := map[int]string{16: "1x16", 256: "16x16"}[c.indices]
		rows := map[int]string{16: "%one", 256: "%n"}[c.indices]
		view := func(name, rows, shape, elem string) string {
			return "  %" + name + "v = pto.make_tensor_view %" + name + ", shape = [" + rows + ", %n], strides = [%n, %one] : !pto.tensor_view<" + shape + "x" + elem + ">\n" +
				"  %" + name + "p = pto.partition_view %" + name + "v, offsets = [%zero, %zero], sizes = [" + rows + ", %n] : !pto.tensor_view<" + shape + "x" + elem + "> -> !pto.partition_tensor_view<" + shape + "x" + elem + ">\n"
		}
		mat := "!pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>"
		text := "func.func @k(%m: !pto.ptr<f32>, %i: !pto.ptr<i32>, %s: !pto.ptr<f32>) attributes {pto.kernel} {\n" +
			"  %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n  %n = arith.constant 16 : index\n  %at = arith.constant 0 : i64\n" +
			view("m", "%n", "16x16", "f32") + view("i", rows, shape, "i32") + view("s", "%n", "16x16", "f32") +
			"  %t = pto.alloc_tile addr = %at : " + mat + "\n" +
			"  pto.mgather ins(%mp, %ip" + c.scratch + " : !pto.partition_tensor_view<16x16xf32>, !pto.partition_tensor_view<" + shape + "xi32>" + c.scratchType + ") outs(%t : " + mat + ") {coalesce = #pto<coalesce " + c.mode + ">}\n  return\n}"
		var indices []float64
		for i := range c.indices {
			indices = append(indices, c.index(i))
		}
		l1 := runForMemory(t, text, sem.L1, numbersOf(num.F32, counted(0, 255)...), numbersOf(num.I32, indices...), numbersOf(num.F32, make([]float64, 256)...))
		got := valuesOf(num.F32, &Buffer{Data: l1[:1024]})
		for r := range 16 {
			for col := range 16 {
				if x := got[col/8*128+r*8+col%8]; x != c.want(r, col) {
					t.Fatalf("%s: [%d,%d] is %v, want %v", c.mode, r, col, x, c.want(r, col))
				}
			}
		}
	}
}
