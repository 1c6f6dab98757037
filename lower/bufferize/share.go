package bufferize

import (
	"cmp"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/flow"
)

// sharing decides which tiles live in one buffer. It starts with a buffer for
// each tile, and joins two groups where a copy goes away and no tile of either
// is overwritten while it is still needed.
type sharing struct {
	g      *graph
	reuse  bool
	group  []*group // of each tile
	reused int      // buffers taken over from a tile that dies
	// onReuse, if not nil, hears of an instruction whose result takes over the
	// buffer of a tile.
	onReuse func(op *ir.Op, tile int)
}

// group is tiles that live in one buffer.
type group struct {
	tiles  []int
	writes []write        // by their points
	spans  []tileInterval // where the tiles are needed, by where that starts
	// overlap means that two of the tiles, which are equal then, are needed at
	// once.
	overlap bool
	alone   bool      // never joins another: the buffer is not ours to write
	result  bool      // holds a result of the function, which the caller allocates
	place   *ir.Op    // the buffer is allocated before this
	buf     *ir.Value // the buffer, when it exists
}

// tileInterval is an interval of a tile.
type tileInterval struct {
	flow.Interval
	tile int
}

// share computes the groups of a graph.
func share(g *graph, reuse bool, onReuse func(op *ir.Op, tile int)) *sharing {
	s := &sharing{g: g, reuse: reuse, onReuse: onReuse}
	for n, v := range g.values {
		gr := &group{tiles: []int{n}, result: v == nil}
		for _, l := range g.live[n] {
			gr.spans = append(gr.spans, tileInterval{l, n})
		}
		gr.alone = v != nil && (isParameter(g.f, v) || v.Op() != nil && isAlias(v.Op()) || escapes(v))
		s.group = append(s.group, gr)
	}
	var moves []write
	for i := range g.points {
		for _, w := range g.points[i].writes {
			gr := s.group[w.value]
			gr.writes = append(gr.writes, w)
			if w.src != computed {
				moves = append(moves, w)
			}
		}
	}
	// What is copied most often comes first: that in the innermost loop.
	slices.SortStableFunc(moves, func(a, b write) int {
		return cmp.Compare(g.points[b.point].depth, g.points[a.point].depth)
	})
	s.joinAccumulators()
	s.joinReceivers()
	for _, w := range moves {
		s.join(w.src, w.value)
	}
	if reuse {
		s.reuseDying()
	}
	return s
}

// isParameter reports whether v is a parameter of the function.
func isParameter(f *ir.Op, v *ir.Value) bool {
	return v.IsBlockArg() && v.Block() == f.Region(0).Entry()
}

// escapes reports whether an operation makes something of the tile v through
// which its storage can be reached without naming it.
func escapes(v *ir.Value) bool {
	for u := range v.Uses() {
		op := u.Owner()
		if !isAlias(op) {
			continue
		}
		for _, r := range op.Results() {
			if !ir.Is[pto.Tile](r.Type()) && pto.SpaceOf(r.Type()) != sem.NoSpace {
				return true
			}
		}
	}
	return false
}

// joinAccumulators joins what is accumulated with what it is added to. Such
// tiles live where space is rare and copies are not possible.
func (s *sharing) joinAccumulators() {
	for i := range s.g.points {
		for _, w := range s.g.points[i].writes {
			if w.over != computed {
				s.join(w.over, w.value)
			}
		}
	}
}

// joinReceivers joins the tiles that receive the same tile at the same point,
// such as what a loop carries and what it gives in the end.
func (s *sharing) joinReceivers() {
	for i := range s.g.points {
		first := map[int]int{}
		for _, w := range s.g.points[i].writes {
			if w.src == computed {
				continue
			}
			if other, ok := first[w.src]; ok {
				s.join(other, w.value)
			} else {
				first[w.src] = w.value
			}
		}
	}
}

// join makes two tiles live in one buffer if they can, and reports whether
// they do.
func (s *sharing) join(a, b int) bool {
	x, y := s.group[a], s.group[b]
	if x == y {
		return true
	}
	if x.alone || y.alone || x.result && y.result || s.g.types[a] != s.g.types[b] || s.clash(x, y) {
		return false
	}
	s.merge(x, y)
	return true
}

