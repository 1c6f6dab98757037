package jit

import (
	"strings"
	"testing"
)

// TestLevel asks which level programs are compiled at if nobody says.
func TestLevel(t *testing.T) {
	for size, want := range map[int]string{1: "3", 10_000: "3", 400_000: "2"} {
		if got := levelFor(strings.Repeat("x", size)); got != want {
			t.Errorf("%d bytes: level %s, not %s", size, got, want)
		}
	}
}
