package cli

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"time"

	"ptogo/ir"
)

// files handles the programs of all input files, several at once, and writes
// what comes of them in the order of the input.
func (t *optTool) files(paths []string) int {
	progress := newProgress(t.err, len(paths))
	if progress != nil {
		t.err = progress
		defer progress.clear()
	}
	q := &queue{tool: t}
	for _, path := range paths {
		progress.next(path, time.Now())
		src, err := t.readSource(path)
		if err != nil {
			q.finish()
			if steps := t.flags.passes.steps; len(steps) > 0 && strings.Contains(path, "=") {
				return t.usage("'%s' is no file: for options of the pass write --%s='%s'", path, steps[len(steps)-1].pass.Name, path)
			}
			return t.fail("%v", err)
		}
		pieces := []*ir.Source{src}
		if t.flags.split != "" {
			pieces = split(src, t.flags.split)
		}
		if len(paths) == 1 && len(pieces) == 1 {
			return t.single(src)
		}
		expectMany()
		for _, piece := range pieces {
			q.add(piece)
		}
	}
	return q.finish()
}

// single handles the only program, whose functions are worth a goroutine each.
func (t *optTool) single(src *ir.Source) int {
	var diags ir.Diags
	ok := t.process(src, &diags)
	return t.verdict(src, ok, &diags)
}

// verdict reports the diagnostics of a program and returns the exit code.
func (t *optTool) verdict(src *ir.Source, ok bool, diags *ir.Diags) int {
	if t.flags.diagnostics {
		ok = checkExpected(&t.streams, src, diags)
	} else {
		t.report(diags)
	}
	if !ok {
		return exitDiag
	}
	return exitOK
}

// queue takes programs through the tool, each on one goroutine, as many at once
// as there are processors. Programs are mostly small, so that this is worth
// more than goroutines for their functions.
type queue struct {
	tool    *optTool
	free    []*ir.Spare // of jobs that are done
	pending []*job      // in the order of the input
	written bool        // a program has been written
	code    int
}

// job is one program.
type job struct {
	src      *ir.Source
	spare    *ir.Spare
	out, err bytes.Buffer
	diags    ir.Diags
	ok       bool
	done     chan struct{}
}

// add starts on a program, as soon as others have made room for it.
func (q *queue) add(src *ir.Source) {
	if len(q.pending) >= q.width() {
		q.next()
	}
	j := &job{src: src, spare: q.takeSpare(), done: make(chan struct{})}
	q.pending = append(q.pending, j)
	go j.run(*q.tool)
}

// width is how many programs are on their way at once: one where files are
// written on the side.
func (q *queue) width() int {
	if f := &q.tool.flags.passes; f.sequential || f.timing || f.reproducer != "" || f.treeDir != "" {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

func (q *queue) takeSpare() *ir.Spare {
	n := len(q.free)
	if n == 0 {
		return &ir.Spare{}
	}
	s := q.free[n-1]
	q.free = q.free[:n-1]
	return s
}

// run takes the program through a tool that writes into memory.
func (j *job) run(t optTool) {
	defer close(j.done)
	t.flags.passes.sequential = true
	t.spare, t.out, t.err = j.spare, &output{Writer: &j.out}, &j.err
	t.guarded(func([]string) int {
		j.ok = t.process(j.src, &j.diags)
		return exitOK
	}, nil)
}

// next waits for the first program and writes what came of it.
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
		t.err.Write(j.err.Bytes())
	}
	q.code = max(q.code, t.verdict(j.src, j.ok, &j.diags))
	if j.src.Passed != nil {
		j.src.Passed(len(j.src.Text))
	}
	q.free = append(q.free, j.spare)
}

// finish waits for all programs and returns the exit code.
func (q *queue) finish() int {
	for len(q.pending) > 0 {
		q.next()
	}
	return q.code
}
