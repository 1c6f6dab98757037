package run

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ptogo/internal/cli/exit"
)

// traceRecord is an event of the trace format, as its readers understand it.
type traceRecord struct {
	Name     string
	Ph       string
	Ts       float64
	Dur      *float64
	Pid, Tid int
	ID       int64
	Bp       string
	Args     map[string]any
}

// begin and end are in nanoseconds, of which viewers keep whole ones.
func (r traceRecord) begin() int64 { return int64(r.Ts * 1000) }
func (r traceRecord) end() int64   { return r.begin() + int64(*r.Dur*1000) }

// TestTimingTraceSchema checks traces of three kernels against what the importer of Perfetto asks of the JSON format:
// known kinds of events, lanes with names, slices of a lane that follow each other, and arrows that begin and end
// inside of slices and never lead back in time.
func TestTimingTraceSchema(t *testing.T) {
	t.Chdir("../../..")
	const kernels = "tools/timingcheck/kernels/"
	for _, args := range [][]string{
		{kernels + "gemm.pto", "--blocks=4", "--arg=zeros=512x512xf16", "--arg=zeros=512x512xf16", "--arg=zeros=512x512xf32", "--arg=512", "--arg=512", "--arg=512", "--arg=256", "--arg=256"},
		{"examples/mixed_attention.pto", "--blocks=2", "--arg=rand=64x64xf16", "--arg=rand=128x64xf16", "--arg=rand=128x64xf16", "--arg=zeros=64x64xf32"},
		{kernels + "topk.pto", "--blocks=2", "--arg=zeros=4x1280xf32", "--arg=zeros=4x1000xf32", "--arg=zeros=4x1000xi32", "--arg=4"},
	} {
		file := filepath.Join(t.TempDir(), "trace.json")
		if code, _, stderr := runKernel(append(args, "--timing", "--trace="+file)...); code != exit.OK {
			t.Errorf("%s: exit code %d:\n%s", args[0], code, stderr)
			continue
		}
		checkTrace(t, args[0], file)
	}
}

func checkTrace(t *testing.T, kernel, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var trace struct {
		DisplayTimeUnit string
		TraceEvents     []traceRecord
	}
	if err := json.Unmarshal(text, &trace); err != nil {
		t.Fatalf("%s: %v", kernel, err)
	}
	type lane struct{ pid, tid int }
	named, slicesOf, begins := map[lane]bool{}, map[lane][]traceRecord{}, map[int64]traceRecord{}
	var arrows, counters int
	for _, e := range trace.TraceEvents {
		at := lane{e.Pid, e.Tid}
		switch {
		case e.Ts < 0 || e.Name == "" || (e.Ph == "X") != (e.Dur != nil):
			t.Errorf("%s: %+v", kernel, e)
		case e.Ph == "M":
			named[at] = named[at] || e.Name == "thread_name"
		case e.Ph == "X":
			slicesOf[at] = append(slicesOf[at], e)
		case e.Ph == "s":
			begins[e.ID] = e
		case e.Ph == "C":
			counters++
		case e.Ph != "f":
			t.Errorf("%s: an event of kind %q", kernel, e.Ph)
		}
	}
	for at, list := range slicesOf {
		if !named[at] {
			t.Errorf("%s: lane %v has no name", kernel, at)
		}
		slices.SortStableFunc(list, func(a, b traceRecord) int {
			return cmp.Compare(a.begin(), b.begin())
		})
		for i := 1; i < len(list); i++ {
			if a, b := list[i-1], list[i]; b.begin() < a.end() {
				t.Errorf("%s: %s at %g begins before %s at %g is over", kernel, b.Name, b.Ts, a.Name, a.Ts)
			}
		}
	}
	inside := func(e traceRecord) bool {
		return slices.ContainsFunc(slicesOf[lane{e.Pid, e.Tid}], func(s traceRecord) bool { return s.begin() <= e.begin() && e.begin() < s.end() })
	}
	for _, e := range trace.TraceEvents {
		if e.Ph != "f" {
			continue
		}
		arrows++
		from, ok := begins[e.ID]
		if !ok || e.begin() < from.begin() || e.Bp != "e" || !inside(from) || !inside(e) {
			t.Errorf("%s: arrow %d from %+v to %+v", kernel, e.ID, from, e)
		}
	}
	if arrows == 0 || counters == 0 || arrows != len(begins) {
		t.Errorf("%s: %d arrows end, %d begin; %d counters", kernel, arrows, len(begins), counters)
	}
}
