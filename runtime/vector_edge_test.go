package runtime

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"ptogo/ir/num"
)

// edgeCase is an instruction on the first lanes of two registers, whose other
// lanes are zero. In the body %a and %b are the registers, IN and OUT their
// type and that of the result %y, MIN and MOUT the types of masks for them, and
// %in and %out such masks of all lanes.
type edgeCase struct {
	name, in, out string
	a, b          []uint64
	body          string
	want          []uint64
}

// text is the kernel of a case.
func (c edgeCase) text(t *testing.T) string {
	t.Helper()
	kernel := `func.func @k(%p: !pto.ptr<ELEMIN, gm>, %q: !pto.ptr<ELEMIN, gm>, %r: !pto.ptr<ELEMOUT, gm>) attributes {pto.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 256 : i64
  %x512 = arith.constant 512 : i64
  %c0 = arith.constant 0 : index
  %ua = pto.castptr %zero : i64 -> !pto.ptr<ELEMIN, ub>
  %ub = pto.castptr %n : i64 -> !pto.ptr<ELEMIN, ub>
  %uc = pto.castptr %x512 : i64 -> !pto.ptr<ELEMOUT, ub>
  pto.mte_gm_ub %p, %ua, %zero, %n nburst(%one, %n, %n) : !pto.ptr<ELEMIN, gm>, !pto.ptr<ELEMIN, ub>, i64, i64, i64, i64, i64
  pto.mte_gm_ub %q, %ub, %zero, %n nburst(%one, %n, %n) : !pto.ptr<ELEMIN, gm>, !pto.ptr<ELEMIN, ub>, i64, i64, i64, i64, i64
  pto.vecscope {
    %in = pto.pset_bBITSIN "PAT_ALL" : MIN
    %out = pto.pset_bBITSOUT "PAT_ALL" : MOUT
    %a = pto.vlds %ua[%c0] : !pto.ptr<ELEMIN, ub> -> IN
    %b = pto.vlds %ub[%c0] : !pto.ptr<ELEMIN, ub> -> IN
    ` + c.body + `
    pto.vsts %y, %uc[%c0], %out : OUT, !pto.ptr<ELEMOUT, ub>, MOUT
  }
  pto.mte_ub_gm %uc, %r, %n nburst(%one, %n, %n) : !pto.ptr<ELEMOUT, ub>, !pto.ptr<ELEMOUT, gm>, i64, i64, i64, i64
  return
}`
	in, out := 8*c.format(t, c.in).Bytes(), 8*c.format(t, c.out).Bytes()
	return strings.NewReplacer(
		"ELEMIN", c.in, "ELEMOUT", c.out, "BITSIN", fmt.Sprint(in), "BITSOUT", fmt.Sprint(out),
		"MIN", fmt.Sprintf("!pto.mask<b%d>", in), "MOUT", fmt.Sprintf("!pto.mask<b%d>", out),
		"IN", fmt.Sprintf("!pto.vreg<%dx%s>", 2048/in, c.in), "OUT", fmt.Sprintf("!pto.vreg<%dx%s>", 2048/out, c.out),
	).Replace(kernel)
}

func (c edgeCase) format(t *testing.T, elem string) num.Format {
	t.Helper()
	f, ok := num.ParseFormat(strings.TrimPrefix(elem, "!pto."))
	if !ok {
		t.Fatalf("%s: no format %s", c.name, elem)
	}
	return f
}

// run runs a case and compares the first lanes.
func (c edgeCase) run(t *testing.T) {
	in, out := c.format(t, c.in), c.format(t, c.out)
	var bufs [3]*Buffer
	for k, values := range [][]uint64{c.a, c.b, nil} {
		bufs[k] = &Buffer{Data: make([]byte, 256)}
		for i, x := range values {
			num.Store(in, bufs[k].Data[i*in.Bytes():], x)
		}
	}
	mustRun(t, c.text(t), ptr(bufs[0]), ptr(bufs[1]), ptr(bufs[2]))
	for i, want := range c.want {
		got := num.Load(out, bufs[2].Data[i*out.Bytes():])
		if want &= out.Mask(); got != want {
			t.Errorf("lane %d is %#x, want %#x", i, got, want)
		}
	}
}

