// Package editors has sessions of real clients with pto-lsp-server: Neovim, Emacs, and
// the library that VS Code uses. A session is skipped if its client is not installed.
package editors

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The session replaces fixed in the kernel by wrong, which a quick fix mends.
const (
	fixed = "pto.tdivs "
	wrong = "pto.tdivss "
)

// prepare builds the server and copies an example, and returns both paths.
func prepare(t *testing.T) (server, file string) {
	t.Helper()
	dir := t.TempDir()
	server = filepath.Join(dir, "pto-lsp-server")
	if out, err := exec.Command("go", "build", "-ldflags=-w", "-o", server, "ptogo/cmd/pto-lsp-server").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile("../../examples/divide.pto")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), fixed) {
		t.Fatalf("the example has no %q", fixed)
	}
	file = filepath.Join(dir, "divide.pto")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return server, file
}

// run runs a client and decodes what it saw. A client that hangs is ended after a
// minute.
func run(t *testing.T, cmd *exec.Cmd, seen any) {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.WaitDelay = time.Second
	stop := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer stop.Stop()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, &stderr)
	}
	if err := json.Unmarshal(out, seen); err != nil {
		t.Fatalf("%v in %s\n%s", err, out, &stderr)
	}
	t.Logf("%s", out)
}

func TestNodeSession(t *testing.T) {
	node, err := exec.LookPath("node")
	if _, missing := os.Stat("node_modules/vscode-jsonrpc"); err != nil || missing != nil {
		t.Skip("node or vscode-jsonrpc is missing: run npm ci in test/editors")
	}
	server, file := prepare(t)
	var seen struct {
		Capabilities      []string
		Open, Afterwards  int
		Wrong             []struct{ Message string }
		Action, Hover     string
		Mended, Formatted bool
		Completions       int
		Tokens            float64
		Hints             []string
		Refused           string
		Exit              int
	}
	run(t, exec.Command(node, "session.mjs", server, file, wrong, fixed), &seen)
	switch {
	case seen.Open != 0 || seen.Afterwards != 0 || len(seen.Wrong) != 1:
		t.Errorf("%d diagnostics at first, %d of the mistake, %d in the end", seen.Open, len(seen.Wrong), seen.Afterwards)
	case !strings.Contains(seen.Wrong[0].Message, "unknown operation 'pto.tdivss'"):
		t.Errorf("message %q", seen.Wrong[0].Message)
	case !seen.Mended || seen.Action != "Replace 'pto.tdivss' by 'pto.tdivs'":
		t.Errorf("action %q, mended %v", seen.Action, seen.Mended)
	case seen.Hover != "# pto.tdivs" || seen.Completions == 0 || seen.Tokens < 50 || len(seen.Hints) == 0 || !seen.Formatted:
		t.Errorf("hover %q, %d completions, %v tokens, hints %q, formatted %v", seen.Hover, seen.Completions, seen.Tokens, seen.Hints, seen.Formatted)
	case !strings.Contains(seen.Refused, "is not open") || seen.Exit != 0:
		t.Errorf("refused %q, exit code %d", seen.Refused, seen.Exit)
	}
	for _, want := range []string{"completionProvider", "hoverProvider", "inlayHintProvider", "renameProvider", "semanticTokensProvider"} {
		if !strings.Contains(strings.Join(seen.Capabilities, " "), want) {
			t.Errorf("the server does not announce %s", want)
		}
	}
}

func TestNeovimSession(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("Neovim is missing")
	}
	server, file := prepare(t)
	cmd := exec.Command(nvim, "--headless", "-n", "-i", "NONE", "-u", "NONE", "-S", "session.lua")
	cmd.Env = append(os.Environ(), "SERVER="+server, "FILE="+file, "WRONG="+wrong, "FIXED="+fixed, "HOME="+t.TempDir())
	var seen struct {
		Filetype, Message, Action, Hover, Missing string
		Diagnostics                               int
		Line, Mended, Renamed                     bool
	}
	run(t, cmd, &seen)
	switch {
	case seen.Missing != "":
		t.Errorf("%s did not come", seen.Missing)
	case seen.Filetype != "mlir" || seen.Diagnostics != 1 || !seen.Line || !strings.Contains(seen.Message, "unknown operation 'pto.tdivss'"):
		t.Errorf("file type %q, %d diagnostics, at the line %v: %q", seen.Filetype, seen.Diagnostics, seen.Line, seen.Message)
	case seen.Action != "Replace 'pto.tdivss' by 'pto.tdivs'" || !seen.Mended || seen.Hover != "# pto.tdivs" || !seen.Renamed:
		t.Errorf("action %q, mended %v, hover %q, renamed %v", seen.Action, seen.Mended, seen.Hover, seen.Renamed)
	}
}

// TestEmacsSession runs eglot in Emacs: a mistake has its message, the quick fix mends it,
// and the instruction has its page.
func TestEmacsSession(t *testing.T) {
	emacs, err := exec.LookPath("emacs")
	if err != nil {
		t.Skip("emacs is missing")
	}
	server, file := prepare(t)
	cmd := exec.Command(emacs, "--batch", "-l", "session.el", server, file, wrong, fixed)
	if out, err := exec.Command(emacs, "--batch", "--eval", "(progn (package-initialize) (require 'eglot))").CombinedOutput(); err != nil {
		t.Skipf("eglot is missing: %s", out)
	}
	var seen struct {
		Messages []string
		Mended   bool
		Hover    string
	}
	run(t, cmd, &seen)
	if len(seen.Messages) != 1 || !strings.Contains(seen.Messages[0], "unknown operation 'pto.tdivss'") {
		t.Errorf("messages %q", seen.Messages)
	}
	if !seen.Mended || !strings.HasPrefix(seen.Hover, "# pto.tdivs") {
		t.Errorf("mended %v, hover %q", seen.Mended, seen.Hover)
	}
}
