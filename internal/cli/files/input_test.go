package files

import (
	"strings"
	"testing"

	"ptogo/ir"
)

// TestSplit checks that the pieces of a file report the lines of the file.
func TestSplit(t *testing.T) {
	src := &ir.Source{Name: "f", Text: "a\nb\n// -----\nc\n// -----\n"}
	var got []string
	for p := range Split(src, DefaultMarker) {
		line, _ := p.Position(0)
		got = append(got, strings.ReplaceAll(p.Text, "\n", ";")+string(rune('0'+line)))
	}
	if want := "a;b;1 c;4 6"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, " "), want)
	}
}
