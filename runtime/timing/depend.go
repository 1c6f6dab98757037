// This file names the reasons why an instruction starts late.

package timing

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// Reason states why an item (an instruction or wait in a recording) could not start
// earlier.
type Reason uint8

// These are the reasons why an item (a recorded instruction or wait) waits.
const (
	// Launched means that the item waited for the launch, or for the previous block on
	// the core.
	Launched Reason = iota
	// Issued means that the scalar unit had not issued the item earlier.
	Issued
	// PipeBusy means that the pipe was still executing earlier items.
	PipeBusy
	// FlagFull means that the item waited for a flag that signals available input data.
	FlagFull
	// FlagFree means that the item waited for a flag that signals that an output buffer
	// may be overwritten.
	FlagFree
	// DataFull and DataFree correspond to FlagFull and FlagFree in a program without
	// flags, where instructions wait for the memory that they access.
	DataFull
	DataFree
	// BufferTurn means that the item waited for a buffer token (get_buf), a lock between
	// pipes.
	BufferTurn
	// BarrierMet means that the item waited at a barrier between pipes.
	BarrierMet
	// CrossCore means that the item waited for a signal of another core.
	CrossCore
	// QueueFull means that the item waited for an entry of a queue.
	QueueFull
	// QueueFree means that the item waited for a free slot of a queue.
	QueueFree
	// CoresMet means that the item waited at a barrier across all cores.
	CoresMet
	// RankSignal means that the item waited for a signal of another rank.
	RankSignal
	numReasons
)

// reasonNames are the names, in reports, of the reasons why an item (a recorded
// instruction or wait) could not start earlier.
var reasonNames = [numReasons]string{
	"launch", "issue", "pipe", "flag", "flag, slot free", "data", "data, slot free", "buffer", "barrier", "signal", "queue entry", "queue slot", "all cores", "signal of a rank",
}

// String returns the name of the reason in reports, of one to three words.
func (r Reason) String() string { return reasonNames[r] }

// frees reports whether the item waited for a buffer that was still in use. One more
// buffer would avoid such a wait.
func (r Reason) frees() bool {
	return r == FlagFree || r == DataFree || r == QueueFree
}

// sends records the signals of a channel, such as a flag, in the order in which they were
// raised.
type sends struct {
	// items are the numbers of the items (recorded instructions) that raised the signals.
	items []int32
	// taken is the number of releases of a buffer token that the acquisitions so far have
	// waited for.
	taken int
}

// sendsOf returns the recorded signals of channel c. It creates the record on first use.
func (r *Recorder) sendsOf(c runtime.Channel) *sends {
	s := r.sends[c]
	if s == nil {
		s = &sends{}
		r.sends[c] = s
	}
	return s
}

// send records event e, which raises signals. Later waits for these signals then depend
// on the item of this event.
func (r *Recorder) send(e *runtime.Event) {
	n := r.add(e, signalItem, e.Pipe, work{op: e.Op, step: e.Step, pipe: e.Pipe})
	for _, l := range e.Links {
		if !l.Raised {
			continue
		}
		s := r.sendsOf(l.Channel)
		for len(s.items) < l.Number-1 {
			s.items = append(s.items, -1)
		}
		s.items = append(s.items, n)
	}
}

// wait records event e, which waits for signals, as an item that depends on the items
// that raised them.
func (r *Recorder) wait(e *runtime.Event) {
	r.add(e, waitItem, e.Pipe, work{op: e.Op, step: e.Step, pipe: e.Pipe})
	for _, l := range e.Links {
		if l.Raised {
			continue
		}
		s := r.sendsOf(l.Channel)
		switch l.Channel.Kind {
		case runtime.BufferChannel:
			for _, n := range s.items[min(s.taken, len(s.items)):min(l.Number, len(s.items))] {
				r.need(dep{n, -1, BufferTurn})
			}
			s.taken = max(s.taken, l.Number)
		case runtime.CoresChannel:
			r.needMeeting(s, l)
		default:
			if l.Number < 1 || l.Number > len(s.items) || s.items[l.Number-1] < 0 {
				continue
			}
			d := dep{s.items[l.Number-1], s.items[l.Number-1], reasonOf(l.Channel)}
			if d.why.frees() {
				d.relaxed = -1
				if l.Number > 1 {
					d.relaxed = s.items[l.Number-2]
				}
			}
			r.need(d)
		}
	}
}

