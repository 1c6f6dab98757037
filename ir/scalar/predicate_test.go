package scalar

import (
	"math"
	"testing"

	"ptogo/ir/num"
)

func TestCompareFloats(t *testing.T) {
	for _, f := range []num.Format{num.F8E4M3FN, num.F8E5M2, num.HiF8, num.F8E8M0, num.F4E2M1} {
		for a := range uint64(1) << f.Bits() {
			for b := range uint64(1) << f.Bits() {
				x, y := num.Decode(f, a), num.Decode(f, b)
				want := [...]bool{EQ: x == y, NE: x != y, LT: x < y, LE: x <= y, GT: x > y, GE: x >= y}
				for p, w := range want {
					if got := Compare(Predicate(p), f, a, b); got != w {
						t.Fatalf("%v %v %v %v = %v", f, x, Predicate(p), y, got)
					}
					if got := Predicate(p).Relation().Holds(f, a, b); got != w {
						t.Fatalf("%v %v %v %v = %v as a relation", f, x, Predicate(p), y, got)
					}
				}
			}
		}
	}
}

func TestCompareInts(t *testing.T) {
	for a := range uint64(256) {
		for b := range uint64(256) {
			signed := int(int8(a)) - int(int8(b))
			unsigned := int(a) - int(b)
			for f, d := range map[num.Format]int{num.I8: signed, num.S8: signed, num.U8: unsigned} {
				want := [...]bool{EQ: d == 0, NE: d != 0, LT: d < 0, LE: d <= 0, GT: d > 0, GE: d >= 0}
				for p, w := range want {
					if got := Compare(Predicate(p), f, a|1<<60, b); got != w {
						t.Fatalf("%v %#x %v %#x = %v", f, a, Predicate(p), b, got)
					}
					if got := Predicate(p).Relation().Holds(f, a|1<<60, b); got != w {
						t.Fatalf("%v %#x %v %#x = %v as a relation", f, a, Predicate(p), b, got)
					}
				}
			}
		}
	}
}

func TestCompareEdges(t *testing.T) {
	nan, inf := uint64(0x7FC00000), uint64(0x7F800000)
	tests := []struct {
		name string
		p    Predicate
		f    num.Format
		a, b uint64
		want bool
	}{
		{"zeros are equal", EQ, num.F32, 0, 1 << 31, true},
		{"-0 is not below +0", LT, num.F32, 1 << 31, 0, false},
		{"NaN is not itself", EQ, num.F32, nan, nan, false},
		{"NaN differs from itself", NE, num.F32, nan, nan, true},
		{"NaN is not above", GE, num.F32, nan, inf, false},
		{"infinity is above", GT, num.F32, inf, 0x7F7FFFFF, true},
		{"64 bits signed", LT, num.I64, 1 << 63, 0, true},
		{"64 bits unsigned", LT, num.U64, 1 << 63, 0, false},
		{"large integers are exact", LT, num.I64, 1 << 53, 1<<53 + 1, true},
		{"i1 is signed", LT, num.I1, 1, 0, true},
		{"ui1 is not", LT, num.U1, 1, 0, false},
		{"no such predicate", Predicate(9), num.I32, 0, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Compare(tt.p, tt.f, tt.a, tt.b); got != tt.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestPredicates(t *testing.T) {
	x, y := num.Encode(num.F32, 1, 0, false), num.Encode(num.F32, math.Pi, 0, false)
	for p := EQ; p <= GE; p++ {
		if q, ok := ParsePredicate(p.String()); !ok || q != p {
			t.Errorf("%v is read as %v, %v", p, q, ok)
		}
		for _, pair := range [][2]uint64{{x, y}, {y, x}, {x, x}} {
			if Compare(p, num.F32, pair[0], pair[1]) != Compare(p.Swap(), num.F32, pair[1], pair[0]) {
				t.Errorf("%v swapped is not %v", p, p.Swap())
			}
		}
	}
	if Predicate(77).Relation() != (Relation{}) {
		t.Error("what is no predicate holds for something")
	}
	if _, ok := ParsePredicate("no"); ok || Predicate(77).String() != "?" {
		t.Error("unknown predicates have names")
	}
}

// TestRelations tests all sets of outcomes with less, equal, greater and unordered
// elements.
func TestRelations(t *testing.T) {
	one, two, nan := uint64(0x3F800000), uint64(0x40000000), uint64(0x7FC00000)
	outcomes := []struct {
		a, b uint64
		is   Order
	}{{one, two, Less}, {one, one, Equal}, {two, one, Greater}, {nan, one, Unordered}, {one, nan, Unordered}, {nan, nan, Unordered}, {0, 1 << 31, Equal}}
	for on := Order(0); on < 16; on++ {
		r := Relation{On: on}
		for _, o := range outcomes {
			if got := r.Holds(num.F32, o.a, o.b); got != (on&o.is != 0) {
				t.Errorf("%#x %04b %#x = %v", o.a, on, o.b, got)
			}
			if r.Holds(num.F32, o.a, o.b) != r.Swap().Holds(num.F32, o.b, o.a) {
				t.Errorf("%04b swapped is not %04b", on, r.Swap().On)
			}
		}
	}
	if !(Relation{Less, Unsigned}).Holds(num.I8, 0x7F, 0x80) || (Relation{Less, Signed}).Holds(num.U8, 0x7F, 0x80) {
		t.Error("the sign of the relation does not decide")
	}
	if (Relation{On: Less}).Swap().Swap() != (Relation{On: Less}) {
		t.Error("swapped twice is not the same")
	}
}

func TestCast(t *testing.T) {
	tests := []struct {
		name     string
		c        Cast
		from, to num.Format
		bits     uint64
		want     uint64
	}{
		{"sign extension", Cast{From: Signed}, num.I8, num.I32, 0x80, 0xFFFFFF80},
		{"zero extension", Cast{From: Unsigned}, num.I8, num.I32, 0x80, 0x80},
		{"truth value", Cast{From: Unsigned}, num.I1, num.F32, 1, 0x3F800000},
		{"to unsigned, clamped", Cast{To: Unsigned, Rounding: num.Zero, Sat: true}, num.F32, num.I8, 0x43A00000, 0xFF},
		{"to signed, clamped", Cast{To: Signed, Rounding: num.Zero, Sat: true}, num.F32, num.I8, 0x43A00000, 0x7F},
		{"toward zero", Cast{Rounding: num.Zero}, num.F32, num.I32, 0xC0333333, 0xFFFFFFFE},
		{"bits", Cast{Bits: true}, num.F32, num.I32, 0xC0333333, 0xC0333333},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.c.Eval(tt.from, tt.to, tt.bits); got != tt.want {
				t.Errorf("got %#x, want %#x", got, tt.want)
			}
		})
	}
}
