// This file models flags and signals as sequences of raises and waits.

package order

// Channel is a signal between pipes or cores that is raised and awaited repeatedly. The
// k-th wait consumes the k-th raise.
type Channel struct {
	// raises are the pending raises, oldest first. Each is the set of instructions that
	// are complete when the signal is raised.
	raises []Clock
	// taken is the number of consumed raises.
	taken int
	// waits are the most recent waits, at most mostWaits of them.
	waits []Epoch
	// waited is the number of all waits.
	waited int
	// free are clocks that can be reused, to avoid allocations.
	free []Clock
}

// mostWaits is the number of recent waits that a channel stores. The hardware counter of
// a signal has 4 bits and can count to 15. A check of raise number k therefore looks for
// wait number k-15 or a later one. At this time at most k-1 waits are complete, so wait
// number k-15 is always among the last 16.
const mostWaits = 16

// Raise records that a pipe or core raises the signal of the channel. It returns the
// clock of this raise, a set of instructions, which is empty. The caller adds the
// instructions that are complete when the signal is raised.
func (ch *Channel) Raise() *Clock {
	var c Clock
	if n := len(ch.free); n > 0 {
		c, ch.free = ch.free[n-1], ch.free[:n-1]
		c.Reset()
	}
	ch.raises = append(ch.raises, c)
	return &ch.raises[len(ch.raises)-1]
}

// Raised returns how often the signal has been raised, including raises that a wait has
// consumed.
func (ch *Channel) Raised() int  { return ch.taken + len(ch.raises) }
func (ch *Channel) Waited() int  { return ch.waited }
func (ch *Channel) Pending() int { return ch.Raised() - ch.waited }

// Take transfers the oldest raises from the channel to the parameter clock. It adds the
// instructions that these raises guarantee to be complete, until k raises have been taken
// since the start.
func (ch *Channel) Take(k int, clock *Clock) {
	for ch.taken < k && len(ch.raises) > 0 {
		clock.Join(&ch.raises[0])
		ch.free = append(ch.free, ch.raises[0])
		n := copy(ch.raises, ch.raises[1:])
		ch.raises = ch.raises[:n]
		ch.taken++
	}
}

// Wait records a completed wait by instruction e.
func (ch *Channel) Wait(e Epoch) {
	if len(ch.waits) == mostWaits {
		copy(ch.waits, ch.waits[1:])
		ch.waits = ch.waits[:mostWaits-1]
	}
	ch.waits = append(ch.waits, e)
	ch.waited++
}

// Behind reports whether wait number k of the channel is complete when a core raises the
// signal of the channel. The waits are counted from 1. clock belongs to the raise: it
// contains the instructions that the raising core knows to be complete. Behind returns
// true if the wait is one of these instructions. It also returns true for old waits,
// which the channel no longer stores.
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

// Newest returns the clock of the last pending raise, or nil if no raise is pending.
func (ch *Channel) Newest() *Clock {
	if len(ch.raises) == 0 {
		return nil
	}
	return &ch.raises[len(ch.raises)-1]
}
