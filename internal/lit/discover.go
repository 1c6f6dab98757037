// This file finds test files.

package lit

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// Discover returns the files below root that have one of the suffixes, in sorted order.
// As in LLVM's lit, directories named Inputs contain no tests. It returns an error if it
// finds none, because an empty suite would always pass.
func Discover(root string, suffixes ...string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (name == "Inputs" || name == "Output" || strings.HasPrefix(name, ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		for _, suffix := range suffixes {
			if strings.HasSuffix(name, suffix) {
				found = append(found, path)
				break
			}
		}
		return nil
	})
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("found no tests (files %s) in the folder %s", strings.Join(suffixes, ", "), root)
	}
	return found, err
}
