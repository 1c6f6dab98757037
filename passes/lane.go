// This file buffers the diagnostics and dumps of passes that run in parallel, to emit
// them in program order.

package passes

import (
	"bytes"
	"io"
	"slices"

	"ptogo/ir"
)

// lane collects the diagnostics and dumps of the passes on one operation. Operations are
// processed in parallel, but the output must be in program order.
type lane struct {
	// diags receives the diagnostics.
	diags *ir.Diags
	// out receives the dumps, or is nil.
	out io.Writer
	// buf holds the dumps until those of all preceding operations have been written.
	buf bytes.Buffer
	// worker is the number of the goroutine that runs the passes.
	worker int
	// within are the operation names (anchors) on which the enclosing pipelines run,
	// outermost first.
	within []string
	// failed reports whether a pass has failed.
	failed bool
}

// begin initializes a lane for one operation of a nested pipeline. outer is the lane of
// the enclosing pipeline, and anchor is the name of the operation for which the nested
// pipeline is meant. worker is the number of the goroutine that processes the lane. dumps
// enables the buffer for printed programs.
func (l *lane) begin(outer *lane, anchor string, worker int, dumps bool) {
	l.worker, l.diags = worker, &ir.Diags{}
	l.within = append(slices.Clip(outer.within), anchor)
	if dumps {
		l.out = &l.buf
	}
}

// pipeline returns the text of a pipeline that runs only the step s. In this text, the
// step is nested in the same pipelines as in the current run, which l.within lists from
// the outermost to the innermost. A file that reproduces a failure of the step contains
// the text.
func (l *lane) pipeline(module *ir.Op, s *Step) string {
	p := &Pipeline{Anchor: module.Name()}
	inner := p
	for _, anchor := range l.within {
		n := &Pipeline{Anchor: anchor}
		inner.Steps = []*Step{{Nested: n}}
		inner = n
	}
	inner.Steps = []*Step{s}
	return p.String()
}

// take appends the diagnostics ds to those of the lane.
func (l *lane) take(ds *ir.Diags) {
	for _, d := range ds.All() {
		l.diags.Add(d.Severity, d.Loc, d.Text).As(d.Code).Notes = d.Notes
	}
}

// endInto appends the diagnostics and dumps that l has collected to those of the
// enclosing lane. A lane collects the output of the passes on one operation. The caller
// calls endInto in program order, so the output is in program order although the
// operations are processed in parallel.
func (l *lane) endInto(outer *lane) {
	if l.diags != nil {
		outer.take(l.diags)
	}
	if l.out != nil {
		outer.out.Write(l.buf.Bytes())
	}
}
