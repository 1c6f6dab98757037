// This file limits the memory of launches whose events are recorded.

package limit

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ptogo/runtime"
)

// A launch whose events somebody records, for a prediction of time or a checker, needs
// memory as long as it runs. In a process that it shares with other requests it is ended
// when the heap has grown by more than its limit.

// Listening are the launches of this process whose events are recorded.
var Listening listeningLaunches

// listeningLaunches is the set of launches that record events. The memory for the
// recorded events grows during a launch, so the process must limit it.
type listeningLaunches struct {
	mu  sync.Mutex
	all map[*listeningLaunch]bool
	// looking means that the goroutine which measures the heap is running.
	looking bool
	// without is the heap size in bytes before the first of these launches started.
	without uint64
}

// listeningLaunch is a launch whose events are recorded. As a listener, it counts the
// events.
type listeningLaunch struct {
	limit  Memory
	events atomic.Int64
	// why is the reason for which the launch must stop, or nil.
	why atomic.Pointer[string]
}

// Begin implements runtime.Listener; the start of a launch needs no action.
func (l *listeningLaunch) Begin(*runtime.Launch) {}

// Event counts one event of the launch. The count shows how much memory the launch needs,
// because its listeners store a record for each event. If all launches together need too
// much memory, the launch with the highest count is stopped first.
func (l *listeningLaunch) Event(*runtime.Event) { l.events.Add(1) }

// End implements runtime.Listener; the end of a launch needs no action.
func (l *listeningLaunch) End(*runtime.Fault) {}

// Block returns the listener that receives the events of one block. All blocks share the
// listener l, because it counts events with an atomic counter, which parallel blocks can
// increment safely.
func (l *listeningLaunch) Block(int) runtime.Listener { return l }

// Watch returns options for a launch, extended by a listener and a stop condition: the
// launch is stopped when it needs more memory than limit. The caller must call the
// function ended after the launch.
func (ls *listeningLaunches) Watch(o runtime.Options, limit Memory) (watched runtime.Options, ended func()) {
	l := &listeningLaunch{limit: limit}
	stop := o.Stop
	o.Listeners = append(slices.Clone(o.Listeners), l)
	o.Stop = func() string {
		if why := l.why.Load(); why != nil {
			return *why
		}
		if stop != nil {
			return stop()
		}
		return ""
	}
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if ls.all == nil {
		ls.all = map[*listeningLaunch]bool{}
	}
	if !ls.looking {
		ls.looking, ls.without = true, LiveHeap()
		go ls.look()
	}
	ls.all[l] = true
	return o, func() {
		ls.mu.Lock()
		defer ls.mu.Unlock()
		delete(ls.all, l)
	}
}

// look measures the heap at intervals and stops launches that exceed their limit. It
// returns when no launch remains.
func (ls *listeningLaunches) look() {
	for {
		time.Sleep(WatchInterval)
		ls.mu.Lock()
		if len(ls.all) == 0 {
			ls.looking = false
			ls.mu.Unlock()
			return
		}
		ls.endLargest(LiveHeap())
		ls.mu.Unlock()
	}
}

// endLargest stops the launch with the most recorded events if the launches together need
// too much memory. The parameter heap is the current size of the heap in bytes. The
// launch is stopped if the heap has grown by more than the memory limit of this launch.
// Its memory is then not counted any more, because it will be freed.
func (ls *listeningLaunches) endLargest(heap uint64) {
	var largest *listeningLaunch
	for l := range ls.all {
		if l.why.Load() != nil {
			return
		}
		if largest == nil || l.events.Load() > largest.events.Load() {
			largest = l
		}
	}
	if heap < ls.without || heap-ls.without <= uint64(largest.limit.Bytes) {
		return
	}
	why := fmt.Sprintf("was running when the records of the run exceeded %s of memory (--max-memory)", &largest.limit)
	largest.why.Store(&why)
	ls.without = heap
}
