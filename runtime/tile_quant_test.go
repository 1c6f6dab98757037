package runtime

import (
	"math"
	"slices"
	"testing"

	"ptogo/ir/num"
)

func TestTileQuant(t *testing.T) {
	xs := []float64{2.5, 3.5, -0.5, 300, -300, math.NaN(), math.Inf(1), 0.25}
	for _, c := range []struct {
		kind, elem string
		want       []float64
	}{
		{"INT8_SYM", "i8", []float64{5, 7, -1, 127, -128, 0, 127, 0}},
		{"INT8_ASYM", "ui8", []float64{16, 18, 10, 255, 0, 0, 255, 11}},
	} {
		s := tileOf("s", 2, 32, "f32", "", "1x8", xs...)
		p, o := tileOf("p", 8, 1, "f32", "blayout=col_major", "1x1", 2), tileOf("o", 8, 1, "f32", "blayout=col_major", "1x1", 10.5)
		d := tileOf("d", 2, 32, c.elem, "", "1x8")
		ins := "%s, %p : T(s), T(p)"
		if c.kind == "INT8_ASYM" {
			ins = "%s, %p, %o : T(s), T(p), T(o)"
		}
		runTiles(t, "  pto.tquant ins("+ins+") outs(%d : T(d)) {quant_type = #pto<quant_type "+c.kind+">}", s, p, o, d)
		f, _ := num.ParseFormat(c.elem)
		if got := valuesOf(f, d.buf)[:8]; !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.kind, got, c.want)
		}
	}
}

func TestTileDequant(t *testing.T) {
	s := tileOf("s", 2, 32, "i8", "", "2x4", -128, 127, 0, 1)
	p, o := tileOf("p", 8, 1, "f32", "blayout=col_major", "2x1", 0.5, 3), tileOf("o", 8, 1, "f32", "blayout=col_major", "2x1", 1, -2)
	d := tileOf("d", 2, 32, "f32", "", "2x4")
	runTiles(t, "  pto.tdequant ins(%s, %p, %o : T(s), T(p), T(o)) outs(%d : T(d))", s, p, o, d)
	got := valuesOf(num.F32, d.buf)
	if !slices.Equal(got[:5], []float64{-64.5, 63, -0.5, 0, 0}) || got[32] != 6 {
		t.Errorf("got %v", got)
	}

	// Of two columns of parameters, the first serves the whole row.
	p, o = tileOf("p", 2, 8, "f32", "", "2x2", 0.5, 2), tileOf("o", 2, 8, "f32", "", "2x2", 1, -1)
	runTiles(t, "  pto.tdequant ins(%s, %p, %o : T(s), T(p), T(o)) outs(%d : T(d))", s, p, o, d)
	if got := valuesOf(num.F32, d.buf); !slices.Equal(got[:4], []float64{-64.5, 63, -0.5, 0}) {
		t.Errorf("with two columns: %v", got)
	}
}

