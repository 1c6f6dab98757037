package runtime

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"testing"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/kernels"
)

// The tests here compare conversions of all numbers of 8 and 16 bits with what
// a second way to compute them gives: floats are found in a list of all
// numbers of the format, made from its definition; integers are rounded with
// the functions of math.

// numberList is a float format as the list of its numbers from zero up.
type numberList struct {
	values []float64 // and, after the largest, the one that would follow
	codes  []uint64
	inf    uint64 // what stands for numbers beyond the largest
	nan    uint64
	sign   uint64
	noZero bool // there is no negative zero
}

// fieldList makes the list of a format of exponent and mantissa bits, of which
// the codes up to top are numbers.
func fieldList(exp, man int, top, inf, nan uint64) *numberList {
	l := &numberList{inf: inf, nan: nan, sign: 1 << (exp + man)}
	bias := max(1<<(exp-1)-1, 1)
	for code := uint64(0); code <= top+1; code++ {
		e, m := int(code>>man), float64(code&(1<<man-1))
		x := (1 + m/float64(uint64(1)<<man)) * math.Pow(2, float64(e-bias))
		if e == 0 {
			x = m / float64(uint64(1)<<man) * math.Pow(2, float64(1-bias))
		}
		l.values, l.codes = append(l.values, x), append(l.codes, code)
	}
	return l
}

// hif8List makes the list of hif8 from its table of prefixes: how many bits
// the exponent and the mantissa have after each.
func hif8List() *numberList {
	l := &numberList{inf: 0x6f, nan: 0x80, sign: 0x80, noZero: true}
	type number struct {
		x    float64
		code uint64
	}
	all := []number{{0, 0}}
	for code := uint64(1); code < 0x80; code++ {
		var x float64
		switch {
		case code>>3 == 0: // only an exponent
			x = math.Pow(2, float64(code)-23)
		case code>>3 == 1:
			x = 1 + float64(code&7)/8
		default:
			bits := map[uint64]int{0b001: 1, 0b010: 2, 0b011: 2, 0b100: 3, 0b101: 3, 0b110: 4, 0b111: 4}[code>>4]
			man := 7 - 2 - bits // after the prefix of two bits
			if bits == 1 {
				man = 7 - 3 - bits
			}
			field := code >> man & (1<<bits - 1)
			e := float64(field&(1<<(bits-1)-1) | 1<<(bits-1))
			if field>>(bits-1) == 1 {
				e = -e
			}
			x = (1 + float64(code&(1<<man-1))/float64(int(1)<<man)) * math.Pow(2, e)
		}
		all = append(all, number{x, code})
	}
	slices.SortFunc(all, func(a, b number) int {
		if a.x < b.x {
			return -1
		}
		return 1
	})
	for _, n := range all {
		l.values, l.codes = append(l.values, n.x), append(l.codes, n.code)
	}
	return l
}

var numberLists = map[num.Format]*numberList{
	num.F16:      fieldList(5, 10, 0x7bff, 0x7c00, 0x7e00),
	num.BF16:     fieldList(8, 7, 0x7f7f, 0x7f80, 0x7fc0),
	num.F8E4M3FN: fieldList(4, 3, 0x7e, 0x7f, 0x7f),
	num.F8E5M2:   fieldList(5, 2, 0x7b, 0x7c, 0x7e),
	num.F4E2M1:   fieldList(2, 1, 7, 7, 0),
	num.F4E1M2:   fieldList(1, 2, 7, 7, 0),
	num.HiF8:     hif8List(),
}

// decode returns the number of a code.
func (l *numberList) decode(code uint64) float64 {
	mag := code &^ l.sign
	i := slices.Index(l.codes[:len(l.codes)-1], mag)
	x := math.NaN()
	switch {
	case l.noZero && code == l.nan:
	case i >= 0:
		x = l.values[i]
	case mag == l.inf && l.inf != l.nan:
		x = math.Inf(1)
	}
	if code&l.sign != 0 {
		x = -x
	}
	return x
}

