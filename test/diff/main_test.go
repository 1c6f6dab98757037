package diff

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets the heap grow to five times the size of live data. Each launch allocates
// the memories of its cores, one or two megabytes. With the default factor of two,
// garbage collection would need a third of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
