package scalar

import (
	"errors"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"ptogo/ir/num"
)

// intDefs are definitions of integer functions on integers of unlimited size. They
// receive the operands and the width of the format; a result outside of the format wraps.
var intDefs = map[*Fn]func(a, b *big.Int, w uint) *big.Int{
	Add:      func(a, b *big.Int, _ uint) *big.Int { return new(big.Int).Add(a, b) },
	Carry:    func(a, b *big.Int, w uint) *big.Int { s := new(big.Int).Add(a, b); return s.Rsh(s, w) },
	Sub:      func(a, b *big.Int, _ uint) *big.Int { return new(big.Int).Sub(a, b) },
	Mul:      func(a, b *big.Int, _ uint) *big.Int { return new(big.Int).Mul(a, b) },
	MulHi:    bigMulHi,
	MulHiS:   bigMulHi,
	MulHiU:   bigMulHi,
	AbsDiff:  func(a, b *big.Int, _ uint) *big.Int { d := new(big.Int).Sub(a, b); return d.Abs(d) },
	Recip:    func(a, _ *big.Int, _ uint) *big.Int { return new(big.Int).Quo(big.NewInt(1), a) },
	Div:      func(a, b *big.Int, _ uint) *big.Int { return new(big.Int).Quo(a, b) },
	DivS:     func(a, b *big.Int, _ uint) *big.Int { return new(big.Int).Quo(a, b) },
	DivU:     func(a, b *big.Int, _ uint) *big.Int { return new(big.Int).Quo(a, b) },
	FloorDiv: bigFloorDiv, FloorDivS: bigFloorDiv,
	CeilDiv: bigCeilDiv, CeilDivS: bigCeilDiv, CeilDivU: bigCeilDiv,
	Fmod: func(a, b *big.Int, _ uint) *big.Int { return new(big.Int).Rem(a, b) },
	RemS: func(a, b *big.Int, _ uint) *big.Int { return new(big.Int).Rem(a, b) },
	RemU: func(a, b *big.Int, _ uint) *big.Int { return new(big.Int).Rem(a, b) },
	Rem:  bigFloorRem, RemZero: bigFloorRem,
	Max: bigMax, MaxS: bigMax, MaxU: bigMax,
	Min: bigMin, MinS: bigMin, MinU: bigMin,
	Carry:   func(a, b *big.Int, w uint) *big.Int { s := new(big.Int).Add(a, b); return s.Rsh(s, w) },
	And:     func(a, b *big.Int, _ uint) *big.Int { return new(big.Int).And(a, b) },
	Or:      func(a, b *big.Int, _ uint) *big.Int { return new(big.Int).Or(a, b) },
	Xor:     func(a, b *big.Int, _ uint) *big.Int { return new(big.Int).Xor(a, b) },
	Not:     func(a, _ *big.Int, _ uint) *big.Int { return new(big.Int).Not(a) },
	Neg:     func(a, _ *big.Int, _ uint) *big.Int { return new(big.Int).Neg(a) },
	Abs:     func(a, _ *big.Int, _ uint) *big.Int { return new(big.Int).Abs(a) },
	Shl:     func(a, b *big.Int, w uint) *big.Int { return new(big.Int).Lsh(a, bigCount(b, w)) },
	ShlWide: func(a, b *big.Int, w uint) *big.Int { return new(big.Int).Lsh(a, bigCount(b, max(w, 32))) },
	ShrWide: func(a, b *big.Int, w uint) *big.Int { return new(big.Int).Rsh(a, bigCount(b, max(w, 32))) },
	// An arithmetic shift of a number is a division rounded down, whatever its
	// sign; a number that is not negative shifts logically.
	Shr: bigShr, ShrS: bigShr, ShrU: bigShr,
	Relu:    func(a, _ *big.Int, _ uint) *big.Int { return bigMax(a, new(big.Int), 0) },
	Copy:    func(a, _ *big.Int, _ uint) *big.Int { return a },
	AddRelu: nil, SubRelu: nil, Pow: nil, // below: they depend on the wrapped value
	PopCount: nil, LeadingZeros: nil, TrailingZeros: nil, LeadingSigns: nil,
}

func bigFloorDiv(a, b *big.Int, _ uint) *big.Int {
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Sign() != 0 && r.Sign() != b.Sign() {
		q.Sub(q, big.NewInt(1))
	}
	return q
}

func bigCeilDiv(a, b *big.Int, w uint) *big.Int {
	q := bigFloorDiv(new(big.Int).Neg(a), b, w)
	return q.Neg(q)
}

