package main

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/kernel"
	"ptogo/runtime"
)

// runKernel runs a kernel of the timing check on data, so that its results can be tested.
func runKernel(t *testing.T, file string, blocks int, args ...runtime.Arg) {
	t.Helper()
	text, err := kernels.ReadFile("kernels/" + file)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := kernel.Load(&ir.Source{Name: file, Text: string(text)}, kernel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := prog.Plan(runtime.Options{Blocks: blocks})
	if err != nil {
		t.Fatal(err)
	}
	list := make([]any, len(args))
	for i, a := range args {
		list[i] = a
	}
	if err := plan.Run(list...); err != nil {
		t.Fatal(err)
	}
}

// halves is an array of f16 numbers, stored as bytes.
type halves struct{ data []byte }

func newHalves(n int) halves { return halves{make([]byte, 2*n)} }

func (h halves) at(i int) float64 {
	return num.Decode(num.F16, uint64(binary.LittleEndian.Uint16(h.data[2*i:])))
}

func (h halves) set(i int, x float64) {
	binary.LittleEndian.PutUint16(h.data[2*i:], uint16(num.Encode(num.F16, x, num.NearestEven, false)))
}

func (h halves) arg() runtime.Arg { return runtime.Arg{Buf: &runtime.Buffer{Data: h.data}} }

// TestConvolution compares results of conv2d.pto, which is used for timing, with the sum
// that defines a convolution.
func TestConvolution(t *testing.T) {
	const images, in, height, width, out = 4, 2, 8, 16, 96
	r := rand.New(rand.NewPCG(1, 2))
	x, f, y := newHalves(images*in*height*width*16), newHalves(9*in*out*256), newHalves(images*out*height*width*16)
	for _, h := range []halves{x, f} {
		for i := range len(h.data) / 2 {
			h.set(i, float64(r.IntN(9)-4)/4)
		}
	}
	runKernel(t, "conv2d.pto", 24, x.arg(), f.arg(), y.arg(), runtime.Arg{Bits: in}, runtime.Arg{Bits: height}, runtime.Arg{Bits: width}, runtime.Arg{Bits: out * 16})
	for range 2000 {
		image, o, line, place, n := r.IntN(images), r.IntN(out), r.IntN(height), r.IntN(width), r.IntN(16)
		want := 0.0
		for c := range in * 16 {
			for tap := range 9 {
				l, p := line+tap/3-1, place+tap%3-1
				if l < 0 || l >= height || p < 0 || p >= width {
					continue
				}
				want += x.at((((image*in+c/16)*height+l)*width+p)*16+c%16) * f.at((((c/16*9+tap)*out+o)*16+n)*16+c%16)
			}
		}
		if got := y.at((((image*out+o)*height+line)*width+place)*16 + n); math.Abs(got-want) > 0.001*math.Abs(want)+1e-6 {
			t.Fatalf("image %d, channel %d, line %d, place %d: %g, not %g", image, o*16+n, line, place, got, want)
		}
	}
}

// TestTopK checks the results of topk_f16.pto: the largest values of each row in
// descending order, and their columns.
func TestTopK(t *testing.T) {
	const rows, columns, valid, k = 3, 1280, 1024, 1008
	x, values, where := newHalves(rows*columns), newHalves(rows*k), make([]byte, rows*k*4)
	r := rand.New(rand.NewPCG(3, 4))
	for row := range rows {
		for i, v := range r.Perm(columns) {
			x.set(row*columns+i, float64(v-columns/2))
		}
	}
	runKernel(t, "topk_f16.pto", 2, x.arg(), values.arg(), runtime.Arg{Buf: &runtime.Buffer{Data: where}}, runtime.Arg{Bits: rows})
	for row := range rows {
		order := make([]int, valid)
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return int(x.at(row*columns+b) - x.at(row*columns+a)) })
		for i, at := range order[:k] {
			v, w := values.at(row*k+i), int(binary.LittleEndian.Uint32(where[(row*k+i)*4:]))
			if v != x.at(row*columns+at) || w != at {
				t.Fatalf("row %d, number %d: %g of column %d, not %g of column %d", row, i, v, w, x.at(row*columns+at), at)
			}
		}
	}
}
