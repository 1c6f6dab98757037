package runtime

import (
	"encoding/binary"
	"strings"
	"testing"
)

// localKernel stores what body leaves in %y.
func localKernel(body string) string {
	return `
func.func @k(%out: !pto.ptr<i32, gm>, %n: i32) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %i = arith.index_cast %n : i32 to index
` + body + `
  pto.store_scalar %y, %out[%c0] : !pto.ptr<i32, gm>, i32
  return
}`
}

func TestLocalStorage(t *testing.T) {
	for _, c := range []struct {
		name, body string
		n          uint64
		want       uint32
	}{
		{"array", `
  %a = pto.declare_local_array -> !pto.local_array<3x5xi32>
  scf.for %r = %c0 to %i step %c1 {
    scf.for %c = %c0 to %c4 step %c1 {
      %x = arith.addi %r, %c : index
      %z = arith.index_cast %x : index to i32
      pto.local_array_set %a[%r, %c], %z : !pto.local_array<3x5xi32>, i32
    }
  }
  %y = pto.local_array_get %a[%c1, %c1] : !pto.local_array<3x5xi32> -> i32`, 3, 2},
		{"struct", `
  %b = arith.constant -7 : i8
  %s = pto.declare_struct -> !pto.struct<!pto.struct<f32, i8>, i16>
  pto.struct_set %s[0, 1], %b : !pto.struct<!pto.struct<f32, i8>, i16>, i8
  %z = pto.struct_get %s[0, 1] : !pto.struct<!pto.struct<f32, i8>, i16> -> i8
  %y = arith.extsi %z : i8 to i32`, 0, ^uint32(6)},
		{"new each time", `
  scf.for %r = %c0 to %i step %c1 {
    %a = pto.declare_local_array -> !pto.local_array<1xi32>
    %old = pto.local_array_get %a[%c0] : !pto.local_array<1xi32> -> i32
    %z = arith.addi %old, %n : i32
    pto.local_array_set %a[%c0], %z : !pto.local_array<1xi32>, i32
    pto.store_scalar %z, %out[%c0] : !pto.ptr<i32, gm>, i32
  }
  %y = pto.load_scalar %out[%c0] : !pto.ptr<i32, gm> -> i32`, 5, 5},
	} {
		out := &Buffer{Data: make([]byte, 4)}
		mustRun(t, localKernel(c.body), ptr(out), Arg{Bits: c.n})
		if got := binary.LittleEndian.Uint32(out.Data); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

func TestLocalIndexOutOfRange(t *testing.T) {
	text := localKernel(`
  %a = pto.declare_local_array -> !pto.local_array<4xi32>
  %y = pto.local_array_get %a[%i] : !pto.local_array<4xi32> -> i32`)
	for n, bits := range map[string]uint64{"4": 4, "-1": 0xffffffff} {
		err := runText(t, text, Options{}, ptr(&Buffer{Data: make([]byte, 4)}), Arg{Bits: bits})
		if want := "has index #0 equal to " + n + ", but the extent of this dimension is 4"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}