// ints are integers as bits, f32s and f16s floats.
func ints(xs ...int64) []uint64 {
	out := make([]uint64, len(xs))
	for i, x := range xs {
		out[i] = uint64(x)
	}
	return out
}

func f32s(xs ...float64) []uint64 { return bitsOf(num.F32, xs) }
func f16s(xs ...float64) []uint64 { return bitsOf(num.F16, xs) }

func bitsOf(f num.Format, xs []float64) []uint64 {
	out := make([]uint64, len(xs))
	for i, x := range xs {
		out[i] = num.Encode(f, x, num.NearestEven, false)
	}
	return out
}

// series are n integers from a number on.
func series(from, n int64) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = uint64(from + int64(i))
	}
	return out
}

func join(lists ...[]uint64) (all []uint64) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

var (
	infinite   = math.Inf(1)
	notANumber = math.NaN()
	minus0     = math.Copysign(0, -1)
)

// flags01 turns a mask into lanes of ones and zeros.
const flags01 = `
    %c_0 = arith.constant 0 : i32
    %c_1 = arith.constant 1 : i32
    %zeros = pto.vbr %c_0 : i32 -> OUT
    %ones = pto.vbr %c_1 : i32 -> OUT
    %y = pto.vsel %ones, %zeros, %carry : OUT, OUT, MOUT -> OUT`

const twoIn = " : IN, IN, MIN -> OUT"

// TestCarryMasks checks what carries: for differences, that there was no borrow.
// Carries come in lane by lane, and lanes that are off have none.
func TestCarryMasks(t *testing.T) {
	a, b := ints(0, -1, -1, math.MinInt32, 5, 3, 0), ints(0, 1, -1, math.MinInt32, 3, 5, 1)
	const carryIn = "\n    %ci = pto.pset_b32 \"PAT_VL3\" : MIN\n"
	const off = "\n    %in2 = pto.pset_b32 \"PAT_VL2\" : MIN\n"
	const types, typesIn = " : IN, IN, MIN -> OUT, MOUT", " : IN, IN, MIN, MIN -> OUT, MOUT"
	for _, c := range []edgeCase{
		{name: "sums", body: "%y, %carry = pto.vaddc %a, %b, %in" + types, want: ints(0, 0, -2, 0, 8, 8, 1)},
		{name: "carries", body: "%s, %carry = pto.vaddc %a, %b, %in" + types + flags01, want: ints(0, 1, 1, 1, 0, 0, 0)},
		{name: "differences", body: "%y, %carry = pto.vsubc %a, %b, %in" + types, want: ints(0, -2, 0, 0, 2, -2, -1)},
		{name: "no borrows", body: "%s, %carry = pto.vsubc %a, %b, %in" + types + flags01, want: ints(1, 1, 1, 1, 1, 0, 0)},
		{name: "sums with carries", body: carryIn + "%y, %carry = pto.vaddcs %a, %b, %ci, %in" + typesIn, want: ints(1, 1, -1, 0, 8, 8, 1)},
		{name: "carries of carries", body: carryIn + "%s, %carry = pto.vaddcs %a, %b, %ci, %in" + typesIn + flags01, want: ints(0, 1, 1, 1, 0, 0, 0)},
		{name: "differences with borrows", body: carryIn + "%y, %carry = pto.vsubcs %a, %b, %ci, %in" + typesIn, want: ints(0, -2, 0, -1, 1, -3, -2)},
		{name: "borrows of borrows", body: carryIn + "%s, %carry = pto.vsubcs %a, %b, %ci, %in" + typesIn + flags01, want: ints(1, 1, 1, 0, 1, 0, 0)},
		{name: "lanes that are off", body: off + "%y, %carry = pto.vaddc %a, %b, %in2" + types, want: ints(0, 0, 0, 0, 0, 0)},
		{name: "carries of lanes that are off", body: off + "%s, %carry = pto.vaddc %a, %b, %in2" + types + flags01, want: ints(0, 1, 0, 0, 0, 0)},
	} {
		c.in, c.out, c.a, c.b = "i32", "i32", a, b
		t.Run(c.name, c.run)
	}
}

