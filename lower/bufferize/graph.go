// This file builds the control flow of tiles.

package bufferize

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/flow"
	"ptogo/passes"
)

// This file builds a view of the control flow that contains only the places where
// tiles are created, read or merged. Two tiles may share a buffer if their live
// ranges do not overlap. Because of loops and branches, live ranges are a data-flow
// problem. It is solved once here, for all later decisions.

// graph is the control flow graph of a function, reduced to the points that concern
// tiles, together with the live range of each tile.
type graph struct {
	f *ir.Op
	// values are the tiles, followed by nil for each tile among the results of the
	// function.
	values []*ir.Value
	types  []ir.Type
	number map[*ir.Value]int
	// used reports whether the tile is ever read.
	used   []bool
	points []point
	// live are the live ranges of each tile, as lists of intervals of points.
	live [][]flow.Interval
	// usedAt are the points that read each tile.
	usedAt [][]int
	// at is the point at which an operation reads its operands.
	at map[*ir.Op]int
	// entry is the point at which the arguments of a block are defined.
	entry map[*ir.Block]int
	depth int
}

// point is a position in the function at which tiles are read or written. Copies are
// inserted before it.
type point struct {
	// op is the operation before which copies are inserted. It is nil at the start of a
	// block.
	op *ir.Op
	// depth is the number of enclosing regions, as an estimate of the execution
	// frequency.
	depth int
	// succs are the indices of the points that can follow.
	succs []int
	// uses are the numbers of the tiles that are read at the point, and defs those of the
	// tiles that are defined at it.
	uses []int
	defs []int
	// writes are the writes to buffers at the point.
	writes []write
}

// write is a write to a buffer at a point of the control flow graph. It either stores the
// result of an instruction or a copy of another tile.
type write struct {
	point int
	// value is the tile that the buffer contains after the write.
	value int
	// src is the tile that is copied, or computed for a new value.
	src int
	// over is the tile that the instruction may overwrite in place (its accumulator), or
	// computed if there is none.
	over int
	// updates reports that the buffer must contain the tile over before the
	// instruction.
	updates bool
}

// computed replaces the number of a tile. As the source of a write, it means
// that an instruction computes the contents of the written tile instead of copying
// another tile. As the old tile of an instruction, it means that the instruction does not
// combine its result with an old tile.
const computed = -1

// newGraph returns the control flow graph of the function f, reduced to the points that
// concern tiles, with the live range of each tile.
func newGraph(f *ir.Op) *graph {
	g := &graph{f: f, number: map[*ir.Value]int{}, at: map[*ir.Op]int{}, entry: map[*ir.Block]int{}}
	_, outs := fn.TypeOf(f)
	g.collect()
	first := len(g.values)
	for _, t := range outs {
		if ir.Is[pto.Tile](t) {
			g.values = append(g.values, nil)
			g.types = append(g.types, t)
			g.used = append(g.used, true)
		}
	}
	g.region(f.Region(0))
	for op := range f.Walk() {
		if op.Is(fn.Return) {
			g.move(g.at[op], tilesOf(op.Operands()), numbersFrom(first, len(g.values)))
		}
	}
	g.liveness()
	return g
}

// collect assigns consecutive numbers to the tiles of the function, by which the analysis
// refers to them.
func (g *graph) collect() {
	add := func(v *ir.Value) {
		if ir.Is[pto.Tile](v.Type()) {
			g.number[v] = len(g.values)
			g.values = append(g.values, v)
			g.types = append(g.types, v.Type())
			g.used = append(g.used, v.HasUses())
		}
	}
	for op := range g.f.Walk() {
		for _, v := range op.Results() {
			add(v)
		}
		for _, r := range op.Regions() {
			for blk := range r.Blocks() {
				for _, a := range blk.Args() {
					add(a)
				}
			}
		}
	}
}

// tilesOf returns the values that are tiles.
func tilesOf(vs []*ir.Value) []*ir.Value {
	var ts []*ir.Value
	for _, v := range vs {
		if ir.Is[pto.Tile](v.Type()) {
			ts = append(ts, v)
		}
	}
	return ts
}

// numbersFrom returns the consecutive numbers of a half-open range: the first is the
// parameter from, and the last is one less than the parameter to.
func numbersFrom(from, to int) []int {
	var s []int
	for i := from; i < to; i++ {
		s = append(s, i)
	}
	return s
}

