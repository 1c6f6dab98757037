package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	fenced  = regexp.MustCompile("(?ms)^```.*?^```$")
	path    = regexp.MustCompile("`([a-z_]+/[a-zA-Z0-9_./-]*[a-z0-9_])`")
	notSlug = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestLinks follows the links of every page to files of the project and to
// headings in them.
func TestLinks(t *testing.T) {
	for _, page := range pages(t) {
		text := strings.Join(lines(t, page), "\n")
		text = fenced.ReplaceAllString(text, "")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := filepath.Join(root, filepath.Dir(page), target)
			if target == "" {
				file = filepath.Join(root, page)
			}
			content, err := os.ReadFile(file)
			if info, statErr := os.Stat(file); statErr == nil && info.IsDir() {
				continue
			}
			if err != nil {
				t.Errorf("%s: the link to %s leads to no file", page, m[1])
				continue
			}
			if anchor != "" && !hasHeading(string(content), anchor) {
				t.Errorf("%s: %s has no heading %q", page, target, anchor)
			}
		}
	}
}

// hasHeading reports whether a page has a heading with an anchor, which is the
// heading in lower case, without punctuation and with hyphens for spaces.
func hasHeading(page, anchor string) bool {
	for _, m := range heading.FindAllStringSubmatch(page, -1) {
		slug := strings.ReplaceAll(notSlug.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")
		if slug == anchor {
			return true
		}
	}
	return false
}

// TestPaths requires that the files and folders exist that pages name in code
// font, such as runtime/timing/chips.tsv.
func TestPaths(t *testing.T) {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	top := map[string]bool{}
	for _, e := range entries {
		top[e.Name()] = true
	}
	for _, page := range pages(t) {
		if strings.HasPrefix(page, "docs/measurements/") {
			continue // they name files of public repositories
		}
		for _, m := range path.FindAllStringSubmatch(strings.Join(lines(t, page), "\n"), -1) {
			first, _, _ := strings.Cut(m[1], "/")
			if _, err := os.Stat(filepath.Join(root, m[1])); top[first] && err != nil {
				t.Errorf("%s: %s does not exist", page, m[1])
			}
		}
	}
}
