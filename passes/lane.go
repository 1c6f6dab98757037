package passes

import (
	"bytes"
	"io"
	"slices"

	"ptogo/ir"
)

// lane collects what the passes on one operation have to say, so that
// operations may be worked on side by side and still report in order.
type lane struct {
	diags  *ir.Diags
	out    io.Writer // dumps, or nil
	buf    bytes.Buffer
	worker int      // which goroutine works here
	within []string // anchors of the pipelines around the current step
	failed bool
}

// begin readies a lane of its own for an operation of a nested pipeline.
func (l *lane) begin(outer *lane, anchor string, worker int, dumps bool) {
	l.worker, l.diags = worker, &ir.Diags{}
	l.within = append(slices.Clip(outer.within), anchor)
	if dumps {
		l.out = &l.buf
	}
}

// pipeline returns the text of a pipeline of one step alone, inside the
// anchors around it.
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

// take adds diagnostics in the order they were made.
func (l *lane) take(ds *ir.Diags) {
	for _, d := range ds.All() {
		l.diags.Add(d.Severity, d.Loc, d.Text).Notes = d.Notes
	}
}

// endInto hands everything to the lane around it.
func (l *lane) endInto(outer *lane) {
	if l.diags != nil {
		outer.take(l.diags)
	}
	if l.out != nil {
		outer.out.Write(l.buf.Bytes())
	}
}
