package cpptest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ptogo/codegen/cpp"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/example"
	"ptogo/ir"
)

// profiles lists the profiles on which examples are tried, in the order of the table's
// columns.
var profiles = []string{"a3", "a5"}

// Instruction is an instruction together with the results of its examples on each
// profile.
type Instruction struct {
	Def *ir.Def
	On  map[string]*Stage
}

// Stage records how far the examples of an instruction get on one profile: whether C++
// can be generated for the examples, and whether this C++ compiles.
type Stage struct {
	sources []*Source
	// Unwritten is the reason why no C++ was generated. Unbuilt is the message for the
	// first example that does not compile.
	Unwritten, Unbuilt string
}

// tableGroups lists the instruction groups that the C++ library covers.
var tableGroups = []string{"tile", "view", "sync", "comm"}

// Instructions generates C++ for the examples of all instructions.
func Instructions() []*Instruction {
	var all []*Instruction
	for _, d := range ir.LookupDialect("pto").All() {
		info := pto.InfoOf(d)
		if !inTable(info.Group) {
			continue
		}
		in := &Instruction{Def: d, On: map[string]*Stage{}}
		for _, profile := range profiles {
			target, _ := sem.ParseProfile(profile)
			if s := stageOf(d, profile, target); s != nil {
				in.On[profile] = s
			}
		}
		all = append(all, in)
	}
	return all
}

func inTable(group string) bool {
	for _, g := range tableGroups {
		if g == group {
			return true
		}
	}
	return false
}

// stageOf generates C++ for the examples of d that are legal on a profile. It returns nil
// if none is legal.
func stageOf(d *ir.Def, profile string, target ir.Target) *Stage {
	var s *Stage
	for _, text := range d.Examples {
		m, _ := example.Read(d, text)
		var diags ir.Diags
		if m == nil || !ir.Verify(m, ir.VerifyOptions{Target: target, Sequential: true}, &diags) {
			continue
		}
		if s == nil {
			s = &Stage{}
		}
		var out strings.Builder
		if !example.Place(m, target, &diags) || !cpp.Emit(&out, m, cpp.Options{Target: target}, &diags) {
			s.Unwritten = firstMessage(&diags)
			continue
		}
		s.sources = append(s.sources, &Source{Name: d.Name, Arch: profile, cpp: out.String()})
	}
	return s
}

func firstMessage(diags *ir.Diags) string {
	for _, d := range diags.All() {
		if d.Severity == ir.Error {
			return d.Text
		}
	}
	return "it cannot be written"
}

// CheckSyntax compiles the C++ of the examples of all instructions without running it.
// For an example that does not compile, it stores the compiler's message in the
// instruction. It returns an error if it cannot run the compiler, or if it cannot assign
// the messages to examples.
func (c *Toolchain) CheckSyntax(all []*Instruction) error {
	u := &unit{name: "syntax", failed: map[*Source]string{}}
	var b strings.Builder
	b.WriteString("#include \"before.hpp\"\n")
	for _, in := range all {
		for _, profile := range profiles {
			if s := in.On[profile]; s != nil {
				for _, src := range s.sources {
					fmt.Fprintf(&b, "namespace k%d {\n#line 1 \"%s\"\n%s\n}\n", len(u.sources), fileOf(len(u.sources)), strings.ReplaceAll(src.cpp, `extern "C" `, ""))
					u.sources = append(u.sources, src)
				}
			}
		}
	}
	file := filepath.Join(c.dir, "syntax.cpp")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		return err
	}
	if messages, err := c.clangRun("-include-pch", c.headers(), "-fsyntax-only", file); err != nil && !u.blame(messages) {
		return fmt.Errorf("the examples do not compile: %w\n%.3000s", err, messages)
	}
	for _, in := range all {
		for _, s := range in.On {
			for _, src := range s.sources {
				if why := u.failed[src]; why != "" {
					s.Unbuilt = why
				}
			}
		}
	}
	return nil
}
