package run

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"ptogo/internal/cli/exit"
)

// TestTrace reads back the trace of a mixed kernel: slices follow each other
// without gaps, name a core, a pipe and a line, and every arrow has both ends
// in order.
func TestTrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.json")
	code, _, stderr := runKernel("../../../examples/mixed_attention.pto", "--blocks", "2",
		"--arg", "rand=64x32xf16,seed=1", "--arg", "rand=128x32xf16,seed=2", "--arg", "rand=128x32xf16,seed=3", "--arg", "zeros=64x32xf32",
		"--trace", path)
	if code != exit.OK {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var trace struct {
		OtherData   map[string]string
		TraceEvents []traceEvent
	}
	if err := json.Unmarshal(data, &trace); err != nil {
		t.Fatal(err)
	}
	if trace.OtherData["time axis"] != timeAxis {
		t.Errorf("the time axis is %q", trace.OtherData)
	}
	names := map[[2]int]string{}
	begun := map[int64]traceEvent{}
	var now float64
	arrows := 0
	for _, e := range trace.TraceEvents {
		track := [2]int{e.Core, e.Pipe}
		switch e.Phase {
		case "M":
			names[track] = e.Args.Name
		case "X":
			if e.Time != now || e.Dur != 1 || names[track] == "" || names[[2]int{e.Core, 0}] == "" || e.Args.At == "" {
				t.Fatalf("bad slice %+v at %v", e, now)
			}
			now++
		case "s":
			begun[e.ID] = e
		case "f":
			s, ok := begun[e.ID]
			if !ok || s.Time >= e.Time || s.Name != e.Name {
				t.Errorf("arrow from %+v to %+v", s, e)
			}
			delete(begun, e.ID)
			arrows++
		}
	}
	if len(begun) > 0 || arrows < 20 || now < 500 {
		t.Errorf("%d arrows without an end, %d with one, %v slices", len(begun), arrows, now)
	}
}
