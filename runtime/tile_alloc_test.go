package runtime

import (
	"strings"
	"testing"

	"ptogo/ir/num"
)

// Slots lie one after the other from the address of the first on.
func TestTileSlot(t *testing.T) {
	d := tileOf("d", 3, 8, "f32", "", "")
	body := `  %k = arith.constant INDEX : index
  %m = pto.alloc_multi_tile addr = %d_at : !pto.multi_tile_buf<vec, 1x8xf32, count=3>
  %s = pto.multi_tile_get %m[%k] : !pto.multi_tile_buf<vec, 1x8xf32, count=3> -> !pto.tile_buf<vec, 1x8xf32>
  %x = arith.constant 5.0 : f32
  pto.texpands ins(%x : f32) outs(%s : !pto.tile_buf<vec, 1x8xf32>)`
	runTiles(t, strings.Replace(body, "INDEX", "2", 1), d)
	if got := valuesOf(num.F32, d.buf); got[15] != 0 || got[16] != 5 || got[23] != 5 {
		t.Errorf("got %v", got)
	}
	late := strings.Replace(body, "arith.constant INDEX", "arith.addi %two, %one", 1)
	faultOfTiles(t, "selects slot 3, but the number of slots is 3", "  %two = arith.constant 2 : index\n"+late, d)
}

// A row of a boxed tile is one small box; the accumulator has whole boxes. Those
// of the valid region follow each other in L0.
func TestSmallBoxes(t *testing.T) {
	for _, c := range []struct {
		typ   string
		bytes int
		at    int // where column 20 starts
	}{
		{"!pto.tile_buf<left, 1x64xf16, blayout=col_major, slayout=row_major>", 128, 40},
		{"!pto.tile_buf<vec, 1x64xui8, slayout=row_major>", 64, 20},
		{"!pto.tile_buf<acc, 1x64xf32, blayout=col_major, slayout=row_major, fractal=1024>", 16 * 64 * 4, 16*16*4 + 16},
		{"!pto.tile_buf<left, 32x64xf16, blayout=col_major, slayout=row_major>", 32 * 64 * 2, 32*16*2 + 8},
		{"!pto.tile_buf<left, 32x64xf16, valid=9x64, blayout=col_major, slayout=row_major>", 32 * 64 * 2, 16*16*2 + 8},
		{"!pto.tile_buf<mat, 32x64xf16, valid=9x64, blayout=col_major, slayout=row_major>", 32 * 64 * 2, 32*16*2 + 8},
		{"!pto.tile_buf<vec, 8x32xf16, compact=2>", (8*32 + 7) * 2, 40},
		{"!pto.tile_buf<vec, 16x32xf32, blayout=col_major, compact=2>", (16*32 + 31) * 4, 20 * 17 * 4},
		{"!pto.tile_buf<vec, 16x32xf32, blayout=col_major, slayout=row_major, compact=2>", (16*32 + 3*8) * 4, (2*17*8 + 4) * 4},
	} {
		rows := ""
		if strings.Contains(c.typ, "valid=?") {
			rows = "valid_row = %n "
		}
		m := parseModule(t, "func.func @k(%n: index) attributes {pto.kernel} {\n  %t = pto.alloc_tile "+rows+": "+c.typ+"\n  return\n}")
		for op := range m.Walk() {
			if op.NumResults() == 0 {
				continue
			}
			l := valueTypeOf(op.Result(0).Type()).layout
			tile := &tile{pitch: l.pitch()}
			if l.bytes() != c.bytes || l.offset(tile, 0, 20) != c.at {
				t.Errorf("%s: %d bytes, column 20 at %d, want %d and %d", c.typ, l.bytes(), l.offset(tile, 0, 20), c.bytes, c.at)
			}
		}
	}
}

func TestReorderExponents(t *testing.T) {
	s, w, d := tileOf("s", 4, 32, "ui8", "", ""), tileOf("w", 1, 96, "ui8", "", "1x4"), tileOf("d", 1, 128, "ui8", "slayout=row_major", "")
	for i := range s.buf.Data {
		s.buf.Data[i] = byte(i)
	}
	program := func(attr string) string {
		// The boxed tile is stored through another type of the same storage.
		text := tileProgram("  %z = pto.alloc_tile addr = %o_at : T(d)\n  pto.tmov ins(%s : T(s), %w : T(w)) outs(%z : T(d)) "+attr, s, w, tileVar{"o", 1, 128, "ui8", "", "", d.buf})
		return strings.ReplaceAll(text, "T(d)", d.of(false))
	}
	mustRun(t, program("{grpAxis = #pto<mx_group_axis axis0>}"), ptr(s.buf), ptr(w.buf), ptr(d.buf))
	for at, x := range d.buf.Data {
		block, pair, col, turn := at/64, at/32%2, at/2%16, at%2
		if want := byte((2*pair+turn)*32 + 16*block + col); x != want {
			t.Fatalf("byte %d is %d, want %d", at, x, want)
		}
	}
}

// A row of small boxes is stored as one row, whatever the shape of the view.
func TestStoreRowOfBoxes(t *testing.T) {
	out := words(make([]int32, 32)...)
	mustRun(t, `func.func @k(%out: !pto.ptr<i32>) attributes {pto.kernel} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = arith.constant 16 : index
  %at = arith.constant 0 : i64
  %s = arith.constant 5 : i32
  %v = pto.make_tensor_view %out, shape = [%n, %two], strides = [%two, %one] : !pto.tensor_view<16x2xi32>
  %p = pto.partition_view %v, offsets = [%zero, %zero], sizes = [%n, %two] : !pto.tensor_view<16x2xi32> -> !pto.partition_tensor_view<16x2xi32>
  %a = pto.alloc_tile addr = %at : !pto.tile_buf<vec, 1x32xi32>
  %b = pto.alloc_tile addr = %at : !pto.tile_buf<vec, 1x32xi32, slayout=row_major>
  pto.tci ins(%s : i32) outs(%a : !pto.tile_buf<vec, 1x32xi32>)
  pto.tstore ins(%b : !pto.tile_buf<vec, 1x32xi32, slayout=row_major>) outs(%p : !pto.partition_tensor_view<16x2xi32>)
  return
}`, ptr(out))
	for i := range 32 {
		if wordAt(out, i) != int32(5+i) {
			t.Fatalf("element %d is %d", i, wordAt(out, i))
		}
	}
}

// A gap between lines changes where elements lie, and nothing else.
func TestRowPlusOne(t *testing.T) {
	d := tileOf("d", 4, 8, "f32", "", "", counted(0, 31)...)
	e := tileOf("e", 4, 8, "f32", "", "")
	gap := "!pto.tile_buf<vec, 4x8xf32, compact=2>"
	runTiles(t, "  %at = arith.constant 1024 : i64\n  %g = pto.alloc_tile addr = %at : "+gap+
		"\n  %x = arith.constant 1.0 : f32\n  pto.tadds ins(%d, %x : T(d), f32) outs(%g : "+gap+")\n  pto.tadds ins(%g, %x : "+gap+", f32) outs(%e : T(e))", d, e)
	if got := valuesOf(num.F32, e.buf); got[0] != 2 || got[8] != 10 || got[31] != 33 {
		t.Errorf("got %v", got)
	}
}
