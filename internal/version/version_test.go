package version

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNumbers compares the places that state the version of the project.
func TestNumbers(t *testing.T) {
	root := filepath.Join("..", "..")
	for path, form := range map[string]string{
		"CHANGELOG.md":                `(?m)^## \[(0[0-9.]*)\]`,
		"python/ptogo/_version.py":    `__version__ = "([^"]*)"`,
		"web/npm/package.json":        `"version": "([^"]*)"`,
		"editors/vscode/package.json": `"version": "([^"]*)"`,
	} {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Error(err)
			continue
		}
		if found := regexp.MustCompile(form).FindSubmatch(text); found == nil || string(found[1]) != Number {
			t.Errorf("%s: expected version %s, found %q", path, Number, found)
		}
	}
}

// TestText verifies that the description names the version and the upstream versions.
func TestText(t *testing.T) {
	defer func(c string) { commit = c }(commit)
	commit = "0123456789abcdef"
	text := Text()
	for _, want := range []string{"ptogo " + Number + " (commit 0123456789ab, go", "; ptoas 0.", ", pto-isa "} {
		if !strings.Contains(text, want) {
			t.Errorf("Text returns %q, without %q", text, want)
		}
	}
}
