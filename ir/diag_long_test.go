package ir

import (
	"strings"
	"testing"
)

// TestLongMessage checks that a message which contains a name of a megabyte is truncated
// when it is printed.
func TestLongMessage(t *testing.T) {
	got := (&Diag{Severity: Error, Text: "unknown operation '" + strings.Repeat("x", 1<<20) + "'"}).String()
	if len(got) > maxText+100 || !strings.HasPrefix(got, "error: unknown operation 'xxx") || !strings.HasSuffix(got, " bytes more)") {
		t.Errorf("%d bytes: %.100s ... %s", len(got), got, got[max(0, len(got)-40):])
	}
}
