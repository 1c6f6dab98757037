package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// doubling is a case whose kernel would double two numbers of 32 bits.
func doubling() *Case {
	n := uint64(2)
	return &Case{
		ID: "a3/pto.none/1", Requires: "doubles", Source: []string{"this test"}, Profile: "a3", Program: "none", Verdict: Results,
		Kernel: "k", Blocks: 1, Witnesses: []string{"one", "two"},
		Args: []Arg{
			{Type: "i32", Before: []byte{1, 0, 0, 0, 2, 0, 0, 0}},
			{Type: "i32", Before: make([]byte, 8), After: []byte{2, 0, 0, 0, 4, 0, 0, 0}},
			{Type: "index", Scalar: &n},
		},
	}
}

func TestReadWrite(t *testing.T) {
	folder := t.TempDir()
	if _, err := Read(folder); err == nil || !strings.Contains(err.Error(), "has no cases") {
		t.Errorf("an empty folder: %v", err)
	}
	c := doubling()
	if err := Write(filepath.Join(folder, "a3", "pto.none.jsonl"), []*Case{c}); err != nil {
		t.Fatal(err)
	}
	cases, err := Read(folder)
	if err != nil || len(cases) != 1 || cases[0].Program != c.Program || string(cases[0].Args[1].After) != string(c.Args[1].After) {
		t.Fatalf("read %v, %v", cases, err)
	}
	c.Witnesses = c.Witnesses[:1]
	if err := Write(filepath.Join(folder, "one.jsonl"), []*Case{c}); err == nil || !strings.Contains(err.Error(), "two witnesses") {
		t.Errorf("a case with one witness: %v", err)
	}
	for _, text := range []string{"{", `{"id":"x","more":1}`, `{"id":"x"}`} {
		file := filepath.Join(folder, "bad.jsonl")
		os.WriteFile(file, []byte(text+"\n"), 0o666)
		if _, err := Read(folder); err == nil || !strings.Contains(err.Error(), "bad.jsonl:1: ") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAdapter(t *testing.T) {
	rejected := &Case{ID: "a3/rejected/1", Verdict: Rejected, Profile: "a3", Program: "none"}
	hazard := &Case{ID: "a3/sync/1", Verdict: Hazard, Profile: "a3", Program: "none"}
	ordered := &Case{ID: "a3/sync/2", Verdict: Synchronized, Profile: "a3", Program: "none"}
	for _, test := range []struct {
		script string
		c      *Case
		want   Outcome
		detail string
	}{
		{`printf '\2\0\0\0\4\0\0\0' >"$2/arg1.bin"`, doubling(), Passed, ""},
		{`printf '\2\0\0\0\5\0\0\0' >"$2/arg1.bin"`, doubling(), Wrong, "element 1 of argument 1 is 5 (0x00000005) instead of 4"},
		{`printf '\2' >"$2/arg1.bin"`, doubling(), Wrong, "argument 1 has 1 bytes instead of 8"},
		{`printf '\2\0\0\0\4\0\0\0' | tee "$2/arg0.bin" >"$2/arg1.bin"`, doubling(), Wrong, "element 0 of argument 0"},
		{`grep -q 'scalar index 0x2' "$2/launch.txt" && exit 77`, doubling(), NotSupported, ""},
		{`echo broken; exit 3`, doubling(), Failed, "exit code 3: broken"},
		{`rm "$2/arg1.bin"`, doubling(), Failed, "arg1.bin"},
		{`exec sleep 60`, doubling(), Failed, "not finished after"},
		{`exit 1`, doubling(), Wrong, "rejected"},
		{`[ "$1" = verify ] && exit 1`, rejected, Passed, ""},
		{`exit 0`, rejected, Wrong, "accepted"},
		{`[ "$1" = sync ] && exit 1`, hazard, Passed, ""},
		{`exit 0`, hazard, Wrong, "accepted"},
		{`[ "$1" = sync ]`, ordered, Passed, ""},
		{`exit 1`, ordered, Wrong, "rejected"},
	} {
		script := filepath.Join(t.TempDir(), "adapter.sh")
		if err := os.WriteFile(script, []byte(test.script+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		a := &Adapter{Command: []string{"/bin/sh", script}, Timeout: time.Minute}
		if strings.Contains(test.script, "sleep") {
			a.Timeout = 100 * time.Millisecond
		}
		if r := a.Run(test.c, t.TempDir()); r.Outcome != test.want || !strings.Contains(r.Detail, test.detail) {
			t.Errorf("%s: %v, %s; want %v, %s", test.script, r.Outcome, r.Detail, test.want, test.detail)
		}
	}
}

func TestScoreboard(t *testing.T) {
	c, d := doubling(), doubling()
	d.ID = "a3/pto.none/2"
	file := filepath.Join(t.TempDir(), "score.json")
	if err := NewScore("mine", []*Result{{c, Passed, ""}, {d, Wrong, "x"}}).Write(file); err != nil {
		t.Fatal(err)
	}
	s, err := ReadScore(file)
	if err != nil {
		t.Fatal(err)
	}
	if text := Scoreboard([]*Case{c, d}, []*Score{s}); !strings.Contains(text, "| a3/pto.none | 2 | 1, 1 wrong |") {
		t.Error(text)
	}
}
