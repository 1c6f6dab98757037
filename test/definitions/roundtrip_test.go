package definitions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/tools/roundtrip"
)

// generated is the folder of the tests that tools/roundtrip writes.
var generated = filepath.Join("..", "..", "test", "lit", "ops", "generated")

// TestRoundTripsUpToDate checks that the tests in the project are those of today's
// definitions.
func TestRoundTripsUpToDate(t *testing.T) {
	files := roundtrip.Files()
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(generated, name))
		if err != nil || string(got) != want {
			t.Errorf("%s is out of date (%v): run go run ./tools/roundtrip/gen", name, err)
		}
	}
	there, err := os.ReadDir(generated)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range there {
		if files[e.Name()] == "" {
			t.Errorf("%s is of no family: run go run ./tools/roundtrip/gen", e.Name())
		}
	}
}

// TestEveryInstruction looks for each definition in the tests.
func TestEveryInstruction(t *testing.T) {
	var all strings.Builder
	for _, text := range roundtrip.Files() {
		all.WriteString(text)
	}
	for _, d := range pto.Dialect.All() {
		if !strings.Contains(all.String(), "\""+d.Name+"\"") {
			t.Errorf("%s has no round trip", d.Name)
		}
	}
}
