package passes_test

import (
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/passes"
	"ptogo/passes/passtest"
)

const toRecip = "builtin.module(func.func(pto-tdivs-to-recip))"

// division returns a program that divides a tile by a constant.
func division(arch, typ, value, attrs string) string {
	return strings.NewReplacer("ARCH", arch, "TYPE", typ, "VALUE", value, "ATTRS", attrs).Replace(
		`module attributes {pto.target_arch = "ARCH"} {
  func.func @f(%t: !pto.tile<16x64xTYPE>) -> !pto.tile<16x64xTYPE> {
    %s = arith.constant VALUE : TYPE
    %d = pto.tdivs %t, %s ATTRS : (!pto.tile<16x64xTYPE>, TYPE) -> !pto.tile<16x64xTYPE>
    return %d : !pto.tile<16x64xTYPE>
  }
}`)
}

func TestTDivSToRecipConstants(t *testing.T) {
	for _, c := range []struct {
		name, arch, typ, value, attrs string
		want                          string // the factor, or "" where the division stays
	}{
		{"a5 power of two", "a5", "f32", "4.0", "", "2.500000e-01 : f32"},
		{"a5 rounded reciprocal", "a5", "f32", "3.0", "", "0.333333343 : f32"},
		{"a5 f16", "a5", "f16", "3.0", "", "3.332520e-01 : f16"},
		{"a5 zero", "a5", "f32", "0.0", "", "0x7F800000 : f32"},
		{"a5 negative zero", "a5", "f32", "-0.0", "", "0x7F800000 : f32"},
		{"a5 infinity", "a5", "f32", "0xFF800000", "", "-0.000000e+00 : f32"},
		{"a5 high precision", "a5", "f32", "3.0", "{precisionType = #pto<div_precision high_precision>}", ""},
		{"a5 high precision, exact", "a5", "f32", "4.0", "{precisionType = #pto<div_precision high_precision>}", ""},
		{"a3 high precision", "a3", "f32", "4.0", "{precisionType = #pto<div_precision high_precision>}", ""},
		{"a5 integer", "a5", "i32", "4", "", ""},
		{"a3 power of two", "a3", "f32", "4.0", "", "2.500000e-01 : f32"},
		{"a3 negative power of two", "a3", "f16", "-0.5", "", "-2.000000e+00 : f16"},
		{"a3 three", "a3", "f32", "3.0", "", ""},
		{"a3 zero", "a3", "f32", "0.0", "", ""},
		{"a3 infinity", "a3", "f32", "0x7F800000", "", ""},
		{"a3 reciprocal is denormal", "a3", "f32", "0x7F000000", "", ""}, // 2^127
		{"a3 largest with a normal reciprocal", "a3", "f32", "0x7E800000", "", "1.17549435E-38 : f32"},
		{"a3 denormal with a normal reciprocal", "a3", "f32", "0x00400000", "", ""}, // 2^-127
		{"a3 f16, reciprocal is denormal", "a3", "f16", "32768.0", "", ""},
		{"a3 f16, largest with a normal reciprocal", "a3", "f16", "16384.0", "", "6.103520e-05 : f16"},
		{"a3 integer", "a3", "i16", "4", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := passtest.Run(t, registry, toRecip, division(c.arch, c.typ, c.value, c.attrs))
			divides, multiplies := strings.Contains(got, "pto.tdivs"), strings.Contains(got, "pto.tmuls")
			if c.want == "" {
				if !divides || multiplies {
					t.Errorf("the division must stay:\n%s", got)
				}
				return
			}
			if divides || !multiplies || !strings.Contains(got, "arith.constant "+c.want) {
				t.Errorf("want a multiplication by %s:\n%s", c.want, got)
			}
		})
	}
}

