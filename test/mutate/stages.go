package mutate

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"strings"

	"ptogo/codegen/cpp"
	"ptogo/codegen/llvm"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower"
	"ptogo/passes"

	// Every dialect that programs may use.
	_ "ptogo/dialect/all"
)

// maxAllocated limits the bytes that the stages allocate for one program, as a measure of
// their work. Slow stages allocate much and, unlike time, this count does not depend on
// the machine.
const maxAllocated = 512 << 20

// reached counts the programs that passed each stage, and the kernels that ended normally
// or with a fault.
type reached struct{ read, verified, lowered, llvm, cpp, ran, faulted int }

// tester passes random programs through the stages of the tools, such as verifier and
// compiler, and counts how many programs pass each stage.
type tester struct {
	reached
	// outside, if not nil, passes generated code to an external compiler. It returns a
	// description of an error in the code, or "".
	outside func(language, text string) string
}

// stages passes a text through the parser, printers, verifier, passes, emitters and
// interpreter for a target. It returns a description of a defect in these tools, or "".
// Rejecting the program with an error message is not a defect.
func (n *tester) stages(text string, target ir.Target) (why string) {
	before := allocated()
	defer func() {
		if x := recover(); x != nil {
			why = fmt.Sprintf("panic: %v\n%s", x, debug.Stack())
		} else if used := allocated() - before; why == "" && used > maxAllocated {
			why = fmt.Sprintf("%d MiB allocated", used>>20)
		}
	}()
	var diags ir.Diags
	m := parse(text, &diags)
	if m == nil {
		return wrong("reader", &diags)
	}
	if err := kernel.SetTarget(m, sem.ProfileName(target)); err != nil {
		return err.Error()
	}
	n.read++
	for _, generic := range []bool{false, true} {
		ir.Bytes(m, ir.PrintOptions{Generic: generic, Sequential: true})
	}
	if diags = (ir.Diags{}); !ir.Verify(m, ir.VerifyOptions{Target: target, Sequential: true}, &diags) {
		return wrong("verifier", &diags)
	}
	n.verified++
	for _, generic := range []bool{false, true} {
		if why := readsBack(m, generic); why != "" {
			return why
		}
	}
	if why := n.emit(m, target); why != "" {
		return why
	}
	for _, pass := range []string{"pto-bufferize", "pto-plan-memory", "pto-insert-sync"} {
		if diags = (ir.Diags{}); !runPass(m, pass, target, &diags) {
			return wrong(pass, &diags)
		}
		if why := internal(&diags); why != "" {
			return pass + ": " + why
		}
	}
	n.lowered++
	if diags = (ir.Diags{}); !ir.Verify(m, ir.VerifyOptions{Target: target, Sequential: true}, &diags) {
		return "the passes make an illegal program: " + diags.All()[0].Format()
	}
	if why := n.emit(m, target); why != "" {
		return why
	}
	return n.execute(m, target)
}

func parse(text string, diags *ir.Diags) *ir.Op {
	m, _ := ir.Parse(&ir.Source{Name: "in", Text: text}, ir.ParseOptions{AllowUnregistered: true, Sequential: true}, diags)
	return m
}

// readsBack prints a legal program, parses the printed text and prints the result a
// second time. If the two texts differ, it returns a description of the difference, and
// "" otherwise. generic selects MLIR's generic syntax.
func readsBack(m *ir.Op, generic bool) string {
	o := ir.PrintOptions{Generic: generic, Sequential: true}
	first := ir.Bytes(m, o)
	var diags ir.Diags
	again := parse(string(first), &diags)
	switch {
	case again == nil:
		return fmt.Sprintf("the printed program cannot be read: %s\n%s", diags.All()[0].Format(), first)
	case !bytes.Equal(ir.Bytes(again, o), first):
		return fmt.Sprintf("the printed program reads as another one:\n%s", first)
	}
	return ""
}

func runPass(m *ir.Op, name string, target ir.Target, diags *ir.Diags) bool {
	p := passes.NewPipeline()
	for _, pass := range lower.List {
		if pass.Name == name && !p.Add(pass, "", diags) {
			return false
		}
	}
	return p.Run(m, passes.RunOptions{Target: target, Diags: diags})
}

