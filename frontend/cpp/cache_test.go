package cpp

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ptogo/ir"
)

// TestCache reads a file several times with a compiler that counts its runs: only a change
// of the file, of an included file or of the options compiles again.
func TestCache(t *testing.T) {
	needClang(t)
	real, err := findTools("")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	t.Setenv("HOME", filepath.Join(dir, "home"))
	log := filepath.Join(dir, "log")
	script := filepath.Join(dir, "clang++")
	text := "#!/bin/sh\necho run >>" + log + "\nexec " + real.clang + " \"$@\"\n"
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	included := filepath.Join(dir, "rows.hpp")
	write := func(rows string) {
		if err := os.WriteFile(included, []byte("constexpr int rows = "+rows+";\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("8")
	src := &ir.Source{Name: filepath.Join(dir, "k.cpp"), Text: `#include "rows.hpp"
#include <pto/pto-inst.hpp>
extern "C" __global__ AICORE void k(__gm__ float *x) { set_mask_count(); x[0] = rows; }
`}
	runs := func() int {
		b, _ := os.ReadFile(log)
		return strings.Count(string(b), "run")
	}
	for _, c := range []struct {
		what   string
		change func()
		again  bool
		o      Options
	}{
		{"the first time", func() {}, true, Options{}},
		{"again", func() {}, false, Options{}},
		{"with a macro", func() {}, true, Options{Define: []string{"UNUSED_MACRO=1"}}},
		{"with a changed include", func() { write("9 + 9") }, true, Options{}},
		{"once more", func() {}, false, Options{}},
		{"with a changed text", func() { src = &ir.Source{Name: src.Name, Text: src.Text + "\n"} }, true, Options{}},
	} {
		c.change()
		before := runs()
		c.o.Compiler = script
		var diags ir.Diags
		if Read(src, c.o, &diags) == nil {
			t.Fatalf("%s: %v", c.what, diags.Err())
		}
		if all := diags.All(); len(all) != 1 || !strings.Contains(all[0].Text, "'set_mask_count' has no effect") {
			t.Errorf("%s: diagnostics %v", c.what, all)
		}
		if again := runs() > before; again != c.again {
			t.Errorf("%s: the compiler ran: %v, want %v", c.what, again, c.again)
		}
	}
}

// TestConfined runs a program that looks for network interfaces other than the loopback.
func TestConfined(t *testing.T) {
	if runtime.GOOS != "linux" || exec.Command("unshare", "-Un", "true").Run() != nil {
		t.Skip("the system permits no namespaces")
	}
	if err := run("/bin/sh", "-c", `test $(grep -c : /proc/net/dev) -le 1`); err != nil {
		t.Errorf("the compiler has network interfaces: %v", err)
	}
	if err := run("/bin/sh", "-c", `ulimit -v; test "$(ulimit -v)" != unlimited && test "$(ulimit -t)" != unlimited`); err != nil {
		t.Errorf("the compiler runs without limits: %v", err)
	}
}

// TestOpenPipe runs a program that succeeds while another process still has its pipe for
// messages, as on a machine that is busy.
func TestOpenPipe(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	if err := run(sh, "-c", "sleep 5 & exit 0"); err != nil {
		t.Error(err)
	}
	if err := run(sh, "-c", "exit 3"); err == nil {
		t.Error("no error for a program that fails")
	}
}
