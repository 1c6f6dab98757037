package diff

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
	"ptogo/ir/num"
	"ptogo/runtime"
	"ptogo/tools/testsize"
)

// The feature maps of these tests have srcPlaces rows of 32 bytes. Patches are written
// into a window of boxRows rows and 2 blocks. The tile has 3 times as many rows and twice
// as many columns.
const (
	srcPlaces = 192
	nzRows    = 48 // of the same storage as boxes of 4 blocks
	boxRows   = 16
)

// patchKernel is a kernel that extracts the patches of a feature map with elements of
// type elem into an initialized tile. It multiplies this tile by the identity matrix to
// read its contents. Products do not support all element types, so the bits are treated
// as elements of type as.
type patchKernel struct {
	arch, elem, as, sum string
	boxed, transpose    bool
}

func (k patchKernel) name() string {
	return fmt.Sprintf("%s boxed=%t transpose=%t", k.elem, k.boxed, k.transpose)
}

func (k patchKernel) format() num.Format {
	f, _ := num.ParseFormat(k.as)
	return f
}

// c0 returns the number of channels in a block of 32 bytes.
func (k patchKernel) c0() int { return 32 / k.format().Bytes() }

// fields names the parameters that describe the patches, in order.
const fields = "h w l r t b fh fw sh sw dh dw ch rs rn rm m k"

