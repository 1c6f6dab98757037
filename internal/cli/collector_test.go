package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// TestCollectorFloor sets a least heap and looks where the next collection begins,
// at once and after one that found next to nothing alive: the floor must hold then,
// too, though the runtime would halve its goal.
func TestCollectorFloor(t *testing.T) {
	if os.Getenv("GOGC") != "" {
		t.Skip("GOGC is set, which goes first")
	}
	t.Cleanup(func() {
		collector.Lock()
		defer collector.Unlock()
		collector.least, collector.floor = 0, 0
		debug.SetGCPercent(100)
	})
	const floor = 96 << 20
	tuneCollector(floor)
	for round := range 3 {
		if goal := settledGoal(floor); goal < floor/2 || goal > 4*floor {
			t.Errorf("after %d collections the next one begins at %d MB, not near %d", round, goal>>20, floor>>20)
		}
		runtime.GC()
	}
}

// settledGoal is where the next collection begins; what watches collections sets
// that a little later than they end.
func settledGoal(floor uint64) uint64 {
	var s runtime.MemStats
	for range 100 {
		if runtime.ReadMemStats(&s); s.NextGC >= floor/2 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return s.NextGC
}
