// This file finds pairs of accesses without an order.

package check

import (
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/runtime"
)

// hazard is a pair of accesses to common bytes that no synchronization orders, or that a
// data cache may reorder. prev is the access that was simulated first.
type hazard struct {
	prev, cur stamp
	// prevWrote and curWrites state whether the access prev and the access cur write.
	prevWrote bool
	curWrites bool
	why       hazardKind
	event     *runtime.Event
	access    *runtime.Access
	// lo and hi are the common bytes of both accesses; hi is exclusive.
	lo, hi int64
}

// hazardKind is the reason why two accesses to the same bytes can produce a wrong result,
// for example missing synchronization.
type hazardKind uint8

const (
	// unordered means that no synchronization orders the accesses.
	unordered hazardKind = iota
	// staleLoad means that the accesses are ordered, but the scalar unit may read an old
	// value from its data cache.
	staleLoad
	// unwritten means that the accesses are ordered, but a scalar store may still be only
	// in the data cache.
	unwritten
	// sharedLine means that two cores store to different bytes of one cache line. Each
	// cache writes complete lines back, so one of the stores can be lost.
	sharedLine
	// acrossScopes means that the accesses are in two vecscopes (vector functions) that
	// only program order separates.
	acrossScopes
	// clearedSignal means that an instruction stores to a word that carries signals while
	// other cores raise them or wait for them.
	clearedSignal
	// reloaded means that the data of the first write is never read, so that only its
	// order relative to the second write matters.
	reloaded
)

// instruction processes the event e of an instruction. It counts the instruction on its
// pipe and checks its accesses for races. It checks reads before it checks writes.
func (m *machine) instruction(c *coreState, e *runtime.Event, s *site) {
	line := s.lineOf(e)
	if line == order.NoLine {
		return
	}
	ep := c.Step(line)
	if line.IsCopies() {
		if c.copies == nil {
			c.copies = map[int32]uint32{}
		}
		c.copies[s.id] = ep.N
	}
	cur := stamp{seq: uint32(e.Number), n: ep.N, site: s.id, core: ep.Core, line: line}
	if n := len(e.Rounds); n > 0 {
		cur.round = uint32(e.Rounds[n-1].Round)
	}
	if e.Scope != 0 && !c.lanes {
		m.stepScope(c, e, s, &cur)
	}
	if s.pushes {
		cur.flags |= pushStamp
		m.entries.fill(ep)
	}
	if m.init != nil {
		m.init.start(e, s)
	}
	read := reads
	if !m.rules.InOrder(line) && replacesOwn(e) {
		read = looks // remembering its own reads would hide earlier reads by others
	}
	m.pass(c, e, cur, read)
	m.pass(c, e, cur, writes)
	if read == looks {
		m.pass(c, e, cur, keeps)
	}
	if len(m.signals) > 0 {
		m.rewrites(c, e, line)
	}
	if m.init != nil {
		m.init.finish(s)
	}
}

// action is the processing of an access: whether it is compared with earlier accesses,
// and whether it is recorded for later comparisons.
type action uint8

const (
	// reads compares a read with earlier writes and records it.
	reads action = iota
	// writes compares a write with all earlier accesses and records it.
	writes
	// looks compares a read with earlier writes but does not record it.
	looks
	// keeps records a read without comparison, except for bytes that the same instruction
	// has written since.
	keeps
)

// visit describes one memory access of an instruction while the machine checks it for
// races: the core that executes it, the event that reported it, and its time stamp. The
// action states whether the access is compared with earlier accesses, and whether it is
// recorded for later comparisons.
type visit struct {
	core   *coreState
	event  *runtime.Event
	access *runtime.Access
	cur    stamp
	do     action
}

// pass checks the accesses of event e for races. The action do selects which accesses it
// processes and how. With the action writes, pass processes write accesses. With any
// other action, it processes read accesses; these actions differ in whether a read is
// compared with earlier accesses and whether it is recorded. cur describes the
// instruction.
func (m *machine) pass(c *coreState, e *runtime.Event, cur stamp, do action) {
	for i := range e.Accesses {
		a := &e.Accesses[i]
		if isWrite := a.Kind&(runtime.WriteAccess|runtime.ScratchAccess) != 0; do == writes && isWrite ||
			do != writes && a.Kind&(runtime.ReadAccess|runtime.UnusedAccess) == runtime.ReadAccess {
			m.access(&visit{c, e, a, cur, do})
		}
	}
}

