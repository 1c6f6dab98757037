package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/report"
	"ptogo/ir"
)

// planted are mistakes in a kernel, each with the code and the range of the diagnostic
// that it causes. at is the text of the range. With fixed, --fix mends the mistake: the
// program is then right, and equal to the kernel unless another name is closer.
var planted = []struct {
	kernel   string
	old, new string
	code     ir.Code
	at       string
	fixed    bool
}{
	// Syntax.
	{addKernel, "arith.constant 1 : index", "arith.constant 1 index", ir.CodeColon, "index", true},
	{addKernel, "%d = pto.tadds %t, %s : (", "%d = pto.tadds %t, %s (", ir.CodeColon, "(", true},
	{addKernel, "%xp = pto.part", "%xp pto.part", ir.CodeSyntax, "pto.partition_view", true},
	{addKernel, "pto.tadds %t, %s :", "pto.tadds %t %s :", ir.CodeCounts, "%s", false},
	{addKernel, "  return\n}", "  return\n", ir.CodeBrace, "", true},
	{addKernel, "  return\n}", "  return\n}}", ir.CodeBrace, "}", true},
	{addKernel, "  return\n", "  return # the end\n", ir.CodeCharacter, "#", true},
	{addKernel, "  return\n", "  return ; ?\n", ir.CodeColon, ";", false},
	{addKernel, "@add", "add", ir.CodeSyntax, "add", true},
	{addKernel, "arith.constant 32", "arith.constant thirty", ir.CodeSyntax, "thirty", false},
	{addKernel, "arith.constant 32", "arith.constant 99999999999999999999", ir.CodeNumber, "99999999999999999999", false},
	{addKernel, "  return\n", "  %e = arith.constant 1e-6 : f32\n  return\n", ir.CodeNumber, "e-6", true},
	{addKernel, "arith.constant 64 : index", "arith.constant 64 : i4", ir.CodeNumber, "64", false},
	{addKernel, "arith.constant 64 : index", "arith.constant 0.5 : index", ir.CodeNumber, "0.5", false},
	{addKernel, "%s: f32)", "%s: f32", ir.CodeSyntax, "attributes", true},
	{addKernel, "{pto.kernel} {", "{pto.kernel} ", ir.CodeUndeclared, "%x", false},
	{addKernel, "@add(%x", "@\"add(%x", ir.CodeCharacter, "@", false},
	// Names.
	{addKernel, "pto.tadds %t", "pto.tadd_s %t", ir.CodeUnknownOp, "pto.tadd_s", true},
	{addKernel, "pto.tload %xp", "pto.tloda %xp", ir.CodeUnknownOp, "pto.tloda", true},
	{addKernel, "arith.constant 1 :", "arth.constant 1 :", ir.CodeUnknownOp, "arth.constant", true},
	{addKernel, "pto.tadds %t", "tadds %t", ir.CodeUnknownOp, "tadds", true},
	{addKernel, "  return\n", "  retrun\n", ir.CodeUnknownOp, "retrun", false},
	{addKernel, "pto.tadds %t", "pto.tadds %tt", ir.CodeUndeclared, "%tt", true},
	{addKernel, "sizes = [%c32, %c64] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<32x64xf32>\n  %t", "sizes = [%c322, %c64] : !pto.tensor_view<32x64xf32> -> !pto.partition_tensor_view<32x64xf32>\n  %t", ir.CodeUndeclared, "%c322", false},
	{addKernel, "pto.tadds %t, %s", "pto.tadds t, %s", ir.CodeSyntax, "t", true},
	{addKernel, "pto.tadds %t, %s", "pto.tadds %t, 2.0", ir.CodeSyntax, "2.0", false},
	{addKernel, "%c1 = arith", "%c0 = arith", ir.CodeRedefined, "%c0", false},
	{addKernel, "c64 = arith.constant 64", "c64a = arith.constant 64", ir.CodeUndeclared, "%c64", true},
	{addKernel, "  %d = pto", "  d = pto", ir.CodeUnknownOp, "d", true},
	{addKernel, "!pto.tile<32x64xf32>\n  %d", "!pto.tlie<32x64xf32>\n  %d", ir.CodeUnknownType, "!pto.tlie", true},
	{addKernel, "!pto.tile<32x64xf32>\n  %d", "pto.tile<32x64xf32>\n  %d", ir.CodeUnknownType, "pto.tile", true},
	{addKernel, "!pto.tile<32x64xf32>\n  %d", "!tile<32x64xf32>\n  %d", ir.CodeUnknownType, "!tile", true},
	{addKernel, "32x64xf32>\n  %d", "32x64xf33>\n  %d", ir.CodeSyntax, "f33", true},
	{addKernel, "!pto.tile<32x64xf32>\n  %d", "!pto.tile<32x64xf32, blayut=row_major>\n  %d", ir.CodeUnknownWord, "blayut", true},
	{addKernel, "!pto.tile<32x64xf32>\n  %d", "!pto.tile<32x64xf32, blayout=rowmajor>\n  %d", ir.CodeUnknownWord, "rowmajor", true},
	{addKernel, "strides = [%c64, %c1] : !pto.tensor_view<32x64xf32>\n  %ys", "stride = [%c64, %c1] : !pto.tensor_view<32x64xf32>\n  %ys", ir.CodeSyntax, "stride", false},
	{bufKernel, "<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]\n  pto.wait", "<PIPE_MTE22>, <PIPE_V>, <EVENT_ID0>]\n  pto.wait", ir.CodeUnknownWord, "PIPE_MTE22", true},
	{bufKernel, "<EVENT_ID0>]\n  pto.wait_flag[<PIPE_MTE2>", "<EVENT_ID9>]\n  pto.wait_flag[<PIPE_MTE2>", ir.CodeUnknownWord, "EVENT_ID9", true},
	{bufKernel, "pto.tabs ins(", "pto.tabs in(", ir.CodeSyntax, "in", false},
	// Types.
	{addKernel, "%t, %s : (!pto.tile<32x64xf32>, f32)", "%t, %s : (!pto.tile<32x64xf32>, f16)", ir.CodeOtherType, "%s", true},
	{addKernel, "%t = pto.tload %xp :", "%t = pto.tload %xs :", ir.CodeOtherType, "%xs", false},
	{addKernel, "arith.constant 32 : index", "arith.constant 32 : i32", ir.CodeOtherType, "%c32", true},
	{addKernel, "make_tensor_view %x, shape", "make_tensor_view %s, shape", ir.CodeArgType, "pto.make_tensor_view", false},
	{addKernel, "f32) -> !pto.tile<32x64xf32>", "f32) -> !pto.tile<64x32xf32>", ir.CodeOtherType, "%d", true},
	{addKernel, "%t, %s : (!pto.tile<32x64xf32>, f32)", "%t, %s : (!pto.tile<32x64xf32>, f32, f32)", ir.CodeCounts, "(", false},
	{addKernel, "%t, %s : (", "%t, %s, %s : (", ir.CodeCounts, ",", false},
	{addKernel, "%d = pto.tadds", "%d, %e = pto.tadds", ir.CodeCounts, "%d", false},
	{addKernel, "%d = pto.tadds", "%b = pto.get_block_idx : i64\n  %d = pto.tadds", ir.CodeColon, ":", true},
	{addKernel, "  return\n", "  %b = pto.get_block_idx : i64\n  return\n", ir.CodeColon, ":", true},
	// Rules of operations.
	{bufKernel, "constant 8192 : i64", "constant 8190 : i64", ir.CodeRule, "pto.alloc_tile", false},
	{bufKernel, "constant 8192 : i64", "constant 400000 : i64", ir.CodeRule, "pto.alloc_tile", false},
	{addKernel, "shape = [%c32, %c64], strides = [%c64, %c1] : !pto.tensor_view<32x64xf32>\n  %ys", "shape = [%c64, %c32], strides = [%c64, %c1] : !pto.tensor_view<32x64xf32>\n  %ys", ir.CodeRule, "pto.make_tensor_view", false},
	{addKernel, "  return\n}", "}", ir.CodeTerminator, "func.func", true},
	{addKernel, "  return\n}", "  return\n  return\n}", ir.CodeTerminator, "return", false},
	{addKernel, "  return\n}\n", "  return\n}\nfunc.func @add() {\n  return\n}\n", ir.CodeSymbol, "func.func", false},
	{addKernel, "  return\n}", "  cf.br ^end\n}", ir.CodeBlock, "^end", false},
	{addKernel, "  return\n}", "  cf.br ^end\n^end:\n  return\n^end:\n  return\n}", ir.CodeBlock, "^end", false},
	{addKernel, "  return\n}", "  cf.br ^end\n^end(%n: i32):\n  return\n}", ir.CodePassedValues, "cf.br", false},
	{addKernel, "func.func @add", "func.func @load(%p: !pto.ptr<i32>) attributes {pto.target_arch = \"a5\"} {\n  %i = arith.constant 0 : index\n  %v = pto.ld_dev %p[%i] : !pto.ptr<i32> -> i32\n  return\n}\nfunc.func @add", ir.CodePlace, "pto.ld_dev", false},
	{addKernel, "  return\n", "  %v = pto.absf %s : f32 -> f32\n  return\n", ir.CodeTarget, "pto.absf", false},
	{addKernel, "func.func @add", "#a.b = 1\nfunc.func @add", ir.CodeAlias, "#a.b", false},
	{addKernel, "(%x: !pto.ptr<f32>, ", "(%x: !ptr, ", ir.CodeAlias, "!ptr", false},
	{addKernel, "func.func @add", "func.func @sub() {\n  %c = arith.constant 1 : i1\n  cf.cond_br %c, ^a, ^b\n^a:\n  %n = arith.constant 2 : i32\n  cf.br ^b\n^b:\n  %m = arith.addi %n, %n : i32\n  return\n}\nfunc.func @add", ir.CodeDominance, "arith.addi", false},
}

