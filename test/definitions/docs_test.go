// Package definitions tests what other parts of the project make of the definitions
// of instructions: pages of documentation, round trips, tables for Python, examples
// with the names of operands. What stands in the tree must be that of today.
package definitions

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/tools/docs"
)

// pages are all pages: to make them takes seconds.
var pages = sync.OnceValue(docs.Pages)

// TestDocsUpToDate checks that the pages in the project are those of today.
func TestDocsUpToDate(t *testing.T) {
	compare(t, filepath.Join("..", "..", "docs", "isa"), pages())
	compare(t, filepath.Join("..", "..", "docs"), docs.Tables())
}

func compare(t *testing.T, dir string, files map[string]string) {
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if string(got) != want {
			t.Errorf("%s is out of date: run go run ./tools/docs/gen", name)
		}
	}
}

// TestDifferences looks for decisions of both kinds on the page that lists
// them, each with what the sources say.
func TestDifferences(t *testing.T) {
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") } // pages have line breaks
	page := words(pages()["differences.md"])
	for _, d := range analysis.Decided {
		if d.Choice == "" || d.Sources == "" || !strings.Contains(page, words(d.Choice)) {
			t.Errorf("%s: not on the page, or without sources", d.About)
		}
	}
	for _, d := range pto.Dialect.All() {
		for _, n := range pto.InfoOf(d).Notes {
			if !strings.Contains(page, words(n)) {
				t.Errorf("%s: %q is not on the page", d.Name, n)
			}
		}
	}
}