// TestExtremes checks NaN, zeros of both signs and infinities.
func TestExtremes(t *testing.T) {
	a, b := []float64{notANumber, 1, minus0, 0, -infinite, infinite, notANumber}, []float64{1, notANumber, 0, minus0, -1, 1, notANumber}
	larger, smaller := []float64{notANumber, notANumber, 0, 0, -1, infinite, notANumber}, []float64{notANumber, notANumber, minus0, minus0, -infinite, 1, notANumber}
	for _, f := range []struct {
		elem string
		bits func(xs ...float64) []uint64
	}{{"f32", f32s}, {"f16", f16s}} {
		for _, c := range []edgeCase{
			{name: "vmax", body: "%y = pto.vmax %a, %b, %in" + twoIn, want: f.bits(larger...)},
			{name: "vmin", body: "%y = pto.vmin %a, %b, %in" + twoIn, want: f.bits(smaller...)},
		} {
			c.in, c.out, c.a, c.b = f.elem, f.elem, f.bits(a...), f.bits(b...)
			t.Run(c.name+"/"+f.elem, c.run)
		}
	}
}

// TestShiftCounts shifts by the width and beyond, where counts wrap around, as
// golden data has it.
func TestShiftCounts(t *testing.T) {
	const left, right = "%y = pto.vshl %a, %b, %in" + twoIn, "%y = pto.vshr %a, %b, %in" + twoIn
	by33 := func(op string) string {
		return "%s = arith.constant 33 : i16\n    %y = pto." + op + " %a, %s, %in : IN, i16, MIN -> OUT"
	}
	for _, c := range []edgeCase{
		{"i32 left", "i32", "i32", ints(-1, -1, -1, 1, 1), ints(31, 32, 100, 0, 31), left, ints(math.MinInt32, -1, -16, 1, math.MinInt32)},
		{"i32 right", "i32", "i32", ints(-8, -8, -8, 8, 8), ints(1, 32, 31, 33, -31), right, ints(-4, -8, -1, 4, 4)},
		{"ui32 right", "ui32", "ui32", ints(-8, -8, 8), ints(28, 32, 33), right, ints(15, -8, 4)},
		{"i16 left", "i16", "i16", ints(-1, -1, 1, 1), ints(15, 16, 17, 14), left, ints(-32768, -1, 2, 16384)},
		{"i16 right", "i16", "i16", ints(-8, -8, 8), ints(15, 16, 17), right, ints(-1, -8, 4)},
		{"i8 right", "i8", "i8", ints(-8, -8, 8), ints(7, 8, 9), right, ints(-1, -8, 4)},
		{"scalar, i32 left", "i32", "i32", ints(-1, 1), nil, by33("vshls"), ints(-2, 2)},
		{"scalar, i32 right", "i32", "i32", ints(-3, 2), nil, by33("vshrs"), ints(-2, 1)},
		{"scalar, ui32 right", "ui32", "ui32", ints(-3, 2), nil, by33("vshrs"), ints(0x7FFFFFFE, 1)},
	} {
		t.Run(c.name, c.run)
	}
}

// TestIntegerEdges checks what does not fit: sums, products and the opposite of
// the smallest number wrap around; a long product has two halves.
func TestIntegerEdges(t *testing.T) {
	const one, long = " : IN, MIN -> OUT", " : IN, IN, MIN -> OUT, OUT"
	const least = math.MinInt32
	for _, c := range []edgeCase{
		{"sum", "i32", "i32", ints(math.MaxInt32, least), ints(1, -1), "%y = pto.vadd %a, %b, %in" + twoIn, ints(least, math.MaxInt32)},
		{"difference of 8 bits", "i8", "i8", ints(-128, 127), ints(1, -1), "%y = pto.vsub %a, %b, %in" + twoIn, ints(127, -128)},
		{"product of 16 bits", "i16", "i16", ints(256, -32768), ints(256, -1), "%y = pto.vmul %a, %b, %in" + twoIn, ints(0, -32768)},
		{"absolute value", "i32", "i32", ints(least, -1), nil, "%y = pto.vabs %a, %in" + one, ints(least, 1)},
		{"opposite", "i16", "i16", ints(-32768, 1), nil, "%y = pto.vneg %a, %in" + one, ints(-32768, -1)},
		{"low half", "i32", "i32", ints(-1, least, 3), ints(-1, least, -5), "%y, %z = pto.vmull %a, %b, %in" + long, ints(1, 0, -15)},
		{"high half", "i32", "i32", ints(-1, least, 3), ints(-1, least, -5), "%z, %y = pto.vmull %a, %b, %in" + long, ints(0, 1<<30, -1)},
		{"high half without signs", "ui32", "ui32", ints(-1, least, 3), ints(-1, least, -5), "%z, %y = pto.vmull %a, %b, %in" + long, ints(-2, 1<<30, 2)},
	} {
		t.Run(c.name, c.run)
	}
}

