// This file decides which tiles share a buffer.

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

// sharing decides which tiles share a buffer. It starts with one buffer per tile.
// It merges two groups if that saves a copy and no tile of either group is
// overwritten while it is still needed.
type sharing struct {
	g     *graph
	reuse bool
	// group is the group of each tile.
	group []*group
	// reused is the number of buffers that are reused from a tile whose live range ends.
	reused int
	// onReuse, if not nil, is called for each instruction whose result reuses the
	// buffer of a tile.
	onReuse func(op *ir.Op, tile int)
}

// group is a set of tiles that share a buffer.
type group struct {
	tiles []int
	// writes are sorted by point.
	writes []write
	// spans are the live intervals of the tiles, sorted by start.
	spans []tileInterval
	// overlap reports that two of the tiles are live at the same time. This is possible
	// because they are equal then.
	overlap bool
	// alone reports that the group is never merged, because its buffer belongs to the
	// caller or may be accessed in ways that the analysis cannot see.
	alone bool
	// result reports that the group contains a result of the function, whose buffer the
	// caller allocates.
	result bool
	// place is the operation before which the buffer is allocated.
	place *ir.Op
	// buf is the buffer once it exists.
	buf *ir.Value
}

// tileInterval is an interval of program points in which a tile is live, with the number
// of the tile.
type tileInterval struct {
	flow.Interval
	tile int
}

// share computes which tiles of the graph g share a buffer. If reuse is set, a result may
// use the buffer of an operand. share calls the function onReuse for each tile that uses
// the buffer of an operand.
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
	// Merge the most frequent copies first: those in the innermost loop.
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

// isParameter reports whether v is a parameter of the function f.
func isParameter(f *ir.Op, v *ir.Value) bool {
	return v.IsBlockArg() && v.Block() == f.Region(0).Entry()
}

// escapes reports whether an operation derives from tile v another value that gives
// access to its storage. Later accesses to the storage are then not visible as uses of v.
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

// joinAccumulators places the result of each accumulating matrix product in the same
// buffer as the accumulator tile that it adds to. Both are in L0C, and no instruction can
// copy tiles within L0C, so they cannot have different buffers.
func (s *sharing) joinAccumulators() {
	for i := range s.g.points {
		for _, w := range s.g.points[i].writes {
			if w.over != computed {
				s.join(w.over, w.value)
			}
		}
	}
}

// joinReceivers merges tiles that receive the same tile at the same point, such as a
// loop-carried value and the result of the loop.
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

// join merges the groups of the tiles with the numbers a and b if that is legal. It
// returns true if the tiles share a buffer afterwards, even if they already shared one
// before.
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

// merge merges two groups, the smaller one into the larger one.
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

// firstWrite returns the index, in x.writes, of the first write at program point p or
// later. The slice x.writes contains the writes to the tiles of the group, sorted by
// point.
func (x *group) firstWrite(p int) int {
	i, _ := slices.BinarySearchFunc(x.writes, p, func(w write, p int) int { return cmp.Compare(w.point, p) })
	return i
}

// spanBehind searches the live intervals of the group x, which are sorted by start. It
// returns the index in x.spans of the first interval that starts after point p.
func (x *group) spanBehind(p int) int {
	i, _ := slices.BinarySearchFunc(x.spans, p+1, func(l tileInterval, p int) int { return cmp.Compare(l.From, p) })
	return i
}

// needs reports whether a tile of the group is still needed after program point p. It
// ignores one tile, whose number is the last argument.
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

// clash reports whether the tiles of the groups x and y cannot share a buffer. This is
// the case if a write to a tile of one group would destroy a tile of the other group that
// is still needed. clash iterates over the smaller group and searches in the larger one.
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

// overwritten reports whether a write to a tile of group x would destroy tile n while the
// program still needs n. The tiles of a group share one buffer.
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

// race reports whether the group x has a write of a different value at the same program
// point as the write w. A buffer that x and w share could not hold both values.
func (s *sharing) race(x *group, w write) bool {
	for i := x.firstWrite(w.point); i < len(x.writes) && x.writes[i].point == w.point; i++ {
		if x.writes[i].src != w.src || w.src == computed {
			return true
		}
	}
	return false
}

// busy reports whether the instruction at point p may still read tile n after it has
// begun to write the result in the parameter w. If it may, tile n must not share the
// buffer to which the result is written.
func (s *sharing) busy(p *point, w write, n int) bool {
	if !slices.Contains(p.uses, n) {
		return false
	}
	if n == w.over {
		return s.timesUsed(p.op, n) > 1
	}
	return !s.reuse || !analysis.InPlace(p.op) || s.g.types[n] != s.g.types[w.value]
}

// timesUsed returns how many operands of op refer to the storage of tile n, as the tile
// itself or as a view of it.
func (s *sharing) timesUsed(op *ir.Op, n int) int {
	times := 0
	for _, v := range op.Operands() {
		if slices.Contains(s.g.storage(v), n) {
			times++
		}
	}
	return times
}

// reuseDying considers instructions that can compute in place, so that the result may
// overwrite an operand. If the live range of an operand ends at such an instruction, the
// result receives the buffer of this operand.
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
