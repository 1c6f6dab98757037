package isa_test

import (
	"testing"

	_ "ptogo/dialect/all"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Text that ends or turns wrong in the middle of an operation gets a message.
func TestBadText(t *testing.T) {
	checkVerify(t, sem.A5, []verifyCase{
		{"unknown field of a load", "func.func @f(%p: !pto.ptr<f16, l1>, %q: !pto.ptr<f16, l0a>, %n: i64) {\n" +
			"  pto.mte_l1_l0a %p, %q, width(%n) : !pto.ptr<f16, l1>, !pto.ptr<f16, l0a>, i64\n  return\n}",
			"expected one of m, k, "},
		{"end before a field of a load", "func.func @f(%p: !pto.ptr<f16, l1>, %q: !pto.ptr<f16, l0a>) {\n" +
			"  pto.mte_l1_l0a %p, %q,", "expected one of m, k, "},
	})
}

// The generic form reads back as the same form, also where the operands of
// several forms would fit and only the segment sizes tell.
func TestGenericKeepsForm(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"store of a type that no rule of operands decides",
			"func.func @f(%a: !pto.tile_buf<vec, 16x16xf8E4M3FN>, %b: !pto.partition_tensor_view<16x16xf8E4M3FN>) {\n" +
				"  pto.tstore ins(%a : !pto.tile_buf<vec, 16x16xf8E4M3FN>) outs(%b : !pto.partition_tensor_view<16x16xf8E4M3FN>)\n  return\n}"},
		{"store of Level 1",
			"func.func @f(%a: !pto.tile<16x64xf32>, %b: !pto.partition_tensor_view<16x64xf32>) {\n" +
				"  pto.tstore %a, %b : (!pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>) -> ()\n  return\n}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := parseText(t, c.text)
			again := parseText(t, string(ir.Bytes(m, ir.PrintOptions{Generic: true})))
			if got, want := again.String(), m.String(); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// parseText reads a text that must have no errors.
func parseText(t *testing.T, text string) *ir.Op {
	t.Helper()
	var diags ir.Diags
	m, _ := ir.Parse(&ir.Source{Name: "case", Text: text}, ir.ParseOptions{}, &diags)
	if m == nil {
		t.Fatalf("%s\n%s", diags.All()[0].Format(), text)
	}
	return m
}

// An attribute that is missing where another program had one is no reason to
// fail while the message about it is written.
func TestPrintWithoutIndices(t *testing.T) {
	checkVerify(t, sem.A5, []verifyCase{{"shuffle without indices",
		"func.func @f(%s: !pto.vmi.vreg<8xui8>) {\n" +
			"  %r = \"pto.vmi.shuffle\"(%s) <{other = array<i64: 0, 1>}> : (!pto.vmi.vreg<8xui8>) -> !pto.vmi.vreg<4xui8>\n  return\n}",
		"indices"}})
}

// TestPackOfBytes checks that halving the width of bytes is a message.
func TestPackOfBytes(t *testing.T) {
	checkVerify(t, sem.A5, []verifyCase{{"bytes", `func.func @k(%a: !pto.vreg<256xi8>) {
  pto.vecscope {
    %r = pto.vpack %a, "LOWER" : !pto.vreg<256xi8> -> !pto.vreg<256xi8>
  }
  return
}`, "must be a !pto.vreg of i16, ui16, i32 or ui32"}})
}
