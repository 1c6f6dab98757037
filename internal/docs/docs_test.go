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

// TestStatus checks that the table of what works is that of today.
func TestStatus(t *testing.T) {
	got, err := os.ReadFile(filepath.Join("..", "..", "docs", "status.md"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != Status() {
		t.Error("docs/status.md is out of date: run go run ./internal/docs/gen")
	}
}
