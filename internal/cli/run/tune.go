// This file implements pto-run --tune.

package run

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/report"
	"ptogo/internal/tune"
	"ptogo/ir"
)

// tuneMode searches for fast parameters of a kernel (--tune).
type tuneMode struct {
	// file describes the parameters to search. json and plot are the files for the
	// results.
	file string
	json string
	plot string
}

// define declares in fs the command-line options that search for fast parameters of a
// kernel.
func (f *tuneMode) define(fs *pflag.FlagSet) {
	fs.StringVar(&f.file, "tune", "", "search for the kernel parameters with the shortest predicted time. The JSON file `FILE` lists the parameters and the values to try (docs/tuning.md). pto-run executes and checks the best candidates, and compares their results with those of the baseline that FILE names")
	fs.StringVar(&f.json, "tune-json", "", "write the result of --tune to `FILE`, as JSON")
	fs.StringVar(&f.plot, "tune-plot", "", "draw the predicted time and the used local memory of each candidate of --tune into the SVG file `FILE`")
}

// longestTuning is the time limit of a search without --timeout.
const longestTuning = 24 * time.Hour

// check returns an error if the options for the search contradict each other.
func (f *tuneMode) check(all *runFlags) error {
	switch {
	case f.file == "" && (f.json != "" || f.plot != ""):
		return errors.New("--tune-json and --tune-plot need --tune FILE")
	case f.file != "" && all.beside("--tune") != "":
		return errors.New("--tune excludes a kernel file, --arg, --expect and --batch: the description names the kernel and its arguments")
	}
	return nil
}

func (f *tuneMode) used() bool { return f.file != "" }

// start searches within the memory limit, and returns the exit code.
func (f *tuneMode) start(h *host) int {
	return h.withMemory(func() int { return f.search(h) })
}

// search searches for the parameters with which a kernel is
// predicted to run fastest, prints them, and returns the exit code.
func (f *tuneMode) search(h *host) int {
	part, err := parseShard(h.flags.batch.shard, os.Getenv)
	if err != nil {
		return h.Usage("%v", err)
	}
	h.MaxMemory = limit.MemoryOf(h.flags.budget.Memory)
	text, err := limit.ReadFile(f.file, h.MaxMemory)
	if err != nil {
		return h.Fail("%v", err)
	}
	folder := filepath.Dir(f.file)
	read := func(path string) ([]byte, error) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		return limit.ReadFile(path, h.MaxMemory)
	}
	space, err := tune.ReadSpace(text, read)
	if err != nil {
		return h.Fail("%s: %v", f.file, err)
	}
	longest := longestTuning
	if h.flags.set.Changed("timeout") {
		longest = h.flags.timeout
	}
	stop := limit.NewStopper(longest, h.Cancelled)
	defer stop.End()
	results, earlier, err := openTuning(h.flags.batch.results)
	if err != nil {
		return h.Fail("%v", err)
	}
	var out io.Writer
	if results != nil {
		defer results.Close()
		out = results
	}
	line := &tuneProgress{line: report.NewLine(h.Err, time.Now())}
	limit.TuneCollectorForMany()
	o := tune.Options{Read: read, Jobs: jobs(h.flags.batch.jobs), Stop: stop.Why, Done: line.one, Round: line.round}
	if part.n > 1 {
		o.Shard, o.Shards = part.i, part.n
	}
	r, err := tune.Search(space, o, earlier, out)
	line.line.Clear()
	if err == nil && part.n <= 1 {
		err = tune.Confirm(r, o)
	}
	switch {
	case errors.Is(err, tune.ErrStopped) || err != nil && stop.Why() != "":
		return h.Fail("%s; the same command with --results FILE continues with the candidates that have no result in FILE", stop.Why())
	case err != nil:
		return h.Fail("%s: %v", f.file, err)
	}
	r.Text(h.Out)
	if err := f.write(h, r); err != nil {
		return h.Fail("%v", err)
	}
	if r.Wrong() {
		return exit.Compare
	}
	if h.flags.advise.on {
		return h.flags.advise.tuned(h, r, folder)
	}
	return exit.OK
}

// write writes the result of a search to files: the predictions as JSON, and a plot
// as SVG. It writes each of the two files only if the command line names it.
func (f *tuneMode) write(h *host, r *tune.Result) error {
	if f.json != "" {
		text, err := r.JSON()
		if err == nil {
			err = files.WriteFile(f.json, append(text, '\n'), h.Out)
		}
		if err != nil {
			return err
		}
	}
	if f.plot == "" {
		return nil
	}
	return files.WriteFile(f.plot, r.SVG(), h.Out)
}

// openTuning opens the results file of a search for appending, and reads the results in it.
// An incomplete last line is removed. It returns nil for "-".
func openTuning(path string) (*os.File, []*tune.Prediction, error) {
	if path == "-" {
		return nil, nil, nil
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, nil, err
	}
	text, err := io.ReadAll(file)
	if err == nil {
		err = files.LockFile(file)
	}
	var list []*tune.Prediction
	if err == nil {
		list, err = tune.ReadResults(text)
	}
	if err == nil {
		for len(text) > 0 && text[len(text)-1] != '\n' {
			text = text[:len(text)-1]
		}
		err = file.Truncate(int64(len(text)))
	}
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return file, list, nil
}

// tuneProgress shows the progress of a search on a terminal.
type tuneProgress struct {
	line  *report.Progress
	mu    sync.Mutex
	size  int
	total int
	ended int
	best  float64
	next  time.Time
}

// round resets the progress display for the next round of the search. The parameter size
// is the index of the problem size, and candidates is the number of predictions in the
// round.
func (p *tuneProgress) round(size, candidates int) {
	p.size, p.total, p.ended, p.best = size, candidates, 0, 0
}

// The method one records that the prediction c of the current round is complete. It
// updates the progress line, which shows the shortest predicted time so far.
func (p *tuneProgress) one(c *tune.Prediction) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended++
	if c.Status == tune.Predicted && (p.best == 0 || c.Micros < p.best) {
		p.best = c.Micros
	}
	now := time.Now()
	if p.line == nil || now.Before(p.next) {
		return
	}
	p.next = now.Add(report.ProgressAfter / 4)
	p.line.Show("[round %d: %d of %s] best %.2f us", p.size+1, p.ended, ir.Count(p.total, "candidate"), p.best)
}
