// This file implements pto-run --check --fix.

package run

import (
	"fmt"
	"io"
	"strings"

	"ptogo/frontend/cpp"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/limit"
	"ptogo/internal/textdiff"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// maxCheckRounds is the maximum number of runs of a kernel with --check --fix. Each run
// can reveal one more missing flag.
const maxCheckRounds = 64

// fixChecked implements --check with --fix or --fix-dry-run. It runs the kernel with
// checkers and applies the edits of the first report that contains edits. It repeats this
// until no report contains edits. Then it writes the file, or the difference, and reports
// the remaining findings. It writes no other output of the run.
func (t *runTool) fixChecked(path string) int {
	f := &t.flags
	switch {
	case len(f.check.kinds) == 0:
		return t.Usage("--fix and --fix-dry-run need --check, such as --check=all")
	case path == "-":
		return t.Usage("--fix changes the file and cannot read standard input: name a file")
	case cpp.IsCpp(path):
		return t.Usage("--fix does not change C++ files: pto-opt %s -o FILE.pto writes a program that --fix can change", path)
	case f.engine != engineGo || f.schedule != "" || f.timing.used() || f.observe.option() != "":
		return t.Usage("--fix only works with --check and --engine=go")
	}
	src, err := t.ReadSource(path)
	if err != nil {
		return t.Fail("%v", err)
	}
	original, edits := src.Text, 0
	now, err := t.checkQuietly(src)
	if err != nil {
		return t.Failed(err)
	}
	for range maxCheckRounds {
		next, n := t.improved(src, now)
		if next == nil {
			break
		}
		src, now, edits = next.src, next, edits+n
	}
	if edits > 0 && f.check.fixDryRun {
		io.WriteString(t.Out, textdiff.Unified(path, path, original, src.Text))
	}
	if edits > 0 && f.check.fix {
		if err := files.WriteFile(path, []byte(src.Text), t.Out); err != nil {
			return t.Fail("%v", err)
		}
		fmt.Fprintf(t.Err, "%s: %s: %s\n", t.Tool, ir.Visible(path), ir.Count(edits, "edit"))
	}
	return t.verdictOfChecks(src)
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

// improved applies the edits of one report to the program src. The argument now is the
// result of checking this program: reports, of which some propose edits. improved tries
// these reports in order, until the edits of one help. Edits help if the report
// disappears from the edited program, and if they do not cause a fault in a program that
// did not fault before. improved returns the edited program and the number of edits, or
// nil if no edits help.
func (t *runTool) improved(src *ir.Source, now *checkedText) (next *checkedText, n int) {
	for _, r := range now.reports {
		if len(r.Edits) == 0 || r.Edits[0].Src != src {
			continue
		}
		text, n := ir.Apply(src, r.Edits)
		next, err := t.checkQuietly(&ir.Source{Name: src.Name, Text: text})
		if err == nil && next.count(r) < now.count(r) && (next.code != exit.Fault || now.code == exit.Fault) {
			return next, n
		}
	}
	return nil, 0
}

// checkQuietly runs a program under the checkers without printing output. It returns an
// error if the program or its arguments cannot be loaded.
func (t *runTool) checkQuietly(src *ir.Source) (*checkedText, error) {
	quiet := &runTool{Console: files.NewConsole(strings.NewReader(""), io.Discard, io.Discard, t.Tool), flags: t.flags, path: src.Name, given: t.given}
	quiet.MaxMemory, quiet.Cancelled = t.MaxMemory, t.Cancelled
	code, err := quiet.checkProgram(src)
	if err != nil {
		return nil, err
	}
	return &checkedText{src, code, quiet.checker.Each()}, nil
}

// verdictOfChecks runs the program src with checkers after all edits of --fix, prints
// their findings, and returns the exit code.
func (t *runTool) verdictOfChecks(src *ir.Source) int {
	code, err := t.checkProgram(src)
	if err != nil {
		return t.Failed(err)
	}
	if t.found && code == exit.OK {
		return exit.Check
	}
	return code
}

// checkProgram loads a program, runs it with checkers and reports their findings. It
// returns the exit code of the run.
func (t *runTool) checkProgram(src *ir.Source) (int, error) {
	prog, err := kernel.Load(src, t.flags.loading())
	if err != nil {
		return exit.Diag, err
	}
	args, err := t.arguments(prog)
	if err != nil {
		return exit.Usage, err
	}
	t.launched, t.kernel = args, prog.Entry()
	stop := limit.NewStopper(t.flags.timeout, t.Cancelled)
	defer stop.End()
	return t.executeChecked(prog, args, runtime.Options{
		Blocks: t.flags.blocks, Ranks: t.flags.ranks, Workers: t.flags.workers, MaxSteps: t.flags.maxSteps, MaxMemory: int64(t.MaxMemory.Bytes), Stop: stop.Why,
		FlushDenormals: t.flags.flush, ScratchFill: t.flags.fill, Out: io.Discard, MaxOutput: int64(t.flags.maxOutput), Warn: t.warn,
	}), nil
}