// encode returns the code nearest to x in a direction.
func (l *numberList) encode(x float64, r num.Rounding, sat bool) uint64 {
	neg, a := math.Signbit(x), math.Abs(x)
	last := len(l.values) - 2
	if x != x {
		return l.nan
	}
	i := min(sort.SearchFloat64s(l.values, a), last+1)
	switch {
	case math.IsInf(a, 1):
		i = last + 1
	case i <= last && l.values[i] == a:
	default:
		i = max(i-1, 0) // below a
		if l.up(i, a, r, neg) {
			i++
		}
	}
	mag := l.codes[i]
	switch {
	case i > last && sat:
		mag = l.codes[last]
	case i > last:
		mag = l.inf
	}
	if neg && !(l.noZero && mag == 0) && !(i > last && mag == l.nan && l.nan != 0) {
		mag |= l.sign
	}
	return mag
}

// up reports whether a number above entry i goes to the next one.
func (l *numberList) up(i int, a float64, r num.Rounding, neg bool) bool {
	below, above := a-l.values[i], l.values[i+1]-a
	switch r {
	case num.Zero:
		return false
	case num.Floor:
		return neg
	case num.Ceil:
		return !neg
	case num.Odd: // which stops at the largest number
		return l.codes[i]%2 == 0 && i+2 < len(l.values)
	case num.NearestAway:
		return below >= above
	}
	return below > above || below == above && l.codes[i]%2 == 1
}

// roundedInt rounds to an integer, as the functions of math do.
func roundedInt(x float64, r num.Rounding) float64 {
	switch r {
	case num.Zero:
		return math.Trunc(x)
	case num.Floor:
		return math.Floor(x)
	case num.Ceil:
		return math.Ceil(x)
	case num.NearestAway:
		return math.Round(x)
	case num.Odd:
		if f := math.Floor(x); f == x || math.Mod(f, 2) != 0 {
			return f
		}
		return math.Ceil(x)
	}
	return math.RoundToEven(x)
}

// integerCode converts to an integer of some bits: clamped, or as many low bits
// as there is room for.
func integerCode(f num.Format, x float64, r num.Rounding, sat bool) uint64 {
	n, bits := roundedInt(x, r), f.Bits()
	lo, hi := -math.Pow(2, float64(bits-1)), math.Pow(2, float64(bits-1))-1
	if f == f.Unsigned() {
		lo, hi = 0, math.Pow(2, float64(bits))-1
	}
	switch {
	case n != n:
		return 0
	case sat:
		n = min(max(n, lo), hi)
	case math.Abs(n) >= 0x1p63:
		return 0 // numbers of so few bits have only zeros there
	}
	return uint64(int64(n)) & f.Mask()
}

// expected is what converting x gives.
func expected(to num.Format, x float64, r num.Rounding, sat bool) uint64 {
	switch {
	case to.IsInt():
		return integerCode(to, x, r, sat)
	case to == num.F32 && x != x:
		return 0x7fc00000
	case to == num.F32: // has all numbers of the sources here
		return uint64(math.Float32bits(float32(x)))
	case x != x && sat && to.Bits() <= 8:
		return 0
	}
	return numberLists[to].encode(x, r, sat)
}

// valueOf is the number of a code.
func valueOf(f num.Format, code uint64) float64 {
	switch {
	case f == f.Unsigned() && f.IsInt():
		return float64(code)
	case f.IsInt():
		return float64(int64(code<<(64-f.Bits())) >> (64 - f.Bits()))
	case f == num.BF16:
		return float64(math.Float32frombits(uint32(code) << 16))
	case f == num.F16: // too long a list to look each one up
		x := numberLists[f]
		mag := code &^ x.sign
		y := math.NaN()
		if mag < x.inf {
			y = x.values[mag]
		} else if mag == x.inf {
			y = math.Inf(1)
		}
		return math.Copysign(y, 1-2*float64(code>>15))
	}
	return numberLists[f].decode(code)
}

var conversionModes = []num.Rounding{num.NearestEven, num.NearestAway, num.Floor, num.Ceil, num.Zero, num.Odd}

// checkConversions converts all numbers of a format to some others.
func checkConversions(t *testing.T, from num.Format, targets ...num.Format) {
	codes := 1 << from.Bits()
	src, xs := make([]byte, codes*from.Bytes()), make([]float64, codes)
	for code := range codes {
		num.Store(from, src[code*from.Bytes():], uint64(code))
		xs[code] = valueOf(from, uint64(code))
	}
	for _, to := range targets {
		if from == to {
			continue // that rounds to integral values
		}
		got := make([]byte, codes*to.Bytes())
		for i := range 2 * len(conversionModes) {
			r, sat := conversionModes[i/2], i%2 == 1
			converter(from, to, r, sat)(got, src)
			for code, x := range xs {
				if g, want := num.Load(to, got[code*to.Bytes():]), expected(to, x, r, sat); g != want {
					t.Fatalf("%s %#x (%v) to %s, %s, saturated %t: %#x, want %#x", from, code, x, to, r, sat, g, want)
				}
			}
		}
	}
}