// needMeeting makes the last recorded item wait for a barrier: the item depends on the
// arrivals of all cores. The link l identifies the barrier, and s contains the items of
// the arrivals. These items are complete, because in a recording all cores arrive before
// the first core leaves.
func (r *Recorder) needMeeting(s *sends, l runtime.Link) {
	for _, n := range s.items[max(0, len(s.items)-l.Of):] {
		if n >= 0 {
			r.need(dep{n, n, CoresMet})
		}
	}
}

// reasonOf returns the reason to record for an item that waits on channel c, such as
// FlagFull for a flag.
func reasonOf(c runtime.Channel) Reason {
	switch c.Kind {
	case runtime.FlagChannel:
		if upstream(c.Dst) < upstream(c.Src) {
			return FlagFree
		}
		return FlagFull
	case runtime.EntryChannel:
		return QueueFull
	case runtime.SlotChannel:
		return QueueFree
	}
	return CrossCore
}

// upstream returns the position of pipe p on the path of data through the core, which
// starts at global memory (position 0, loads) and ends at global memory (position 3,
// stores). Callers compare positions to find the purpose of a flag. A flag from an
// earlier to a later pipe signals that data has arrived, and a flag from a later to an
// earlier pipe signals that a buffer may be reused.
func upstream(p sem.Pipe) int {
	switch p {
	case sem.PipeMTE2:
		return 0
	case sem.PipeMTE1:
		return 1
	case sem.PipeM, sem.PipeV:
		return 2
	}
	return 3
}

// depender derives dependences for programs without flags: an instruction depends on
// earlier instructions that access the same memory, if one of them writes it.
type depender struct {
	target ir.Target
	spaces map[memory][]region
	// runs are the byte ranges of the current access.
	runs []run
}

// memory identifies a memory for the derivation of dependences. The buffers of global
// memory together count as one memory per block: only signals order accesses of different
// blocks.
type memory struct {
	space sem.Space
	core  int
	block int
}

// region is a range of memory together with the last recorded instructions that read or
// wrote it.
type region struct {
	from, to int64
	// runs are the bytes between from and to that belong to the region; nil means all of
	// them. For example, columns of a matrix in global memory alternate with columns of
	// other regions.
	runs []run
	// write is the number of the last item that wrote the region, or -1.
	write int32
	// reads are the last items that read the region, one for each pipe of a core.
	reads []int32
	// before is the number of the last item that used the previous contents. With one
	// more buffer, the next write would depend only on this item.
	before int32
}

// meets reports whether the memory regions g and o have a byte in common.
func (g *region) meets(o *region) bool {
	if g.from >= o.to || o.from >= g.to {
		return false
	}
	if g.runs == nil || o.runs == nil {
		return true
	}
	for _, p := range g.runs {
		for _, q := range o.runs {
			if p.meets(q) {
				return true
			}
		}
	}
	return false
}

// meets reports whether p and q, two runs of equally spaced byte ranges, have a byte in
// common.
func (p run) meets(q run) bool {
	if p.count > q.count {
		p, q = q, p
	}
	for i := range p.count {
		from := p.start + i*p.stride
		// k is the number of the first range of q that ends after from.
		k := int64(0)
		if q.count > 1 && from >= q.start+q.length {
			k = (from-q.start-q.length)/q.stride + 1
		}
		if k < q.count && q.start+k*q.stride < from+p.length && from < q.start+k*q.stride+q.length {
			return true
		}
	}
	return false
}

// newDepender returns a depender for target t. A depender derives dependences between
// instructions from their memory accesses; the new one has not recorded any accesses.
func newDepender(t ir.Target) *depender {
	return &depender{target: t, spaces: map[memory][]region{}}
}

