// This file checks which elements of the output arrays a kernel writes.

package check

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// outputState finds stores that overwrite results before any instruction has read them,
// and bytes of the results that no instruction writes.
type outputState struct {
	c *Checker
	// buffers are the buffers of global memory.
	buffers []outputBuffer
	// lost describes what the current store overwrites, and bytes is how many bytes the
	// store writes.
	lost  lostResult
	bytes int64
}

// outputBuffer is what the checker records about one buffer of global memory.
type outputBuffer struct {
	// blank means that all bytes were equal when the launch began: the buffer is an output
	// and not an input. signals means that the buffer carries signals, and read that an instruction
	// has read it.
	blank, signals, read bool
	// last is the last instruction that wrote to the buffer.
	last *ir.Op
	// pages are the contents as the stores have left them, for the pages with stores.
	pages map[int64]*pageSums
}

// pageSums has a checksum of each block of a page, in place of the bytes: a store changes a
// block if the checksum differs afterwards. Blocks that a store has written in part are in
// parts, because a later store may write both sides of the boundary.
type pageSums struct {
	sums  [pageBytes / sumBytes]uint32
	parts map[int]*[sumBytes]byte
}

// sumBytes is the size of a block with a checksum: the alignment of rows in local memory.
const sumBytes = 32

// sum returns the checksum of a block, which is shorter at the end of a buffer.
func sum(block []byte) uint32 {
	const odd = 0x9E3779B97F4A7C15
	h := uint64(len(block)) * odd
	for ; len(block) >= 8; block = block[8:] {
		h = (bits.RotateLeft64(h, 29) ^ binary.LittleEndian.Uint64(block)) * odd
	}
	for _, b := range block {
		h = (bits.RotateLeft64(h, 29) ^ uint64(b)) * odd
	}
	return uint32(h >> 32)
}

// changed reports whether a store has changed one of the bytes from to to-1 of a page. An
// earlier store has written all of them, and page is the contents of the page now. Where
// only a checksum of a block is known, changed cannot examine a part of the block, and
// reports no change.
func (p *pageSums) changed(page []byte, from, to int) bool {
	for k := from / sumBytes; k*sumBytes < to; k++ {
		at := k * sumBytes
		if part := p.parts[k]; part != nil {
			lo, hi := max(from, at), min(to, at+sumBytes)
			if !bytes.Equal(part[lo-at:hi-at], page[lo:hi]) {
				return true
			}
			continue
		}
		end := min(at+sumBytes, len(page))
		if at >= from && end <= to && p.sums[k] != sum(page[at:end]) {
			return true
		}
	}
	return false
}

// record notes that a store has written the bytes lo to hi-1 of a page.
func (p *pageSums) record(page []byte, lo, hi int) {
	for k := lo / sumBytes; k*sumBytes < hi; k++ {
		at := k * sumBytes
		block := page[at:min(at+sumBytes, len(page))]
		p.sums[k] = sum(block)
		part := p.parts[k]
		if part == nil && (lo > at || hi < at+len(block)) {
			part = new([sumBytes]byte)
			if p.parts == nil {
				p.parts = map[int]*[sumBytes]byte{}
			}
			p.parts[k] = part
		}
		if part != nil {
			copy(part[:], block)
		}
	}
}

// lostResult describes the bytes of an earlier store that a later store has changed.
type lostResult struct {
	by     stamp
	bytes  int64
	lo, hi int64
}

// newOutputState returns the state for a launch, or nil if its arrays are not results of
// one kernel: ranks exchange data, and the tasks of a graph read what others have written.
func newOutputState(c *Checker, l *runtime.Launch) *outputState {
	if l.Ranks > 1 || len(l.Tasks) > 0 {
		return nil
	}
	st := &outputState{c: c, buffers: make([]outputBuffer, len(l.Buffers))}
	for i, b := range l.Buffers {
		if b != nil && len(b.Data) > 0 {
			st.buffers[i] = outputBuffer{blank: blank(b.Data), pages: map[int64]*pageSums{}}
		}
	}
	return st
}

// blank reports whether all bytes are equal.
func blank(data []byte) bool { return bytes.Equal(data[1:], data[:len(data)-1]) }

// read notes an access that reads a buffer.
func (st *outputState) read(a *runtime.Access) { st.buffers[a.Buffer].read = true }

