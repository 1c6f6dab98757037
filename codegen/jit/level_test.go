package jit

import (
	"strings"
	"testing"
)

// TestLevel checks the default optimization levels of programs.
func TestLevel(t *testing.T) {
	for size, want := range map[int]string{1: "3", 10_000: "3", 400_000: "2"} {
		if got := levelFor(strings.Repeat("x", size)); got != want {
			t.Errorf("%d bytes: level %s, not %s", size, got, want)
		}
	}
}
