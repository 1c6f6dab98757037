// This file defines versions, findings and the comparison of two versions.

package review

import (
	"fmt"
	"strings"

	"ptogo/ir"
)

// Version is a kernel with its tests.
type Version struct {
	// Program is the text of the kernel in MLIR syntax.
	Program string
	// Tests is the text of the tests: commands, a lit file or a Python file.
	Tests string
}

// Finding is something in the version after a change that makes tests weaker.
type Finding struct {
	// Kind is the class of the finding, such as "tolerance".
	Kind string
	// Text describes it. It names lines and words of the texts.
	Text string
}

// String returns the finding as a line.
func (f Finding) String() string { return f.Kind + ": " + f.Text }

// Report is the result of a comparison.
type Report struct {
	Findings []Finding
	// Read describes what was compared.
	Read string
}

// add adds a finding. The text is the result of formatting args with format.
func (r *Report) add(kind, format string, args ...any) {
	f := Finding{kind, fmt.Sprintf(format, args...)}
	for _, g := range r.Findings {
		if g == f {
			return
		}
	}
	r.Findings = append(r.Findings, f)
}

// String returns the findings as lines, and what was compared.
func (r *Report) String() string {
	var b strings.Builder
	for _, f := range r.Findings {
		b.WriteString(f.String() + "\n")
	}
	if len(r.Findings) == 0 {
		b.WriteString("nothing found\n")
	}
	return b.String() + r.Read + "\n"
}

// Compare returns what makes the tests of the version after weaker than those before.
func Compare(before, after Version) *Report {
	r := &Report{}
	kernels := r.programs(before.Program, after.Program)
	commands := r.commands(before.Tests, after.Tests)
	r.texts(before, after)
	r.Read = fmt.Sprintf("compared: %s (parameters, arrays that they store to, comments that suppress reports), %s of pto-run and pto-opt, "+
		"and the marks, assertions and tolerances in the tests; not compared: how references are made, and code that is not in these texts",
		ir.Count(kernels, "function"), ir.Count(commands, "command"))
	return r
}
