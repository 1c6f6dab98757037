// This file models the bandwidth of global memory.

package timing

import (
	"container/heap"
	"math"
)

// globalMemory models the bandwidth that all cores share. Each active move receives a
// fair share of the total rate, limited by the path of its core. A byte in the cache
// uses less of the memory's time than a byte that is not. The effective rate is thus
// the harmonic mean of both rates, which agrees with measurements.
type globalMemory struct {
	r    *Recorder
	rank int
	// link is the number of cycles per byte of the link to other ranks. Moves to and from
	// their memory share the link, and need no time of the own memory.
	link  float64
	cache *cache
	// hit, miss, backward and write are the cycles that the whole memory needs per byte:
	// for a read from the L2 cache, a read that misses it, a write from the cache back to
	// memory, and a write to the cache. If write is 0, writes share the path of reads.
	hit, miss, backward, write float64
	// align is the part of its rate that a copy with the worst alignment reaches.
	align float64
	flows []flow
	// round counts the changes of the set of flows.
	round uint64
	// time is the time up to which the flows have been advanced.
	time float64

	// queue is the capacity in bytes of the queue of data to be written from the L2 cache
	// back to memory. It competes for the memory as one more flow. drain is how fast its
	// share grows with its filling. When it is full, a move that sends more data back has
	// to wait.
	queue, drain float64

	// hits, misses and back are the bytes read from the cache, read from memory, and
	// written back.
	hits, misses, back float64
	// caches is the part of each move that hit the cache, by its number. The memories of
	// all ranks share it.
	caches []float32
	// far is the number of bytes moved over the link.
	far float64
	// used and wrote are the cycles that all moves need of the memory and of the path for
	// writes.
	used, wrote float64
}

// flow is an active move.
type flow struct {
	pipe int32
	item int32
	// left is the number of bytes that remain.
	left float64
	// rate is the current rate in bytes per cycle.
	rate float64
	// most is the maximum rate of its path.
	most float64
	// price and write are the cycles of the whole memory per byte, and those of the path
	// for writes.
	price float64
	write float64
	// link is the number of cycles of the link to other ranks per byte.
	link float64
	// open reports, in divide, that the rate of the flow is not determined yet.
	open bool
}

// newGlobalMemories returns the idle memory of each rank. If warm is set, the cache already
// contains the data of the recording, as far as it fits.
func newGlobalMemories(c *Chip, warm bool, r *Recorder) []*globalMemory {
	caches := make([]float32, len(r.moves))
	all := make([]*globalMemory, r.launch.Ranks)
	for rank := range all {
		all[rank] = newGlobalMemory(c, warm, r, rank, caches)
	}
	return all
}

// newGlobalMemory returns the memory of one rank.
func newGlobalMemory(c *Chip, warm bool, r *Recorder, rank int, caches []float32) *globalMemory {
	g := &globalMemory{
		r: r, rank: rank, link: 1 / c.chipPerCycle(c.num("link.total")/1000), cache: newCache(c), hit: 1 / c.chipPerCycle(c.num("gm.hit")), miss: 1 / c.chipPerCycle(c.num("gm.miss")),
		backward: 1 / c.chipPerCycle(c.num("gm.back")),
		align:    c.num("gm.unaligned"), queue: c.num("l2.queue") * (1 << 20), drain: c.num("l2.drain"), caches: caches,
	}
	if k, ok := c.Get("gm.write"); ok {
		g.write = 1 / c.chipPerCycle(k.Value)
	}
	if warm {
		for i := range r.moves {
			if m := &r.moves[i]; int(m.rank) == rank && !m.far {
				g.cache.move(r, m)
			}
		}
		g.cache.clean()
	}
	return g
}

// begin starts the move of the item at the front of a pipe.
func (g *globalMemory) begin(p *replay, pipe int32, now float64) {
	g.advance(now)
	s := &p.pipeStates[pipe]
	n := s.queue[s.at]
	it := &g.r.items[n]
	m, k := &g.r.moves[it.move], p.costs[it.work]
	if m.far {
		rate, _ := p.chip.linkRate(m.bytes, g.r.works[it.work].op)
		g.far += float64(m.bytes)
		g.flows = append(g.flows, flow{pipe: pipe, item: n, left: float64(m.bytes), most: min(rate, k.rate), link: g.link})
		g.share()
		return
	}
	lines, hit, back := g.cache.move(g.r, m)
	bytes := float64(m.bytes)
	share := float64(hit) / max(float64(lines), 1)
	g.hits += bytes * share
	g.misses += bytes * (1 - share)
	g.back += float64(back)
	g.caches[it.move] = float32(share)
	price, write := g.hit*share+g.miss*(1-share), 0.0
	if m.write {
		// The cache takes what is written; memory gets it when the line must go.
		if price, write = 0, g.write; write == 0 {
			price = g.hit
		}
	}
	g.used += price*bytes + g.backward*float64(back)
	g.wrote += write * bytes
	price += g.backward * g.owe(float64(back)) / bytes
	pieces := 0.0
	for _, x := range g.r.runs[m.from:m.to] {
		pieces += float64(x.count)
	}
	most := k.rate * g.aligned(m)
	if pieces > 1 {
		most = bytes / (bytes/most + k.busy*pieces)
	}
	g.flows = append(g.flows, flow{pipe: pipe, item: n, left: bytes, most: most, price: price, write: write})
	g.share()
}

