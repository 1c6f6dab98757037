package scalar

import (
	"math"
	"math/big"
	"testing"

	"ptogo/ir/num"
)

// toOdd rounds an exact result to odd in float64. A following rounding to nearest in a
// narrower format is then a single rounding of the exact result.
func toOdd(z *big.Float) float64 {
	x, acc := new(big.Float).SetMode(big.ToZero).SetPrec(53).Set(z).Float64()
	if acc == big.Exact && new(big.Float).SetFloat64(x).Cmp(z) == 0 {
		return x
	}
	return math.Float64frombits(math.Float64bits(x) | 1)
}

func exact(x float64) *big.Float { return new(big.Float).SetPrec(800).SetFloat64(x) }

// floatDefs are definitions of functions in arithmetic of 800 bits. They apply to finite
// operands with a finite result other than zero.
var floatDefs = map[*Fn]func(a, b, c *big.Float) *big.Float{
	Add:        func(a, b, _ *big.Float) *big.Float { return new(big.Float).Add(a, b) },
	Sub:        func(a, b, _ *big.Float) *big.Float { return new(big.Float).Sub(a, b) },
	Mul:        func(a, b, _ *big.Float) *big.Float { return new(big.Float).Mul(a, b) },
	Div:        func(a, b, _ *big.Float) *big.Float { return new(big.Float).Quo(a, b) },
	Recip:      func(a, _, _ *big.Float) *big.Float { return new(big.Float).Quo(exact(1), a) },
	Sqrt:       func(a, _, _ *big.Float) *big.Float { return new(big.Float).Sqrt(a) },
	Fma:        bigFma,
	Axpy:       bigFma,
	FmaRelu:    func(a, b, c *big.Float) *big.Float { return bigRelu(bigFma(a, b, c)) },
	AddRelu:    func(a, b, _ *big.Float) *big.Float { return bigRelu(new(big.Float).Add(a, b)) },
	SubRelu:    func(a, b, _ *big.Float) *big.Float { return bigRelu(new(big.Float).Sub(a, b)) },
	AbsDiff:    func(a, b, _ *big.Float) *big.Float { d := new(big.Float).Sub(a, b); return d.Abs(d) },
	LRelu:      bigLeaky,
	Prelu:      bigLeaky,
	PreluAbove: bigLeaky,
	Fmod: func(a, b, _ *big.Float) *big.Float { // a - trunc(a/b)*b
		q, _ := new(big.Float).Quo(a, b).Int(nil)
		return new(big.Float).Sub(a, new(big.Float).Mul(new(big.Float).SetPrec(800).SetInt(q), b))
	},
}

func bigFma(a, b, c *big.Float) *big.Float {
	p := new(big.Float).Mul(a, b)
	return p.Add(p, c)
}

func bigRelu(x *big.Float) *big.Float {
	if x.Sign() < 0 {
		return exact(0)
	}
	return x
}

func bigLeaky(a, b, _ *big.Float) *big.Float {
	if a.Sign() >= 0 {
		return a
	}
	return new(big.Float).Mul(a, b)
}

// checkFloat compares fn with its definition in floatDefs, if the definition applies to
// the operands.
func checkFloat(t *testing.T, fn *Fn, f num.Format, a, b, c uint64) {
	x, y, z := num.Decode(f, a), num.Decode(f, b), num.Decode(f, c)
	for _, v := range []float64{x, y, z} {
		if v-v != 0 {
			return
		}
	}
	switch {
	case fn == Sqrt && x <= 0, (fn == Div || fn == Fmod) && y == 0, fn == Recip && x == 0:
		return
	}
	r := floatDefs[fn](exact(x), exact(y), exact(z))
	if r.Sign() == 0 {
		return
	}
	want := num.Encode(f, toOdd(r), num.NearestEven, false)
	if got := must(t, fn, f, []uint64{a, b, c}[:fn.Arity]...); got != want {
		t.Fatalf("%v %v of %v, %v, %v = %v, want %v", fn, f, x, y, z, num.Decode(f, got), num.Decode(f, want))
	}
}

// TestFloats tests all pairs of 8-bit floats and samples of the wider formats.
func TestFloats(t *testing.T) {
	for fn := range floatDefs {
		t.Run(fn.Name, func(t *testing.T) {
			for _, f := range []num.Format{num.F8E4M3FN, num.F8E5M2, num.HiF8, num.F4E2M1, num.F4E1M2} {
				n := uint64(1) << f.Bits()
				for i := range n * n {
					if fn.Arity < 2 && i >= n {
						break
					}
					checkFloat(t, fn, f, i%n, i/n, (i*37+11)%n)
				}
			}
			for _, f := range []num.Format{num.F16, num.BF16, num.TF32, num.F32} {
				if fn == Fmod && f == num.F32 {
					continue // quotients of more than 800 bits; below
				}
				values := samples(f, 60)
				for i, a := range values {
					for j, b := range values {
						checkFloat(t, fn, f, a, b, values[(i*13+j*7)%len(values)])
					}
				}
			}
		})
	}
}

