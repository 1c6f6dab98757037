// This file computes the valid regions of tiles that cross between the cores.

package splitcores

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	isasync "ptogo/dialect/pto/isa/sync"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/bufferize"
)

// region is the valid region of a tile that crosses between the cores. Queues carry
// complete tiles, so the consumer must set the valid region of the tile that it receives,
// and needs the extents as numbers. Both fields are nil if all elements of the tile are
// valid.
type region struct{ rows, cols *ir.Value }

// ragged reports whether the valid region of a tile of type t may be smaller than the
// tile.
func ragged(t ir.Type) bool {
	tile, _ := pto.TileOf(t)
	return !tile.StaticValid() || tile.VRows != tile.Rows || tile.VCols != tile.Cols
}

// withValid returns the type t of a tile with another valid region. rows and cols are its
// numbers of valid rows and columns.
func withValid(t ir.Type, rows, cols int64) ir.Type {
	tile, _ := ir.As[pto.Tile](t)
	tile.VRows, tile.VCols = rows, cols
	return ir.TypeOf(tile)
}

// regions emits code that computes the valid regions of the tiles that cross between the
// cores. A valid region consists of two integers, the numbers of valid rows and columns;
// it can be smaller than its tile. The code derives it from the extents of the views from
// which the tile is loaded. If the code cannot derive the region of a tile, regions
// returns the reason instead.
func (w *work) regions() (map[*ir.Op]region, *refusal) {
	found := map[*ir.Op]region{}
	var all []*crossing
	for op := range w.f.Walk() {
		if c := crossingOf(op); c != nil && ragged(c.dst.Type()) {
			all = append(all, c)
		}
	}
	for _, c := range all {
		x := &extents{target: w.target}
		found[c.op] = region{x.of(c.op, c.dst, 0), x.of(c.op, c.dst, 1)}
		if x.unknown != nil {
			return nil, refuse(c.op, "moves a tile whose valid region follows from %s, which has no extents that both cores can compute;"+
				" derive the tile from loads of a 'pto.partition_view'", describe(x.unknown))
		}
	}
	return found, nil
}

// extents computes valid regions of tiles of Level 1.
type extents struct {
	target ir.Target
	// unknown is a tile whose extents could not be computed, or nil.
	unknown *ir.Value
}

// of emits the number of valid rows (axis 0) or columns (axis 1) of a tile. It inserts
// new operations before an existing operation, the parameter at. If it cannot determine
// the number, it emits 0 and stores the tile in x.unknown.
func (x *extents) of(at *ir.Op, tile *ir.Value, axis int) *ir.Value {
	info, _ := pto.TileOf(tile.Type())
	n := [2]int64{info.VRows, info.VCols}[axis]
	if n != ir.Dynamic {
		return arith.Index(ir.Before(at), n)
	}
	if op := tile.Op(); op != nil && len(op.Regions()) == 0 {
		if n := (bufferize.Extents{Target: x.target, Of: x.of}).OfResult(op, tile, axis); n != nil {
			return n
		}
	}
	x.unknown = tile
	return arith.Index(ir.Before(at), 0)
}

// describe returns the text for a tile in messages. The text names the operation of which
// the tile is a result, or the operation whose region has the tile as an argument.
func describe(tile *ir.Value) string {
	if op := tile.Op(); op != nil {
		return "a result of '" + op.Name() + "'"
	}
	return "an argument of '" + tile.Block().Parent().Name() + "'"
}

// onBoth checks that both cores can compute the valid region of each tile that crosses
// from one core to the other. This is necessary because the producer and the consumer use
// the extents of the region. onBoth returns the reason why the function cannot be split,
// or nil.
func (w *work) onBoth() *refusal {
	for _, c := range w.cross {
		for _, n := range []*ir.Value{c.valid.rows, c.valid.cols} {
			if n != nil && n.Op() != nil && w.unit[n.Op()] != sem.AnyUnit {
				return refuse(c.op, "moves a tile whose valid region depends on a number that only the %s core has", name(w.unit[n.Op()]))
			}
		}
	}
	return nil
}

// rowsOf describes the rows of a tile that one of the two vector cores processes. The
// first vector core processes the first half of the rows.
type rowsOf struct {
	// first is the first row of the share, and count the number of rows.
	first, count *ir.Value
	// some is true if the share has rows that the other core does not have. It is nil if
	// that is certain. A share without own rows has one row that the other core has, too,
	// because instructions need at least one row.
	some *ir.Value
}

