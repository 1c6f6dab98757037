//go:build unix

package bench

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"ptogo/codegen/cpp"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/order"
	"ptogo/ir"
	"ptogo/lower"
	"ptogo/lower/insertsync"
	"ptogo/passes"
	"ptogo/tools/corpus"
)

// BenchmarkInsertSync measures the insertion of synchronization on the kernels of
// PTO_KERNELS, a folder of .pto files without synchronization, or else on the examples. It
// reports the processor time for each memory access in the text of the kernels, and the
// share of the insertion in the time from text to C++.
func BenchmarkInsertSync(b *testing.B) {
	kernels := syncKernels(b)
	var before, insert, emit time.Duration
	accesses := 0
	for b.Loop() {
		for _, k := range kernels {
			var m *ir.Op
			var on ir.Target
			before += took(b, func() bool {
				m, on = k.Read()
				return m != nil && lowerForDevice(m, on, true)
			})
			insert += took(b, func() bool { return lowerForDevice(m, on, false) })
			emit += took(b, func() bool { return emits(m, on) })
			accesses += accessesOf(m, on)
		}
	}
	b.ReportMetric(float64(insert)/float64(accesses), "ns/access")
	b.ReportMetric(100*float64(insert)/float64(before+insert+emit), "%")
	b.ReportMetric(float64(accesses)/float64(b.N), "accesses")
}

// BenchmarkVerifySync measures the static proof of --verify-sync on the kernels of
// BenchmarkInsertSync. It reports the processor time for each memory access in the text of
// the kernels. The proof examines an access in several iterations and on many paths.
func BenchmarkVerifySync(b *testing.B) {
	kernels := syncKernels(b)
	var verify time.Duration
	accesses := 0
	for b.Loop() {
		for _, k := range kernels {
			m, on := k.Read()
			if !lowerForDevice(m, on, true) || !lowerForDevice(m, on, false) {
				b.Fatalf("%s cannot be lowered", k.Name)
			}
			verify += took(b, func() bool {
				var diags ir.Diags
				insertsync.Verify(m, func(op *ir.Op) ir.Target { return cmp.Or(on, ir.TargetOf(op)) }, insertsync.Verdicts, &diags)
				return true
			})
			accesses += accessesOf(m, on)
		}
	}
	b.ReportMetric(float64(verify)/float64(accesses), "ns/access")
}

// syncKernels returns the kernels that the passes lower and for which C++ exists, in the
// order of their files.
func syncKernels(b *testing.B) []corpus.Program {
	folder := os.Getenv("PTO_KERNELS")
	if folder == "" {
		folder = filepath.FromSlash("../../examples")
	}
	all, err := corpus.Folder(folder)
	if err != nil {
		b.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(p corpus.Program) bool {
		m, on := p.Read()
		return m == nil || !lowerForDevice(m, on, true) || !lowerForDevice(m, on, false) || !emits(m, on)
	})
	if len(all) == 0 {
		b.Fatalf("no kernel in %s can be lowered", folder)
	}
	return all
}

// lowerForDevice runs the passes of a device before the insertion of synchronization, or
// this pass alone. It reports whether they succeed.
func lowerForDevice(m *ir.Op, on ir.Target, before bool) bool {
	var diags ir.Diags
	p := passes.NewPipeline()
	for _, pass := range lower.DevicePath {
		if before != (pass == insertsync.Pass) && !lower.Optional(pass) && !p.Add(pass, "", &diags) {
			return false
		}
	}
	return p.Run(m, passes.RunOptions{Target: on, Diags: &diags, Sequential: true})
}

// emits reports whether C++ exists for the module.
func emits(m *ir.Op, on ir.Target) bool {
	var diags ir.Diags
	return cpp.Emit(io.Discard, m, cpp.Options{Target: on}, &diags)
}

// accessesOf returns the number of memory accesses of the instructions that pipes execute.
func accessesOf(m *ir.Op, on ir.Target) (n int) {
	for op := range m.Walk() {
		if order.LineOf(pto.PipeFor(op, cmp.Or(on, ir.TargetOf(op)))) != order.NoLine {
			n += len(pto.Effects(op))
		}
	}
	return n
}

// took returns the processor time of a stage, which has to succeed.
func took(b *testing.B, stage func() bool) time.Duration {
	before := processorTime()
	if !stage() {
		b.Fatal("a stage fails on a kernel that could be lowered before")
	}
	return processorTime() - before
}

// processorTime returns the processor time that this process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // does not fail for the process itself
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
