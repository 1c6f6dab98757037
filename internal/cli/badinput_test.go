package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ptogo/internal/cli/exit"
)

// ptoOpt runs pto-opt on a text.
func ptoOpt(text string, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = Opt(args, strings.NewReader(text), &out, &err)
	return code, out.String(), err.String()
}

// inFunc is a program whose function has the given body.
func inFunc(body string) string {
	return "func.func @f(%t: !pto.tile<16x64xf32>, %s: f32, %i: i32) {\n" + body + "\n  return\n}\n"
}

// TestBadInput gives pto-opt what users and fuzzers give it. Everything ends
// with a located message and exit code 1.
func TestBadInput(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"binary", "\x7fELF\x02\x01\x01\x00\x00", "1:1: error: unexpected byte 0x7f"},
		{"string", "module attributes {a = \"open\n} {}", "1:24: error: expected '\"' at the end of the string, on the same line"},
		{"region", "module {\n  func.func @f() {\n", "error: expected '}', found end of input"},
		{"unknown operation", inFunc("  %d = pto.tdivz %t, %s"), "2:8: error: unknown operation 'pto.tdivz'"},
		{"unknown type", "func.func @f(%t: !pto.tyle<16x64xf32>)", "did you mean '!pto.tile'?"},
		{"unknown key", "func.func @f(%t: !pto.tile<16x64xf32, vald=1x1>)", "did you mean 'valid'?"},
		{"unknown attribute", inFunc("  %d = pto.tdivs %t, %s {precisionType = #pto.div_precison<default>}"), "did you mean '#pto.div_precision'?"},
		{"unknown case", inFunc("  %d = pto.tdivs %t, %s {precisionType = #pto.div_precision<defalt>}"), "did you mean 'default'?"},
		{"too few operands", inFunc("  %d = pto.tdivs %t"), "'pto.tdivs' op expects 2 operands"},
		{"too many operands", inFunc("  %d = pto.tdivs %t, %s, %s"), "'pto.tdivs' op expects"},
		{"wrong type", inFunc("  %d = pto.tadd %t, %i : (!pto.tile<16x64xf32>, i32) -> !pto.tile<16x64xf32>"), `operand "src1" must be`},
		{"type of use", inFunc("  %d = pto.tsubs %t, %s : (!pto.tile<16x64xf32>, f16) -> !pto.tile<16x64xf32>"), "expects different type than prior uses: 'f16' vs 'f32'"},
		{"undefined value", inFunc("  %d = pto.tsubs %x, %s"), "2:18: error: use of undeclared SSA value name '%x'"},
		{"use before definition", inFunc("  %a = arith.addi %b, %i : i32\n  %b = arith.addi %i, %i : i32"), "operand #0 does not dominate this use"},
		{"example", inFunc("  pto.set_flag"), "note: an example: pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]"},
		{"example of the form", "func.func @f(%t: !pto.tile_buf<vec, 16x64xf32>) {\n  pto.tadd ins(%t : !pto.tile_buf<vec, 16x64xf32>)\n}", "an example: pto.tadd ins(%src0, %src1"},
		{"brace", "module {\n  func.func @f() {\n", "2:18: note: it belongs to this '{'"},
		{"name without %", inFunc("  d = arith.addi %i, %i : i32"), "the name of a value begins with %: %d"},
		{"callee", inFunc("  func.call @g() : () -> ()"), "calls @g, which is not a function"},
		{"near callee", "func.func @kernel() {\n  func.call @kernle() : () -> ()\n  return\n}", "did you mean 'kernel'?"},
		{"type without !", "func.func @f(%t: pto.tile<16x64xf32>) { return }", "types of dialects begin with !: !pto.tile"},
		{"symbol without @", "func.func f() { return }", "symbol names begin with @: @f"},
		{"load of a pointer", "func.func @f(%p: !pto.ptr<f32>) {\n  %t = pto.tload %p : !pto.ptr<f32> -> !pto.tile<16x64xf32>\n  return\n}", "'pto.make_tensor_view' makes a tensor from a pointer"},
		{"redefinition", inFunc("  %a = arith.addi %i, %i : i32\n  %a = arith.addi %i, %i : i32"), "3:3: error: redefinition of SSA value '%a'"},
		{"duplicate symbol", "func.func @f() { return }\nfunc.func @f() { return }", "redefines symbol '@f'"},
		{"missing terminator", "func.func @f(%i: i32) {\n  %a = arith.addi %i, %i : i32\n}", "does not end in a terminator"},
		{"deep nesting", strings.Repeat(`"a.b"() ({`, 100_000), "is nested deeper than"},
		{"deep types", "func.func @f(%x: " + strings.Repeat("tuple<", 100_000), "error: "},
		{"deep attributes", "module attributes {a = " + strings.Repeat("[", 100_000), "is nested deeper than"},
		{"long line", "module {" + strings.Repeat("x", 10<<20) + "}", "error: unknown operation 'xxx"},
		{"huge number", "module attributes {a = " + strings.Repeat("9", 1000) + " : i32} {}", "does not fit type i32"},
		{"huge extent", "func.func @f(%t: !pto.tile<99999999999999999999x1xf32>)", "extent is too large"},
		{"region outside", "func.func @f(%t: !pto.tile<16x64xf32, valid=17x1>)", "must be inside the tile"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, out, err := ptoOpt(tc.text, "--allow-unregistered-dialect")
			if code != exit.Diag {
				t.Errorf("exit code %d", code)
			}
			if out != "" {
				t.Errorf("wrote %d bytes of output", len(out))
			}
			if !strings.Contains(err, tc.want) {
				t.Errorf("want %q in\n%.2000s", tc.want, err)
			}
			if !strings.Contains(err, "^\n") {
				t.Errorf("no caret in\n%.2000s", err)
			}
		})
	}
}

