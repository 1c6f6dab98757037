package runtime

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"ptogo/ir/num"
)

// cubePrefix has pointers into the memories of the cube unit.
const cubePrefix = `
func.func @k(%in: !pto.ptr<i8>, %out: !pto.ptr<i8>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  %c16 = arith.constant 16 : i64
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  %c128 = arith.constant 128 : i64
  %big = arith.constant 524288 : i64
  %word = arith.constant -1413823747 : i32
  %false = arith.constant false
  %true = arith.constant true
  %l1 = pto.castptr %c0 : i64 -> !pto.ptr<i8, l1>
  %l1u = pto.castptr %c0 : i64 -> !pto.ptr<ui16, l1>
  %l1h = pto.castptr %c0 : i64 -> !pto.ptr<f16, l1>
  %far = pto.castptr %big : i64 -> !pto.ptr<i8, l1>
  %odd = pto.castptr %c16 : i64 -> !pto.ptr<i8, l1>
  %ub = pto.castptr %c0 : i64 -> !pto.ptr<i8, ub>
  %bt = pto.castptr %c0 : i64 -> !pto.ptr<f32, bt>
  %l0a = pto.castptr %c0 : i64 -> !pto.ptr<i8, l0a>
  %l0b = pto.castptr %c0 : i64 -> !pto.ptr<i8, l0b>
  %l0c = pto.castptr %c0 : i64 -> !pto.ptr<i32, l0c>
  %hl0a = pto.castptr %c0 : i64 -> !pto.ptr<f16, l0a>
  %hl0b = pto.castptr %c0 : i64 -> !pto.ptr<f16, l0b>
  %fl0c = pto.castptr %c0 : i64 -> !pto.ptr<f32, l0c>
  pto.mte_gm_l1 %in, %l1, %c128 nburst(%c4, %c128, %c128) : !pto.ptr<i8>, !pto.ptr<i8, l1>, i64, i64, i64, i64
`

// l1ToOut copies what is at the start of L1 to the output.
const l1ToOut = `
  pto.mte_l1_ub %l1, %ub, %c16 nburst(%c1, %c0, %c0) : !pto.ptr<i8, l1>, !pto.ptr<i8, ub>, i64, i64, i64, i64
  pto.mte_ub_gm %ub, %out, %c128 nburst(%c4, %c128, %c128) : !pto.ptr<i8, ub>, !pto.ptr<i8>, i64, i64, i64, i64
  return
}`

// countedBytes returns bytes that count.
func countedBytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i%251 + 1)
	}
	return b
}

func TestL1Loads(t *testing.T) {
	in := countedBytes(1024)
	word := []byte{0xfd, 0xc2, 0xba, 0xab} // of %word
	for _, c := range []struct {
		name, text string
		want       func(l1 []byte)
	}{
		{"rows become fractals, with zeros behind", `pto.mte_gm_l1_frac %in, %l1, nd2nz, shape(%c2, %c3), src_layout(%c8), dst_group(%c1, %c1, %c16, %c0), ctrl(%c0, %false) : !pto.ptr<i8>, !pto.ptr<i8, l1>, nd2nz, shape i64, i64, src_layout(i64), dst_group i64, i64, i64, i64, ctrl i64, i1`,
			func(l1 []byte) {
				clear(l1[:64])
				copy(l1, in[:3])
				copy(l1[32:], in[8:11])
			}},
		{"columns become fractals", `pto.mte_gm_l1_frac %in, %l1, dn2nz, shape(%c2, %c3), src_layout(%c8), dst_group(%c1, %c1, %c16, %c0), ctrl(%c0, %false) : !pto.ptr<i8>, !pto.ptr<i8, l1>, dn2nz, shape i64, i64, src_layout(i64), dst_group i64, i64, i64, i64, ctrl i64, i1`,
			func(l1 []byte) {
				clear(l1[:64])
				for d := range 3 {
					l1[d], l1[32+d] = in[8*d], in[8*d+1]
				}
			}},
		{"several matrices", `pto.mte_gm_l1_frac %in, %l1, nd2nz, shape(%c1, %c2), src_layout(%c8, %c16), dst_group(%c2, %c1, %c16, %c4), ctrl(%c0, %false) : !pto.ptr<i8>, !pto.ptr<i8, l1>, nd2nz, shape i64, i64, src_layout(i64, i64), dst_group i64, i64, i64, i64, ctrl i64, i1`,
			func(l1 []byte) {
				clear(l1[:32])
				clear(l1[128:160])
				copy(l1, in[:2])
				copy(l1[128:], in[16:18])
			}},
		{"small units", `pto.mte_gm_l1_frac %in, %l1, nd2nz, shape(%c3, %c2), src_layout(%c8), dst_group(%c1, %c1, %c16, %c0), ctrl(%c0, %true) : !pto.ptr<i8>, !pto.ptr<i8, l1>, nd2nz, shape i64, i64, src_layout(i64), dst_group i64, i64, i64, i64, ctrl i64, i1`,
			func(l1 []byte) {
				clear(l1[:32])
				for n := range 3 {
					copy(l1[4*n:], in[8*n:8*n+2])
				}
			}},
		{"words", `pto.raw_fill_l1 %l1, %c32, %word, %c2, %c1, %c2 {fill_word_bits = 32 : i64} : !pto.ptr<i8, l1>, i64, i32, i64, i64, i64`,
			func(l1 []byte) {
				copy(l1[32:64], bytes.Repeat(word, 8))
				copy(l1[128:160], bytes.Repeat(word, 8))
			}},
		{"half words", `pto.create_cbuf_matrix %l1u, %word, %c1, %c1, %c0 {fill_word_bits = 16 : i64} : !pto.ptr<ui16, l1>, i32, i64, i64, i64`,
			func(l1 []byte) { copy(l1[:32], bytes.Repeat(word[:2], 16)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := bytes.Clone(in[:512])
			c.want(want)
			out := make([]byte, 512)
			if err := runText(t, cubePrefix+c.text+l1ToOut, Options{}, bufs(in, out)...); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out, want) {
				t.Errorf("L1 holds\n% x\nwant\n% x", out[:192], want[:192])
			}
		})
	}
}

