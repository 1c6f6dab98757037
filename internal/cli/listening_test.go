package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// longText is a program of more than n bytes.
func longText(n int) string {
	return "func.func @k() attributes {pto.kernel} {\n return\n}\n" + strings.Repeat("// 0123456789012345678901234567890123456789012345678901234567890\n", n/64)
}

// endlessLoads is a kernel that executes until it is stopped.
const endlessLoads = `module attributes {pto.target_arch = "a5"} {
func.func @k(%p: !pto.ptr<f32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 1000000000000 : index
  scf.for %i = %c0 to %many step %c1 {
    %x = pto.load_scalar %p[%c0] : !pto.ptr<f32> -> f32
    pto.store_scalar %x, %p[%c0] : !pto.ptr<f32>, f32
  }
  return
}
}
`

// TestServeLargeRequests sends requests that need too much memory. Each is an error of its
// own, and the server answers the next request.
func TestServeLargeRequests(t *testing.T) {
	s := startServe(t)
	text := longText(17 << 20)
	tool := func(argv ...string) map[string]any {
		return map[string]any{"name": "pto-opt", "argv": argv, "stdin": text}
	}
	for _, c := range []struct {
		name, method string
		params       map[string]any
		exit         int
		want         string
	}{
		{"text", "load", map[string]any{"text": text}, exitDiag, "the program is larger than 16MiB, so it may need more than the limit of 1GiB of memory"},
		{"small limit", "load", map[string]any{"text": endlessLoads, "max_memory": "4KiB"}, exitDiag, "the program is larger than 64, so it may need more than the limit of 4KiB"},
		{"text with a limit", "load", map[string]any{"text": text, "max_memory": "2GiB"}, exitOK, ""},
		{"tool", "tool", tool("-"), exitDiag, "the program is larger than 16MiB"},
		{"tool with a limit", "tool", tool("-", "--max-memory=2GiB"), exitOK, ""},
		{"output", "tool", map[string]any{"name": "pto-opt", "argv": []string{"-", "--max-output=100"}, "stdin": endlessLoads}, exitDiag, "the output is larger than 100;"},
		{"recorded events", "run", map[string]any{"args": []any{"zeros=8xf32"}, "flags": map[string]any{"timing": true, "max-memory": "32MiB", "timeout": "300s"}}, exitFault, "exceeded 32MiB of memory"},
		{"arguments", "run", map[string]any{"args": []any{"zeros=4294967295xf32"}}, exitDiag, "need more than 1GiB of memory"},
		{"next", "tool", map[string]any{"name": "pto-opt", "argv": []string{"-"}, "stdin": endlessLoads}, exitOK, ""},
	} {
		if c.method == "run" { // large texts leave no room for other programs
			c.params["program"] = s.load("small.pto", endlessLoads)
		}
		a := s.ask(c.method, c.params)
		got, _ := json.Marshal(a.Result.Diagnostics)
		if a.Error != nil || a.Result.Exit != c.exit || !strings.Contains(string(got), c.want) {
			t.Errorf("%s: exit code %d, %s, %v; want %d with %q", c.name, a.Result.Exit, got, a.Error, c.exit, c.want)
		}
	}
	if a := s.ask("load", map[string]any{"text": endlessLoads, "max_memory": "much"}); a.Error == nil || !strings.Contains(a.Error.Message, "max_memory") {
		t.Errorf("a limit that is not a size: %+v", a)
	}
}

// TestBatchLargeCase runs a batch with a case that is too large between two others.
func TestBatchLargeCase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "large.pto")
	if err := os.WriteFile(file, []byte(longText(17<<20)), 0o600); err != nil {
		t.Fatal(err)
	}
	var in bytes.Buffer
	for _, c := range []map[string]any{
		{"id": "a", "text": longText(64)}, {"id": "b", "file": file}, {"id": "c", "file": file, "flags": map[string]any{"max-memory": "2GiB"}}, {"id": "d", "text": longText(64)},
	} {
		line, _ := json.Marshal(c)
		fmt.Fprintf(&in, "%s\n", line)
	}
	var out, errs bytes.Buffer
	Run([]string{"--batch=-", "--jobs=1"}, &in, &out, &errs)
	exits := map[string]int{}
	for line := range strings.Lines(out.String()) {
		var r batchResult
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		exits[r.ID] = r.Exit
	}
	if fmt.Sprint(exits) != fmt.Sprint(map[string]int{"a": exitOK, "b": exitDiag, "c": exitOK, "d": exitOK}) {
		t.Errorf("exit codes %v\n%s%s", exits, out.String(), errs.String())
	}
}

// TestProgramsKept loads more text than a server keeps.
func TestProgramsKept(t *testing.T) {
	var c programCache
	for i := range 5 {
		c.add(&loaded{id: fmt.Sprint(i), text: mostTexts / 3})
	}
	if c.get("0") != nil || c.get("4") == nil || c.text > mostTexts || c.used.Len() != len(c.byID) {
		t.Errorf("%d programs with %d bytes are kept", c.used.Len(), c.text)
	}
	c.add(&loaded{id: "large", text: 2 * mostTexts})
	if c.get("large") == nil || c.used.Len() != 1 {
		t.Errorf("%d programs are kept beside a large one", c.used.Len())
	}
}

// TestMemoryOfText measures the memory of programs that need much for each byte of text:
// the live heap, which collections that follow each other closely show.
func TestMemoryOfText(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	for _, d := range dimensions {
		// LLVM IR has a limit of its own, and what regions in each other need grows with the
		// square of their number, of which there are at most 1000.
		if strings.Contains(d.name, "LLVM IR") || strings.Contains(d.name, "in each other") {
			continue
		}
		text := d.text(8 * d.n)
		runtime.GC()
		before, most := liveHeap(), atomic.Uint64{}
		end, ended := make(chan bool), make(chan bool)
		go func() {
			defer close(ended)
			for {
				select {
				case <-end:
					return
				case <-time.After(time.Millisecond):
					most.Store(max(most.Load(), liveHeap()))
				}
			}
		}()
		optOn(text, d.flags)
		end <- true
		<-ended
		if needed := float64(most.Load()-min(before, most.Load())) / float64(len(text)); needed > memoryPerText {
			t.Errorf("%s: %d bytes need %.0f times as much memory", d.name, len(text), needed)
		} else {
			t.Logf("%s: %.0f", d.name, needed)
		}
	}
}