func TestTileAddReluConvert(t *testing.T) {
	for _, c := range []struct {
		from, to   string
		a, b, want []float64
	}{
		{"f32", "f16", []float64{1, -3, 65000, math.Inf(-1)}, []float64{2, 1, 65000, 0}, []float64{3, 0, 65504, 0}},
		{"f16", "i8", []float64{1.5, -3, 100, 0.5}, []float64{1, 1, 100, 0}, []float64{2, 0, 127, 0}},
		{"i16", "i8", []float64{1, -3, 32767, 100}, []float64{2, 1, 32767, -1}, []float64{3, 0, 0, 99}}, // A5 adds in i16
	} {
		a, b := tileOf("a", 1, 32, c.from, "", "1x4", c.a...), tileOf("b", 1, 32, c.from, "", "1x4", c.b...)
		d := tileOf("d", 1, 32, c.to, "", "1x4")
		runTiles(t, "  pto.taddreluconv ins(%a, %b : T(a), T(b)) outs(%d : T(d))", a, b, d)
		f, _ := num.ParseFormat(c.to)
		if got := valuesOf(f, d.buf)[:4]; !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.from, got, c.want)
		}
	}
	i8, _ := num.ParseFormat("i8")
	x, y := tileOf("a", 1, 32, "f16", "", "1x4", 1.5, -3, 100, 0.5), tileOf("b", 1, 32, "f16", "", "1x4", -1, -2, -100, 0)
	less := tileOf("d", 1, 32, "i8", "", "1x4")
	runTiles(t, "  pto.tsubreluconv ins(%a, %b : T(a), T(b)) outs(%d : T(d))", x, y, less)
	if got := valuesOf(i8, less.buf)[:4]; !slices.Equal(got, []float64{2, 0, 127, 0}) {
		t.Errorf("sub: %v", got)
	}
	a, b := tileOf("a", 1, 32, "i32", "", "1x4", 1<<30, -5, 3, 1<<30), tileOf("b", 1, 32, "i32", "", "1x4", 5, 1, 4, 1<<30)
	d, tmp := tileOf("d", 1, 32, "f16", "", "1x4"), tileOf("tmp", 1, 32, "i32", "", "")
	runTiles(t, "  %k = arith.constant 0.5 : f32\n  pto.tadddeqrelu ins(%a, %b, %k, %tmp : T(a), T(b), f32, T(tmp)) outs(%d : T(d))", a, b, d, tmp)
	if got := valuesOf(num.F16, d.buf)[:4]; !slices.Equal(got, []float64{65504, 0, 3.5, 0}) { // the last sum is -2^31
		t.Errorf("deq: %v", got)
	}
}

func TestTilePairSum(t *testing.T) {
	s, d := tileOf("s", 2, 8, "f32", "", "2x5", counted(1, 16)...), tileOf("d", 2, 8, "f32", "", "2x5", slices.Repeat([]float64{-1}, 16)...)
	runTiles(t, "  pto.tpairreducesum ins(%s : T(s)) outs(%d : T(d))", s, d)
	if got := valuesOf(num.F32, d.buf)[:8]; !slices.Equal(got, []float64{3, 7, -1, -1, -1, -1, -1, -1}) {
		t.Errorf("got %v", got)
	}
}

func TestTileHistogram(t *testing.T) {
	xs := []float64{0x0102, 0x0102, 0x0203, 0x0105, 0xffff}
	for _, c := range []struct {
		n    string
		want map[int]float64
	}{
		{"1", map[int]float64{1: 3, 2: 1, 255: 1}}, // how many there are of each
		{"0", map[int]float64{2: 2, 5: 1}},
	} {
		s, x := tileOf("s", 32, 16, "ui16", "", "32x5", xs...), tileOf("x", 32, 1, "ui8", "blayout=col_major", "", 1, 7)
		d := tileOf("d", 32, 256, "ui32", "", "")
		runTiles(t, "  pto.thistogram ins(%s, %x : T(s), T(x)) outs(%d : T(d)) {byte = "+c.n+" : i32}", s, x, d)
		sum := 0.0
		for v, got := range valuesOf(num.U32, d.buf)[:256] {
			if sum += c.want[v]; got != sum {
				t.Errorf("byte %s, value %d: %v, want %v", c.n, v, got, sum)
			}
		}
	}
	s, x := tileOf("s", 1, 32, "ui32", "", "", 0x01020304, 0x01020305, 0x01030304, 0x02020304, 0x010203ff), tileOf("x", 3, 32, "ui8", "", "", append(append(append([]float64{1}, make([]float64, 31)...), append([]float64{2}, make([]float64, 31)...)...), 3)...)
	d := tileOf("d", 1, 256, "ui32", "", "")
	runTiles(t, "  pto.thistogram ins(%s, %x : T(s), T(x)) outs(%d : T(d)) {byte = 0 : i32}", s, x, d)
	if got := valuesOf(num.U32, d.buf); got[3] != 0 || got[4] != 1 || got[5] != 2 || got[254] != 2 || got[255] != 3 {
		t.Errorf("got %v", got)
	}
}

