package timing

import (
	"container/heap"
	"math"
)

// globalMemory is what all cores share: its rate, of which each move that is
// under way takes a fair part, as far as the path of its core can take it. A byte
// that is in the cache takes a part of the time of the whole memory, one that is
// not takes more: this is the harmonic law that measurements follow.
type globalMemory struct {
	r     *Recorder
	cache *cache
	hit   float64 // cycles of the whole memory for a byte
	miss  float64
	align float64 // rate of copies that are aligned worst
	flows []flow
	round uint64
	time  float64 // up to which the flows are known

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
}

func newGlobalMemory(c *Chip, warm bool, r *Recorder) *globalMemory {
	g := &globalMemory{
		r: r, cache: newCache(c), hit: 1 / c.chipPerCycle(c.num("gm.hit")), miss: 1 / c.chipPerCycle(c.num("gm.miss")),
		align: c.num("gm.unaligned"), caches: make([]float32, len(r.moves)),
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
	hit, back := g.cache.move(g.r, m)
	bytes := float64(m.bytes)
	share := float64(hit) / max(float64(m.lines(g.r, g.cache.line)), 1)
	g.hits += bytes * share
	g.misses += bytes * (1 - share)
	g.back += float64(back)
	g.caches[it.move] = float32(share)
	price := g.hit*share + g.miss*(1-share)
	if m.write {
		// The cache takes what is written; memory gets it when the line must go.
		price = g.hit
	}
	price += g.miss * float64(back) / bytes
	pieces := 0.0
	for _, x := range g.r.runs[m.from:m.to] {
		pieces += float64(x.count)
	}
	most := k.rate * g.aligned(m)
	if pieces > 1 {
		most = bytes / (bytes/most + k.busy*pieces)
	}
	g.flows = append(g.flows, flow{pipe: pipe, item: n, left: bytes, most: most, price: price})
	g.share()
}

// aligned is the part of its rate that a move reaches: all of it where pieces
// begin at multiples of 512 bytes.
func (g *globalMemory) aligned(m *move) float64 {
	best := int64(512)
	for _, x := range g.r.runs[m.from:m.to] {
		for best > 32 && (x.start%best != 0 || x.count > 1 && x.stride%best != 0) {
			best /= 2
		}
	}
	return 1 - (1-g.align)*(1-math.Log2(float64(best)/32)/4)
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

// share gives each flow its part: all get equal shares of the time of the
// memory, and what some cannot use goes to the others.
func (g *globalMemory) share() {
	for i := range g.flows {
		g.flows[i].rate = 0
	}
	left, open := 1.0, len(g.flows)
	for open > 0 {
		part, settled := left/float64(open), false
		for i := range g.flows {
			f := &g.flows[i]
			if f.rate == 0 && f.most*f.price <= part {
				f.rate = f.most
				left -= f.most * f.price
				open--
				settled = true
			}
		}
		if !settled {
			for i := range g.flows {
				if f := &g.flows[i]; f.rate == 0 {
					f.rate = part / f.price
				}
			}
			return
		}
	}
}

// finish ends the flows that have nothing left.
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
		s := &p.pipeStates[f.pipe]
		s.moving = false
		k := p.costs[g.r.items[f.item].work]
		s.keep(now, f.item)
		p.finish(f.item, s, now, now+k.rest)
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

// lines is how many lines of the cache a move touches.
func (m *move) lines(r *Recorder, line int64) (n int64) {
	for _, x := range r.runs[m.from:m.to] {
		for i := range x.count {
			from := x.start + i*x.stride
			n += (from+x.length-1)/line - from/line + 1
		}
	}
	return n
}
