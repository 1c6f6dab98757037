// This file follows accesses to memory.

package check

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// usableUB returns the number of bytes of the unified buffer that kernels should use.
// According to pto-isa issue 170, some devices silently corrupt memory at higher
// addresses.
func usableUB(t ir.Target) int64 {
	if t == sem.A5 {
		return 240 << 10
	}
	return 184 << 10
}

// bounds reports accesses of event e to the unified buffer above its usable range.
func (c *Checker) bounds(e *runtime.Event, s *site) {
	for i := range e.Accesses {
		a := &e.Accesses[i]
		if a.Space != sem.UB || len(a.Runs) == 0 || lastByte(a) <= usableUB(c.launch.Target) {
			continue
		}
		if r := c.finding(findingKey{Mem, "top", s.id, 0}, ir.Warning, e.Number, "'%s' accesses %s%s, but kernels on %s should use only the first %d KiB",
			s.op.Name(), bytesOf(firstByte(a), lastByte(a), c.memoryName(a)), named(operandName(s.op, int16(a.Operand))), sem.ProfileName(c.launch.Target), usableUB(c.launch.Target)>>10); r != nil {
			r.note(ir.Loc{}, "the system uses the memory past this address: its contents change silently (pto-isa issue 170)")
		}
	}
}

// memState finds tiles that overlap by mistake. It records through which tile each byte
// was written last. Tiles may share bytes on purpose: two tiles at the same address, or a
// tile and its subview, contain the same data. If two tiles overlap only partially, and
// the program reads one after it has written the other, the memory plan is wrong.
type memState struct {
	c *Checker
	// extent is the accessed byte range of each allocation.
	extent map[rootKey]byteRange
	// root is the allocation of the operand that is currently read, or 0.
	root int32
	// own means that some of the bytes that are read were written through the same
	// allocation.
	own bool
	// other is a write to some of the bytes through another allocation. Its site is 0 if
	// there is none.
	other stamp
	// lo and hi are the bytes that other has written; hi is exclusive.
	lo, hi int64
}

// rootKey identifies the memory of an allocation on one core: the core, and the number of
// the allocating operation.
type rootKey struct {
	core int
	root int32
}

// byteRange is the range of bytes from lo to hi-1.
type byteRange struct{ lo, hi int64 }

// covers reports whether the range s contains all bytes of o.
func (s byteRange) covers(o byteRange) bool { return s.lo <= o.lo && o.hi <= s.hi }

// begin starts the check of access a by the operation s. It determines which operation
// allocated the memory of the accessed operand.
func (m *memState) begin(s *site, a *runtime.Access) {
	m.root, m.own, m.other = 0, false, stamp{}
	if a.Space == sem.GM || len(a.Runs) == 0 {
		return
	}
	if m.root = m.c.sites.root(s, int16(a.Operand)); m.root == 0 {
		return
	}
	k := rootKey{a.Core, m.root}
	x, ok := m.extent[k]
	switch bytes := m.c.sites.all[m.root].bytes; {
	case bytes == 0 && ok: // a pointer has no size, so its extent is what was accessed
		m.extent[k] = byteRange{min(x.lo, firstByte(a)), max(x.hi, lastByte(a))}
	case bytes == 0:
		m.extent[k] = byteRange{firstByte(a), lastByte(a)}
	case !ok || firstByte(a) < x.lo:
		m.extent[k] = byteRange{firstByte(a), firstByte(a) + bytes}
	}
}

// read processes a read of bytes that have a common access history, the parameter cell.
// Each access uses a pointer or tile that is derived from an allocation. read determines
// whether the last write of these bytes used the same allocation as the current read, or
// another one at the same addresses. The offsets in the history are relative to the
// memory offset in the parameter base.
func (m *memState) read(cell *cell, base int64) {
	w := &cell.write
	if m.root == 0 || w.site == 0 {
		return
	}
	pointer := m.c.sites.all[m.root].bytes == 0
	if cell.lost == m.root {
		m.own, pointer = true, false
	}
	switch m.c.sites.root(m.c.sites.all[w.site], w.arg) {
	case m.root:
		m.own = true
	case 0:
	default:
		if m.other.site == 0 && !pointer { // a pointer may address a part of a buffer
			m.other, m.lo, m.hi = *w, base+int64(cell.lo), base+int64(cell.hi)
		}
	}
}