// A group of 32 columns whose maximum is 3.5 * 2^k.
func mxSource(rows, cols int) []float64 {
	xs := make([]float64, rows*cols)
	for i := range xs {
		g := i / cols * (cols / 32) * 1 // every row has an exponent of its own
		xs[i] = math.Ldexp(float64(i%8)/2, g%5-2) * float64(1-2*(i%2))
	}
	return xs
}

func TestTileQuantMX(t *testing.T) {
	xs := mxSource(16, 64)
	s := tileOf("s", 16, 64, "f32", "", "", xs...)
	d, e := tileOf("d", 16, 64, "i8", "", ""), tileOf("e", 1, 32, "ui8", "", "")
	m, c := tileOf("m", 1, 32, "f32", "", ""), tileOf("c", 1, 64, "f32", "", "1x32")
	runTiles(t, "  pto.tquant.mx ins(%s : T(s)) outs(%d, %e, %m, %c : T(d), T(e), T(m), T(c)) {quant_type = #pto<quant_type MXFP8>}", s, d, e, m, c)
	for i, x := range xs {
		g := i / 32
		exp := valuesOf(num.U8, e.buf)[g]
		back := num.Decode(num.F8E4M3FN, uint64(d.buf.Data[i])) * math.Exp2(exp-127)
		if back != x { // numbers of a few bits are exact
			t.Fatalf("element %d is %v, want %v", i, back, x)
		}
		most := 0.0
		for _, y := range xs[g*32 : g*32+32] {
			most = max(most, math.Abs(y))
		}
		if got := valuesOf(num.F32, m.buf)[g]; got != most || valuesOf(num.F32, c.buf)[g] != math.Exp2(127-exp) || exp != math.Floor(math.Log2(most))-8+127 {
			t.Fatalf("group %d: maximum %v, exponent %v, scale %v", g, got, exp, valuesOf(num.F32, c.buf)[g])
		}
	}
}

// Along rows, to 4 bits: two numbers to a byte, the first in its low half.
func TestTileQuantMXNibbles(t *testing.T) {
	xs := make([]float64, 32*64)
	for i := range xs {
		xs[i] = math.Ldexp(float64(i/64%13), i%64%4) // up to 12 * 2^(c mod 4)
	}
	s := tileOf("s", 32, 64, "bf16", "", "", xs...)
	d := tileOf("d", 32, 32, "!pto.f4E2M1x2", "", "")
	e, m, c := tileOf("e", 1, 64, "ui8", "", ""), tileOf("m", 1, 64, "bf16", "", ""), tileOf("c", 1, 64, "bf16", "", "")
	runTiles(t, "  pto.tquant.mx ins(%s : T(s)) outs(%d, %e, %m, %c : T(d), T(e), T(m), T(c)) {quant_type = #pto<quant_type MXFP4_E2M1>, grpAxis = #pto<mx_group_axis axis0>}", s, d, e, m, c)
	for i, x := range xs {
		col := i % 64
		exp := int(e.buf.Data[col])
		if exp != 127+3+col%4-2 {
			t.Fatalf("exponent of column %d: %d", col, exp)
		}
		y := num.Decode(num.F4E2M1, num.Nibble(d.buf.Data[i/2:], i%2))
		if want := num.Decode(num.F4E2M1, num.Encode(num.F4E2M1, math.Ldexp(x, 127-exp), num.NearestEven, true)); y != want {
			t.Fatalf("element %d is %v, want %v", i, y, want)
		}
	}
}

