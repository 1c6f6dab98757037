// This file shows the progress of several files.

package cli

import (
	"fmt"
	"io"
	"time"

	"ptogo/ir"
)

// progressAfter is the time after which a progress line is shown.
const progressAfter = time.Second

// progress shows a line on a terminal that names the file that is being processed, if a
// command processes several files. The line appears only if a file needs a long time. It
// must be erased before other output appears on the terminal, so progress wraps standard
// error and sees all output.
type progress struct {
	w     io.Writer
	total int
	done  int
	since time.Time
	shown bool
}

// newProgress returns a progress display for total files. It returns nil, which
// displays nothing, for a single file or if w is not a terminal.
func newProgress(w io.Writer, total int) *progress {
	w = raw(w)
	if total < 2 || !isTerminal(w) {
		return nil
	}
	return &progress{w: w, total: total, since: time.Now()}
}

// next records that the tool starts to process a file, and updates the progress line.
func (p *progress) next(name string, now time.Time) {
	if p == nil {
		return
	}
	p.done++
	if now.Sub(p.since) < progressAfter {
		return
	}
	p.clear()
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

// newLine returns a progress line for a mode that writes the text of the line itself, with
// the method show. It returns nil, which displays nothing, if w is not a terminal.
func newLine(w io.Writer, since time.Time) *progress {
	w = raw(w)
	if !isTerminal(w) {
		return nil
	}
	return &progress{w: w, since: since}
}

// show replaces the progress line by a text, which is formatted as by fmt.Sprintf.
func (p *progress) show(format string, args ...any) {
	if p == nil {
		return
	}
	p.clear()
	fmt.Fprintf(p.w, format, args...)
	p.shown = true
}

// clear erases the progress line from the terminal, so that other output can follow.
func (p *progress) clear() {
	if p != nil && p.shown {
		io.WriteString(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// Write implements io.Writer. It erases the progress line before it writes b.
func (p *progress) Write(b []byte) (int, error) {
	p.clear()
	return p.w.Write(b)
}
