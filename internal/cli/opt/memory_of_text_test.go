package opt

import (
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ptogo/internal/cli/limit"
	"ptogo/tools/testsize"
)

// TestMemoryOfText measures the memory of programs that need much for each byte of text:
// the live heap, which collections that follow each other closely show.
func TestMemoryOfText(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	for _, d := range dimensions {
		// LLVM IR has a limit of its own, and what regions in each other need grows with the
		// square of their number, of which there are at most 1000.
		if strings.Contains(d.name, "LLVM IR") || strings.Contains(d.name, "in each other") {
			continue
		}
		text := d.text(testsize.Of(3, 8) * d.n)
		runtime.GC()
		before, most := limit.LiveHeap(), atomic.Uint64{}
		end, ended := make(chan bool), make(chan bool)
		go func() {
			defer close(ended)
			for {
				select {
				case <-end:
					return
				case <-time.After(time.Millisecond):
					most.Store(max(most.Load(), limit.LiveHeap()))
				}
			}
		}()
		optOn(text, d.flags)
		end <- true
		<-ended
		if needed := float64(most.Load()-min(before, most.Load())) / float64(len(text)); needed > limit.MemoryPerText {
			t.Errorf("%s: %d bytes need %.0f times as much memory", d.name, len(text), needed)
		} else {
			t.Logf("%s: %.0f", d.name, needed)
		}
	}
}
