package cli

import (
	"strings"
	"testing"

	"ptogo/ir"
)

// TestWords checks that the instructions exist that words lead to.
func TestWords(t *testing.T) {
	for _, w := range words {
		for _, name := range w.names {
			if ir.Lookup("pto."+name) == nil {
				t.Errorf("%s: there is no pto.%s", w.word, name)
			}
		}
		for _, part := range strings.Fields(w.compose) {
			if name := strings.Trim(part, ":,;"); strings.HasPrefix(name, "pto.") && ir.Lookup(name) == nil {
				t.Errorf("%s: there is no %s", w.word, name)
			}
		}
		code, out, err := opt("", "--explain", w.word)
		for _, name := range w.names { // also where the word names an instruction or a group
			if !strings.Contains(out, "pto."+name) {
				code = exitDiag
			}
		}
		if code != exitOK || out == "" {
			t.Errorf("%s: code %d: %s%s", w.word, code, out, err)
		}
	}
}
