package mutate

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"ptogo/codegen/cpp"
	"ptogo/codegen/llvm"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// namedKernel returns a kernel with a given function name and print label. It contains
// every kind of user text that the emitters write: names of functions, and printed
// labels.
func namedKernel(name, label string) string {
	q := func(s string) string { return string(ir.AppendQuoted(nil, s)) }
	return fmt.Sprintf(`func.func private @%[1]s(%%x: i32) -> i32 {
  return %%x : i32
}
func.func @%[2]s(%%p: !pto.ptr<i32>, %%n: i32) attributes {pto.kernel, note = %[3]s} {
  %%r = func.call @%[1]s(%%n) : (i32) -> i32
  pto.print ins(%[3]s, %%r : i32)
  return
}
`, q(name), q(name+"_main"), q(label))
}

// hostile lists names and labels that, without escaping, would end a string, a comment or
// an identifier in generated code, or contain a printf conversion.
var hostile = [][2]string{
	{"k", "%d"}, {"k", `"); system("x"); //`}, {`a"() { }`, "*/ int x; /*"}, {"main", "??/"}, {"int", "%s %n %%"}, {"a\\", "\\"},
	{"x\n#include </etc/passwd>", "\n"}, {"\u202e", "\x1b[2J"}, {"a, b", "%-+ #0*.*hhd"}, {"pto.trap", "u8R\"x("}, {"\x00", "\x00"}, {"llvm.trap", "'"},
}

// sameForm checks that kernels with arbitrary names become the same code as two kernels
// with harmless names: one label contains a conversion, the other does not. form returns
// the code without names and strings, or "" for a rejected kernel.
func sameForm(f *testing.F, form func(m *ir.Op) string) {
	plain, conversion := form(legal(namedKernel("k", "label"))), form(legal(namedKernel("k", "label %d")))
	if plain == "" || conversion == "" {
		f.Fatal("a kernel with harmless names is refused")
	}
	for _, s := range hostile {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, name, label string) {
		m := legal(namedKernel(name, label))
		if m == nil {
			return
		}
		if got := form(m); got != "" && got != plain && got != conversion {
			t.Fatalf("name %q and label %q become another program:\n%s\nnot\n%s", name, label, got, plain)
		}
	})
}

// legal parses and verifies a kernel, and returns nil if it is rejected.
func legal(text string) *ir.Op {
	var diags ir.Diags
	m := parse(text, &diags)
	if m == nil || !ir.Verify(m, ir.VerifyOptions{Target: sem.A5, Sequential: true}, &diags) {
		return nil
	}
	return m
}

// FuzzCpp emits kernels with arbitrary names as C++. Except for names, strings and
// comments, the code must be the same as for harmless names.
func FuzzCpp(f *testing.F) {
	form := func(m *ir.Op) string {
		var out bytes.Buffer
		if !cpp.Emit(&out, m, cpp.Options{Target: sem.A5, Launch: true}, &ir.Diags{}) {
			return ""
		}
		code, ok := bare(out.String())
		if !ok {
			return "an open string or comment"
		}
		return strings.Join(strings.Fields(word.ReplaceAllString(code, "w")), " ")
	}
	sameForm(f, form)
}

// word matches an identifier or a number.
var word = regexp.MustCompile(`[A-Za-z0-9_]+`)

// FuzzLLVM emits kernels with arbitrary names as LLVM IR. Except for names and strings,
// the code must be the same as for harmless names.
func FuzzLLVM(f *testing.F) {
	form := func(m *ir.Op) string {
		var out bytes.Buffer
		if !llvm.Emit(&out, m, llvm.Options{Target: sem.A5}, &ir.Diags{}) {
			return ""
		}
		text := llvmString.ReplaceAllString(out.String(), "s")
		text = llvmName.ReplaceAllString(text, "@n")
		return llvmNumber.ReplaceAllString(text, "0")
	}
	sameForm(f, form)
}

var (
	llvmString = regexp.MustCompile(`c"[^"\n]*"`)
	llvmName   = regexp.MustCompile(`@(?:"[^"\n]*"|[-A-Za-z0-9_.$]+)`)
	llvmNumber = regexp.MustCompile(`[0-9]+`)
)