func TestCubeFaults(t *testing.T) {
	const frac = ` : !pto.ptr<i8>, !pto.ptr<i8, l1>, nd2nz, shape i64, i64, src_layout(i64), dst_group i64, i64, i64, i64, ctrl i64, i1`
	for _, c := range []struct{ text, want string }{
		{`pto.mte_gm_l1_frac %in, %far, nd2nz, shape(%c2, %c3), src_layout(%c8), dst_group(%c1, %c1, %c16, %c0), ctrl(%c0, %false)` + frac, "writes bytes 524288..524319 of l1 through \"destination\", but l1 has 524288 bytes"},
		{`pto.mte_gm_l1_frac %in, %odd, nd2nz, shape(%c2, %c3), src_layout(%c8), dst_group(%c1, %c1, %c16, %c0), ctrl(%c0, %false)` + frac, "the address must be a multiple of 32 bytes"},
		{`pto.mte_gm_l1_frac %in, %l1, nd2nz, shape(%c2, %c64), src_layout(%big), dst_group(%c1, %c1, %c16, %c0), ctrl(%c0, %false)` + frac, "of gm buffer 0"},
		{`pto.mte_l1_l0a %l1, %l0a, %big, %c32 : !pto.ptr<i8, l1>, !pto.ptr<i8, l0a>, i64, i64`, "has m = 524288, but this operand must be at most 65535"},
		{`pto.mte_l1_l0a %l1, %l0a, %c32, %c32, %c3, %c0 : !pto.ptr<i8, l1>, !pto.ptr<i8, l0a>, i64, i64, i64, i64`, "must start at a fractal, at a multiple of 16 rows and of 32 columns"},
		{`pto.mte_l1_bt %l1h, %bt, %c128 nburst(%c1, %c0, %c0) : !pto.ptr<f16, l1>, !pto.ptr<f32, bt>, i64, i64, i64, i64`, "writes bytes 0..8191 of bt"},
		{`%huge = arith.addi %big, %big : i64
  pto.mad %hl0a, %hl0b, %fl0c, %c16, %c16, %huge : !pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, i64, i64, i64`, "has k = 1048576, but this operand must be between 1 and 4095"},
		{`%m = arith.constant 4000 : i64
  pto.mad %hl0a, %hl0b, %fl0c, %m, %c16, %c64 : !pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, i64, i64, i64`, "of l0a through \"lhs\", but l0a has 65536 bytes"},
		{`%end = arith.constant 262000 : i64
  %top = pto.castptr %end : i64 -> !pto.ptr<f32, l0c>
  pto.mad %hl0a, %hl0b, %top, %c16, %c16, %c16 : !pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, i64, i64, i64`, "of l0c through \"dst\""},
		{`%p = arith.constant 262000 : i64
  %u = pto.castptr %p : i64 -> !pto.ptr<f32, ub>
  pto.mte_l0c_ub %fl0c, %u, %c16, %c16, %c16, %c16, dst_mode(%c0), nz2nd : !pto.ptr<f32, l0c>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64`, "of ub through \"destination\""},
		{`%sub = arith.addi %c1, %c1 : i64
  %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
  pto.mte_l0c_ub %fl0c, %u, %c16, %c16, %c16, %c16, dst_mode(%sub), nz2nd : !pto.ptr<f32, l0c>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64`, "writes to vector core 2, but a block has only 2 vector cores, numbered from 0"},
	} {
		err := runText(t, cubePrefix+c.text+l1ToOut, Options{}, bufs(countedBytes(1024), make([]byte, 512))...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngives %v, want %q", c.text, err, c.want)
		}
	}
}