// lost checks whether the current write destroys data in the overwritten bytes. This is
// so if the bytes were written through another allocation and have not been read since.
// lost then returns the number of that allocation, and 0 otherwise. Two live allocations
// at the same address indicate a mistake in the memory plan of the program. cells are the
// access records of the overwritten bytes.
func (m *memState) lost(cells []cell) int32 {
	if m == nil || m.root == 0 {
		return 0
	}
	for i := range cells {
		c, root := &cells[i], int32(0)
		if c.write.site != 0 && c.nreads == 0 {
			root = m.c.sites.root(m.c.sites.all[c.write.site], c.write.arg)
		}
		if root == 0 || root == m.root {
			root = c.lost
		}
		if root != 0 && root != m.root {
			return root
		}
	}
	return 0
}

// finish ends the check of a read of an operand. It reports a warning if some bytes of
// the operand were last written through the operand's own allocation, and others through
// another allocation at overlapping addresses. It reports nothing if one of the two
// allocations contains the other.
func (m *memState) finish(e *runtime.Event, s *site, a *runtime.Access) {
	if !m.own || m.other.site == 0 {
		return
	}
	other := m.c.sites.all[m.other.site]
	root := m.c.sites.root(other, m.other.arg)
	x, y := m.extent[rootKey{a.Core, m.root}], m.extent[rootKey{a.Core, root}]
	if x.covers(y) || y.covers(x) || x.hi <= y.lo || y.hi <= x.lo {
		return
	}
	r := m.c.finding(findingKey{Mem, "overlap", s.id, other.id}, ir.Warning, e.Number, "'%s' reads %s%s, but another allocation overwrote bytes %d..%d",
		s.op.Name(), bytesOf(firstByte(a), lastByte(a), m.c.memoryName(a)), named(operandName(s.op, int16(a.Operand))), m.lo, m.hi-1)
	if r != nil {
		r.note(other.op.Loc(), "'%s' wrote them here%s", other.op.Name(), named(operandName(other.op, m.other.arg)))
		r.note(m.c.sites.all[m.root].op.Loc(), "it is read through this allocation, at bytes %d..%d", x.lo, x.hi-1)
		r.note(m.c.sites.all[root].op.Loc(), "and written through this allocation, at bytes %d..%d: both are in use at the same time", y.lo, y.hi-1)
	}
}

// root returns the number of the operation that allocated the memory of operand arg of
// the operation s. It returns 0 if this operation is unknown.
func (ss *sites) root(s *site, arg int16) int32 {
	if arg < 0 {
		return 0
	}
	for len(s.roots) <= int(arg) {
		s.roots = append(s.roots, -1)
	}
	if s.roots[arg] < 0 {
		s.roots[arg] = 0
		if a := allocationOf(s.op, arg); a != nil && a != s.op && len(a.Results()) == 1 {
			info, tile := pto.TileOf(a.Result(0).Type())
			_, cast := a.Def().Sem.(sem.CastPtr)
			if root := ss.site(a); tile && len(a.Regions()) == 0 {
				root.bytes = int64(info.Footprint())
				s.roots[arg] = root.id
			} else if cast {
				s.roots[arg] = root.id
			}
		}
	}
	return s.roots[arg]
}

// FromFault returns a report for the fault that ended a launch. It returns nil if the
// checker that covers the fault is not enabled.
func (c *Checker) FromFault(f *runtime.Fault) *Report {
	kind := Kind(f.Check)
	if kind == "" || !c.wants(kind) {
		return nil
	}
	d := f.Diag()
	return &Report{Check: kind, Severity: ir.Error, Class: "fault", Loc: d.Loc, Text: d.Text, Notes: d.Notes}
}

// Warned adds a warning of the runtime to the reports. It returns false if the checker
// that covers the warning is not enabled.
func (c *Checker) Warned(f *runtime.Fault) bool {
	d := f.Diag()
	r := &Report{Check: Mem, Severity: ir.Warning, Class: "outside", Loc: d.Loc, Text: d.Text, Notes: d.Notes}
	switch {
	case f.FewCores:
		r.Check, r.Severity, r.Class = Sync, ir.Error, "cores"
	case f.Rings:
		r.Check, r.Class = Sync, "rings"
		if !f.Possible {
			r.Severity = ir.Error
		}
	case f.PastView:
		r.Class = "view"
	case f.Behind == 0:
		r.Check, r.Class = Init, "valid"
	}
	if !c.wants(r.Check) {
		return false
	}
	for _, o := range c.reports {
		if o.Loc == r.Loc && o.Class == r.Class {
			o.More++
			return true
		}
	}
	c.reports = append(c.reports, r)
	return true
}
