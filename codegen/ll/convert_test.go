package ll_test

import (
	"fmt"
	"testing"

	"ptogo/codegen/ll"
	"ptogo/codegen/llvmtest"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// roundings are all rounding modes.
var roundings = []num.Rounding{num.NearestEven, num.NearestAway, num.Floor, num.Ceil, num.Zero, num.Odd, num.HalfUp}

// conversionTargets are the formats to which the tests convert numbers.
var conversionTargets = []num.Format{
	num.I1, num.I8, num.U8, num.I16, num.U16, num.I32, num.U32, num.I64, num.U64,
	num.F16, num.BF16, num.F32, num.F64, num.TF32, num.F8E4M3FN, num.F8E5M2, num.HiF8, num.F8E8M0, num.F4E2M1, num.F4E1M2,
}

// conversion is one conversion to test: formats, rounding mode and saturation.
type conversion struct {
	to    num.Format
	r     num.Rounding
	sat   bool
	lanes int
}

func (c conversion) String() string {
	return fmt.Sprintf("%s.%s.%t.%d", c.to, c.r, c.sat, c.lanes)
}

// conversionsFrom returns the conversions from a format to test. The formats on which the
// other conversions are based are tested in every rounding mode and to all formats; for
// other narrow floats it is sufficient to test decoding.
func conversionsFrom(from num.Format) []conversion {
	var cs []conversion
	for _, to := range conversionTargets {
		modes := roundings[:1]
		switch {
		case from == num.F64, from == num.F32, from == num.I64 && to.IsFloat():
			modes = roundings
		case from.IsFloat() && from.Bits() <= 8 && to != num.F32 && to != num.HiF8 && to != num.I32:
			continue
		}
		for _, r := range modes {
			cs = append(cs, conversion{to, r, false, 0}, conversion{to, r, true, 0})
		}
		if to.Bits() >= 8 {
			cs = append(cs, conversion{to, modes[0], false, testLanes})
		}
	}
	return cs
}

func TestConversions(t *testing.T) {
	for _, from := range conversionTargets {
		t.Run(from.String(), func(t *testing.T) {
			t.Parallel()
			testConversions(t, from, false)
		})
	}
}

// TestHalfConversions tests the code for a machine that has instructions for converting
// f16.
func TestHalfConversions(t *testing.T) {
	testConversions(t, num.F16, true)
	testConversions(t, num.F32, true)
}

func testConversions(t *testing.T, from num.Format, half bool) {
	cs := conversionsFrom(from)
	b := ll.NewBench(half)
	var decls []llvmtest.Func
	for _, c := range cs {
		b.Convert(c.String(), from, c.to, c.r, c.sat, c.lanes)
		decls = append(decls, llvmtest.Func{Name: c.String(), Params: benchParams})
	}
	p := llvmtest.Build(t, b.Text(), decls, levelFor(from))
	xs := llvmtest.Operands(from, 1, 4096)[0]
	in := llvmtest.Packed(from, xs)
	for _, c := range cs {
		out := make([]byte, len(xs)*c.to.Bytes())
		if err := p.Run(c.String(), 1, in, []byte{}, []byte{}, out, uint64(len(xs))); err != nil {
			t.Fatalf("to %s: %v", c, err)
		}
		wrong := 0
		for i, x := range xs {
			want := num.Convert(from, c.to, x, c.r, c.sat)
			got := num.Load(c.to, out[i*c.to.Bytes():])
			if !num.Same(c.to, got, want) {
				if wrong++; wrong <= 2 {
					t.Errorf("%s %#x (%v) to %s = %#x (%v), want %#x (%v)", from, x, num.Decode(from, x), c,
						got, num.Decode(c.to, got), want, num.Decode(c.to, want))
				}
			}
		}
		if wrong > 2 {
			t.Errorf("%s to %s: %d of %d wrong", from, c, wrong, len(xs))
		}
	}
}

func TestRelations(t *testing.T) {
	for _, f := range []num.Format{num.I1, num.I16, num.U32, num.I64, num.F16, num.F32, num.HiF8} {
		t.Run(f.String(), func(t *testing.T) {
			t.Parallel()
			testRelations(t, f)
		})
	}
}

func testRelations(t *testing.T, f num.Format) {
	b := ll.NewBench(false)
	rels := map[string]scalar.Relation{}
	var decls []llvmtest.Func
	for on := range scalar.Order(16) {
		for _, s := range []scalar.Sign{scalar.ByFormat, scalar.Signed, scalar.Unsigned} {
			for _, n := range []int{0, testLanes} {
				if n > 0 && f.Bits() < 8 || f.IsFloat() && s != scalar.ByFormat {
					continue
				}
				name := fmt.Sprintf("r%d.%d.%d", on, s, n)
				rels[name] = scalar.Relation{On: on, Sign: s}
				b.Relation(name, rels[name], f, n)
				decls = append(decls, llvmtest.Func{Name: name, Params: benchParams})
			}
		}
	}
	p := llvmtest.Build(t, b.Text(), decls, levelFor(f))
	xs := llvmtest.Operands(f, 2, 1024)
	x, y := llvmtest.Packed(f, xs[0]), llvmtest.Packed(f, xs[1])
	for name, rel := range rels {
		out := make([]byte, len(xs[0]))
		if err := p.Run(name, 1, x, y, []byte{}, out, uint64(len(xs[0]))); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range xs[0] {
			if want := rel.Holds(f, xs[0][i], xs[1][i]); want != (out[i] == 1) {
				t.Errorf("relation %s of %s %#x, %#x = %d, want %t", name, f, xs[0][i], xs[1][i], out[i], want)
				break
			}
		}
	}
}
