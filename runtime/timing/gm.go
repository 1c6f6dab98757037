// This file models the bandwidth of global memory.

package timing

import (
	"container/heap"
	"math"
)

// globalMemory models the bandwidth of global memory, which all cores of a chip share.
// Each active move (transfer) gets a fair share of the total rate, limited by the path of
// its core. Bytes that are in the L2 cache have a higher rate than bytes that are not. A
// move with bytes of both kinds has the harmonic mean of both rates, which agrees with
// measurements.
type globalMemory struct {
	r    *Recorder
	rank int
	// link is the number of cycles per byte of the link to other ranks. Moves from and to
	// memory of other ranks share the link and need no time of the chip's own memory.
	link  float64
	cache *cache
	// hit, miss, backward and write are the cycles that the complete memory needs per
	// byte: for a read from the L2 cache, a read that misses it, a write from the cache
	// back to memory, and a write to the cache. If write is 0, writes share the path of
	// reads.
	hit, miss, backward, write float64
	// align is the fraction of the full rate that a copy with the worst alignment
	// reaches.
	align float64
	// flows are the active moves.
	flows []flow
	// round counts the changes of the set of active moves.
	round uint64
	// time is the simulated time up to which the active moves have been advanced.
	time float64

	// queue is the capacity in bytes of the queue of data that the L2 cache writes back
	// to memory. The queue competes for the memory like one more move. drain is the
	// factor by which its share grows with the amount of queued data. While the queue is
	// full, moves that write more data back must wait.
	queue, drain float64

	// hits, misses and back are the bytes read from the cache, read from memory, and
	// written back.
	hits, misses, back float64
	// caches is the fraction of each move that hit the cache, indexed by move. The
	// memories of all ranks share the slice.
	caches []float32
	// far is the number of bytes transferred over the link to other ranks.
	far float64
	// used and wrote are the cycles of the memory and of the write path that all moves
	// need together.
	used, wrote float64
}

// flow is an active move, a transfer between global memory and a core, with its remaining
// bytes and its current rate.
type flow struct {
	pipe int32
	item int32
	// left is the number of bytes that remain.
	left float64
	// rate is the current rate in bytes per cycle.
	rate float64
	// most is the maximum rate of the path between the core and global memory, in bytes
	// per cycle.
	most float64
	// price is the number of cycles of the complete memory that a byte of the move needs.
	price float64
	// write is the number of cycles of the write path that a byte needs.
	write float64
	// link is the number of cycles of the link to other ranks that a byte needs.
	link float64
	// open means, in divide, that the rate of the move is not determined yet.
	open bool
}

// newGlobalMemories returns the global memory model of each rank, without active moves.
// If warm is set, the L2 cache already contains the data of the recording, as far as it
// fits.
func newGlobalMemories(c *Chip, warm bool, r *Recorder) []*globalMemory {
	caches := make([]float32, len(r.moves))
	all := make([]*globalMemory, r.launch.Ranks)
	for rank := range all {
		all[rank] = newGlobalMemory(c, warm, r, rank, caches)
	}
	return all
}

// newGlobalMemory returns the model of the global memory of one rank, without active
// moves (transfers). r contains the recorded transfers. If warm is set, the L2 cache
// already contains the data of these transfers. The slice caches receives, for each
// transfer, the fraction of its bytes that hit the cache. The models of all ranks share
// this slice.
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

// begin starts a transfer between global memory and a core. now is the start time. The
// transfer belongs to the first item in the queue of the given pipe. begin determines
// from the L2 cache model how fast the transfer can be.
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
		// Writes go to the cache. Memory receives the data when the cache replaces the
		// line.
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

// owe adds bytes to the queue of data that the L2 cache still writes back to memory. The
// parameter back is the number of added bytes. The result over is the number of bytes
// that do not fit into the queue.
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

// noPipe is the pipe number of the pseudo-move that represents the write-back queue of
// the cache.
const noPipe = -1

// aligned returns the fraction of the full rate that the move m, a transfer between
// global memory and a core, can reach. The fraction depends on the alignment of the
// transferred byte ranges. It is 1 if all ranges start at multiples of 512 bytes.
func (g *globalMemory) aligned(m *move) float64 {
	return 1 - (1-g.align)*(1-math.Log2(float64(g.r.alignment(m))/32)/4)
}

// bestAlign is the alignment in bytes that is sufficient for the full rate of global
// memory.
const bestAlign = 512

// alignment returns the largest power of two, from 32 to bestAlign, that divides the
// addresses of all byte ranges of move m.
func (r *Recorder) alignment(m *move) int64 {
	best := int64(bestAlign)
	for _, x := range r.runs[m.from:m.to] {
		for best > 32 && (x.start%best != 0 || x.count > 1 && x.stride%best != 0) {
			best /= 2
		}
	}
	return best
}

// advance updates the remaining bytes of all active moves (transfers) from the last
// simulated time to the time now.
func (g *globalMemory) advance(now float64) {
	if dt := now - g.time; dt > 0 {
		for i := range g.flows {
			g.flows[i].left -= dt * g.flows[i].rate
		}
	}
	g.time = max(g.time, now)
}

// share computes the transfer rate of each active move. Three resources limit the rates.
// share first divides the link to other ranks among the moves, then the write path, and
// finally the memory.
func (g *globalMemory) share() {
	for i := range g.flows {
		g.flows[i].rate = g.flows[i].most
	}
	g.divide(func(f *flow) float64 { return f.link })
	g.divide(func(f *flow) float64 { return f.write })
	g.divide(func(f *flow) float64 { return f.price })
}

// weight returns the share of the memory bandwidth that an active transfer f receives,
// relative to the other transfers. Usually the share is 1. One special transfer without a
// pipe writes back data from the L2 cache to memory. A store only puts its data into the
// queue of this transfer. The share of the special transfer grows with the length of the
// queue, so a long queue slows down the other transfers, such as loads.
func (g *globalMemory) weight(f *flow) float64 {
	if f.pipe != noPipe {
		return 1
	}
	return 1 + g.drain*float64(len(g.flows))*f.left/g.queue
}

// divide distributes the time of a resource (memory, write path or link) among the active
// moves (transfers) by their weights. The function price returns how long one byte of a
// move occupies the resource. If a move cannot use its complete share, the remaining time
// is distributed among the other moves. divide never raises the rate of a move.
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

// finish ends all active moves (transfers) whose bytes are completely transferred at time
// now.
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

// plan computes which active transfer will end first, and when. It adds an event for this
// time to the queue of the replay p. If no transfer is active, it adds no event.
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
