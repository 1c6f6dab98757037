package opt

import (
	"os"
	"slices"
	"strings"
	"testing"

	"ptogo/internal/cli/exit"
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
		code, out, err := ptoOpt("", "--explain", w.word)
		for _, name := range w.names { // also where the word names an instruction or a group
			if !strings.Contains(out, "pto."+name) {
				code = exit.Diag
			}
		}
		if code != exit.OK || out == "" {
			t.Errorf("%s: code %d: %s%s", w.word, code, out, err)
		}
	}
}

// TestTopics checks that --explain prints every topic by each of its names, that
// no name hides an instruction, and that the files exist that a topic names.
func TestTopics(t *testing.T) {
	for _, topic := range topics {
		for _, name := range topic.names {
			code, out, err := ptoOpt("", "--explain", name)
			if ir.Lookup("pto."+name) == nil && (code != exit.OK || !strings.HasPrefix(out, "# "+topic.names[0]+"\n")) {
				t.Errorf("%s: code %d: %s%s", name, code, out, err)
			}
		}
		for _, page := range topic.pages {
			if _, err := os.Stat("../../../" + page); err != nil {
				t.Errorf("%s: %v", topic.names[0], err)
			}
		}
		for _, word := range strings.FieldsFunc(topic.text, func(r rune) bool { return strings.ContainsRune(" ,:;()\n", r) }) {
			name := strings.TrimSuffix(word, ".")
			isAttribute := slices.Contains([]string{"pto.target_arch", "pto.kernel", "pto.kernel_kind"}, name)
			if strings.HasPrefix(name, "pto.") && !isAttribute && ir.Lookup(name) == nil {
				t.Errorf("%s: there is no %s", topic.names[0], name)
			}
		}
	}
}
