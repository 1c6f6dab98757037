// This file implements pto-run --batch.

package run

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/report"
	"ptogo/internal/data"
	"ptogo/internal/temporary"
	"ptogo/ir"
)

// batchMode executes a batch, a file of runs, in one process (--batch).
type batchMode struct {
	// file is the batch file. shard selects the part of its runs that this process
	// executes.
	file  string
	shard string
	// results is the file to which results are appended.
	results string
	// jobs is the number of runs to execute at a time; 0 means one for each processor.
	jobs int
}

// define declares the command-line options for batches in fs.
func (f *batchMode) define(fs *pflag.FlagSet) {
	fs.StringVar(&f.file, "batch", "", "run the cases in `FILE`, one JSON object per line, and write one JSON object per result (docs/batch.md)")
	fs.StringVar(&f.shard, "shard", "", "run only shard I of N of the batch, or of the candidates of --tune (default: all of them). `SHARD` is I/N (I is 0 to N-1), auto or auto/N. auto reads I and N from the environment of Slurm or Open MPI. auto/N reads only I, also from the environment of Kubernetes")
	fs.StringVar(&f.results, "results", "-", "append the results of --batch or --tune to `FILE`; - is standard output. Cases that already have a result in FILE are skipped")
	fs.IntVar(&f.jobs, "jobs", 0, "run `N` cases of --batch or --tune at a time (default: one for each processor)")
}

// batchOnly are the options that are only valid together with --batch.
var batchOnly = []string{"shard", "results", "jobs"}

// check returns an error if an option for batches has an invalid value, or is used
// without --batch or --tune.
func (f *batchMode) check(all *runFlags) error {
	if f.file == "" && !all.set.Changed("tune") {
		for _, name := range batchOnly {
			if all.set.Changed(name) {
				return fmt.Errorf("--%s needs --batch or --tune", name)
			}
		}
		return nil
	}
	if f.jobs < 0 {
		return fmt.Errorf("--jobs must not be negative")
	}
	if f.file == "" {
		return nil
	}
	if all.beside("--batch") != "" {
		return fmt.Errorf("--batch cannot be used with a file, --arg or --expect: each case names its own")
	}
	return nil
}

func (f *batchMode) used() bool { return f.file != "" }

// start reads the cases of the batch, runs them, and
// returns the exit code of the process.
func (f *batchMode) start(h *host) int {
	part, err := parseShard(f.shard, os.Getenv)
	if err != nil {
		return h.Usage("%v", err)
	}
	h.MaxMemory = limit.MemoryOf(h.flags.budget.Memory)
	src, err := h.ReadSource(f.file)
	if err != nil {
		return h.Fail("%v", err)
	}
	runs, err := readCases(src)
	if err != nil {
		return h.Fail("%v", err)
	}
	results, err := openResults(f.results, h.Out)
	if err != nil {
		return h.Fail("%v", err)
	}
	defer results.close()
	runs = results.missing(part.of(runs))
	limit.TuneCollectorForMany()
	b := &batch{all: h.flags, flags: changedFlags(h.flags.set), results: results, memory: cmp.Or(h.Pool, limit.NewPool())}
	return b.run(h, runs)
}

// batch is the state of pto-run --batch: its options, its programs and the results so
// far.
type batch struct {
	programs Programs
	// all are the options of the command line, which apply to all cases of the batch.
	all runFlags
	// flags holds the options in the field all as a map from their names to their values.
	flags   map[string]any
	results *batchResults
	// memory is the memory budget that all cases share.
	memory *limit.Pool

	mu sync.Mutex
	// tests are the results so far, for report formats such as JUnit. mu guards them.
	tests []report.TestResult
}

// run executes the runs in parallel, writes their results to the results file, and
// returns the exit code of the batch.
func (b *batch) run(h *host, runs []batchRun) int {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	defer temporary.OnInterrupt(stop)()
	start := time.Now()
	queue := make(chan batchRun)
	go func() {
		defer close(queue)
		for _, r := range runs {
			select {
			case queue <- r:
			case <-ctx.Done():
				return
			}
		}
	}()
	line := newBatchProgress(h.Err, len(runs), start)
	var workers sync.WaitGroup
	for range jobs(h.flags.batch.jobs) {
		workers.Go(func() {
			for r := range queue {
				result := b.execute(ctx, r)
				if ctx.Err() != nil {
					return // what was interrupted says nothing
				}
				b.results.write(result)
				b.record(result)
				line.done(result.Exit != exit.OK)
			}
		})
	}
	workers.Wait()
	line.line.Clear()
	slices.SortFunc(b.tests, func(x, y report.TestResult) int { return cmp.Compare(x.Name, y.Name) })
	for _, r := range b.tests {
		h.TellResult(r)
	}
	return b.summary(h, len(runs), time.Since(start), ctx.Err() != nil)
}

