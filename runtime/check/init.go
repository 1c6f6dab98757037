// This file checks for reads of uninitialized memory.

package check

import (
	"fmt"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// Reading uninitialized memory is not a mistake by itself. Vector instructions read
// whole registers, of which a mask excludes lanes, and moves copy the padding of a
// tile. It is a mistake if such a byte affects the result: it reaches global memory, a
// branch, an address or a comparison.
//
// This file tracks uninitialized bytes conservatively: everything that an instruction
// writes may be uninitialized if one of its sources is. The result is only a suspicion.
// confirm.go decides it by running the kernel again with other contents of the
// uninitialized memory.

// origin describes one read of uninitialized memory. Other values were computed from the
// value that was read.
type origin struct {
	site int32
	arg  int16
	core int32
	// lo and hi are byte offsets in memory; hi is exclusive.
	lo, hi int64
	memory string
	round  string
}

// initState tracks uninitialized bytes, and the values computed from them, through a
// launch.
type initState struct {
	c *Checker
	// origins are numbered by their index. Number 0 means initialized.
	origins []origin
	// of maps an operand of an instruction to the number of the origin (uninitialized
	// read) that it created.
	of map[findingKey]int32
	// cur is the number of the origin that affects the current instruction, or 0.
	cur   int32
	event *runtime.Event
	// reached maps the sites (operations) of stores to global memory to an origin that
	// may have affected the stored data. scalars does the same for scalar reads that
	// determine a branch or an address.
	reached map[int32]int32
	scalars map[int32]int32
}

// newInitState returns the state for the start of a launch, when all local memory is
// uninitialized.
func newInitState(c *Checker) *initState {
	return &initState{c: c, origins: make([]origin, 1), of: map[findingKey]int32{}, reached: map[int32]int32{}, scalars: map[int32]int32{}}
}

// start begins the instruction of event e. It looks up the instructions that produced the
// registers which e reads. If one of them computed with uninitialized bytes, start
// records the origin of these bytes for this instruction.
func (st *initState) start(e *runtime.Event, s *site) {
	st.cur, st.event = 0, e
	for _, d := range s.deps {
		if o := st.c.sites.all[d].origin; o != 0 {
			st.cur = o
			return
		}
	}
}

// read processes the read access a of the current instruction, for those bytes whose
// access history is the parameter cell. If the bytes are uninitialized, or were computed
// from uninitialized bytes, the results of the instruction depend on uninitialized
// memory. cur is the entry for the access in access histories, and base is the memory
// offset to which the offsets in cell are relative.
func (st *initState) read(cell *cell, a *runtime.Access, base int64, cur *stamp) {
	o := cell.origin
	if a.Space == sem.GM { // only slots of queues hold garbage
		if st.cur == 0 {
			st.cur = o
		}
		return
	}
	if cell.write.site == 0 || cell.write.flags&scratchStamp != 0 {
		o = st.origin(cur, a, base+int64(cell.lo), base+int64(cell.hi))
	}
	if st.cur == 0 {
		st.cur = o
	}
}

// origin records a read of uninitialized memory. The parameter a is the memory access.
// The bytes lo to hi-1 of the accessed memory are uninitialized. cur identifies the
// instruction, its operand and its core.
//
// The first such read through an operand creates a record, called an origin. Later reads
// through the same operand create no further origin. If their bytes directly follow the
// byte range of the origin, and the core is the same, the range is extended. The result
// is the number of the origin.
func (st *initState) origin(cur *stamp, a *runtime.Access, lo, hi int64) int32 {
	k := findingKey{Init, "", cur.site, int32(cur.arg)}
	n, ok := st.of[k]
	if !ok {
		n = int32(len(st.origins))
		st.of[k] = n
		st.origins = append(st.origins, origin{
			site: cur.site, arg: cur.arg, core: cur.core, lo: lo, hi: hi, memory: st.c.memoryName(a), round: roundText(st.event),
		})
		return n
	}
	if o := &st.origins[n]; o.hi == lo && o.core == cur.core {
		o.hi = hi
	}
	return n
}

// wrote records that operation number s has written bytes; the parameter cell is the
// access history that these bytes share. If the current instruction has read
// uninitialized bytes, the written bytes depend on them. In local memory, wrote marks the
// bytes as dependent. In global memory, which contains the results of the kernel, it
// records that s has stored dependent data. A queue slot in global memory counts as local
// memory: a push also copies padding, which the other core may ignore.
func (st *initState) wrote(cell *cell, a *runtime.Access, s int32) {
	if a.Space != sem.GM || st.c.sites.all[s].pushes {
		cell.origin = st.cur
		return
	}
	cell.origin = 0
	if st.cur != 0 && st.reached[s] == 0 {
		st.reached[s] = st.cur
	}
}

// finish ends the current instruction. If it has read uninitialized bytes, its results
// depend on them.
func (st *initState) finish(s *site) {
	if s.origin == st.cur && st.cur == 0 || s.op.NumResults() == 0 {
		return
	}
	s.origin = st.cur
	if st.cur == 0 || !s.scalar {
		return
	}
	if s.sink == notFollowed {
		s.sink = sinkOf(s.op)
	}
	if s.sink != noSink && st.scalars[s.id] == 0 {
		st.scalars[s.id] = st.cur
	}
}

// garbage reports that uninitialized memory affects a result of an operation, the
// parameter at. The parameter how describes the effect, and n is the number of the origin
// (the uninitialized read).
func (c *Checker) garbage(at *ir.Op, how string, n int32) {
	st := c.main.init
	s := c.sites.site(at)
	r := c.finding(findingKey{Init, "garbage", s.id, 0}, ir.Error, 0, "uninitialised memory %s", how)
	if r == nil || int(n) >= len(st.origins) || n == 0 {
		return
	}
	o := &st.origins[n]
	from := c.sites.all[o.site].op
	name := operandName(from, o.arg)
	round := ""
	if o.round != "" {
		round = ", in " + o.round
	}
	r.Lo, r.Hi, r.Space = o.lo, o.hi, o.memory
	r.note(from.Loc(), "'%s' is the first to read it: %s%s%s", from.Name(), bytesOf(o.lo, o.hi, o.memory), named(name), round)
	if a := allocationOf(from, o.arg); a != nil {
		r.note(a.Loc(), "the memory is allocated here")
	}
	r.note(ir.Loc{}, "write it first, or exclude it by the valid region of the tile or by a mask")
}

// allocationOf returns the operation that allocated the memory of an operand of op, or
// nil if it is unknown. arg is the index of the operand.
func allocationOf(op *ir.Op, arg int16) *ir.Op {
	if arg < 0 || int(arg) >= op.NumOperands() {
		return nil
	}
	v := op.Operand(int(arg))
	for v.Op() != nil && v.Op().NumOperands() > 0 {
		up := v.Op().Operand(0)
		if _, tile := pto.TileOf(up.Type()); !tile && !ir.Is[pto.PtrType](up.Type()) {
			break
		}
		v = up
	}
	return v.Op()
}

// reachesGM returns a text for messages, which states that op stores uninitialized values
// to global memory.
func reachesGM(op *ir.Op) string { return fmt.Sprintf("reaches global memory through '%s'", op.Name()) }