var standardFormats = []num.Format{num.I8, num.U8, num.I16, num.U16, num.I32, num.F16, num.BF16, num.F32}

func TestConvertBytes(t *testing.T) {
	for _, f := range []num.Format{num.I8, num.U8} {
		checkConversions(t, f, standardFormats...)
	}
	for _, f := range []num.Format{num.F8E4M3FN, num.F8E5M2, num.HiF8} {
		checkConversions(t, f, num.F32)
	}
}

func TestConvertI16(t *testing.T)  { checkConversions(t, num.I16, standardFormats...) }
func TestConvertU16(t *testing.T)  { checkConversions(t, num.U16, standardFormats...) }
func TestConvertF16(t *testing.T)  { checkConversions(t, num.F16, append(standardFormats, num.HiF8)...) }
func TestConvertBF16(t *testing.T) { checkConversions(t, num.BF16, standardFormats...) }

// Numbers of 4 bits lie two to a byte, which the conversion of single elements
// does not know of.
func TestConvertNibbles(t *testing.T) {
	for _, f := range []num.Format{num.F4E2M1, num.F4E1M2} {
		for code := range uint64(16) {
			if got, want := convertOne(f, num.BF16, code, num.NearestEven, false), expected(num.BF16, numberLists[f].decode(code), num.NearestEven, false); got != want {
				t.Errorf("%s %#x to bf16: %#x, want %#x", f, code, got, want)
			}
		}
		for code := range uint64(1 << 16) {
			for _, r := range conversionModes {
				if got, want := num.Convert(num.BF16, f, code, r, false), expected(f, valueOf(num.BF16, code), r, false); got != want {
					t.Fatalf("bf16 %#x to %s, %s: %#x, want %#x", code, f, r, got, want)
				}
			}
		}
	}
}

// Equal types round to integral values.
func TestConvertToIntegral(t *testing.T) {
	for _, f := range []num.Format{num.F16, num.BF16} {
		src, got := make([]byte, 2<<16), make([]byte, 2<<16)
		for code := range 1 << 16 {
			num.Store(f, src[2*code:], uint64(code))
		}
		for _, r := range conversionModes {
			if err := rowsOf(scalar.Integral[r], f)(got, src, nil, nil); err != nil {
				t.Fatal(err)
			}
			for code := range 1 << 16 {
				x := valueOf(f, uint64(code))
				want := expected(f, math.Copysign(roundedInt(x, r), x), num.NearestEven, false)
				if g := num.Load(f, got[2*code:]); g != want {
					t.Fatalf("%s %#x (%v), %s: %#x, want %#x", f, code, x, r, g, want)
				}
			}
		}
	}
}

// converted are the pairs of standard types that A5 converts.
var converted = map[string][]string{
	"i8": {"i16", "i32", "f16"}, "ui8": {"ui16", "f16"}, "i16": {"ui8", "i32", "ui32", "f16", "f32"}, "i32": {"ui8", "i16", "ui16", "i64", "f32"},
	"ui32": {"ui8", "i16", "ui16"}, "i64": {"i32", "f32"}, "f16": {"i8", "ui8", "i16", "i32", "f32"}, "bf16": {"i32", "f16", "f32"},
	"f32": {"i16", "i32", "i64", "f16", "bf16", "f32"},
}

