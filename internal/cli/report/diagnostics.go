// This file writes diagnostics in the chosen format.

package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// DiagFlags are the options that determine how diagnostics (errors, warnings and notes)
// are written.
type DiagFlags struct {
	format, color string
	maxErrors     uint
}

// defaultMaxErrors is the default of --max-errors, the maximum number of errors that
// are printed for a program.
const defaultMaxErrors = 20

// DefineMaxErrors declares option --max-errors, which every tool that reads programs
// has.
func DefineMaxErrors(fs *pflag.FlagSet, n *uint) {
	fs.UintVar(n, "max-errors", defaultMaxErrors, "show only the first `N` errors of a program, in source order, and how many more there are; 0 shows all")
}

// The output formats of diagnostics.
const (
	diagText   = "text"
	diagJSON   = "json"
	diagSARIF  = "sarif"
	diagGitHub = "github"
	diagJUnit  = "junit"
)

// The values of --diagnostics and --color.
var (
	DiagFormats = []string{diagText, diagJSON, diagSARIF, diagGitHub, diagJUnit}
	ColorModes  = []string{"auto", "always", "never"}
)

// Define declares the options for diagnostics in fs.
func (f *DiagFlags) Define(fs *pflag.FlagSet) {
	fs.StringVar(&f.format, "diagnostics", diagText, "write diagnostics in the format `FORMAT`, which is text, json (one object per line), github (annotations for GitHub Actions), sarif, or junit (a test report). sarif and junit are one document, written at the end")
	DefineMaxErrors(fs, &f.maxErrors)
	fs.StringVar(&f.color, "color", "auto", "color diagnostics. `WHEN` is auto, always or never. auto means on a terminal, unless NO_COLOR is set")
}

// Check returns an error if an option for diagnostics has an unknown value.
func (f *DiagFlags) Check() error {
	switch {
	case !slices.Contains(DiagFormats, f.format):
		return fmt.Errorf("unknown format '%s' for --diagnostics: expected %s", f.format, strings.Join(DiagFormats, ", "))
	case !slices.Contains(ColorModes, f.color):
		return fmt.Errorf("unknown value '%s' for --color: expected auto, always or never", f.color)
	}
	return nil
}

// teller is implemented by the output formats of diagnostics other than plain text.
type teller interface {
	// tell writes one diagnostic.
	tell(d Finding)
	// end writes what the format requires after the last diagnostic.
	end() error
}

// Finding is a diagnostic with additional data that machine-readable formats contain.
type Finding struct {
	*ir.Diag
	// Fault is the fault that the diagnostic describes, and Report the finding of a
	// checker; each can be nil.
	Fault  *runtime.Fault
	Report *check.Report
}

// SetDiagnostics selects the output format of diagnostics. In machine-readable formats,
// all output to standard error is converted to this format, including plain messages,
// so that readers need to handle only one format.
func (s *Streams) SetDiagnostics(f DiagFlags) {
	s.MaxErrors = int(min(f.maxErrors, math.MaxInt32))
	switch {
	case f.format == diagText && colored(Raw(s.Err), f.color):
		s.teller = colorTeller{Raw(s.Err)}
	case f.format == diagJSON:
		collect := &Machine{tool: s.Tool}
		collect.found = jsonLines(Raw(s.Err))
		s.teller, s.Err = collect, collect
	case f.format == diagSARIF:
		log := newSARIF(Raw(s.Err), s.Tool)
		collect := &Machine{tool: s.Tool, found: log.add, finish: log.write}
		s.teller, s.Err = collect, collect
	case f.format == diagGitHub:
		collect := &Machine{tool: s.Tool, found: githubLines(Raw(s.Err))}
		s.teller, s.Err = collect, collect
	case f.format == diagJUnit:
		report := &junitWriter{to: Raw(s.Err), suite: junitSuite{Name: s.Tool}}
		collect := &Machine{tool: s.Tool, found: report.add, result: report.result, finish: report.write}
		s.teller, s.Err = collect, collect
	}
}

// TestResult is the result of an item that report formats such as JUnit represent as a
// test: a program, a comparison, a checker or a case of a batch.
type TestResult struct {
	// Kind is program, compare, check or batch.
	Kind string
	Name string
	// Failure is "" if the test passed.
	Failure string
	// Diag describes the failure in formats without results of tests. It is nil if the test
	// passed or has reported its failure already.
	Diag *ir.Diag
}

// TellResult passes the result of a test to the output format. A format without results of
// tests receives the diagnostic of a failure. It has no effect on plain text.
func (s *Streams) TellResult(r TestResult) {
	switch m, _ := s.teller.(*Machine); {
	case m != nil && m.result != nil:
		m.result(r)
	case s.teller != nil && r.Diag != nil:
		s.Tell(r.Diag)
	}
}

