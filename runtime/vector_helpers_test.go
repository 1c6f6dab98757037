package runtime

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"ptogo/ir/num"
)

// helperKernel copies a buffer of 2 KiB into the unified buffer, applies a
// helper there in place, and copies it back.
func helperKernel(name, elem string, config uint64) string {
	return strings.NewReplacer("NAME", name, "ELEM", elem, "CONFIG", fmt.Sprint(int64(config))).Replace(`
func.func @k(%x: !pto.ptr<ELEM, gm>) attributes {pto.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 2048 : i64
  %config = arith.constant CONFIG : i64
  %u = pto.castptr %zero : i64 -> !pto.ptr<ELEM, ub>
  pto.mte_gm_ub %x, %u, %zero, %n nburst(%one, %n, %n) : !pto.ptr<ELEM, gm>, !pto.ptr<ELEM, ub>, i64, i64, i64, i64, i64
  pto.NAME %u, %u, %config : !pto.ptr<ELEM, ub>, !pto.ptr<ELEM, ub>, i64
  pto.mte_ub_gm %u, %x, %n nburst(%one, %n, %n) : !pto.ptr<ELEM, ub>, !pto.ptr<ELEM, gm>, i64, i64, i64, i64
  return
}`)
}

// TestSortValues sorts two groups of 32 in place and leaves the third alone.
func TestSortValues(t *testing.T) {
	for _, f := range []num.Format{num.F32, num.F16} {
		x := &Buffer{Data: make([]byte, 2048)}
		values := make([]float64, 96)
		for i := range values {
			values[i] = float64(i*37%101) - 50
			if i == 7 {
				values[i] = math.Inf(1)
			}
			num.Store(f, x.Data[i*f.Bytes():], num.Encode(f, values[i], num.NearestEven, false))
		}
		mustRun(t, helperKernel("vsort32", f.String(), 2<<56), ptr(x))
		for _, group := range [][]float64{values[:32], values[32:64]} {
			slices.Sort(group)
			slices.Reverse(group)
		}
		for i, want := range values {
			if got := num.Decode(f, num.Load(f, x.Data[i*f.Bytes():])); got != want {
				t.Errorf("%s: element %d is %v, want %v", f, i, got, want)
			}
		}
	}
}

// TestTransposeBlock transposes 16x16 elements in place.
func TestTransposeBlock(t *testing.T) {
	x := &Buffer{Data: make([]byte, 2048)}
	for i := range 512 {
		binary.LittleEndian.PutUint16(x.Data[2*i:], uint16(i))
	}
	mustRun(t, helperKernel("vtranspose", "i16", 0), ptr(x))
	for i := range 512 {
		want := i
		if i < 256 {
			want = i%16*16 + i/16
		}
		if got := binary.LittleEndian.Uint16(x.Data[2*i:]); int(got) != want {
			t.Errorf("element %d is %d, want %d", i, got, want)
		}
	}
}

// TestControlWord uses a control word without a defined meaning.
func TestControlWord(t *testing.T) {
	for name, text := range map[string]string{
		"bits 0 to 55": helperKernel("vsort32", "f32", 1<<56|1),
		"bits 0 to 63": helperKernel("vtranspose", "i16", 1<<56),
	} {
		f := faultOf(t, text, ptr(&Buffer{Data: make([]byte, 2048)}))
		if !strings.Contains(f.Text, name+" have no known meaning") {
			t.Errorf("got %v", f)
		}
	}
}