// merge puts the tiles of a group into another one, the fewer to the more.
func (s *sharing) merge(x, y *group) {
	if len(x.tiles) < len(y.tiles) {
		x, y = y, x
	}
	for _, n := range y.tiles {
		s.group[n] = x
	}
	x.tiles = append(x.tiles, y.tiles...)
	for _, w := range y.writes {
		x.writes = slices.Insert(x.writes, x.firstWrite(w.point), w)
	}
	for _, l := range y.spans {
		i := x.spanBehind(l.From)
		x.spans = slices.Insert(x.spans, i, l)
		x.overlap = x.overlap || i > 0 && x.spans[i-1].To > l.From || i+1 < len(x.spans) && x.spans[i+1].From < l.To
	}
	x.overlap = x.overlap || y.overlap
	x.result = x.result || y.result
}

// firstWrite returns the number of the first write at a point or after it.
func (x *group) firstWrite(p int) int {
	i, _ := slices.BinarySearchFunc(x.writes, p, func(w write, p int) int { return cmp.Compare(w.point, p) })
	return i
}

// spanBehind returns the number of the first span that starts after a point.
func (x *group) spanBehind(p int) int {
	i, _ := slices.BinarySearchFunc(x.spans, p+1, func(l tileInterval, p int) int { return cmp.Compare(l.From, p) })
	return i
}

// needs reports whether a tile of the group, other than one, is needed after
// a point.
func (x *group) needs(p, except int) bool {
	for i := x.spanBehind(p) - 1; i >= 0; i-- {
		if l := x.spans[i]; l.To > p && l.tile != except {
			return true
		}
		if !x.overlap {
			return false
		}
	}
	return false
}

// clash reports whether a tile of one group would be lost by a write of the
// other. It goes through the smaller group and searches the larger.
func (s *sharing) clash(x, y *group) bool {
	if len(x.tiles) < len(y.tiles) {
		x, y = y, x
	}
	for _, n := range y.tiles {
		if s.overwritten(x, n) {
			return true
		}
	}
	for _, w := range y.writes {
		if x.needs(w.point, w.src) || s.race(x, w) {
			return true
		}
		p := &s.g.points[w.point]
		for _, n := range p.uses {
			if w.src == computed && s.group[n] == x && s.busy(p, w, n) {
				return true
			}
		}
	}
	return false
}

// overwritten reports whether a write of x would destroy tile n while it is
// needed.
func (s *sharing) overwritten(x *group, n int) bool {
	for _, l := range s.g.live[n] {
		for i := x.firstWrite(l.From); i < len(x.writes) && x.writes[i].point < l.To; i++ {
			if x.writes[i].src != n {
				return true
			}
		}
	}
	for _, u := range s.g.usedAt[n] {
		for i := x.firstWrite(u); i < len(x.writes) && x.writes[i].point == u; i++ {
			if x.writes[i].src == computed && s.busy(&s.g.points[u], x.writes[i], n) {
				return true
			}
		}
	}
	return false
}

// race reports whether x is written at the point of w with something else.
func (s *sharing) race(x *group, w write) bool {
	for i := x.firstWrite(w.point); i < len(x.writes) && x.writes[i].point == w.point; i++ {
		if x.writes[i].src != w.src || w.src == computed {
			return true
		}
	}
	return false
}

// busy reports whether the instruction that computes w may still look at tile
// n when it has begun to write.
func (s *sharing) busy(p *point, w write, n int) bool {
	if !slices.Contains(p.uses, n) {
		return false
	}
	if n == w.over {
		return s.timesUsed(p.op, n) > 1
	}
	return !s.reuse || !analysis.InPlace(p.op) || s.g.types[n] != s.g.types[w.value]
}

// timesUsed counts the operands of op that are tile n or lie in its storage.
func (s *sharing) timesUsed(op *ir.Op, n int) int {
	times := 0
	for _, v := range op.Operands() {
		if slices.Contains(s.g.storage(v), n) {
			times++
		}
	}
	return times
}

// reuseDying lets results take over the buffers of operands.
func (s *sharing) reuseDying() {
	for i := range s.g.points {
		p := &s.g.points[i]
		for _, w := range p.writes {
			if w.src != computed || !analysis.InPlace(p.op) {
				continue
			}
			for _, n := range p.uses {
				if s.group[n] != s.group[w.value] && s.join(n, w.value) {
					s.reused++
					if s.onReuse != nil {
						s.onReuse(p.op, n)
					}
					break
				}
			}
		}
	}
}
