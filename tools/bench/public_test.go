package bench

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ptogo/codegen/jit"
	"ptogo/codegen/llvm"
	_ "ptogo/dialect/all"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime"
)

// publicKernel is a public micro-kernel: an environment variable that names its checkout,
// its path in the checkout, and its launch arguments, which are buffers followed by
// scalars.
type publicKernel struct {
	name, variable, path string
	blocks               int
	buffers              []publicBuffer
	scalars              []uint64
}

// publicBuffer is a buffer of count elements of format f.
type publicBuffer struct {
	f     num.Format
	count int
}

var publicKernels = []publicKernel{
	{"flash-attention", "PTO_GYM", "examples/pto/kernels/flash-attention/kernel.pto", 2,
		[]publicBuffer{{num.F32, 512}, {num.F32, 512}, {num.F32, 256}, {num.F32, 256}}, []uint64{32, 32}},
	{"online-softmax", "PTO_PTOAS", "test/vpto/cases/kernels/online-softmax-update/kernel.pto", 3,
		[]publicBuffer{{num.F32, 24}, {num.F32, 24}, {num.F32, 3072}, {num.F32, 24}, {num.F32, 24}, {num.F32, 24}, {num.F32, 3072}}, []uint64{73, 24}},
}

// load parses the kernel, or skips the benchmark if the checkout is missing.
func (k *publicKernel) load(b *testing.B) *ir.Op {
	root := os.Getenv(k.variable)
	if root == "" {
		b.Skipf("set %s to the checkout that has the kernel", k.variable)
	}
	text, err := os.ReadFile(filepath.Join(root, k.path))
	if err != nil {
		b.Fatal(err)
	}
	return parse(b, string(text), true)
}

// data returns the contents of the buffers: random numbers between -1 and 1.
func (k *publicKernel) data() (all [][]byte) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range k.buffers {
		buf := make([]byte, p.count*p.f.Bytes())
		for i := range p.count {
			num.Store(p.f, buf[i*p.f.Bytes():], num.Encode(p.f, 2*r.Float64()-1, num.NearestEven, false))
		}
		all = append(all, buf)
	}
	return all
}

// args returns the arguments for the Go runtime.
func (k *publicKernel) args() (args []runtime.Arg) {
	for _, buf := range k.data() {
		args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: buf}})
	}
	for _, x := range k.scalars {
		args = append(args, runtime.Arg{Bits: x})
	}
	return args
}

// plan prepares a launch of the kernel on the Go runtime.
func (k *publicKernel) plan(b *testing.B, m *ir.Op, o runtime.Options) *runtime.Program {
	var diags ir.Diags
	o.Target, o.Blocks = sem.A5, k.blocks
	p := runtime.Plan(m, runtime.Kernels(m), o, &diags)
	if p == nil {
		b.Fatal(diags.All()[0].Format())
	}
	return p
}

// instructions returns the number of instructions that a launch executes on the vector
// pipes.
func (k *publicKernel) instructions(b *testing.B, m *ir.Op) int {
	var c vectorCounter
	p := k.plan(b, m, runtime.Options{Listeners: []runtime.Listener{&c}})
	if err := p.Run(k.args()); err != nil {
		b.Fatal(err)
	}
	return c.n
}

// vectorCounter is a listener that counts the executed instructions of the vector pipes.
type vectorCounter struct{ n int }

func (*vectorCounter) Begin(*runtime.Launch) {}
func (*vectorCounter) End(*runtime.Fault)    {}
func (c *vectorCounter) Event(e *runtime.Event) {
	if e.Pipe == sem.PipeV && e.Kind == runtime.Instruction {
		c.n++
	}
}

// BenchmarkPublicKernels measures the public micro-kernels on both engines, in
// nanoseconds per executed vector instruction. The time includes everything else in a
// launch: copies, flags and, on the Go engine, allocating the memories of the cores.
func BenchmarkPublicKernels(b *testing.B) {
	for _, k := range publicKernels {
		b.Run(k.name+"/go", func(b *testing.B) {
			m := k.load(b)
			n := k.instructions(b, m)
			p, args := k.plan(b, m, runtime.Options{}), k.args()
			best := time.Hour
			for b.Loop() {
				start := time.Now()
				if err := p.Run(args); err != nil {
					b.Fatal(err)
				}
				best = min(best, time.Since(start))
			}
			report(b, n, best)
		})
		b.Run(k.name+"/llvm", func(b *testing.B) {
			m := k.load(b)
			n := k.instructions(b, m)
			var diags ir.Diags
			p, err := jit.Compile(m, runtime.Kernels(m), llvm.Options{Target: sem.A5}, jit.Options{}, &diags)
			switch {
			case err != nil:
				b.Skip(err)
			case p == nil:
				b.Skip("falls back to Go: " + diags.All()[0].Format())
			}
			defer p.Close()
			l := jit.Launch{Kernel: fn.Name(runtime.Kernels(m)[0]), Blocks: k.blocks}
			for _, buf := range k.data() {
				l.Args = append(l.Args, buf)
			}
			for _, x := range k.scalars {
				l.Args = append(l.Args, x)
			}
			best := time.Hour
			for b.Loop() {
				took, err := p.Run(l)
				if err != nil {
					b.Fatal(err)
				}
				best = min(best, took)
			}
			report(b, n, best)
		})
	}
}

// report records the time per instruction of the best launch with n instructions. The
// best launch is the least disturbed by other work on the machine.
func report(b *testing.B, n int, best time.Duration) {
	b.ReportMetric(float64(n), "instr")
	b.ReportMetric(float64(best)/float64(n), "ns/instr")
}
