package cpptest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ptogo/dialect/fn"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/internal/cli"
	"ptogo/ir"
	"ptogo/kernel"
)

// emit generates the C++ of the program once, or records why this failed.
func (s *Source) emit() {
	if s.cpp != "" || s.refuse != "" {
		return
	}
	var out, msg strings.Builder
	if cli.Opt(append([]string{"--emit=cpp", "--pto-arch=" + s.Arch}, s.Flags...), strings.NewReader(s.Text), &out, &msg) == 0 {
		s.cpp = out.String()
		return
	}
	s.refuse = "pto-opt failed"
	if m := firstError.FindStringSubmatch(msg.String()); m != nil {
		s.refuse = m[1]
	}
}

var firstError = regexp.MustCompile(`error: (.*)`)

// unit is a set of programs that are compiled together as one C++ file. It also lists the
// kernels of these programs that the test runs.
type unit struct {
	name string
	// flags are compiler options of these programs.
	flags   []string
	sources []*Source
	// kernels are the kernels to run. The index of a kernel is its number in the compiled
	// program.
	kernels []*Result
	// failed holds the compiler's message for each program that does not compile.
	failed map[*Source]string
}

func (u *unit) add(r *Result) {
	if r.source = slices.Index(u.sources, r.Source); r.source < 0 {
		r.source = len(u.sources)
		u.sources = append(u.sources, r.Source)
	}
	u.kernels = append(u.kernels, r)
}

// text returns the C++ text of all programs of the unit. Each program has a separate
// namespace, and a file name (in a #line directive) by which the compiler's messages
// identify it. A program for both types of cores has one namespace for each type.
func (u *unit) text() string {
	var b strings.Builder
	b.WriteString("#include \"before.hpp\"\n")
	written := map[string]bool{}
	for _, r := range u.kernels {
		for _, s := range r.spaces() {
			if name := s.name(r.source); u.failed[r.Source] == "" && !written[name] {
				written[name] = true
				// Functions of one name may be in many programs.
				cpp := strings.ReplaceAll(r.Source.cpp, `extern "C" `, "")
				fmt.Fprintf(&b, "%snamespace %s {\n#line 1 \"%s\"\n%s\n}\n#line 1 \"host\"\n%s", s.before, name, fileOf(r.source), cpp, s.after)
			}
		}
	}
	b.WriteString("namespace host {\nconst launch kernels[] = {\n")
	for _, r := range u.kernels {
		if u.failed[r.Source] != "" {
			b.WriteString("    {nullptr, nullptr, nullptr},\n")
		} else {
			fmt.Fprintf(&b, "#line 1 \"%s\"\n    %s,\n#line 1 \"host\"\n", fileOf(r.source), r.launch())
		}
	}
	b.WriteString("};\n} // namespace host\n#include \"after.hpp\"\n")
	return b.String()
}

// space describes the C++ namespace for the code of one type of core. The field letter is
// the letter in the name of the namespace. The fields before and after are the C++ text
// that precedes and follows the code of the core.
type space struct{ letter, before, after string }

var (
	alone      = space{"k", "", ""}
	cubeCore   = space{"c", "#undef __DAV_VEC__\n", "#define __DAV_VEC__\n"}
	vectorCore = space{"v", "#undef __DAV_CUBE__\n", "#define __DAV_CUBE__\n"}
)

func (s space) name(source int) string { return fmt.Sprintf("%s%d", s.letter, source) }

func (s space) call(source int, f kernelFunction) string {
	return fmt.Sprintf("[](uint64_t* a) { %s::%s(%s); }", s.name(source), f.name, strings.Join(f.args, ", "))
}

// kernelFunction is a function that the host calls, with its arguments as C++
// expressions: a[0], a[1] and so on for those of the launch, and library calls for the
// position of the core.
type kernelFunction struct {
	name string
	args []string
}

// placeCalls maps an instruction that returns the position of a core in the launch to the
// corresponding library call.
var placeCalls = map[*ir.Def]string{
	isabase.GetBlockIdx: "(uint64_t)get_block_idx()", isabase.GetBlockNum: "(uint64_t)get_block_num()", isabase.GetSubBlockIdx: "(uint64_t)get_subblockid()",
}

// function returns the function with the given name in the program.
func (s *Source) function(name string) kernelFunction {
	f := kernelFunction{name: name}
	var diags ir.Diags
	module := kernel.Parse(&ir.Source{Name: s.Name, Text: s.Text}, ir.ParseOptions{}, &diags)
	if module == nil {
		return f // which prepare reports
	}
	for _, op := range fn.Functions(module) {
		if fn.Name(op) != name {
			continue
		}
		launched := 0
		for _, param := range fn.Body(op).Args() {
			place, ok := placeCalls[kernel.LaunchQuery(param)]
			if !ok {
				place = fmt.Sprintf("a[%d]", launched)
				launched++
			}
			f.args = append(f.args, "argument{"+place+"}")
		}
	}
	return f
}

func (r *Result) spaces() []space {
	switch {
	case r.several:
		return []space{cubeCore, vectorCore}
	case r.Source.EachCore:
		return []space{alone, cubeCore, vectorCore}
	}
	return []space{alone}
}

// launch returns the C++ text that the host program needs to call the kernel of r: one
// entry of its table of kernels. The entry holds one function, or one for each type of
// core.
func (r *Result) launch() string {
	if r.several {
		return fmt.Sprintf("{nullptr, %s, %s}", cubeCore.call(r.source, r.Source.function(r.cube)), vectorCore.call(r.source, r.Source.function(r.vector)))
	}
	return fmt.Sprintf("{%s, nullptr, nullptr}", alone.call(r.source, r.Source.function(r.cube)))
}

func fileOf(i int) string { return fmt.Sprintf("program%d.cpp", i) }

var fileNumber = regexp.MustCompile(`program(\d+)\.cpp`)

// build compiles the translation unit to a program and returns its path. If the C++ code
// of some test programs does not compile, build removes these programs from the unit and
// compiles the rest.
func (u *unit) build(c *Toolchain) (program string, err error) {
	program = filepath.Join(c.dir, u.name)
	source := program + ".cpp"
	for range len(u.sources) + 1 { // the last of them compiles the host program alone
		if err := os.WriteFile(source, []byte(u.text()), 0o666); err != nil {
			return "", err
		}
		messages, err := c.compile(source, program, u.flags)
		if err == nil {
			return program, nil
		}
		if !u.blame(messages) {
			return "", fmt.Errorf("%s does not compile: %w\n%.3000s", u.name, err, messages)
		}
	}
	return "", fmt.Errorf("%s does not compile, even if parts of it are left out", u.name)
}

// blame finds the programs that the compiler's error messages concern, and records in the
// field failed the first message for each of them. If an error is in a header, the notes
// after the error contain the name of the program that caused it. The result found is
// false if no message concerns a program.
func (u *unit) blame(messages string) (found bool) {
	pending := ""
	for line := range strings.Lines(messages) {
		if m := firstError.FindStringSubmatch(line); m != nil {
			pending = strings.TrimSpace(m[1])
		}
		m := fileNumber.FindStringSubmatch(line)
		if m == nil || pending == "" {
			continue
		}
		n, _ := strconv.Atoi(m[1])
		if s := u.sources[n]; u.failed[s] == "" {
			u.failed[s] = pending
			found = true
		}
		pending = ""
	}
	return found
}
