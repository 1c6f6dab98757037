package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"ptogo/codegen/jit"
	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/run"
)

// cancel ends the last request and returns its answer.
func (s *served) cancel() servedAnswer {
	body, _ := json.Marshal(map[string]any{"method": "$/cancelRequest", "params": map[string]any{"id": s.last}})
	fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return s.receive()
}

// TestServeCancel ends requests of each sort, after which the server goes on.
func TestServeCancel(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	s := startServe(t)
	program := s.load("endless.pto", `func.func @endless(%x: !pto.ptr<f32>) attributes {pto.kernel} {
  %true = arith.constant true
  scf.while : () -> () { scf.condition(%true) } do { scf.yield }
  return
}`)
	passes := "--pass-pipeline=builtin.module(" + strings.Repeat("canonicalize,", 200_000) + "cse)"
	runs := []struct {
		name, method string
		params       map[string]any
		want         string
	}{
		{"passes", "tool", map[string]any{"name": "pto-opt", "argv": []string{passes, "-"}, "stdin": "func.func private @f() { return }"}, "interrupted"},
		{"tool", "tool", map[string]any{"name": "pto-run", "argv": []string{"-", "--arg", "0"}, "stdin": clitest.Endless}, "'scf.while' op was running when the launch was interrupted"},
		{"run", "run", map[string]any{"program": program, "args": []string{"zeros=1x1xf32"}}, "'scf.while' op was running when the launch was interrupted"},
	}
	if _, ok := jit.Find("clang"); ok {
		llvm := runs[2]
		llvm.name, llvm.params = "llvm", map[string]any{"program": program, "args": []string{"zeros=1x1xf32"}, "flags": map[string]any{"engine": "llvm"}}
		// The time that compiling takes is not known: what is interrupted is one or
		// the other.
		llvm.want = "interrupted"
		runs = append(runs, llvm)
	}
	for _, r := range runs {
		for i, wait := range clitest.Longer { // until what is cancelled has begun
			s.send(r.method, r.params)
			time.Sleep(wait)
			a := s.cancel()
			text := fmt.Sprintf("%+v", a.Result.Diagnostics)
			if a.ID != s.last || a.Result.Exit == exit.OK {
				t.Fatalf("%s: exit %d, %s", r.name, a.Result.Exit, text)
			}
			if strings.Contains(text, r.want) {
				break
			}
			if i == len(clitest.Longer)-1 {
				t.Errorf("%s: %s", r.name, text)
			}
		}
		if a := s.ask("tool", map[string]any{"name": "pto-opt", "argv": []string{"-"}, "stdin": "func.func @f() { return }"}); a.Result.Exit != exit.OK {
			t.Errorf("behind %s: %+v", r.name, a)
		}
	}
}

// TestUnlessCancelled has work that goes on for ever, and work that breaks down.
func TestUnlessCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	r := unlessCancelled(ctx, "pto-opt", func() run.Result { select {} })
	if r.Exit != exit.Diag || len(r.Diagnostics) != 1 || r.Diagnostics[0].Message != textNotFinished || r.Diagnostics[0].Severity != "error" {
		t.Errorf("%+v", r)
	}
	r = unlessCancelled(t.Context(), "pto-opt", func() run.Result { panic("oh") })
	if r.Exit != exit.Diag || !strings.Contains(r.Diagnostics[0].Message, "bug in the server, please report it: oh") {
		t.Errorf("%+v", r)
	}
}
