// This file writes diagnostics in the chosen format.

package cli

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

// diagFlags are the options that determine how diagnostics (errors, warnings and notes)
// are written.
type diagFlags struct {
	format, color string
	maxErrors     uint
}

// defaultMaxErrors is the default of --max-errors, the maximum number of errors that
// are printed for a program.
const defaultMaxErrors = 20

// defineMaxErrors declares option --max-errors, which every tool that reads programs
// has.
func defineMaxErrors(fs *pflag.FlagSet, n *uint) {
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
	diagFormats = []string{diagText, diagJSON, diagSARIF, diagGitHub, diagJUnit}
	colorModes  = []string{"auto", "always", "never"}
)

// define declares the options for diagnostics in fs.
func (f *diagFlags) define(fs *pflag.FlagSet) {
	fs.StringVar(&f.format, "diagnostics", diagText, "write diagnostics in the format `FORMAT`, which is text, json (one object per line), github (annotations for GitHub Actions), sarif, or junit (a test report). sarif and junit are one document, written at the end")
	defineMaxErrors(fs, &f.maxErrors)
	fs.StringVar(&f.color, "color", "auto", "color diagnostics. `WHEN` is auto, always or never. auto means on a terminal, unless NO_COLOR is set")
}

// check returns an error if an option for diagnostics has an unknown value.
func (f *diagFlags) check() error {
	switch {
	case !slices.Contains(diagFormats, f.format):
		return fmt.Errorf("unknown format '%s' for --diagnostics: expected %s", f.format, strings.Join(diagFormats, ", "))
	case !slices.Contains(colorModes, f.color):
		return fmt.Errorf("unknown value '%s' for --color: expected auto, always or never", f.color)
	}
	return nil
}

// teller is implemented by the output formats of diagnostics other than plain text.
type teller interface {
	// tell writes one diagnostic.
	tell(d finding)
	// end writes what the format requires after the last diagnostic.
	end() error
}

// finding is a diagnostic with additional data that machine-readable formats contain.
type finding struct {
	*ir.Diag
	// fault is the fault that the diagnostic describes, and report the finding of a
	// checker; each can be nil.
	fault  *runtime.Fault
	report *check.Report
}

// setDiagnostics selects the output format of diagnostics. In machine-readable formats,
// all output to standard error is converted to this format, including plain messages,
// so that readers need to handle only one format.
func (s *streams) setDiagnostics(f diagFlags) {
	s.maxErrors = int(min(f.maxErrors, math.MaxInt32))
	switch {
	case f.format == diagText && colored(raw(s.err), f.color):
		s.teller = colorTeller{raw(s.err)}
	case f.format == diagJSON:
		collect := &machineTeller{tool: s.tool}
		collect.found = jsonLines(raw(s.err))
		s.teller, s.err = collect, collect
	case f.format == diagSARIF:
		log := newSARIF(raw(s.err), s.tool)
		collect := &machineTeller{tool: s.tool, found: log.add, finish: log.write}
		s.teller, s.err = collect, collect
	case f.format == diagGitHub:
		collect := &machineTeller{tool: s.tool, found: githubLines(raw(s.err))}
		s.teller, s.err = collect, collect
	case f.format == diagJUnit:
		report := &junitWriter{to: raw(s.err), suite: junitSuite{Name: s.tool}}
		collect := &machineTeller{tool: s.tool, found: report.add, result: report.result, finish: report.write}
		s.teller, s.err = collect, collect
	}
}

// testResult is the result of an item that report formats such as JUnit represent as a
// test: a program, a comparison, a checker or a case of a batch.
type testResult struct {
	// kind is program, compare, check or batch.
	kind string
	name string
	// failure is "" if the test passed.
	failure string
}

// tellResult passes the result of a test to the output format. It has no effect if the
// output format does not contain test results.
func (s *streams) tellResult(r testResult) {
	if m, ok := s.teller.(*machineTeller); ok && m.result != nil {
		m.result(r)
	}
}

