package diff

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets the heap grow to five times what is in use. Each launch makes the
// memories of its cores, a megabyte or two that nobody needs afterwards, so that
// with the usual factor of two the collector takes a third of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
