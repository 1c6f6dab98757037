// This file implements pto-run --check --fix.

package run

import (
	"fmt"
	"io"
	"strings"

	"ptogo/frontend/cpp"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/textdiff"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime/check"
)

// fixMode implements --fix and --fix-dry-run.
type fixMode struct{ on, dryRun bool }

func (m *fixMode) used() bool { return m.on || m.dryRun }

// start corrects the program of the command line, and returns the exit code.
func (m *fixMode) start(h *host) int {
	return h.withProgram(func(path string) int {
		if code := h.check(); code != exit.OK {
			return code
		}
		h.watchAlone()()
		return m.run(h, path)
	})
}

// maxCheckRounds is the maximum number of runs of a kernel with --check --fix. Each run
// can reveal one more missing flag.
const maxCheckRounds = 64

// run implements --check with --fix or --fix-dry-run. It runs the kernel with
// checkers and applies the edits of the first report that contains edits. It repeats this
// until no report contains edits. Then it writes the file, or the difference, and reports
// the remaining findings. It writes no other output of the run.
func (m *fixMode) run(h *host, path string) int {
	f := &h.flags
	switch {
	case !f.check.used():
		return h.Usage("--fix and --fix-dry-run need --check, such as --check=all")
	case path == "-":
		return h.Usage("--fix changes the file and cannot read standard input: name a file")
	case cpp.IsCpp(path):
		return h.Usage("--fix does not change C++ files: pto-opt %s -o FILE.pto writes a program that --fix can change", path)
	case f.beside("--fix") != "":
		return h.Usage("--fix only works with --check and --engine=go")
	}
	src, err := h.ReadSource(path)
	if err != nil {
		return h.Fail("%v", err)
	}
	original, edits := src.Text, 0
	now, err := checkQuietly(h, src)
	if err != nil {
		return h.Failed(err)
	}
	for range maxCheckRounds {
		next, n := improved(h, src, now)
		if next == nil {
			break
		}
		src, now, edits = next.src, next, edits+n
	}
	if edits > 0 && m.dryRun {
		io.WriteString(h.Out, textdiff.Unified(path, path, original, src.Text))
	}
	if edits > 0 && m.on {
		if err := files.WriteFile(path, []byte(src.Text), h.Out); err != nil {
			return h.Fail("%v", err)
		}
		fmt.Fprintf(h.Err, "%s: %s: %s\n", h.Tool, ir.Visible(path), ir.Count(edits, "edit"))
	}
	// The last run prints its findings.
	l := &launch{host: h, path: path}
	code, err := checkProgram(l, src)
	if err != nil {
		return h.Failed(err)
	}
	return l.verdict(code)
}

// improved applies the edits of one report to the program src. The argument now is the
// result of checking this program: reports, of which some propose edits. improved tries
// these reports in order, until the edits of one help. Edits help if the report
// disappears from the edited program, and if they do not cause a fault in a program that
// did not fault before. improved returns the edited program and the number of edits, or
// nil if no edits help.
func improved(h *host, src *ir.Source, now *checkedText) (next *checkedText, n int) {
	for _, r := range now.reports {
		if len(r.Edits) == 0 || r.Edits[0].Src != src {
			continue
		}
		text, n := ir.Apply(src, r.Edits)
		next, err := checkQuietly(h, &ir.Source{Name: src.Name, Text: text})
		if err == nil && next.count(r) < now.count(r) && (next.code != exit.Fault || now.code == exit.Fault) {
			return next, n
		}
	}
	return nil, 0
}

// checkQuietly runs a program under the checkers without printing output. It returns an
// error if the program or its arguments cannot be loaded.
func checkQuietly(h *host, src *ir.Source) (*checkedText, error) {
	quiet := &host{Console: files.NewConsole(strings.NewReader(""), io.Discard, io.Discard, h.Tool), flags: h.flags, given: h.given}
	quiet.MaxMemory, quiet.Cancelled = h.MaxMemory, h.Cancelled
	l := &launch{host: quiet, path: src.Name}
	code, err := checkProgram(l, src)
	if err != nil {
		return nil, err
	}
	return &checkedText{src, code, l.checking.checker.Each()}, nil
}

// checkProgram loads a program, runs it with checkers and reports their findings. It
// returns the exit code of the run.
func checkProgram(l *launch, src *ir.Source) (int, error) {
	prog, err := kernel.Load(src, l.flags.loading())
	if err != nil {
		return exit.Diag, err
	}
	l.prog, l.params, l.ranks = prog, prog.Params(), l.flags.ranks
	if l.args, err = l.arguments(prog); err != nil {
		return exit.Usage, err
	}
	stop := l.stopper()
	defer stop.End()
	o := l.runOptions(stop.Why)
	o.Out, o.Warn = io.Discard, l.warn
	return l.flags.check.execute(l, o), nil
}

// checkedText is a program with the reports of the checkers and the exit code of its
// run.
type checkedText struct {
	src *ir.Source
	// code is the exit code of the run.
	code    int
	reports []*check.Report
}

// count returns the number of reports that have the same text and concern the same
// source lines as r.
func (t *checkedText) count(r *check.Report) int {
	n, like := 0, likeness(r)
	for _, other := range t.reports {
		if likeness(other) == like {
			n++
		}
	}
	return n
}

// likeness returns a key that identifies a report in several versions of a program. The
// key does not depend on line numbers, because edits change the line numbers.
func likeness(r *check.Report) string {
	text := r.Class + r.Text
	for _, a := range r.Accesses {
		if src, off := a.Loc.Source(); src != nil {
			line, _, _ := strings.Cut(src.Text[off:], "\n")
			text += "\n" + line
		}
	}
	return text
}