// oddNext returns x if x is integral, and otherwise the odd one of the two integers next
// to x.
func oddNext(x float64) float64 {
	if f := math.Floor(x); f == x || math.Mod(f, 2) != 0 {
		return f
	}
	return math.Ceil(x)
}

// TestFloatUnaryExhaustive tests the functions of one operand for all f16 and bf16
// numbers.
func TestFloatUnaryExhaustive(t *testing.T) {
	for _, f := range []num.Format{num.F16, num.BF16} {
		for a := range uint64(1 << 16) {
			x := num.Decode(f, a)
			for fn, want := range map[*Fn]float64{
				Relu: math.Max(x, 0), Floor: math.Floor(x), Ceil: math.Ceil(x), Trunc: math.Trunc(x), Odd: oddNext(x),
				Round: math.Round(x), Rint: math.RoundToEven(x), Sqrt: math.Sqrt(x), Recip: 1 / x,
			} {
				if got := must(t, fn, f, a); !num.Same(f, got, num.Encode(f, want, num.NearestEven, false)) {
					t.Fatalf("%v %v of %v = %v, want %v", fn, f, x, num.Decode(f, got), want)
				}
			}
			for fn, want := range map[*Fn]uint64{Neg: a ^ 0x8000, Abs: a &^ 0x8000, Copy: a} {
				if got := must(t, fn, f, a); got != want {
					t.Fatalf("%v %v of %#x = %#x", fn, f, a, got)
				}
			}
			checkFloat(t, Sqrt, f, a, 0, 0)
			checkFloat(t, Recip, f, a, 0, 0)
		}
	}
}

