// This file writes the page of diagnostic codes.

package opt

import (
	"fmt"
	"strings"

	"ptogo/ir"
)

// CodesPage returns the text of docs/diagnostics-codes.md, which describes the codes of
// all diagnostics.
func CodesPage() string {
	var b strings.Builder
	b.WriteString("# Codes of diagnostics\n\n`go run ./tools/docs/gen` writes this page from the codes that `pto-opt --explain` accepts; do not edit it.\n\n" +
		"Each code identifies one kind of diagnostic, and its meaning does not change in later versions.\n" +
		"[diagnostics.md](diagnostics.md) shows which output formats contain the codes.\n")
	for _, info := range ir.Codes {
		b.WriteString("\n#" + codePage(info, ""))
	}
	return b.String()
}

// pageWidth is the maximum number of columns of a line in the pages that --explain
// prints.
const pageWidth = 110

// wrapped breaks text at spaces into lines of at most width bytes. A word that is longer
// than that is placed on a separate line.
func wrapped(text string, width int) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case column+1+len(word) > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

// codePage returns the page that --explain prints for a diagnostic code. The parameter
// folder is a prefix for its relative links.
func codePage(info ir.CodeInfo, folder string) string {
	text := info.Text
	if folder != "" {
		text = strings.ReplaceAll(text, "](", "]("+folder)
	}
	return fmt.Sprintf("# %s: %s\n\n%s\n", info.Code, info.Title, wrapped(text, pageWidth))
}
