package runtime

import (
	"strings"
	"testing"
)

// eventKernel raises and lowers a flag whose number is in an array.
func eventKernel(get string) string {
	return `
func.func @k() attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %a = pto.declare_eventid_array -> !pto.eventid_array<2>
  pto.eventid_array_set %a[%c0], %c7 : !pto.eventid_array<2>
  %e = pto.eventid_array_get %a[` + get + `] : !pto.eventid_array<2>
  pto.set_flag_dyn[<PIPE_MTE2>, <PIPE_V>, %e]
  pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID7>]
  return
}`
}

// TestEventArray runs kernels that keep event numbers in an array.
func TestEventArray(t *testing.T) {
	mustRun(t, eventKernel("%c0"))
	if f := faultOf(t, eventKernel("%c1")); !strings.Contains(f.Text, "a core has events 0 to 15") {
		t.Errorf("a number that was never written: %v", f)
	}
	if f := faultOf(t, eventKernel("%c4")); !strings.Contains(f.Text, "index 4, which is out of range") {
		t.Errorf("an index that is too large: %v", f)
	}
}

// TestBits runs llvm operations on numbers and short vectors.
func TestBits(t *testing.T) {
	out := words(0, 0)
	mustRun(t, `
func.func @k(%out: !pto.ptr<i32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.constant 0 : i32
  %q = arith.constant 1 : i32
  %x = arith.constant 0x40003C00 : i32
  %v = llvm.bitcast %x : i32 to vector<2xf16>
  %h = llvm.extractelement %v[%q : i32] : vector<2xf16>
  %b = llvm.bitcast %h : f16 to i16
  %w = arith.extui %b : i16 to i32
  pto.store_scalar %w, %out[%c0] : !pto.ptr<i32>, i32
  %u = llvm.insertelement %h, %v[%p : i32] : vector<2xf16>
  %y = llvm.bitcast %u : vector<2xf16> to i32
  pto.store_scalar %y, %out[%c1] : !pto.ptr<i32>, i32
  return
}`, ptr(out))
	if a, b := wordAt(out, 0), wordAt(out, 1); a != 0x4000 || b != 0x40004000 {
		t.Errorf("got %#x and %#x", a, b)
	}
}
