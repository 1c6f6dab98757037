package lsp

import (
	"math/rand/v2"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// TestPositions compares positions in random texts with those that a scan of the line
// finds, and random edits of lines with edits of the text.
func TestPositions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	letters := []string{"a", "bc", "ä", "→", "😀", "\n", "x = y", "\xff"}
	random := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(letters[r.IntN(len(letters))])
		}
		return strings.ReplaceAll(b.String(), "\n", strings.Repeat("\n", r.IntN(2)))
	}
	for range 60 {
		text := random(1 + r.IntN(3000))
		m := newMapper(text, false)
		for off := range text + " " {
			start := strings.LastIndexByte(text[:off], '\n') + 1
			column := 0
			for _, c := range text[start:off] {
				column += utf16Units(c)
			}
			want := protocol.Position{Line: uint32(strings.Count(text[:off], "\n")), Character: uint32(column)}
			if p := m.position(off); p != want {
				t.Fatalf("offset %d is at %v, expected %v", off, p, want)
			}
			if back := m.offset(want); back != off {
				t.Fatalf("%v is at offset %d, expected %d", want, back, off)
			}
		}
		lines := strings.SplitAfter(text, "\n")
		for range 20 {
			m := newMapper(text, false)
			from := r.IntN(len(text) + 1)
			to := from + r.IntN(len(text)-from+1)
			c := &protocol.TextDocumentContentChangePartial{Range: m.span(from, to), Text: random(r.IntN(6))}
			from, to = m.offset(c.Range.Start), m.offset(c.Range.End)
			text = text[:from] + c.Text + text[max(from, to):]
			lines = edited(lines, c, false)
			if got := strings.Join(lines, ""); got != text {
				t.Fatalf("an edit gives %q, expected %q", got, text)
			}
		}
	}
}
