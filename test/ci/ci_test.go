// Package ci tries what the project offers to CI systems: the script of the composite
// action, and the hooks for pre-commit.
package ci

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// kernels writes a right and a wrong kernel into a new folder and returns its path.
func kernels(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join(root, "examples", "divide.pto"))
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(string(text), "pto.tdivs ", "pto.tdivss ", 1)
	if wrong == string(text) {
		t.Fatal("the example has no pto.tdivs")
	}
	for name, text := range map[string]string{"right.pto": string(text), "wrong.pto": wrong, "notes.txt": "not a kernel"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The script annotates the wrong kernel and fails, and passes after it is removed.
func TestActionScript(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is missing")
	}
	action, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil || !strings.Contains(string(action), `bash "$ACTION/scripts/ci-check.sh"`) {
		t.Fatalf("action.yml does not run the script (%v)", err)
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := kernels(t)
	check := func() (string, error) {
		cmd := exec.Command(bash, filepath.Join(abs, "scripts", "ci-check.sh"))
		cmd.Env = append(os.Environ(), "ACTION="+abs, "FILES="+dir, "ARCH=a3", "VERIFY_SYNC=false")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := check()
	if err == nil || !strings.Contains(out, "::error file="+filepath.Join(dir, "wrong.pto")+",line=24,col=8,") || strings.Contains(out, "right.pto") {
		t.Errorf("%v: %s", err, out)
	}
	if err := os.Remove(filepath.Join(dir, "wrong.pto")); err != nil {
		t.Fatal(err)
	}
	if out, err := check(); err != nil || out != "" {
		t.Errorf("%v: %s", err, out)
	}
}

// hooks returns the entries of .pre-commit-hooks.yaml by id.
func hooks(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	id := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if after, ok := strings.CutPrefix(line, "- id: "); ok {
			id = after
		} else if after, ok := strings.CutPrefix(line, "entry: "); ok {
			found[id] = strings.Fields(after)
		}
	}
	return found
}

// The hooks run as pre-commit runs them: the entry, then the changed files.
func TestHooks(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "pto-opt")
	if out, err := exec.Command("go", "build", "-ldflags=-w", "-o", bin, "ptogo/cmd/pto-opt").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := kernels(t)
	run := func(id string, files ...string) error {
		entry := hooks(t)[id]
		if len(entry) == 0 || entry[0] != "pto-opt" {
			t.Fatalf("the hook %s runs %q", id, entry)
		}
		cmd := exec.Command(bin, append(entry[1:], files...)...)
		cmd.Dir = dir
		return cmd.Run()
	}
	if err := run("pto-check", "right.pto"); err != nil {
		t.Errorf("pto-check of the right kernel: %v", err)
	}
	if run("pto-check", "right.pto", "wrong.pto") == nil {
		t.Error("pto-check accepts the wrong kernel")
	}
	if err := run("pto-fix", "wrong.pto"); err != nil {
		t.Errorf("pto-fix: %v", err)
	}
	if err := run("pto-check", "wrong.pto"); err != nil {
		t.Errorf("pto-check after pto-fix: %v", err)
	}
}