// wrote processes a write of the bytes lo to hi-1 of a page of global memory. The
// parameter cells contains the earlier accesses to these bytes, and base is the offset of
// the page in the buffer.
func (st *outputState) wrote(v *visit, cells []cell, base int64, lo, hi uint16) {
	b := &st.buffers[v.access.Buffer]
	if b.pages == nil {
		return
	}
	b.last = v.event.Op
	now := v.event.Memory(*v.access)
	if int64(len(now)) < base+int64(hi) {
		return
	}
	old := b.pages[base>>pageBits]
	if old == nil {
		old = new(pageSums)
		b.pages[base>>pageBits] = old
	}
	page := now[base:min(base+pageBytes, int64(len(now)))]
	st.bytes += int64(hi - lo)
	const ordered = atomicStamp | signalStamp | pushStamp // a later write is meant to change these
	for i := range cells {
		c := &cells[i]
		w := &c.write
		from, to := max(c.lo, lo), min(c.hi, hi)
		if w.site == 0 || c.nreads > 0 || w.core != v.cur.core || w.sameInstruction(&v.cur) || (w.flags|v.cur.flags)&ordered != 0 ||
			!old.changed(page, int(from), int(to)) {
			continue
		}
		l := &st.lost
		if l.bytes == 0 {
			l.by, l.lo = *w, base+int64(from)
		}
		l.bytes, l.hi = l.bytes+int64(to-from), base+int64(to)
	}
	old.record(page, int(lo), int(hi))
}

// finish ends the write access a of event e. It reports results of an earlier store that
// the access has changed, unless the access replaces nothing else: a kernel may write
// preliminary results first.
func (st *outputState) finish(e *runtime.Event, s *site, a *runtime.Access) {
	l, all := st.lost, st.bytes
	st.lost, st.bytes = lostResult{}, 0
	st.ownRows(e, s, a, all)
	if l.bytes == 0 || l.bytes == all {
		return
	}
	from := st.c.sites.all[l.by.site]
	r := st.c.finding(findingKey{Output, "overwritten", s.id, from.id}, ir.Warning, e.Number, "'%s' overwrites results that '%s' has stored and nothing has read: %s of the %d bytes that it writes, first %s",
		s.op.Name(), from.op.Name(), count(int(l.bytes), "byte", "bytes"), all, bytesOf(l.lo, l.hi, st.c.memoryName(a)))
	if r == nil {
		return
	}
	r.Space, r.Lo, r.Hi = st.c.memoryName(a), l.lo, l.hi
	at := "here"
	if from == s {
		at = fmt.Sprintf("here, in round %d of the innermost loop", l.by.round)
	}
	r.note(from.op.Loc(), "'%s' stores them %s", from.op.Name(), at)
	st.noteView(r, s, a)
}

// ownRows reports a store whose own rows overlap in global memory: it writes fewer bytes
// than its tile has. written is the number of different bytes.
func (st *outputState) ownRows(e *runtime.Event, s *site, a *runtime.Access, written int64) {
	src := e.Arg("src")
	if src.Kind != runtime.TileValue || a.Operand < 0 || a.Operand >= s.op.NumOperands() || a.Kind&runtime.AtomicAccess != 0 {
		return
	}
	view, ok := ir.As[pto.PartitionView](s.op.Operand(a.Operand).Type())
	if !ok {
		return
	}
	size := int64(pto.ByteSize(view.Elem))
	all := int64(src.Rows) * int64(src.Cols) * size
	if size == 0 || all <= written {
		return
	}
	if r := st.c.finding(findingKey{Output, "rows", s.id, 0}, ir.Warning, e.Number, "'%s' stores %d elements to only %d different ones of %s: rows of the view overlap",
		s.op.Name(), all/size, written/size, st.c.memoryName(a)); r != nil {
		st.noteView(r, s, a)
	}
}

// noteView adds a note at the view through which the operation at s accesses global
// memory.
func (st *outputState) noteView(r *Report, s *site, a *runtime.Access) {
	if a.Operand < 0 || a.Operand >= s.op.NumOperands() {
		return
	}
	if op := pto.SourceView(s.op.Operand(a.Operand)); op != nil {
		r.note(op.Loc(), "this operation gives the view its strides")
	}
}

