//go:build unix

package bench

import (
	"fmt"
	"testing"
	"time"

	"ptogo/ir"
	"ptogo/runtime"
)

// blocks is the number of blocks of the measured launches, as on a chip with 24 cores.
const blocks = 24

// BenchmarkWorkers measures launches of 24 blocks with one and with two workers. The
// metric "clock" is the ratio of the real times of both. It is near 2 if two processors
// are idle. The metric "cpu" is the ratio of the processor times: the cost of sharing.
// Both launches of a pair directly follow each other, because the speed of a busy machine
// changes.
func BenchmarkWorkers(b *testing.B) {
	for _, k := range checkedKernels {
		b.Run(k.name(), func(b *testing.B) {
			m := k.lowered(b)
			var launches [2]func()
			for i := range launches {
				var diags ir.Diags
				o := runtime.Options{Target: k.target, Blocks: blocks, Workers: i + 1}
				prog := runtime.Plan(m, runtime.Kernels(m)[:1], o, &diags)
				if prog == nil {
					b.Fatal(diags.All()[0].Format())
				}
				args := (&publicKernel{buffers: k.buffers, blocks: blocks}).args()
				launches[i] = func() {
					if err := prog.Run(args); err != nil {
						b.Fatal(err)
					}
				}
			}
			var clock, cpu [2]time.Duration
			for b.Loop() {
				for i, launch := range launches {
					start, before := time.Now(), processorTime()
					launch()
					clock[i] += time.Since(start)
					cpu[i] += processorTime() - before
				}
			}
			b.ReportMetric(float64(clock[0])/float64(clock[1]), "clock")
			b.ReportMetric(float64(cpu[1])/float64(cpu[0]), "cpu")
			for i := range clock {
				b.ReportMetric(float64(clock[i].Microseconds())/float64(b.N), fmt.Sprintf("us/%d", i+1))
			}
		})
	}
}
