package diff

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime"
)

// data describes a buffer of a kernel and the random numbers in it.
type data struct {
	name string
	// elem is the element type in the syntax of PTO.
	elem  string
	shape [2]int
	// keys holds further parameters of the tile type.
	keys string
	// valid is the valid region of the tile; "" means the entire tile.
	valid  string
	number func(r *rand.Rand, i int) float64
}

// bytes generates the contents of the buffer.
func (d *data) bytes(r *rand.Rand) []byte {
	f := d.format()
	b := make([]byte, d.shape[0]*d.shape[1]*f.Bytes())
	for i := range d.shape[0] * d.shape[1] {
		x := 0.0
		if d.number != nil {
			x = d.number(r, i)
		}
		num.Store(f, b[i*f.Bytes():], num.Encode(f, x, num.NearestEven, false))
	}
	return b
}

func (d *data) format() num.Format {
	f, ok := num.ParseFormat(strings.TrimPrefix(d.elem, "!pto."))
	if !ok {
		f = num.U8
	}
	return f
}

// tile returns the type of a tile with the shape of the buffer. If valid is set, the type
// includes the valid region.
func (d *data) tile(valid bool) string {
	keys := ""
	if valid && d.valid != "" {
		keys = ", valid=" + d.valid
	}
	return fmt.Sprintf("!pto.tile_buf<vec, %dx%dx%s%s%s>", d.shape[0], d.shape[1], d.elem, keys, d.keys)
}

// view returns the type of a view of the buffer. kind is "tensor" or "partition_tensor".
func (d *data) view(kind string) string {
	return fmt.Sprintf("!pto.%s_view<%dx%dx%s>", kind, d.shape[0], d.shape[1], d.elem)
}

// normal and the following functions return random numbers for the elements of buffers.
func normal(r *rand.Rand, _ int) float64 { return r.NormFloat64() * 100 }
func below(n int) func(*rand.Rand, int) float64 {
	return func(r *rand.Rand, _ int) float64 { return float64(r.IntN(n)) }
}
func between(lo, hi int) func(*rand.Rand, int) float64 {
	return func(r *rand.Rand, _ int) float64 { return float64(lo + r.IntN(hi-lo)) }
}

// tileKernel returns a kernel that loads one tile for each buffer in the list all,
// executes body, and stores the tiles again. In body, T(x) denotes the type of the
// tile %x, and V(x) for the type of the view %x_gm.
func tileKernel(body string, all ...*data) string {
	var params []string
	var load, store strings.Builder
	consts, at := map[int]bool{0: true, 1: true}, 0
	for _, d := range all {
		params = append(params, fmt.Sprintf("%%%s_ptr: !pto.ptr<%s>", d.name, d.elem))
		consts[d.shape[0]], consts[d.shape[1]] = true, true
		strides := fmt.Sprintf("[%%c%d, %%c1]", d.shape[1])
		if strings.Contains(d.keys, "blayout=col_major") {
			strides = fmt.Sprintf("[%%c1, %%c%d] {layout = #pto.layout<dn>}", d.shape[0])
		}
		words := strings.NewReplacer("NAME", d.name, "ROWS", fmt.Sprintf("%%c%d", d.shape[0]), "COLS", fmt.Sprintf("%%c%d", d.shape[1]),
			"STRIDES", strides, "AT", fmt.Sprint(at), "VIEW", d.view("tensor"), "PART", d.view("partition_tensor"), "TILE", d.tile(false), "VALID", d.tile(true))
		words.WriteString(&load, `  %NAME_v = pto.make_tensor_view %NAME_ptr, shape = [ROWS, COLS], strides = STRIDES : VIEW
  %NAME_gm = pto.partition_view %NAME_v, offsets = [%c0, %c0], sizes = [ROWS, COLS] : VIEW -> PART
  %NAME_at = arith.constant AT : i64
  %NAME_all = pto.alloc_tile addr = %NAME_at : TILE
  %NAME = pto.alloc_tile addr = %NAME_at : VALID
  pto.tload ins(%NAME_gm : PART) outs(%NAME_all : TILE)
`)
		words.WriteString(&store, "  pto.tstore ins(%NAME_all : TILE) outs(%NAME_gm : PART)\n")
		body = strings.NewReplacer("T("+d.name+")", d.tile(true), "V("+d.name+")", d.view("partition_tensor")).Replace(body)
		at += (d.shape[0]*d.shape[1]*d.format().Bytes() + 255) &^ 255
	}
	var b strings.Builder
	fmt.Fprintf(&b, "func.func @k(%s) attributes {pto.kernel} {\n", strings.Join(params, ", "))
	for _, n := range slices.Sorted(maps.Keys(consts)) {
		fmt.Fprintf(&b, "  %%c%d = arith.constant %d : index\n", n, n)
	}
	b.WriteString(load.String() + body + "\n" + store.String() + "  return\n}\n")
	return b.String()
}

