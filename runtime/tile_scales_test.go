package runtime

import (
	"fmt"
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
)

// Exponents stand in memory in boxes of 16 rows and 2 columns (left), or of 2
// rows and 16 columns (right), each stored along its short side. The tile has
// the same order, so a load keeps it, whichever way the view names the boxes.
func TestLoadScales(t *testing.T) {
	left := "!pto.tile_buf<mat, 32x4x!pto.f8E8M0, slayout=row_major, fractal=32>"
	right := "!pto.tile_buf<mat, 4x32x!pto.f8E8M0, valid=4x20, blayout=col_major, slayout=col_major, fractal=32>"
	for _, c := range []struct {
		name, tile     string
		sizes, strides []int
		order          []int // which box of memory each box of the tile is
	}{
		{"left", left, []int{32, 4}, []int{4, 1}, []int{0, 1, 2, 3}},
		{"left, named", left, []int{1, 2, 2, 16, 2}, []int{0, 32, 64, 2, 1}, []int{0, 2, 1, 3}},
		{"left, half", left, []int{16, 4}, []int{4, 1}, []int{0, 1}},
		{"right", right, []int{4, 20}, []int{20, 1}, []int{0, 1, 2, 3}},
		{"right, named", right, []int{1, 2, 2, 16, 2}, []int{0, 64, 32, 2, 1}, []int{0, 1, 2, 3}},
	} {
		part := strings.Trim(strings.ReplaceAll(fmt.Sprint(c.sizes), " ", "x"), "[]") + "x!pto.f8E8M0"
		consts := map[int]string{}
		var head strings.Builder
		name := func(n int) string {
			if consts[n] == "" {
				consts[n] = fmt.Sprintf("%%c%d", n)
				fmt.Fprintf(&head, "  %%c%d = arith.constant %d : index\n", n, n)
			}
			return consts[n]
		}
		list := func(ns []int) string {
			var s []string
			for _, n := range ns {
				s = append(s, name(n))
			}
			return strings.Join(s, ", ")
		}
		zeros := list(make([]int, len(c.sizes)))
		sizes, strides := list(c.sizes), list(c.strides)
		text := "func.func @k(%in: !pto.ptr<!pto.f8E8M0>, %out: !pto.ptr<i8>) attributes {pto.kernel} {\n" + head.String() +
			"  %at = arith.constant 0 : i64\n" +
			"  %v = pto.make_tensor_view %in, shape = [" + sizes + "], strides = [" + strides + "] : !pto.tensor_view<" + part + ">\n" +
			"  %p = pto.partition_view %v, offsets = [" + zeros + "], sizes = [" + sizes + "] : !pto.tensor_view<" + part + "> -> !pto.partition_tensor_view<" + part + ">\n" +
			"  %t = pto.alloc_tile addr = %at : " + c.tile + "\n" +
			"  pto.tload ins(%p : !pto.partition_tensor_view<" + part + ">) outs(%t : " + c.tile + ")\n  return\n}"
		m := &Buffer{Data: make([]byte, 128)}
		for i := range m.Data {
			m.Data[i] = byte(i)
		}
		got := runForMemory(t, text, sem.L1, m, m)
		for i, box := range c.order {
			if got[32*i] != byte(32*box) || got[32*i+31] != byte(32*box+31) {
				t.Errorf("%s: box %d starts with %d, want box %d", c.name, i, got[32*i], box)
			}
		}
	}
}

// Scales of 18 rows in two pairs, 36 elements apart: a load copies the two rows of the second
// box of each pair, and not the scales that follow them.
func TestLoadIncompleteScales(t *testing.T) {
	const part = "1x2x2x16x2x!pto.f8E8M0"
	const tile = "!pto.tile_buf<mat, 32x4x!pto.f8E8M0, valid=18x4, slayout=row_major, fractal=32>"
	text := `func.func @k(%in: !pto.ptr<!pto.f8E8M0>, %out: !pto.ptr<i8>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c36 = arith.constant 36 : index
  %at = arith.constant 0 : i64
  %v = pto.make_tensor_view %in, shape = [%c1, %c2, %c2, %c16, %c2], strides = [%c0, %c32, %c36, %c2, %c1] : !pto.tensor_view<` + part + `>
  %p = pto.partition_view %v, offsets = [%c0, %c0, %c0, %c0, %c0], sizes = [%c1, %c2, %c2, %c16, %c2] : !pto.tensor_view<` + part + `> -> !pto.partition_tensor_view<` + part + `>
  %t = pto.alloc_tile addr = %at : ` + tile + `
  pto.tload ins(%p : !pto.partition_tensor_view<` + part + `>) outs(%t : ` + tile + `)
  return
}`
	m := &Buffer{Data: make([]byte, 72)}
	for i := range m.Data {
		m.Data[i] = byte(i + 1)
	}
	got := runForMemory(t, text, sem.L1, m, m)
	for _, w := range []struct{ at, want int }{{0, 1}, {31, 32}, {32, 37}, {64, 33}, {67, 36}, {68, 0}, {96, 69}, {99, 72}, {100, 0}} {
		if got[w.at] != byte(w.want) {
			t.Errorf("byte %d is %d, want %d", w.at, got[w.at], w.want)
		}
	}
}
