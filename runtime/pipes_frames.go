// This file copies frames for instructions that execute after the scalar unit has
// continued.

package runtime

import (
	"slices"
)

// frameCopies is a list of frames that are free for the next copies. The number of
// instructions that wait at the same time is small, but a frame can have many values, so a
// new frame for each instruction would cost more than the copying.
type frameCopies []*frame

// take returns a copy of the frame fr, the storage of a call, with copies of the tiles in
// the given slots. An instruction that executes later reads its operands from this copy,
// because the scalar unit may have changed fr by then. The arrays and structs in the slots
// locals have only one memory, which the copy shares with fr.
func (l *frameCopies) take(fr *frame, tiles, locals []slot) *frame {
	c := l.free(fr)
	own := make([]tile, len(tiles))
	for n, i := range tiles {
		if t := c.t[i]; t != nil {
			own[n] = *t
			c.t[i] = &own[n]
		}
	}
	for _, i := range locals {
		c.r[i] = fr.r[i]
		if c.lin != nil {
			c.lin.r[i] = fr.lin.r[i]
		}
	}
	return c
}

// free returns a copy of fr with its own values, but with the tiles of fr.
func (l *frameCopies) free(fr *frame) *frame {
	n := len(*l) - 1
	if n < 0 || fr.lin != nil || !(*l)[n].fits(fr) {
		return fr.clone(0)
	}
	c := (*l)[n]
	*l = (*l)[:n]
	copy(c.x, fr.x)
	copy(c.v, fr.v)
	copy(c.m, fr.m)
	copy(c.w, fr.w)
	copy(c.a, fr.a)
	copy(c.p, fr.p)
	copy(c.t, fr.t)
	for i := range c.r {
		copy(c.r[i], fr.r[i])
	}
	c.core, c.tiles, c.tops = fr.core, fr.tiles, fr.tops
	return c
}

// fits reports whether the values of fr fit into the arrays of c.
func (c *frame) fits(fr *frame) bool {
	return len(c.x) == len(fr.x) && len(c.v) == len(fr.v) && len(c.m) == len(fr.m) && len(c.w) == len(fr.w) && len(c.a) == len(fr.a) &&
		len(c.p) == len(fr.p) && len(c.t) == len(fr.t) && slices.EqualFunc(c.r, fr.r, func(a, b []byte) bool { return len(a) == len(b) })
}

// give returns a copy to the list after its instruction has been executed.
func (l *frameCopies) give(fr *frame) {
	if fr.lin == nil {
		*l = append(*l, fr)
	}
}
