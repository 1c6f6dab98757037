package report

import (
	"bytes"
	"fmt"
	"regexp"
	"testing"
)

// TestVisibleWriter splits a text at every place: a command must not come through in
// two parts.
func TestVisibleWriter(t *testing.T) {
	for _, text := range []string{"a ::b\n::error::x\n", " ::x", "a\n\t::y\n", "::\n"} {
		for i := range text {
			var out bytes.Buffer
			w := &visibleWriter{w: &out}
			fmt.Fprint(w, text[:i])
			fmt.Fprint(w, text[i:])
			if regexp.MustCompile(`(?m)^[ \t]*::`).MatchString(out.String()) {
				t.Errorf("%q cut at %d: %q is a command", text, i, out.String())
			}
		}
	}
}
