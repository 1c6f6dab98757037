// This file models flags and signals as sequences of raises and waits.

package order

// Channel is what signals go through in order: the k-th wait takes what the
// k-th raise gave.
type Channel struct {
	raises []Clock // those that were not taken yet, oldest first
	taken  int     // how many were, and have left raises
	waits  []Epoch // the last ones, for Reuse
	waited int
	free   []Clock
}

// mostWaits is how many waits a channel remembers: as many as a counter of 4
// bits can be after.
const mostWaits = 16

// Raise adds a signal, which announces what the caller joins into the clock.
func (ch *Channel) Raise() *Clock {
	var c Clock
	if n := len(ch.free); n > 0 {
		c, ch.free = ch.free[n-1], ch.free[:n-1]
		c.Reset()
	}
	ch.raises = append(ch.raises, c)
	return &ch.raises[len(ch.raises)-1]
}

// Raised is how many signals there were, Waited how many were taken, and
// Pending how many are left.
func (ch *Channel) Raised() int  { return ch.taken + len(ch.raises) }
func (ch *Channel) Waited() int  { return ch.waited }
func (ch *Channel) Pending() int { return ch.Raised() - ch.waited }

// Take joins what signal number k (from 1) told, and all before it, into clock.
// Signals before it are forgotten.
func (ch *Channel) Take(k int, clock *Clock) {
	for ch.taken < k && len(ch.raises) > 0 {
		clock.Join(&ch.raises[0])
		ch.free = append(ch.free, ch.raises[0])
		n := copy(ch.raises, ch.raises[1:])
		ch.raises = ch.raises[:n]
		ch.taken++
	}
}

// Wait notes a wait that is over.
func (ch *Channel) Wait(e Epoch) {
	if len(ch.waits) == mostWaits {
		copy(ch.waits, ch.waits[1:])
		ch.waits = ch.waits[:mostWaits-1]
	}
	ch.waits = append(ch.waits, e)
	ch.waited++
}

// After reports whether a raise that knows clock comes after wait number k,
// from 1. A wait too long ago to be remembered counts as after.
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

// Newest returns what the last signal told that was not taken yet, or nil.
func (ch *Channel) Newest() *Clock {
	if len(ch.raises) == 0 {
		return nil
	}
	return &ch.raises[len(ch.raises)-1]
}
