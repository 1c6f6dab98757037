package runtime

import (
	"slices"
	"testing"

	"ptogo/ir/num"
)

func TestTileIndex(t *testing.T) {
	for _, c := range []struct {
		elem, attr string
		start      string
		want       []float64
	}{
		{"i32", "", "5", []float64{5, 6, 7, 8, 9, 10, 0, 0}},
		{"i16", " {descending = true}", "2", []float64{2, 1, 0, -1, -2, -3, 0, 0}},
	} {
		d := tileOf("d", 1, 64, c.elem, "", "1x6")
		runTiles(t, "  %s = arith.constant "+c.start+" : "+c.elem+"\n  pto.tci ins(%s : "+c.elem+") outs(%d : T(d))"+c.attr, d)
		f, _ := num.ParseFormat(c.elem)
		if got := valuesOf(f, d.buf)[:8]; !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.elem, got, c.want)
		}
	}
}

func TestTileTri(t *testing.T) {
	for _, c := range []struct {
		diagonal, upper string
		want            func(i, j int) bool
	}{
		{"0", "0", func(i, j int) bool { return j <= i }},
		{"1", "0", func(i, j int) bool { return j <= i+1 }},
		{"-2", "1", func(i, j int) bool { return j >= i-2 }},
		{"2", "1", func(i, j int) bool { return j >= i+2 }},
	} {
		d := tileOf("d", 4, 16, "f16", "", "3x5", slices.Repeat([]float64{7}, 64)...)
		runTiles(t, "  %k = arith.constant "+c.diagonal+" : i32\n  pto.ttri ins(%k {upperOrLower = "+c.upper+" : i32} : i32) outs(%d : T(d))", d)
		for at, x := range valuesOf(num.F16, d.buf) {
			i, j, want := at/16, at%16, 0.0
			switch {
			case i >= 3 || j >= 5:
				want = 7 // outside of the valid region
			case c.want(i, j):
				want = 1
			}
			if x != want {
				t.Errorf("diagonal %s of %s: [%d,%d] is %v, want %v", c.diagonal, c.upper, i, j, x, want)
			}
		}
	}
}

// The numbers for the counter and key 0 are those that the authors of Philox
// publish with it.
func TestPhilox(t *testing.T) {
	ones := uint32(0xffffffff)
	for _, c := range []struct {
		counter [4]uint32
		k0, k1  uint32
		rounds  int
		want    [4]uint32
	}{
		{[4]uint32{}, 0, 0, 10, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{[4]uint32{ones, ones, ones, ones}, ones, ones, 10, [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0, 10, [4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		if got := philox(c.counter, c.k0, c.k1, c.rounds); got != c.want {
			t.Errorf("philox(%x) = %x, want %x", c.counter, got, c.want)
		}
	}
}

func TestAdvance(t *testing.T) {
	ones := uint32(0xffffffff)
	if got := advance([4]uint32{ones, ones, ones, 6}, 2); got != [4]uint32{1, 0, 0, 7} {
		t.Errorf("the carry goes to %x", got)
	}
}

func TestTileRandom(t *testing.T) {
	const cols = 304 // a whole turn of 64 counters, and 12 of the next
	d := tileOf("d", 2, cols, "i32", "", "")
	runTiles(t, "  %c0 = arith.constant -1 : i32\n  %c1 = arith.constant 1 : i32\n"+
		"  pto.trandom ins(%c1, %c1, %c0, %c1, %c1, %c1 : i32, i32, i32, i32, i32, i32) outs(%d : T(d)) {rounds = 7 : i32}", d)
	counter := [4]uint32{0xffffffff, 1, 1, 1}
	for r := range 2 {
		for c := range cols {
			from := advance(counter, uint32(c/4)) // counters follow each other within a row
			if got, want := uint32(wordAt(d.buf, r*cols+c)), philox(from, 1, 1, 7)[c%4]; got != want {
				t.Fatalf("[%d,%d] is %x, want %x", r, c, got, want)
			}
		}
		counter = advance(counter, 64+(cols-1)%64+1)
	}
}

func TestTileElement(t *testing.T) {
	d := tileOf("d", 2, 8, "f32", "", "", counted(0, 15)...)
	runTiles(t, `  %i = arith.constant 11 : index
  %j = arith.constant 2 : index
  %x = pto.tgetval ins(%d, %i : T(d), index) outs : f32
  pto.tsetval ins(%j, %x : index, f32) outs(%d : T(d))`, d)
	if got := valuesOf(num.F32, d.buf)[:4]; !slices.Equal(got, []float64{0, 1, 11, 3}) {
		t.Errorf("got %v", got)
	}
	for _, body := range []string{
		"%x = pto.tgetval ins(%d, %i : T(d), index) outs : f32",
		"%x = arith.constant 1.0 : f32\n  pto.tsetval ins(%i, %x : index, f32) outs(%d : T(d))",
	} {
		for _, i := range []string{"16", "-1"} {
			faultOfTiles(t, "accesses element "+i, "  %k = arith.constant "+i+" : i32\n  %i = arith.index_cast %k : i32 to index\n  "+body, d)
		}
	}
}

// A pair of numbers is one element, and goes whole.
func TestTileElementPair(t *testing.T) {
	d := tileOf("d", 1, 32, "!pto.f4E2M1x2", "", "")
	d.buf.Data[3] = 0x6b
	runTiles(t, `  %i = arith.constant 3 : index
  %j = arith.constant 2 : index
  %x = pto.tgetval ins(%d, %i : T(d), index) outs : !pto.f4E2M1x2
  pto.tsetval ins(%j, %x : index, !pto.f4E2M1x2) outs(%d : T(d))`, d)
	if d.buf.Data[2] != 0x6b {
		t.Errorf("the pair is %#x", d.buf.Data[2])
	}
}
