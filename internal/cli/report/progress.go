// This file shows the progress of several files.

package report

import (
	"fmt"
	"io"
	"time"

	"ptogo/ir"
)

// ProgressAfter is the time after which a progress line is shown.
const ProgressAfter = time.Second

// Progress shows a line on a terminal that names the file that is being processed, if a
// command processes several files. The line appears only if a file needs a long time. It
// must be erased before other output appears on the terminal, so Progress wraps standard
// error and sees all output.
type Progress struct {
	w     io.Writer
	total int
	done  int
	since time.Time
	shown bool
}

// NewProgress returns a progress display for total files. It returns nil, which
// displays nothing, for a single file or if w is not a terminal.
func NewProgress(w io.Writer, total int) *Progress {
	w = Raw(w)
	if total < 2 || !IsTerminal(w) {
		return nil
	}
	return &Progress{w: w, total: total, since: time.Now()}
}

// Next records that the tool starts to process a file, and updates the progress line.
func (p *Progress) Next(name string, now time.Time) {
	if p == nil {
		return
	}
	p.done++
	if now.Sub(p.since) < ProgressAfter {
		return
	}
	p.Clear()
	count := fmt.Sprintf("[%d of %d] ", p.done, p.total)
	io.WriteString(p.w, count+ending(ir.Visible(name), lineWidth-len(count)))
	p.shown = true
}

// lineWidth is the maximum width of the progress line in columns, which fits any
// terminal. A line that wraps could not be erased completely.
const lineWidth = 79

// ending shortens the path in the parameter name to at most n characters. The result is
// an ellipsis and the end of the path, because the end identifies the file best.
func ending(name string, n int) string {
	runes := []rune(name)
	if len(runes) <= n {
		return name
	}
	return "..." + string(runes[len(runes)-max(0, n-3):])
}

// NewLine returns a progress line for a mode that writes the text of the line itself, with
// the method show. It returns nil, which displays nothing, if w is not a terminal.
func NewLine(w io.Writer, since time.Time) *Progress {
	w = Raw(w)
	if !IsTerminal(w) {
		return nil
	}
	return &Progress{w: w, since: since}
}

// Show replaces the progress line by a text, which is formatted as by fmt.Sprintf.
func (p *Progress) Show(format string, args ...any) {
	if p == nil {
		return
	}
	p.Clear()
	fmt.Fprintf(p.w, format, args...)
	p.shown = true
}

// Clear erases the progress line from the terminal, so that other output can follow.
func (p *Progress) Clear() {
	if p != nil && p.shown {
		io.WriteString(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// Write implements io.Writer. It erases the progress line before it writes b.
func (p *Progress) Write(b []byte) (int, error) {
	p.Clear()
	return p.w.Write(b)
}