// end reports, after a launch without fault, kernels that cannot write to any of their
// arrays.
func (st *outputState) end() {
	arrays, kernels := 0, st.c.kernels()
	for i := range st.buffers {
		if st.buffers[i].pages != nil {
			arrays++
		}
	}
	if arrays == 0 || len(kernels) == 0 {
		return
	}
	for _, f := range analysis.Reached(kernels) {
		for op := range f.Walk() {
			if hasResult(op) {
				return
			}
		}
	}
	r := &Report{Check: Output, Severity: ir.Warning, Class: "nothing", Loc: kernels[0].Loc(), Text: fmt.Sprintf("the kernel writes to none of its %s", count(arrays, "array", "arrays"))}
	r.note(ir.Loc{}, "results leave a kernel by pto.tstore, or by another store to global memory")
	st.c.reports = append(st.c.reports, r)
}

// hasResult reports whether op can write to global memory or to another core, or prints.
func hasResult(op *ir.Op) bool {
	info := pto.InfoOf(op.Def())
	if info == nil {
		return strings.HasPrefix(op.Name(), "memref.") || strings.HasPrefix(op.Name(), "llvm.") // pointers of any memory
	}
	return strings.Contains(op.Name(), "print") || sem.QueueEntryOf(op).Act == sem.QueuePush || slices.ContainsFunc(pto.Effects(op), func(e pto.Effect) bool {
		return e.Kind&pto.Writes != 0 && e.Space == sem.GM
	})
}

// Unwritten describes an output array of which a launch has written only a part: all its
// bytes were equal before the launch, and no instruction reads it.
type Unwritten struct {
	Name string `json:"name"`
	// Size is the size of the array in bytes, and Missing is the number of bytes that no
	// instruction has written.
	Size    int64 `json:"size"`
	Missing int64 `json:"missing"`
	// First are the first ranges of missing bytes, each with its first and last byte.
	First [][2]int64 `json:"first"`
	// Last is the line of the last store to the array.
	Last string `json:"last"`
}

// maxGaps is the number of ranges of bytes that Unwritten names.
const maxGaps = 3

// String returns a sentence about the array.
func (u Unwritten) String() string {
	var gaps []string
	for _, g := range u.First {
		gaps = append(gaps, fmt.Sprintf("%d..%d", g[0], g[1]))
	}
	more := ""
	if len(gaps) == maxGaps {
		more = ", ..."
	}
	return fmt.Sprintf("no instruction writes %d of the %d bytes of %s (bytes %s%s); its last store is in %s", u.Missing, u.Size, u.Name, strings.Join(gaps, ", "), more, u.Last)
}

// unwritten returns the output arrays of which the launch has written only a part.
func (st *outputState) unwritten() (all []Unwritten) {
	for i := range st.buffers {
		b := &st.buffers[i]
		if b.last == nil || !b.blank || b.read || b.signals {
			continue
		}
		buf := st.c.launch.Buffers[i]
		u := Unwritten{Name: st.c.launch.BufferName(i), Size: int64(len(buf.Data)), Last: b.last.Loc().Line()}
		if buf.Size != 0 {
			u.Size = int64(buf.Size)
		}
		next := int64(0)
		gap := func(to int64) {
			if to > next {
				if u.Missing += to - next; len(u.First) < maxGaps {
					u.First = append(u.First, [2]int64{next, to - 1})
				}
			}
		}
		for n, p := range st.c.main.gm[i].pages {
			if p == nil {
				continue
			}
			base := int64(n) << pageBits
			for k := range p.cells {
				if c := &p.cells[k]; c.write.site != 0 {
					gap(min(base+int64(c.lo), u.Size))
					next = base + int64(c.hi)
				}
			}
		}
		if gap(u.Size); u.Missing > 0 {
			all = append(all, u)
		}
	}
	return all
}

// signalled records that the buffers which e accesses carry signals. The checker then does
// not treat them as outputs.
func (c *Checker) signalled(e *runtime.Event) {
	if st := c.main.outputs; st != nil {
		for i := range e.Accesses {
			if a := &e.Accesses[i]; a.Space == sem.GM {
				st.buffers[a.Buffer].signals = true
			}
		}
	}
}
