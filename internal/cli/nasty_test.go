package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"ptogo/ir"
)

// nastyParts are what a hostile name is made of: line ends, commands to CI
// systems, colors, marks of direction, C1 controls, ends of comments and strings.
var nastyParts = []string{
	"\n", "\r", "\n::error file=x::no", "::error::no", "##[error]no", "##vso[task.complete]", "\x1b[31m", "\x1b]0;t\x07", "\u202e", "\u2066", "\u200f",
	"\u0085", "\u009b31m", "\u2028", "\x00", "\x7f", "\xff", "*/", "\\", "??/", "\"", "'", "%s%n", "k.pto:1:1: error: no", "a", "é", "\U000e0041",
}

func nastyName(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(5) {
		b.WriteString(nastyParts[r.IntN(len(nastyParts))])
	}
	return b.String()
}

// forged returns a line with a command that CI systems find anywhere in it, or that
// reads as a message of its own.
func forged(out string) string {
	for line := range strings.Lines(out) {
		if strings.Contains(line, "##[") || strings.Contains(line, "##vso[") || strings.HasPrefix(line, "k.pto:1:1: error: no") {
			return line
		}
	}
	return ""
}

// obeyed returns what a terminal, an editor or a CI system would not only show.
func obeyed(out string) string {
	for i, line := range strings.Split(out, "\n") {
		for j, r := range line {
			if r == utf8.RuneError && !strings.HasPrefix(line[j:], "\ufffd") || r != '\t' && !unicode.IsPrint(r) {
				return fmt.Sprintf("line %d: character %U", i+1, r)
			}
		}
		start := strings.TrimLeft(line, " \t")
		if strings.HasPrefix(start, "::") {
			return fmt.Sprintf("line %d: %q", i+1, line)
		}
	}
	return ""
}

// nastyKernel names everything that a kernel can name with name: its function, a
// location, a label that it prints, a format, an attribute, and an operation that is
// an error.
func nastyKernel(name string, valid bool) string {
	q := string(ir.AppendQuoted(nil, name))
	text := "func.func @" + q + "(%p: !pto.ptr<f32>, %n: i32) attributes {note = " + q + "} {\n" +
		"  pto.print ins(" + q + ", %n : i32)\n" +
		"  %c = arith.constant 1 : i32 loc(" + q + ")\n" +
		"  %d = arith.addi %c, %n : i32 loc(" + q + ":3:4)\n" +
		"  pto.print ins(\"%d\", %d : i32) loc(" + q + ":5:6)\n"
	if !valid {
		text += "  %e = arith.addi %c, %p : i32 loc(" + q + ":1:2)\n  func.call @" + q + "2() : () -> ()\n" + name + "\n"
	}
	return text + "  return\n}\n"
}

// TestNastyNames writes kernels with hostile names by every emitter. Nothing of a
// name may reach the output but as printable text on its line.
func TestNastyNames(t *testing.T) {
	dir := t.TempDir()
	trace := filepath.Join(dir, "trace.json")
	opt := [][]string{
		{}, {"--mlir-print-op-generic"}, {"--mlir-print-debuginfo"}, {"--emit=llvm"}, {"--emit=cpp"}, {"--emit=cpp", "--cpp-launch"}, {"--emit=pto-as"}, {"--memory-map"},
		{"--memory-map=json"}, {"--memory-map=svg"}, {"--verify-sync"}, {"--verify-sync=strict"}, {"--diagnostics=json"}, {"--diagnostics=sarif"}, {"--verify-diagnostics"},
		{"--mlir-print-value-users"}, {"--pto-bufferize", "--mlir-print-ir-after-all"},
	}
	args := []string{"--arg", "zeros=8xf32", "--arg", "1"}
	run := [][]string{
		{"--list-kernels"}, {}, args, append([]string{"--check=all"}, args...), append([]string{"--trace=" + trace}, args...), append([]string{"--timing"}, args...),
		append([]string{"--stats"}, args...), append([]string{"--print"}, args...), {"--kernel=x"}, append([]string{"--diagnostics=json", "--expect=5=x"}, args...),
		append([]string{"--diagnostics=sarif", "--max-steps=1"}, args...), append([]string{"--max-steps=1"}, args...),
	}
	r := rand.New(rand.NewPCG(35, 4))
	for i := range 40 {
		name := nastyName(r)
		text := nastyKernel(name, i%4 != 0)
		file := filepath.Join(dir, "k.pto")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		try := func(tool func([]string, *bytes.Buffer, *bytes.Buffer) int, flags []string) {
			var out, errs bytes.Buffer
			tool(append([]string{file}, flags...), &out, &errs)
			for what, text := range map[string]string{"output": out.String(), "messages": errs.String()} {
				text := strings.ReplaceAll(text, dir+string(filepath.Separator), "")
				why := obeyed(text)
				if what == "messages" && why == "" { // a program keeps what is in its strings, and a kernel prints lines
					why = forged(text)
				}
				if why != "" {
					t.Errorf("%q with %v: %s: %s", name, flags, what, why)
				}
				if strings.Contains(text, "a bug in") {
					t.Errorf("%q with %v: %s", name, flags, text)
				}
			}
		}
		for _, flags := range opt {
			try(func(a []string, o, e *bytes.Buffer) int { return Opt(a, strings.NewReader(""), o, e) }, flags)
		}
		for _, flags := range run {
			try(func(a []string, o, e *bytes.Buffer) int { return Run(a, strings.NewReader(""), o, e) }, flags)
		}
		if text, err := os.ReadFile(trace); err == nil {
			if why := obeyed(string(text)); why != "" || !json.Valid(text) {
				t.Errorf("%q: trace: %s", name, why)
			}
			os.Remove(trace)
		}
	}
}

// TestVisibleJSON checks that the document says the same.
func TestVisibleJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 5))
	for range 500 {
		name := strings.ToValidUTF8(nastyName(r), "?")
		text, _ := json.Marshal(name)
		shown := ir.VisibleJSON(text)
		var back string
		if err := json.Unmarshal(shown, &back); err != nil || back != name || obeyed(string(shown)) != "" || forged(string(shown)) != "" {
			t.Errorf("%q: %s: %v", name, shown, err)
		}
	}
}
