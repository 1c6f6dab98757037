// This file compares texts line by line.

package textdiff

import "strings"

// Line is a line of a comparison of two texts. Sign is a blank if both texts contain the
// line. It is a minus if only the first text contains it, and a plus if only the second
// text contains it.
type Line struct {
	Sign byte
	Text string // without the newline
}

// Lines compares two texts line by line. The result contains each line of either text. A
// line that both texts have in common occurs once. The order is that of the texts; where
// they differ, lines of one text only are at the position of the difference.
func Lines(a, b string) []Line {
	edits := lineEdits(a, b)
	lines := make([]Line, len(edits))
	for i, e := range edits {
		lines[i] = Line{e.sign, strings.TrimSuffix(e.line, "\n")}
	}
	return lines
}
