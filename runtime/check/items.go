// This file finds races between SIMT work items of one launch.

package check

import (
	"bytes"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// Work items of a launch run in any order, and only pto.syncthreads orders their
// accesses: everything before the n-th pto.syncthreads of one work item happens before
// everything after the n-th one of any other work item. Fences and operations of a
// subgroup, such as shuffles, make writes visible or exchange registers, but let no work
// item wait for the memory accesses of another one. Two accesses to one byte therefore
// race if they are by different work items in the same phase (the number of
// pto.syncthreads before them), one of them writes, and they are not both atomic.

// itemAccess is the last access of a certain kind to a byte of memory by a work item.
type itemAccess struct {
	item, phase, site int32
	arg               int16
	atomic            bool
}

// itemCell is the access history of one byte in a SIMT launch: the last write, and the
// last reads by two different work items. With two readers, one of them differs from each
// later writer.
type itemCell struct {
	write itemAccess
	reads [2]itemAccess
	// value is the byte that the last write stored.
	value byte
}

// itemPage is the number of bytes of memory whose histories are allocated together.
const itemPage = 256

// itemPlace identifies a group of itemPage bytes: the memory and the number of the group.
type itemPlace struct {
	space        sem.Space
	core, buffer int
	page         int64
}

// itemScope holds the accesses of one launch of work items on one core. The field scope
// is the number of the launch (Event.Scope).
type itemScope struct {
	scope uint64
	pages map[itemPlace]*[itemPage]itemCell
}

// cell returns the access history of the byte with the offset in the parameter at, in the
// memory of access a.
func (s *itemScope) cell(a *runtime.Access, at int64) *itemCell {
	k := itemPlace{a.Space, a.Core, a.Buffer, at / itemPage}
	p := s.pages[k]
	if p == nil {
		p = new([itemPage]itemCell)
		s.pages[k] = p
	}
	return &p[at%itemPage]
}

// itemAccesses compares the accesses of event e, an instruction of a work item, with the
// earlier accesses of other work items of its launch, and reports races.
func (c *Checker) itemAccesses(e *runtime.Event, s *site) {
	scope := c.items[e.Core.Number]
	if scope == nil || scope.scope != e.Scope {
		scope = &itemScope{scope: e.Scope, pages: map[itemPlace]*[itemPage]itemCell{}}
		c.items[e.Core.Number] = scope
	}
	for i := range e.Accesses {
		a := &e.Accesses[i]
		if a.Kind&runtime.UnusedAccess != 0 {
			continue
		}
		cur := itemAccess{int32(e.Item), int32(e.Phase), s.id, int16(a.Operand), a.Kind&runtime.AtomicAccess != 0}
		data := e.Memory(*a)
		for _, r := range a.Runs {
			for k := range r.Count {
				at := r.Start + k*r.Stride
				if at < 0 || at+r.Length > int64(len(data)) {
					continue
				}
				c.itemRange(e, scope, a, &cur, at, data[at:at+r.Length])
			}
		}
	}
}

// itemRange processes the access cur to consecutive bytes. at is the offset of the first
// byte, and data are the bytes after the access. The parameter a describes the memory.
func (c *Checker) itemRange(e *runtime.Event, scope *itemScope, a *runtime.Access, cur *itemAccess, at int64, data []byte) {
	var other itemAccess
	class, old := "", make([]byte, 0, 16)
	meet := func(prev *itemAccess, name string) {
		if class == "" && prev.site != 0 && prev.races(cur) {
			other, class = *prev, name
		}
	}
	for i := range data {
		cell := scope.cell(a, at+int64(i))
		old = append(old, cell.value)
		if a.Kind&runtime.WriteAccess == 0 {
			meet(&cell.write, "RAW")
			cell.addRead(cur)
			continue
		}
		meet(&cell.write, "WAW")
		meet(&cell.reads[0], "WAR")
		meet(&cell.reads[1], "WAR")
		cell.write, cell.value = *cur, data[i]
		if cur.atomic {
			cell.addRead(cur)
		}
	}
	if class != "" {
		same := class == "WAW" && bytes.Equal(old, data)
		c.itemRace(e, a, &other, cur, class, at, at+int64(len(data)), same)
	}
}

// races reports whether the accesses x and y of one launch are unordered and not both
// atomic. The caller knows that one of them writes.
func (x *itemAccess) races(y *itemAccess) bool {
	return x.item != y.item && x.phase == y.phase && !(x.atomic && y.atomic)
}

// addRead records the read r. It keeps the reads of two different work items of the
// current phase.
func (cell *itemCell) addRead(r *itemAccess) {
	first, second := &cell.reads[0], &cell.reads[1]
	switch {
	case first.site == 0 || first.phase != r.phase || first.item == r.item && !r.atomic:
		if first.phase != r.phase {
			*second = itemAccess{}
		}
		*first = *r
	case second.site == 0 || second.item == r.item || first.item != r.item:
		*second = *r
	}
}

// itemRace reports that two work items access the bytes lo to hi-1 without an order. The
// parameter a is the current access. If same is set, both store the same value, so that
// the result does not depend on the order.
func (c *Checker) itemRace(e *runtime.Event, a *runtime.Access, prev, cur *itemAccess, class string, lo, hi int64, same bool) {
	op, other := c.sites.all[cur.site].op, c.sites.all[prev.site].op
	severity, why := ir.Error, ""
	if same {
		severity, why = ir.Remark, ", both with the same value"
	}
	verb, otherVerb := "writes", "writes"
	switch class {
	case "RAW":
		verb = "reads"
	case "WAR":
		otherVerb = "reads"
	}
	name := ""
	if a.Space != sem.GM {
		name = named(operandName(op, cur.arg))
	}
	r := c.finding(findingKey{Race, class + why, cur.site, prev.site}, severity, e.Number,
		"'%s' of work item %d %s %s%s that '%s' of work item %d %s, in any order%s",
		op.Name(), cur.item, verb, bytesOf(lo, hi, c.memoryName(a)), name, other.Name(), prev.item, otherVerb, why)
	if r == nil {
		return
	}
	r.Class = class
	r.Lo, r.Hi, r.Space = lo, hi, c.memoryName(a)
	r.note(other.Loc(), "'%s' is here; no pto.syncthreads is between the two accesses", other.Name())
	switch {
	case same:
	case class == "WAW":
		r.note(ir.Loc{}, "let one work item store, give each work item its own bytes, or use an atomic instruction")
	default:
		r.note(ir.Loc{}, "insert pto.syncthreads between the two accesses, outside of branches that only some work items take")
	}
}