// report prints the diagnostics in the order of their source positions.
func (s *streams) report(diags *ir.Diags) { s.reportAll(diags.All()) }

// reportAll prints diagnostics. If there are more errors than --max-errors, it prints
// how many more there are.
func (s *streams) reportAll(diags []*ir.Diag) {
	errors := 0
	for _, d := range diags {
		if d.Severity == ir.Error {
			if errors++; s.maxErrors > 0 && errors > s.maxErrors {
				continue
			}
		}
		s.tell(d)
	}
	if hidden := errors - s.maxErrors; s.maxErrors > 0 && hidden > 0 {
		fmt.Fprintf(s.err, "%s: note: %s not shown; --max-errors=0 shows all\n", s.tool, moreErrors(hidden))
	}
}

// moreErrors returns the start of a sentence: "1 more error is" or "N more errors are".
func moreErrors(n int) string {
	if n == 1 {
		return "1 more error is"
	}
	return fmt.Sprintf("%d more errors are", n)
}

// tell prints a diagnostic in the output format that --diagnostics selects.
func (s *streams) tell(d *ir.Diag) { s.tellFinding(finding{Diag: d}) }

// tellFinding prints a diagnostic, with additional data if the output format supports
// it.
func (s *streams) tellFinding(d finding) {
	if s.teller != nil {
		s.teller.tell(d)
		return
	}
	io.WriteString(s.err, d.Format())
}

// endDiagnostics writes what the output format requires after the last diagnostic.
func (s *streams) endDiagnostics() error {
	if s.teller == nil {
		return nil
	}
	return s.teller.end()
}

// machineTeller implements machine-readable output formats. It converts diagnostics and
// lines of plain text to jsonDiag values, and calls the function found with each value.
type machineTeller struct {
	// tool is the name of the tool, and found receives the converted diagnostics.
	tool  string
	found func(jsonDiag)
	// result receives test results. It is nil if the format has no tests.
	result func(testResult) // nil if the form has no tests
	// finish writes the end of the output.
	finish func() error
	// partial is the incomplete last line of plain text.
	partial string
}

// newMachineTeller returns a writer for the messages of the named tool. It calls found with
// each of them, converted to a jsonDiag.
func newMachineTeller(tool string, found func(jsonDiag)) *machineTeller {
	return &machineTeller{tool: tool, found: found}
}

// collect calls the function found with each diagnostic, and with each line of plain text
// on standard error, instead of writing them.
func (s *streams) collect(found func(jsonDiag)) {
	m := newMachineTeller(s.tool, found)
	s.teller, s.err = m, &visibleWriter{w: m}
}

// tell converts the diagnostic d to a jsonDiag and calls m.found with it. The output
// format provides this function, which writes a diagnostic.
func (m *machineTeller) tell(d finding) {
	m.flush()
	m.found(newJSONDiag(d))
}

// Write implements io.Writer for plain text in an output format for machines. It converts
// each complete line to a diagnostic without a position, and writes this diagnostic. The
// last line stays in a buffer until it is complete.
func (m *machineTeller) Write(p []byte) (int, error) {
	lines := strings.SplitAfter(m.partial+string(p), "\n")
	m.partial = lines[len(lines)-1]
	for _, line := range lines[:len(lines)-1] {
		m.line(line)
	}
	return len(p), nil
}

// flush converts an incomplete last line of plain text to a diagnostic.
func (m *machineTeller) flush() {
	if m.partial != "" {
		m.line(m.partial + "\n")
		m.partial = ""
	}
}

// line converts a line of plain text, as the tools print it, to a diagnostic. If the line
// starts with a severity, such as "error:", this becomes the severity of the diagnostic.
// All other lines become notes.
func (m *machineTeller) line(line string) {
	text := strings.TrimSuffix(line, "\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	d := jsonDiag{Severity: "note", Message: text, Rendered: line}
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
func (m *machineTeller) end() error {
	m.flush()
	if m.finish != nil {
		return m.finish()
	}
	return nil
}

// firstLine returns the first line of a text.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
