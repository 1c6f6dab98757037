// This file ends a run at its time limit or at an interrupt.

package cli

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"ptogo/internal/temporary"
)

// stopper stops a running kernel when its time limit has passed or the user presses
// Ctrl-C. The resulting fault contains the position of the kernel.
type stopper struct {
	// text is the reason to stop, or nil while the kernel may continue.
	text   atomic.Pointer[string]
	timer  *time.Timer
	signal chan os.Signal
	// asked is closed when the user has pressed Ctrl-C.
	asked chan struct{}
	// ended is closed when the stopper is not needed any more. The signal channel stays open,
	// because a signal may arrive at the same time.
	ended chan struct{}
	// release lets Ctrl-C end the process again.
	release func()
}

// Error messages for a kernel that the tool has stopped. Each message continues a
// sentence that starts with the name of the instruction that was running.
const (
	textTimeout     = "was running when the launch reached its time limit of %s (--timeout)"
	textInterrupted = "was running when the launch was interrupted"
)

// newStopper starts the time limit of a run. It also listens for Ctrl-C and for the
// closing of the channel cancelled. The caller calls the method end after the run.
func newStopper(limit time.Duration, cancelled <-chan struct{}) *stopper {
	s := &stopper{signal: make(chan os.Signal, 1), asked: make(chan struct{}), ended: make(chan struct{})}
	s.timer = time.AfterFunc(limit, func() { s.stop(fmt.Sprintf(textTimeout, limit)) })
	s.release = temporary.OnInterrupt(func() {
		select {
		case s.signal <- os.Interrupt:
		default: // it has one already
		}
	})
	go func() {
		select {
		case <-s.signal:
		case <-s.ended:
			return
		case <-cancelled:
		}
		s.stop(textInterrupted)
		close(s.asked)
		s.release() // who asks again does not want to wait
	}()
	return s
}

// stop requests that the kernel stops. The parameter text is the reason, which the fault
// of the kernel contains. Only the reason of the first call is reported.
func (s *stopper) stop(text string) { s.text.CompareAndSwap(nil, &text) }

// why returns the reason to stop, or "" if the kernel may continue.
func (s *stopper) why() string {
	if text := s.text.Load(); text != nil {
		return *text
	}
	return ""
}

// end stops the timer of the time limit and the handling of Ctrl-C. The caller calls it
// after the run.
func (s *stopper) end() {
	s.timer.Stop()
	s.release()
	close(s.ended)
}
