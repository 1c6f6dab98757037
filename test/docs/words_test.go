package docs

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// replaced lists words that readers of this project stumbled over, and what to
// write. A test rejects them in the pages of docs, and counts them in comments.
var replaced = []struct{ pattern, write string }{
	{`\bbehind\b`, "after, following, past"},
	{`\bin front of\b`, "before, preceding"},
	{`\btells?\b`, "reports, records, indicates, returns"},
	{`\bis told\b`, "receives, is given"},
	{`\bnobody\b`, "name what is missing"},
	{`\bspelling\b`, "syntax, name, form"},
	{`\bgives? way to\b`, "falls back to"},
	{`\bso many\b`, "state the number"},
	{`\bthe like\b`, "name the others"},
	{`\bat hand\b`, "available"},
	{`\bis no (?:[a-z]+)\b`, "is not a"},
	{`\bare no (?:[a-z]+)\b`, "are not"},
}

// TestWords rejects replaced words in pages that people write, outside of code.
// Measurements and generated pages are exempt: the first quote what was
// seen, the second quote definitions.
func TestWords(t *testing.T) {
	exempt := map[string]bool{
		"docs/options.md": true, "docs/passes.md": true, "docs/status.md": true, "docs/ptoas-options.md": true,
	}
	for _, page := range pages(t) {
		if exempt[page] || strings.HasPrefix(page, "docs/measurements/") {
			continue
		}
		inBlock := false
		for i, line := range lines(t, page) {
			if strings.HasPrefix(line, "```") {
				inBlock = !inBlock
			}
			if inBlock {
				continue
			}
			for _, r := range replaced {
				if found := regexp.MustCompile(r.pattern).FindString(strings.ToLower(line)); found != "" {
					t.Errorf("%s:%d: %q; write: %s", page, i+1, found, r.write)
				}
			}
			if n := len([]rune(line)); n > 120 && !strings.HasPrefix(strings.TrimSpace(line), "|") {
				t.Errorf("%s:%d: a line of prose has %d columns", page, i+1, n)
			}
		}
	}
}

// mostReplaced is how many replaced words the comments of Go files have at most.
// Lower it when comments are rewritten; never raise it.
const mostReplaced = 125

// TestWordsOfComments counts replaced words in comments of Go files.
func TestWordsOfComments(t *testing.T) {
	counts := map[string]int{}
	total := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, group := range file.Comments {
			for _, r := range replaced {
				n := len(regexp.MustCompile(r.pattern).FindAllString(group.Text(), -1))
				total += n
				rel, _ := filepath.Rel(root, filepath.Dir(path))
				counts[rel] += n
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if total > mostReplaced {
		t.Errorf("comments have %d replaced words, at most %d are allowed:\n%s", total, mostReplaced, fmt.Sprint(counts))
	}
	t.Logf("%d replaced words in comments: %v", total, counts)
}
