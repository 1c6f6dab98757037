package cli

import (
	"os"
	"testing"
	"time"
)

// TestStopperEnd sends a signal after the end of a stopper. The runtime does so if the
// signal arrives while two goroutines stop the delivery.
func TestStopperEnd(t *testing.T) {
	s := newStopper(time.Hour, nil)
	s.end()
	s.signal <- os.Interrupt
	if s.why() != "" {
		t.Error("the stopper ended the run")
	}
}
