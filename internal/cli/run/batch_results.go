// This file writes and resumes the results of a batch.

package run

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/report"
	"ptogo/ir"
)

// batchResult is the result of one run of a batch, a line of the results file.
type batchResult struct {
	batchKey
	Status       string  `json:"status"`
	Exit         int     `json:"exit"`
	Milliseconds float64 `json:"ms"`
	// Digests has an entry for each argument. It is "" for scalars.
	Digests []string `json:"sha256,omitempty"`
	// Stdout is the output of a failed run.
	Stdout      string            `json:"stdout,omitempty"`
	Diagnostics []report.JSONDiag `json:"diagnostics,omitempty"`
}

// statuses are the names of exit codes in the results file, indexed by exit code.
var statuses = [...]string{
	exit.OK: "passed", exit.Diag: "rejected", exit.Usage: "usage", exit.Compare: "differs", exit.Fault: "fault", exit.Check: "check",
}

// batchResults writes the results of a batch to a file. It also holds the results that
// the file already contained, so that an interrupted batch can continue.
type batchResults struct {
	mu sync.Mutex
	w  io.Writer
	// file is nil if the results are written to a stream.
	file *os.File
	err  error
	// exits are the exit codes of all runs with a result, by run.
	exits map[batchKey]int
	// written is the number of results of this run.
	written int
}

// openResults opens the results file of a batch for appending, and reads the results that
// it contains. "-" means stdout; the path may also name a pipe or a device. It removes an
// incomplete last line. The file stays locked until close, so an attempt of a second
// process to open it fails.
func openResults(path string, stdout io.Writer) (*batchResults, error) {
	r := &batchResults{w: report.Raw(stdout), exits: map[batchKey]int{}}
	if path == "-" {
		return r, nil
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	if st, err := f.Stat(); err == nil && !st.Mode().IsRegular() {
		r.w, r.file = f, f
		return r, nil // a pipe or a device has no results to go on from
	}
	if err := files.LockFile(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("results file %s is in use by another pto-run --batch: %w", path, err)
	}
	r.w, r.file = f, f
	if err := r.read(path); err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

// read reads the results in the file, which earlier processes have written. It removes an
// incomplete last line from the file.
func (r *batchResults) read(path string) error {
	in, whole := bufio.NewReader(r.file), int64(0)
	for line := 1; ; line++ {
		l, err := in.ReadBytes('\n')
		if err == io.EOF { // what follows the last line end was cut off
			return r.file.Truncate(whole)
		}
		if err != nil {
			return err
		}
		var done batchResult
		if err := json.Unmarshal(l, &done); err != nil {
			return fmt.Errorf("%s:%d: expected a result of --batch: %w", path, line, err)
		}
		r.exits[done.batchKey] = done.Exit
		whole += int64(len(l))
	}
}

// missing returns the runs that do not have a result yet.
func (r *batchResults) missing(runs []batchRun) []batchRun {
	var left []batchRun
	for _, run := range runs {
		if _, done := r.exits[run.key]; !done {
			left = append(left, run)
		}
	}
	return left
}

// write appends the result of a run to the file. It uses a single system call, so that
// a crash can truncate at most one line.
func (r *batchResults) write(result batchResult) {
	line, err := json.Marshal(result)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.exits[result.batchKey] = result.Exit
	r.written++
	if err == nil {
		_, err = r.w.Write(append(ir.VisibleJSON(line), '\n'))
	}
	if r.err == nil {
		r.err = err
	}
}

// failed returns the first error that occurred while writing results, or nil.
func (r *batchResults) failed() error { return r.err }

// close closes the results file, which also unlocks it.
func (r *batchResults) close() {
	if r.file != nil {
		r.file.Close()
	}
}

// counts returns a text with the number of runs per status, and the largest exit code.
func (r *batchResults) counts() (text string, worst int) {
	n := make([]int, len(statuses))
	for _, code := range r.exits {
		n[code]++
		worst = max(worst, code)
	}
	var parts []string
	for code, count := range n {
		if count > 0 || code == exit.OK {
			parts = append(parts, fmt.Sprintf("%d %s", count, statuses[code]))
		}
	}
	return strings.Join(parts, ", "), worst
}
