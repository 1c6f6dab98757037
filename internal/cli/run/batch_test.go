package run

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
	"ptogo/ir"
)

// batchFile writes a batch and returns its path.
func batchFile(t *testing.T, lines ...string) string {
	path := filepath.Join(t.TempDir(), "cases.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// resultsOf reads lines of results, by id and seed.
func resultsOf(t *testing.T, text string) map[string]batchResult {
	all := map[string]batchResult{}
	for line := range strings.Lines(text) {
		var r batchResult
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all[fmt.Sprint(r.ID, " ", r.Seed)] = r
	}
	return all
}

// TestBatch runs cases that end in every way.
func TestBatch(t *testing.T) {
	softmax := "../../../examples/softmax.pto"
	want := "1=../../../examples/expected/softmax.npy,rtol=1e-5"
	path := batchFile(t,
		`{"id":"good","file":"`+softmax+`","args":["rand=32x64xf32,seed=1","zeros=32x64xf32"],"expect":["`+want+`"],"digest":true}`,
		`{"id":"seeds","file":"`+softmax+`","args":["rand=32x64xf32,seed={seed}","zeros=32x64xf32"],"seeds":[1,7],"digest":true,"flags":{"blocks":2}}`,
		``,
		`{"file":"`+softmax+`","args":["rand=32x4xf32","zeros=32x64xf32"]}`,
		`{"id":"other","file":"`+softmax+`","args":["rand=32x64xf32,seed=2","zeros=32x64xf32"],"expect":["`+want+`"]}`,
		`{"id":"bad","text":"func.func @f() {\n  pto.tadd\n}"}`,
		`{"id":"few","file":"`+softmax+`"}`,
		`{"id":"race","file":"`+softmax+`","args":["rand=32x64xf32","zeros=32x64xf32"],"flags":{"check":"race"}}`,
	)
	code, out, errs := runKernel("--batch", path, "--jobs", "3")
	if code != exit.Check || !strings.Contains(errs, "3 passed, 1 rejected, 1 usage, 1 differs, 1 fault, 1 check; 8 now") {
		t.Errorf("code %d: %s", code, errs)
	}
	results := resultsOf(t, out)
	for key, status := range map[string]string{
		"good 0": "passed", "seeds 1": "passed", "seeds 7": "passed", "4 0": "fault", "other 0": "differs",
		"bad 0": "rejected", "few 0": "usage", "race 0": "check",
	} {
		if results[key].Status != status {
			t.Errorf("%s: %+v, want %s", key, results[key], status)
		}
	}
	good, one, seven := results["good 0"].Digests, results["seeds 1"].Digests, results["seeds 7"].Digests
	if len(good) != 2 || good[1] != one[1] || one[0] == seven[0] {
		t.Errorf("digests: %v, %v and %v", good, one, seven)
	}
	if d := results["bad 0"].Diagnostics; len(d) != 1 || d[0].Line != 3 || d[0].File != "<text of bad>" {
		t.Errorf("diagnostics: %+v", d)
	}
	if !strings.Contains(results["other 0"].Stdout, "differs from") {
		t.Errorf("other: %+v", results["other 0"])
	}
}

// TestBatchPlace runs a kernel that takes its place in the launch in a
// parameter: a case may give that argument, too, and then says itself which block
// it is.
func TestBatchPlace(t *testing.T) {
	const file = "../../../test/lit/run/spmd_params.pto"
	path := batchFile(t,
		`{"id":"some","file":"`+file+`","kernel":"some","args":["zeros=2xi32","7"],"flags":{"blocks":2},"digest":true}`,
		`{"id":"all","file":"`+file+`","kernel":"some","args":["zeros=2xi32","1","7"],"digest":true}`,
		`{"id":"one","file":"`+file+`","kernel":"some","args":["zeros=2xi32"]}`,
	)
	_, out, _ := runKernel("--batch", path)
	results := resultsOf(t, out)
	for key, want := range map[string][]byte{"some 0": {7, 0, 0, 0, 8, 0, 0, 0}, "all 0": {0, 0, 0, 0, 8, 0, 0, 0}} {
		if got := results[key].Digests; len(got) == 0 || got[0] != fmt.Sprintf("%x", sha256.Sum256(want)) {
			t.Errorf("%s leaves other bytes than %v: %+v", key, want, results[key])
		}
	}
	if r := results["one 0"]; r.Status != "usage" || !strings.Contains(r.Diagnostics[0].Message, "has 2 parameters, but 1 --arg options were given") {
		t.Errorf("too few arguments: %+v", r)
	}
}

// TestBatchAgain shows that a batch goes on where it ended, also in the middle of
// a line.
func TestBatchAgain(t *testing.T) {
	path := batchFile(t, `{"id":"a","file":"`+clitest.Divide+`","args":["rand=32x64xf32,seed={seed}","zeros=32x64xf32","2.0"],"seeds":10}`)
	file := filepath.Join(t.TempDir(), "results.jsonl")
	if code, _, errs := runKernel("--batch", path, "--results", file, "--shard", "1/2"); code != exit.OK {
		t.Fatalf("code %d: %s", code, errs)
	}
	text, _ := os.ReadFile(file)
	if n := strings.Count(string(text), "\n"); n != 5 {
		t.Fatalf("%d results of half a batch of 10", n)
	}
	os.WriteFile(file, text[:len(text)-10], 0o644)
	if code, _, errs := runKernel("--batch", path, "--results", file); code != exit.OK || !strings.Contains(errs, "10 passed; 6 now") {
		t.Errorf("code %d: %s", code, errs)
	}
	text, _ = os.ReadFile(file)
	if all := resultsOf(t, string(text)); len(all) != 10 || strings.Count(string(text), "\n") != 10 {
		t.Errorf("results:\n%s", text)
	}
	os.WriteFile(file, []byte("no result\n"), 0o644)
	if code, _, errs := runKernel("--batch", path, "--results", file); code != exit.Diag || !strings.Contains(errs, "results.jsonl:1: expected a result of --batch") {
		t.Errorf("code %d: %s", code, errs)
	}
}

func TestBatchBad(t *testing.T) {
	for line, want := range map[string]string{
		``:                                   "contains no cases",
		`{"file":"k.pto"`:                    ":1: expected a batch case, a JSON object",
		`{"file":"k.pto"} {}`:                "text after the case",
		`{"flie":"k.pto"}`:                   `unknown field "flie"`,
		`{}`:                                 `either "file" or "text"`,
		`{"file":"k.pto","expect":[1]}`:      "expect must be a list of strings",
		`{"file":"k.pto","seeds":3}`:         "no argument contains {seed}",
		`{"file":"{seed}","seeds":99999999}`: "expected at most 1048576 seeds",
		`{"file":"{seed}","seeds":[-1]}`:     "expected a batch case, a JSON object",
		"{\"id\":\"1\",\"file\":\"k\"}\n{\"id\":\"1\",\"file\":\"k\"}": `the id "1" must be unique, but the case in line 1`,
	} {
		if code, _, errs := runKernel("--batch", batchFile(t, line)); code != exit.Diag || !strings.Contains(errs, want) {
			t.Errorf("%s: code %d: %s", line, code, errs)
		}
	}
	for _, args := range [][]string{{"--batch", "x", "k.pto"}, {"--batch", "x", "--jobs", "-1"}, {"--jobs", "2", "k.pto"}, {"--batch", "x", "--arg", "1"}, {"--batch", "x", "--shard", "2/2"}} {
		if code, _, errs := runKernel(args...); code != exit.Usage {
			t.Errorf("%v: code %d: %s", args, code, errs)
		}
	}
}

func TestShard(t *testing.T) {
	for _, c := range []struct{ text, env, want string }{
		{"", "", "0 1"},
		{"0/3", "", "0 3"},
		{"3/3", "", "is not a value"},
		{"-1/3", "", "is not a value"},
		{"1", "", "is not a value"},
		{"x/2", "", "is not a value"},
		{"auto", "", "finds neither"},
		{"auto", "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=4", "1 4"},
		{"auto", "SLURM_ARRAY_TASK_ID=x", "is 'x'"},
		{"auto", "JOB_COMPLETION_INDEX=2", "not the number of parts"},
		{"auto/8", "JOB_COMPLETION_INDEX=2", "2 8"},
		{"auto", "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2", "1 2"},
	} {
		env := map[string]string{}
		for _, v := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(v, "=")
			env[name] = value
		}
		s, err := parseShard(c.text, func(name string) string { return env[name] })
		got := fmt.Sprint(s.i, " ", s.n)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("--shard=%s with %s: got %s, want %s", c.text, c.env, got, c.want)
		}
	}
}

var manyDigits = regexp.MustCompile(`[0-9]{4}|[0-9][eE]`)

// FuzzBatch reads anything as a batch; what is read has different keys.
func FuzzBatch(f *testing.F) {
	f.Add(`{"file":"a","args":["rand=1x1xf32,seed={seed}"],"seeds":3}`)
	f.Add("{\"text\":\"a\"}\n{\"id\":\"2\",\"text\":\"{seed}\",\"seeds\":[5]}")
	f.Fuzz(func(t *testing.T, text string) {
		if manyDigits.MatchString(text) {
			return // a large number of runs is only slow
		}
		runs, err := readCases(&ir.Source{Name: "fuzz", Text: text})
		if err != nil {
			return
		}
		seen := map[batchKey]bool{}
		for _, r := range runs[:min(len(runs), 100)] {
			if r.seeded(); seen[r.key] {
				t.Errorf("two runs are %v", r.key)
			}
			seen[r.key] = true
		}
	})
}
