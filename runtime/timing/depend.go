// This file names the reasons why an instruction starts late.

package timing

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// Reason is why something begins no earlier.
type Reason uint8

// The reasons.
const (
	Launched Reason = iota // the launch, or the block before on the core
	Issued                 // the scalar unit came to it
	PipeBusy               // its pipe worked on what stands before it
	FlagFull               // a flag: what it works on is ready
	FlagFree               // a flag: a buffer that it fills is free again
	DataFull               // the same two, where the program has no flags
	DataFree
	BufferTurn // get_buf
	BarrierMet // a barrier
	CrossCore  // a signal of another core
	QueueFull  // an entry of a queue
	QueueFree  // a free slot of a queue
	CoresMet   // all cores
	numReasons
)

var reasonNames = [numReasons]string{
	"launch", "issue", "pipe", "flag", "flag, slot free", "data", "data, slot free", "buffer", "barrier", "signal", "queue entry", "queue slot", "all cores",
}

// String names a reason in a word or two.
func (r Reason) String() string { return reasonNames[r] }

// frees reports whether the reason is a buffer that is still in use: what one
// buffer more helps against.
func (r Reason) frees() bool {
	return r == FlagFree || r == DataFree || r == QueueFree
}

// sends records the signals of a channel, with the items that raised them.
type sends struct {
	items []int32
	taken int // buffers: how many releases all gets so far have waited for
}

func (r *Recorder) sendsOf(c runtime.Channel) *sends {
	s := r.sends[c]
	if s == nil {
		s = &sends{}
		r.sends[c] = s
	}
	return s
}

// send keeps what raises signals.
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

// wait keeps what waits for signals.
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

// needMeeting makes a core wait for all cores at the same barrier. The last of them has
// arrived in the record before the first one leaves.
func (r *Recorder) needMeeting(s *sends, l runtime.Link) {
	for _, n := range s.items[max(0, len(s.items)-l.Of):] {
		if n >= 0 {
			r.need(dep{n, n, CoresMet})
		}
	}
}

// reasonOf is why somebody waits for a channel.
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

// upstream ranks pipes by the way that data takes, from global memory and back.
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

// depender finds what instructions of a program without flags wait for: those
// before them that touch the same memory.
type depender struct {
	target ir.Target
	spaces map[memory][]region
	runs   []run // of the present access
}

// memory identifies a memory. All buffers of global memory are one memory, but each
// block has its own: only signals order accesses of different blocks.
type memory struct {
	space sem.Space
	core  int
	block int
}

// region is a piece of memory, with the last items that wrote and read it.
type region struct {
	from, to int64
	// runs are the bytes in between that belong to it; nil stands for all. Columns
	// of a matrix in global memory lie between those of others.
	runs  []run
	write int32
	reads []int32 // the last of each pipe
	// before is the last item that used what lay here before the present
	// contents: whom the next contents would wait for with one place more.
	before int32
}

// meets reports whether two pieces of memory share a byte.
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

func newDepender(t ir.Target) *depender {
	return &depender{target: t, spaces: map[memory][]region{}}
}

// event notes what item n of r waits for. What it moves from or to global memory
// was noted before, also where copies are not executed.
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

// end is the first byte after all pieces.
func (p run) end() int64 { return p.start + (p.count-1)*p.stride + p.length }

// access notes one access of item n.
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

// mostRegions bounds how much of a memory is remembered.
const mostRegions = 512

// read notes that item n has read the region.
func (g *region) read(r *Recorder, n int32) {
	for i, old := range g.reads {
		if a, b := &r.items[old], &r.items[n]; a.pipe == b.pipe && a.core == b.core {
			g.reads[i] = n
			return
		}
	}
	g.reads = append(g.reads, n)
}

// last is the last item that used the region.
func (g *region) last() int32 {
	last := g.write
	for _, n := range g.reads {
		last = max(last, n)
	}
	return last
}

// need makes item n wait for an earlier one, unless their pipe sees to that.
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
