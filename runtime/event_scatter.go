// This file determines the regions of instructions whose accesses depend on indices,
// masks or positions: gathers, scatters, searches, moves and merges.

package runtime

import (
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// The elements of index tiles determine the accessed positions. The rules read the index
// tiles again to compute them.

// gathered returns the region rule for the reads of a gather or scatter instruction. The
// named operand is the source tile, or the tile with the indices or offsets. If indices
// select source elements, the rule covers only these elements. d is the name of the
// result, whose valid region limits the number of indices.
func (x *regions) gathered(name, d string) regionRule {
	switch {
	case name == "indices":
		return x.regionOf(d)
	case name == "offsets":
		dst, _ := x.tile(d)
		per := blockBytes / x.p.layoutOf(x.op, x.op.Arg(d).Type()).size
		return shape(func(fr *frame, _ *tile) (int, int) { return dst(fr).rows, (dst(fr).cols + per - 1) / per })
	case name != "src":
		return ownRegion
	case sem.TilePlacesOf(x.op).Blocks:
		return x.blocks(d)
	case sem.TileSearchOf(x.op).Indices.Given():
		return x.elements("indices", d)
	}
	if _, gathers := x.op.Def().Sem.(sem.TileGather); gathers && !sem.TileSearchOf(x.op).Value.Given() {
		return x.marked(d)
	}
	if _, ok := x.tile("indexes"); ok {
		return x.regionOf("indexes")
	}
	return ownRegion
}

// elements returns a region rule for the elements that an index tile selects. index is
// the name of the index tile. The parameter over is the name of the operand whose valid
// region contains the indices in use.
func (x *regions) elements(index, over string) regionRule {
	idx := x.p.tileArg(x.op, index)
	region, _ := x.tile(over)
	return func(fr *frame, u *tileUse, t *tile, list *runList) {
		n, at := region(fr), fr.t[idx.at]
		for r := range n.rows {
			for c := range n.cols {
				if i := idx.position(at, r, c); i >= 0 && i < int64(u.l.elements(t)) {
					list.add(int64(t.addr)+i*int64(u.l.size), int64(u.l.size))
				}
			}
		}
	}
}

// blocks returns a region rule for the source of a block gather. A block gather reads
// blocks of 32 bytes. The byte offsets of these blocks are the elements of another tile
// operand of the instruction. d is the name of the result operand, whose size determines
// the number of blocks.
func (x *regions) blocks(d string) regionRule {
	idx := x.p.tileOperand(x.op, sem.TilePlacesOf(x.op).Places)
	dst, _ := x.tile(d)
	return func(fr *frame, u *tileUse, t *tile, list *runList) {
		n, at := dst(fr), fr.t[idx.at]
		per := blockBytes / u.l.size
		for r := range n.rows {
			for b := range (n.cols + per - 1) / per {
				from := int64(uint32(idx.l.get(at, r, b)))
				list.add(int64(t.addr)+from, int64(min(per, n.cols-b*per)*u.l.size))
			}
		}
	}
}

// marked returns a region rule for the elements whose positions a fixed mask pattern
// selects, for example every second column. The parameter over is the name of the operand
// whose valid region limits the positions.
func (x *regions) marked(over string) regionRule {
	region, _ := x.tile(over)
	pat := isatile.MarkedPlacesOf(x.op)
	return func(fr *frame, u *tileUse, t *tile, list *runList) {
		n := region(fr)
		for r := range n.rows {
			for c := range n.cols {
				row, col := pat.Place(r, c)
				u.l.record(list, t, extent{row, col, 1, 1})
			}
		}
	}
}

// scattered returns the region rule for the operand with the given name, which a gather
// or scatter instruction writes. A gather writes the valid region of the tile. A scatter
// by indices counts as a write of the complete tile, and a scatter by a mask pattern
// writes the selected elements.
func (x *regions) scattered(name string) regionRule {
	if sem.TileSearchOf(x.op).Value.Given() {
		return x.found(name)
	}
	if _, scatters := x.op.Def().Sem.(sem.TileScatter); !scatters {
		return ownRegion
	}
	if !sem.TilePlacesOf(x.op).Places.Given() && !isatile.MarkedPlacesOf(x.op).Leaves() {
		return x.marked("src")
	}
	return wholeTile
}

// found returns the region rule for the results of a search instruction: the tile with
// the positions of the matches, or the tile with their number.
func (x *regions) found(name string) regionRule {
	src := x.p.tileOperand(x.op, sem.TileSearchOf(x.op).Src)
	if name == "cdst" {
		return shape(func(fr *frame, t *tile) (int, int) {
			if s := fr.t[src.at]; t.rows >= s.rows {
				return s.rows, 1
			}
			return 1, fr.t[src.at].rows
		})
	}
	search := sem.TileSearchOf(x.op)
	k := search.Value.Value
	conv, at, rel := x.p.scalarTo(x.op, k.Type(), src.l.f), x.p.slot(k), search.Compare.Relation()
	return func(fr *frame, u *tileUse, t *tile, list *runList) {
		s := fr.t[src.at]
		for r := range s.rows {
			n := 0
			for c := range s.cols {
				if rel.Holds(src.l.f, src.l.get(s, r, c), conv(fr.x[at])) {
					n++
				}
			}
			u.l.record(list, t, extent{row: r, rows: 1, cols: n})
		}
	}
}

// numbers returns the region rule for a tile that a table lookup reads. name is the
// operand name of the tile. For the tile of indices (idx), the rule covers as many
// indices as the lookup needs. For the table, it covers all elements.
func (x *regions) numbers(name string) regionRule {
	if name != "idx" {
		return ownRegion
	}
	table := sem.TableOf(x.op)
	of, ok := x.tile(table.Tile.Name)
	if !ok {
		return ownRegion
	}
	return shape(func(fr *frame, t *tile) (int, int) {
		d := of(fr)
		switch {
		case table.By == sem.IndexElements || table.By == sem.IndexByShape && t.extent() == d.extent():
			return d.rows, d.cols
		case t.cols == 1:
			return d.rows, 1
		}
		return 1, d.rows
	})
}

// moved returns the region rule for the named operand that a tile move reads. The source
// is read as a rectangle of the size of the destination; the instruction can select the
// row and column where it starts. Quantization factors are read as one row.
func (x *regions) moved(kind sem.TileMove, name string) regionRule {
	if isatile.ReordersExponents(x.op) {
		return x.reordered(name)
	}
	if src, ok := x.tile("src"); ok && name == "fp" { // a factor for each column
		return shape(func(fr *frame, _ *tile) (int, int) { return 1, src(fr).cols })
	}
	dst, ok := x.tile(x.result())
	if name != "src" || !ok {
		return ownRegion
	}
	at := sem.WindowOf(x.op)
	row, col := x.p.index(at.Row), x.p.index(at.Col)
	to, _ := pto.TileOf(x.op.Arg(x.result()).Type())
	from, _ := pto.TileOf(sem.TileEndsOf(x.op).Src.Type())
	r64, c64 := from.Split(to)
	split := [2]int{int(r64), int(c64)}
	return func(fr *frame, u *tileUse, t *tile, list *runList) {
		if kind.Dst || from.Space == sem.L0C && to.Space == sem.UB && isatile.MoveParts(x.op) != nil {
			u.window(list, t, t.rows, t.cols)
			return
		}
		e := extent{rows: roundUp(dst(fr).rows, split[0]) / split[0], cols: roundUp(dst(fr).cols, split[1]) / split[1]}
		if kind.Src {
			e.row, e.col = row(fr), col(fr)
		}
		u.l.record(list, t, e)
	}
}

// reordered returns the region rule for the named operand of a move that reorders exponents. A
// source of one row can be longer than the exponents that it reads, one for each element of
// the destination. The workspace is written before it is read.
func (x *regions) reordered(name string) regionRule {
	dst, ok := x.tile(x.result())
	switch {
	case name == "fp":
		return func(*frame, *tileUse, *tile, *runList) {}
	case name != "src" || !ok:
		return ownRegion
	}
	return shape(func(fr *frame, t *tile) (int, int) {
		if d := dst(fr); t.rows == 1 {
			return 1, min(d.rows*d.cols, t.cols)
		}
		return t.rows, t.cols
	})
}

// placed returns the region rule for the tile that a tile move writes. If the move
// inserts its source into a larger tile, the rule covers a rectangle of the source's size
// at the given row and column. Any other move writes the valid region of the tile.
func (x *regions) placed(kind sem.TileMove) regionRule {
	if isatile.ReordersExponents(x.op) && !sem.GroupsByColumns(x.op) { // completes the last boxes by zeros
		return func(_ *frame, u *tileUse, t *tile, list *runList) {
			u.window(list, t, min(roundUp(t.rows, zzRows), u.l.rows), t.cols)
		}
	}
	src, _ := x.tile("src")
	if !kind.Dst || src == nil {
		return ownRegion
	}
	at := sem.WindowOf(x.op)
	row, col := x.p.index(at.Row), x.p.index(at.Col)
	return func(fr *frame, u *tileUse, t *tile, list *runList) {
		u.l.record(list, t, extent{row(fr), col(fr), src(fr).rows, src(fr).cols})
	}
}

// merged returns the region rule for the result of a merge of sorted lists. The number of
// merged records is known only after execution; hearMerge then adds the bytes.
func (x *regions) merged() regionRule {
	if block := sem.TileListsOf(x.op).BlockLen; block.Given() {
		src, n := x.p.slot(x.source()), x.p.slot(block.Value)
		size := x.p.layoutOf(x.op, x.source().Type()).size
		return func(fr *frame, u *tileUse, t *tile, list *runList) {
			group := max(4*int(int32(fr.x[n])), 1)
			u.rowBytes(list, t, 1, fr.t[src].cols/group*group*size)
		}
	}
	return func(fr *frame, u *tileUse, t *tile, list *runList) {}
}

// source returns the first operand of the instruction that is a tile. It returns nil if
// the instruction has no tile operand.
func (x *regions) source() *ir.Value {
	for _, v := range x.op.Operands() {
		if pto.IsTile(v.Type()) {
			return v
		}
	}
	return nil
}

// hearMerge extends the events of op by the bytes that op has written to the tile dst.
// The instruction op merges sorted lists of records. It writes one record for each record
// that it consumes, and this number is known only after execution.
func (p *planner) hearMerge(op *ir.Op, dst tileOperand) {
	at := p.newOpPlan(op).named(dst.name)
	p.link(op, func(fr *frame, r *recorder) {
		n, t := 0, fr.t[dst.at]
		for _, taken := range fr.core.merged {
			n += taken * recordBytes
		}
		to := Access{Kind: WriteAccess, Space: dst.l.memory(), Core: r.owner(dst.l.memory()), Buffer: -1, Operand: at}
		if n > 0 {
			r.next(nil, to).list.add(int64(t.addr), int64(n))
		}
	})
}
