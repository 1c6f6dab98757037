package cli

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli/exit"
)

// TestCompletion asks shells, where there are any, what they offer.
func TestCompletion(t *testing.T) {
	bash := func(words string) string {
		return `source "$1"; COMP_WORDS=(` + words + `); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); "_${COMP_WORDS[0]//-/_}" 2>/dev/null; printf '%s\n' "${COMPREPLY[@]}"`
	}
	fish := func(line string) string { return `source $argv[1]; complete -C '` + line + `'` }
	for _, c := range []struct {
		shell, tool, script string
		want, not           []string
	}{
		{"bash", "pto-opt", bash("pto-opt --pto-a"), []string{"--pto-arch="}, []string{"--pto-level="}},
		{"bash", "pto-opt", bash("pto-opt --pto-arch = a"), []string{"a2", "a3", "a5"}, []string{"--pto-arch="}},
		{"bash", "pto-opt", bash("pto-opt --pto-arch ="), []string{"a5"}, nil},
		{"bash", "pto-opt", bash("pto-opt --explain = pto.tdi"), []string{"pto.tdivs"}, []string{"pto.tadds"}},
		{"bash", "pto-opt", bash("pto-opt --cs"), []string{"--cse"}, []string{"--cse="}},
		{"bash", "pto-opt", bash("pto-opt completion_t"), []string{"completion_test.go"}, nil},
		{"bash", "pto-run", bash("pto-run --engine = l"), []string{"llvm"}, []string{"go"}},
		{"fish", "pto-opt", fish("pto-opt --pto-arch="), []string{"a2", "a3", "a5"}, []string{"completion_test.go"}},
		{"fish", "pto-opt", fish("pto-opt --pto-l"), []string{"--pto-level"}, []string{"--pto-arch"}},
		{"fish", "pto-run", fish("pto-run completion_t"), []string{"completion_test.go"}, nil},
		{"zsh", "pto-opt", `source "$1" && print -l $_comps[pto-opt] && functions _pto_opt`, []string{"_pto_opt", "--pto-arch=[target PROFILE", "(a2 a3 a5)"}, []string{"--pto-backend"}},
		{"zsh", "pto-run", `source "$1" && print -l $_comps[pto-run]`, []string{"_pto_run"}, nil},
	} {
		t.Run(c.shell+" "+c.script, func(t *testing.T) {
			got := complete(t, c.shell, c.tool, c.script)
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("%s is not offered:\n%s", w, got)
				}
			}
			for _, w := range c.not {
				if strings.Contains(got, w) {
					t.Errorf("%s is offered:\n%s", w, got)
				}
			}
		})
	}
}

// complete runs a script in a shell; its first argument is the file with the
// completion of a tool.
func complete(t *testing.T, shell, tool, script string) string {
	path, err := exec.LookPath(shell)
	if err != nil {
		t.Skipf("no %s", shell)
	}
	tools := map[string]func([]string, io.Reader, io.Writer, io.Writer) int{"pto-opt": Opt, "pto-run": Run}
	var source strings.Builder
	if code := tools[tool]([]string{"--completion=" + shell}, nil, &source, io.Discard); code != exit.OK {
		t.Fatalf("exit code %d", code)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "completion")
	if err := os.WriteFile(file, []byte(source.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	args := map[string][]string{
		"bash": {"--norc", "-c", script, "bash", file},
		"zsh":  {"-f", "-c", script, "zsh", file},
		"fish": {"--private", "-c", script, file},
	}[shell]
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "ZDOTDIR="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return string(out)
}
