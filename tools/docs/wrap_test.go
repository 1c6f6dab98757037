// This file tests the line breaks of generated pages.

package docs

import (
	"strings"
	"testing"
)

// TestWrapPage breaks prose and list items, and keeps all words, code, tables and headings.
func TestWrapPage(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 60))
	kept := "# " + long + "\n| " + long + " |\n```\n" + long + "\n```\n"
	got := wrapPage(long + "\n- " + long + "\n" + kept)
	if !strings.HasSuffix(got, kept) {
		t.Errorf("changed a heading, a table or a block:\n%s", got)
	}
	prose := strings.TrimSuffix(got, kept)
	if strings.Count(prose, "word") != 120 || !strings.Contains(prose, "\n  word") {
		t.Errorf("lost a word, or did not indent a list item:\n%s", prose)
	}
	for line := range strings.Lines(prose) {
		if len(line) > pageColumns+1 {
			t.Errorf("a line has %d columns", len(line)-1)
		}
	}
}
