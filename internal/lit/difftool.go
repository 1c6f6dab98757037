// This file implements diff.

package lit

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ptogo/internal/textdiff"
)

// runDiff is the command diff: it compares two files or, with -r, two directories. -b
// treats runs of blanks as equal, -w ignores blanks, and -q only reports that files
// differ. The output always has the unified format of -u.
func runDiff(c *command, args []string) int {
	args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "--strip-trailing-cr" })
	given, names, err := flags(args, "ubwqrU:")
	if err != nil || len(names) != 2 {
		return c.fail("diff", 2, "%v", orUsage(err, "expected two files"))
	}
	if has(given, "r") {
		return c.diffDirs(names[0], names[1], given)
	}
	return c.diffFiles(names[0], names[1], given)
}

// diffFiles compares two files, whose paths are the parameters left and right. It prints
// their differences, and returns 0 if they are equal.
func (c *command) diffFiles(left, right string, options map[byte]string) int {
	a, errA := c.read(left)
	b, errB := c.read(right)
	if errA != nil || errB != nil {
		return c.fail("diff", 2, "%v", orUsage(errA, "%v", errB))
	}
	if bytes.Equal(blanked(a, options), blanked(b, options)) {
		return 0
	}
	if has(options, "q") {
		c.print(fmt.Sprintf("Files %s and %s differ\n", left, right))
		return 1
	}
	c.print(textdiff.Unified(left, right, string(a), string(b)))
	return 1
}

// blanked returns the text with normalized blanks. With -b, a sequence of blanks becomes
// a single blank; with -w, blanks are removed.
func blanked(text []byte, options map[byte]string) []byte {
	if !has(options, "bw") {
		return text
	}
	glue := " "
	if has(options, "w") {
		glue = ""
	}
	all := strings.Split(string(text), "\n")
	for i, line := range all {
		indent := ""
		if has(options, "b") && strings.TrimLeft(line, " \t\r") != line {
			indent = " "
		}
		all[i] = strings.TrimRight(indent+strings.Join(strings.Fields(line), glue), " ")
	}
	return []byte(strings.Join(all, "\n"))
}

// diffDirs compares the files of the directory trees in the parameters left and right,
// and prints their differences. It returns 0 if the trees are equal.
func (c *command) diffDirs(left, right string, options map[byte]string) int {
	status := 0
	leftFiles, errA := filesBelow(c.path(left))
	rightFiles, errB := filesBelow(c.path(right))
	if errA != nil || errB != nil {
		return c.fail("diff", 2, "%v", orUsage(errA, "%v", errB))
	}
	for _, name := range leftFiles {
		if !slices.Contains(rightFiles, name) {
			c.print(fmt.Sprintf("Only in %s: %s\n", left, name))
			status = 1
			continue
		}
		status = max(status, c.diffFiles(filepath.Join(left, name), filepath.Join(right, name), options))
	}
	for _, name := range rightFiles {
		if !slices.Contains(leftFiles, name) {
			c.print(fmt.Sprintf("Only in %s: %s\n", right, name))
			status = 1
		}
	}
	return status
}

// filesBelow returns the relative names of the files in a directory tree, sorted.
func filesBelow(dir string) ([]string, error) {
	var names []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	})
	return names, err
}
