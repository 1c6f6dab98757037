// This file models flags and signals as sequences of raises and waits.

package order

// Channel transports signals in order: the k-th wait consumes the k-th raise.
type Channel struct {
	// raises are the clocks of raises that were not consumed yet, oldest first.
	raises []Clock
	// taken is the number of consumed raises.
	taken int
	// waits are the last waits, at most mostWaits of them.
	waits []Epoch
	// waited is the number of all waits.
	waited int
	// free are clocks for reuse.
	free []Clock
}

// mostWaits is the number of waits that a channel remembers. A hardware counter has 4
// bits, so no raise needs to be compared with older ones.
const mostWaits = 16

// Raise adds a signal. The caller joins what the signal announces into the returned
// clock.
func (ch *Channel) Raise() *Clock {
	var c Clock
	if n := len(ch.free); n > 0 {
		c, ch.free = ch.free[n-1], ch.free[:n-1]
		c.Reset()
	}
	ch.raises = append(ch.raises, c)
	return &ch.raises[len(ch.raises)-1]
}

// Raised returns the number of raises, Waited that of waits, and Pending their
// difference.
func (ch *Channel) Raised() int  { return ch.taken + len(ch.raises) }
func (ch *Channel) Waited() int  { return ch.waited }
func (ch *Channel) Pending() int { return ch.Raised() - ch.waited }

// Take joins the announcements of signals up to number k, counted from 1, into clock. The
// channel forgets these signals.
func (ch *Channel) Take(k int, clock *Clock) {
	for ch.taken < k && len(ch.raises) > 0 {
		clock.Join(&ch.raises[0])
		ch.free = append(ch.free, ch.raises[0])
		n := copy(ch.raises, ch.raises[1:])
		ch.raises = ch.raises[:n]
		ch.taken++
	}
}

// Wait records a completed wait.
func (ch *Channel) Wait(e Epoch) {
	if len(ch.waits) == mostWaits {
		copy(ch.waits, ch.waits[1:])
		ch.waits = ch.waits[:mostWaits-1]
	}
	ch.waits = append(ch.waits, e)
	ch.waited++
}

// Behind reports whether a raise that knows clock happens after wait number k, counted
// from 1. It returns true for a wait that has been forgotten.
func (ch *Channel) Behind(k int, clock *Clock) bool {
	if k < 1 {
		return true
	}
	if k > ch.waited {
		return false
	}
	i := len(ch.waits) - 1 - (ch.waited - k)
	return i < 0 || clock.Has(ch.waits[i])
}

// Newest returns the announcement of the last signal that was not consumed, or nil.
func (ch *Channel) Newest() *Clock {
	if len(ch.raises) == 0 {
		return nil
	}
	return &ch.raises[len(ch.raises)-1]
}