func (k patchKernel) text(name string) string {
	c0 := k.c0()
	src := fmt.Sprintf("!pto.tile_buf<mat, %dx%dx%s>", srcPlaces, c0, k.elem)
	if k.boxed {
		src = fmt.Sprintf("!pto.tile_buf<mat, %dx%dx%s, blayout=col_major, slayout=row_major>", nzRows, 4*c0, k.elem)
	}
	bits := fmt.Sprintf("i%d", k.format().Bits())
	pad := "arith.bitcast %bits : " + bits + " to " + k.elem
	padType := k.elem
	if !strings.HasPrefix(k.elem, "f") && !strings.HasPrefix(k.elem, "b") {
		pad, padType = "arith.addi %bits, %none : "+bits, bits
	}
	return strings.NewReplacer(
		"@k", "@"+name, "FIELDS", "%"+strings.ReplaceAll(fields, " ", ": index, %")+": index",
		"SRC", src, "BITS", bits, "PADTYPE", padType, "PAD", pad, "TRANSPOSE", fmt.Sprint(k.transpose),
		"LOADED", fmt.Sprintf("%dx%dx%s", srcPlaces, c0, k.as), "WINDOW", fmt.Sprintf("%dx%dx%s, valid=%dx%d", 3*boxRows, 4*c0, k.elem, boxRows, 2*c0),
		"ALL", fmt.Sprintf("%dx%dx%s", 3*boxRows, 4*c0, k.as), "EYE", fmt.Sprintf("%dx%dx%s", 4*c0, 4*c0, k.as), "SUM", fmt.Sprintf("%dx%dx%s", 3*boxRows, 4*c0, k.sum),
		"ELEM", k.as, "OUT", k.sum, "%c0n", fmt.Sprint("%i", c0), "%cols", fmt.Sprint("%i", 4*c0),
		"CONSTANTS", fmt.Sprintf("  %%i%d = arith.constant %d : index\n  %%i%d = arith.constant %d : index\n", c0, c0, 4*c0, 4*c0),
	).Replace(`func.func @k(%x: !pto.ptr<ELEM>, %old: !pto.ptr<ELEM>, %eye: !pto.ptr<ELEM>, %out: !pto.ptr<OUT>, %bits: BITS, FIELDS) attributes {pto.kernel} {
CONSTANTS  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %places = arith.constant 192 : index
  %rows = arith.constant 48 : index
  %none = arith.constant 0 : BITS
  %a0 = arith.constant 0 : i64
  %a1 = arith.constant 8192 : i64
  %a2 = arith.constant 16384 : i64
  %xv = pto.make_tensor_view %x, shape = [%places, %c0n], strides = [%c0n, %one] : !pto.tensor_view<LOADED>
  %xp = pto.partition_view %xv, offsets = [%zero, %zero], sizes = [%places, %c0n] : !pto.tensor_view<LOADED> -> !pto.partition_tensor_view<LOADED>
  %ov = pto.make_tensor_view %old, shape = [%rows, %cols], strides = [%cols, %one] : !pto.tensor_view<ALL>
  %op = pto.partition_view %ov, offsets = [%zero, %zero], sizes = [%rows, %cols] : !pto.tensor_view<ALL> -> !pto.partition_tensor_view<ALL>
  %ev = pto.make_tensor_view %eye, shape = [%cols, %cols], strides = [%cols, %one] : !pto.tensor_view<EYE>
  %ep = pto.partition_view %ev, offsets = [%zero, %zero], sizes = [%cols, %cols] : !pto.tensor_view<EYE> -> !pto.partition_tensor_view<EYE>
  %sv = pto.make_tensor_view %out, shape = [%rows, %cols], strides = [%cols, %one] : !pto.tensor_view<SUM>
  %sp = pto.partition_view %sv, offsets = [%zero, %zero], sizes = [%rows, %cols] : !pto.tensor_view<SUM> -> !pto.partition_tensor_view<SUM>
  %loaded = pto.alloc_tile addr = %a0 : !pto.tile_buf<mat, LOADED>
  %map = pto.alloc_tile addr = %a0 : SRC
  %before = pto.alloc_tile addr = %a1 : !pto.tile_buf<mat, ALL, blayout=col_major, slayout=row_major>
  %unit = pto.alloc_tile addr = %a2 : !pto.tile_buf<mat, EYE, blayout=col_major, slayout=row_major>
  %left = pto.alloc_tile addr = %a0 : !pto.tile_buf<left, ALL, blayout=col_major, slayout=row_major>
  %window = pto.alloc_tile addr = %a0 : !pto.tile_buf<left, WINDOW, blayout=col_major, slayout=row_major>
  %right = pto.alloc_tile addr = %a0 : !pto.tile_buf<right, EYE, slayout=col_major>
  %sum = pto.alloc_tile addr = %a0 : !pto.tile_buf<acc, SUM, blayout=col_major, slayout=row_major, fractal=1024>
  pto.tload ins(%xp : !pto.partition_tensor_view<LOADED>) outs(%loaded : !pto.tile_buf<mat, LOADED>)
  pto.tload ins(%op : !pto.partition_tensor_view<ALL>) outs(%before : !pto.tile_buf<mat, ALL, blayout=col_major, slayout=row_major>)
  pto.tload ins(%ep : !pto.partition_tensor_view<EYE>) outs(%unit : !pto.tile_buf<mat, EYE, blayout=col_major, slayout=row_major>)
  pto.tmov ins(%before : !pto.tile_buf<mat, ALL, blayout=col_major, slayout=row_major>) outs(%left : !pto.tile_buf<left, ALL, blayout=col_major, slayout=row_major>)
  pto.tmov ins(%unit : !pto.tile_buf<mat, EYE, blayout=col_major, slayout=row_major>) outs(%right : !pto.tile_buf<right, EYE, slayout=col_major>)
  %pad = PAD
  %cfg = pto.make_fmatrix_config fmap(%h, %w) pads(%l, %r, %t, %b) filter(%fh, %fw) strides(%sh, %sw) dilations(%dh, %dw) channels(%ch) pad_value(%pad : PADTYPE) repeat(%rs, %rn, %rm) {transpose = TRANSPOSE} : !pto.fmatrix_config
  pto.setfmatrix ins(%cfg : !pto.fmatrix_config) outs()
  pto.set_img2col_rpt ins(%cfg : !pto.fmatrix_config) outs()
  pto.set_img2col_padding ins(%cfg : !pto.fmatrix_config) outs()
  pto.timg2col ins(%map, %m, %k : SRC, index, index) outs(%window : !pto.tile_buf<left, WINDOW, blayout=col_major, slayout=row_major>)
  pto.tmatmul ins(%left, %right : !pto.tile_buf<left, ALL, blayout=col_major, slayout=row_major>, !pto.tile_buf<right, EYE, slayout=col_major>) outs(%sum : !pto.tile_buf<acc, SUM, blayout=col_major, slayout=row_major, fractal=1024>)
  pto.tstore ins(%sum : !pto.tile_buf<acc, SUM, blayout=col_major, slayout=row_major, fractal=1024>) outs(%sp : !pto.partition_tensor_view<SUM>)
  return
}
`)
}

// geometry holds the values of the parameters in fields.
type geometry struct{ h, w, l, r, t, b, fh, fw, sh, sw, dh, dw, ch, rs, rn, rm, m, k int }

// values returns the parameters in the order of fields.
func (g *geometry) values() []int {
	return []int{g.h, g.w, g.l, g.r, g.t, g.b, g.fh, g.fw, g.sh, g.sw, g.dh, g.dw, g.ch, g.rs, g.rn, g.rm, g.m, g.k}
}