// Report prints the diagnostics in the order of their source positions.
func (s *Streams) Report(diags *ir.Diags) { s.ReportAll(diags.All()) }

// ReportAll prints diagnostics. If there are more errors than --max-errors, it prints
// how many more there are.
func (s *Streams) ReportAll(diags []*ir.Diag) {
	errors := 0
	for _, d := range diags {
		if d.Severity == ir.Error {
			if errors++; s.MaxErrors > 0 && errors > s.MaxErrors {
				continue
			}
		}
		s.Tell(d)
	}
	if hidden := errors - s.MaxErrors; s.MaxErrors > 0 && hidden > 0 {
		fmt.Fprintf(s.Err, "%s: note: %s not shown; --max-errors=0 shows all\n", s.Tool, moreErrors(hidden))
	}
}

// moreErrors returns the start of a sentence: "1 more error is" or "N more errors are".
func moreErrors(n int) string {
	if n == 1 {
		return "1 more error is"
	}
	return fmt.Sprintf("%d more errors are", n)
}

// Tell prints a diagnostic in the output format that --diagnostics selects.
func (s *Streams) Tell(d *ir.Diag) { s.TellFinding(Finding{Diag: d}) }

// TellFinding prints a diagnostic, with additional data if the output format supports
// it.
func (s *Streams) TellFinding(d Finding) {
	if s.teller != nil {
		s.teller.tell(d)
		return
	}
	io.WriteString(s.Err, d.Format())
}

// endDiagnostics writes what the output format requires after the last diagnostic.
func (s *Streams) endDiagnostics() error {
	if s.teller == nil {
		return nil
	}
	return s.teller.end()
}

// Machine implements machine-readable output formats. It converts diagnostics and
// lines of plain text to JSONDiag values, and calls the function found with each value.
type Machine struct {
	// tool is the name of the tool, and found receives the converted diagnostics.
	tool  string
	found func(JSONDiag)
	// result receives test results. It is nil if the format has no tests.
	result func(TestResult) // nil if the form has no tests
	// finish writes the end of the output.
	finish func() error
	// partial is the incomplete last line of plain text.
	partial string
}

// NewMachine returns a writer for the messages of the named tool. It calls found with
// each of them, converted to a JSONDiag.
func NewMachine(tool string, found func(JSONDiag)) *Machine {
	return &Machine{tool: tool, found: found}
}

// Collect calls the function found with each diagnostic, and with each line of plain text
// on standard error, instead of writing them.
func (s *Streams) Collect(found func(JSONDiag)) {
	m := NewMachine(s.Tool, found)
	s.teller, s.Err = m, &visibleWriter{w: m}
}

// tell converts the diagnostic d to a JSONDiag and calls m.found with it. The output
// format provides this function, which writes a diagnostic.
func (m *Machine) tell(d Finding) {
	m.flush()
	m.found(newJSONDiag(d))
}

// Write implements io.Writer for plain text in an output format for machines. It converts
// each complete line to a diagnostic without a position, and writes this diagnostic. The
// last line stays in a buffer until it is complete.
func (m *Machine) Write(p []byte) (int, error) {
	lines := strings.SplitAfter(m.partial+string(p), "\n")
	m.partial = lines[len(lines)-1]
	for _, line := range lines[:len(lines)-1] {
		m.line(line)
	}
	return len(p), nil
}

// flush converts an incomplete last line of plain text to a diagnostic.
func (m *Machine) flush() {
	if m.partial != "" {
		m.line(m.partial + "\n")
		m.partial = ""
	}
}

// line converts a line of plain text, as the tools print it, to a diagnostic. If the line
// starts with a severity, such as "error:", this becomes the severity of the diagnostic.
// All other lines become notes.
func (m *Machine) line(line string) {
	text := strings.TrimSuffix(line, "\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	d := JSONDiag{Severity: "note", Message: text, Rendered: line}
	rest := strings.TrimPrefix(text, m.tool+": ")
	for _, severity := range []string{"error", "warning", "remark", "note"} {
		if message, ok := strings.CutPrefix(rest, severity+": "); ok {
			d.Severity, d.Message = severity, message
		}
	}
	m.found(d)
}

// end converts the last line if it has no line break, and writes the end of the output if
// the output format requires one.
func (m *Machine) end() error {
	m.flush()
	if m.finish != nil {
		return m.finish()
	}
	return nil
}

// FirstLine returns the first line of a text.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
