// This file ends a run at its time limit or at an interrupt.

package limit

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"ptogo/internal/temporary"
)

// Stopper stops a running kernel when its time limit has passed or the user presses
// Ctrl-C. The resulting fault contains the position of the kernel.
type Stopper struct {
	// text is the reason to stop, or nil while the kernel may continue.
	text   atomic.Pointer[string]
	timer  *time.Timer
	signal chan os.Signal
	// Asked is closed when the user has pressed Ctrl-C.
	Asked chan struct{}
	// ended is closed when the stopper is not needed any more. The signal channel stays open,
	// because a signal may arrive at the same time.
	ended chan struct{}
	// release lets Ctrl-C end the process again.
	release func()
}

// Error messages for a kernel that the tool has stopped. Each message continues a
// sentence that starts with the name of the instruction that was running.
const (
	TextTimeout     = "was running when the launch reached its time limit of %s (--timeout)"
	TextInterrupted = "was running when the launch was interrupted"
)

// NewStopper starts the time limit of a run. It also listens for Ctrl-C and for the
// closing of the channel cancelled. The caller calls the method end after the run.
func NewStopper(limit time.Duration, cancelled <-chan struct{}) *Stopper {
	s := &Stopper{signal: make(chan os.Signal, 1), Asked: make(chan struct{}), ended: make(chan struct{})}
	s.timer = time.AfterFunc(limit, func() { s.stop(fmt.Sprintf(TextTimeout, limit)) })
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
		s.stop(TextInterrupted)
		close(s.Asked)
		s.release() // who asks again does not want to wait
	}()
	return s
}

// stop requests that the kernel stops. The parameter text is the reason, which the fault
// of the kernel contains. Only the reason of the first call is reported.
func (s *Stopper) stop(text string) { s.text.CompareAndSwap(nil, &text) }

// Why returns the reason to stop, or "" if the kernel may continue.
func (s *Stopper) Why() string {
	if text := s.text.Load(); text != nil {
		return *text
	}
	return ""
}

// End stops the timer of the time limit and the handling of Ctrl-C. The caller calls it
// after the run.
func (s *Stopper) End() {
	s.timer.Stop()
	s.release()
	close(s.ended)
}