// numbers returns the tile numbers of those values in vs that are tiles.
func (g *graph) numbers(vs []*ir.Value) []int {
	var ns []int
	for _, v := range vs {
		if n, ok := g.number[v]; ok {
			ns = append(ns, n)
		}
	}
	return ns
}

// newPoint adds to the control flow graph a point at which op reads or writes tiles. The
// point has no predecessors. newPoint returns its index.
func (g *graph) newPoint(op *ir.Op) int {
	g.points = append(g.points, point{op: op, depth: g.depth})
	return len(g.points) - 1
}

// link adds an edge to the control flow graph: control can go from the point with number
// from to the point with number to. If from is negative, control cannot reach the end of
// the preceding code, and link does nothing.
func (g *graph) link(from, to int) {
	if from >= 0 {
		g.points[from].succs = append(g.points[from].succs, to)
	}
}

// region creates the points of the control flow graph for the operations of a region. It
// returns the last points of blocks without a terminator, from which control leaves the
// region.
func (g *graph) region(r *ir.Region) (open []int) {
	g.depth++
	defer func() { g.depth-- }()
	for blk := range r.Blocks() {
		p := g.newPoint(nil)
		g.entry[blk] = p
		g.points[p].defs = g.numbers(blk.Args())
	}
	for blk := range r.Blocks() {
		last := g.entry[blk]
		for op := range blk.Ops() {
			last = g.op(op, last)
		}
		if blk.Terminator() == nil {
			open = append(open, last)
		}
	}
	return open
}

// op adds the points of an operation to the control flow graph, after the point with the
// index prev. A point is a position at which the operation reads or writes tiles. It
// returns the index of the last of these points.
func (g *graph) op(op *ir.Op, prev int) int {
	if len(op.Regions()) == 0 && !op.HasTrait(ir.Terminator) && tileIn(op) == nil {
		return prev
	}
	if p := g.updates(op, prev); p >= 0 {
		prev = p
	}
	p := g.newPoint(op)
	g.at[op] = p
	g.link(prev, p)
	g.points[p].uses = g.reads(op)
	if len(op.Regions()) > 0 {
		return g.around(op, p)
	}
	g.points[p].defs = g.numbers(op.Results())
	if isAlias(op) {
		return p
	}
	for _, n := range g.points[p].defs {
		w := write{point: p, value: n, src: computed, over: computed}
		w.over, w.updates = g.accumulator(op, n)
		g.points[p].writes = append(g.points[p].writes, w)
	}
	for i, s := range op.Successors() {
		from, to := op.SuccRange(i)
		g.link(p, g.entry[s])
		g.move(p, tilesOf(op.Operands()[from:to]), g.numbers(s.Args()))
	}
	return p
}

// updates handles an instruction that updates a tile in place. It inserts a program point
// between the point prev and the instruction. At the new point, the old tile is copied to
// the buffer of the result. updates returns the index of the new point, or -1 if the
// instruction does not update a tile.
func (g *graph) updates(op *ir.Op, prev int) int {
	if op.Form().Level != ir.SSA {
		return -1
	}
	p := -1
	for i := range op.Form().Operands {
		if op.Form().Operands[i].Role != ir.InOut {
			continue
		}
		old, result := tiedPair(op, i)
		if old == nil || result == nil {
			continue
		}
		if p < 0 {
			p = g.newPoint(op)
			g.link(prev, p)
		}
		g.points[p].writes = append(g.points[p].writes, write{point: p, value: g.number[result], src: g.number[old], over: computed})
	}
	return p
}

// tiedPair returns two tiles of op if op updates its argument i in place. The result old
// is the tile before the update, and result is the updated tile. Both are nil if op does
// not update this argument.
func tiedPair(op *ir.Op, i int) (old, result *ir.Value) {
	old = op.Arg(op.Form().Operands[i].Name)
	for k := range op.Form().Results {
		if op.Form().Results[k].Name == op.Form().Operands[i].Name {
			if from, to := op.ResultRange(k); from < to {
				result = op.Result(from)
			}
		}
	}
	if old == nil || result == nil || !ir.Is[pto.Tile](old.Type()) || !ir.Is[pto.Tile](result.Type()) {
		return nil, nil
	}
	return old, result
}

