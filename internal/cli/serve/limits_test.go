package serve

import (
	"encoding/json"
	"strings"
	"testing"

	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
)

// TestServeLargeRequests sends requests that need too much memory. Each is an error of its
// own, and the server answers the next request.
func TestServeLargeRequests(t *testing.T) {
	s := startServe(t)
	text := clitest.LongText(17 << 20)
	tool := func(argv ...string) map[string]any {
		return map[string]any{"name": "pto-opt", "argv": argv, "stdin": text}
	}
	for _, c := range []struct {
		name, method string
		params       map[string]any
		exit         int
		want         string
	}{
		{"text", "load", map[string]any{"text": text}, exit.Diag, "the program is larger than 16MiB, so it may need more than the limit of 1GiB of memory"},
		{"small limit", "load", map[string]any{"text": clitest.EndlessLoads, "max_memory": "4KiB"}, exit.Diag, "the program is larger than 64, so it may need more than the limit of 4KiB"},
		{"text with a limit", "load", map[string]any{"text": text, "max_memory": "2GiB"}, exit.OK, ""},
		{"tool", "tool", tool("-"), exit.Diag, "the program is larger than 16MiB"},
		{"tool with a limit", "tool", tool("-", "--max-memory=2GiB"), exit.OK, ""},
		{"output", "tool", map[string]any{"name": "pto-opt", "argv": []string{"-", "--max-output=100"}, "stdin": clitest.EndlessLoads}, exit.Diag, "the output is larger than 100;"},
		{"recorded events", "run", map[string]any{"args": []any{"zeros=8xf32"}, "flags": map[string]any{"timing": true, "max-memory": "32MiB", "timeout": "300s"}}, exit.Fault, "exceeded 32MiB of memory"},
		{"arguments", "run", map[string]any{"args": []any{"zeros=4294967295xf32"}}, exit.Diag, "need more than 1GiB of memory"},
		{"next", "tool", map[string]any{"name": "pto-opt", "argv": []string{"-"}, "stdin": clitest.EndlessLoads}, exit.OK, ""},
	} {
		if c.method == "run" { // large texts leave no room for other programs
			c.params["program"] = s.load("small.pto", clitest.EndlessLoads)
		}
		a := s.ask(c.method, c.params)
		got, _ := json.Marshal(a.Result.Diagnostics)
		if a.Error != nil || a.Result.Exit != c.exit || !strings.Contains(string(got), c.want) {
			t.Errorf("%s: exit code %d, %s, %v; want %d with %q", c.name, a.Result.Exit, got, a.Error, c.exit, c.want)
		}
	}
	if a := s.ask("load", map[string]any{"text": clitest.EndlessLoads, "max_memory": "much"}); a.Error == nil || !strings.Contains(a.Error.Message, "max_memory") {
		t.Errorf("a limit that is not a size: %+v", a)
	}
}