// shareKey is the key under which the pass caches the rows that belong to one of the two
// vector cores. They depend on the number n of rows that the cores divide, and on the
// extent e of the divided axis of the tile.
type shareKey struct {
	n *ir.Value
	e extent
}

// share returns which of the first n rows of a tile belong to the vector core that
// executes the function. The extent e describes the divided axis of the tile. share
// inserts the code that computes the row numbers directly after the definition of n. It
// caches the result, so that the code is inserted once for each n and e.
func (h *halfFunc) share(n *ir.Value, e extent) rowsOf {
	key := shareKey{n, e}
	if known, ok := h.shares[key]; ok {
		return known
	}
	after := h.number().Op() // at the start of the function
	if n.Op() != nil {
		after = n.Op()
	}
	b := ir.Before(after.Next())
	if n.IsBlockArg() && n.Block() != fn.Body(h.f) {
		b = ir.Before(n.Block().First())
	}
	h.shares[key] = h.newShare(b, n, e)
	return h.shares[key]
}

// newShare emits the computation of the rows that this vector core processes, if a tile
// with the extent e has n rows. Each of the two vector cores processes about half of the
// rows.
func (h *halfFunc) newShare(b *ir.Builder, n *ir.Value, e extent) rowsOf {
	calc := func(def *ir.Def, x, y *ir.Value) *ir.Value {
		return b.Op(def, []*ir.Value{x, y}, []ir.Type{ir.Index}).Result(0)
	}
	half := arith.Index(b, e.half())
	first := calc(arith.MulI, h.number(), half)
	if e.valid == e.size {
		return rowsOf{first, half, nil}
	}
	count := calc(arith.MinSI, calc(arith.SubI, n, first), half)
	if e.both() {
		return rowsOf{first, count, nil}
	}
	one := arith.Index(b, 1)
	some := b.Op(arith.CmpI, []*ir.Value{first, n}, []ir.Type{ir.I1}, signedLess).Result(0)
	last := calc(arith.MaxSI, calc(arith.SubI, n, one), arith.Index(b, 0))
	return rowsOf{calc(arith.MinSI, first, last), calc(arith.MaxSI, count, calc(arith.MinSI, n, one)), some}
}

// sent returns the tile that the producer of the crossing c pushes into a queue.
//
// A vector core pushes its complete tile, not only the valid rows. Otherwise, the
// position of the rows of the second vector core in the queue would depend on the number
// of valid rows. The cube core pushes a tile in acc (L0C) with its number of valid rows,
// because the layout of the tile depends on this number. If this number is odd, it is
// increased by one, because a queue divides only an even number of rows between the
// vector cores. If the slots of the queue are in global memory, all columns are pushed,
// so that the distance between rows is known.
func (q *queues) sent(h *halfFunc, c *crossing) *ir.Value {
	src, t := h.ops[c.op].Arg("src"), half(c.src.Type(), q.shareOf(h, c.src))
	if !ragged(t) || c.from == sem.CubeUnit && !q.inGlobal(c) {
		return q.boxed(h, c, src, t)
	}
	tile, _ := ir.As[pto.Tile](t)
	switch tile.VCols = tile.Cols; {
	case c.from == sem.VectorUnit:
		tile.VRows = tile.Rows
	case tile.VRows != ir.Dynamic:
		tile.VRows += tile.VRows % sem.VectorCores
	}
	if ir.TypeOf(tile) == t {
		return q.boxed(h, c, src, t)
	}
	return q.boxed(h, c, ir.Before(h.ops[c.op]).Op(isatile.TReshape, []*ir.Value{src}, []ir.Type{ir.TypeOf(tile)}).Result(0), ir.TypeOf(tile))
}

// boxed returns the tile src of type t as the producer of the crossing c pushes it: half of
// its rows (ownRows), the tile with its rows in boxes, or the tile itself. Boxes are
// necessary if the producer is a vector core of A5. There, a push copies bytes to the
// memory of the cube core, where the tile has boxes (isasync.PushesRows).
func (q *queues) boxed(h *halfFunc, c *crossing, src *ir.Value, t ir.Type) *ir.Value {
	if q.pushesHalf(c) {
		return q.ownRows(h, c, src, t)
	}
	tile, ok := ir.As[pto.Tile](t)
	if !ok || c.from != sem.VectorUnit || q.w.target != sem.A5 || q.inGlobal(c) || !isasync.PushesRows(tile.TileInfo) || tile.Rows%16 != 0 {
		return src
	}
	tile.BLayout, tile.SLayout = pto.ColMajor, pto.RowMajor
	return ir.Before(h.ops[c.op]).Op(isatile.TMov, []*ir.Value{src}, []ir.Type{ir.TypeOf(tile)}).Result(0)
}

