//go:build linux

package cli

import (
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"ptogo/internal/cli/files"
	"ptogo/internal/cli/limit"
	"ptogo/tools/bench"
)

// heapVariable holds the mode in the processes that BenchmarkHeap starts, and
// heapInput the file that they read.
const heapVariable, heapInput = "PTO_BENCH_HEAP", "PTO_BENCH_HEAP_INPUT"

// heapModes are what a process does before pto-opt reads the file: all that
// pto-opt does itself, and the same without one part.
var heapModes = []struct {
	name    string
	prepare func(size int)
}{
	{"all", func(int) { limit.TuneCollector() }},
	{"no_collector", func(int) {}},
	{"no_large_pages", limit.StartHeap},
	{"no_mapping", func(int) { limit.TuneCollector(); files.MapSize = math.MaxInt }},
}

// BenchmarkHeap times pto-opt, each run in a process of its own, with and without
// what is done for its memory. Its inputs are a generated program of 10 MB and,
// where PTO_GYM names a checkout, the largest kernel of it.
//
// On two cores of a cloud machine with other work beside it (x86-64, Linux, November 2026) the generated program needed
// 304 ms and 64 MB, 630 ms without collector settings, 499 ms without large pages, 445 ms and 70 MB without mapping.
func BenchmarkHeap(b *testing.B) {
	if mode := os.Getenv(heapVariable); mode != "" {
		runHeapMode(b, mode, os.Getenv(heapInput))
		return
	}
	generated := filepath.Join(b.TempDir(), "generated.mlir")
	if err := os.WriteFile(generated, []byte(bench.Program(10_000_000)), 0o644); err != nil {
		b.Fatal(err)
	}
	inputs := map[string]string{"generated": generated}
	if root := os.Getenv("PTO_GYM"); root != "" {
		inputs["kernel"] = largestKernel(b, root)
	}
	for input, path := range inputs {
		for _, mode := range heapModes {
			b.Run(input+"/"+mode.name, func(b *testing.B) {
				var most int64
				for b.Loop() {
					cmd := exec.Command(os.Args[0], "-test.run=^$", "-test.bench=^BenchmarkHeap$", "-test.benchtime=1x")
					cmd.Env = append(os.Environ(), heapVariable+"="+mode.name, heapInput+"="+path, "GOGC=")
					if out, err := cmd.CombinedOutput(); err != nil {
						b.Fatalf("%v\n%s", err, out)
					}
					most = max(most, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
				}
				b.ReportMetric(float64(most)/1e3, "MB")
			})
		}
	}
}

// runHeapMode is one run of pto-opt.
func runHeapMode(b *testing.B, mode, path string) {
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	for _, m := range heapModes {
		if m.name == mode {
			m.prepare(int(info.Size()))
		}
	}
	if code := Opt([]string{"--allow-unregistered-dialect", path, "-o", os.DevNull}, nil, io.Discard, os.Stderr); code != 0 {
		b.Fatalf("exit code %d", code)
	}
}

// largestKernel returns the largest program below a folder.
func largestKernel(b *testing.B, root string) (largest string) {
	size := int64(-1)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".pto" {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Size() > size {
			largest, size = path, info.Size()
		}
		return err
	})
	if err != nil || size < 0 {
		b.Fatalf("no kernel below %s: %v", root, err)
	}
	return largest
}
