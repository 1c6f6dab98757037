package docs

import (
	"os"
	"path/filepath"
	"testing"
)

// TestUpToDate checks that the pages in the project are those of today.
func TestUpToDate(t *testing.T) {
	compare(t, filepath.Join("..", "..", "docs", "isa"), Pages())
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
