package expr

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

var formats = []num.Format{num.F16, num.BF16, num.F32, num.F64, num.S8, num.U8, num.S16, num.U16, num.S32, num.U32, num.S64, num.U64}

// samples are numbers of a format, with special ones among them.
func samples(f num.Format, r *rand.Rand) []uint64 {
	xs := []uint64{0, 1, f.Mask(), f.SignBit(), f.SignBit() | 1}
	if f.IsFloat() {
		inf, _ := num.Inf(f, false)
		less, _ := num.Inf(f, true)
		xs = append(xs, inf, less, num.NaN(f), num.NaN(f)|f.SignBit(), inf|1, num.Encode(f, 1, num.NearestEven, false), num.Encode(f, -1, num.NearestEven, false))
	}
	for range 20 {
		xs = append(xs, r.Uint64()&f.Mask())
	}
	return xs
}

// TestSwaps checks on numbers that functions whose operands a normal form swaps or brings in
// another order give the same bits.
func TestSwaps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 38))
	table := New(Modulo{}, 0)
	swapped, nested := 0, 0
	for fn := range scalar.All() {
		for _, f := range formats {
			if !fn.Supports(f) || fn.Arity < 2 {
				continue
			}
			x := table.Function(fn, f)
			eval := func(a, b, c uint64) uint64 {
				y, err := fn.Eval3(f, a, b, c)
				if err != nil {
					return 0
				}
				return y
			}
			xs := samples(f, r)
			for _, a := range xs {
				for _, b := range xs {
					c := xs[r.IntN(len(xs))]
					if x.swaps || x.kind == anyOrder {
						swapped++
						if p, q := eval(a, b, c), eval(b, a, c); p != q {
							t.Fatalf("%s of %s: %#x and %#x give %#x, swapped %#x", fn, f, a, b, p, q)
						}
					}
					if x.kind != anyOrder {
						continue
					}
					nested++
					if p, q := eval(eval(a, b, 0), c, 0), eval(a, eval(b, c, 0), 0); p != q {
						t.Fatalf("%s of %s: (%#x, %#x), %#x gives %#x, but %#x, (%#x, %#x) gives %#x", fn, f, a, b, c, p, a, b, c, q)
					}
				}
			}
		}
	}
	if swapped < 1000 || nested < 1000 {
		t.Errorf("%d swaps and %d nested calls were tried", swapped, nested)
	}
}

// TestNeutral checks that the constants that a normal form drops change nothing: the rest
// is the value itself, or the value with the canonical NaN.
func TestNeutral(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 38))
	table := New(Modulo{}, 0)
	for _, fn := range []*scalar.Fn{scalar.Max, scalar.Min, scalar.Add, scalar.Mul, scalar.And, scalar.Or, scalar.Xor} {
		for _, f := range formats {
			x := table.Function(fn, f)
			if x.kind != anyOrder {
				continue
			}
			g := reading(fn, f)
			neutral := map[*scalar.Fn]uint64{scalar.Max: num.Extreme(g, true), scalar.Min: num.Extreme(g, false), scalar.Mul: 1, scalar.And: f.Mask()}[fn]
			if x.neutral != table.Const(neutral) {
				t.Errorf("%s of %s: the neutral constant is another", fn, f)
			}
			for _, a := range samples(f, r) {
				want := a
				if num.IsNaN(f, a) {
					want = num.NaN(f)
				}
				if got, _ := fn.Eval2(f, neutral, a); got != want {
					t.Errorf("%s of %s: %#x and %#x give %#x", fn, f, neutral, a, got)
				}
			}
		}
	}
}

// TestWidening checks on numbers that a conversion of an exact widening is the conversion
// itself, and on hashes that both have one normal form.
func TestWidening(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 38))
	table := New(Modulo{}, 0)
	a := number(7)
	for _, from := range formats {
		for _, wide := range formats {
			if !Exact(from, wide) {
				continue
			}
			widened := table.Apply(table.Conversion(from, wide, num.NearestEven, false), a)
			for _, to := range formats {
				for _, sat := range []bool{false, true} {
					round := num.Zero
					twice := table.Apply(table.Conversion(wide, to, round, sat), widened)
					once := table.Apply(table.Conversion(from, to, round, sat), a)
					if twice != once {
						continue
					}
					for _, x := range samples(from, r) {
						p := num.Convert(wide, to, num.Convert(from, wide, x, num.NearestEven, false), round, sat)
						if q := num.Convert(from, to, x, round, sat); p != q {
							t.Fatalf("%s to %s to %s (saturates: %v): %#x gives %#x, at once %#x", from, wide, to, sat, x, p, q)
						}
					}
				}
			}
		}
	}
}