// TestConvertTiles runs every pair of types in a kernel, and modes in turns.
func TestConvertTiles(t *testing.T) {
	names := []string{"CAST_RINT", "ROUND", "FLOOR", "CEIL", "TRUNC", "ODD"}
	xs := []float64{0, 1, 100, 127, 1.5, 2.5, -1.5, 200, 300, 40000, 70000, -1, -129, 1e9, 3e9, -3e9, math.Inf(1), math.Inf(-1), math.NaN(), 65504, 65520, 0.1, -0.1}
	mode := 0
	for _, from := range slices.Sorted(maps.Keys(converted)) {
		for _, to := range converted[from] {
			f, _ := num.ParseFormat(from)
			g, _ := num.ParseFormat(to)
			r, sat := conversionModes[mode%6], mode/6%2 == 0
			switch { // to odd goes f32 to f16 alone
			case r != num.Odd || f == num.F32 && g == num.F16:
			case f.IsFloat() && g.IsInt():
				r = num.Zero
			default:
				r = num.NearestEven
			}
			attr := fmt.Sprintf("{rmode = #pto<round_mode %s>, satmode = #pto<saturation_mode %s>}", names[mode%6], map[bool]string{true: "ON", false: "OFF"}[sat])
			mode++
			s, d := tileOf("s", 1, 32, from, "", "", xs...), tileOf("d", 1, 32, to, "", "")
			runTiles(t, "  pto.tcvt ins(%s "+attr+" : T(s)) outs(%d : T(d))", s, d)
			for i := range xs {
				bits := num.Load(f, s.buf.Data[i*f.Bytes():])
				want := convertOne(f, g, bits, r, sat)
				if f == g && f.IsFloat() {
					want, _ = scalar.Integral[r].Eval1(f, bits)
				}
				if sat && num.IsNaN(f, bits) && (g == num.F16 && f != g || g == num.BF16 && f == num.F32) {
					want = 0
				}
				if got := num.Load(g, d.buf.Data[i*g.Bytes():]); got != want {
					t.Errorf("%s to %s, %s: %#x gives %#x, want %#x", from, to, attr, bits, got, want)
				}
			}
		}
	}
}

// Packing narrows: integers keep their low bits, floats round to nearest even.
func TestPackTiles(t *testing.T) {
	for _, c := range []struct {
		from, to string
		xs, want []float64
	}{
		{"i32", "i16", []float64{-1, 70000, -40000}, []float64{-1, 70000 - 65536, 65536 - 40000}},
		{"ui16", "ui8", []float64{255, 256, 1000}, []float64{255, 0, 1000 - 768}},
		{"f32", "f16", []float64{2049, 2051, 1e6}, []float64{2048, 2052, math.Inf(1)}},
	} {
		s, d := tileOf("s", 1, 32, c.from, "", "", c.xs...), tileOf("d", 1, 32, c.to, "", "")
		runTiles(t, "  pto.tpack ins(%s : T(s)) outs(%d : T(d))", s, d)
		f, _ := num.ParseFormat(c.to)
		if got := valuesOf(f, d.buf)[:len(c.want)]; !slices.Equal(got, c.want) {
			t.Errorf("%s to %s: %v become %v, want %v", c.from, c.to, c.xs, got, c.want)
		}
	}
}

// TestLanesSaturateNaN converts special numbers between floats of registers,
// where values saturate: NaN becomes zero, infinity the largest number.
func TestLanesSaturateNaN(t *testing.T) {
	for _, c := range [][2]num.Format{{num.F32, num.F16}, {num.F32, num.BF16}, {num.BF16, num.F16}, {num.F32, num.F8E4M3FN}, {num.F16, num.F8E5M2}} {
		from, to := c[0], c[1]
		inf, _ := num.Inf(from, true)
		xs := packed(from, []uint64{num.NaN(from), inf, num.NaN(from) | from.SignBit(), num.Encode(from, 1.5, num.NearestEven, false)})
		for _, sat := range []bool{true, false} {
			want := []uint64{0, num.Lowest(to), 0, num.Encode(to, 1.5, num.NearestEven, false)}
			if !sat {
				want[0], want[2] = num.NaN(to), num.NaN(to)
				want[1] = num.Encode(to, math.Inf(-1), num.NearestEven, false)
			}
			got := make([]byte, len(want)*to.Bytes())
			laneConverter(from, to, num.NearestEven, sat)(got, xs)
			if !bytes.Equal(got, packed(to, want)) {
				t.Errorf("%s to %s, saturating %t: %x, want %x", from, to, sat, got, packed(to, want))
			}
			const times = 33 // complete vectors and a rest
			for _, level := range kernels.Levels() {
				many := make([]byte, times*len(got))
				zero := sat && to.Bits() == 16
				converterBothWays(level, from, to, num.NearestEven, sat, zero)(many, bytes.Repeat(xs, times), false)
				if !bytes.Equal(many, bytes.Repeat(packed(to, want), times)) {
					t.Errorf("%s to %s at %s, saturating %t: %x", from, to, level, sat, many)
				}
			}
		}
	}
}
