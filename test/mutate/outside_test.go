package mutate

import (
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"ptogo/codegen/jit"
	"ptogo/tools/cpptest"
)

// compilers are external compilers that check the generated code: LLVM verifies LLVM IR,
// and clang++ parses C++ with the headers of the public library.
type compilers struct {
	opt   string
	clang *cpptest.Toolchain
	// llvm and cpp count the texts that the compilers have checked.
	llvm, cpp int
	// refusedByLibrary counts C++ texts with correct syntax that the public library
	// rejects.
	refusedByLibrary int
}

// findCompilers locates the compilers. If shown is not 0, a missing compiler fails the
// test.
func findCompilers(t *testing.T, shown int) *compilers {
	t.Helper()
	c := &compilers{}
	if shown == 0 {
		return c
	}
	path, ok := jit.Find("opt")
	if !ok {
		t.Skip("needs opt of LLVM 15 or newer on the path")
	}
	c.opt = path
	var err error
	if c.clang, err = cpptest.NewToolchain(t.TempDir()); err != nil {
		t.Skip(err)
	}
	return c
}

// malformed matches messages of clang++ about incorrect C++ syntax. Messages about types
// and assertions come from the library, which rejects some programs.
var malformed = regexp.MustCompile(`(?m)^.*error: (?:expected|extraneous|unterminated|missing terminating|invalid (?:suffix|token|digit|preprocessing)|unknown escape|unexpected|redefinition of).*$`)

// undeclared matches a message about an undeclared name. The simulator lacks some
// functions and constants of devices, but a variable is always declared in the generated
// code.
var undeclared = regexp.MustCompile(`error: use of undeclared identifier '([a-z]\w*)'`)

// misses returns the first variable that the C++ text uses without a declaration, or "".
func misses(messages, text string) string {
	for _, m := range undeclared.FindAllStringSubmatch(messages, -1) {
		if !strings.Contains(text, m[1]+"(") {
			return "variable " + m[1] + " is not declared"
		}
	}
	return ""
}

// accept passes code in the given language to a compiler, and returns a description of an
// error in the code, or "".
func (c *compilers) accept(language, text string) string {
	if language == "LLVM IR" {
		c.llvm++
		cmd := exec.Command(c.opt, "-passes=verify", "-disable-output", "-")
		cmd.Stdin = strings.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Sprintf("LLVM refuses the code: %v\n%s\n%s", err, out, text)
		}
		return ""
	}
	c.cpp++
	messages, err := c.clang.CheckText(text)
	if err == nil {
		return ""
	}
	if line := malformed.FindString(messages) + misses(messages, text); line != "" || !strings.Contains(messages, "error:") {
		return fmt.Sprintf("clang++ refuses the code: %v\n%s\n%.2000s\n%s", err, line, messages, text)
	}
	c.refusedByLibrary++
	return ""
}

// String returns how many texts the compilers checked.
func (c *compilers) String() string {
	return fmt.Sprintf("LLVM verified %d programs, clang++ read %d, of which the library refuses %d", c.llvm, c.cpp, c.refusedByLibrary)
}