// TestReductionPlaces checks where results of reductions go: the first of equal
// extremes with its number as raw bits, blocks and pairs packed.
func TestReductionPlaces(t *testing.T) {
	const one = " : IN, MIN -> OUT"
	const first8 = "%m = pto.pset_b32 \"PAT_VL8\" : MIN\n    "
	const none = "%m = pto.pset_b32 \"PAT_ALLF\" : MIN\n    "
	for _, c := range []edgeCase{
		{"first of equal maxima", "f32", "f32", f32s(1, 7, 7, -3), nil, "%y = pto.vcmax %a, %in" + one, join(f32s(7), ints(1, 0, 0))},
		{"first of equal minima", "i32", "i32", ints(1, -7, 3, -7), nil, "%y = pto.vcmin %a, %in" + one, ints(-7, 1, 0)},
		{"maximum of zeros", "f32", "f32", f32s(minus0, minus0, 0), nil, first8 + "%y = pto.vcmax %a, %m" + one, join(f32s(0), ints(2, 0))},
		{"NaN wins", "f32", "f32", f32s(1, notANumber, 9), nil, "%y = pto.vcmax %a, %in" + one, join(f32s(notANumber), ints(1, 0))},
		{"NaN wins for minima", "f32", "f32", f32s(1, 9, notANumber), nil, "%y = pto.vcmin %a, %in" + one, join(f32s(notANumber), ints(2, 0))},
		{"only selected lanes", "i32", "i32", series(-100, 64), nil, first8 + "%y = pto.vcmax %a, %m" + one, ints(-93, 7, 0)},
		{"no lane", "f32", "f32", f32s(1, 2), nil, none + "%y = pto.vcmax %a, %m" + one, f32s(-infinite)},
		{"sum of no lane", "i32", "i32", ints(1, 2), nil, none + "%y = pto.vcadd %a, %m" + one, ints(0, 0)},
		{"number in a lane of 16 bits", "f16", "f16", f16s(-1, -2, 4, 3), nil, "%y = pto.vcmax %a, %in" + one, join(f16s(4), ints(2, 0))},
		{"sum of 16 bits widens", "i16", "i32", ints(32767, 32767, 2), nil, "%y = pto.vcadd %a, %in" + one, ints(65536, 0)},
		{"sums of blocks", "i32", "i32", series(1, 64), nil, "%y = pto.vcgadd %a, %in" + one, ints(36, 100, 164, 228, 292, 356, 420, 484, 0)},
		{"minima of blocks", "i32", "i32", series(1, 64), nil, "%y = pto.vcgmin %a, %in" + one, ints(1, 9, 17, 25, 33, 41, 49, 57, 0)},
		{"sums of pairs", "f32", "f32", f32s(1, 2, 3, 4, 5, 6), nil, "%y = pto.vcpadd %a, %in" + one, f32s(3, 7, 11, 0)},
	} {
		t.Run(c.name, c.run)
	}
}