// record adds the result of a run to the tests of a report. It is safe for concurrent
// use.
func (b *batch) record(r batchResult) {
	test := report.TestResult{Kind: "batch", Name: r.batchKey.String()}
	if r.Exit != exit.OK {
		test.Failure = r.Status
		if len(r.Diagnostics) > 0 {
			test.Failure += ": " + r.Diagnostics[0].Message
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tests = append(b.tests, test)
}

// jobs returns the number of runs to execute in parallel: n, or the number of
// processors if n is 0.
func jobs(n int) int {
	if n == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// summary prints how many of the n runs passed, failed or faulted, and the duration of
// the batch, which is the parameter took. The parameter interrupted reports that the user
// stopped the batch early. summary returns the largest exit code of all runs.
func (b *batch) summary(h *host, n int, took time.Duration, interrupted bool) int {
	if err := b.results.failed(); err != nil {
		return h.Fail("%v", err)
	}
	count, worst := b.results.counts()
	rate := float64(b.results.written) / max(took.Seconds(), 1e-9)
	fmt.Fprintf(h.Err, "%s: batch: %s; %d now, in %s, %.0f a second\n", h.Tool, count, b.results.written, took.Round(time.Millisecond), rate)
	if interrupted {
		return h.Fail("interrupted before all cases were run (%s left); the same command with --results FILE runs only the cases without a result in FILE", ir.Count(n-b.results.written, "case"))
	}
	return worst
}

// execute executes one run of the batch and returns its result, with its exit code,
// duration and diagnostics.
func (b *batch) execute(ctx context.Context, r batchRun) batchResult {
	start := time.Now()
	c := NewRequest(ctx, b.memory)
	res := c.Result(func() int { return b.launch(c, r.seeded()) })
	out := batchResult{
		batchKey: r.key, Status: statuses[res.Exit], Exit: res.Exit, Diagnostics: res.Diagnostics,
		Milliseconds: float64(time.Since(start).Microseconds()) / 1000,
	}
	if res.Exit != exit.OK {
		out.Stdout = res.Stdout
	}
	if r.Digest {
		out.Digests = digests(c.args)
	}
	return out
}

// launch sets the options of the case r, loads its program and runs the kernel. The
// parameter c collects the output and the diagnostics. launch returns the exit code of
// the run.
func (b *batch) launch(c *Request, r *batchCase) int {
	fs := c.flags.define()
	for _, flags := range []map[string]any{b.flags, r.Flags, {"expect": r.Expect}} {
		if err := setFlags(fs, flags); err != nil {
			return c.Usage("%v", err)
		}
	}
	if code := c.check(); code != exit.OK {
		return code
	}
	l, err := b.load(c, r)
	if err != nil {
		return c.Failed(err)
	}
	c.given = make([]ArgSource, len(r.Args))
	for i, a := range r.Args {
		c.given[i] = a.source()
	}
	return c.launchLoaded(l)
}

// load returns the loaded program of the case r. A program that another case has already
// loaded comes from the cache. The parameter c collects the diagnostics.
func (b *batch) load(c *Request, r *batchCase) (*Loaded, error) {
	src := &ir.Source{Name: r.File, Text: r.Text}
	if r.Text == "" {
		var err error
		if src, err = c.ReadSource(r.File); err != nil {
			return nil, err
		}
	}
	release, err := c.ReserveText(len(src.Text))
	if err != nil {
		return nil, err
	}
	defer release()
	options := b.all.loading()
	options.Arch, options.Kernel, options.Arguments = cmp.Or(r.Arch, options.Arch), cmp.Or(r.Kernel, options.Kernel), len(r.Args)
	return b.programs.Load(src, options)
}

// digests returns the SHA-256 of the contents of each array argument in hexadecimal, or
// "" for a scalar argument.
func digests(args []*data.Arg) []string {
	var sums []string
	for _, a := range args {
		sum := ""
		if a.Array != nil {
			h := sha256.Sum256(a.Array.Data)
			sum = hex.EncodeToString(h[:])
		}
		sums = append(sums, sum)
	}
	return sums
}

// changedFlags returns the values of the options that the command line sets, by the name
// of the option. These options apply to all cases of the batch. The result omits options
// that cannot apply to a case.
func changedFlags(fs *pflag.FlagSet) map[string]any {
	flags := map[string]any{}
	fs.Visit(func(f *pflag.Flag) {
		if notForCases[f.Name] {
			return
		}
		flags[f.Name] = f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			var values []any
			for _, v := range list.GetSlice() {
				values = append(values, v)
			}
			flags[f.Name] = values
		}
	})
	return flags
}

// batchProgress shows on a terminal how many runs of a batch are complete.
type batchProgress struct {
	line   *report.Progress
	since  time.Time
	mu     sync.Mutex
	total  int
	ended  int
	failed int
	next   time.Time
}

// newBatchProgress returns the progress display of a batch with total runs. It displays
// nothing if w is not a terminal.
func newBatchProgress(w io.Writer, total int, start time.Time) *batchProgress {
	return &batchProgress{line: report.NewLine(w, start), since: start, total: total, next: start.Add(report.ProgressAfter)}
}

// done records that a run has ended, and whether it failed, and updates the line on the
// terminal.
func (p *batchProgress) done(failed bool) {
	if p.line == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended++
	if failed {
		p.failed++
	}
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(report.ProgressAfter / 4)
	rate := float64(p.ended) / now.Sub(p.since).Seconds()
	left := time.Duration(float64(p.total-p.ended) / rate * float64(time.Second)).Round(time.Second)
	p.line.Show("[%d of %d] %d failed, %.0f a second, %s left", p.ended, p.total, p.failed, rate, left)
}
