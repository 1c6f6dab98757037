package passes

import (
	"net/url"
	"testing"
)

// TestEscaped compares names of folders with those of net/url for every byte.
func TestEscaped(t *testing.T) {
	for b := range 256 {
		name := "a" + string([]byte{byte(b)}) + "z"
		if got, want := escaped(name), url.PathEscape(name); got != want {
			t.Errorf("escaped(%q) = %q, expected %q", name, got, want)
		}
	}
}
