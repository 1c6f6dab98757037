// Package lit_test runs the lit tests of this folder in process.
package lit_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ptogo/internal/lit"
)

// filterVariable names tests to run, as a regular expression on their path.
const filterVariable = "PTO_LIT_FILTER"

func TestLit(t *testing.T) {
	for _, path := range selected(t) {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			cfg := config(t)
			cfg.TempDir = t.TempDir()
			report(t, lit.RunFile(cfg, path))
		})
	}
}

// selected returns the tests to run. None at all is a failure.
func selected(t *testing.T) []string {
	found, err := lit.Discover(".", ".pto", ".mlir", ".test")
	if err != nil {
		t.Fatal(err)
	}
	filter, err := regexp.Compile(os.Getenv(filterVariable))
	if err != nil {
		t.Fatalf("%s: %v", filterVariable, err)
	}
	var paths []string
	for _, path := range found {
		if path = filepath.ToSlash(path); filter.MatchString(path) {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		t.Fatalf("%s=%q selects none of %d tests", filterVariable, filter, len(found))
	}
	return paths
}

// report tells the test about the outcome.
func report(t *testing.T, r lit.Result) {
	switch {
	case r.Status.Failed():
		t.Errorf("%v\n%s", r.Status, r.Output)
	case len(r.Missing) > 0:
		t.Skipf("needs %s, which is not here", strings.Join(r.Missing, ", "))
	case r.Status == lit.Unsupported:
		t.Skip(strings.TrimSpace(r.Output))
	case r.Status == lit.XFail:
		t.Skipf("fails, as the test expects\n%s", r.Output)
	}
}
