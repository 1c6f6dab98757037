package runtime

import (
	"encoding/binary"
	"strings"
	"testing"
)

// ubKernel loads 1 KiB of words, runs body on them at %a, and stores the KiB
// after, %d, which starts as zeros.
func ubKernel(body string) string {
	return `
func.func @k(%in: !pto.ptr<i32, gm>, %out: !pto.ptr<i32, gm>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c8 = arith.constant 8 : i64
  %c16 = arith.constant 16 : i64
  %c70 = arith.constant 70 : i64
  %m1 = arith.constant -1 : i64
  %n = arith.constant 1024 : i64
  %a = pto.castptr %c0 : i64 -> !pto.ptr<i32, ub>
  %d = pto.castptr %n : i64 -> !pto.ptr<i32, ub>
  pto.mte_gm_ub %in, %a, %c0, %n nburst(%c1, %n, %n) : !pto.ptr<i32, gm>, !pto.ptr<i32, ub>, i64, i64, i64, i64, i64
` + body + `
  pto.mte_ub_gm %d, %out, %n nburst(%c1, %n, %n) : !pto.ptr<i32, ub>, !pto.ptr<i32, gm>, i64, i64, i64, i64
  return
}`
}

const (
	ubAdd3   = "  pto.ub.vadds %d, %a, %c3, %c2, %c1, %c1, %c8, %c8 : !pto.ptr<i32, ub>, !pto.ptr<i32, ub>, i64, i64, i64, i64, i64, i64\n"
	ubDouble = "  pto.ub.vadd %d, %a, %a, %c1, %c2, %c1, %c1, %c16, %c8, %c8 : !pto.ptr<i32, ub>, !pto.ptr<i32, ub>, !pto.ptr<i32, ub>, i64, i64, i64, i64, i64, i64, i64\n"
)

func TestRowsOfUnifiedBuffer(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       func(i int) uint32
	}{
		{"two steps", ubAdd3, func(i int) uint32 {
			if i >= 128 {
				return 0
			}
			return uint32(i + 3)
		}},
		{"mask", "  pto.ub.set_mask %c3, %m1 : i64, i64\n" + ubAdd3, func(i int) uint32 {
			if i >= 128 || i%64 > 1 {
				return 0
			}
			return uint32(i + 3)
		}},
		{"count", "  pto.ub.set_mask_count\n  pto.ub.set_mask %c70, %c0 : i64, i64\n" + ubAdd3, func(i int) uint32 {
			if i >= 70 {
				return 0
			}
			return uint32(i + 3)
		}},
		{"bits again", "  pto.ub.set_mask_count\n  pto.ub.set_mask_norm\n  pto.ub.set_mask %m1, %c0 : i64, i64\n" + ubAdd3, func(i int) uint32 {
			if i >= 128 {
				return 0
			}
			return uint32(i + 3)
		}},
		{"strides of blocks", ubDouble, func(i int) uint32 {
			if block := i / 8; i < 128 && block%2 == 0 {
				return uint32(2 * (block/2*8 + i%8))
			}
			return 0
		}},
		{"fill", "  pto.ub.vdup %d, %c70, %c2, %c1, %c0, %c8, %c0 : !pto.ptr<i32, ub>, i64, i64, i64, i64, i64, i64\n", func(i int) uint32 {
			if i >= 128 {
				return 0
			}
			return 70
		}},
	} {
		in, out := &Buffer{Data: make([]byte, 1024)}, &Buffer{Data: make([]byte, 1024)}
		for i := range 256 {
			binary.LittleEndian.PutUint32(in.Data[4*i:], uint32(i))
		}
		mustRun(t, ubKernel(c.body), ptr(in), ptr(out))
		for i := range 256 {
			if got := binary.LittleEndian.Uint32(out.Data[4*i:]); got != c.want(i) {
				t.Errorf("%s: element %d is %d, want %d", c.name, i, got, c.want(i))
				break
			}
		}
	}
}

func TestRowsOutsideUnifiedBuffer(t *testing.T) {
	far := strings.Replace(ubAdd3, "%c8, %c8 :", "%c8, %n :", 1)
	far = strings.Replace(far, "%c2, %c1, %c1", "%c16, %c1, %c1", 1)
	for _, c := range []struct{ body, want string }{
		{far, `reads bytes 262144..262147 of ub through "src", but ub has 262144 bytes on a5`},
		{"  %odd = pto.castptr %c3 : i64 -> !pto.ptr<i32, ub>\n" + strings.Replace(ubAdd3, "%d,", "%odd,", 1),
			`writes ub address 0x3 through "dst", but the address must be a multiple of 32 bytes`},
		{strings.Replace(ubAdd3, "%c2, %c1, %c1", "%m1, %c1, %c1", 1), "repeats -1 times, but must repeat at most 255 times"},
	} {
		buf := &Buffer{Data: make([]byte, 1024)}
		err := runText(t, ubKernel(c.body), Options{}, ptr(buf), ptr(buf))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}