// replacesOwn reports whether the instruction of event e may overwrite its own operands:
// it reads and writes overlapping ranges of one memory.
func replacesOwn(e *runtime.Event) bool {
	for i := range e.Accesses {
		a := &e.Accesses[i]
		if a.Kind&runtime.ReadAccess == 0 || len(a.Runs) == 0 {
			continue
		}
		for k := range e.Accesses {
			b := &e.Accesses[k]
			if b.Kind&runtime.WriteAccess != 0 && len(b.Runs) > 0 && a.Space == b.Space && a.Core == b.Core && a.Buffer == b.Buffer &&
				firstByte(a) < lastByte(b) && firstByte(b) < lastByte(a) {
				return true
			}
		}
	}
	return false
}

// enter initializes the state of a vecscope if e is the first event of an execution of
// it. The state describes the order of accesses inside the vecscope.
func (m *machine) enter(c *coreState, e *runtime.Event) {
	if c.scopeID == e.Scope {
		return
	}
	c.scopeID, c.from = e.Scope, c.Last(order.Vector).N
	c.scope.Reset()
}

// stepScope adds the access cur, which is inside a vecscope, to the state of this
// vecscope. It also computes which earlier accesses are complete when cur starts, and
// stores this in cur.
func (m *machine) stepScope(c *coreState, e *runtime.Event, s *site, cur *stamp) {
	if c.scopeID != e.Scope {
		m.enter(c, e)
		c.from-- // the access itself is counted already
	}
	cur.flags |= scopeStamp
	if s.scalar {
		cur.flags |= scalarClass
	}
	for i := range e.Accesses {
		if e.Accesses[i].Kind&(runtime.WriteAccess|runtime.ScratchAccess) != 0 {
			cur.flags |= storeClass
		}
	}
	class := cur.class()
	var start, carried order.Seen // start and carried merge those of the instructions that it depends on
	for _, id := range s.deps {
		if d := &m.state(id).inner; d.scope == e.Scope {
			start.Join(d.start)
			carried[d.class] = max(carried[d.class], d.n)
		}
	}
	n, start := c.scope.Step(class, start, carried)
	m.state(s.id).inner = innerSite{scope: e.Scope, class: class, n: n, start: start}
	c.seen, cur.inner = start, int32(n)
}

// memory returns the access history (shadow) of the memory to which the access a refers.
func (m *machine) memory(a *runtime.Access) *shadow {
	if a.Space == sem.GM {
		return &m.gm[a.Buffer]
	}
	if a.Core >= len(m.cores) {
		n := (a.Core - len(m.cores)) % len(m.idle)
		if m.idle[n] == nil {
			m.idle[n] = &[16]shadow{}
		}
		return &m.idle[n][a.Space]
	}
	return &m.cores[a.Core].spaces[a.Space]
}

// access checks all bytes of the access v for races with earlier accesses, one contiguous
// byte range at a time.
func (m *machine) access(v *visit) {
	a, write := v.access, v.do == writes
	v.cur.arg = int16(a.Operand)
	if a.Kind&runtime.AtomicAccess != 0 {
		v.cur.flags |= atomicStamp
	}
	if write && a.Kind&runtime.ScratchAccess != 0 {
		v.cur.flags |= scratchStamp
	}
	if m.mem != nil && v.do != keeps {
		m.mem.begin(m.sites.all[v.cur.site], a)
	}
	m.reload = reload{}
	s := m.memory(a)
	switch {
	case s.constant && v.do == keeps:
		return
	case s.constant && write: // by a pointer to another argument
		s.constant = false
	}
	for i := range a.Runs {
		r := &a.Runs[i]
		for k := range r.Count {
			m.piece(v, s, r.Start+k*r.Stride, r.Length)
		}
	}
	if write && m.rules.OrderedWrites(v.cur.line) && a.Space != sem.GM {
		m.reloads(v)
	}
	if m.mem != nil && (v.do == reads || v.do == looks) {
		m.mem.finish(v.event, m.sites.all[v.cur.site], a)
	}
	if m.outputs != nil && a.Space == sem.GM {
		if write {
			m.outputs.finish(v.event, m.sites.all[v.cur.site], a)
		} else {
			m.outputs.read(a)
		}
	}
}