// TestDistinct checks that different functions, operands and parts have different hashes.
func TestDistinct(t *testing.T) {
	table := New(Modulo{}, 0)
	seen := map[Hash]string{}
	note := func(h Hash, format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		if other, ok := seen[h]; ok {
			t.Errorf("%s has the hash of %s", text, other)
		}
		seen[h] = text
	}
	var x, y Token
	table.Input("x", 0, 16, func(_, _ int, first Token) { x, y = first, first+8 })
	for i := range Token(8) {
		note(table.From(x+i), "byte %d of x", i)
		note(table.From(y+i), "byte %d of y", i)
	}
	a, b := table.From(x), table.From(y)
	for fn := range scalar.All() {
		if fn == scalar.Copy || fn.Arity != 2 || sameAs[fn] != nil {
			continue
		}
		f := num.F32
		if !fn.Supports(f) {
			f = num.U32
		}
		call := table.Function(fn, f)
		note(table.Apply(call, a, b), "%s(x, y)", call.Name)
		note(table.Apply(call, a, a), "%s(x, x)", call.Name)
		if !call.swaps && call.kind != anyOrder {
			note(table.Apply(call, b, a), "%s(y, x)", call.Name)
		}
	}
	p := NewProducts("fused")
	factors := func(hs ...Hash) Hash { return table.Factors(p, func(i int) Hash { return hs[i] }, len(hs)) }
	zero := table.Const(0)
	note(table.Chain(p, zero, factors(a, b), factors(a, a), 2), "x*x + y*x")
	note(table.Chain(p, zero, factors(b, a), factors(a, a), 2), "y*x + x*x")
	note(table.Chain(p, zero, factors(a, b), factors(b, a), 2), "x*y + y*x")
}

// TestChain checks that a sum over two parts of k is the sum over all.
func TestChain(t *testing.T) {
	table := New(Modulo{}, 0)
	p := NewProducts("fused")
	row, col := make([]Hash, 6), make([]Hash, 6)
	for i := range row {
		row[i], col[i] = number(uint64(i)), number(uint64(100+i))
	}
	part := func(xs []Hash) Hash { return table.Factors(p, func(i int) Hash { return xs[i] }, len(xs)) }
	start := table.Const(5)
	whole := table.Chain(p, start, part(row), part(col), 6)
	first := table.Chain(p, start, part(row[:2]), part(col[:2]), 2)
	if got := table.Chain(p, first, part(row[2:]), part(col[2:]), 4); got != whole {
		t.Error("a sum in two parts has another hash")
	}
	if swapped := table.Chain(p, start, part(col), part(row), 6); swapped != whole {
		t.Error("products with swapped operands have another hash")
	}
}

// TestTokens checks that no expression has a token of a known byte.
func TestTokens(t *testing.T) {
	table := New(Modulo{}, 0)
	table.next = 0x01010101>>3 - 2
	for range 6 {
		k := table.New(number(1))
		for b := range Token(8) {
			if (k + b).Known() {
				t.Errorf("token %#x is that of a known byte", k+b)
			}
		}
	}
	table = New(Modulo{}, 3)
	for range 4 {
		table.New(number(1))
	}
	if !table.Full() {
		t.Error("a table for 3 expressions has room for 4")
	}
}

// TestInputs checks that all bytes of an input have tokens of their own, none of them that
// of a known byte, also where IDs are left out.
func TestInputs(t *testing.T) {
	table := New(Modulo{}, 0)
	table.next = 0x01010101>>3 - 2
	seen := map[Token]bool{}
	covered := 0
	table.Input("x", 3, 60, func(at, n int, first Token) {
		if at != covered {
			t.Errorf("bytes from %d on come after %d", at, covered)
		}
		covered += n
		for i := range n {
			k := first + Token(i)
			if k.Known() || seen[k] {
				t.Errorf("byte %d has token %#x", at+i, k)
			}
			seen[k] = true
			if !table.IsInput(k, 3, at+i) {
				t.Errorf("byte %d is not that of the input", at+i)
			}
		}
	})
	if covered != 60 {
		t.Errorf("%d of 60 bytes have tokens", covered)
	}
}
