// This file finds similar lines for notes.

package filecheck

import (
	"fmt"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"

	"ptogo/internal/filecheck/ere"
)

// Limits for the search for a line that is similar to a pattern. The search compares the
// pattern with at most maxNearLines lines, and at most maxNearLength characters of each
// line. It suggests a line only if the function likeness returns more than minLikeness
// for this line.
const (
	maxNearLines  = 2000
	maxNearLength = 1000
	minLikeness   = 0.4
)

// tellNearest adds a note about the line in the region that is most similar to the
// pattern p. The note shows the differences between the pattern and this line. Without a
// sufficiently similar line, tellNearest adds nothing.
func (e *engine) tellNearest(p *pattern, region textRange) {
	wanted := strings.TrimSpace(e.render(p.pieces))
	first := e.input.lineOf(e.skipNewline(region))
	best, line := minLikeness, -1
	grams := bigrams(wanted)
	for i := first; i < min(e.input.lineCount(), first+maxNearLines); i++ {
		if e.input.lines[i] >= region.hi {
			break
		}
		if l := likeness(grams, bigrams(e.input.line(i))); l > best {
			best, line = l, i
		}
	}
	if line < 0 {
		return
	}
	d := e.input.at(e.input.lines[line], SeverityNote, "possible intended match here")
	d.Detail = diff(wanted, strings.TrimSpace(e.input.line(line)))
	e.add(d)
}

// bigrams returns how often each pair of adjacent characters occurs in the text.
func bigrams(text string) map[[2]byte]int {
	m := map[[2]byte]int{}
	for i := range min(len(text), maxNearLength) - 1 {
		m[[2]byte{text[i], text[i+1]}]++
	}
	return m
}

// likeness returns the Dice coefficient of two texts, given by their character pairs: 1
// if the pairs are equal, 0 if none is shared.
func likeness(a, b map[[2]byte]int) float64 {
	total, shared := 0, 0
	for pair, n := range a {
		total += n
		shared += min(n, b[pair])
	}
	for _, n := range b {
		total += n
	}
	if total == 0 {
		return 0
	}
	return 2 * float64(shared) / float64(total)
}

// diff compares two texts and returns the comparison as one line. wanted is the text of a
// pattern, and found is a line of the input. Text that only the input has appears as
// {+...+}, and text that only the pattern has appears as [-...-]. The result is "" if one
// of the texts is too long for a comparison.
func diff(wanted, found string) string {
	if len(wanted) > maxNearLength || len(found) > maxNearLength {
		return ""
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // no time limit, so that the result does not depend on the speed of the machine
	parts := dmp.DiffCleanupSemantic(dmp.DiffMain(wanted, found, false))
	var b strings.Builder
	for _, part := range parts {
		switch part.Type {
		case diffmatchpatch.DiffDelete:
			fmt.Fprintf(&b, "[-%s-]", part.Text)
		case diffmatchpatch.DiffInsert:
			fmt.Fprintf(&b, "{+%s+}", part.Text)
		default:
			b.WriteString(part.Text)
		}
	}
	return "diff, [-wanted-] {+found+}:\n" + ere.Narrow(b.String()) + "\n"
}
