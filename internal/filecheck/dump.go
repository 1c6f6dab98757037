// This file writes the annotated input.

package filecheck

import (
	"fmt"
	"io"
)

// dumpInput prints the input with line numbers: all lines, or only those near the
// diagnostics ds.
func (c *command) dumpInput(w io.Writer, input []byte, ds []Diagnostic) {
	f := fileOf(c.inputName(), string(input))
	marked := map[int]bool{}
	for _, d := range ds {
		if d.File == f.name {
			marked[d.Line-1] = true
		}
	}
	fmt.Fprintf(w, "\nInput was (%s):\n", f.name)
	shown := -1
	for i := range f.lineCount() {
		if c.dump != "always" && !near(marked, i, c.context) {
			continue
		}
		if i != shown+1 {
			fmt.Fprintln(w, "     ...")
		}
		shown = i
		mark := ' '
		if marked[i] {
			mark = '>'
		}
		fmt.Fprintf(w, "%c%4d: %s\n", mark, i+1, f.line(i))
	}
}

// near reports whether a marked line is at most n lines away from line i.
func near(marked map[int]bool, i int, n uint) bool {
	for line := range marked {
		if uint(max(line-i, i-line)) <= n {
			return true
		}
	}
	return false
}
