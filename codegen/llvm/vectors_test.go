package llvm_test

import (
	"fmt"
	"strings"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// vectorKernel returns a kernel that executes body on the unified buffer. The buffer is
// initialized from %in and copied to %out at the end. body can use the pointers %a, %b
// and %d to bytes 0, 1024 and 4096, and the constants %c0, %zero and %one.
func vectorKernel(elem, body string) string {
	return fmt.Sprintf(`module attributes {pto.target_arch = "a5"} {
func.func @k(%%in: !pto.ptr<%[1]s>, %%out: !pto.ptr<%[1]s>) {
  %%c0 = arith.constant 0 : index
  %%zero = arith.constant 0 : i64
  %%one = arith.constant 1 : i64
  %%size = arith.constant 8192 : i64
  %%at1 = arith.constant 1024 : i64
  %%at2 = arith.constant 4096 : i64
  %%a = pto.castptr %%zero : i64 -> !pto.ptr<%[1]s, ub>
  %%b = pto.castptr %%at1 : i64 -> !pto.ptr<%[1]s, ub>
  %%d = pto.castptr %%at2 : i64 -> !pto.ptr<%[1]s, ub>
  pto.mte_gm_ub %%in, %%a, %%zero, %%size nburst(%%one, %%size, %%size) : !pto.ptr<%[1]s>, !pto.ptr<%[1]s, ub>, i64, i64, i64, i64, i64
  pto.vecscope {
%[2]s
  }
  pto.mte_ub_gm %%a, %%out, %%size nburst(%%one, %%size, %%size) : !pto.ptr<%[1]s, ub>, !pto.ptr<%[1]s>, i64, i64, i64, i64
  func.return
}
}
`, elem, body)
}

// runVector runs the kernel of vectorKernel and returns the bytes from byte 4096 of the
// unified buffer on.
func runVector(t *testing.T, elem, body string, in []byte) []byte {
	t.Helper()
	p := llvmtest.Compile(t, llvmtest.Parse(t, "vector.pto", vectorKernel(elem, body)), llvm.Options{}, "1")
	mem := append(in, make([]byte, 8192-len(in))...)
	out := make([]byte, 8192)
	if err := p.Run("k", 1, mem, out); err != nil {
		t.Fatal(err)
	}
	return out[4096:]
}

// bytesUpTo returns the n bytes 1, 2, 3, ...
func bytesUpTo(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i + 1)
	}
	return b
}

func TestLanesUnderAMask(t *testing.T) {
	xs := llvmtest.Operands(num.F32, 2, 128)
	in := append(llvmtest.Packed(num.F32, xs[0][:64]), make([]byte, 1024-256)...)
	in = append(in, llvmtest.Packed(num.F32, xs[1][:64])...)
	out := runVector(t, "f32", `
    %n = arith.constant 50 : i32
    %m, %rest = pto.plt_b32 %n : i32 -> !pto.mask<b32>, i32
    %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %x = pto.vlds %a[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
    %y = pto.vlds %b[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
    %s = pto.vmax %x, %y, %m : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
    pto.vsts %s, %d[%c0], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>`, in)
	for i := range 64 {
		want := uint64(0)
		if i < 50 {
			want, _ = scalar.Max.Eval2(num.F32, xs[0][i], xs[1][i])
		}
		if got := num.Load(num.F32, out[4*i:]); !num.Same(num.F32, got, want) {
			t.Errorf("lane %d is %#x, want %#x", i, got, want)
		}
	}
}

func TestMaskedStoreKeepsMemory(t *testing.T) {
	in := make([]byte, 8192)
	for i := range in {
		in[i] = byte(i >> 4)
	}
	out := runVector(t, "i16", `
    %m = pto.pset_b16 "PAT_M3" : !pto.mask<b16>
    %x = pto.vlds %a[%c0] : !pto.ptr<i16, ub> -> !pto.vreg<128xi16>
    pto.vsts %x, %d[%c0], %m : !pto.vreg<128xi16>, !pto.ptr<i16, ub>, !pto.mask<b16>`, in)
	for i := range 128 {
		from := 4096
		if i%3 == 0 {
			from = 0
		}
		if got, want := num.Load(num.U16, out[2*i:]), num.Load(num.U16, in[from+2*i:]); got != want {
			t.Errorf("element %d is %#x, want %#x", i, got, want)
		}
	}
}

// TestDistributions tests loads that distribute memory over lanes, and stores that
// collect lanes.
func TestDistributions(t *testing.T) {
	load := func(dist string) string {
		return fmt.Sprintf(`
    %%all = pto.pset_b8 "PAT_ALL" : !pto.mask<b8>
    %%x = pto.vlds %%a[%%c0] {dist = %q} : !pto.ptr<i8, ub> -> !pto.vreg<256xi8>
    pto.vsts %%x, %%d[%%c0], %%all : !pto.vreg<256xi8>, !pto.ptr<i8, ub>, !pto.mask<b8>`, dist)
	}
	byteAt := func(i int) byte { return byte(i + 1) }
	for _, c := range []struct {
		dist string
		want func(i int) byte // byte i of the register
	}{
		{"NORM", byteAt},
		{"BRC_B32", func(i int) byte { return byteAt(i % 4) }},
		{"BRC_BLK", func(i int) byte { return byteAt(i % 32) }},
		{"US_B16", func(i int) byte { return byteAt(i/4*2 + i%2) }},
		{"DS_B8", func(i int) byte { return byteAt(2 * i) }},
		{"UNPK4", func(i int) byte { return map[bool]byte{true: byteAt(i / 4)}[i%4 == 0] }},
		{"E2B_B16", func(i int) byte { return byteAt(i/32*2 + i%2) }},
		{"SPLT4CHN", func(i int) byte { return byteAt(4 * i) }},
	} {
		t.Run(c.dist, func(t *testing.T) {
			t.Parallel()
			out := runVector(t, "i8", load(c.dist), bytesUpTo(2048))
			for i := range 256 {
				if out[i] != c.want(i) {
					t.Fatalf("byte %d is %d, want %d", i, out[i], c.want(i))
				}
			}
		})
	}
}

