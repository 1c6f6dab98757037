package cli

import (
	"io"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var out strings.Builder
	start := time.Now()
	p := &progress{w: &out, total: 3, since: start}
	p.next("a", start)
	p.next("b", start.Add(2*progressAfter))
	io.WriteString(p, "error\n")
	p.next("c", start.Add(3*progressAfter))
	p.clear()
	p.clear()
	if got, want := out.String(), "[2 of 3] b\r\x1b[Kerror\n[3 of 3] c\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if newProgress(&out, 3) != nil {
		t.Error("progress where nobody looks")
	}
}

// TestProgressWidth shows that the line fits a terminal, however long the name.
func TestProgressWidth(t *testing.T) {
	var out strings.Builder
	start := time.Now()
	p := &progress{w: &out, total: 12, since: start}
	p.next(strings.Repeat("directory/", 20)+"kernel.pto", start.Add(2*progressAfter))
	if got := out.String(); len(got) != lineWidth || !strings.HasPrefix(got, "[1 of 12] ...") || !strings.HasSuffix(got, "/kernel.pto") {
		t.Errorf("got %q of %d characters", got, len(got))
	}
}
