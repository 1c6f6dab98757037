package docs

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"ptogo/dialect/pto"
)

// pages are all pages: to make them takes seconds.
var pages = sync.OnceValue(Pages)

// TestUpToDate checks that the pages in the project are those of today.
func TestUpToDate(t *testing.T) {
	compare(t, filepath.Join("..", "..", "docs", "isa"), pages())
	compare(t, filepath.Join("..", "..", "docs"), Tables())
}

func compare(t *testing.T, dir string, files map[string]string) {
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if string(got) != want {
			t.Errorf("%s is out of date: run go run ./internal/docs/gen", name)
		}
	}
}

// TestDifferences looks for decisions of both kinds on the page that lists
// them, each with what the sources say.
func TestDifferences(t *testing.T) {
	page := pages()["differences.md"]
	for _, d := range pto.Decided {
		if d.Choice == "" || d.Sources == "" || !strings.Contains(page, d.Choice) {
			t.Errorf("%s: not on the page, or without sources", d.About)
		}
	}
	for _, d := range pto.Dialect.All() {
		for _, n := range pto.InfoOf(d).Notes {
			if !strings.Contains(page, n) {
				t.Errorf("%s: %q is not on the page", d.Name, n)
			}
		}
	}
}