// popRegion replaces the crossing c, a move of a tile between core types, in the new
// function h of the core that receives the tile. The tile has a valid region that is
// smaller than its storage. Usually the replacement is a pop from a queue, with the
// definition def, which also sets the valid region.
//
// A vector core that receives only its share of the tile, from a queue slot in global
// memory, is an exception. The pop would compute the address of the share from the size
// of the valid region. However, the address depends on the size of the storage. In this
// case, popRegion emits a load from a view of the slot instead.
func (q *queues) popRegion(h *halfFunc, c *crossing, def *ir.Def) {
	b, how := ir.Before(h.ops[c.op]), q.shareOf(h, c.dst)
	rows, cols := h.copyOf(c.valid.rows), h.copyOf(c.valid.cols)
	if how == byRows {
		rows = h.share(rows, divided(c.dst.Type(), how)).count
	}
	t := half(c.dst.Type(), how)
	if !q.fromView(c) {
		pop := b.Create(ir.State{Def: def, Operands: []*ir.Value{rows, cols}, Segs: popSegments[c.from], Results: []ir.Type{withValid(t, ir.Dynamic, ir.Dynamic)}, Attrs: q.keys(c)})
		q.arrived(h, popped{c: c, op: pop})
		delete(h.vals, c.dst) // its type is final
		return
	}
	slot := b.Op(def, nil, []ir.Type{slotView(t)}, q.keys(c)...).Result(0)
	tile, _ := ir.As[pto.Tile](t)
	part := pto.PartitionView{Shape: ir.MakeDims(tile.VRows, tile.VCols), Elem: tile.Elem}
	zero := arith.Index(b, 0)
	view := b.Create(ir.State{Def: isabase.PartitionViewOp, Operands: []*ir.Value{slot, zero, zero, rows, cols}, Segs: []int32{1, 2, 2}, Results: []ir.Type{ir.TypeOf(part)}}).Result(0)
	load := b.Op(isatile.TLoad, []*ir.Value{view}, []ir.Type{t})
	q.arrived(h, popped{c, load, []*ir.Value{slot}})
}

// fromView handles the crossing c, a move of a tile from one core to another that a queue
// replaces. It reports whether the consumer pops a view of a slot in global memory and
// loads the tile from this view.
func (q *queues) fromView(c *crossing) bool {
	return c.valid.rows != nil && c.from == sem.CubeUnit && q.inGlobal(c)
}

// popSegments contains, for each operand name of a pop instruction, how many operands it
// has. The pop has the extents of a valid region as operands: one for rows and one for
// columns. The key is the type of the core that has pushed the entry. A pop of an entry
// from the cube core executes on a vector core and has a third, optional operand, which
// the pass does not use.
var popSegments = map[sem.Unit][]int32{sem.CubeUnit: {1, 1, 0}, sem.VectorUnit: {1, 1}}

// slotView returns the type of a view of a queue slot that holds tiles of type t.
func slotView(t ir.Type) ir.Type {
	tile, _ := pto.TileOf(t)
	return ir.TypeOf(pto.TensorView{Shape: ir.MakeDims(tile.Rows, tile.Cols), Elem: tile.Elem})
}

// slotTensor emits a view of the first slot of a queue in global memory. slots is the
// address of the slots.
func (q *queues) slotTensor(h *halfFunc, b *ir.Builder, c *crossing, slots *ir.Value) *ir.Value {
	t := half(c.dst.Type(), q.shareOf(h, c.dst))
	tile, _ := pto.TileOf(t)
	if tile.Elem != ir.F32 {
		slots = b.Op(isabase.CastPtr, []*ir.Value{slots}, []ir.Type{ir.TypeOf(pto.PtrType{Elem: tile.Elem, Space: sem.GM})}).Result(0)
	}
	rows, cols := arith.Index(b, tile.Rows), arith.Index(b, tile.Cols)
	return b.Create(ir.State{Def: isabase.MakeTensorView, Operands: []*ir.Value{slots, rows, cols, cols, arith.Index(b, 1)}, Segs: []int32{1, 2, 2},
		Results: []ir.Type{slotView(t)}}).Result(0)
}