func TestTDivSToRecipForms(t *testing.T) {
	check(t, toRecip, []transform{
		{"a scalar that is not known", `module attributes {pto.target_arch = "a5"} {
func.func @f(%t: !pto.tile<16x64xf32>, %s: f32) -> !pto.tile<16x64xf32> {
  %d = pto.tdivs %t, %s {note = "kept"} : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  return %d : !pto.tile<16x64xf32>
}}`, `module attributes {pto.target_arch = "a5"} {
func.func @f(%t: !pto.tile<16x64xf32>, %s: f32) -> !pto.tile<16x64xf32> {
  %0 = arith.constant 1.0 : f32
  %1 = arith.divf %0, %s : f32
  %2 = arith.constant 0.0 : f32
  %3 = arith.cmpf oeq, %s, %2 : f32
  %4 = arith.constant 0x7F800000 : f32
  %5 = arith.select %3, %4, %1 : f32
  %d = pto.tmuls %t, %5 {note = "kept"} : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  return %d : !pto.tile<16x64xf32>
}}`},
		{"level 2", `module attributes {pto.target_arch = "a5"} {
func.func @f(%t: !pto.tile_buf<vec, 16x64xf32>, %d: !pto.tile_buf<vec, 16x64xf32>) {
  %s = arith.constant 2.0 : f32
  pto.tdivs ins(%t, %s : !pto.tile_buf<vec, 16x64xf32>, f32) outs(%d : !pto.tile_buf<vec, 16x64xf32>)
  return
}}`, `module attributes {pto.target_arch = "a5"} {
func.func @f(%t: !pto.tile_buf<vec, 16x64xf32>, %d: !pto.tile_buf<vec, 16x64xf32>) {
  %s = arith.constant 2.0 : f32
  %0 = arith.constant 0.5 : f32
  pto.tmuls ins(%t, %0 : !pto.tile_buf<vec, 16x64xf32>, f32) outs(%d : !pto.tile_buf<vec, 16x64xf32>)
  return
}}`},
		{"a scalar over a tile stays", `module attributes {pto.target_arch = "a5"} {
func.func @f(%t: !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32> {
  %s = arith.constant 2.0 : f32
  %d = pto.tdivs %s, %t : (f32, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>
  return %d : !pto.tile<16x64xf32>
}}`, `module attributes {pto.target_arch = "a5"} {
func.func @f(%t: !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32> {
  %s = arith.constant 2.0 : f32
  %d = pto.tdivs %s, %t : (f32, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>
  return %d : !pto.tile<16x64xf32>
}}`},
	})
	check(t, "builtin.module(pto-tdivs-to-recip)", []transform{
		{"each module by its own target", `module {
module attributes {pto.target_arch = "a5"} {
func.func @f(%t: !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32> {
  %s = arith.constant 3.0 : f32
  %d = pto.tdivs %t, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  return %d : !pto.tile<16x64xf32>
}}
module attributes {pto.target_arch = "a3"} {
func.func @f(%t: !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32> {
  %s = arith.constant 3.0 : f32
  %d = pto.tdivs %t, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  return %d : !pto.tile<16x64xf32>
}}
}`, `module {
module attributes {pto.target_arch = "a5"} {
func.func @f(%t: !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32> {
  %s = arith.constant 3.0 : f32
  %0 = arith.constant 0x3EAAAAAB : f32
  %d = pto.tmuls %t, %0 : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  return %d : !pto.tile<16x64xf32>
}}
module attributes {pto.target_arch = "a3"} {
func.func @f(%t: !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32> {
  %s = arith.constant 3.0 : f32
  %d = pto.tdivs %t, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  return %d : !pto.tile<16x64xf32>
}}
}`},
	})
}

// TestTDivSToRecipSameBits compares division and multiplication for divisors that the
// pass accepts, over every f16 dividend. On A5 it uses the function that defines the
// division, and on other targets the exact division.
func TestTDivSToRecipSameBits(t *testing.T) {
	f := num.F16
	for _, target := range []ir.Target{sem.A3, sem.A5} {
		divide, accepted := scalar.Div, 0
		if target == sem.A5 {
			divide = scalar.DivRecip
		}
		for s := range uint64(1 << 16) {
			if target == sem.A5 && s%2039 != 0 { // all of them are accepted
				continue
			}
			factor, ok := passes.Factor(target, f, s)
			if !ok {
				continue
			}
			accepted++
			for x := range uint64(1 << 16) {
				q, _ := divide.Eval(f, x, s)
				p, _ := scalar.Mul.Eval(f, x, factor)
				if q != p && !(num.IsNaN(f, q) && num.IsNaN(f, p)) {
					t.Fatalf("%s: %#04x / %#04x = %#04x, but * %#04x = %#04x", sem.ProfileName(target), x, s, q, factor, p)
				}
			}
		}
		if want := map[ir.Target]int{sem.A3: 2 * 29, sem.A5: 33}[target]; accepted != want {
			t.Errorf("%s: %d divisors accepted, want %d", sem.ProfileName(target), accepted, want)
		}
	}
}
