// Package textdiff writes the differences of two texts in the unified form that patch
// and git apply read. Lines are compared by github.com/sergi/go-diff.
package textdiff

import (
	"fmt"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// context is the number of equal lines around a difference.
const context = 3

// edit is one line of a difference: its sign, blank, minus or plus, and its text with
// the newline, which the last line of a text may lack.
type edit struct {
	sign byte
	line string
}

// Unified returns the differences from text a to text b in unified format, or "" if the
// texts are equal. The header contains the names nameA and nameB.
func Unified(nameA, nameB, a, b string) string {
	if a == b {
		return ""
	}
	edits := lineEdits(a, b)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", nameA, nameB)
	lineA, lineB := 1, 1
	for i := 0; i < len(edits); {
		if edits[i].sign == ' ' && !changes(edits[i:min(len(edits), i+context+1)]) {
			lineA, lineB, i = lineA+1, lineB+1, i+1
			continue
		}
		n := hunkLength(edits[i:])
		lineA, lineB = writeHunk(&out, edits[i:i+n], lineA, lineB)
		i += n
	}
	return out.String()
}

// lineEdits returns all lines of both texts. Each line has a sign: a minus if it is only
// in a, a plus if it is only in b, and a blank if it is in both.
func lineEdits(a, b string) (edits []edit) {
	signs := map[diffmatchpatch.Operation]byte{diffmatchpatch.DiffDelete: '-', diffmatchpatch.DiffInsert: '+', diffmatchpatch.DiffEqual: ' '}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0
	wideA, wideB, table := dmp.DiffLinesToRunes(a, b)
	for _, part := range dmp.DiffCharsToLines(dmp.DiffMainRunes(wideA, wideB, false), table) {
		for line := range strings.Lines(part.Text) {
			edits = append(edits, edit{signs[part.Type], line})
		}
	}
	return edits
}

// changes reports whether the edits contain a line that only one of the two compared
// texts has.
func changes(edits []edit) bool {
	for _, e := range edits {
		if e.sign != ' ' {
			return true
		}
	}
	return false
}

// hunkLength returns the number of edits that belong to the first hunk of the list. A
// hunk ends before a run of more than 2*context equal lines, or at the end of the list.
// It includes up to context equal lines after its last change.
func hunkLength(edits []edit) int {
	end, equal := 0, 0
	for i, e := range edits {
		if e.sign != ' ' {
			end, equal = i+1, 0
			continue
		}
		if equal++; end > 0 && equal > 2*context {
			break
		}
	}
	return min(len(edits), end+context)
}

// writeHunk writes a hunk that starts at line lineA of the first text and at line lineB
// of the second text. It returns the numbers of the lines after the hunk.
func writeHunk(out *strings.Builder, hunk []edit, lineA, lineB int) (nextA, nextB int) {
	nextA, nextB = lineA, lineB
	for _, e := range hunk {
		if e.sign != '+' {
			nextA++
		}
		if e.sign != '-' {
			nextB++
		}
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", lineRange(lineA, nextA-lineA), lineRange(lineB, nextB-lineB))
	for _, e := range hunk {
		out.WriteByte(e.sign)
		out.WriteString(e.line)
		if !strings.HasSuffix(e.line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
	return nextA, nextB
}

// lineRange returns the description of a range of n lines for the header of a hunk. The
// range starts at the parameter line. For an empty range, the description contains the
// number of the preceding line.
func lineRange(line, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", line-1)
	case 1:
		return fmt.Sprint(line)
	}
	return fmt.Sprintf("%d,%d", line, n)
}

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
