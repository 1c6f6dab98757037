package textdiff_test

import (
	"slices"
	"testing"

	"ptogo/internal/textdiff"
)

func TestLines(t *testing.T) {
	got := textdiff.Lines("a\nb\nc\n", "a\nx\nc\nd\n")
	want := []textdiff.Line{{' ', "a"}, {'-', "b"}, {'+', "x"}, {' ', "c"}, {'+', "d"}}
	if !slices.Equal(got, want) {
		t.Errorf("lines %q, want %q", got, want)
	}
}
