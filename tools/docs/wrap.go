// This file breaks long lines of generated pages.

package docs

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// pageColumns is the number of columns that a line of prose may have. The pages that people
// write have the same limit.
const pageColumns = 120

// listItem matches the marker of a list item, after which continuation lines are indented.
var listItem = regexp.MustCompile(`^\s*- `)

// wrapPages breaks the long lines of prose of all pages. Definitions contain each
// paragraph as one line, which is not readable as a file or in a diff.
func wrapPages(pages map[string]string) map[string]string {
	for name, text := range pages {
		pages[name] = wrapPage(text)
	}
	return pages
}

// wrapPage breaks lines of prose at blanks. Code blocks, tables and headings have the line
// breaks that their syntax requires, and stay as they are.
func wrapPage(text string) string {
	var b strings.Builder
	inBlock := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inBlock = !inBlock
		}
		if inBlock || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "#") || utf8.RuneCountInString(line) <= pageColumns {
			b.WriteString(line)
			continue
		}
		indent := strings.Repeat(" ", len(listItem.FindString(line)))
		column := 0
		for i, word := range strings.Split(strings.TrimSuffix(line, "\n"), " ") {
			n := utf8.RuneCountInString(word)
			switch {
			case i == 0:
			case column+1+n > pageColumns:
				b.WriteString("\n" + indent)
				column = len(indent)
			default:
				b.WriteByte(' ')
				column++
			}
			b.WriteString(word)
			column += n
		}
		b.WriteByte('\n')
	}
	return b.String()
}