// event records the dependences of item n of the recording r on earlier items. For this
// it compares the memory that event e accesses with earlier accesses. If the item
// transfers bytes of global memory, event uses the byte ranges of the transfer instead.
// The reason is that the event of a copy that was not executed contains no accesses.
func (d *depender) event(r *Recorder, e *runtime.Event, n int32) {
	global := memory{space: sem.GM, core: -1, block: e.Core.Index}
	if k := r.items[n].move; k >= 0 {
		m := &r.moves[k]
		d.access(r, global, regionOf(r.runs[m.from:m.to:m.to]), m.write, n)
	}
	for _, a := range e.Accesses {
		if len(a.Runs) == 0 || a.Space == sem.GM && r.items[n].move >= 0 {
			continue
		}
		in, base := memory{a.Space, a.Core, e.Core.Index}, int64(0)
		if a.Space == sem.GM {
			in, base = global, r.base[a.Buffer]
		}
		d.runs = d.runs[:0]
		for _, p := range a.Runs {
			d.runs = append(d.runs, run{base + p.Start, p.Length, p.Stride, p.Count})
		}
		at := regionOf(d.runs)
		if at.runs = nil; a.Space == sem.GM { // tiles do not lie between each other
			at.runs = slices.Clone(d.runs)
		}
		d.access(r, in, at, a.Kind&runtime.WriteAccess != 0, n)
	}
}

// regionOf returns the smallest address range that contains all the given runs. A run is
// a set of byte ranges at regular distances.
func regionOf(runs []run) region {
	g := region{from: runs[0].start, to: runs[0].end(), runs: runs, write: -1, before: -1}
	for _, p := range runs[1:] {
		g.from, g.to = min(g.from, p.start), max(g.to, p.end())
	}
	return g
}

// end returns the offset of the first byte after the last byte range of the run.
func (p run) end() int64 { return p.start + (p.count-1)*p.stride + p.length }

// access processes an access of item n to memory m. at is the accessed region, and write
// states whether the access is a write. The function makes n depend on earlier
// conflicting items and updates the regions of the memory.
func (d *depender) access(r *Recorder, m memory, at region, write bool, n int32) {
	regions := d.spaces[m]
	own := -1
	for i := range regions {
		g := &regions[i]
		if !g.meets(&at) {
			continue
		}
		if g.from == at.from && g.to == at.to && slices.Equal(g.runs, at.runs) {
			own = i
		}
		if !write {
			d.need(r, dep{g.write, g.write, DataFull}, n)
			continue
		}
		relaxed := g.before
		if slices.Contains(g.reads, n) {
			relaxed = g.last() // it works in place
		}
		for _, user := range append(g.reads, g.write) {
			d.need(r, dep{user, min(relaxed, user), DataFree}, n)
		}
	}
	if own < 0 {
		if len(regions) == mostRegions {
			regions = slices.Delete(regions, 0, 1)
		}
		own = len(regions)
		regions = append(regions, at)
	}
	g := &regions[own]
	if write {
		if !slices.Contains(g.reads, n) {
			g.before = g.last()
		}
		g.write, g.reads = n, g.reads[:0]
	} else {
		g.read(r, n)
	}
	d.spaces[m] = regions
}

// mostRegions limits the number of regions that the depender stores for a memory, and
// thereby its running time.
const mostRegions = 512

// read records that item n (a recorded instruction) has read the region of memory g. If
// an earlier item on the same pipe of the same core has read the region, n replaces it in
// the list of reads.
func (g *region) read(r *Recorder, n int32) {
	for i, old := range g.reads {
		if a, b := &r.items[old], &r.items[n]; a.pipe == b.pipe && a.core == b.core {
			g.reads[i] = n
			return
		}
	}
	g.reads = append(g.reads, n)
}

// last returns the number of the item (recorded instruction) that was the last one to
// read or write the memory region.
func (g *region) last() int32 {
	last := g.write
	for _, n := range g.reads {
		last = max(last, n)
	}
	return last
}

// need makes item n depend on an earlier item. The parameter to identifies the earlier
// item and states the reason for the dependence. need does nothing if both items are on
// an in-order pipe of the same core, because the pipe already orders them.
func (d *depender) need(r *Recorder, to dep, n int32) {
	if to.item < 0 || to.item == n {
		return
	}
	a, b := &r.items[to.item], &r.items[n]
	if a.pipe == b.pipe && a.core == b.core && (a.pipe != sem.PipeV || a.pipe.InOrder(d.target) || to.why == DataFree) {
		return
	}
	for _, old := range r.deps[b.deps:] {
		if old.item == to.item {
			return
		}
	}
	r.need(to)
}
