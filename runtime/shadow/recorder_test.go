package shadow

import (
	"math"
	"testing"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// TestULP compares ULP with known values for several formats.
func TestULP(t *testing.T) {
	for _, c := range []struct {
		f       num.Format
		x, want float64
	}{
		{num.F32, 1, 0x1p-23}, {num.F32, 1.99, 0x1p-23}, {num.F32, -2, 0x1p-22}, {num.F32, 0, 0x1p-149}, {num.F32, 1e-45, 0x1p-149},
		{num.F16, 1000, 0.5}, {num.F16, 1e-6, 0x1p-24}, {num.BF16, 1, 0x1p-7}, {num.F8E4M3FN, 1, 0x1p-3}, {num.F64, 1, 0x1p-52},
	} {
		if got := ULP(c.f, c.x); got != c.want {
			t.Errorf("ULP of %v in %s is %v, expected %v", c.x, c.f, got, c.want)
		}
	}
}

// TestULPIsTheNextNumber checks that ULP is the distance to the next representable
// number, for all positive numbers of several formats.
func TestULPIsTheNextNumber(t *testing.T) {
	for _, f := range []num.Format{num.F16, num.BF16, num.F8E4M3FN, num.F8E5M2} {
		for bits := uint64(0); bits < f.SignBit()-1; bits++ {
			a, b := num.Decode(f, bits), num.Decode(f, bits+1)
			if b-b != 0 {
				continue
			}
			if ULP(f, a) != b-a {
				t.Fatalf("ULP of %v in %s is %v, but the next number is %v", a, f, ULP(f, a), b)
			}
		}
	}
}

// result records one execution of a new instruction with the exact result y. The
// parameter a is the result of the target, before its conversion to format f.
func result(r *Recorder, f num.Format, a float64, y Number) (*Line, Shadow, bool) {
	op := &ir.Op{}
	l := r.Begin(op)
	s, ok := r.Result(l, f, num.Encode(f, a, num.NearestEven, false), &y)
	return l, s, ok
}

// TestResult checks which events a Recorder counts for normal and special results.
func TestResult(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for name, c := range map[string]struct {
		f    num.Format
		a    float64
		y    Number
		kind Kind // Kinds means none
		has  bool
	}{
		"exact":              {num.F32, 1, Number{Local: 1, Value: 1}, Kinds, false},
		"rounded":            {num.F16, 1, Number{Local: 1.0001, Value: 1.0001}, Kinds, true},
		"cancelling errors":  {num.F16, 1, Number{Local: 1.0001, Value: 1}, Kinds, false},
		"nan":                {num.F32, nan, Number{Local: nan, Value: nan}, NaN, true},
		"nan of nan":         {num.F32, nan, Number{Local: nan, Value: nan, Flags: FromNaN}, Kinds, false},
		"overflow":           {num.F16, inf, Number{Local: 1e6, Value: 1e6}, Overflow, true},
		"overflow of both":   {num.F32, inf, Number{Local: inf, Value: inf}, Overflow, false},
		"pole":               {num.F32, inf, Number{Local: inf, Value: inf, Flags: Pole}, Poles, false},
		"infinity of inputs": {num.F32, inf, Number{Local: inf, Value: inf, Flags: FromInf}, Kinds, false},
		"underflow":          {num.F16, 0, Number{Local: 1e-9, Value: 1e-9}, Underflow, true},
		"denormal":           {num.F16, 0x1p-20, Number{Local: 0x1p-20, Value: 0x1p-20}, Denormal, false},
		"saturated":          {num.F16, 65504, Number{Local: 1e6, Value: 1e6}, Saturated, true},
	} {
		l, s, ok := result(New(), c.f, c.a, c.y)
		if ok != c.has || ok && s.Format() != c.f {
			t.Errorf("%s: shadow %v, %v", name, s, ok)
		}
		for k := range l.Events {
			if want := Kind(k) == c.kind; want != (l.Events[k].Count == 1) {
				t.Errorf("%s: %d results are %s", name, l.Events[k].Count, Names[k])
			}
		}
	}
}

// TestOrigin checks that a shadow names the instruction with the larger error: the
// current one, or the origin of the operand.
func TestOrigin(t *testing.T) {
	r := New()
	first, s, _ := result(r, num.F16, 1, Number{Local: 1.0003, Value: 1.0003})
	if s.Origin() != first.Number() || !s.Fits(num.Encode(num.F16, 1, num.NearestEven, false)) || s.Fits(0) {
		t.Errorf("%+v", s)
	}
	_, s, _ = result(r, num.F16, 1, Number{Local: 1.0001, Value: 1.1, Origin: first.Number()})
	if s.Origin() != first.Number() {
		t.Errorf("the origin is %d, expected %d", s.Origin(), first.Number())
	}
	second, s, _ := result(r, num.F16, 1, Number{Local: 1.0004, Value: 1.0005, Origin: first.Number()})
	if s.Origin() != second.Number() {
		t.Errorf("the origin is %d, expected %d", s.Origin(), second.Number())
	}
}

// TestCancellation checks that a difference of nearly equal, inexact numbers is recorded
// as a cancellation.
func TestCancellation(t *testing.T) {
	r := New()
	l := r.Begin(&ir.Op{})
	in := []Number{{Local: 1000.001, Value: 1000}, {Local: 1000.0005, Value: 999.999}}
	y := Number{Local: in[0].Local - in[1].Local, Value: in[0].Value - in[1].Value}
	r.Applied(l, scalar.Sub, num.F32, in, &y)
	if l.Events[Cancellation].Count != 1 || l.CancelledBits < 20 || l.Amplified < 1e5 {
		t.Errorf("%+v", l)
	}
	exact := []Number{{Local: 1000.001, Value: 1000.001}, {Local: 1000, Value: 1000}}
	y = Number{Local: exact[0].Local - exact[1].Local, Value: exact[0].Local - exact[1].Local}
	r.Applied(l, scalar.Sub, num.F32, exact, &y)
	if l.Events[Cancellation].Count != 1 {
		t.Error("a difference of exact numbers counts as cancellation")
	}
}

// TestPerturbed checks that perturbed results stay within the documented error and depend
// on the seed.
func TestPerturbed(t *testing.T) {
	r := New()
	y := Number{Local: 1.37, Value: 1.37, ULP: 1}
	bits := num.Encode(num.F32, y.Local, num.NearestEven, false)
	if r.Perturbed(num.F32, &y, bits) != bits {
		t.Error("a recorder without a seed perturbs")
	}
	seen := map[uint64]bool{}
	r.Perturb(1)
	for range 1000 {
		b := r.Perturbed(num.F32, &y, bits)
		seen[b] = true
		if off := math.Abs(num.Decode(num.F32, b) - y.Local); off > ULP(num.F32, y.Local) {
			t.Fatalf("%v is off by %v", num.Decode(num.F32, b), off)
		}
	}
	if len(seen) < 2 {
		t.Errorf("%d different results, expected at least 2", len(seen))
	}
	exact := Number{Local: 1.37, Value: 1.37}
	if r.Perturbed(num.F32, &exact, bits) != bits {
		t.Error("a correctly rounded result is perturbed")
	}
}
