// This file implements split-file.

package lit

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// separator matches the line that starts a section of a file. As in LLVM's split-file,
// one character or two slashes precede the hyphens.
var separator = regexp.MustCompile(`^(?:.|//)--- (.*)$`)

// part is one section of a split file, which is written to a separate file.
type part struct {
	// name is the name of the file in the directory.
	name string
	// line is the line number of the separator.
	line int
	text strings.Builder
}

// runSplitFile is the command split-file: it writes the sections of a file to separate
// files in a directory.
func runSplitFile(c *command, args []string) int {
	leading := false
	var names []string
	for _, arg := range args {
		switch strings.TrimLeft(arg, "-") {
		case "leading-lines":
			leading = true
		case "no-leading-lines":
			leading = false
		default:
			names = append(names, arg)
		}
	}
	if len(names) != 2 {
		return c.fail("split-file", 1, "expected two arguments: an input file and an output directory")
	}
	text, err := c.read(names[0])
	if err != nil {
		return c.fail("split-file", 1, "%v", err)
	}
	parts, err := splitParts(string(text), leading)
	if err != nil {
		return c.fail("split-file", 1, "%s: %v", names[0], err)
	}
	if err := writeParts(c.path(names[1]), parts); err != nil {
		return c.fail("split-file", 1, "%v", err)
	}
	return 0
}

// splitParts splits the text into sections. If leading is set, empty lines at the start
// of each section preserve the line numbers of the original file.
func splitParts(text string, leading bool) ([]*part, error) {
	var parts []*part
	seen := map[string]bool{}
	for i, line := range strings.SplitAfter(text, "\n") {
		m := separator.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			if len(parts) > 0 {
				parts[len(parts)-1].text.WriteString(line)
			}
			continue
		}
		switch {
		case m[1] == "":
			return nil, fmt.Errorf("line %d: empty part name", i+1)
		case strings.Trim(m[1], " \t") != m[1]:
			return nil, fmt.Errorf("line %d: part name cannot have leading or trailing space", i+1)
		case !filepath.IsLocal(m[1]):
			return nil, fmt.Errorf("line %d: part name %q must be a path inside the output directory", i+1, m[1])
		case seen[m[1]]:
			return nil, fmt.Errorf("line %d: part %q occurs more than once", i+1, m[1])
		}
		seen[m[1]] = true
		p := &part{name: m[1], line: i + 1}
		if leading {
			p.text.WriteString(strings.Repeat("\n", p.line))
		}
		parts = append(parts, p)
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("no part separator was found")
	}
	return parts, nil
}

// writeParts writes the parts into dir. If dir is a file, it is removed first.
func writeParts(dir string, parts []*part) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		if err := os.Remove(dir); err != nil {
			return err
		}
	}
	for _, p := range parts {
		path := filepath.Join(dir, p.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(p.text.String()), 0o666); err != nil {
			return err
		}
	}
	return nil
}
