package limit

import (
	"os"
	"testing"
	"time"
)

// TestStopperEnd sends a signal after the end of a stopper. The runtime does so if the
// signal arrives while two goroutines stop the delivery.
func TestStopperEnd(t *testing.T) {
	s := NewStopper(time.Hour, nil)
	s.End()
	s.signal <- os.Interrupt
	if s.Why() != "" {
		t.Error("the stopper ended the run")
	}
}
