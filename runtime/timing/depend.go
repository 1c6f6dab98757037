// This file names the reasons why an instruction starts late.

package timing

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// Reason is the cause for which an item could not start earlier.
type Reason uint8

// The reasons.
const (
	// Launched means the launch, or the previous block on the core.
	Launched Reason = iota
	// Issued means that the scalar unit had not issued the item before.
	Issued
	// PipeBusy means that the pipe still executed earlier items.
	PipeBusy
	// FlagFull means a flag that signals that input data is ready.
	FlagFull
	// FlagFree means a flag that signals that an output buffer may be overwritten.
	FlagFree
	// DataFull and DataFree are the same two reasons in a program without flags.
	DataFull
	DataFree
	// BufferTurn means a buffer token (get_buf).
	BufferTurn
	// BarrierMet means a barrier of pipes.
	BarrierMet
	// CrossCore means a signal from another core.
	CrossCore
	// QueueFull means that the item waits for an entry of a queue.
	QueueFull
	// QueueFree means that the item waits for a free slot of a queue.
	QueueFree
	// CoresMet means a barrier of all cores.
	CoresMet
	// RankSignal means a signal of another rank.
	RankSignal
	numReasons
)

// reasonNames are the reasons in reports.
var reasonNames = [numReasons]string{
	"launch", "issue", "pipe", "flag", "flag, slot free", "data", "data, slot free", "buffer", "barrier", "signal", "queue entry", "queue slot", "all cores", "signal of a rank",
}

// String returns a reason in one to three words.
func (r Reason) String() string { return reasonNames[r] }

// frees reports whether the reason is a buffer that is still in use, so that one more
// buffer would help.
func (r Reason) frees() bool {
	return r == FlagFree || r == DataFree || r == QueueFree
}

// sends records the signals of a channel in the order of the raises.
type sends struct {
	// items are the items that raised the signals.
	items []int32
	// taken is the number of releases of a buffer that all acquisitions so far have
	// waited for.
	taken int
}

// sendsOf returns the signals of a channel and creates the record on first use.
func (r *Recorder) sendsOf(c runtime.Channel) *sends {
	s := r.sends[c]
	if s == nil {
		s = &sends{}
		r.sends[c] = s
	}
	return s
}

// send records an event that raises signals.
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

// wait records an event that waits for signals.
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

// needMeeting makes a core wait for all cores at the same barrier. In the recording, all
// arrivals precede the first departure.
func (r *Recorder) needMeeting(s *sends, l runtime.Link) {
	for _, n := range s.items[max(0, len(s.items)-l.Of):] {
		if n >= 0 {
			r.need(dep{n, n, CoresMet})
		}
	}
}

// reasonOf returns the reason for a wait on a channel.
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

// upstream returns the position of a pipe on the way of data from global memory through
// the cores and back. A flag from a later to an earlier pipe signals a free buffer.
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

// depender derives dependences for programs without flags: an instruction waits for
// earlier ones that access the same memory.
type depender struct {
	target ir.Target
	spaces map[memory][]region
	// runs are the byte runs of the current access.
	runs []run
}

// memory identifies a memory. All buffers of global memory form one memory, but each
// block has its own: only signals order accesses of different blocks.
type memory struct {
	space sem.Space
	core  int
	block int
}

// region is a piece of memory with the last items that accessed it.
type region struct {
	from, to int64
	// runs are the bytes between from and to that belong to the region; nil means all.
	// Columns of a matrix in global memory alternate with columns of other regions.
	runs  []run
	write int32
	// reads are the last reads, one for each pipe of a core.
	reads []int32
	// before is the last item that used the previous contents. With one more buffer, the
	// next write would only have to wait for this item.
	before int32
}

// meets reports whether two regions share a byte.
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

// meets reports whether two runs share a byte.
func (p run) meets(q run) bool {
	if p.count > q.count {
		p, q = q, p
	}
	for i := range p.count {
		from := p.start + i*p.stride
		// The first piece of q that ends after from.
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

// newDepender returns a depender without any accesses.
func newDepender(t ir.Target) *depender {
	return &depender{target: t, spaces: map[memory][]region{}}
}

// event records the dependences of item n of r. The bytes of global memory come from the
// move of the item, because copies that are not executed have no accesses.
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

// regionOf returns the smallest region of memory that contains the given runs.
func regionOf(runs []run) region {
	g := region{from: runs[0].start, to: runs[0].end(), runs: runs, write: -1, before: -1}
	for _, p := range runs[1:] {
		g.from, g.to = min(g.from, p.start), max(g.to, p.end())
	}
	return g
}

// end returns the offset past the last piece.
func (p run) end() int64 { return p.start + (p.count-1)*p.stride + p.length }

// access adds one access by item n: it makes n wait for conflicting items and updates the
// regions.
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

// mostRegions limits the number of regions that are remembered for a memory.
const mostRegions = 512

// read records that item n has read the region.
func (g *region) read(r *Recorder, n int32) {
	for i, old := range g.reads {
		if a, b := &r.items[old], &r.items[n]; a.pipe == b.pipe && a.core == b.core {
			g.reads[i] = n
			return
		}
	}
	g.reads = append(g.reads, n)
}

// last returns the last item that used the region.
func (g *region) last() int32 {
	last := g.write
	for _, n := range g.reads {
		last = max(last, n)
	}
	return last
}

// need makes item n wait for an earlier one, unless both are on an in-order pipe of the
// same core.
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