func bigMax(a, b *big.Int, _ uint) *big.Int {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

func bigMin(a, b *big.Int, _ uint) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

func bigCount(b *big.Int, w uint) uint {
	return uint(new(big.Int).Mod(b, big.NewInt(int64(w))).Uint64())
}

func bigShr(a, b *big.Int, w uint) *big.Int { return new(big.Int).Rsh(a, bigCount(b, w)) }

func bigMulHi(a, b *big.Int, w uint) *big.Int {
	p := new(big.Int).Mul(a, b)
	return p.Rsh(p, w)
}

// asBig returns the integer that the bits v denote, with the sign that the function fn
// uses.
func asBig(fn *Fn, f num.Format, v uint64) *big.Int {
	if fn.Sign.Reading(f).Signed() {
		return big.NewInt(num.Int(f, v))
	}
	return new(big.Int).SetUint64(num.Uint(f, v))
}

func wrap(f num.Format, n *big.Int) uint64 {
	mod := new(big.Int).Lsh(big.NewInt(1), uint(f.Bits()))
	return new(big.Int).Mod(n, mod).Uint64()
}

func TestInts(t *testing.T) {
	for fn, def := range intDefs {
		if def == nil {
			continue
		}
		t.Run(fn.Name, func(t *testing.T) {
			for _, f := range []num.Format{num.I1, num.U1, num.I4, num.U4, num.I8, num.S8, num.U8, num.I16, num.U16, num.I32, num.U32, num.S64, num.U64} {
				as, bs := operands(f, fn.Arity)
				for _, a := range as {
					for _, b := range bs {
						checkInt(t, fn, def, f, a, b)
					}
				}
			}
		})
	}
}

// operands returns operands for tests: all values of formats of up to 8 bits, all 16-bit
// values for functions of one operand, and samples otherwise.
func operands(f num.Format, arity int) (a, b []uint64) {
	if f.Bits() <= 4 || f.Bits() == 8 || f.Bits() == 16 && arity == 1 {
		for v := range uint64(1) << f.Bits() {
			a = append(a, v)
		}
	} else {
		a = samples(f, 60)
	}
	if arity == 1 {
		return a, []uint64{0}
	}
	return a, a
}

// checkInt compares fn with its definition. It does not call t.Helper, which would need a
// quarter of the test time, because the function is called millions of times.
func checkInt(t *testing.T, fn *Fn, def func(a, b *big.Int, w uint) *big.Int, f num.Format, a, b uint64) {
	got, err := fn.Eval2(f, a, b)
	if fn.Divisor == 1 && a == 0 || fn.Divisor == 2 && b == 0 {
		if !errors.Is(err, ErrDivideByZero) {
			t.Fatalf("%v %v %#x %#x: error %v", fn, f, a, b, err)
		}
		return
	}
	want := wrap(f, def(asBig(fn, f, a), asBig(fn, f, b), uint(f.Bits())))
	if err != nil || got != want {
		t.Fatalf("%v %v %#x %#x = %#x, %v, want %#x", fn, f, a, b, got, err, want)
	}
}

// TestIntDefsComplete checks that every function without an entry in intDefs has another
// test.
func TestIntDefsComplete(t *testing.T) {
	elsewhere := map[*Fn]bool{Fma: true, MulAdd: true, Axpy: true, FmaRelu: true, Select: true, RemInF32: true, RemSInF32: true}
	for fn := range All() {
		if _, ok := intDefs[fn]; fn.Supports(num.I32) && !ok && !elsewhere[fn] {
			t.Errorf("%v is not tested on integers", fn)
		}
	}
}

// TestRemInF32 compares remainders through f32 with exact ones below 2^24, where they are
// equal, and tests operands beyond.
func TestRemInF32(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	below := func() int64 { return (r.Int64N(1<<25) - 1<<24) >> r.IntN(24) }
	for range 100000 {
		a, b := below(), below()
		for _, fn := range []*Fn{RemInF32, RemSInF32} {
			if b != 0 && fn.Int(a, b, 0) != Rem.Int(a, b, 0) {
				t.Fatalf("%v of %d and %d is %d, want %d", fn, a, b, fn.Int(a, b, 0), Rem.Int(a, b, 0))
			}
		}
	}
	for _, test := range []struct {
		fn         *Fn
		a, b, want int64
	}{
		{RemInF32, 1<<24 + 1, 3, 1}, // exact: 2
		{RemInF32, math.MaxInt32, 2, 1},
		{RemInF32, 1<<25 + 3, 1<<24 + 1, 4}, // as 2^25 + 4 and 2^24
		{RemSInF32, 1<<25 + 3, 1<<24 + 1, 2},
	} {
		if got := test.fn.Int(test.a, test.b, 0); got != test.want {
			t.Errorf("%v of %d and %d is %d, want %d", test.fn, test.a, test.b, got, test.want)
		}
	}
}

func TestCounts(t *testing.T) {
	for v := range uint64(1 << 16) {
		x := uint16(v)
		want := map[*Fn]int{
			PopCount: bits.OnesCount16(x), LeadingZeros: bits.LeadingZeros16(x),
			TrailingZeros: bits.TrailingZeros16(x), LeadingSigns: 0,
		}
		for i := 14; i >= 0 && x>>i&1 == x>>15; i-- {
			want[LeadingSigns]++
		}
		for fn, n := range want {
			if got := must(t, fn, num.I16, v); got != uint64(n) {
				t.Fatalf("%v of %#x = %d, want %d", fn, v, got, n)
			}
		}
	}
}

func TestIntRelus(t *testing.T) {
	for a := range 256 {
		for b := range 256 {
			for _, c := range []struct {
				fn   *Fn
				f    num.Format
				want int
			}{
				{AddRelu, num.I8, max(int(int8(a+b)), 0)},
				{SubRelu, num.S8, max(int(int8(a-b)), 0)},
				{AddRelu, num.U8, int(uint8(a + b))},
				{SubRelu, num.U8, int(uint8(a - b))},
			} {
				if got := must(t, c.fn, c.f, uint64(a), uint64(b)); got != uint64(c.want) {
					t.Fatalf("%v %v %d %d = %d, want %d", c.fn, c.f, a, b, got, c.want)
				}
			}
		}
	}
}

func TestIntPow(t *testing.T) {
	for a := -128; a < 128; a++ {
		for b := -128; b < 128; b++ {
			want := int8(1)
			for range b {
				want *= int8(a)
			}
			if b < 0 {
				switch {
				case a == 1, a == -1 && b%2 == 0:
					want = 1
				case a == -1:
					want = -1
				default:
					want = 0
				}
			}
			if got := must(t, Pow, num.I8, uint64(uint8(a)), uint64(uint8(b))); int8(got) != want {
				t.Fatalf("%d to the %d = %d, want %d", a, b, int8(got), want)
			}
		}
	}
	if got := must(t, Pow, num.U8, 3, 200); got != wrap(num.U8, new(big.Int).Exp(big.NewInt(3), big.NewInt(200), nil)) {
		t.Errorf("3 to the 200 = %d", got)
	}
}

func TestIntTernary(t *testing.T) {
	for a := range 256 {
		for _, b := range []int{0, 1, 7, 127, 128, 255} {
			for _, c := range []int{0, 1, 100, 128, 255} {
				x := []uint64{uint64(a), uint64(b), uint64(c)}
				want := uint64(uint8(a*b + c))
				for _, fn := range []*Fn{MulAdd, Fma, Axpy} {
					if got := must(t, fn, num.I8, x...); got != want {
						t.Fatalf("%v %v = %d, want %d", fn, x, got, want)
					}
				}
				if int8(want) < 0 {
					want = 0
				}
				if got := must(t, FmaRelu, num.I8, x...); got != want {
					t.Fatalf("%v %v = %d, want %d", FmaRelu, x, got, want)
				}
				want = uint64(c)
				if a != 0 {
					want = uint64(b)
				}
				if got := must(t, Select, num.U8, x...); got != want {
					t.Fatalf("select %v = %d, want %d", x, got, want)
				}
			}
		}
	}
}

// TestIntEdges tests the special cases that the ISA pages and the golden data define.
func TestIntEdges(t *testing.T) {
	tests := []struct {
		name string
		fn   *Fn
		f    num.Format
		a, b uint64
		want uint64
	}{
		{"smallest by -1", Div, num.I16, 0x8000, 0xFFFF, 0x8000},
		{"smallest by -1, 64 bits", Div, num.I64, 1 << 63, ^uint64(0), 1 << 63},
		{"remainder of that", Fmod, num.I64, 1 << 63, ^uint64(0), 0},
		{"quotient toward zero", Div, num.I32, uint64(uint32(0xFFFFFFF9)), 2, 0xFFFFFFFD},
		{"count is the width", Shl, num.I16, 1, 16, 1},
		{"count is above", Shr, num.U16, 0x8000, 17, 0x4000},
		{"count is negative", Shl, num.I32, 1, 0xFFFFFFFF, 0x80000000},
		{"count is the width of a narrow element", ShlWide, num.I16, 1, 16, 0},
		{"count is above a narrow width", ShrWide, num.S8, 0x80, 9, 0xFF},
		{"count is above a narrow width, without sign", ShrWide, num.U8, 0x80, 8, 0},
		{"count is modulo 32", ShlWide, num.I16, 1, 33, 2},
		{"count is modulo 64", ShrWide, num.U64, 8, 65, 4},
		{"signless right shift", Shr, num.I16, 0x8000, 15, 0xFFFF},
		{"signed right shift", Shr, num.S16, 0x8000, 15, 0xFFFF},
		{"unsigned right shift", Shr, num.U16, 0x8000, 15, 1},
		{"logical by name", ShrU, num.I16, 0x8000, 15, 1},
		{"arithmetic by name", ShrS, num.U16, 0x8000, 15, 0xFFFF},
		{"absolute value of the smallest", Abs, num.I8, 0x80, 0, 0x80},
		{"unsigned maximum by name", MaxU, num.I8, 0x80, 0x7F, 0x80},
		{"signless maximum", Max, num.I8, 0x80, 0x7F, 0x7F},
		{"i1 is -1", Max, num.I1, 1, 0, 0},
		{"ui1 is 1", Max, num.U1, 1, 0, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := must(t, tt.fn, tt.f, []uint64{tt.a, tt.b}[:tt.fn.Arity]...); got != tt.want {
				t.Errorf("got %#x, want %#x", got, tt.want)
			}
		})
	}
}

// bigFloorRem returns a - floor(a/b)*b.
func bigFloorRem(a, b *big.Int, w uint) *big.Int {
	q := bigFloorDiv(a, b, w)
	return q.Sub(a, q.Mul(q, b))
}