// TestScales multiplies ones by ones with scales, so that the product shows
// them.
func TestScales(t *testing.T) {
	text := `
func.func @k(%one: !pto.ptr<f8E4M3FN>, %as: !pto.ptr<f8E4M3FN>, %bs: !pto.ptr<f8E4M3FN>, %out: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c16 = arith.constant 16 : i64
  %c32 = arith.constant 32 : i64
  %c64 = arith.constant 64 : i64
  %c1024 = arith.constant 1024 : i64
  %ones = pto.castptr %c0 : i64 -> !pto.ptr<f8E4M3FN, l1>
  %l1a = pto.castptr %c1024 : i64 -> !pto.ptr<f8E4M3FN, l1>
  %l1b = pto.addptr %l1a, %c32i : !pto.ptr<f8E4M3FN, l1> -> !pto.ptr<f8E4M3FN, l1>
  %l0a = pto.castptr %c1024 : i64 -> !pto.ptr<f8E4M3FN, l0a>
  %l0b = pto.castptr %c1024 : i64 -> !pto.ptr<f8E4M3FN, l0b>
  %l0c = pto.castptr %c0 : i64 -> !pto.ptr<f32, l0c>
  pto.mte_gm_l1 %one, %ones, %c1024 nburst(%c1, %c0, %c0) : !pto.ptr<f8E4M3FN>, !pto.ptr<f8E4M3FN, l1>, i64, i64, i64, i64
  pto.mte_gm_l1 %as, %l1a, %c32 nburst(%c1, %c0, %c0) : !pto.ptr<f8E4M3FN>, !pto.ptr<f8E4M3FN, l1>, i64, i64, i64, i64
  pto.mte_gm_l1 %bs, %l1b, %c32 nburst(%c1, %c0, %c0) : !pto.ptr<f8E4M3FN>, !pto.ptr<f8E4M3FN, l1>, i64, i64, i64, i64
  pto.mte_l1_l0a %ones, %l0a, %c16, %c64 : !pto.ptr<f8E4M3FN, l1>, !pto.ptr<f8E4M3FN, l0a>, i64, i64
  pto.mte_l1_l0b %ones, %l0b, %c64, %c16 : !pto.ptr<f8E4M3FN, l1>, !pto.ptr<f8E4M3FN, l0b>, i64, i64
  pto.mte_l1_l0a_mx %l1a, %l0a, %c16, %c64 : !pto.ptr<f8E4M3FN, l1>, !pto.ptr<f8E4M3FN, l0a>, i64, i64
  pto.mte_l1_l0b_mx %l1b, %l0b, %c64, %c16 : !pto.ptr<f8E4M3FN, l1>, !pto.ptr<f8E4M3FN, l0b>, i64, i64
  pto.mad_mx %l0a, %l0b, %l0c, %c16, %c16, %c64 : !pto.ptr<f8E4M3FN, l0a>, !pto.ptr<f8E4M3FN, l0b>, !pto.ptr<f32, l0c>, i64, i64, i64
  pto.mte_l0c_gm %l0c, %out, %c16, %c16, %c16, %c16, %c0, %c0, nz2nd : !pto.ptr<f32, l0c>, !pto.ptr<f32>, i64, i64, i64, i64, i64, i64
  return
}`
	text = strings.Replace(text, "  %ones =", "  %c32i = arith.constant 32 : index\n  %ones =", 1)
	var as, bs [32]byte
	for i := range as {
		as[i], bs[i] = byte(120+i/2+i%2), byte(127+i%2) // rows differ, and groups
	}
	out := make([]byte, 16*16*4)
	if err := runText(t, text, Options{}, bufs(bytes.Repeat([]byte{0x38}, 1024), as[:], bs[:], out)...); err != nil {
		t.Fatal(err)
	}
	for i := range 16 {
		for j := range 16 {
			by := func(code byte) float64 { return math.Ldexp(1, int(code)-127) }
			want := 32*by(as[2*i])*by(bs[2*j]) + 32*by(as[2*i+1])*by(bs[2*j+1])
			if got := num.Decode(num.F32, num.Load(num.F32, out[4*(16*i+j):])); got != want {
				t.Fatalf("element (%d, %d) is %v, want %v", i, j, got, want)
			}
		}
	}
}
