package run

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"ptogo/internal/cli/exit"
)

// TestGraphMeasured predicts the times of two graphs for which the public runtime publishes a
// measurement: docs/measurements/platform.md, "Time of graphs". The bounds are the errors of
// this page, with a margin of three percent.
func TestGraphMeasured(t *testing.T) {
	kernels, err := filepath.Abs("../../../tools/timingcheck/kernels/task_tiles.pto")
	if err != nil {
		t.Fatal(err)
	}
	task := func(kernel, name string, after []string, buffers ...string) map[string]any {
		var args []map[string]string
		for _, b := range buffers {
			args = append(args, map[string]string{"buffer": b})
		}
		return map[string]any{"task": name, "rank": 0, "file": kernels, "kernel": kernel, "args": args, "after": after}
	}
	// pairs returns 500 products and 500 sums in turn. With chain, each sum follows its product,
	// and every second sum also follows the sum before it.
	pairs := func(chain bool) (tasks []map[string]any) {
		for i := range 500 {
			product, after := fmt.Sprintf("product%d", i), []string{}
			if chain {
				after = append(after, product)
			}
			if chain && i%2 == 1 {
				after = append(after, fmt.Sprintf("sum%d", i-1))
			}
			tasks = append(tasks, task("product", product, []string{}, "a", "b", "p"), task("sum", fmt.Sprintf("sum%d", i), after, "c", "p"))
		}
		return tasks
	}
	for _, x := range []struct {
		name      string
		tasks     []map[string]any
		measured  float64
		low, high float64
	}{
		{"benchmark_bgemm", pairs(true), 598.2, 1.02, 1.08},
		{"alternating_matmul_add", pairs(false), 787.5, 0.76, 0.82},
	} {
		lines := []map[string]any{{"version": 1, "ranks": 1}}
		for _, b := range []string{"a", "b", "c", "p"} {
			lines = append(lines, map[string]any{"buffer": b, "type": "f32", "spec": "zeros=512x128xf32"})
		}
		file := filepath.Join(t.TempDir(), "time.json")
		code, out := runGraph(t, append(lines, x.tasks...), "--chip=910B1", "--timing", "--skip-arithmetic", "--timing-json", file)
		if code != exit.OK {
			t.Fatalf("%s: exit code %d:\n%s", x.name, code, out)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Total float64 `json:"total_us"`
		}
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if ratio := got.Total / x.measured; ratio < x.low || ratio > x.high {
			t.Errorf("%s: predicted %.1f us, measured %.1f", x.name, got.Total, x.measured)
		}
	}
}
