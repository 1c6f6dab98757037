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
	r     *Recorder
	cache *cache
	// Cycles of the whole memory for a byte: read from the cache, read from after it, sent back to there, and
	// written to the cache. Writes have a way of their own unless write is 0.
	hit, miss, backward, write float64
	align                      float64 // rate of copies that are aligned worst
	flows                      []flow
	round                      uint64
	time                       float64 // up to which the flows are known

	// What must go from the cache back to memory lies in a queue: it takes the time of the memory as one more flow.
	// The fuller it is, the larger its share; when it is full, who sends more back pays for it.
	queue, drain float64

	hits, misses, back float64 // bytes
	caches             []float32
}

// flow is a move under way.
type flow struct {
	pipe  int32
	item  int32
	left  float64 // bytes
	rate  float64 // bytes per cycle, now
	most  float64 // that its path takes
	price float64 // cycles of the whole memory for a byte
	write float64 // and of its way in
	open  bool    // in divide: its rate is not found yet
}

func newGlobalMemory(c *Chip, warm bool, r *Recorder) *globalMemory {
	g := &globalMemory{
		r: r, cache: newCache(c), hit: 1 / c.chipPerCycle(c.num("gm.hit")), miss: 1 / c.chipPerCycle(c.num("gm.miss")),
		backward: 1 / c.chipPerCycle(c.num("gm.back")),
		align:    c.num("gm.unaligned"), queue: c.num("l2.queue") * (1 << 20), drain: c.num("l2.drain"), caches: make([]float32, len(r.moves)),
	}
	if k, ok := c.Get("gm.write"); ok {
		g.write = 1 / c.chipPerCycle(k.Value)
	}
	if warm {
		for i := range r.moves {
			g.cache.move(r, &r.moves[i])
		}
		g.cache.clean()
	}
	return g
}

// begin begins the move that a pipe stands at.
func (g *globalMemory) begin(p *replay, pipe int32, now float64) {
	g.advance(now)
	s := &p.pipeStates[pipe]
	n := s.queue[s.at]
	it := &g.r.items[n]
	m, k := &g.r.moves[it.move], p.costs[it.work]
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

// noPipe is who moves what the cache sends back.
const noPipe = -1

// aligned is the part of its rate that a move reaches: all of it where pieces
// begin at multiples of 512 bytes.
func (g *globalMemory) aligned(m *move) float64 {
	return 1 - (1-g.align)*(1-math.Log2(float64(g.r.alignment(m))/32)/4)
}

// bestAlign is the alignment of pieces from which on memory is as fast as it can be.
const bestAlign = 512

// alignment is the power of two, from 32 to bestAlign, that all pieces of a move begin at multiples of.
func (r *Recorder) alignment(m *move) int64 {
	best := int64(bestAlign)
	for _, x := range r.runs[m.from:m.to] {
		for best > 32 && (x.start%best != 0 || x.count > 1 && x.stride%best != 0) {
			best /= 2
		}
	}
	return best
}

// advance moves all flows on in time.
func (g *globalMemory) advance(now float64) {
	if dt := now - g.time; dt > 0 {
		for i := range g.flows {
			g.flows[i].left -= dt * g.flows[i].rate
		}
	}
	g.time = max(g.time, now)
}

// share gives each flow its part: first of the way in, then of the memory.
func (g *globalMemory) share() {
	for i := range g.flows {
		g.flows[i].rate = g.flows[i].most
	}
	g.divide(func(f *flow) float64 { return f.write })
	g.divide(func(f *flow) float64 { return f.price })
}

// weight is how many parts of the memory a flow gets where others have one. What goes back to memory gets the more
// the fuller its queue is: so it is reads that wait for it, not the stores that it comes from.
func (g *globalMemory) weight(f *flow) float64 {
	if f.pipe != noPipe {
		return 1
	}
	return 1 + g.drain*float64(len(g.flows))*f.left/g.queue
}

// divide lets flows have shares of the time of something that a byte of each has a price in, by their weights. What
// some cannot use goes to the others. Rates only fall.
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

// finish ends the moves without remaining bytes.
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
		p.finish(f.item, s, now, now+k.rest+late)
		p.look(int(f.pipe))
	}
	g.share()
}

// plan expects the end of the flow that ends first.
func (g *globalMemory) plan(p *replay) {
	g.round++
	if len(g.flows) == 0 {
		return
	}
	first := math.Inf(1)
	for i := range g.flows {
		first = min(first, g.flows[i].left/g.flows[i].rate)
	}
	heap.Push(&p.events, moveEvent{time: g.time + max(first, 0), round: g.round})
}
