// This file processes several input files in parallel and writes their results in
// order.

package opt

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/report"
	"ptogo/ir"
)

// files processes the programs of all input files in parallel, and writes the results
// in the order of the input. It returns the exit code.
func (t *optTool) files(paths []string) int {
	progress := report.NewProgress(t.Err, len(paths))
	if progress != nil {
		t.Err = progress
		defer progress.Clear()
	}
	if len(paths) > 1 || t.flags.split != "" {
		limit.TuneCollectorForMany()
	}
	q := &queue{tool: t}
	for _, path := range paths {
		progress.Next(path, time.Now())
		src, err := t.ReadSource(path)
		if err != nil {
			q.finish()
			if steps := t.flags.passes.steps; len(steps) > 0 && strings.Contains(path, "=") {
				return t.Usage("'%s' is not a file; if it contains options of the pass, write --%s='%s'", path, steps[len(steps)-1].pass.Name, path)
			}
			return t.Fail("%v", err)
		}
		switch {
		case t.flags.split != "":
			for piece := range files.Split(src, t.flags.split) {
				q.add(piece)
			}
		case len(paths) == 1:
			return t.single(src)
		default:
			q.add(src)
		}
	}
	return q.finish()
}

// programsIn replaces each folder in paths by the programs in it, sorted by name. Links
// that lead out of the folder, pipes and devices are skipped: reading one could reveal
// other files, or never end.
func programsIn(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			files = append(files, path) // what is wrong with it shows when it is read
			continue
		}
		before := len(files)
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if ext := filepath.Ext(e.Name()); (ext == ".pto" || ext == ".mlir") && isInside(path, e.Name()) {
				files = append(files, filepath.Join(path, e.Name()))
			}
		}
		if len(files) == before {
			return nil, fmt.Errorf("%s is a folder without .pto or .mlir files", path)
		}
	}
	return files, nil
}

// isInside reports whether a name in a folder leads, possibly through symbolic links,
// to a regular file inside the folder.
func isInside(folder, name string) bool {
	path := filepath.Join(folder, name)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		return true
	}
	root, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false
	}
	file, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(root, file)
	return err == nil && filepath.IsLocal(rel)
}

// single processes the program src, the only one of the command line, and returns the
// exit code. The functions of this program are processed in parallel. For a command line
// with several programs, the functions of each program are not processed in parallel.
func (t *optTool) single(src *ir.Source) int {
	var diags ir.Diags
	ok := t.process(src, &diags)
	return t.verdict(src, ok, &diags)
}

// verdict reports the diagnostics of a program and returns the exit code of the tool for
// this program. The parameter ok states whether the program was processed without an
// error. If the command line states which diagnostics are expected, these decide instead
// of ok.
func (t *optTool) verdict(src *ir.Source, ok bool, diags *ir.Diags) int {
	if t.flags.opOnDiagnostic {
		showOperations(diags.All())
	}
	if t.flags.diagnostics != "" {
		ok = checkExpected(&t.Streams, src, diags, t.flags.diagnostics == verifiedDiagnostics[0])
	} else {
		t.Report(diags)
	}
	if t.proof != nil {
		fmt.Fprintf(t.Err, "%s: verify-sync: %s\n", t.Tool, t.proof)
		if t.proof.failed && !ok {
			return exit.Check
		}
	}
	if !ok {
		t.TellResult(report.TestResult{Kind: "program", Name: src.Name, Failure: "the program has errors"})
		return exit.Diag
	}
	t.TellResult(report.TestResult{Kind: "program", Name: src.Name})
	return exit.OK
}

// showOperations adds a note to each error about an operation. The note shows the
// operation without its regions.
func showOperations(diags []*ir.Diag) {
	for _, d := range diags {
		if d.Severity == ir.Error && d.Op != nil {
			text, _, _ := strings.Cut(string(ir.Bytes(d.Op, ir.PrintOptions{Generic: true, Sequential: true})), "\n")
			d.Note(d.Loc, "see current operation: "+text)
		}
	}
}

// queue processes programs in parallel, one goroutine per program, and writes their
// output in the order of the input. Most programs are small, so this is faster than
// parallelism within a program.
type queue struct {
	tool *optTool
	// jobs is the channel to the workers.
	jobs chan *job
	// free are completed jobs whose memory can be reused.
	free []*job
	// pending are jobs in the order of the input.
	pending []*job
	// started is the number of workers.
	started int
	// written reports that the output of at least one program has been written, so that a
	// separator must precede the next output.
	written bool
	code    int
}

// job is one program in the queue, with buffers for its output.
type job struct {
	src      *ir.Source
	out, err bytes.Buffer
	diags    ir.Diags
	ok       bool
	proof    *syncProof
	done     chan struct{}
}

// ahead limits how many completed programs are held back. The output of a program must
// wait for the output of all preceding programs. For each worker, this number of programs
// may wait, so that workers stay busy while a large program is processed.
const ahead = 4

// add starts processing a program. It waits if too many preceding programs are pending.
func (q *queue) add(src *ir.Source) {
	width := q.width()
	if q.jobs == nil {
		q.jobs = make(chan *job, ahead*width)
	}
	if q.started < width {
		q.started++
		go q.worker(*q.tool)
	}
	if len(q.pending) == cap(q.jobs) {
		q.next()
	}
	j := q.newJob()
	j.src = src
	q.pending = append(q.pending, j)
	q.jobs <- j
}

// width returns the number of programs to process in parallel. It is 1 if options write
// additional files, whose order would otherwise be random.
func (q *queue) width() int {
	if f := &q.tool.flags.passes; f.sequential || f.timing || f.reproducer != "" || f.treeDir != "" {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// newJob returns a job with empty buffers, reusing a completed one if possible.
func (q *queue) newJob() *job {
	n := len(q.free)
	if n == 0 {
		return &job{done: make(chan struct{}, 1)}
	}
	j := q.free[n-1]
	q.free = q.free[:n-1]
	j.out.Reset()
	j.err.Reset()
	j.diags = ir.Diags{}
	return j
}

// worker processes programs with its own copy of the tool. It receives the programs from
// the channel q.jobs.
func (q *queue) worker(t optTool) {
	t.flags.passes.sequential = true
	t.spare = &ir.Spare{}
	for j := range q.jobs {
		t.out, t.Err = &files.Output{Writer: &j.out}, report.NewVisibleWriter(&j.err)
		j.ok, t.proof = false, nil
		t.Guarded(func([]string) int {
			j.ok = t.process(j.src, &j.diags)
			return exit.OK
		}, nil)
		j.proof = t.proof
		j.done <- struct{}{}
	}
}

// next waits until the first pending program is complete, and writes its output.
func (q *queue) next() {
	j := q.pending[0]
	q.pending = q.pending[1:]
	<-j.done
	t := q.tool
	if q.written {
		io.WriteString(t.out, t.flags.outputSplit+"\n")
	}
	q.written = true
	t.out.Write(j.out.Bytes())
	if j.err.Len() > 0 {
		t.Err.Write(j.err.Bytes())
	}
	t.proof = j.proof
	q.code = max(q.code, t.verdict(j.src, j.ok, &j.diags))
	if j.src.Passed != nil {
		j.src.Passed(len(j.src.Text))
	}
	q.free = append(q.free, j)
}

// finish waits for all programs, writes their output, and returns the exit code.
func (q *queue) finish() int {
	for len(q.pending) > 0 {
		q.next()
	}
	if q.jobs != nil {
		close(q.jobs)
	}
	return q.code
}