// emit generates LLVM IR and C++ for the program where possible. It returns a description
// of a defect, or "".
func (n *tester) emit(m *ir.Op, target ir.Target) string {
	var out bytes.Buffer
	var diags ir.Diags
	if llvm.Emit(&out, m, llvm.Options{Target: target, Fenced: true}, &diags) {
		n.llvm++
		if n.outside != nil {
			if why := n.outside("LLVM IR", out.String()); why != "" {
				return why
			}
		}
	} else if why := wrong("LLVM IR", &diags); why != "" {
		return why
	}
	out.Reset()
	if diags = (ir.Diags{}); cpp.Emit(&out, m, cpp.Options{Target: target, Launch: true}, &diags) {
		n.cpp++
		if why := unbalanced(out.String()); why != "" || n.outside == nil {
			return why
		}
		return n.outside("C++", out.String())
	}
	return wrong("C++", &diags)
}

// wrong examines diags, the diagnostics of a stage that rejected a program. It returns a
// description of what is wrong with the rejection, or "" for a correct one. A correct
// rejection has at least one error, and its errors do not report a bug in the tool
// itself.
func wrong(stage string, diags *ir.Diags) string {
	if !diags.HasErrors() {
		return stage + " refuses the program without an error"
	}
	if why := internal(diags); why != "" {
		return stage + ": " + why
	}
	return ""
}

// internal returns the first message that reports a bug in the tool itself, or "".
func internal(diags *ir.Diags) string {
	for _, d := range diags.All() {
		if text := d.Format(); strings.Contains(text, "because of a bug in") || strings.Contains(text, "BUG: ") || strings.Contains(text, "goroutine ") {
			return text
		}
	}
	return ""
}

// unbalanced returns a description of unbalanced brackets in C++ text, or "". It ignores
// strings and comments.
func unbalanced(text string) string {
	code, ok := bare(text)
	if !ok {
		return "C++ with an open string or comment:\n" + text
	}
	var open []byte
	for i := range len(code) {
		switch c := code[i]; c {
		case '(', '[', '{':
			open = append(open, c)
		case ')', ']', '}':
			if len(open) == 0 || open[len(open)-1] != pairs[c] {
				return fmt.Sprintf("C++ with a bracket %c too many:\n%s", c, text)
			}
			open = open[:len(open)-1]
		}
		if c := code[i]; c != '\n' && c != '\t' && (c < ' ' || c > '~') {
			return fmt.Sprintf("C++ with byte %#x outside of a string:\n%s", c, text)
		}
	}
	if len(open) > 0 {
		return fmt.Sprintf("C++ with an open bracket %c:\n%s", open[len(open)-1], text)
	}
	return ""
}

var pairs = map[byte]byte{')': '(', ']': '[', '}': '{'}

// bare removes strings, character literals and comments from C++ text. First, it replaces
// each trigraph ??/ by a backslash, which is its meaning in C++. It returns false if a
// string, a character literal or a block comment has no end.
func bare(text string) (string, bool) {
	text = strings.ReplaceAll(text, "??/", "\\")
	var b strings.Builder
	for i := 0; i < len(text); {
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				return b.String(), true
			}
			i += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				return "", false
			}
			i += n + 4
		case rest[0] == '"' || rest[0] == '\'' && (i == 0 || !isWord(text[i-1])):
			n := literal(rest)
			if n < 0 {
				return "", false
			}
			i += n
		default:
			b.WriteByte(rest[0])
			i++
		}
	}
	return b.String(), true
}

// isWord reports whether the byte c can precede a quote that separates digits, as in
// 1'000.
func isWord(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

// literal returns the length of the Go string or character literal at the start of s. The
// first byte of s must be the opening quote. The result is -1 if the line ends before the
// closing quote.
func literal(s string) int {
	for i := 1; i < len(s) && s[i] != '\n'; i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return -1
}

// allocated returns the number of bytes that the process has allocated so far.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