// randomGeometry returns random parameters, which are usually legal.
func (k patchKernel) randomGeometry(r *rand.Rand) geometry {
	c0 := k.c0()
	odd := func(n, bad int) int { // n, seldom something illegal
		if r.IntN(100) == 0 {
			return bad
		}
		return n
	}
	g := geometry{
		h: 1 + r.IntN(12), w: 1 + r.IntN(12), l: odd(r.IntN(3), 256), r: odd(r.IntN(3), -1), t: odd(r.IntN(3), 1000), b: r.IntN(3),
		fh: odd(1+r.IntN(4), 0), fw: odd(1+r.IntN(4), 512), sh: odd(1+r.IntN(3), 0), sw: odd(1+r.IntN(3), 0), dh: odd(1+r.IntN(2), 0), dw: odd(1+r.IntN(2), 256),
		ch: odd(r.IntN(4)*c0, c0/2), rn: 1, m: odd(r.IntN(40), 65536), k: odd(r.IntN(6)*c0, -1),
	}
	if k.boxed && r.IntN(20) > 0 {
		g.h = []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 48}[r.IntN(10)]
		g.w = nzRows / g.h
	}
	if r.IntN(3) == 0 {
		g.rs, g.rn, g.rm = r.IntN(3), odd(r.IntN(7), 7), odd(r.IntN(2), 2)
	}
	if r.IntN(3) == 0 {
		g.k += r.IntN(c0)
	}
	return g
}

// fits reports whether all parameters are within their ranges.
func (g *geometry) fits() bool {
	within := func(lo, hi int, ns ...int) bool {
		for _, n := range ns {
			if n < lo || n > hi {
				return false
			}
		}
		return true
	}
	return within(0, 255, g.l, g.r, g.t, g.b, g.rn) && within(1, 511, g.fh, g.fw) && within(1, 255, g.sh, g.sw, g.dh, g.dw) &&
		within(0, 1, g.rm) && within(0, 65535, g.m, g.k)
}

// patches returns the patches as lists of element indices in the storage of the feature
// map, with -1 for padding. It iterates over the padded map. ok is false if the
// parameters describe no patches.
func (k patchKernel) patches(g *geometry) (all [][]int, ok bool) {
	c0, area := k.c0(), g.h*g.w
	blocks, maps := srcPlaces/area, 1
	if k.boxed {
		blocks = 4
	}
	if g.ch > 0 {
		maps = blocks * area / max(area*(g.ch/c0), 1)
		if !k.boxed {
			maps = srcPlaces / max(area*(g.ch/c0), 1)
		}
		blocks = g.ch / c0
	}
	if g.ch%c0 != 0 || k.boxed && area != nzRows || blocks*maps == 0 {
		return nil, false
	}
	for n := range maps {
		for y := 0; y+(g.fh-1)*g.dh < g.h+g.t+g.b; y += g.sh {
			for x := 0; x+(g.fw-1)*g.dw < g.w+g.l+g.r; x += g.sw {
				var patch []int
				for b := range blocks {
					for i := range g.fh * g.fw {
						y, x := y+i/g.fw*g.dh-g.t, x+i%g.fw*g.dw-g.l
						for c := range c0 {
							at := ((n*blocks+b)*area+y*g.w+x)*c0 + c
							if y < 0 || x < 0 || y >= g.h || x >= g.w {
								at = -1
							}
							patch = append(patch, at)
						}
					}
				}
				all = append(all, patch)
			}
		}
	}
	return all, len(all) > 0
}

// reference computes the expected contents of the tile in place. src holds the feature
// map and pad the padding value, both as bits. It returns false if the parameters are
// illegal.
func (k patchKernel) reference(g *geometry, tile, src []uint64, pad uint64) bool {
	if !g.fits() {
		return false
	}
	patches, ok := k.patches(g)
	if !ok || g.rn > 6 {
		return false
	}
	c0 := k.c0()
	element := func(m, i int) uint64 {
		if m < len(patches) && i < len(patches[m]) && patches[m][i] >= 0 {
			return src[patches[m][i]]
		}
		return pad
	}
	for n := range g.rn {
		for i := range boxRows {
			for j := range 2 * c0 {
				m, e := i, j
				if k.transpose {
					m, e = j, i
				}
				if g.rm == 0 {
					m += n * 16 * g.rs
				} else {
					e += n * c0 * g.rs
				}
				place := (n*2+j/c0)*boxRows + i // of a row of a box, in the storage
				r, c := place%(3*boxRows), place/(3*boxRows)*c0+j%c0
				tile[r*4*c0+c] = element(g.m+m, g.k+e)
			}
		}
	}
	return true
}

