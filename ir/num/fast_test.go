package num

import (
	"math"
	"testing"
)

// floats32 returns f32 numbers for tests: the special cases of the 16-bit formats, and a
// sequence of bit patterns that contains every exponent.
func floats32() []float32 {
	var out []float32
	for b := uint64(0); b < 1<<32; b += 4093 {
		out = append(out, math.Float32frombits(uint32(b)))
	}
	for h := range 1 << 16 { // all numbers of the 16-bit formats and their midpoints
		for _, b := range []uint32{uint32(h) << 16, math.Float32bits(f16ToF32(uint16(h)))} {
			out = append(out, math.Float32frombits(b), math.Float32frombits(b|0x1000), math.Float32frombits(b|0x8000),
				math.Float32frombits(b|0x1001), math.Float32frombits(b|0x7FFF), math.Float32frombits(b|0x0FFF))
		}
	}
	for _, x := range wideBits() {
		out = append(out, float32(math.Float64frombits(x)))
	}
	return out
}

func TestFastAgrees(t *testing.T) {
	src := floats32()
	f16, bf16 := make([]uint16, len(src)), make([]uint16, len(src))
	F32sToF16s(f16, src)
	F32sToBF16s(bf16, src)
	for i, x := range src {
		for _, c := range []struct {
			f        Format
			one, all uint16
		}{{F16, f32ToF16(x), f16[i]}, {BF16, f32ToBF16(x), bf16[i]}} {
			want := uint16(Encode(c.f, float64(x), NearestEven, false))
			if c.one != want || c.all != want {
				t.Fatalf("%v to %v: one %#x, slice %#x, want %#x", x, c.f, c.one, c.all, want)
			}
		}
	}
}

func TestFastDecodes(t *testing.T) {
	codes := make([]uint16, 1<<16)
	for i := range codes {
		codes[i] = uint16(i)
	}
	f16, bf16 := make([]float32, len(codes)), make([]float32, len(codes))
	F16sToF32s(f16, codes)
	BF16sToF32s(bf16, codes)
	for i, h := range codes {
		for _, c := range []struct {
			f        Format
			one, all float32
		}{{F16, f16ToF32(h), f16[i]}, {BF16, bf16ToF32(h), bf16[i]}} {
			want := uint32(Encode(F32, Decode(c.f, uint64(h)), NearestEven, false))
			if math.Float32bits(c.one) != want || math.Float32bits(c.all) != want {
				t.Fatalf("%v %#x: one %v, slice %v, want %#x", c.f, h, c.one, c.all, want)
			}
		}
	}
}

func TestStorage(t *testing.T) {
	for _, f := range Formats() {
		buf := []byte{0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA}
		v := uint64(0x8899AABBCCDDEEFF)
		Store(f, buf, v)
		if got, want := Load(f, buf), v&f.Mask(); got != want {
			t.Errorf("%v: stored %#x, loaded %#x", f, want, got)
		}
		if buf[f.Bytes()] != 0xAA {
			t.Errorf("%v: byte after the element is written", f)
		}
	}
	buf := make([]byte, 4)
	Store(F32, buf, 0x11223344)
	if buf[0] != 0x44 || buf[3] != 0x11 {
		t.Errorf("not little-endian: %x", buf)
	}
}

func TestNibbles(t *testing.T) {
	buf := make([]byte, 4)
	for i := range 8 {
		SetNibble(buf, i, uint64(i+8)|0xF0)
	}
	if want := [4]byte{0x98, 0xBA, 0xDC, 0xFE}; [4]byte(buf) != want {
		t.Errorf("got %x, want %x", buf, want)
	}
	SetNibble(buf, 3, 1)
	for i, want := range []uint64{8, 9, 10, 1, 12, 13, 14, 15} {
		if got := Nibble(buf, i); got != want {
			t.Errorf("nibble %d = %d, want %d", i, got, want)
		}
	}
}

// TestNoAllocations checks that no function of this package allocates memory, because all
// of them are called in inner loops.
func TestNoAllocations(t *testing.T) {
	n := testing.AllocsPerRun(100, func() {
		for _, f := range []Format{I8, U64, F16, BF16, F32, F64, F8E4M3FN, HiF8, F8E8M0, F4E2M1} {
			v := Encode(f, 1.25, HalfUp, true)
			sink += Decode(f, v) + float64(Convert(f, F32, v, Odd, false)+Convert(f, I16, v, Zero, true))
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

var sink float64

func BenchmarkEncode(b *testing.B) {
	for _, f := range []Format{F32, F16, F8E4M3FN, HiF8, I8} {
		b.Run(f.String(), func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				sink += float64(Encode(f, float64(i&1023)*0.37, NearestEven, false))
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, f := range []Format{F32, F16, F8E4M3FN, HiF8, I8} {
		b.Run(f.String(), func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				sink += Decode(f, uint64(i&0xFF))
			}
		})
	}
}

func BenchmarkF16Slices(b *testing.B) {
	f32, f16 := make([]float32, 4096), make([]uint16, 4096)
	r := rng()
	for i := range f32 {
		f32[i] = float32(r.NormFloat64())
	}
	b.Run("pack", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			F32sToF16s(f16, f32)
		}
	})
	b.Run("unpack", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			F16sToF32s(f32, f16)
		}
	})
}
