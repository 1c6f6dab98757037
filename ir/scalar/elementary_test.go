package scalar

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/big"
	"testing"

	"ptogo/ir/num"
)

// bigPrec is the precision in bits of the arithmetic with which tests check elementary
// functions. The largest float64 has 1024 bits before the point.
const bigPrec = 1500

func bf(x float64) *big.Float { return new(big.Float).SetPrec(bigPrec).SetFloat64(x) }

// bigExp returns e^x. It sums the series of a small argument and squares the result
// repeatedly.
func bigExp(x *big.Float) *big.Float {
	const halvings = 40
	y := new(big.Float).SetMantExp(x, -halvings)
	sum, term := bf(1), bf(1)
	for n := 1; n < 60; n++ {
		term.Mul(term, y)
		term.Quo(term, bf(float64(n)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigLog returns the natural logarithm of x. It improves an approximation by Halley's
// method, which triples the number of digits per step.
func bigLog(x *big.Float) *big.Float {
	guess, _ := x.Float64()
	y := bf(math.Log(guess))
	for range 3 {
		e := bigExp(y)
		d := new(big.Float).Sub(x, e)
		d.Quo(d, e.Add(e, x))
		y.Add(y, d.Add(d, d))
	}
	return y
}

// bigPi returns π by Machin's formula, 16 atan(1/5) - 4 atan(1/239).
var bigPi = func() *big.Float {
	atanInv := func(n float64) *big.Float {
		sum, power, sq := bf(0), new(big.Float).Quo(bf(1), bf(n)), bf(n*n)
		for k := 1.0; power.MantExp(nil) > -bigPrec; k += 4 {
			sum.Add(sum, new(big.Float).Quo(power, bf(k)))
			power.Quo(power, sq)
			sum.Sub(sum, new(big.Float).Quo(power, bf(k+2)))
			power.Quo(power, sq)
		}
		return sum
	}
	a, b := atanInv(5), atanInv(239)
	return a.Sub(a.Mul(a, bf(16)), b.Mul(b, bf(4)))
}()

// bigSin returns the sine of x. It subtracts multiples of 2π and sums the series.
func bigSin(x *big.Float) *big.Float {
	period := new(big.Float).Add(bigPi, bigPi)
	turns, _ := new(big.Float).Quo(x, period).Int(nil)
	r := new(big.Float).Sub(x, period.Mul(period, new(big.Float).SetPrec(bigPrec).SetInt(turns)))
	sum, term, sq := new(big.Float).Set(r), new(big.Float).Set(r), new(big.Float).Mul(r, r)
	for n := 2.0; n < 120; n += 2 {
		term.Mul(term, sq)
		term.Quo(term, bf(-n*(n+1)))
		sum.Add(sum, term)
	}
	return sum
}

func bigCos(x *big.Float) *big.Float {
	quarter := new(big.Float).SetMantExp(bigPi, -1)
	return bigSin(quarter.Add(quarter, x))
}

// elementaryDefs contains the definitions of the elementary functions and the ranges in
// which tests sample them.
var elementaryDefs = []struct {
	fn     *Fn
	f      func(float64) float64
	def    func(x *big.Float) *big.Float
	lo, hi float64
	ulp    float64 // allowed error in units of float64
}{
	{Exp, exp, bigExp, -740, 709, 3},
	{Exp2, exp2, func(x *big.Float) *big.Float { return bigExp(x.Mul(x, bigLog(bf(2)))) }, -1070, 1023, 3},
	{Expm1, expm1, func(x *big.Float) *big.Float { return new(big.Float).Sub(bigExp(x), bf(1)) }, -2, 2, 4},
	{Log, log, bigLog, 0, 10, 2},
	{Log, log, bigLog, 0.9, 1.1, 2},
	{Log2, log2, func(x *big.Float) *big.Float { return new(big.Float).Quo(bigLog(x), bigLog(bf(2))) }, 0, 10, 4},
	{Log10, log10, func(x *big.Float) *big.Float { return new(big.Float).Quo(bigLog(x), bigLog(bf(10))) }, 0, 10, 4},
	{Log1p, log1p, func(x *big.Float) *big.Float { return bigLog(x.Add(x, bf(1))) }, -0.9, 3, 3},
	{Tanh, tanh, func(x *big.Float) *big.Float {
		e := bigExp(x.Add(x, x))
		return new(big.Float).Quo(new(big.Float).Sub(e, bf(1)), e.Add(e, bf(1)))
	}, -5, 5, 5},
	{Sin, sin, bigSin, -8, 8, 4},
	{Sin, sin, bigSin, -1e300, 1e300, 4},
	{Cos, cos, bigCos, -8, 8, 4},
	{Cos, cos, bigCos, -1e18, 1e18, 4},
	{Rsqrt, func(x float64) float64 { return 1 / math.Sqrt(x) }, func(x *big.Float) *big.Float {
		return new(big.Float).Quo(bf(1), x.Sqrt(x))
	}, 0, 100, 2},
}

// TestElementaryAccuracy checks that the float64 results are accurate to a few units in
// the last place, also for tiny arguments.
func TestElementaryAccuracy(t *testing.T) {
	r := rng()
	for _, d := range elementaryDefs {
		t.Run(d.fn.Name, func(t *testing.T) {
			worst := 0.0
			for i := range 120 {
				x := d.lo + r.Float64()*(d.hi-d.lo)
				if i%4 == 0 && (d.lo < 0 || d.lo == 0) {
					x = math.Ldexp(x, -r.IntN(60))
				}
				got := d.f(x)
				want, _ := d.def(bf(x)).Float64()
				unit := math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want)
				if err := math.Abs(got-want) / unit; err > worst {
					worst = err
					if err > d.ulp {
						t.Fatalf("%v(%v) = %v, want %v: %v units", d.fn, x, got, want, err)
					}
				}
			}
			t.Logf("%v units of float64", worst)
		})
	}
}

// TestReduceNearMultiples tests the hardest arguments of the argument reduction: the
// float64 and f32 numbers that are nearest to multiples of π/2.
func TestReduceNearMultiples(t *testing.T) {
	for _, x := range []float64{6381956970095103 * 0x1p797, 16367173 * 0x1p72, math.Pi, math.Pi / 2, 3 * math.Pi / 4, math.MaxFloat64, 0x1p1000, 710} {
		for _, y := range []float64{x, -x} {
			for _, c := range []struct {
				name string
				f    func(float64) float64
				def  func(*big.Float) *big.Float
			}{{"sin", sin, bigSin}, {"cos", cos, bigCos}} {
				want, _ := c.def(bf(y)).Float64()
				if got := c.f(y); math.Abs(got-want) > 0x1p-51*math.Abs(want) {
					t.Errorf("%s(%v) = %v, want %v", c.name, y, got, want)
				}
			}
		}
	}
}

func TestTwoOverPi(t *testing.T) {
	x := new(big.Float).Quo(bf(2), bigPi)
	for i, want := range twoOverPi[1:] {
		x.SetMantExp(x, 64)
		word, _ := x.Int(nil)
		if word.Uint64() != want {
			t.Errorf("word %d is %#x, want %#x", i+1, want, word)
		}
		x.Sub(x, new(big.Float).SetPrec(bigPrec).SetInt(word))
	}
}

// TestElementaryExhaustive checks for every 16-bit float that the rounded result is
// within one unit of package math, and almost always equal.
func TestElementaryExhaustive(t *testing.T) {
	reference := map[*Fn]func(float64) float64{
		Exp: math.Exp, Exp2: math.Exp2, Expm1: math.Expm1, Log: math.Log, Log2: math.Log2, Log10: math.Log10,
		Log1p: math.Log1p, Tanh: math.Tanh, Sin: math.Sin, Cos: math.Cos,
		Rsqrt: func(x float64) float64 { return 1 / math.Sqrt(x) },
	}
	for fn, ref := range reference {
		t.Run(fn.Name, func(t *testing.T) {
			for _, f := range []num.Format{num.F16, num.BF16} {
				differ := 0
				for a := range uint64(1 << 16) {
					got := must(t, fn, f, a)
					want := num.Encode(f, ref(num.Decode(f, a)), num.NearestEven, false)
					if num.Same(f, got, want) {
						continue
					}
					differ++
					if d := int64(got) - int64(want); d != 1 && d != -1 {
						t.Fatalf("%v %v of %v = %v, want %v", fn, f, num.Decode(f, a), num.Decode(f, got), num.Decode(f, want))
					}
				}
				if differ > 2 {
					t.Errorf("%v: %d results differ", f, differ)
				}
			}
		})
	}
}

// TestElementaryF32 checks that every sampled f32 result is the correctly rounded one or
// its neighbor.
func TestElementaryF32(t *testing.T) {
	for _, d := range elementaryDefs {
		t.Run(d.fn.Name, func(t *testing.T) {
			for i, a := range samples(num.F32, 60) {
				x := num.Decode(num.F32, a)
				if x-x != 0 || x == 0 || math.Abs(x) > 80 && d.hi < 2e3 || x < 0 && d.lo >= 0 || d.fn == Log1p && x <= -1 {
					continue
				}
				if (d.fn == Expm1 || d.fn == Log1p || d.fn == Tanh) && math.Abs(x) < 0x1p-100 && i > 40 {
					continue // they are x there; see the edges
				}
				got := must(t, d.fn, num.F32, a)
				want := num.Encode(num.F32, toOdd(d.def(bf(x))), num.NearestEven, false)
				if diff := int64(got) - int64(want); diff < -1 || diff > 1 {
					t.Fatalf("%v of %v = %v, want %v", d.fn, x, num.Decode(num.F32, got), num.Decode(num.F32, want))
				}
			}
		})
	}
}

func TestPow(t *testing.T) {
	nan, inf, neg0 := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	special := []float64{0, neg0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, 2.5, 1e30, -1e30, 1e-30, inf, -inf, nan, 65, -65, 1 << 53}
	for _, x := range special {
		for _, y := range special {
			got, want := pow(x, y), math.Pow(x, y) // C's rules as well
			near := math.Abs(got-want) <= 1e-12*math.Abs(want)
			if got != want && !near && !(got != got && want != want) || math.Signbit(got) != math.Signbit(want) && got == got {
				t.Errorf("pow(%v, %v) = %v, want %v", x, y, got, want)
			}
		}
	}
	r := rng()
	for range 400 {
		x, y := float64(float32(math.Exp(r.NormFloat64()*3))), float64(float32(r.NormFloat64()*10))
		a, b := num.Encode(num.F32, x, 0, false), num.Encode(num.F32, y, 0, false)
		want := num.Encode(num.F32, toOdd(bigExp(new(big.Float).Mul(bf(y), bigLog(bf(x))))), num.NearestEven, false)
		if got := must(t, Pow, num.F32, a, b); int64(got)-int64(want) > 1 || int64(want)-int64(got) > 1 {
			t.Errorf("pow(%v, %v) = %v, want %v", x, y, num.Decode(num.F32, got), num.Decode(num.F32, want))
		}
	}
	for n := -20; n <= 20; n++ { // products are exact
		if got := pow(2, float64(n)); got != math.Ldexp(1, n) {
			t.Errorf("2 to the %d = %v", n, got)
		}
	}
	if got := pow(3, 20); got != 3486784401 {
		t.Errorf("3 to the 20 = %v", got)
	}
}

// TestSameBitsEverywhere compares a hash of the bits of all results with a constant. It
// detects a machine or compiler that fuses operations or uses its own functions. A
// deliberate change of an algorithm must change the constant.
func TestSameBitsEverywhere(t *testing.T) {
	got := map[string]uint64{}
	h := fnv.New64a()
	for _, d := range elementaryDefs {
		h.Reset()
		r := rng()
		for range 5000 {
			x := d.lo + float64((d.hi-d.lo)*r.Float64())
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(d.f(x)))
			h.Write(b[:])
		}
		got[d.fn.Name] ^= h.Sum64()
	}
	for name, want := range sameBits {
		if got[name] != want {
			t.Errorf("%q: %#016x, want %#016x", name, got[name], want)
		}
	}
	if len(got) != len(sameBits) {
		t.Errorf("%d functions, %d recorded: %#x", len(got), len(sameBits), got)
	}
}

var sameBits = map[string]uint64{
	"exp": 0x76714c36ab0a5fb9, "exp2": 0x80842f98db51c3b1, "expm1": 0x4ad1978ac2482458,
	"log": 0x3513ea2440a37e7f, "log2": 0xa1a675badf14763b, "log10": 0x889f2ae6cd20b762, "log1p": 0x194da2761289717f,
	"tanh": 0xc66d1cec888af84f, "sin": 0xd7e82b269be96634, "cos": 0xccb0e2a9b04b6cfc, "rsqrt": 0x99193c3300c7f801,
}

// TestElementaryIn32 checks the error bounds of the float32 algorithms for all
// magnitudes, and their bits.
func TestElementaryIn32(t *testing.T) {
	for _, c := range []struct {
		fn    *Fn
		bound float64 // in units
		last  uint32  // magnitude
		bits  uint64
	}{
		{Exp, 0.51, 0x42D20000, 0x4d61158d489bd3a0}, // up to 105
		{Log, 0.51, 0x7F7FFFFF, 0x22d3236277e05e0c},
	} {
		h := fnv.New64a()
		for b := uint32(1); b < c.last && c.last-b > 1021; b += 1021 {
			for _, x := range []float32{math.Float32frombits(b), -math.Float32frombits(b)} {
				got, want := c.fn.Flt32(x, 0, 0), c.fn.Flt(float64(x), 0, 0)
				if want != want {
					continue
				}
				var bits [4]byte
				binary.LittleEndian.PutUint32(bits[:], math.Float32bits(got))
				h.Write(bits[:])
				_, e := math.Frexp(want)
				if err := math.Abs(float64(got)-want) / math.Ldexp(1, max(e-24, -149)); err > c.bound && want <= math.MaxFloat32 {
					t.Fatalf("%s(%v) = %v, want %v: %v units", c.fn, x, got, want, err)
				}
			}
		}
		if got := h.Sum64(); got != c.bits {
			t.Errorf("the bits of %s are %#x", c.fn, got)
		}
	}
	inf := float32(math.Inf(1))
	for x, want := range map[float32]float32{inf: inf, -inf: 0, 1e30: inf, -1e30: 0, 88.72283: 3.4027985e38, 88.72284: inf, -103.97: 0x1p-149, -103.98: 0} {
		if got := exp32(x); got != want {
			t.Errorf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	for x, want := range map[float32]float32{inf: inf, 0: -inf, 1: 0, math.MaxFloat32: 88.72284, 0x1p-149: -103.27893} {
		if got := log32(x); got != want {
			t.Errorf("log(%v) = %v, want %v", x, got, want)
		}
	}
	if log32(-1) == log32(-1) || log32(-inf) == log32(-inf) {
		t.Error("logarithms of negative numbers are not NaN")
	}
}