// TestExampleOfOthers checks that an operation shows no example for what is
// wrong with one inside of it.
func TestExampleOfOthers(t *testing.T) {
	if _, _, err := ptoOpt("pto.vecscope {\n  %x = arith.addf\n}"); !strings.Contains(err, "expected an SSA value") || strings.Contains(err, "example") {
		t.Error(err)
	}
}

// TestTypeWithoutDialect suggests the dialect that has the type.
func TestTypeWithoutDialect(t *testing.T) {
	if code, _, err := ptoOpt("func.func @f(%p: !ptr<f32>) { return }"); code != exit.Diag || !strings.Contains(err, "did you mean '!pto.ptr'?") {
		t.Errorf("code %d: %s", code, err)
	}
}

// TestEmptyInput is a legal program without operations.
func TestEmptyInput(t *testing.T) {
	if code, out, err := ptoOpt(""); code != exit.OK || out != "module {\n}\n" || err != "" {
		t.Errorf("code %d, output %q, errors %q", code, out, err)
	}
}

// TestByteOrderMark reads what editors of other systems write, from standard
// input as from files.
func TestByteOrderMark(t *testing.T) {
	if code, out, err := ptoOpt("\ufeff" + "module {\r\n}\r\n"); code != exit.OK || out != "module {\n}\n" {
		t.Errorf("code %d, output %q, errors %q", code, out, err)
	}
}

// fullDisk is a file that nothing can be written to.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestFullDisk checks that a run whose output is lost fails.
func TestFullDisk(t *testing.T) {
	ends := map[string]func(*bytes.Buffer) int{
		"program": func(err *bytes.Buffer) int { return Opt(nil, strings.NewReader(""), fullDisk{}, err) },
		"help":    func(err *bytes.Buffer) int { return Opt([]string{"--help"}, nil, fullDisk{}, err) },
		"print": func(err *bytes.Buffer) int {
			return Run([]string{"../../examples/divide.pto", "--arg", "zeros=32x64xf32", "--arg", "zeros=32x64xf32", "--arg", "1.0", "--print"}, nil, fullDisk{}, err)
		},
	}
	for name, run := range ends {
		var err bytes.Buffer
		if code := run(&err); code != exit.Diag || strings.Count(err.String(), "no space left on device") != 1 {
			t.Errorf("%s: code %d, errors %q", name, code, err.String())
		}
	}
}

// TestOutputUntouched checks that a failed run leaves the output file alone.
func TestOutputUntouched(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.pto")
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := ptoOpt("module {", "-o", path); code != exit.Diag {
		t.Errorf("exit code %d", code)
	}
	if b, _ := os.ReadFile(path); string(b) != "precious" {
		t.Errorf("file holds %q", b)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("%d files left behind", len(entries)-1)
	}
}

// TestUsage checks command lines that cannot work.
func TestUsage(t *testing.T) {
	for _, tc := range []struct {
		name string
		args []string
		want string
	}{
		{"unknown flag", []string{"--no-such-flag"}, "unknown flag"},
		{"profile", []string{"--pto-arch=a9"}, "unknown profile 'a9'"},
		{"emit", []string{"--emit=c"}, "unknown kind of output 'c'"},
		{"one dash", []string{"-canonicalise"}, "unknown flag: --canonicalise: did you mean --canonicalize?"},
		{"one letter", []string{"-q"}, "unknown flag: -q\n"},
		{"value", []string{"--verify=maybe"}, "'maybe' is not a value for --verify: expected true or false"},
		{"printed pass", []string{"--mlir-print-ir-before=cs"}, "unknown pass 'cs': the program can only be printed before or after an existing pass: did you mean cse?"},
		{"options apart", []string{"--pto-bufferize", "reuse=true"}, "write --pto-bufferize='reuse=true'"},
		{"both", []string{"--pass-pipeline=builtin.module(cse)", "--cse"}, "cannot be used together"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, _, err := ptoOpt("", tc.args...)
			if code != exit.Usage || !strings.Contains(err, tc.want) {
				t.Errorf("code %d, errors %q", code, err)
			}
		})
	}
}

// TestExplainUnknown checks what --explain offers for a name that is none.
func TestExplainUnknown(t *testing.T) {
	for name, want := range map[string]string{
		"pto.tdiv5":  "there is no instruction 'pto.tdiv5': did you mean pto.tdiv?",
		"arith.addf": "'arith.addf' is documented by MLIR",
		"":           "there is no instruction ''\n",
		"!pto.tiel":  "unknown type '!pto.tiel': did you mean !pto.tile?",
	} {
		if code, _, err := ptoOpt("", "--explain", name); code != exit.Diag || !strings.Contains(err, want) {
			t.Errorf("%q: code %d, want %q in %q", name, code, want, err)
		}
	}
}

// TestExplainType prints the page of a type, however it is spelt.
func TestExplainType(t *testing.T) {
	for _, name := range []string{"!pto.tile_buf", "pto.tile_buf", "tile_buf"} {
		code, out, err := ptoOpt("", "--explain", name)
		if code != exit.OK || !strings.HasPrefix(out, "# !pto.tile_buf\n") || !strings.Contains(out, "| acc | l0c | 131072 | 262144 |") {
			t.Errorf("%s: code %d: %s%s", name, code, out, err)
		}
	}
}

// TestHelp checks that --help lists the options of passes.
func TestHelp(t *testing.T) {
	for _, want := range []string{"--output FILE ", "\n  --canonicalize  ", "\n      max-iterations=N  "} {
		if code, out, _ := ptoOpt("", "--help"); code != exit.OK || !strings.Contains(out, want) {
			t.Errorf("code %d, want %q in\n%s", code, want, out)
		}
	}
}
