package run

import (
	"io"
	"strings"
	"testing"
	"time"

	"ptogo/internal/cli/exit"
)

// BenchmarkEquivalent reports how many times as long a comparison of a kernel with itself
// lasts as a run of it, both as commands in this process: reading and planning count. A
// comparison reads and runs two programs. The ratio of --numerics is measured, too.
func BenchmarkEquivalent(b *testing.B) {
	for _, c := range []struct{ name, args string }{
		{"softmax", "../../../examples/softmax.pto --arg rand=32x64xf32 --arg zeros=32x64xf32"},
		{"flash_attention", "../../../examples/flash_attention.pto --arg rand=32x32xf16 --arg rand=128x32xf16,seed=2 --arg rand=128x32xf16,seed=3 --arg zeros=32x32xf32"},
		{"gemm", "../../../examples/gemm.pto --kernel=gemm_f16 --arg rand=32x128xf16 --arg rand=128x32xf16,seed=2 --arg zeros=32x32xf32"},
	} {
		b.Run(c.name, func(b *testing.B) {
			args := strings.Fields(c.args)
			command := func(more ...string) time.Duration {
				start := time.Now()
				if code := ptoRun(append(more, args...), strings.NewReader(""), io.Discard, io.Discard); code != exit.OK {
					b.Skipf("exit code %d", code)
				}
				return time.Since(start)
			}
			var run, both, shadows time.Duration
			for b.Loop() {
				run += command()
				both += command("--equivalent", args[0])
				shadows += command("--numerics")
			}
			b.ReportMetric(float64(both)/float64(run), "ratio")
			b.ReportMetric(float64(shadows)/float64(run), "numerics-ratio")
		})
	}
}