// TestPatches compares both engines with patches that are cut from padded feature maps,
// for all element types and random parameters.
func TestPatches(t *testing.T) {
	as := map[string][2]string{"i8": {"i8", "i32"}, "ui8": {"i8", "i32"}, "i16": {"f16", "f32"}, "ui16": {"f16", "f32"}, "i32": {"f32", "f32"}, "ui32": {"f32", "f32"},
		"f16": {"f16", "f32"}, "bf16": {"bf16", "f32"}, "f32": {"f32", "f32"}}
	for arch, elems := range map[string]string{"a3": "i8 f16 bf16 f32", "a5": "i8 ui8 i16 ui16 i32 ui32 f16 bf16 f32"} {
		var text strings.Builder
		var all []patchKernel
		for i, elem := range strings.Fields(elems) {
			k := patchKernel{arch: arch, elem: elem, as: as[elem][0], sum: as[elem][1], boxed: i%2 == 1, transpose: i%3 == 0}
			text.WriteString(k.text(fmt.Sprint("k", i)))
			all = append(all, k)
		}
		m := llvmtest.Parse(t, "patches", fmt.Sprintf("module attributes {pto.target_arch = %q} {\n%s}\n", arch, text.String()))
		prog := llvmtest.Compile(t, m, llvm.Options{}, "2")
		for i, k := range all {
			t.Run(arch+" "+k.name(), func(t *testing.T) {
				r := rand.New(rand.NewPCG(uint64(i), 1))
				run := planned(t, m, runtime.Kernels(m)[i:i+1], runtime.Options{})
				legal := 0
				tries := max(*programs, testsize.Of(20, 200))
				for range tries {
					if k.compare(t, r, run, prog, fmt.Sprint("k", i)) {
						legal++
					}
				}
				if legal < tries*2/5 {
					t.Errorf("only %d descriptions were legal", legal)
				}
			})
		}
	}
}

// compare runs a kernel with random parameters on both engines, and reports whether the
// parameters were legal.
func (k patchKernel) compare(t *testing.T, r *rand.Rand, run *runtime.Program, prog *llvmtest.Program, name string) bool {
	t.Helper()
	f, c0 := k.format(), k.c0()
	fill := func(n int, number func(i int) int) ([]byte, []uint64) {
		b, bits := make([]byte, n*f.Bytes()), make([]uint64, n)
		for i := range n {
			bits[i] = num.Encode(f, float64(number(i)), num.NearestEven, false)
			num.Store(f, b[i*f.Bytes():], bits[i])
		}
		return b, bits
	}
	random := func(int) int { return 1 + r.IntN(127) }
	src, srcBits := fill(srcPlaces*c0, random)
	old, tile := fill(3*boxRows*4*c0, random)
	eye, _ := fill(16*c0*c0, func(i int) int { return map[bool]int{true: 1}[i%(4*c0) == i/(4*c0)] })
	_, pad := fill(1, random)
	out := make([]byte, 3*boxRows*4*c0*4)
	g := k.randomGeometry(r)
	args := []runtime.Arg{{Buf: &runtime.Buffer{Data: src}}, {Buf: &runtime.Buffer{Data: old}}, {Buf: &runtime.Buffer{Data: eye}}, {Buf: &runtime.Buffer{Data: out}}, {Bits: pad[0]}}
	compiled := make([]byte, len(out))
	native := []any{src, old, eye, compiled, pad[0]}
	for _, v := range g.values() {
		args, native = append(args, runtime.Arg{Bits: uint64(v)}), append(native, uint64(v))
	}
	legal := k.reference(&g, tile, srcBits, pad[0])
	fault, nativeFault := run.Run(args), prog.Run(name, 1, native...)
	if (fault == nil) != legal || (nativeFault == nil) != legal {
		t.Fatalf("%+v is legal: %t, but the runtime says %v, and through LLVM %v", g, legal, fault, nativeFault)
	}
	if !legal {
		return false
	}
	for i, bits := range tile {
		want := num.Decode(f, bits)
		for engine, b := range map[string][]byte{"runtime": out, "LLVM": compiled} {
			got := binary.LittleEndian.Uint32(b[4*i:])
			if sum, _ := num.ParseFormat(k.sum); uint64(got) != num.Encode(sum, want, num.NearestEven, false) {
				t.Fatalf("%s, %+v: element (%d, %d) is %#x, but must be %v", engine, g, i/(4*c0), i%(4*c0), got, want)
			}
		}
	}
	return true
}