// piece checks n contiguous bytes of the access v for races with earlier accesses. The
// parameter at is the offset of the first byte, and s is the access history of the
// memory.
func (m *machine) piece(v *visit, s *shadow, at, n int64) {
	cur := &v.cur
	if v.access.Space == sem.GM && cur.line == order.Scalar && v.do != keeps {
		m.cachedLine(v, at, n)
	}
	for end := at + n; at < end; {
		base := at &^ (pageBytes - 1)
		lo, hi := uint16(at-base), uint16(min(end-base, pageBytes))
		at = base + int64(hi)
		if s.constant { // nobody can write these bytes later, so the read leaves no record
			m.read(v, &cell{lo: lo, hi: hi}, base)
			continue
		}
		p := s.page(base >> pageBits)
		i, j := s.cover(p, lo, hi)
		switch v.do {
		case writes:
			for k := i; k < j; k++ {
				m.overwrite(v, &p.cells[k], base)
			}
			if m.outputs != nil && v.access.Space == sem.GM {
				m.outputs.wrote(v, p.cells[i:j], base, lo, hi)
			}
			lost := m.mem.lost(p.cells[i:j])
			cell := s.one(p, i, j)
			cell.lost = lost
			cell.write = *cur
			if m.init != nil {
				m.init.wrote(cell, v.access, cur.site)
			}
		case keeps:
			for k := i; k < j; k++ {
				if cell := &p.cells[k]; !cell.write.sameInstruction(cur) {
					cell.addRead(cur)
				}
			}
		default:
			for k := i; k < j; k++ {
				m.read(v, &p.cells[k], base)
				if v.do == reads {
					p.cells[k].addRead(cur)
				}
			}
		}
	}
}

// read compares a read with the last write of the bytes in the parameter cell, which have
// a common access history. It reports a race if the two accesses are not ordered.
func (m *machine) read(v *visit, cell *cell, cellBase int64) {
	if w := &cell.write; w.site != 0 {
		m.compare(v, w, true, cellBase+int64(cell.lo), cellBase+int64(cell.hi))
	}
	if m.init != nil {
		m.init.read(cell, v.access, cellBase, &v.cur)
	}
	if m.mem != nil {
		m.mem.read(cell, cellBase)
	}
}

// reload describes an earlier write whose data the current write overwrites before any
// instruction has read them. Both writes are on the same pipe, and no synchronization
// orders them. The memory has the right contents afterwards only if the pipe executes in
// order.
type reload struct {
	// by is the overwritten write, and bytes the number of its bytes that were
	// overwritten.
	by    stamp
	bytes int64
	// other means that the current write also overwrites other data, or data that was
	// read.
	other bool
}

// replaces handles the write cur. cell contains the previous accesses to the bytes that
// this write overwrites. If the last write to them came from the same pipe, no
// synchronization orders the two writes, and no instruction has read the bytes in
// between, then the data of the previous write was useless. In this case, replaces
// records the previous write for a report.
func (m *machine) replaces(c *coreState, cell *cell, cur *stamp) {
	w, r := &cell.write, &m.reload
	switch {
	case w.core != cur.core || w.line != cur.line || c.Over(w.epoch(), cur.line):
	case cell.nreads > 0 || r.bytes > 0 && !r.by.sameInstruction(w):
		r.other = true
	default:
		r.by = *w
		r.bytes += int64(cell.hi - cell.lo)
	}
}

// reloads compares two loads of the same pipe to local memory. The second load overwrites
// all bytes that the first one has stored there, and no instruction has read these bytes
// in between. The first load is useless if the pipe executes in order, and a race if it
// does not. In both cases, reloads reports it.
func (m *machine) reloads(v *visit) {
	a, cur := v.access, &v.cur
	if r := &m.reload; r.bytes > 0 && !r.other {
		if w := m.state(r.by.site).wrote; w.n == r.by.n && w.core == r.by.core && w.bytes == r.bytes {
			m.report(v, &r.by, true, firstByte(a), lastByte(a), reloaded)
		}
	}
	w := wroteSite{n: cur.n, core: cur.core}
	for i := range a.Runs {
		w.bytes += a.Runs[i].Bytes()
	}
	m.state(cur.site).wrote = w
}

// overwrite compares a write with the earlier accesses to the bytes that it overwrites,
// and reports races. cell is the access history of these bytes, and base is the memory
// offset to which the offsets in cell are relative.
func (m *machine) overwrite(v *visit, cell *cell, base int64) {
	lo, hi := base+int64(cell.lo), base+int64(cell.hi)
	if w := &cell.write; w.site != 0 {
		m.compare(v, w, true, lo, hi)
		if m.rules.OrderedWrites(v.cur.line) && v.access.Space != sem.GM {
			m.replaces(v.core, cell, &v.cur)
		}
	}
	for i := range cell.nreads {
		m.compare(v, &cell.reads[i], false, lo, hi)
	}
	for i := range cell.more {
		m.compare(v, &cell.more[i], false, lo, hi)
	}
}

