package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"ptogo/codegen/jit"
	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime"
)

// raggedWays are the pass pipelines for random matrix products: those of the random tile
// programs, plus the pipeline for execution on a device.
var raggedWays = append(ways[:len(ways):len(ways)], way{name: "synchronized", pipeline: "builtin.module(pto-bufferize,pto-plan-memory,pto-insert-sync)"})

// buffers returns the contents of the program's buffers: A, B, the bias, two tiles of
// exponents, and the result. In memory, the exponents are in boxes of 16 rows.
func (p *raggedProduct) buffers(x matrices) [][]byte {
	return [][]byte{
		encoded(p.in, x.a), encoded(p.in, x.b), encoded(p.sum, x.bias),
		bytes.Repeat(p.exponent[:1], 2*p.roomM), bytes.Repeat(p.exponent[1:], 2*p.roomN), make([]byte, p.m*p.n*4),
	}
}

// TestRaggedProducts compares random products and convolutions with sums computed by
// definition. Their tiles have dynamic extents, or are larger than the data. It covers
// all pipelines and, for one level, LLVM.
func TestRaggedProducts(t *testing.T) {
	inBatches(t, 30, 15, func(t *testing.T, seed uint64, n int) {
		arch := []string{"a3", "a5"}[seed/15%2]
		var programs []*raggedProduct
		var fns []string
		for i := range n {
			p := newRaggedProduct(fmt.Sprintf("p%d", i), arch, rand.New(rand.NewPCG(seed+uint64(i), 4)))
			programs, fns = append(programs, p), append(fns, p.text())
		}
		text := fmt.Sprintf("module attributes {pto.target_arch = %q} {\n%s}\n", arch, strings.Join(fns, ""))
		inputs := make([]matrices, n)
		for i, p := range programs {
			inputs[i] = p.matrices()
		}
		check := func(i int, name string, run func(bufs [][]byte) error) {
			p := programs[i]
			bufs := p.buffers(inputs[i])
			if err := run(bufs); err != nil {
				t.Errorf("%s: %v\n%s", name, err, p.text())
			} else if want := encoded(p.sum, p.want(inputs[i])); !bytes.Equal(bufs[5], want) {
				t.Errorf("%s: %dx%dx%d: %s\n%s", name, p.m, p.k, p.n, firstDifference(p.sum, bufs[5], want), p.text())
			}
		}
		compiled := int(seed/15) % len(raggedWays)
		for wi, w := range raggedWays {
			m, why := w.lower(text)
			if m == nil {
				t.Fatalf("%s: %s\n%s", w.name, why, text)
			}
			kernels := runtime.Kernels(m)
			for i, f := range kernels {
				check(i, w.name, func(bufs [][]byte) error {
					prog := planned(t, m, []*ir.Op{f}, runtime.Options{Blocks: 1, ScratchFill: fills[i%len(fills)]})
					args := make([]runtime.Arg, 0, 9)
					for _, b := range bufs {
						args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: b}})
					}
					for _, x := range programs[i].extents() {
						args = append(args, runtime.Arg{Bits: uint64(x)})
					}
					if f := prog.Run(args); f != nil {
						return f
					}
					return nil
				})
			}
			if wi == compiled && withLLVM() {
				raggedThroughLLVM(t, m, kernels, func(prog *jit.Program) {
					for i, p := range programs {
						check(i, w.name+" through LLVM", func(bufs [][]byte) error {
							args := make([]any, 0, 9)
							for _, b := range bufs {
								args = append(args, b)
							}
							for _, x := range p.extents() {
								args = append(args, uint64(x))
							}
							_, err := prog.Run(jit.Launch{Kernel: p.name, Blocks: 1, Args: args})
							return err
						})
					}
				})
			}
		}
	})
}

// firstDifference describes the first element in which got differs from want, or returns
// "".
func firstDifference(elem string, got, want []byte) string {
	f, _ := num.ParseFormat(elem)
	for i := 0; i < len(want); i += f.Bytes() {
		if g, w := num.Load(f, got[i:]), num.Load(f, want[i:]); g != w {
			return fmt.Sprintf("element %d is %v, not %v", i/f.Bytes(), num.Decode(f, g), num.Decode(f, w))
		}
	}
	return ""
}

// extents returns the arguments m, k and n of the kernel.
func (p *raggedProduct) extents() []int { return []int{p.m, p.k, p.n} }

// raggedThroughLLVM compiles the kernels without optimization and passes the compiled
// program to use.
func raggedThroughLLVM(t *testing.T, m *ir.Op, kernels []*ir.Op, use func(*jit.Program)) {
	t.Helper()
	var diags ir.Diags
	prog, err := jit.Compile(m, kernels, llvm.Options{}, jit.Options{Level: "0", Cache: llvmtest.Cache(), Limit: 10 * time.Minute}, &diags)
	if err != nil || prog == nil {
		t.Fatalf("cannot be compiled: %v %s", err, reason(&diags))
	}
	defer prog.Close()
	use(prog)
}
