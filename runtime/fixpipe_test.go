package runtime

import (
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// TestFixpipeRows compares what leaves the accumulator row by row with what
// leaves it element by element.
func TestFixpipeRows(t *testing.T) {
	xs := operandRows(scalar.Copy, num.F32)[0]
	a := packed(num.F32, xs)
	for _, to := range []num.Format{num.F32, num.F16, num.BF16} {
		for i := range 4 {
			c := storeConversion{from: num.F32, to: to, sat: i&1 != 0, keepNaN: i&2 != 0}
			d := packed(to, make([]uint64, len(xs)))
			c.rowsOf()(&c)(d, a)
			for k, x := range xs {
				if got, want := num.Load(to, d[k*to.Bytes():]), c.tileElement(x, 0); got != want {
					t.Fatalf("%#x to %s, saturated %t, NaN kept %t: %#x, want %#x", x, to, c.sat, c.keepNaN, got, want)
				}
			}
		}
	}
	for _, c := range []storeConversion{
		{from: num.F32, to: num.F16, relu: sem.NormalRelu}, {from: num.F32, to: num.F16, clips: true}, {from: num.S32, to: num.F16},
	} {
		if c.rowsOf()(&c) != nil {
			t.Errorf("%+v converts rows", c)
		}
	}
}

// TestConvertWindow rounds a window in boxes on its way to rows.
func TestConvertWindow(t *testing.T) {
	from := &layout{f: num.F32, size: 4, rows: 32, cols: 32, byCols: true, boxed: true, boxRows: 16, boxCols: 16}
	to := &layout{f: num.F16, size: 2, rows: 32, cols: 32}
	s, d := &tile{data: squares(1024), pitch: from.pitch()}, &tile{data: packed(num.F16, make([]uint64, 1024)), pitch: 32}
	convert := converter(num.F32, num.F16, num.NearestEven, false)
	if !new(core).convertWindow(corner{to, d, 3, 5}, corner{from, s, 16, 0}, 11, 20, convert) {
		t.Fatal("does nothing")
	}
	for r := range 32 {
		for c := range 32 {
			want := uint64(0)
			if r, c := r-3, c-5; 0 <= r && r < 11 && 0 <= c && c < 20 {
				want = num.Convert(num.F32, num.F16, from.get(s, 16+r, c), num.NearestEven, false)
			}
			if got := to.get(d, r, c); got != want {
				t.Fatalf("element %d, %d is %#x, want %#x", r, c, got, want)
			}
		}
	}
}
