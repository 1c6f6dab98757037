// This file gives each kernel its own copy of variables that live as long as the program.

package cpp

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"ptogo/internal/pattern"
)

// staticVariable matches a variable of a file or a static variable of a function: its name,
// its type and its initial value, which is a number or zero.
var staticVariable = pattern.Of(`(?m)^(@[\w.$]+) = (?:[\w()]+ )*global ((?:\[\d+ x )*(?:ptr|i\d+|half|bfloat|float|double|%(?:"[^"]*"|[\w.$]+)|\{[^{}]*\})\]*) (zeroinitializer|null|true|false|-?\d[\w.+-]*)(?:,.*)?$`)

// hasStatics reports whether a file of LLVM IR has static variables.
func hasStatics(path string) bool {
	text, err := os.ReadFile(path)
	return err == nil && len(staticsOf(string(text))) > 0
}

// staticsOf returns the static variables that LLVM IR defines, as staticVariable matches
// them.
func staticsOf(text string) [][]string {
	return slices.DeleteFunc(staticVariable().FindAllStringSubmatch(text, -1), func(m []string) bool { return strings.Contains(m[0], " = external ") })
}

// localStatics replaces static variables by local ones in the functions of a file of LLVM
// IR, after inlining. A device keeps their values between launches; here, each launch starts
// from their initial values, on each core.
func localStatics(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	all := staticsOf(string(text))
	var out []string
	var body []string
	for l := range strings.SplitSeq(string(text), "\n") {
		switch {
		case strings.HasPrefix(l, "define "):
			body = []string{l}
		case body == nil:
			out = append(out, l)
		case l == "}":
			out = append(append(out, withLocals(body, all)...), l)
			body = nil
		default:
			body = append(body, l)
		}
	}
	return os.WriteFile(path, []byte(strings.Join(append(out, body...), "\n")), 0o600)
}

// withLocals returns the lines of a function in which local variables replace the static
// ones that it uses.
func withLocals(body []string, all [][]string) []string {
	text := strings.Join(body[1:], "\n")
	var first []string
	for n, v := range all {
		uses := regexp.MustCompile(regexp.QuoteMeta(v[1]) + `\b`)
		if !uses.MatchString(text) || regexp.MustCompile(`getelementptr [^%\n]*\([^()\n]*`+regexp.QuoteMeta(v[1])+`\b`).MatchString(text) {
			continue // a constant expression cannot name a local variable
		}
		local := fmt.Sprintf("%%static.%d", n)
		text = uses.ReplaceAllString(text, local)
		first = append(first, "  "+local+" = alloca "+v[2], "  store "+v[2]+" "+v[3]+", ptr "+local)
	}
	lines := strings.Split(text, "\n")
	at := 0
	if strings.HasSuffix(strings.TrimSpace(strings.SplitN(lines[0], ";", 2)[0]), ":") {
		at = 1 // after the label of the first block
	}
	return append(append(append([]string{body[0]}, lines[:at]...), first...), lines[at:]...)
}
