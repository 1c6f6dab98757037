package lower_test

import (
	"bytes"
	"strings"
	"testing"

	"ptogo/ir"
	"ptogo/lower/ptoas"
	"ptogo/passes/passtest"
)

// readAS reads a program that must be correct.
func readAS(t testing.TB, text string) *ir.Op {
	t.Helper()
	var diags ir.Diags
	m := ptoas.ReadAS(&ir.Source{Name: "kernel.pto", Text: text}, ptoas.ASOptions{}, &diags)
	if m != nil {
		ir.Verify(m, ir.VerifyOptions{}, &diags)
	}
	if diags.HasErrors() {
		t.Fatalf("%s\n%s", passtest.Messages(&diags), text)
	}
	return m
}

func writeAS(t testing.TB, m *ir.Op) string {
	t.Helper()
	var diags ir.Diags
	var out bytes.Buffer
	if !ptoas.WriteAS(&out, m, &diags) {
		t.Fatalf("%s\n%s", passtest.Messages(&diags), m)
	}
	return out.String()
}

func TestReadAS(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"arguments, constants, instructions", `// A comment.
.arg %a : !pto.tile<16x64xf32>;
.arg %s : f32
.const %c0 = 0 : index;
.const %h = -0.5 : f32
%d = tdivs %a, %s : !pto.tile<16x64xf32>, f32;  // no result type
%e = tdivs %h, %d {precisionType = high_precision} : (f32, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>
%f = tadds %e, %s`, `func.func @kernel(%a: !pto.tile<16x64xf32>, %s: f32) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %h = arith.constant -0.5 : f32
  %d = pto.tdivs %a, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  %e = pto.tdivs %h, %d {precisionType = #pto<div_precision high_precision>} : (f32, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>
  %f = pto.tadds %e, %s : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>
  return
}`},
		{"one type for all, an attribute in the spelling of the pages", `.arg %a : !pto.tile<16x64xf32>
.arg %s : f32
%m = tcmps %a, %s {cmpMode = #pto.cmp<GT>} : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x32xui8>`, `func.func @kernel(%a: !pto.tile<16x64xf32>, %s: f32) attributes {pto.kernel} {
  %m = pto.tcmps %a, %s {cmpMode = #pto<cmp gt>} : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x32xui8>
  return
}`},
		{"the dialect may be written; arithmetic and views are MLIR's", `.arg %p : !pto.ptr<f32>;
.const %n = 64 : index;
%m = arith.addi %n, %n : index;
%v = pto.make_tensor_view %p, shape = [%m, %n], strides = [%n, %m] : !pto.tensor_view<?x?xf32>;
%q = partition_view %v, offsets = [%n, %n], sizes = [%n, %n] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<64x64xf32>;
%t = pto.tload %q : !pto.partition_tensor_view<64x64xf32> -> !pto.tile<64x64xf32>;
tstore %t, %q : (!pto.tile<64x64xf32>, !pto.partition_tensor_view<64x64xf32>) -> ();`, `func.func @kernel(%p: !pto.ptr<f32>) attributes {pto.kernel} {
  %n = arith.constant 64 : index
  %m = arith.addi %n, %n : index
  %v = pto.make_tensor_view %p, shape = [%m, %n], strides = [%n, %m] : !pto.tensor_view<?x?xf32>
  %q = pto.partition_view %v, offsets = [%n, %n], sizes = [%n, %n] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<64x64xf32>
  %t = pto.tload %q : !pto.partition_tensor_view<64x64xf32> -> !pto.tile<64x64xf32>
  pto.tstore %t, %q : (!pto.tile<64x64xf32>, !pto.partition_tensor_view<64x64xf32>) -> ()
  return
}`},
		{"indexed memrefs", `.arg %sv : !pto.memref<32x64xf32>;
.const %c0 = 0 : index;
%t = tload %sv[%c0, 16] : (!pto.memref<32x64xf32>, index, index) -> !pto.tile<16x32xf32>;
tstore %t, %sv[%c0, %c0]`, `func.func @kernel(%sv: !pto.ptr<f32>) attributes {pto.kernel} {
  %0 = arith.constant 32 : index
  %1 = arith.constant 64 : index
  %2 = arith.constant 1 : index
  %sv_0 = pto.make_tensor_view %sv, shape = [%0, %1], strides = [%1, %2] : !pto.tensor_view<32x64xf32>
  %c0 = arith.constant 0 : index
  %3 = arith.constant 16 : index
  %4 = pto.partition_view %sv_0, offsets = [%c0, %3], sizes = [%3, %0] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<16x32xf32>
  %t = pto.tload %4 : !pto.partition_tensor_view<16x32xf32> -> !pto.tile<16x32xf32>
  %5 = pto.partition_view %sv_0, offsets = [%c0, %c0], sizes = [%3, %0] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<16x32xf32>
  pto.tstore %t, %5 : (!pto.tile<16x32xf32>, !pto.partition_tensor_view<16x32xf32>) -> ()
  return
}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, want := readAS(t, c.in).String(), passtest.Parse(t, c.want).String()
			if passtest.Plain(got) != passtest.Plain(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestReadASShapes reads every shape of statement that the pages of the manual
// use.
func TestReadASShapes(t *testing.T) {
	const args = ".arg %a : !pto.tile<16x64xf32>\n.arg %b : !pto.tile<16x64xf32>\n.arg %m : !pto.tile<16x32xui8>\n.arg %s : f32\n.arg %i : i32\n.arg %x : index\n.arg %w : !pto.tile<32x64xf32, loc=mat>\n"
	const f = "!pto.tile<16x64xf32>"
	for _, c := range []struct{ name, in, want string }{
		{"one type for all", "%d = tadd %a, %b : " + f, "pto.tadd %a, %b : (" + f + ", " + f + ") -> " + f},
		{"no types", "%d = tadd %a, %b", "pto.tadd %a, %b : (" + f + ", " + f + ") -> " + f},
		{"one type of several", "%d = tsel %m, %a, %b : " + f, "pto.tsel %m, %a, %b : (!pto.tile<16x32xui8>, " + f + ", " + f + ") -> " + f},
		{"types of operands", "%d = tdivs %s, %a : f32, " + f, "pto.tdivs %s, %a : (f32, " + f + ") -> " + f},
		{"the result behind a comma", "%d = texpands %s : f32, " + f, "pto.texpands %s : f32 -> " + f},
		{"only the result", "%d = tci %i {descending = true} : !pto.tile<1x64xi32>", "pto.tci %i {descending = true} : i32 -> !pto.tile<1x64xi32>"},
		{"fewer types in front of the arrow", "%d = tcmp %a, %b {cmpMode = #pto.cmp<LT>} : " + f + " -> !pto.tile<16x32xui8>", "pto.tcmp %a, %b {cmpMode = #pto<cmp lt>} : (" + f + ", " + f + ") -> !pto.tile<16x32xui8>"},
		{"an indexed tile", "%d = textract %w[%x, 0] : !pto.tile<32x64xf32, loc=mat> -> !pto.tile<16x16xf32, loc=left>", "pto.textract %w, %x, %0 : (!pto.tile<32x64xf32, loc=mat>, index, index) -> !pto.tile<16x16xf32, loc=left>"},
		{"an opcode with a dot", "%d = tmov.v2v %a : " + f + " -> " + f, "pto.tmov %a : " + f + " -> " + f},
	} {
		t.Run(c.name, func(t *testing.T) {
			var diags ir.Diags
			m := ptoas.ReadAS(&ir.Source{Name: "kernel.pto", Text: args + c.in}, ptoas.ASOptions{}, &diags)
			if m == nil {
				t.Fatal(passtest.Messages(&diags))
			}
			passtest.Wants(t, m.String(), "%d = "+c.want+"\n")
		})
	}
}

func TestReadASErrors(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"unknown directive", ".org %a : f32", "kernel.pto:1:2: error: expected one of arg, const, found 'org'\n"},
		{"unknown opcode", ".arg %a : f32\n%b = tdivz %a, %a", "kernel.pto:2:6: error: unknown operation 'tdivz'\n"},
		{"unknown value", "%b = tadds %a, %a", "kernel.pto:1:12: error: use of undeclared SSA value name '%a'\n"},
		{"twice", ".arg %a : f32\n.arg %a : f32", "kernel.pto:2:6: error: redefinition of SSA value '%a'\n"},
		{"not a number", ".const %a = \"x\"", "kernel.pto:1:1: error: a constant must be a number, but is \"x\"\n"},
		{"open memref", ".arg %a : !pto.memref<?x4xf32>", "kernel.pto:1:11: error: the shape of a memref argument must be known, but is !pto.memref<?x4xf32>\n"},
		{"a result without a type", ".arg %a : !pto.memref<4x8xf32>\n%t = tload %a[0, 0]", "kernel.pto:2:6: error: 'pto.tload' op needs the type of its result"},
		{"too many indices", ".arg %a : !pto.memref<4x8xf32>\n%t = tload %a[0, 0, 0] : -> !pto.tile<4x8xf32>", "kernel.pto:2:12: error: %a is indexed by 3 numbers, but has type !pto.tensor_view<4x8xf32>\n"},
		{"a tile of open extent", ".arg %a : !pto.memref<4x8xf32>\n%t = tload %a[0, 0] : -> !pto.tile<4x8xf32, valid=?x8>", "error: cannot infer the size of the part of %a"},
		{"wrong type", ".arg %a : !pto.memref<4x8xf32>\n%t = tload %a[0, 0] : f32 -> !pto.tile<4x8xf32>", "kernel.pto:2:23: error: no operand has the type f32\n"},
		{"too many types", ".arg %a : !pto.memref<4x8xf32>\n%t = tload %a[0, 0] : (!pto.memref<4x8xf32>, index, index, f32) -> !pto.tile<4x8xf32>", "error: no operand has the type f32\n"},
		{"too many operands", ".arg %a : !pto.memref<4x8xf32>\n%t = tmuls %a[0, 0], %a, %a : -> !pto.tile<4x8xf32>", "error: 'pto.tmuls' op expects fewer operands, but has 3 operands\n"},
		{"results", ".arg %a : !pto.memref<4x8xf32>\n%t, %u = tload %a[0, 0] : -> !pto.tile<4x8xf32>", "error: 'pto.tload' op has 1 results, but 2 are named\n"},
		{"control flow", ".arg %c : i1\nscf.if %c {\n}", "kernel.pto:2:1: error: 'scf.if' is not allowed in PTO-AS, which is a list of instructions\n"},
		{"a function", "func.func @f() {\n  return\n}", "error: 'func.func' is not allowed in PTO-AS, which is a list of instructions\n"},
		{"an attribute that nothing takes", ".arg %a : !pto.memref<4x8xf32>\n%t = tload %a[0, 0], #pto<cmp lt> : -> !pto.tile<4x8xf32>", "error: 'pto.tload' op has no attribute that may be #pto<cmp lt>\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var diags ir.Diags
			if m := ptoas.ReadAS(&ir.Source{Name: "kernel.pto", Text: c.in}, ptoas.ASOptions{}, &diags); m != nil {
				t.Errorf("read as\n%s", m)
			}
			passtest.Wants(t, passtest.Messages(&diags), c.want)
		})
	}
}

func TestIsAS(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{".arg %a : f32", true},
		{"\n// comment\n  .const %a = 0 : index", true},
		{"%d = tdivs %a, %b", true},
		{"%d = tmatmul.acc %a, %b, %c", true},
		{"%d = tmatmul.acd %a, %b, %c", false},
		{"tstore %t, %v[%a, %b]", true},
		{"pto.tstore %t, %v", false},
		{"%c = arith.constant 1 : i32", false},
		{"func.func @f() { return }", false},
		{"module {\n.arg", false},
		{"!t = f32\n%d = tdivs %a, %b", false},
		{"\"pto.tstore\"(%a, %b) : (f32, f32) -> ()", false},
		{"", false},
		{"// only a comment", false},
	} {
		if got := ptoas.IsAS(c.text); got != c.want {
			t.Errorf("IsAS(%q) = %v", c.text, got)
		}
	}
}

func TestWriteAS(t *testing.T) {
	const program = `.arg %p : !pto.partition_tensor_view<16x64xf32>;
.arg %s : f32;
.const %h = 5.000000e-01 : f32;
.const %yes = true;
%a = tload %p : !pto.partition_tensor_view<16x64xf32> -> !pto.tile<16x64xf32>;
%x = arith.mulf %s, %h : f32;
%d = tdivs %a, %x {precisionType = #pto<div_precision high_precision>} : (!pto.tile<16x64xf32>, f32) -> !pto.tile<16x64xf32>;
tstore %d, %p : (!pto.tile<16x64xf32>, !pto.partition_tensor_view<16x64xf32>) -> ();
`
	m := readAS(t, program)
	if got := writeAS(t, m); got != program {
		t.Errorf("got\n%s\nwant\n%s", got, program)
	}
}

// TestWriteASReadsBack writes what was read with all the liberties of the
// language, and reads it again.
func TestWriteASReadsBack(t *testing.T) {
	for _, text := range []string{
		"",
		".arg %a : f32",
		".arg %sv : !pto.memref<32x64xf32>\n%t = tload %sv[0, 16] : -> !pto.tile<16x32xf32>",
		".arg %p : !pto.ptr<f16>\n.const %n = 7 : i32\n.const %z = 0x7F800000 : f32\n.const %b = false\n%c = arith.constant {tag = 1 : i32} 3 : index\n%d = arith.constant dense<1> : vector<4xi32>",
	} {
		m := readAS(t, text)
		written := writeAS(t, m)
		if got, want := readAS(t, written).String(), m.String(); got != want {
			t.Errorf("wrote\n%s\nwhich reads as\n%s\nwant\n%s", written, got, want)
		}
	}
}

func TestWriteASErrors(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"level 2", `func.func @f(%a: !pto.tile_buf<vec, 16x64xf32>, %s: f32) {
  pto.tadds ins(%a, %s : !pto.tile_buf<vec, 16x64xf32>, f32) outs(%a : !pto.tile_buf<vec, 16x64xf32>)
  return
}`, "test:2:3: error: 'pto.tadds' op is at Level 2, but PTO-AS is written at Level 1\n"},
		{"control flow", "func.func @f(%c: i1) {\n  scf.if %c {\n  }\n  return\n}", "test:2:3: error: 'scf.if' op is control flow, which PTO-AS cannot express\n"},
		{"blocks", "func.func @f(%c: i1) {\n  cf.br ^a\n^a:\n  return\n}", "error: function @f has several blocks; PTO-AS has no control flow\n"},
		{"results", "func.func @f(%c: i1) -> i1 {\n  return %c : i1\n}", "error: function @f has results, which PTO-AS cannot express\n"},
		{"functions", "func.func @f() {\n  return\n}\nfunc.func @g() {\n  return\n}", "test:4:1: error: 'func.func' op cannot be written as PTO-AS: a PTO-AS program is the body of one function\n"},
		{"a call", "func.func @f() {\n  call @f() : () -> ()\n  return\n}", "error: 'func.call' op calls a function, which PTO-AS cannot express\n"},
		{"nothing", "module {\n}", "error: PTO-AS requires a function with a body, but the module has none\n"},
		{"an unregistered operation", "func.func @f() {\n  \"other.thing\"() : () -> ()\n  return\n}", "error: 'other.thing' op has no custom form, which PTO-AS requires\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var diags ir.Diags
			if ptoas.WriteAS(&bytes.Buffer{}, passtest.Parse(t, c.in), &diags) {
				t.Error("it was written")
			}
			passtest.Wants(t, passtest.Messages(&diags), c.want)
		})
	}
}

func TestWriteASLeavesOutAttributes(t *testing.T) {
	m := passtest.Parse(t, "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @f() {\n  return\n}\n}")
	var diags ir.Diags
	if !ptoas.WriteAS(&bytes.Buffer{}, m, &diags) {
		t.Error("it was not written")
	}
	passtest.Wants(t, passtest.Messages(&diags), `warning: PTO-AS cannot express the attribute "pto.target_arch" of 'builtin.module'; it is omitted`)
}

func FuzzReadAS(f *testing.F) {
	f.Add(".arg %a : !pto.tile<16x64xf32>;\n.const %s = 2.0 : f32;\n%d = tdivs %a, %s : !pto.tile<16x64xf32>, f32;")
	f.Add(".arg %sv : !pto.memref<32x64xf32>\n%t = tload %sv[0, 16], #pto<cmp lt> : (!pto.memref<32x64xf32>, index, index) -> !pto.tile<16x32xf32>\ntstore %t, %sv[0, 0]")
	f.Fuzz(func(t *testing.T, text string) {
		var diags ir.Diags
		m := ptoas.ReadAS(&ir.Source{Name: "fuzz", Text: text}, ptoas.ASOptions{}, &diags)
		if (m == nil) != diags.HasErrors() {
			t.Fatalf("module %v, but messages:\n%s", m != nil, passtest.Messages(&diags))
		}
		if m == nil || !ir.Verify(m, ir.VerifyOptions{}, &diags) {
			return
		}
		var out strings.Builder
		if !ptoas.WriteAS(&out, m, &diags) {
			return
		}
		again := ptoas.ReadAS(&ir.Source{Name: "fuzz", Text: out.String()}, ptoas.ASOptions{}, &diags)
		if again == nil || again.String() != m.String() {
			t.Fatalf("%s\nwas written as\n%s\nwhich reads as %v\n%s", m, out.String(), again, passtest.Messages(&diags))
		}
	})
}