// accumulator examines how op computes tile n. Some instructions combine the contents of
// an old tile with new values, for example a matrix product with an accumulator. The
// first result is the number of this old tile, or the constant computed (-1) if op has no
// such operand. The second result is true if op must find the old contents in the buffer
// of tile n, because at Level 2 it updates one buffer in place.
func (g *graph) accumulator(op *ir.Op, n int) (tile int, updates bool) {
	if op.Form().Level != ir.SSA {
		return computed, false
	}
	for i := range op.Form().Operands {
		if op.Form().Operands[i].Role != ir.InOut {
			continue
		}
		if old, result := tiedPair(op, i); result != nil && g.number[result] == n {
			return g.number[old], true
		}
	}
	if kind, ok := op.Def().Sem.(sem.TileMatmul); ok && kind.Acc {
		if acc, ok := g.number[op.Arg(kind.In)]; ok {
			return acc, false
		}
	}
	return computed, false
}

// isAlias reports whether the results of op are views of its operands, so that results
// and operands share storage. It recognizes these operations by their form: they have a
// single form, which accepts both tile values (Level 1) and tile buffers (Level 2).
func isAlias(op *ir.Op) bool {
	return op.Form().Level == ir.Plain && len(op.Regions()) == 0 && !op.HasTrait(ir.Terminator) && !op.Is(fn.Call)
}

// reads returns the numbers of the tiles that op reads. If an operand is a view of the
// storage of other tiles, the result contains the numbers of these tiles.
func (g *graph) reads(op *ir.Op) []int { return g.storage(op.Operands()...) }

// storage returns the tile numbers of the given values. For a value that is a view of
// another tile, it also returns the number of that tile, because both have the same
// storage.
func (g *graph) storage(values ...*ir.Value) []int {
	var ns []int
	seen := map[*ir.Value]bool{}
	var add func(vs []*ir.Value)
	add = func(vs []*ir.Value) {
		for _, v := range vs {
			n, ok := g.number[v]
			if !ok || seen[v] {
				continue
			}
			seen[v] = true
			ns = append(ns, n)
			if v.Op() != nil && isAlias(v.Op()) {
				add(v.Op().Operands())
			}
		}
	}
	add(values)
	return ns
}

// around adds points to the control flow graph for the operation op, which has regions:
// those inside the regions, and a point after op, whose index it returns.
func (g *graph) around(op *ir.Op, before int) int {
	after := g.newPoint(op)
	g.points[after].defs = g.numbers(op.Results())
	var open []int
	for _, r := range op.Regions() {
		open = append(open, g.region(r)...)
	}
	flows, known := passes.Flows(op)
	if !known {
		g.anyOrder(op, before, after)
	}
	for _, f := range flows {
		to := after
		if f.Region != passes.Leaving {
			if op.Region(f.Region).Empty() {
				continue
			}
			to = g.entry[op.Region(f.Region).Entry()]
		}
		from := before
		if f.From != op {
			from = g.at[f.From]
		}
		g.link(from, to)
		var src, dst []*ir.Value
		for i, v := range f.To {
			if ir.Is[pto.Tile](v.Type()) {
				src, dst = append(src, f.From.Operand(f.First+i)), append(dst, v)
			}
		}
		g.move(from, src, g.numbers(dst))
	}
	for _, p := range open {
		g.link(p, after)
		for _, r := range op.Regions() { // the region may run again
			g.link(p, g.entry[r.Entry()])
		}
	}
	return after
}

// anyOrder adds edges as if the regions of op could run in any order. It is used for
// operations with unknown control flow. The parameter before is the program point that
// precedes op, and after is the point that follows op.
func (g *graph) anyOrder(op *ir.Op, before, after int) {
	from := []int{before}
	for _, r := range op.Regions() {
		for blk := range r.Blocks() {
			if end := blk.Terminator(); end != nil && len(end.Successors()) == 0 {
				from = append(from, g.at[end])
			}
		}
	}
	for _, p := range from {
		g.link(p, after)
		for _, r := range op.Regions() {
			if !r.Empty() {
				g.link(p, g.entry[r.Entry()])
			}
		}
	}
}

// move records copies at program point p: for each index i, the tile src[i] is copied to
// the tile with the number dst[i]. It omits a copy to a tile that is never read.
func (g *graph) move(p int, src []*ir.Value, dst []int) {
	for i, v := range src {
		if w := (write{point: p, value: dst[i], src: g.number[v], over: computed}); g.used[w.value] {
			g.points[p].writes = append(g.points[p].writes, w)
		}
	}
}
