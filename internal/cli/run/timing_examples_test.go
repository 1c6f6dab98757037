package run

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
)

// TestTimingExamples predicts the time of every example as its comment runs it. Parts of the critical path add up to
// all of it, no pipe is busy longer than the kernel takes, and idle time with its reasons makes up the rest.
func TestTimingExamples(t *testing.T) {
	t.Chdir("../../..")
	files, err := filepath.Glob("examples/*.pto")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d examples: %v", len(files), err)
	}
	for _, path := range files {
		commands := clitest.CommandsOf(t, path)
		if len(commands) == 0 {
			t.Errorf("%s shows no command", path)
		}
		for _, command := range commands {
			file := filepath.Join(t.TempDir(), "t.json")
			code, _, stderr := runKernel(append(command, "--timing", "--timing-json="+file)...)
			if code != exit.OK {
				t.Errorf("%s: exit code %d:\n%s", path, code, stderr)
				continue
			}
			checkPrediction(t, path, file)
		}
	}
}

func checkPrediction(t *testing.T, path, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	type part struct{ Share float64 }
	var p struct {
		Cycles float64 `json:"kernel_cycles"`
		Kernel float64 `json:"kernel_us"`
		Total  float64 `json:"total_us"`
		Path   []part  `json:"critical_path"`
		Units  []struct {
			Pipes []struct {
				Pipe string
				Busy float64 `json:"busy_share"`
				Idle []part
			}
		}
	}
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	if !(p.Cycles > 0 && p.Kernel > 0 && p.Total > p.Kernel) {
		t.Errorf("%s: %g cycles, kernel %g us, total %g us", path, p.Cycles, p.Kernel, p.Total)
	}
	sum := func(parts []part) (x float64) {
		for _, part := range parts {
			x += part.Share
		}
		return x
	}
	if x := sum(p.Path); math.Abs(x-1) > 0.01 {
		t.Errorf("%s: the critical path adds up to %.3f", path, x)
	}
	for _, u := range p.Units {
		for _, pipe := range u.Pipes {
			// Reasons of less than a twentieth of a percent are left out.
			if x := pipe.Busy + sum(pipe.Idle); pipe.Busy > 1 || x > 1.01 {
				t.Errorf("%s: %s is busy %.3f of the time, and with reasons for idle time %.3f", path, pipe.Pipe, pipe.Busy, x)
			}
		}
	}
}