func TestQuantMXScale(t *testing.T) {
	inf := float32(math.Inf(1))
	nan := float32(math.NaN())
	for _, q := range []quantMX{{to: num.F8E4M3FN, top: 8}, {to: num.F4E2M1, top: 2, nv: true}} {
		if exp, scale := q.scale(nan); exp != 0xff || scale == scale {
			t.Errorf("NaN: %d, %v", exp, scale)
		}
	}
	for _, c := range []struct {
		q     quantMX
		most  float32
		exp   uint64
		scale float32
	}{
		{quantMX{to: num.F8E4M3FN, top: 8}, 1, 119, 0x1p8},
		{quantMX{to: num.F8E4M3FN, top: 8}, 0, 0, 0x1p127},
		{quantMX{to: num.F8E4M3FN, top: 8}, 0x1p-125, 0, 0x1p127},
		{quantMX{to: num.F8E4M3FN, top: 8}, inf, 247, 0x1p-120},
		{quantMX{to: num.F8E4M3FN, top: 8, nv: true}, 448, 127, 1},
		{quantMX{to: num.F8E4M3FN, top: 8, nv: true}, 449, 128, 0.5},
		{quantMX{to: num.F8E4M3FN, top: 8, nv: true}, inf, 254, 0x1p-127},
		{quantMX{to: num.F4E2M1, top: 2}, 6, 127, 1},
		{quantMX{to: num.F4E2M1, top: 2, nv: true}, 6, 127, 1},
		{quantMX{to: num.F8E4M3FN, top: 8, nv: true}, 0x1p-119, 0, 0x1p127}, // 2^-119 / 448 < 2^-127
		{quantMX{to: num.F8E4M3FN, top: 8, nv: true}, 0x1p-118, 1, 0x1p126},
	} {
		if exp, scale := c.q.scale(c.most); exp != c.exp || scale != c.scale {
			t.Errorf("%+v of %v: %d, %v, want %d, %v", c.q.nv, c.most, exp, scale, c.exp, c.scale)
		}
	}
}

// Exponents also stand in boxes of 16 rows and 2 groups; a group with NaN has the
// exponent 255 and no numbers, one with an infinity is cut at the largest.
func TestTileQuantMXBoxes(t *testing.T) {
	const rows, groups = 32, 4
	xs := make([]float64, rows*groups*32)
	for i := range xs {
		xs[i] = math.Ldexp(1, i/32%23-11)
	}
	xs[5*32+3], xs[9*32+1] = math.NaN(), math.Inf(-1)
	s := tileOf("s", rows, groups*32, "f32", "", "", xs...)
	d, e, z := tileOf("d", rows, groups*32, "i8", "", ""), tileOf("e", 1, rows*groups, "ui8", "", ""), tileOf("z", 1, rows*groups, "ui8", "", "")
	m, c := tileOf("m", 1, rows*groups, "f32", "", ""), tileOf("c", 1, 2*rows*groups, "f32", "", "1x128")
	runTiles(t, "  pto.tquant.mx ins(%s : T(s)) outs(%d, %e, %m, %c, %z : T(d), T(e), T(m), T(c), T(z)) {quant_type = #pto<quant_type MXFP8>, storeMode = #pto<vec_store_mode nz>}", s, d, e, m, c, z)
	for g, exp := range e.buf.Data {
		want := byte(127 + g%23 - 11 - 8)
		switch g {
		case 5:
			want = 255
		case 9:
			want = 255 - 8
		}
		r, col := g/groups, g%groups
		boxed := z.buf.Data[((r/16*groups/2+col/2)*16+r%16)*2+col%2]
		if exp != want || boxed != want {
			t.Errorf("exponent of group %d is %d, in its box %d, want %d", g, exp, boxed, want)
		}
	}
	if nan, cut := d.buf.Data[5*32], d.buf.Data[9*32+1]; nan&0x7f != 0x7f || cut != 0xfe {
		t.Errorf("beside NaN %#x, for the infinity %#x, want a NaN and the lowest number, 0xfe", nan, cut)
	}
}
