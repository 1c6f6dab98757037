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
