// This file applies the edits of diagnostics (--fix).

package opt

import (
	"fmt"
	"io"

	"ptogo/frontend/cpp"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/textdiff"
	"ptogo/ir"
)

// fixMode corrects input files (--fix and --fix-dry-run).
type fixMode struct{ on, dryRun bool }

// used reports whether the command line requests corrections.
func (m *fixMode) used() bool { return m.on || m.dryRun }

// maxFixRounds is the maximum number of times that a program is parsed again after
// edits. An edit can reveal another error, but does not reintroduce a corrected one.
const maxFixRounds = 20

// files implements pto-opt --fix and --fix-dry-run. It applies the edits that notes of
// diagnostics propose until none remains, and then reports the remaining diagnostics.
// With --fix, it writes all changed files, or none after an error. With --fix-dry-run, it
// prints the differences between the old and the new text of each file instead. It
// returns the exit code.
func (m *fixMode) files(t *optTool, paths []string) int {
	var outs []*files.Output
	discard := func() {
		for _, o := range outs {
			o.Discard()
		}
	}
	worst := exit.OK
	for _, path := range paths {
		if path == "-" {
			discard()
			return t.Usage("--fix changes files and cannot read standard input: name a file")
		}
		if cpp.IsCpp(path) {
			discard()
			return t.Usage("--fix does not change C++ files: pto-opt %s -o FILE.pto writes a program that --fix can change", path)
		}
		src, err := t.ReadSource(path)
		if err != nil {
			discard()
			return t.Fail("%v", err)
		}
		fixed, n, code := m.text(t, src)
		worst = max(worst, code)
		if n == 0 {
			continue
		}
		if m.dryRun {
			io.WriteString(t.Streams.Out, textdiff.Unified(path, path, src.Text, fixed))
			continue
		}
		o, err := files.NewOutput(path, t.Streams.Out)
		if err == nil {
			outs = append(outs, o)
			_, err = io.WriteString(o, fixed)
		}
		if err != nil {
			discard()
			return t.Fail("%v", err)
		}
		fmt.Fprintf(t.Err, "%s: %s: %s\n", t.Tool, ir.Visible(path), ir.Count(n, "edit"))
	}
	if err := files.CommitAll(outs); err != nil {
		return t.Fail("%v", err)
	}
	return worst
}

// text applies the proposed edits to a program. It returns the new text, the number
// of edits, and the exit code. It also reports the remaining diagnostics.
func (m *fixMode) text(t *optTool, src *ir.Source) (text string, n, code int) {
	for range maxFixRounds {
		var diags ir.Diags
		ok := examine(t, src, &diags)
		next, edits := ir.ApplyFixes(src, diags.All())
		if edits == 0 || next == src.Text {
			return src.Text, n, t.verdict(src, ok, &diags)
		}
		n += edits
		src = &ir.Source{Name: src.Name, Text: next}
	}
	var diags ir.Diags
	ok := examine(t, src, &diags)
	return src.Text, n, t.verdict(src, ok, &diags)
}

// examine parses, transforms and verifies the program src like the method process,
// without writing output. It returns false after an error.
func examine(t *optTool, src *ir.Source, diags *ir.Diags) bool {
	examiner := *t
	examiner.out = &files.Output{Writer: io.Discard}
	return examiner.process(src, diags)
}

// check returns a message if the options write anything other than the corrected
// files, and "" otherwise.
func (m *fixMode) check(t *optTool) string {
	f := &t.flags
	switch {
	case !m.used():
		return ""
	case f.output != "-":
		return "--fix changes the input files: remove -o"
	case f.split != "":
		return "--fix does not work with --split-input-file"
	case f.diagnostics != "":
		return "--fix does not work with --verify-diagnostics"
	case f.emit != "mlir" || f.memoryMap.form != "" || len(f.passes.steps) > 0 || f.passes.pipeline != "":
		return "--fix only changes the text of programs: remove passes and output formats"
	}
	return ""
}
