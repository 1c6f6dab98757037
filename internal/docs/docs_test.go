package docs

import (
	"os"
	"path/filepath"
	"testing"
)

// TestUpToDate checks that the pages in the project are those the definitions
// make.
func TestUpToDate(t *testing.T) {
	for name, want := range Pages() {
		got, err := os.ReadFile(filepath.Join("..", "..", "docs", "isa", name))
		if err != nil {
			t.Error(err)
			continue
		}
		if string(got) != want {
			t.Errorf("docs/isa/%s is out of date: run go run ./internal/docs/gen", name)
		}
	}
}
