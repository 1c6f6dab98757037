// This file shows the progress of several files.

package cli

import (
	"fmt"
	"io"
	"time"

	"ptogo/ir"
)

// progressAfter is the delay before the progress of several files is shown.
const progressAfter = time.Second

// progress shows on a terminal which of several files is being processed. The line
// appears only if a file takes long, and is erased before other output. It therefore
// wraps standard error.
type progress struct {
	w     io.Writer
	total int
	done  int
	since time.Time
	shown bool
}

// newProgress returns nil, which shows no progress, for a single file or if w is not a
// terminal.
func newProgress(w io.Writer, total int) *progress {
	w = raw(w)
	if total < 2 || !isTerminal(w) {
		return nil
	}
	return &progress{w: w, total: total, since: time.Now()}
}

// next records that the tool starts with a file.
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

// lineWidth is a width that fits any terminal. A line that wraps could not be erased
// completely.
const lineWidth = 79

// ending returns the last n characters of a name, because the end of a path identifies
// the file best.
func ending(name string, n int) string {
	runes := []rune(name)
	if len(runes) <= n {
		return name
	}
	return "..." + string(runes[len(runes)-max(0, n-3):])
}

// clear erases the progress line.
func (p *progress) clear() {
	if p != nil && p.shown {
		io.WriteString(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// Write implements io.Writer.
func (p *progress) Write(b []byte) (int, error) {
	p.clear()
	return p.w.Write(b)
}
