package report

import (
	"io"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var out strings.Builder
	start := time.Now()
	p := &Progress{w: &out, total: 3, since: start}
	p.Next("a", start)
	p.Next("b", start.Add(2*ProgressAfter))
	io.WriteString(p, "error\n")
	p.Next("c", start.Add(3*ProgressAfter))
	p.Clear()
	p.Clear()
	if got, want := out.String(), "[2 of 3] b\r\x1b[Kerror\n[3 of 3] c\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if NewProgress(&out, 3) != nil {
		t.Error("progress where nobody looks")
	}
}

// TestProgressWidth shows that the line fits a terminal, however long the name.
func TestProgressWidth(t *testing.T) {
	var out strings.Builder
	start := time.Now()
	p := &Progress{w: &out, total: 12, since: start}
	p.Next(strings.Repeat("directory/", 20)+"kernel.pto", start.Add(2*ProgressAfter))
	if got := out.String(); len(got) != lineWidth || !strings.HasPrefix(got, "[1 of 12] ...") || !strings.HasSuffix(got, "/kernel.pto") {
		t.Errorf("got %q of %d characters", got, len(got))
	}
}
