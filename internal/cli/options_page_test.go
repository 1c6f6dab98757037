package cli

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestOptions compares the options that each tool takes in --help, on the page that
// the README names, and in the completion of each shell.
func TestOptions(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "options.md"))
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != OptionsPage() {
		t.Error("docs/options.md is not what --help says: go run ./tools/docs/gen")
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil || !strings.Contains(string(readme), "(docs/options.md)") {
		t.Error("README.md does not name docs/options.md")
	}
	option := regexp.MustCompile(`(?m)^  (?:-\w, |    )--([a-z][a-z0-9_-]*)`)
	for _, tool := range tools {
		var help strings.Builder
		tool.run([]string{"--help"}, strings.NewReader(""), &help, io.Discard)
		names := option.FindAllStringSubmatch(help.String(), -1)
		if len(names) < 5 {
			t.Errorf("%s: only %d options", tool.name, len(names))
		}
		for _, shell := range []string{"bash", "zsh", "fish"} {
			var script strings.Builder
			tool.run([]string{"--completion=" + shell}, strings.NewReader(""), &script, io.Discard)
			for _, name := range names {
				if !regexp.MustCompile(`(?:--|-l |\b)` + name[1] + `\b`).MatchString(script.String()) {
					t.Errorf("%s: %s does not complete --%s", tool.name, shell, name[1])
				}
			}
		}
	}
}