// TestConvertToNarrowLanes checks that a conversion to lanes of half the width fills
// every second lane.
func TestConvertToNarrowLanes(t *testing.T) {
	xs := llvmtest.Operands(num.F32, 1, 256)[0]
	out := runVector(t, "f32", `
    %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %all16 = pto.pset_b16 "PAT_ALL" : !pto.mask<b16>
    %x = pto.vlds %a[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
    %h = pto.vcvt %x, %all {rnd = "R", sat = "NOSAT", part = "ODD"} : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<128xf16>
    %e = pto.castptr %at2 : i64 -> !pto.ptr<f16, ub>
    pto.vsts %h, %e[%c0], %all16 : !pto.vreg<128xf16>, !pto.ptr<f16, ub>, !pto.mask<b16>`, llvmtest.Packed(num.F32, xs))
	for i := range 128 {
		want := uint64(0)
		if i%2 == 1 {
			want = num.Convert(num.F32, num.F16, xs[i/2], num.NearestEven, false)
		}
		if got := num.Load(num.F16, out[2*i:]); !num.Same(num.F16, got, want) {
			t.Errorf("lane %d is %#x, want %#x", i, got, want)
		}
	}
}

// softLib are verification options that accept instructions which a software library
// implements.
var softLib = ir.VerifyOptions{Features: pto.SoftLib}

// TestDivisionInLanes checks that an integer division by zero faults only in lanes that
// the mask selects.
func TestDivisionInLanes(t *testing.T) {
	body := `
    %m = pto.pset_b32 "PAT" : !pto.mask<b32>
    %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %x = pto.vlds %a[%c0] : !pto.ptr<i32, ub> -> !pto.vreg<64xi32>
    %y = pto.vlds %b[%c0] : !pto.ptr<i32, ub> -> !pto.vreg<64xi32>
    %q = pto.vdiv %x, %y, %m : !pto.vreg<64xi32>, !pto.vreg<64xi32>, !pto.mask<b32> -> !pto.vreg<64xi32>
    pto.vsts %q, %d[%c0], %all : !pto.vreg<64xi32>, !pto.ptr<i32, ub>, !pto.mask<b32>`
	in := make([]byte, 2048)
	for i := range 64 {
		num.Store(num.I32, in[4*i:], uint64(1000-i*50))
		num.Store(num.I32, in[1024+4*i:], uint64(max(0, 16-i))) // zeros from lane 16 on
	}
	for pattern, faults := range map[string]bool{"PAT_Q": false, "PAT_VL32": true} {
		text := vectorKernel("i32", strings.ReplaceAll(body, `"PAT"`, `"`+pattern+`"`))
		p := llvmtest.Compile(t, llvmtest.ParseWith(t, "vector.pto", text, softLib), llvm.Options{}, "1")
		out := make([]byte, 8192)
		err := p.Run("k", 1, append(in, make([]byte, 8192-len(in))...), out)
		if (err != nil) != faults {
			t.Errorf("%s: error %v, want a fault: %t", pattern, err, faults)
		}
		for i := range 64 {
			want := int64(0)
			if i < 16 {
				want = int64(1000-i*50) / int64(16-i)
			}
			if got := num.Int(num.I32, num.Load(num.I32, out[4096+4*i:])); err == nil && got != want {
				t.Errorf("lane %d is %d, want %d", i, got, want)
			}
		}
	}
}

// TestReductions checks that sums add neighboring lanes pairwise, and that the maximum or
// minimum of lanes with a NaN is NaN.
func TestReductions(t *testing.T) {
	xs := llvmtest.Operands(num.F32, 1, 512)[0][100:164]
	out := runVector(t, "f32", `
    %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %m = pto.pset_b32 "PAT_VL16" : !pto.mask<b32>
    %x = pto.vlds %a[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
    %s = pto.vcadd %x, %m : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
    %g = pto.vcgadd %x, %all : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
    %c64 = arith.constant 64 : index
    pto.vsts %s, %d[%c0], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
    pto.vsts %g, %d[%c64], %all : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>`, llvmtest.Packed(num.F32, xs))
	var sum func(xs []uint64) uint64
	sum = func(xs []uint64) uint64 {
		if len(xs) == 1 {
			return xs[0]
		}
		s, _ := scalar.Add.Eval2(num.F32, sum(xs[:len(xs)/2]), sum(xs[len(xs)/2:]))
		return s
	}
	want := make([]uint64, 128)
	want[0] = sum(xs[:16])
	for b := range 8 {
		want[64+b] = sum(xs[8*b : 8*b+8])
	}
	for i := range want {
		if got := num.Load(num.F32, out[4*i:]); !num.Same(num.F32, got, want[i]) {
			t.Errorf("lane %d is %#x, want %#x", i, got, want[i])
		}
	}
}
