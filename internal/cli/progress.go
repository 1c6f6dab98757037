package cli

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progressAfter is how long several files may take without a word.
const progressAfter = time.Second

// progress tells on a terminal which of several files is being read, in one
// line that comes only when it takes long and goes before anything else is
// written. It stands in the way of standard error for that.
type progress struct {
	w     io.Writer
	total int
	done  int
	since time.Time
	shown bool
}

// newProgress returns nil, which shows nothing, for a single file and where
// nobody looks.
func newProgress(w io.Writer, total int) *progress {
	if total < 2 || !isTerminal(w) {
		return nil
	}
	return &progress{w: w, total: total, since: time.Now()}
}

// isTerminal reports whether a person reads what is written to w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// next says that a file begins.
func (p *progress) next(name string, now time.Time) {
	if p == nil {
		return
	}
	p.done++
	if now.Sub(p.since) < progressAfter {
		return
	}
	p.clear()
	fmt.Fprintf(p.w, "[%d of %d] %s", p.done, p.total, name)
	p.shown = true
}

// clear takes the line away.
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
