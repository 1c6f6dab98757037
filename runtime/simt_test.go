package runtime

import "testing"

// TestPairs checks conversions between pairs of numbers that fill a register
// lane by lane and those that one element packs.
func TestPairs(t *testing.T) {
	out := words(0, 0, 0, 0)
	mustRun(t, `
func.func @items() attributes {pto.simt_entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i64
  %x = arith.constant dense<[1.0, -2.0]> : vector<2xf32>
  %small = pto.convert %x round(a) nosat : vector<2xf32> -> !pto.hif8x2
  %again = pto.convert %small round(a) nosat : !pto.hif8x2 -> vector<2xf32>
  %bits = llvm.bitcast %again : vector<2xf32> to i64
  %half = pto.convert %x round(r) nosat : vector<2xf32> -> vector<2xf16>
  %word = llvm.bitcast %half : vector<2xf16> to i32
  %pairs = pto.castptr %zero : i64 -> !pto.ptr<!pto.hif8x2, ub>
  %words = pto.castptr %zero : i64 -> !pto.ptr<i32, ub>
  %longs = pto.castptr %zero : i64 -> !pto.ptr<i64, ub>
  pto.store %small, %pairs[%c0] : !pto.ptr<!pto.hif8x2, ub>, !pto.hif8x2
  pto.store %word, %words[%c1] : !pto.ptr<i32, ub>, i32
  pto.store %bits, %longs[%c1] : !pto.ptr<i64, ub>, i64
  return
}
func.func @k(%out: !pto.ptr<i32, gm>) attributes {pto.kernel} {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i64
  %n = arith.constant 16 : i64
  %turn = arith.constant 1 : i64
  pto.simt_launch @items<<<%one, %one, %one>>>() : () -> ()
  %ub = pto.castptr %zero : i64 -> !pto.ptr<i32, ub>
  pto.mte_ub_gm %ub, %out, %n nburst(%turn, %n, %n) : !pto.ptr<i32, ub>, !pto.ptr<i32, gm>, i64, i64, i64, i64
  return
}`, ptr(out))
	for i, want := range []uint32{0x9008, 0xc0003c00, 0x3f800000, 0xc0000000} {
		if got := uint32(wordAt(out, i)); got != want {
			t.Errorf("word %d is %#x, want %#x", i, got, want)
		}
	}
}
