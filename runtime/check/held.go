// This file checks memory that buffer tokens protect.

package check

import (
	"slices"

	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// guards records how the pipes of a core use buffer tokens, the locks between pipes
// (get_buf and rls_buf).
type guards struct {
	// held contains the buffer tokens that pipes hold now, with the site (operation) that
	// acquired each.
	held map[guardKey]int32
	// of maps the first byte of each access to the tokens that protect it. The checker
	// infers them from the tokens that were held during accesses.
	of map[placeKey]*guard
}

// guardKey identifies a buffer token (lock) together with the pipe that holds it.
type guardKey struct {
	line   order.Line
	buffer int
}

// placeKey is the position of a byte of local memory: the core, the memory space, and the
// byte offset in it.
type placeKey struct {
	core  int
	space sem.Space
	at    int64
}

// guard records properties that all accesses so far to one position of local memory have
// in common, such as the buffer tokens that were held.
type guard struct {
	// buffers is a bit set of the buffer tokens that were held during every access.
	buffers uint32
	// lines is a bit set of the pipes that accessed the position. site is the operation
	// of the last access.
	lines uint16
	site  int32
	// last is the number of the last access by each pipe, counted per pipe.
	last [order.NumLines]uint32
}

// over reports whether all accesses that guard g has recorded for a position of local
// memory are complete before the core c issues its next instruction. This is the case,
// for example, after a barrier of all pipes. From then on, a different buffer token may
// protect the memory.
func (g *guard) over(c *coreState) bool {
	for l, n := range g.last {
		if n > 0 && !c.IssueKnows().Has(order.Epoch{Core: int32(c.info.Number), Line: order.Line(l), N: n}) {
			return false
		}
	}
	return true
}

// guardsOf returns the record of how the pipes of a core use buffer tokens. guardsOf
// creates the record on first use.
func (c *Checker) guardsOf(core int32) *guards {
	g := c.guards[core]
	if g == nil {
		g = &guards{held: map[guardKey]int32{}, of: map[placeKey]*guard{}}
		c.guards[core] = g
	}
	return g
}

// buffers processes event e of the operation s. If the event acquires or releases a
// buffer token, it updates which pipe holds the token.
func (c *Checker) buffers(e *runtime.Event, s *site) {
	switch e.Kind {
	case runtime.BufferGet:
		c.guardsOf(int32(e.Core.Number)).held[guardKey{order.LineOf(e.Pipe), bufferOf(e)}] = s.id
	case runtime.BufferRelease:
		delete(c.guardsOf(int32(e.Core.Number)).held, guardKey{order.LineOf(e.Pipe), bufferOf(e)})
	}
}

// held infers which buffer tokens (locks) protect which memory. It reports an access by a
// pipe that does not hold the token that was held during all other accesses.
func (c *Checker) held(e *runtime.Event, s *site) {
	c.entryUse(e, s)
	g := c.guards[int32(e.Core.Number)]
	if g == nil {
		return
	}
	line := order.LineOf(e.Pipe)
	var mine uint32
	for k := range g.held {
		if k.line == line && k.buffer < 32 {
			mine |= 1 << k.buffer
		}
	}
	for i := range e.Accesses {
		a := &e.Accesses[i]
		if a.Space == sem.GM || len(a.Runs) == 0 {
			continue
		}
		key := placeKey{a.Core, a.Space, firstByte(a)}
		p := g.of[key]
		core := &c.main.cores[e.Core.Number]
		switch {
		case p != nil && p.buffers&mine != 0:
			p.buffers &= mine
			p.lines |= 1 << line
			p.last[line] = core.Last(line).N
		case p != nil && p.lines&(p.lines-1) != 0 && !p.over(core): // several pipes agree on who guards it
			c.notHeld(e, s, a, p)
		case mine != 0:
			g.of[key] = &guard{buffers: mine, lines: 1 << line, site: s.id}
			g.of[key].last[line] = core.Last(line).N
		case p != nil:
			delete(g.of, key)
		}
	}
}

// notHeld reports an access to protected memory by a pipe that does not hold the buffer
// token (lock) of this memory. The parameter a is the access, and p describes the memory
// range and the tokens that earlier accesses held.
func (c *Checker) notHeld(e *runtime.Event, s *site, a *runtime.Access, p *guard) {
	n := 0
	for p.buffers>>n&1 == 0 {
		n++
	}
	r := c.finding(findingKey{Sync, "held", s.id, int32(n)}, ir.Warning, e.Number, "'%s' on %s accesses %s%s without holding buffer %d, which guards them",
		s.op.Name(), e.Pipe, bytesOf(firstByte(a), lastByte(a), c.memoryName(a)), named(operandName(s.op, int16(a.Operand))), n)
	if r != nil {
		r.note(c.sites.all[p.site].op.Loc(), "this access held it, and so did accesses of other pipes")
		r.note(ir.Loc{}, "put the instruction between pto.get_buf \"%s\", %d, 0 and pto.rls_buf \"%s\", %d, 0", e.Pipe, n, e.Pipe, n)
	}
}

// heldAtEnd reports buffer tokens (locks) that are still held when the kernel ends. The
// next kernel on the same core would wait for them forever.
func (c *Checker) heldAtEnd() {
	var sites []int32
	which := map[int32]guardKey{}
	for _, g := range c.guards {
		for k, s := range g.held {
			sites, which[s] = append(sites, s), k
		}
	}
	slices.Sort(sites)
	for _, s := range slices.Compact(sites) {
		k := which[s]
		if r := c.finding(findingKey{Sync, "held at the end", s, int32(k.buffer)}, ir.Error, 0, "pipe %s still holds buffer %d when the kernel ends", k.line.Pipe(), k.buffer); r != nil {
			r.note(ir.Loc{}, "insert pto.rls_buf \"%s\", %d, 0 on all paths after it", k.line.Pipe(), k.buffer)
		}
	}
}

// entryUse reports each access of event e that reads a queue entry after the consumer has
// freed it. The producer may then already have overwritten the slot of the entry.
func (c *Checker) entryUse(e *runtime.Event, s *site) {
	if len(c.main.entries.of) == 0 {
		return
	}
	for i := range e.Accesses {
		a := &e.Accesses[i]
		if a.Kind&(runtime.ReadAccess|runtime.UnusedAccess) != runtime.ReadAccess || len(a.Runs) == 0 {
			continue
		}
		w := c.main.writer(a)
		if w == nil || w.flags&pushStamp == 0 {
			continue
		}
		en := c.main.entries.of[w.epoch()]
		if en == nil || !en.freed(e.Core.Number) || c.main.entries.slotHeld(en) {
			continue
		}
		push := c.sites.all[w.site].op
		if r := c.finding(findingKey{Sync, "freed", s.id, w.site}, ir.Error, e.Number, "'%s' on %s reads %s%s, a queue entry that has already been freed",
			s.op.Name(), e.Pipe, bytesOf(firstByte(a), lastByte(a), c.memoryName(a)), named(operandName(s.op, int16(a.Operand)))); r != nil {
			r.note(c.sites.all[en.freedBy].op.Loc(), "the entry was freed here; the next push may overwrite it at any time")
			r.note(push.Loc(), "it was pushed here")
			r.note(ir.Loc{}, "free the entry after its last use, when %s is done with it", e.Pipe)
		}
	}
}

// writer returns the last write to the first byte of access a. It returns nil if the byte
// was never written.
func (m *machine) writer(a *runtime.Access) *stamp {
	s, at := m.memory(a), firstByte(a)
	p := s.page(at >> pageBits)
	if i := p.first(uint16(at & (pageBytes - 1))); i < len(p.cells) && int64(p.cells[i].lo) <= at&(pageBytes-1) && p.cells[i].write.site != 0 {
		return &p.cells[i].write
	}
	return nil
}