// TestRearrangements checks the order of interleaving, packing and unpacking,
// and indices beyond the last lane.
func TestRearrangements(t *testing.T) {
	const two = " : IN, IN -> IN, IN"
	const lower, higher = "%part = arith.constant 0 : index\n    ", "%part = arith.constant 1 : index\n    "
	for _, c := range []edgeCase{
		{"interleave i16, lower", "i16", "i16", series(0, 128), series(1000, 128), "%y, %z = pto.vintlv %a, %b" + two, ints(0, 1000, 1, 1001, 2, 1002)},
		{"interleave i16, upper", "i16", "i16", series(0, 128), series(1000, 128), "%z, %y = pto.vintlv %a, %b" + two, ints(64, 1064, 65, 1065)},
		{"deinterleave i8, even", "i8", "i8", series(0, 256), series(1, 256), "%y, %z = pto.vdintlv %a, %b" + two, join(ints(0, 2, 4, 6), nil)},
		{"deinterleave i8, odd", "i8", "i8", series(0, 256), series(1, 256), "%z, %y = pto.vdintlv %a, %b" + two, ints(1, 3, 5, 7)},
		{"pack into the lower half", "i32", "ui16", ints(0x12345, -1, 7), nil, `%y = pto.vpack %a, "LOWER" : IN -> OUT`, join(ints(0x2345, 0xFFFF, 7), make([]uint64, 125))},
		{"pack into the upper half", "i32", "ui16", ints(0x12345, -1, 7), nil, `%y = pto.vpack %a, "HIGHER" : IN -> OUT`, join(make([]uint64, 64), ints(0x2345, 0xFFFF, 7))},
		{"unpack with signs", "i16", "i32", ints(-1, 2, -3), nil, lower + "%y = pto.vsunpack %a, %part : IN -> OUT", ints(-1, 2, -3, 0)},
		{"unpack without signs", "i16", "i32", ints(-1, 2, -3), nil, lower + "%y = pto.vzunpack %a, %part : IN -> OUT", ints(0xFFFF, 2, 0xFFFD, 0)},
		{"unpack the upper half", "i16", "i32", series(-64, 128), nil, higher + "%y = pto.vsunpack %a, %part : IN -> OUT", ints(0, 1, 2)},
		{"lanes by number", "i32", "i32", series(100, 64), ints(63, 0, 64, 65, 5), "%y = pto.vselr %a, %b : IN, IN -> OUT", ints(163, 100, 100, 101, 105)},
		{"lanes by number, other encoding", "i32", "i32", series(100, 64), ints(63, 0, 64, 65, 5), "%y = pto.vselrv2 %a, %b : IN, IN -> OUT", ints(163, 100, 100, 101, 105)},
		{"permutation", "i32", "i32", series(100, 64), ints(63, 0, 64), "%y = pto.vperm %a, %b : IN, IN -> OUT", ints(163, 100, 100)},
		{"window over two registers", "i32", "i32", series(0, 64), series(64, 64), "%n3 = arith.constant 3 : i16\n    %y = pto.vslide %a, %b, %n3 : IN, IN, i16 -> OUT", ints(67, 68, 69)},
	} {
		t.Run(c.name, c.run)
	}
}

// TestMaskOrder makes masks visible as lanes of ones.
func TestMaskOrder(t *testing.T) {
	show := strings.ReplaceAll(flags01, "i32", "i16")
	const first3, first2 = "%m3 = pto.pset_b16 \"PAT_VL3\" : MOUT\n    ", "%m2 = pto.pset_b16 \"PAT_VL2\" : MOUT\n    "
	const two = " : MOUT, MOUT -> MOUT, MOUT"
	for _, c := range []edgeCase{
		{name: "interleave, lower", body: first3 + first2 + "%carry, %h = pto.pintlv_b16 %m3, %m2" + two + show, want: ints(1, 1, 1, 1, 1, 0, 0)},
		{name: "interleave, upper", body: first3 + first2 + "%h, %carry = pto.pintlv_b16 %m3, %m2" + two + show, want: ints(0, 0, 0, 0)},
		{name: "deinterleave, even", body: first3 + first2 + "%carry, %h = pto.pdintlv_b16 %m3, %m2" + two + show, want: ints(1, 1, 0, 0)},
		{name: "deinterleave, odd", body: first3 + first2 + "%h, %carry = pto.pdintlv_b16 %m3, %m2" + two + show, want: ints(1, 0, 0, 0)},
		{name: "pack, lower", body: first3 + `%carry = pto.ppack %m3, "LOWER" : MOUT -> MOUT` + show, want: ints(1, 1, 0, 0)},
		{name: "unpack, lower", body: first3 + `%carry = pto.punpack %m3, "LOWER" : MOUT -> MOUT` + show, want: ints(1, 0, 1, 0, 1, 0, 0)},
	} {
		c.in, c.out = "i16", "i16"
		t.Run(c.name, c.run)
	}
}