// owe adds bytes that must be written back to the queue to memory, and returns how many
// bytes do not fit.
func (g *globalMemory) owe(back float64) (over float64) {
	if back == 0 || g.queue == 0 {
		return back
	}
	for i := range g.flows {
		if f := &g.flows[i]; f.pipe == noPipe {
			took := max(min(back, g.queue-f.left), 0)
			f.left += took
			return back - took
		}
	}
	took := min(back, g.queue)
	g.flows = append(g.flows, flow{pipe: noPipe, left: took, most: 1 / g.backward, price: g.backward})
	return back - took
}

// noPipe is the pipe number of the flow for data that is written back from the cache.
const noPipe = -1

// aligned returns the part of its rate that a move reaches. It is 1 if all pieces start
// at multiples of 512 bytes.
func (g *globalMemory) aligned(m *move) float64 {
	return 1 - (1-g.align)*(1-math.Log2(float64(g.r.alignment(m))/32)/4)
}

// bestAlign is the alignment in bytes that is sufficient for the full rate of memory.
const bestAlign = 512

// alignment returns the largest power of two from 32 to bestAlign that divides the
// addresses of all pieces of a move.
func (r *Recorder) alignment(m *move) int64 {
	best := int64(bestAlign)
	for _, x := range r.runs[m.from:m.to] {
		for best > 32 && (x.start%best != 0 || x.count > 1 && x.stride%best != 0) {
			best /= 2
		}
	}
	return best
}

// advance moves all flows forward to time now.
func (g *globalMemory) advance(now float64) {
	if dt := now - g.time; dt > 0 {
		for i := range g.flows {
			g.flows[i].left -= dt * g.flows[i].rate
		}
	}
	g.time = max(g.time, now)
}

// share computes the rates of all flows. It divides the link to other ranks and the path
// for writes first, and the memory last.
func (g *globalMemory) share() {
	for i := range g.flows {
		g.flows[i].rate = g.flows[i].most
	}
	g.divide(func(f *flow) float64 { return f.link })
	g.divide(func(f *flow) float64 { return f.write })
	g.divide(func(f *flow) float64 { return f.price })
}

// weight returns the relative share of a flow. The queue of data to be written back has a
// larger share the fuller it is, so reads slow down and not the stores that caused it.
func (g *globalMemory) weight(f *flow) float64 {
	if f.pipe != noPipe {
		return 1
	}
	return 1 + g.drain*float64(len(g.flows))*f.left/g.queue
}

// divide distributes the time of a resource among the flows by their weights. price is
// the time of the resource that a byte of a flow needs. Flows that cannot use their share
// leave it to others. divide only lowers rates.
func (g *globalMemory) divide(price func(*flow) float64) {
	left, open := 1.0, 0.0
	for i := range g.flows {
		f := &g.flows[i]
		if f.open = price(f) > 0; f.open {
			open += g.weight(f)
		}
	}
	for open > 0.5 {
		part, settled := left/open, false
		for i := range g.flows {
			f := &g.flows[i]
			if w := g.weight(f); f.open && f.rate*price(f) <= part*w {
				left -= f.rate * price(f)
				f.open = false
				open -= w
				settled = true
			}
		}
		if !settled {
			for i := range g.flows {
				if f := &g.flows[i]; f.open {
					f.rate = part * g.weight(f) / price(f)
				}
			}
			return
		}
	}
}

// finish ends the moves that have no bytes left.
func (g *globalMemory) finish(p *replay, now float64) {
	g.advance(now)
	kept := g.flows[:0]
	var over []flow
	for _, f := range g.flows {
		if f.left > 1e-6*f.most+1e-3 {
			kept = append(kept, f)
			continue
		}
		over = append(over, f)
	}
	g.flows = kept
	for _, f := range over {
		if f.pipe == noPipe {
			continue
		}
		s := &p.pipeStates[f.pipe]
		s.moving = false
		k := p.costs[g.r.items[f.item].work]
		s.keep(now, f.item)
		late := k.miss * float64(1-g.caches[g.r.items[f.item].move])
		if f.link > 0 {
			late = 0 // the rates of the link contain all latencies
		}
		p.finish(f.item, s, now, now+k.rest+late)
		p.look(int(f.pipe))
	}
	g.share()
}

// plan schedules an event for the end of the flow that ends first.
func (g *globalMemory) plan(p *replay) {
	g.round++
	if len(g.flows) == 0 {
		return
	}
	first := math.Inf(1)
	for i := range g.flows {
		first = min(first, g.flows[i].left/g.flows[i].rate)
	}
	heap.Push(&p.events, moveEvent{time: g.time + max(first, 0), rank: g.rank, round: g.round})
}
