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

// namedKernel is a kernel that has text of its own wherever the emitters write such
// text: the names of functions and of labels that are printed.
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

// hostile are names and labels that would end a string, a comment or a name, or give
// an order to printf.
var hostile = [][2]string{
	{"k", "%d"}, {"k", `"); system("x"); //`}, {`a"() { }`, "*/ int x; /*"}, {"main", "??/"}, {"int", "%s %n %%"}, {"a\\", "\\"},
	{"x\n#include </etc/passwd>", "\n"}, {"\u202e", "\x1b[2J"}, {"a, b", "%-+ #0*.*hhd"}, {"pto.trap", "u8R\"x("}, {"\x00", "\x00"}, {"llvm.trap", "'"},
}

// sameForm compares the form of kernels with any names with that of two kernels with
// harmless ones: a label with a conversion and one without. A kernel that is refused
// has the form "".
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

// legal reads a kernel with hostile names, or returns nil if it is refused.
func legal(text string) *ir.Op {
	var diags ir.Diags
	m := parse(text, &diags)
	if m == nil || !ir.Verify(m, ir.VerifyOptions{Target: sem.A5, Sequential: true}, &diags) {
		return nil
	}
	return m
}

// FuzzCpp writes kernels with any names as C++. Apart from names, strings and comments
// they must become the same code as one with harmless names.
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

// FuzzLLVM writes kernels with any names as LLVM IR. Apart from names and strings they
// must become the same code as one with harmless names.
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