// diagnose returns the errors of a text as --diagnostics=json writes them.
func diagnose(t *testing.T, path string) (errors []report.JSONDiag) {
	t.Helper()
	var out, stderr bytes.Buffer
	Opt([]string{"--diagnostics=json", path}, strings.NewReader(""), &out, &stderr)
	for line := range strings.Lines(stderr.String()) {
		var d report.JSONDiag
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if d.Severity == "error" {
			errors = append(errors, d)
		}
	}
	return errors
}

// Each mistake gets its code and its range, and if its note names the way out, an edit
// after which the program is right.
func TestPlantedMistakes(t *testing.T) {
	if len(planted) < 60 {
		t.Fatalf("%d mistakes", len(planted))
	}
	dir := t.TempDir()
	for i, p := range planted {
		if strings.Count(p.kernel, p.old) != 1 {
			t.Errorf("%d: the kernel has %q %d times", i, p.old, strings.Count(p.kernel, p.old))
			continue
		}
		text := strings.Replace(p.kernel, p.old, p.new, 1)
		path := filepath.Join(dir, "k.pto")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		found := diagnose(t, path)
		if len(found) == 0 {
			t.Errorf("%d: %q: no error", i, p.new)
			continue
		}
		d := found[0]
		lines := strings.Split(text, "\n")
		at := ""
		if d.Line == d.EndLine && d.Line <= len(lines) {
			at = lines[d.Line-1][d.Column-1 : d.EndColumn-1]
		}
		if d.Code != p.code.String() || at != p.at {
			t.Errorf("%d: %q: %s at %q, want %s at %q: %s", i, p.new, d.Code, at, p.code, p.at, d.Rendered)
			continue
		}
		checkFixed(t, i, path, p.fixed, d)
	}
}

