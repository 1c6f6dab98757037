package runtime

import (
	"fmt"
	"strings"
	satomic "sync/atomic"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir/num"
)

// tileVar is a tile of a test program. All of its storage is loaded from buf
// before and stored there after the instructions.
type tileVar struct {
	name       string
	rows, cols int
	elem       string
	layout     string // keys of the type, such as "blayout=col_major"
	valid      string // such as "2x3"; all of it if empty
	buf        *Buffer
}

// of returns the type of the tile, with its valid region or without.
func (v tileVar) of(valid bool) string {
	s := fmt.Sprintf("!pto.tile_buf<vec, %dx%dx%s", v.rows, v.cols, v.elem)
	if valid && v.valid != "" {
		s += ", valid=" + v.valid
	}
	if v.layout != "" {
		s += ", " + v.layout
	}
	return s + ">"
}

// tileProgram writes a kernel whose parameters are the buffers of the tiles. In
// body, T(name) represents the type of a tile.
func tileProgram(body string, vars ...tileVar) string {
	var head, load, store strings.Builder
	addr := 0
	for i, v := range vars {
		if i > 0 {
			head.WriteString(", ")
		}
		n, full := v.name, v.of(false)
		fmt.Fprintf(&head, "%%%s_gm: !pto.ptr<%s>", n, v.elem)
		fmt.Fprintf(&load, "  %%%[1]s_at = arith.constant %[2]d : i64\n  %%%[1]s_r = arith.constant %[3]d : index\n  %%%[1]s_c = arith.constant %[4]d : index\n", n, addr, v.rows, v.cols)
		part := fmt.Sprintf("!pto.partition_tensor_view<%dx%dx%s>", v.rows, v.cols, v.elem)
		rowStride, colStride, layout := "%"+n+"_c", "%one", ""
		if strings.Contains(v.layout, "blayout=col_major") {
			rowStride, colStride, layout = "%one", "%"+n+"_r", " {layout = #pto.layout<dn>}"
		}
		fmt.Fprintf(&load, "  %%%[1]s_v = pto.make_tensor_view %%%[1]s_gm, shape = [%%%[1]s_r, %%%[1]s_c], strides = [%[2]s, %[3]s]%[5]s : !pto.tensor_view<?x?x%[4]s>\n", n, rowStride, colStride, v.elem, layout)
		fmt.Fprintf(&load, "  %%%[1]s_p = pto.partition_view %%%[1]s_v, offsets = [%%zero, %%zero], sizes = [%%%[1]s_r, %%%[1]s_c] : !pto.tensor_view<?x?x%[2]s> -> %[3]s\n", n, v.elem, part)
		fmt.Fprintf(&load, "  %%%[1]s_all = pto.alloc_tile addr = %%%[1]s_at : %[2]s\n  %%%[1]s = pto.alloc_tile addr = %%%[1]s_at : %[3]s\n", n, full, v.of(true))
		fmt.Fprintf(&load, "  pto.tload ins(%%%[1]s_p : %[2]s) outs(%%%[1]s_all : %[3]s)\n", n, part, full)
		fmt.Fprintf(&store, "  pto.tstore ins(%%%[1]s_all : %[3]s) outs(%%%[1]s_p : %[2]s)\n", n, part, full)
		body = strings.ReplaceAll(body, "T("+n+")", v.of(true))
		addr += roundUp(len(v.buf.Data), 256)
	}
	return "func.func @k(" + head.String() + ") attributes {pto.kernel} {\n" +
		"  %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n" +
		load.String() + body + "\n" + store.String() + "  return\n}"
}

func tileArgs(vars []tileVar) []Arg {
	var args []Arg
	for _, v := range vars {
		args = append(args, ptr(v.buf))
	}
	return args
}

// runTiles runs instructions on tiles; results are in the buffers.
func runTiles(t testing.TB, body string, vars ...tileVar) {
	t.Helper()
	mustRun(t, tileProgram(body, vars...), tileArgs(vars)...)
}

// faultOfTiles runs instructions that must fault.
func faultOfTiles(t testing.TB, want, body string, vars ...tileVar) {
	t.Helper()
	if f := faultOf(t, tileProgram(body, vars...), tileArgs(vars)...); !strings.Contains(f.Text, want) {
		t.Errorf("fault %q, want %q in it", f.Text, want)
	}
}

// numbersOf makes a buffer of numbers in a format.
func numbersOf(f num.Format, xs ...float64) *Buffer {
	b := &Buffer{}
	for _, x := range xs {
		at := len(b.Data)
		b.Data = append(b.Data, make([]byte, f.Bytes())...)
		num.Store(f, b.Data[at:], num.Encode(f, x, num.NearestEven, false))
	}
	return b
}

// valuesOf reads a buffer of numbers.
func valuesOf(f num.Format, b *Buffer) []float64 {
	var xs []float64
	for at := 0; at+f.Bytes() <= len(b.Data); at += f.Bytes() {
		xs = append(xs, num.Decode(f, num.Load(f, b.Data[at:])))
	}
	return xs
}

// counted are the numbers from a to b.
func counted(a, b int) []float64 {
	var xs []float64
	for ; a <= b; a++ {
		xs = append(xs, float64(a))
	}
	return xs
}

// tileOf makes a tile variable of numbers; what xs leaves out is zero.
func tileOf(name string, rows, cols int, elem, layout, valid string, xs ...float64) tileVar {
	f, _ := num.ParseFormat(elem)
	b := numbersOf(f, xs...)
	b.Data = append(b.Data, make([]byte, rows*cols*max(f.Bytes(), 1)-len(b.Data))...)
	return tileVar{name, rows, cols, elem, layout, valid, b}
}

// runForMemory runs a kernel on one core and returns a memory of that core as
// the kernel leaves it.
func runForMemory(t testing.TB, text string, space sem.Space, gm ...*Buffer) []byte {
	t.Helper()
	return runOnCore(t, text, gm...).spaces[space].data
}

// runOnCore runs a kernel on one core, which it returns.
func runOnCore(t testing.TB, text string, gm ...*Buffer) *core {
	t.Helper()
	p := planText(t, text, Options{})
	var args []Arg
	for _, b := range gm {
		args = append(args, ptr(b))
	}
	cl := newCluster(p, &launch{vectors: new(satomic.Int64), ranks: []rank{{gm: gm}}, each: 1})
	cl.reset(0)
	bound, err := p.bind(args, 0)
	if err != nil {
		t.Fatal(err)
	}
	if f := runCores(cl.cores, bound); f != nil {
		t.Fatal(f)
	}
	return cl.cores[0]
}
