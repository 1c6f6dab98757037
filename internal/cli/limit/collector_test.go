package limit

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"
)

// floorVariable is set in the process that TestCollectorFloor starts.
const floorVariable = "PTO_TEST_COLLECTOR_FLOOR"

// TestCollectorFloor sets a least heap and looks where the next collection begins,
// at once and after collections that found next to nothing alive: the floor must
// hold then, too, though the runtime would lower its goal. That is so in a process
// that has done nothing else.
func TestCollectorFloor(t *testing.T) {
	if os.Getenv(floorVariable) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestCollectorFloor$")
		cmd.Env = append(os.Environ(), floorVariable+"=1", "GOGC=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	const floor = 96 << 20
	collectFrom(floor)
	for round := range 3 {
		if goal := settledGoal(floor); goal < floor/2 || goal > 2*floor {
			t.Errorf("after %d collections the next one begins at %d MB, not near %d", round, goal>>20, floor>>20)
		}
		runtime.GC()
	}
}

// settledGoal is where the next collection begins; what watches collections sets
// that a little later than they end.
func settledGoal(floor uint64) uint64 {
	var s runtime.MemStats
	for range 1000 {
		if runtime.ReadMemStats(&s); s.NextGC >= floor/2 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return s.NextGC
}
