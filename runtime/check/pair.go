// This file compares the two vector cores of a block.

package check

import (
	"ptogo/dialect/pto/sem"
)

// The two vector cores of a block execute the same instructions of a function that has
// work for both kinds of cores (runtime.Launch), so what they write is equal. That two
// of them write is a hazard only for those who read in between:
//
//   - Both execute one instruction: in either order the same contents remain.
//   - One writes what the other one has written by an earlier instruction. If its own
//     execution of that instruction is over, the same contents remain in the end, but
//     for some time the older ones may come back: the bytes are late.
//   - One reads what the other one has written. It finds what it has written itself,
//     unless the bytes are late.
//
// That one writes what the other one may still have to read is a hazard like any other.

// second reports whether c is the second vector core of a block in which two vector cores
// execute the same instructions.
func (c *coreState) second() bool { return c.pair >= 0 && c.info.Sub > 0 }

// together reports whether the accesses prev and cur belong to one instruction that
// several cores of a block execute together.
func (m *machine) together(prev, cur *stamp) bool {
	return prev.site == cur.site && prev.core != cur.core && cur.seq-prev.seq < mostTogether && m.cores[cur.core].shares(&m.cores[prev.core])
}

// mostTogether is the maximum number of device cores that one simulated core represents:
// the cube core and the two vector cores of a block.
const mostTogether = 3

// shares reports whether c and o, the states of two device cores, belong to the same
// simulated core, which represents both.
func (c *coreState) shares(o *coreState) bool {
	return c.mixed && c.info.Kernel == o.info.Kernel && c.info.Index == o.info.Index
}

// ofPair selects the write with which the access v must be compared. If two vector cores
// (a pair) execute the same instructions, only one of them is simulated completely. A
// write of the pair then represents two writes: prev, and the same write by the other
// core of the pair. ofPair returns the one that can conflict with v.
//
// Usually this is the write of the other core if v is an access by that core, and prev if
// v is an access by any other core. There are these exceptions. If v is by the other
// core, ofPair returns prev if prev is known to be complete, or if v reads bytes that a
// core may still overwrite with older contents. If v is by a different core that shares
// the memory, and prev is known to be complete, ofPair returns the write of the other
// core of the pair. If both accesses are atomic, or if prev does not belong to a pair,
// ofPair returns prev.
func (m *machine) ofPair(v *visit, prev *stamp) *stamp {
	cur, o := &v.cur, &m.cores[prev.core]
	if o.pair < 0 || v.core.Over(prev.epoch(), cur.line) && o.pair == cur.core || prev.flags&cur.flags&atomicStamp != 0 {
		return prev
	}
	other := *prev
	other.core = o.pair
	switch {
	case o.pair != cur.core:
		if shared := v.access.Space == sem.GM || v.access.Space == sem.L1; shared && v.core.Over(prev.epoch(), cur.line) {
			return &other
		}
		return prev
	case v.do == writes:
		if !m.together(prev, cur) || prev.flags&lateStamp != 0 {
			cur.flags |= lateStamp
		}
	case prev.flags&lateStamp != 0:
		return prev
	}
	return &other
}