// checkFixed runs --fix and requires that it mends the program, or offers nothing.
func checkFixed(t *testing.T, i int, path string, want bool, d report.JSONDiag) {
	t.Helper()
	offers := false
	for _, n := range d.Notes {
		offers = offers || n.Fix != nil
		if want && strings.Contains(n.Message, "did you mean") && n.Fix == nil {
			t.Errorf("%d: the note %q has no edit", i, n.Message)
		}
	}
	if offers != want {
		t.Errorf("%d: an edit is offered: %v, want %v: %s", i, offers, want, d.Rendered)
	}
	if !want {
		return
	}
	var out, stderr bytes.Buffer
	if code := Opt([]string{"--fix", path}, strings.NewReader(""), &out, &stderr); code != exit.OK {
		text, _ := os.ReadFile(path)
		t.Errorf("%d: --fix ends with code %d: %s\n%s", i, code, &stderr, text)
	}
	if left := diagnose(t, path); len(left) > 0 {
		t.Errorf("%d: after --fix: %s", i, left[0].Rendered)
	}
}

// Codes are in order, have a page each, and no two have one number.
func TestCodes(t *testing.T) {
	for i, info := range ir.Codes {
		if i > 0 && ir.Codes[i-1].Code >= info.Code {
			t.Errorf("%s is not after %s", info.Code, ir.Codes[i-1].Code)
		}
		var out bytes.Buffer
		if code := Opt([]string{"--explain", strings.ToLower(info.Code.String())}, strings.NewReader(""), &out, &out); code != exit.OK || !strings.Contains(out.String(), info.Title) {
			t.Errorf("--explain %s: code %d: %s", info.Code, code, &out)
		}
	}
}

// Without an error to mend, --fix changes nothing; a dry run writes nothing.
func TestFixKeepsRightFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "k.pto")
	for _, c := range []struct{ text, flag string }{{addKernel, "--fix"}, {strings.Replace(addKernel, "tadds", "tadss", 1), "--fix-dry-run"}} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, stderr bytes.Buffer
		Opt([]string{c.flag, path}, strings.NewReader(""), &out, &stderr)
		if got, err := os.ReadFile(path); err != nil || string(got) != c.text {
			t.Errorf("%s changed the file (%v)", c.flag, err)
		}
		if dry := c.flag == "--fix-dry-run"; dry != strings.Contains(out.String(), "+  %d = pto.tadds") {
			t.Errorf("%s wrote %q", c.flag, out.String())
		}
	}
}
