//go:build unix

package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime"
	"ptogo/runtime/check"
	"ptogo/tools/corpus"
)

// exampleKernel is an example with its target and the buffers that a launch needs.
type exampleKernel struct {
	file    string
	target  ir.Target
	buffers []publicBuffer
}

// name returns the name of the file without its extension.
func (k *exampleKernel) name() string { return strings.TrimSuffix(k.file, ".pto") }

// lowered reads the example and lowers it to a program that can be executed.
func (k *exampleKernel) lowered(b *testing.B) *ir.Op {
	text, err := os.ReadFile(filepath.Join("../../examples", k.file))
	if err != nil {
		b.Fatal(err)
	}
	m := parse(b, string(text), true)
	var diags ir.Diags
	if !corpus.Lower(m, k.target, &diags) {
		b.Fatal(diags.All()[0].Format())
	}
	return m
}

// checkedKernels lists examples that are run with and without checkers: tile kernels and
// loops of vector instructions.
var checkedKernels = []exampleKernel{
	{"flash_attention.pto", sem.A5, []publicBuffer{{num.F16, 1024}, {num.F16, 4096}, {num.F16, 4096}, {num.F32, 1024}}},
	{"gemm.pto", sem.A3, []publicBuffer{{num.F16, 4096}, {num.F16, 4096}, {num.F32, 1024}}},
	{"vector_softmax.pto", sem.A5, []publicBuffer{{num.F32, 2048}, {num.F32, 2048}}},
}

// BenchmarkChecked compares launches of 24 blocks without checkers, with a listener that
// does nothing, and with all checkers. It also reports the processor time of a launch for
// each access to memory that the checkers examine.
func BenchmarkChecked(b *testing.B) {
	for _, k := range checkedKernels {
		m, name := k.lowered(b), k.name()
		kernels := runtime.Kernels(m)[:1]
		args := (&publicKernel{buffers: k.buffers, blocks: blocks}).args()
		plan := func(b *testing.B, ls ...runtime.Listener) *runtime.Program {
			var diags ir.Diags
			prog := runtime.Plan(m, kernels, runtime.Options{Target: k.target, Listeners: ls, Blocks: blocks}, &diags)
			if prog == nil {
				b.Fatal(diags.All()[0].Format())
			}
			return prog
		}
		accesses := &counter{}
		if err := plan(b, accesses).Run(args); err != nil {
			b.Fatal(err)
		}
		run := func(b *testing.B, ls ...runtime.Listener) {
			b.ReportAllocs()
			prog := plan(b, ls...)
			before := processorTime()
			for b.Loop() {
				if err := prog.Run(args); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(processorTime()-before)/float64(b.N)/float64(accesses.n), "ns/access")
		}
		b.Run(name+"/plain", func(b *testing.B) { run(b) })
		b.Run(name+"/listened", func(b *testing.B) { run(b, nobody{}) })
		b.Run(name+"/checked", func(b *testing.B) {
			c, err := check.New(check.Options{Kinds: check.Usual})
			if err != nil {
				b.Fatal(err)
			}
			run(b, c)
		})
	}
}

// nobody is a listener that ignores all events. It measures the cost of reporting events.
type nobody struct{}

func (nobody) Begin(*runtime.Launch) {}
func (nobody) Event(*runtime.Event)  {}
func (nobody) End(*runtime.Fault)    {}

// counter is a listener that counts accesses to memory.
type counter struct {
	nobody
	n int
}

func (c *counter) Event(e *runtime.Event) { c.n += len(e.Accesses) }
