package cpptest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"ptogo/tools/corpus"
)

// Folder returns cases for the kernels in the folder root that the filter selects.
// Kernels that name no profile get the profile in the parameter other. It logs the files
// that cannot be parsed, some of which have an obsolete syntax.
func Folder(t *testing.T, root, other string) []*Case {
	t.Helper()
	programs, err := corpus.Folder(root)
	if err != nil {
		t.Fatal(err)
	}
	filter := Filter()
	var cases []*Case
	for i, p := range programs {
		if !filter.MatchString(p.Name) {
			continue
		}
		name := filepath.Base(filepath.Dir(p.Name)) + "/" + filepath.Base(p.Name)
		found, err := Kernels(name, p.Text, profileOf(p.Name, p.Text, other), uint64(i))
		if err != nil {
			t.Logf("not read: %s", err)
		}
		cases = append(cases, found...)
	}
	return cases
}

// Examples returns cases for the kernels in the files below root that match the patterns
// (filepath.Glob). A file that names no profile has cases for a3 and a5.
func Examples(root string, patterns ...string) ([]*Case, error) {
	var cases []*Case
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		for i, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				return nil, err
			}
			name = filepath.ToSlash(name)
			profiles := []string{profileOf(name, string(text), "")}
			if profiles[0] == "" {
				profiles = []string{"a3", "a5"}
			}
			for _, profile := range profiles {
				found, err := Kernels(name, string(text), profile, uint64(i))
				if err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
				for _, c := range found {
					c.Name = profile + " " + c.Name
				}
				cases = append(cases, found...)
			}
		}
	}
	return slices.DeleteFunc(cases, func(c *Case) bool { return !Filter().MatchString(c.Name) }), nil
}

// profileOf returns the profile of a program. It is named by the module, by a command
// line in the text, or by the path; the default is other.
func profileOf(path, text, other string) string {
	for _, m := range [][]string{inText.FindStringSubmatch(text), inPath.FindStringSubmatch(path)} {
		if m != nil {
			return m[1]
		}
	}
	return other
}

var (
	inText = regexp.MustCompile(`(?:--pto-arch[= ]|target_arch = ")(a\d)`)
	inPath = regexp.MustCompile(`(?:^|[_/-])(a[35])(?:[_/-]|$)`)
)