// TestConversionEdges checks parts, rounding of ties and what does not fit.
func TestConversionEdges(t *testing.T) {
	convert := func(attrs string) string { return "%y = pto.vcvt %a, %in {" + attrs + "} : IN, MIN -> OUT" }
	ties := f32s(0.5, 1.5, 2.5, -0.5, -1.5, 0.25, -2.75)
	odd := func(xs []uint64) (spaced []uint64) {
		for _, x := range xs {
			spaced = append(spaced, 0, x)
		}
		return spaced
	}
	even := func(xs []uint64) (spaced []uint64) {
		for _, x := range xs {
			spaced = append(spaced, x, 0)
		}
		return spaced
	}
	for _, c := range []edgeCase{
		{"to nearest even", "f32", "i32", ties, nil, convert(`rnd = "R", sat = "SAT"`), ints(0, 2, 2, 0, -2, 0, -3)},
		{"ties away", "f32", "i32", ties, nil, convert(`rnd = "A", sat = "SAT"`), ints(1, 2, 3, -1, -2, 0, -3)},
		{"down", "f32", "i32", ties, nil, convert(`rnd = "F", sat = "SAT"`), ints(0, 1, 2, -1, -2, 0, -3)},
		{"up", "f32", "i32", ties, nil, convert(`rnd = "C", sat = "SAT"`), ints(1, 2, 3, 0, -1, 1, -2)},
		{"to zero", "f32", "i32", ties, nil, convert(`rnd = "Z", sat = "SAT"`), ints(0, 1, 2, 0, -1, 0, -2)},
		{"saturated", "f32", "i32", f32s(infinite, -infinite, notANumber, 3e9, -3e9), nil, convert(`rnd = "R", sat = "SAT"`), ints(math.MaxInt32, math.MinInt32, 0, math.MaxInt32, math.MinInt32)},
		{"halves in even lanes", "f32", "f16", f32s(1, 65519, 65520, -infinite), nil, convert(`rnd = "R", sat = "SAT", part = "EVEN"`), even(f16s(1, 65504, 65504, -65504))},
		{"halves in odd lanes", "f32", "f16", f32s(1, 65519, 65520, -infinite), nil, convert(`rnd = "R", sat = "NOSAT", part = "ODD"`), odd(f16s(1, 65504, infinite, -infinite))},
		{"the smallest half", "f32", "f16", f32s(math.Ldexp(1, -25), math.Ldexp(1.5, -25), minus0), nil, convert(`rnd = "R", sat = "NOSAT", part = "EVEN"`), even(ints(0, 1, 0x8000))},
		{"odd lanes widen", "f16", "f32", f16s(1, 2, 3, 4), nil, convert(`part = "ODD"`), f32s(2, 4, 0)},
		{"signed bytes saturate", "i16", "ui8", ints(-1, 255, 256, 32767), nil, convert(`sat = "SAT", part = "EVEN"`), even(ints(0, 255, 255, 255))},
		{"bytes wrap", "i16", "ui8", ints(-1, 255, 256, 258), nil, convert(`sat = "NOSAT", part = "ODD"`), odd(ints(255, 255, 0, 2))},
		{"every fourth byte", "i32", "ui8", ints(-1, 7, 300), nil, convert(`sat = "SAT", part = "P2"`), ints(0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 255)},
	} {
		t.Run(c.name, c.run)
	}
}

// TestRoundingEdges rounds to integral floats, where the sign of zero stays.
func TestRoundingEdges(t *testing.T) {
	for mode, want := range map[string][]float64{
		"R": {0, 2, 2, minus0, -2, notANumber, infinite}, "A": {1, 2, 3, -1, -2, notANumber, infinite}, "F": {0, 1, 2, -1, -2, notANumber, infinite},
		"C": {1, 2, 3, minus0, -1, notANumber, infinite}, "Z": {0, 1, 2, minus0, -1, notANumber, infinite},
	} {
		c := edgeCase{in: "f32", out: "f32", a: f32s(0.5, 1.5, 2.5, -0.5, -1.5, notANumber, infinite), body: `%y = pto.vtrc %a, %in, "` + mode + `" : IN, MIN -> OUT`, want: f32s(want...)}
		t.Run(mode, c.run)
	}
}
