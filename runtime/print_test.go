package runtime

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestPrint(t *testing.T) {
	d := tileOf("d", 2, 8, "f32", "", "2x6", 1, -2.5)
	for _, c := range []struct{ body, want string }{
		{"  %n = arith.constant -3 : i32\n  pto.print ins(\"n = %d of 100%%\\n\", %n : i32)", "n = -3 of 100%\n"},
		{"  %n = arith.constant 255 : i32\n  pto.print ins(\"%04lx|\", %n : i32)", "00ff|"},
		{"  %n = arith.constant 0.5 : f32\n  pto.print ins(\"%6.2f\", %n : f32)", "  0.50"},
		{"  %n = arith.constant 0.5 : f32\n  pto.print ins(\"%d\", %n : f32)", "5.000000e-01"},
		{"  %n = arith.constant 0x7F800000 : f32\n  pto.print ins(\"%+08.1F|\", %n : f32)", "    +INF|"},
		{"  %n = arith.constant 0xFFC00000 : f32\n  pto.print ins(\"%-5g|\", %n : f32)", "nan  |"},
		{"  %n = arith.constant 0.1 : f32\n  pto.print ins(\"%g %% %d\", %n : f32)", "0.1 % %d"},
		{"  %n = arith.constant 1.0 : f32\n  pto.print ins(\"%x\", %n : f32)", "3f800000"},
		{"  %n = arith.constant -1 : i16\n  pto.print ins(\"%u\\00cut\", %n : i16)", "65535"},
		{"  %n = arith.constant -1 : i16\n  pto.print ins(\"%s%\", %n : i16)", "-1%"},
		{"  %n = arith.constant true\n  pto.print ins(\"%d\", %n : i1)", "1"},
		{"  %n = arith.constant 7 : index\n  pto.print ins(\"nothing\", %n : index)", "nothing"},
		{"  pto.tprint ins(%d : T(d)) {printFormat = #pto<print_format width8_precision2>}", "    1.00    -2.50     0.00     0.00     0.00     0.00 |    0.00"},
		{"  pto.tprint ins(%d_p : !pto.partition_tensor_view<2x8xf32>)", "  1.0000  -2.5000"},
	} {
		var out bytes.Buffer
		vars := []tileVar{d}
		if err := runText(t, tileProgram(c.body, vars...), Options{Out: &out}, tileArgs(vars)...); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), c.want) {
			t.Errorf("%s\nprints %q, want %q", c.body, out.String(), c.want)
		}
	}
}

// TestPrintOrder prints in blocks that run side by side, of which one faults.
func TestPrintOrder(t *testing.T) {
	const text = `func.func @k(%d: i64) attributes {pto.kernel} {
  %b = pto.get_block_idx
  %left = arith.subi %d, %b : i64
  pto.print ins("%d:", %b : i64)
  %q = arith.divsi %b, %left : i64
  pto.print ins("%d ", %q : i64)
  return
}`
	for range 20 {
		var out bytes.Buffer
		err := runText(t, text, Options{Out: &out, Blocks: 12, Workers: 3}, Arg{Bits: 7})
		var f *Fault
		if !errors.As(err, &f) || f.Block != 7 {
			t.Errorf("got error %v, want a fault of block 7", err)
		}
		if want := "0:0 1:0 2:0 3:0 4:1 5:2 6:6 7:"; out.String() != want {
			t.Fatalf("prints %q, want %q", out.String(), want)
		}
	}
}

func TestTrap(t *testing.T) {
	f := faultOf(t, "func.func @k() attributes {pto.kernel} {\n  pto.trap\n  return\n}")
	if f.Text != "stops the kernel" {
		t.Errorf("fault %q", f.Text)
	}
}

func TestReinterpret(t *testing.T) {
	text := `func.func @k(%out: !pto.ptr<i32>) attributes {pto.kernel} {
  %a = arith.constant -7 : i32
  %u = builtin.unrealized_conversion_cast %a : i32 to ui32
  %b = builtin.unrealized_conversion_cast %u : ui32 to i32
  %n = builtin.unrealized_conversion_cast %b : i32 to index
  %z = builtin.unrealized_conversion_cast %n : index to i32
  %zero = arith.constant 0 : index
  pto.store_scalar %z, %out[%zero] : !pto.ptr<i32>, i32
  return
}`
	out := words(0)
	mustRun(t, text, ptr(out))
	if wordAt(out, 0) != -7 {
		t.Errorf("got %d", wordAt(out, 0))
	}
}
