package diff

import (
	"fmt"
	"strings"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
	"ptogo/ir"
)

// onRow returns a kernel whose body computes the VMI value %r from the values %a and %b
// of n lanes. The mask %m selects the first lanes.
func onRow(name string, n, first int, elem, body string) pair {
	in := &data{name: "in", elem: elem, shape: [2]int{2, n}, number: normal}
	out := &data{name: "out", elem: elem, shape: [2]int{1, n}}
	at := (2*n*in.format().Bytes() + 255) &^ 255 // as tileKernel places them
	text := fmt.Sprintf(`  %%zero = arith.constant 0 : i64
  %%behind = arith.constant %d : i64
  %%second = arith.constant %d : index
  %%first = arith.constant %d : index
  %%from = pto.castptr %%zero : i64 -> !pto.ptr<ELEM, ub>
  %%to = pto.castptr %%behind : i64 -> !pto.ptr<ELEM, ub>
  %%m = pto.vmi.create_mask %%first : index -> MASK
  %%a = pto.vmi.vload %%from[%%c0] : !pto.ptr<ELEM, ub> -> ROW
  %%b = pto.vmi.vload %%from[%%second] : !pto.ptr<ELEM, ub> -> ROW
  %s
  pto.vmi.vstore %%r, %%to[%%c0] : ROW, !pto.ptr<ELEM, ub>`, at, n, first, body)
	p := onTiles(name, text, in, out)
	words := strings.NewReplacer("ELEM", elem, "MASK", fmt.Sprintf("!pto.vmi.mask<%dxpred>", n), "ROW", fmt.Sprintf("!pto.vmi.vreg<%dx%s>", n, elem),
		"HALF", fmt.Sprintf("!pto.vmi.vreg<%dxf16>", n), "INTS", fmt.Sprintf("!pto.vmi.vreg<%dxsi32>", n))
	p.text = words.Replace(p.text)
	return p
}

// TestRows compares both engines on VMI values of several lengths: shorter than a
// register, slightly longer, and so long that they are computed in several parts.
func TestRows(t *testing.T) {
	var all []pair
	for _, n := range []int{64, 72, 304, 1000} {
		for name, body := range map[string]string{
			"exp":     "%r = pto.vmi.vexp %a, %m : ROW, MASK -> ROW",
			"log":     "%x = pto.vmi.vabs %a, %m : ROW, MASK -> ROW\n  %r = pto.vmi.vln %x, %m : ROW, MASK -> ROW",
			"divide":  "%r = pto.vmi.vdiv %a, %b, %m : ROW, ROW, MASK -> ROW",
			"select":  "%q = pto.vmi.vcmp %a, %b, %m {cmp = \"lt\"} : ROW, ROW, MASK -> MASK\n  %r = pto.vmi.vsel %q, %a, %b : MASK, ROW, ROW -> ROW",
			"convert": "%h = pto.vmi.truncf %a : ROW -> HALF\n  %r = pto.vmi.extf %h : HALF -> ROW",
			"scale":   "%k = arith.constant 3.25 : f32\n  %r = pto.vmi.vmuls %a, %k, %m : ROW, f32, MASK -> ROW",
			"round":   "%i = pto.vmi.fptosi %a {saturate = \"SAT\"} : ROW -> INTS\n  %r = pto.vmi.sitofp %i : INTS -> ROW",
		} {
			all = append(all, onRow(fmt.Sprintf("%s of %d", name, n), n, n-5, "f32", body))
		}
	}
	checkPairs(t, all)
}

// TestLongRow checks that the LLVM emitter rejects VMI values that are too long for LLVM.
func TestLongRow(t *testing.T) {
	p := onRow("", 8192, 8192, "f32", "%r = pto.vmi.vadd %a, %b, %m : ROW, ROW, MASK -> ROW")
	m := llvmtest.Parse(t, "long", "module attributes {pto.target_arch = \"a5\"} {\n"+p.text+"\n}\n")
	var diags ir.Diags
	if llvm.Emit(&strings.Builder{}, m, llvm.Options{}, &diags) {
		t.Fatal("LLVM IR is written for a vector of 8192 lanes")
	}
	if text := diags.All()[0].Format(); !strings.Contains(text, "which the LLVM IR emitter does not support yet") {
		t.Errorf("got %s", text)
	}
}
