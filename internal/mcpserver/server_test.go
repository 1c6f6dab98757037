package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMain executes a tool if a server under test has started this program for one.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == toolFlag {
		os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// connect returns a client that is connected to a server for the folder root.
func connect(t *testing.T, root string) *mcp.ClientSession {
	t.Helper()
	s, err := New(root)
	if err != nil {
		t.Fatal(err)
	}
	near, far := mcp.NewInMemoryTransports()
	serving, err := s.Connect(t.Context(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { serving.Close() })
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), far, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// call calls a tool and returns its answer, or the text of an error of the request.
func call(t *testing.T, c *mcp.ClientSession, tool string, args map[string]any) (a Answer, failure string) {
	t.Helper()
	r, err := c.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return a, err.Error()
	}
	if r.IsError {
		return a, r.Content[0].(*mcp.TextContent).Text
	}
	text, err := json.Marshal(r.StructuredContent)
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a, ""
}

// kernel returns the text of an example.
func kernel(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../examples", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSession does what an agent does: it looks for the tools, writes a kernel, checks it,
// synchronizes it, proves it, compares it with another one and asks for its time.
func TestSession(t *testing.T) {
	c := connect(t, t.TempDir())
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	if got := strings.Join(names, " "); got != "advise check equivalence explain prove review run synchronize time verify" {
		t.Errorf("tools: %s", got)
	}
	softmax := kernel(t, "softmax.pto")
	args := []string{"rand=32x64xf32,seed=1", "zeros=32x64xf32"}
	with := func(program string, more map[string]any) map[string]any {
		all := map[string]any{"program": program, "target": "a3"}
		for k, v := range more {
			all[k] = v
		}
		return all
	}
	if a, why := call(t, c, "check", with(softmax, map[string]any{"args": args})); a.Exit != 5 || !strings.Contains(a.Text, "no flags at all") {
		t.Errorf("check: %+v %s", a, why)
	}
	synced, _ := call(t, c, "synchronize", with(softmax, nil))
	if !synced.OK || !strings.Contains(synced.Text, "pto.wait_flag") {
		t.Fatalf("synchronize: %+v", synced)
	}
	program := synced.Text[strings.Index(synced.Text, "module"):]
	if a, _ := call(t, c, "check", with(program, map[string]any{"args": args, "orders": 2, "blocks": 2})); !a.OK || !strings.Contains(a.Text, "check: no reports") {
		t.Errorf("check of the synchronized program: %+v", a)
	}
	if a, _ := call(t, c, "prove", with(program, nil)); !a.OK || !strings.Contains(a.Text, "proved") {
		t.Errorf("prove: %+v", a)
	}
	if a, _ := call(t, c, "time", with(program, map[string]any{"args": args})); !a.OK || !strings.Contains(a.Text, "critical path") {
		t.Errorf("time: %+v", a)
	}
	if a, _ := call(t, c, "advise", with(softmax, map[string]any{"args": args, "tries": 30})); !a.OK || !strings.Contains(a.Text, "2 blocks") || strings.Contains(a.Text, "func.func @") {
		t.Errorf("advise: %+v", a)
	}
	if a, _ := call(t, c, "advise", with(program, map[string]any{"args": args, "tries": 30, "write": true})); !a.OK || !strings.Contains(a.Text, "as written") || !strings.Contains(a.Text, "func.func @softmax") {
		t.Errorf("advise with the program: %+v", a)
	}
	if a, _ := call(t, c, "equivalence", with(softmax, map[string]any{"args": args, "other": program})); !a.OK || !strings.Contains(a.Text, "equivalent") {
		t.Errorf("equivalence: %+v", a)
	}
	wrong := strings.Replace(program, "pto.trowmax", "pto.trowmin", 1)
	if a, _ := call(t, c, "equivalence", with(softmax, map[string]any{"args": args, "other": wrong})); a.OK {
		t.Errorf("equivalence of another program: %+v", a)
	}
	commands := "pto-run softmax.pto --arg rand=32x64xf32 --arg zeros=32x64xf32 --expect 1=want.npy,rtol=1e-5 --check=all\n"
	weaker := strings.Replace(commands, "rtol=1e-5 --check=all", "rtol=1e-2", 1)
	if a, _ := call(t, c, "review", with(program, map[string]any{"before": softmax, "tests_before": commands, "tests_after": commands, "args": args})); !a.OK || !strings.Contains(a.Text, "equivalent") {
		t.Errorf("review: %+v", a)
	}
	if a, _ := call(t, c, "review", with(wrong, map[string]any{"before": softmax, "args": args})); a.OK || !strings.Contains(a.Verdict, "not proved") {
		t.Errorf("review of another program: %+v", a)
	}
	if a, _ := call(t, c, "review", with(softmax, map[string]any{"before": softmax, "tests_before": commands, "tests_after": weaker})); a.Exit != 5 || !strings.Contains(a.Text, "rtol is 1e-2") || !strings.Contains(a.Text, "--check") {
		t.Errorf("review of weaker tests: %+v", a)
	}
	if a, _ := call(t, c, "verify", with(strings.Replace(softmax, "pto.trowmax", "pto.trowmaxx", 1), nil)); a.Exit != 1 || !strings.Contains(a.Text, "did you mean") {
		t.Errorf("verify: %+v", a)
	}
	if a, _ := call(t, c, "explain", map[string]any{"name": "tadd"}); !a.OK || !strings.Contains(a.Text, "src0") {
		t.Errorf("explain: %+v", a)
	}
}

// TestFiles reads and writes files of the folder of the server, and no others.
func TestFiles(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	for path, text := range map[string]string{filepath.Join(root, "k.pto"): kernel(t, "softmax.pto"), filepath.Join(outside, "secret.npy"): "secret"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	c := connect(t, root)
	run := func(args ...string) (Answer, string) {
		return call(t, c, "run", map[string]any{"file": "k.pto", "args": args})
	}
	if a, failure := run("rand=32x64xf32", "out=y.npy:32x64xf32"); !a.OK {
		t.Errorf("run: %+v %s", a, failure)
	}
	if _, err := os.Stat(filepath.Join(root, "y.npy")); err != nil {
		t.Error(err)
	}
	if a, failure := call(t, c, "run", map[string]any{"file": "k.pto", "args": []string{"rand=32x64xf32", "zeros=32x64xf32"}, "expect": []string{"1=y.npy"}}); !a.OK {
		t.Errorf("expect: %+v %s", a, failure)
	}
	for _, arg := range []string{"in=../secret.npy", "in=" + outside + "/secret.npy", "out=" + outside + "/new.npy:32x64xf32", "in=link/secret.npy", "out=link/new.npy:32x64xf32", "per-block:in=/etc/passwd", "--serve"} {
		if a, failure := run(arg, "zeros=32x64xf32"); failure == "" {
			t.Errorf("%s is accepted: %+v", arg, a)
		}
	}
	if left, _ := os.ReadDir(outside); len(left) != 1 {
		t.Errorf("%d files outside", len(left))
	}
	for name, request := range map[string]map[string]any{
		"no program":   {"args": []string{}},
		"two programs": {"args": []string{}, "file": "k.pto", "program": "module {}"},
		"other target": {"args": []string{}, "file": "k.pto", "target": "b9"},
		"absent file":  {"args": []string{}, "file": "none/k.pto"},
	} {
		if a, failure := call(t, c, "run", request); failure == "" {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// TestLongAnswer cuts an answer at a line.
func TestLongAnswer(t *testing.T) {
	c := connect(t, t.TempDir())
	a, _ := call(t, c, "run", map[string]any{"program": kernel(t, "softmax.pto"), "args": []string{"rand=32x640xf32", "zeros=32x640xf32"}, "print": true})
	var long strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&long, "func.func @f%d() { return }\n", i)
	}
	b, _ := call(t, c, "synchronize", map[string]any{"program": long.String()})
	for _, a := range []Answer{a, b} {
		if len(a.Text) > mostText+100 || a.Cut && !strings.Contains(a.Text, "more bytes are not in this answer") {
			t.Errorf("an answer of %d bytes, cut %v", len(a.Text), a.Cut)
		}
	}
	if !b.Cut {
		t.Error("2000 functions fit into an answer")
	}
}
