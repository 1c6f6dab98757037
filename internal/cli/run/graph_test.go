package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ptogo/internal/cli/exit"
)

// graphText is the graph of test/lit/ranks, with its kernels.
func graphText(t *testing.T) []map[string]any {
	t.Helper()
	kernels, err := filepath.Abs("../../../test/lit/ranks/graph.pto")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../../../test/lit/ranks/Inputs/graph.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var lines []map[string]any
	for line := range strings.Lines(strings.ReplaceAll(string(data), "FILE", kernels)) {
		var l map[string]any
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	return lines
}

// runGraph runs a graph and returns the exit code and what was written.
func runGraph(t *testing.T, lines []map[string]any, options ...string) (code int, out string) {
	t.Helper()
	var text bytes.Buffer
	for _, l := range lines {
		if err := json.NewEncoder(&text).Encode(l); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "graph.jsonl")
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var w bytes.Buffer
	code = ptoRun(append([]string{"--graph", path}, options...), strings.NewReader(""), &w, &w)
	return code, w.String()
}

// TestGraphEdges takes each edge out of a graph that has no needless one.
func TestGraphEdges(t *testing.T) {
	if code, out := runGraph(t, graphText(t), "--check=all"); code != exit.OK {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	edges := 0
	for i, l := range graphText(t) {
		after, _ := l["after"].([]any)
		for k := range after {
			edges++
			lines := graphText(t)
			lines[i]["after"] = slices.Delete(slices.Clone(after), k, k+1)
			code, out := runGraph(t, lines, "--check=race")
			want := fmt.Sprintf("and task %s of rank %v", l["task"], l["rank"])
			if code != exit.Check || !strings.Contains(out, "no edge orders task") || !strings.Contains(out, want) {
				t.Errorf("without the edge from %v to %v of rank %v: exit code %d, without %q:\n%s", after[k], l["task"], l["rank"], code, want, out)
			}
		}
	}
	if edges != 6 {
		t.Errorf("%d edges", edges)
	}
}

// TestLargeGraph runs and schedules 10,000 tasks.
func TestLargeGraph(t *testing.T) {
	small := graphText(t)
	lines := slices.Clone(small[:4])
	lines[3]["spec"] = "zeros=5000x64xf32"
	for i := range 10000 {
		l := map[string]any{"task": fmt.Sprint("t", i/2), "rank": i % 2, "file": small[4]["file"], "kernel": "add", "args": []map[string]any{
			{"buffer": "a"}, {"buffer": "b"}, {"buffer": "c", "offset": 256 * (i / 2)},
		}}
		if i >= 8 {
			l["after"] = []string{fmt.Sprint("t", i/2-1), fmt.Sprint("t", i/2-4)}
		}
		lines = append(lines, l)
	}
	code, out := runGraph(t, lines, "--skip-arithmetic", "--timing", "--check=race,sync,mem")
	if code != exit.OK || !strings.Contains(out, "us for 10000 tasks on 2 chips") || !strings.Contains(out, "check: no reports") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	// Both tasks write the same bytes, and no path of edges leads from one to the other.
	last := lines[len(lines)-2]
	last["args"], last["after"] = lines[4+2*4990]["args"], []string{"t4980"}
	code, out = runGraph(t, lines, "--skip-arithmetic", "--check=race")
	if code != exit.Check || !strings.Contains(out, "no edge orders task t4990 and task t4999 of rank 0") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

// TestGraphSkip checks a graph whose tasks compute nothing. Checkers hear of all accesses of
// memory nevertheless, and a check that needs the data is an error.
func TestGraphSkip(t *testing.T) {
	lines := graphText(t)
	delete(lines[5], "after")
	code, out := runGraph(t, lines, "--skip-arithmetic", "--check=race")
	if code != exit.Check || !strings.Contains(out, "no edge orders task add and task double of rank 0") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	if code, out := runGraph(t, lines, "--skip-arithmetic", "--check=all"); code != exit.Usage || !strings.Contains(out, "write --check=race,sync,mem") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

// TestGraphOut writes buffers to files, and reads them as windows of another graph.
func TestGraphOut(t *testing.T) {
	dir := t.TempDir()
	lines := graphText(t)
	lines[3]["out"] = dir + "/c{rank}.npy"
	if code, out := runGraph(t, lines); code != exit.OK {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	lines = graphText(t)
	lines[1]["spec"], lines[1]["window"] = "in="+dir+"/c{rank}.npy", true
	code, out := runGraph(t, lines[:5], "--print", "--check=all")
	if code != exit.OK || !strings.Contains(out, "%c@0: 2x64xf32\n    8    8    8") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	lines[2]["out"] = dir + "/b.npy"
	if code, out := runGraph(t, lines); code != exit.Diag || !strings.Contains(out, "graph.jsonl:3: error: buffer b: '"+dir+"/b.npy' names one file for 2 ranks: use {rank} in its name") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}