// TestFmaRoundsOnce tests operands for which rounding the product first, or rounding the
// sum to nearest in float64, would yield a wrong result.
func TestFmaRoundsOnce(t *testing.T) {
	f32 := func(x float64) uint64 { return num.Encode(num.F32, x, num.NearestEven, false) }
	tests := []struct {
		name    string
		a, b, c float64
		want    float64
	}{
		{"product is inexact", 1 + 0x1p-12, 1 + 0x1p-12, -1, 0x1p-11 + 0x1p-24},
		{"just above a tie", 1 + 0x1p-12, 1 + 0x1p-12, 0x1p-60, 1 + 0x1p-11 + 0x1p-23},
		{"just below a tie", 1 + 0x1p-12, 1 + 0x1p-12, -0x1p-60, 1 + 0x1p-11},
		{"a tie", 1 + 0x1p-12, 1 + 0x1p-12, 0, 1 + 0x1p-11},
		{"cancels", 3, 5, -15, 0},
		{"denormal", 0x1p-100, 0x1p-49, 0x1p-149, 0x1p-148},
		{"no overflow in between", 0x1p127, 2, -0x1p127, 0x1p127},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := num.Decode(num.F32, must(t, Fma, num.F32, f32(tt.a), f32(tt.b), f32(tt.c)))
			if got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	one := num.Encode(num.F64, 1+0x1p-30, num.NearestEven, false)
	minus := num.Encode(num.F64, -1, num.NearestEven, false)
	if got := num.Decode(num.F64, must(t, Fma, num.F64, one, one, minus)); got != 0x1p-29+0x1p-60 {
		t.Errorf("f64: %v", got)
	}
	if got := num.Decode(num.F32, must(t, MulAdd, num.F32, f32(1+0x1p-12), f32(1+0x1p-12), f32(-1))); got != 0x1p-11 {
		t.Errorf("muladd does not round its product: %v", got)
	}
}

// TestRemainders checks that fmod is exact with 0 <= |r| < |b|, and that rem is congruent
// to it and has the sign of b.
func TestRemainders(t *testing.T) {
	values := samples(num.F32, 200)
	for _, a := range values {
		for _, b := range values {
			x, y := num.Decode(num.F32, a), num.Decode(num.F32, b)
			if x-x != 0 || y-y != 0 || y == 0 {
				continue
			}
			r := num.Decode(num.F32, must(t, Fmod, num.F32, a, b))
			if math.Abs(r) >= math.Abs(y) || r != 0 && math.Signbit(r) != math.Signbit(x) || r != math.Mod(x, y) {
				t.Fatalf("fmod(%v, %v) = %v", x, y, r)
			}
			want := r
			if r != 0 && math.Signbit(r) != math.Signbit(y) {
				want = float64(float32(r + y))
			}
			if got := num.Decode(num.F32, must(t, Rem, num.F32, a, b)); got != want {
				t.Fatalf("rem(%v, %v) = %v, want %v", x, y, got, want)
			}
		}
	}
}

// TestFloatEdges tests special cases in f32. It compares results as numbers with signed
// zeros.
func TestFloatEdges(t *testing.T) {
	nan, inf, neg0 := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	tests := []struct {
		fn      *Fn
		x, y, z float64
		want    float64
	}{
		{Max, nan, 1, 0, nan}, {Max, 1, nan, 0, nan}, {Max, 0, neg0, 0, 0}, {Max, neg0, 0, 0, 0}, {Max, neg0, neg0, 0, neg0},
		{Max, inf, nan, 0, nan}, {Max, -inf, 3, 0, 3},
		{Min, nan, 1, 0, nan}, {Min, 1, nan, 0, nan}, {Min, 0, neg0, 0, neg0}, {Min, neg0, 0, 0, neg0}, {Min, 0, 0, 0, 0},
		{MaxNum, nan, 1, 0, 1}, {MaxNum, 1, nan, 0, 1}, {MaxNum, nan, nan, 0, nan}, {MaxNum, neg0, 0, 0, 0}, {MaxNum, 2, 3, 0, 3},
		{MinNum, nan, 1, 0, 1}, {MinNum, 1, nan, 0, 1}, {MinNum, nan, nan, 0, nan}, {MinNum, 0, neg0, 0, neg0}, {MinNum, 2, 3, 0, 2},
		{Relu, nan, 0, 0, nan}, {Relu, neg0, 0, 0, 0}, {Relu, -1, 0, 0, 0}, {Relu, -inf, 0, 0, 0}, {Relu, inf, 0, 0, inf},
		{LRelu, nan, 2, 0, nan}, {LRelu, -2, 0.5, 0, -1}, {LRelu, neg0, inf, 0, neg0}, {LRelu, 0, nan, 0, 0}, {LRelu, -inf, 0, 0, nan},
		{Prelu, -2, -0.5, 0, 1}, {PreluAbove, 2, -1, 0, 2}, {PreluAbove, 0, -1, 0, neg0}, {PreluAbove, neg0, inf, 0, nan}, {PreluAbove, nan, 2, 0, nan}, {AddRelu, -1, -1, 0, 0}, {AddRelu, inf, -inf, 0, nan}, {SubRelu, 3, 1, 0, 2},
		{FmaRelu, 2, 3, -7, 0}, {FmaRelu, 2, 3, 1, 7}, {FmaRelu, nan, 3, 1, nan},
		{Add, inf, -inf, 0, nan}, {Add, neg0, neg0, 0, neg0}, {Add, 1, -1, 0, 0}, {Sub, 0, 0, 0, 0}, {Mul, 0, inf, 0, nan}, {Mul, neg0, 3, 0, neg0},
		{Add, math.MaxFloat32, math.MaxFloat32, 0, inf}, {Mul, 0x1p-149, 0.5, 0, 0}, {Mul, 0x1p-149, 0.75, 0, 0x1p-149},
		{Div, 1, 0, 0, inf}, {Div, -1, 0, 0, -inf}, {Div, 1, neg0, 0, -inf}, {Div, 0, 0, 0, nan}, {Recip, 0, 0, 0, inf}, {Recip, neg0, 0, 0, -inf}, {Recip, -inf, 0, 0, neg0},
		{Fmod, 1, 0, 0, nan}, {Fmod, inf, 2, 0, nan}, {Fmod, 5, inf, 0, 5}, {Fmod, -5, 3, 0, -2}, {Fmod, 5, -3, 0, 2}, {Fmod, neg0, 3, 0, neg0}, {FmodByQuotient, -6, 3, 0, 0}, {FmodByQuotient, 5, inf, 0, nan}, {RemByQuotient, -5, 3, 0, 1}, {RemByQuotient, 5, -3, 0, -1}, {RemByQuotient, -1e-30, 3, 0, 3}, {FloorByQuotient, -1e-30, 3, 0, 3}, {FloorByQuotient, -5, inf, 0, nan}, {FmodByQuotient, 1 << 24, 0.1, 0, 0}, {Fmod, nan, 1, 0, nan},
		{Rem, -5, 3, 0, 1}, {Rem, 5, -3, 0, -1}, {Rem, 5, 3, 0, 2}, {Rem, 1, 0, 0, nan}, {Rem, 5, inf, 0, 5}, {Rem, -5, inf, 0, inf}, {Rem, -1e-30, 3, 0, 3}, {Rem, neg0, 3, 0, 0}, {Rem, -6, -3, 0, 0}, {RemZero, -6, 3, 0, neg0}, {RemZero, 6, -3, 0, 0}, {RemZero, neg0, 3, 0, neg0}, {RemZero, -5, 3, 0, 1}, {RemZero, 5, -3, 0, -1}, {RemZero, -5, inf, 0, inf}, {RemZero, 1, 0, 0, nan}, {Fmod, neg0, 3, 0, neg0}, {FmodByQuotient, -6, 3, 0, 0}, {FmodByQuotient, 5, inf, 0, nan}, {RemByQuotient, -5, 3, 0, 1}, {RemByQuotient, 5, -3, 0, -1}, {RemByQuotient, -1e-30, 3, 0, 3}, {FloorByQuotient, -1e-30, 3, 0, 3}, {FloorByQuotient, -5, inf, 0, nan}, {FmodByQuotient, 1 << 24, 0.1, 0, 0}, {Fmod, -6, 3, 0, neg0},
		{Sqrt, -1, 0, 0, nan}, {Sqrt, neg0, 0, 0, neg0}, {Sqrt, inf, 0, 0, inf}, {Rsqrt, 0, 0, 0, inf}, {Rsqrt, neg0, 0, 0, -inf}, {Rsqrt, inf, 0, 0, 0}, {Rsqrt, 4, 0, 0, 0.5}, {Rsqrt, -1, 0, 0, nan},
		{Neg, 0, 0, 0, neg0}, {Abs, -inf, 0, 0, inf}, {CopySign, 3, neg0, 0, -3}, {CopySign, -3, 1, 0, 3},
		{Select, 1, 2, 3, 2}, {Select, 0, 2, 3, 3}, {Select, neg0, 2, 3, 2},
		{Floor, -0.5, 0, 0, -1}, {Ceil, -0.5, 0, 0, neg0}, {Round, 2.5, 0, 0, 3}, {Round, -2.5, 0, 0, -3}, {Rint, 2.5, 0, 0, 2}, {Trunc, -2.5, 0, 0, -2}, {Odd, 2.5, 0, 0, 3}, {Odd, -0.25, 0, 0, -1}, {Odd, -3.75, 0, 0, -3}, {Odd, 4, 0, 0, 4}, {Odd, neg0, 0, 0, neg0}, {Odd, nan, 0, 0, nan}, {Floor, nan, 0, 0, nan}, {Ceil, inf, 0, 0, inf},
		{Exp, nan, 0, 0, nan}, {Exp, inf, 0, 0, inf}, {Exp, -inf, 0, 0, 0}, {Exp, 0, 0, 0, 1}, {Exp, 89, 0, 0, inf}, {Exp, -104, 0, 0, 0}, {Exp, 1e38, 0, 0, inf},
		{Exp2, nan, 0, 0, nan}, {Exp2, 10, 0, 0, 1024}, {Exp2, -149, 0, 0, 0x1p-149}, {Exp2, 128, 0, 0, inf}, {Exp2, inf, 0, 0, inf}, {Exp2, -inf, 0, 0, 0}, {Exp2, -1e30, 0, 0, 0},
		{Expm1, neg0, 0, 0, neg0}, {Expm1, -inf, 0, 0, -1}, {Expm1, inf, 0, 0, inf}, {Expm1, nan, 0, 0, nan}, {Expm1, 0x1p-140, 0, 0, 0x1p-140},
		{ExpDif, 3, 3, 0, 1}, {ExpDif, -inf, 1, 0, 0}, {ExpDif, inf, inf, 0, nan}, {ExpDif, 1, 200, 0, 0},
		{Log, 0, 0, 0, -inf}, {Log, neg0, 0, 0, -inf}, {Log, -1, 0, 0, nan}, {Log, 1, 0, 0, 0}, {Log, inf, 0, 0, inf}, {Log, nan, 0, 0, nan}, {Log, -inf, 0, 0, nan},
		{Log2, 8, 0, 0, 3}, {Log2, 0x1p-149, 0, 0, -149}, {Log2, 0, 0, 0, -inf}, {Log10, 1000, 0, 0, 3}, {Log10, 1e10, 0, 0, 10}, {Log10, -1, 0, 0, nan},
		{Log1p, neg0, 0, 0, neg0}, {Log1p, -1, 0, 0, -inf}, {Log1p, -2, 0, 0, nan}, {Log1p, 0x1p-140, 0, 0, 0x1p-140}, {Log1p, inf, 0, 0, inf}, {Log1p, nan, 0, 0, nan},
		{Tanh, neg0, 0, 0, neg0}, {Tanh, inf, 0, 0, 1}, {Tanh, -inf, 0, 0, -1}, {Tanh, nan, 0, 0, nan}, {Tanh, 50, 0, 0, 1}, {Tanh, 0x1p-140, 0, 0, 0x1p-140},
		{Sin, neg0, 0, 0, neg0}, {Sin, inf, 0, 0, nan}, {Sin, nan, 0, 0, nan}, {Cos, 0, 0, 0, 1}, {Cos, -inf, 0, 0, nan}, {Sin, 0x1p-140, 0, 0, 0x1p-140},
	}
	for _, tt := range tests {
		var in [3]uint64
		for i, v := range []float64{tt.x, tt.y, tt.z} {
			in[i] = num.Encode(num.F32, v, num.NearestEven, false)
		}
		got := must(t, tt.fn, num.F32, in[:tt.fn.Arity]...)
		if want := num.Encode(num.F32, tt.want, num.NearestEven, false); !num.Same(num.F32, got, want) {
			t.Errorf("%v(%v, %v, %v) = %v, want %v", tt.fn, tt.x, tt.y, tt.z, num.Decode(num.F32, got), tt.want)
		}
	}
}

// TestNaNBits checks that computed NaNs are canonical, and that functions which only move
// bits keep a NaN unchanged.
func TestNaNBits(t *testing.T) {
	const canonical, other = 0x7FC00000, 0xFFA12345
	for fn := range All() {
		if !fn.Supports(num.F32) {
			continue
		}
		got, err := fn.Eval3(num.F32, other, other, other)
		if err != nil {
			t.Fatal(err)
		}
		want := uint64(canonical)
		switch fn {
		case Copy, Select, CopySign:
			want = other
		case Neg, Abs:
			want = other &^ (1 << 31)
		}
		if got != want {
			t.Errorf("%v of NaN = %#x, want %#x", fn, got, want)
		}
	}
}

// TestSignOfOddFormats tests the sign functions for HiF8, which has one zero and one NaN,
// and for F8E8M0, which has no sign.
func TestSignOfOddFormats(t *testing.T) {
	tests := []struct {
		fn   *Fn
		f    num.Format
		a, b uint64
		want uint64
	}{
		{Neg, num.HiF8, 0x00, 0, 0x00}, {Neg, num.HiF8, 0x80, 0, 0x80}, {Neg, num.HiF8, 0x08, 0, 0x88}, {Neg, num.HiF8, 0xEF, 0, 0x6F},
		{Abs, num.HiF8, 0x80, 0, 0x80}, {Abs, num.HiF8, 0x88, 0, 0x08}, {CopySign, num.HiF8, 0x08, 0x80, 0x88}, {CopySign, num.HiF8, 0x00, 0x88, 0x00},
		{Neg, num.F8E8M0, 0x7F, 0, 0x7F}, {Abs, num.F8E8M0, 0xFE, 0, 0xFE}, {Neg, num.F4E2M1, 0, 0, 8},
	}
	for _, tt := range tests {
		if got := must(t, tt.fn, tt.f, []uint64{tt.a, tt.b}[:tt.fn.Arity]...); got != tt.want {
			t.Errorf("%v %v %#x %#x = %#x, want %#x", tt.fn, tt.f, tt.a, tt.b, got, tt.want)
		}
	}
}

// TestOfScalar checks that fn.Rest(a, fn.OfScalar(b)) equals fn(a, b) for functions that
// can be split for a shared operand.
func TestOfScalar(t *testing.T) {
	split := 0
	for fn := range All() {
		if fn.OfScalar == nil {
			continue
		}
		split++
		for _, f := range []num.Format{num.F16, num.BF16, num.F32} {
			xs := samples(f, 60)
			for _, b := range xs {
				s := fn.OfScalar(f, b)
				for _, a := range xs {
					if got, want := must(t, fn.Rest, f, a, s), must(t, fn, f, a, b); got != want {
						t.Fatalf("%v %v of %#x, %#x = %#x, want %#x", f, fn, a, b, got, want)
					}
				}
			}
		}
	}
	if split == 0 {
		t.Error("no function is split")
	}
}
