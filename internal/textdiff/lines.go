// This file compares texts line by line.

package textdiff

import "strings"

// Line is a line of two texts: Sign is a blank if both texts have it, a minus if only the
// first one has it, and a plus if only the second one has it.
type Line struct {
	Sign byte
	Text string // without the newline
}

// Lines returns all lines of both texts in order.
func Lines(a, b string) []Line {
	edits := lineEdits(a, b)
	lines := make([]Line, len(edits))
	for i, e := range edits {
		lines[i] = Line{e.sign, strings.TrimSuffix(e.line, "\n")}
	}
	return lines
}