// compare reports a race if no synchronization orders the earlier access prev before the
// current access v. Both accesses touch the bytes with the offsets lo to hi-1 of the same
// memory.
func (m *machine) compare(v *visit, prev *stamp, prevWrote bool, lo, hi int64) {
	if m.seen != nil {
		m.seen.meetings[prev.line] |= 1 << v.cur.line
	}
	if prevWrote && prev.core != v.cur.core && m.cores[prev.core].pair >= 0 {
		prev = m.ofPair(v, prev)
	}
	if !m.ordered(v.core, prev, &v.cur, prevWrote && v.do == writes) {
		why := unordered
		if prev.flags&v.cur.flags&scopeStamp != 0 && prev.core == v.cur.core && prev.n <= v.core.from {
			why = acrossScopes
		}
		if prev.flags&signalStamp != 0 {
			why = clearedSignal
		}
		m.report(v, prev, prevWrote, lo, hi, why)
		return
	}
	if v.access.Space != sem.GM || !prevWrote || prev.line != order.Scalar && v.cur.line != order.Scalar {
		return
	}
	if why := m.cached(v, prev); why != unordered {
		m.report(v, prev, prevWrote, lo, hi, why)
	}
}

// ordered reports whether the access prev is certainly complete when the access cur
// starts on core c.
func (m *machine) ordered(c *coreState, prev, cur *stamp, bothWrite bool) bool {
	if prev.flags&cur.flags&atomicStamp != 0 {
		return true
	}
	if prev.core == cur.core && prev.line <= order.Scalar && cur.line <= order.Scalar {
		return true // both by the scalar unit, in program order
	}
	if prev.core == cur.core && prev.line == cur.line {
		switch {
		case prev.n == cur.n:
			return true
		case prev.flags&cur.flags&scopeStamp != 0 && prev.n > c.from:
			return m.orderedInScope(c, prev, cur)
		case prev.flags&cur.flags&scopeStamp != 0 && !m.rules.OrderedScopes():
			return c.Known(cur.line).Has(prev.epoch())
		case m.rules.InOrder(cur.line), bothWrite && m.rules.OrderedWrites(cur.line):
			return true
		}
	}
	return c.Over(prev.epoch(), cur.line) || bothWrite && m.together(prev, cur)
}

// orderedInScope reports whether the access prev is certainly complete when the access
// cur starts. Both are in the same execution of a vecscope.
func (m *machine) orderedInScope(c *coreState, prev, cur *stamp) bool {
	if prev.flags&cur.flags&scalarClass != 0 {
		return true
	}
	for _, d := range m.sites.all[cur.site].deps {
		if d == prev.site {
			return true
		}
	}
	return c.seen[prev.class()] >= uint32(prev.inner)
}

// report passes a race to the function that creates reports. The race is between the
// earlier access prev and the current access v, in the bytes lo to hi-1. The parameter
// why is the reason for the race.
func (m *machine) report(v *visit, prev *stamp, prevWrote bool, lo, hi int64, why hazardKind) {
	m.hz = hazard{prev: *prev, cur: v.cur, prevWrote: prevWrote, curWrites: v.do == writes, why: why, event: v.event, access: v.access, lo: lo, hi: hi}
	m.racy(&m.hz)
}

// cached compares the current access v with an earlier access, the parameter prev.
// Synchronization orders both accesses, and both access a common byte. cached determines
// whether the data cache of a scalar unit can make them race nevertheless. It returns
// unwritten if the earlier store may still be in the cache, and staleLoad if the load may
// read an old cache line. It returns unordered if the cache does not affect the accesses.
//
// A load by the scalar unit may find an old line in the cache even if the kernel has not
// accessed the line before: an earlier kernel can have loaded it.
func (m *machine) cached(v *visit, prev *stamp) hazardKind {
	c, cur := v.core, &v.cur
	if prev.line == order.Scalar && prev.core == cur.core && cur.line == order.Scalar {
		return unordered // through one cache
	}
	if prev.line == order.Scalar && !m.cores[prev.core].Stored(prev.epoch(), c.Known(cur.line)) {
		return unwritten
	}
	if cur.line != order.Scalar || v.do == writes || c.Sees(prev.epoch()) {
		return unordered
	}
	return staleLoad
}

// cachedLine records which cache lines are in the data cache of the scalar unit after an
// access. The access touches n bytes, from the memory offset in the parameter at.
// cachedLine reports stores of two cores to different bytes of one line: the cache that
// writes the line back last overwrites the store of the other core.
func (m *machine) cachedLine(v *visit, at, n int64) {
	c, cur := v.core, &v.cur
	for l := at / order.LineBytes; l <= (at+n-1)/order.LineBytes; l++ {
		key := wordKey{v.access.Buffer, l}
		if v.do == writes {
			if prev, ok := m.lines[key]; ok && prev.core != cur.core && prev.flags&cur.flags&atomicStamp == 0 && !c.Over(prev.epoch(), cur.line) && !m.together(&prev, cur) {
				m.report(v, &prev, true, l*order.LineBytes, (l+1)*order.LineBytes, sharedLine)
			}
			m.lines[key] = *cur
		}
		if c.touched == nil {
			c.touched = map[wordKey]bool{}
		}
		c.touched[key] = true
	}
}
