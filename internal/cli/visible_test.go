package cli

import (
	"bytes"
	"fmt"
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
			if why := obeyed(out.String()); why != "" {
				t.Errorf("%q cut at %d: %q: %s", text, i, out.String(), why)
			}
		}
	}
}