// pair is a kernel that both engines execute, with its buffers.
type pair struct {
	name string
	// arch is the profile; "" means a5.
	arch string
	text string
	// beside states that the text also contains a kernel @k_vector for the vector cores.
	beside bool
	// faults states that both engines must report a fault.
	faults bool
	data   []*data
	// blocks is the number of blocks of the launch; 0 means 1.
	blocks int
	// prints is text that the kernel must print; "" means that it prints nothing.
	prints string
}

// checkPairs runs all kernels on both engines, and compares the resulting memory and the
// printed text. The kernels of each profile are compiled as one module.
func checkPairs(t *testing.T, pairs []pair) {
	for _, arch := range []string{"a3", "a5"} {
		var text strings.Builder
		var here []pair
		for _, p := range pairs {
			if p.arch == arch || p.arch == "" && arch == "a5" {
				text.WriteString(strings.ReplaceAll(p.text, "@k", fmt.Sprintf("@k%d", len(here))))
				here = append(here, p)
			}
		}
		if len(here) == 0 {
			continue
		}
		m := llvmtest.Parse(t, "pairs", fmt.Sprintf("module attributes {pto.target_arch = %q} {\n%s}\n", arch, text.String()))
		launches := make([][]*ir.Op, len(here))
		var o llvm.Options
		for i, p := range here {
			if launches[i] = p.kernels(m, fmt.Sprintf("k%d", i)); p.beside {
				o.Together = append(o.Together, launches[i])
			}
		}
		prog := llvmtest.Compile(t, m, o, "2")
		for i, p := range here {
			t.Run(p.name, func(t *testing.T) { p.check(t, m, launches[i], prog) })
		}
	}
}

// kernels returns the kernels of the launch in the module m. name is the name of the
// first one.
func (p *pair) kernels(m *ir.Op, name string) []*ir.Op {
	var out []*ir.Op
	for _, f := range runtime.Kernels(m) {
		if got, _ := ir.SymbolName(f); got == name || p.beside && got == name+"_vector" {
			out = append(out, f)
		}
	}
	return out
}

func (p *pair) check(t *testing.T, m *ir.Op, kernels []*ir.Op, prog *llvmtest.Program) {
	name, _ := ir.SymbolName(kernels[0])
	r := rand.New(rand.NewPCG(1, 2))
	for range 4 {
		var native []any
		var args []runtime.Arg
		for _, d := range p.data {
			b := d.bytes(r)
			native = append(native, b)
			args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: slices.Clone(b)}})
		}
		var out, outNative bytes.Buffer
		prog.Out = &outNative
		err := planned(t, m, kernels, runtime.Options{Blocks: p.blocks, Out: &out}).Run(args)
		errNative := prog.Run(name, p.blocks, native...)
		if (err == nil) != (errNative == nil) {
			t.Fatalf("faults differ: %v, through LLVM %v", err, errNative)
		}
		if (err != nil) != p.faults {
			t.Fatalf("got fault %v", err)
		}
		if p.faults { // through LLVM it has written nothing
			continue
		}
		if got, want := outNative.String(), out.String(); got != want || !strings.Contains(got, p.prints) || (got == "") != (p.prints == "") {
			t.Fatalf("prints\n%s\nthrough LLVM\n%s\nwant %q among it", want, got, p.prints)
		}
		for i, d := range p.data {
			d.same(t, native[i].([]byte), args[i].Buf.Data)
		}
	}
}

// same reports a test error if the buffers got and want differ. All NaNs of a format
// count as equal.
func (d *data) same(t *testing.T, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	f := d.format()
	for i := 0; i < len(want); i += f.Bytes() {
		g, w := num.Load(f, got[i:]), num.Load(f, want[i:])
		if !num.Same(f, g, w) {
			t.Fatalf("element %d of %s is %#x, through LLVM %#x", i/f.Bytes(), d.name, w, g)
		}
	}
}
