// This file determines, by kind of instruction, which part of each tile operand an
// instruction reads or writes. The checkers depend on these regions being exact.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// A definition states which operands an instruction reads and writes, but few
// instructions access a complete tile. A checker without exact regions would report races
// between neighbouring accesses. The regions often depend on the valid regions at run
// time. Therefore each operand has a region rule, a function that is created with the
// plan and called when the event is sent.

// regionRule is a function that determines which bytes of the tile t an instruction reads
// or writes, and adds these bytes to the parameter list. The parameter u is the tile
// operand of the instruction. The function runs before the instruction, because the
// instruction can overwrite the data that determines the bytes, such as indices.
type regionRule func(fr *frame, u *tileUse, t *tile, list *runList)

// window adds the bytes of the first rows x cols elements of tile t to list, the list of
// accessed byte ranges.
func (u *tileUse) window(list *runList, t *tile, rows, cols int) {
	u.l.record(list, t, extent{rows: rows, cols: cols})
}

// ownRegion is a region rule: a function that lists the bytes that an instruction
// accesses in one of its tile operands. This rule adds the valid region of the operand,
// regardless of the sizes of the other operands. Most instructions write this region;
// reductions, sorts and products read it.
func ownRegion(_ *frame, u *tileUse, t *tile, list *runList) { u.window(list, t, t.rows, t.cols) }

// wholeTile is a region rule. It adds all elements of the tile, including those outside
// the valid region.
func wholeTile(_ *frame, u *tileUse, t *tile, list *runList) {
	u.window(list, t, u.l.rows, u.l.cols)
}

// regionOf returns a region rule, a function that lists the bytes which an instruction
// accesses in a tile. The rule lists the elements in the first rows and columns of the
// tile. It uses the numbers of valid rows and columns of another operand, whose name is
// the parameter name.
func (x *regions) regionOf(name string) regionRule {
	other, ok := x.tile(name)
	if !ok {
		return ownRegion
	}
	return func(fr *frame, u *tileUse, t *tile, list *runList) {
		u.window(list, t, other(fr).rows, other(fr).cols)
	}
}

// rowBytes adds bytes of tile t to the list of accessed bytes. It adds the first n bytes
// of each of the first rows; the parameter rows is the number of these rows.
func (u *tileUse) rowBytes(list *runList, t *tile, rows, n int) {
	for r := range rows {
		list.add(int64(t.addr)+int64(u.l.offset(t, r, 0)), int64(n))
	}
}

// shape returns a region rule. The rule covers the first rows and columns of a tile. size
// is a function that returns the number of these rows and columns at run time.
func shape(size func(fr *frame, t *tile) (rows, cols int)) regionRule {
	return func(fr *frame, u *tileUse, t *tile, list *runList) {
		rows, cols := size(fr, t)
		u.window(list, t, rows, cols)
	}
}

// regions selects a region rule for each tile operand of one instruction.
type regions struct {
	p  *planner
	op *ir.Op
}

// tile returns a function that returns the tile in the named operand at run time. The
// bool result is false if the operand is missing or not a tile.
func (x *regions) tile(name string) (func(fr *frame) *tile, bool) {
	v := x.op.Arg(name)
	if v == nil || x.p.classOf(v.Type()) != tileClass {
		return nil, false
	}
	at := x.p.slot(v)
	return func(fr *frame) *tile { return fr.t[at] }, true
}

// result returns the name of the first tile operand that the instruction writes, or "" if
// it writes no tile.
func (x *regions) result() string {
	for i, a := range x.op.Form().Operands {
		if from, to := x.op.ArgRange(i); (a.Role == ir.Out || a.Role == ir.InOut) && from < to {
			return a.Name
		}
	}
	return ""
}

// tileRegion returns the region rule for the tile operand of op with the given name. kind
// states whether the rule describes the reads or the writes.
func (p *planner) tileRegion(op *ir.Op, name string, kind AccessKind) regionRule {
	x, writes := &regions{p, op}, kind&WriteAccess != 0
	switch op.Def().Sem.(type) {
	case sem.TileLoad, sem.TileStore:
		if rule := p.copied[op]; rule != nil && (writes || name == "src") {
			return rule
		}
	}
	if writes {
		return x.written(name)
	}
	return x.read(name)
}

// read returns the region rule for the reads of the named operand. By default, an
// instruction reads the valid region of the operand. Elementwise instructions instead
// read as many elements as the valid region of the result has.
func (x *regions) read(name string) regionRule {
	d := x.result()
	switch kind := x.op.Def().Sem.(type) {
	case sem.TileAddReluConvert:
		return x.regionOf(d)
	case sem.TilePairSum:
		dst, _ := x.tile(d)
		return shape(func(fr *frame, _ *tile) (int, int) { return dst(fr).rows, dst(fr).cols &^ 1 })
	case sem.TileConvert:
		if x.sameCount(name, d) {
			return x.regionOf(d)
		}
	case sem.TileQuant:
		if name == "src" {
			return x.regionOf(d)
		}
		return x.rowsOf(d)
	case sem.TileDequant:
		return x.dequantized(name, d)
	case sem.TileConcat:
		return x.concatenated(kind, name, d)
	case sem.TileMatmul:
		return x.factor(kind, name)
	case sem.TileGather, sem.TileGatherBlocks, sem.TileScatter:
		return x.gathered(name, d)
	case sem.MemGather, sem.MemScatter:
		return x.numbers(name)
	case sem.TileGet:
		return x.element("offset")
	case sem.TileMove, sem.TileStore:
		move, _ := kind.(sem.TileMove)
		return x.moved(move, name)
	case sem.TileHistogram:
		return x.counted(name)
	case sem.TileSort:
		if name == "idx" {
			src, _ := x.tile("src")
			return shape(func(fr *frame, t *tile) (int, int) { return max(min(src(fr).rows, t.rows), 1), src(fr).cols })
		}
	case sem.TileImg2Col:
		return x.wholeBlocks(name)
	case sem.TilePad:
		return x.filled()
	}
	return ownRegion
}

// wholeBlocks returns a region rule for a tile whose columns are channels. It covers the
// valid region, with the columns rounded up to complete channel blocks of 32 bytes.
func (x *regions) wholeBlocks(name string) regionRule {
	c0 := isatile.BlockBytes / x.p.layoutOf(x.op, x.op.Arg(name).Type()).size
	return shape(func(_ *frame, t *tile) (int, int) { return t.rows, (t.cols + c0 - 1) / c0 * c0 })
}

// repeated returns the region rule for the result of img2col: the valid region of the
// tile, once for each repetition. The repetitions follow each other in memory.
func (x *regions) repeated(name string) regionRule {
	l := x.p.layoutOf(x.op, x.op.Arg(name).Type())
	size, room := int(l.info.PackedBytes()), l.bytes()
	fields, own := sem.OwnPatches(x.op)
	return func(fr *frame, u *tileUse, t *tile, list *runList) {
		times := fr.core.patches[sem.RepeatTime]
		if own {
			times = fields[sem.RepeatTime]
		}
		for n := range min(int(times), room/size) {
			to := *t
			to.addr += uint64(n * size)
			u.window(list, &to, t.rows, t.cols)
		}
	}
}

// filled returns the region rule for the source tile of a padding instruction. This
// instruction copies the source to the destination and fills the remaining elements of
// the destination. If source and destination are the same memory, the instruction only
// writes the remaining elements. The rule is then empty, because it reads no elements.
func (x *regions) filled() regionRule {
	dst, _ := x.tile("dst")
	l := x.p.layoutOf(x.op, sem.TileEndsOf(x.op).Dst.Type())
	return shape(func(fr *frame, t *tile) (int, int) {
		if &t.data[0] == &dst(fr).data[0] {
			return 0, 0
		}
		return min(t.rows, l.rows), min(t.cols, l.cols)
	})
}

// sameCount reports whether the elements of the operands named a and b contain the same
// number of values. An element of an FP4 type contains two values, and all other elements
// contain one.
func (x *regions) sameCount(a, b string) bool {
	pairs := func(name string) bool { return pto.FP4.Has(ir.ElementType(x.op.Arg(name).Type())) }
	return pairs(a) == pairs(b)
}

// written returns the region rule for the writes to the named operand. Most instructions
// write the valid region of the operand. For each kind of instruction that writes another
// region, such as the whole tile or packed bits, written returns a rule of its own.
func (x *regions) written(name string) regionRule {
	switch kind := x.op.Def().Sem.(type) {
	case sem.TilePairSum:
		return shape(func(_ *frame, t *tile) (int, int) { return t.rows, t.cols / 2 })
	case sem.TilePad:
		return x.padded()
	case sem.TileTranspose:
		src, _ := x.tile("src")
		return shape(func(fr *frame, _ *tile) (int, int) { return src(fr).cols, src(fr).rows })
	case sem.TileConcat:
		return x.joined(kind)
	case sem.TileMatmul:
		lhs, _ := x.tile(kind.Lhs)
		rhs, _ := x.tile(kind.Rhs)
		return shape(func(fr *frame, _ *tile) (int, int) { return lhs(fr).rows, rhs(fr).cols })
	case sem.TileSet:
		return x.element("offset")
	case sem.TileSort:
		src, _ := x.tile("src")
		return func(fr *frame, u *tileUse, t *tile, list *runList) {
			u.rowBytes(list, t, src(fr).rows, src(fr).cols*recordBytes)
		}
	case sem.TileScatter, sem.TileGather:
		return x.scattered(name)
	case sem.TileHistogram:
		src, _ := x.tile("src")
		return shape(func(fr *frame, _ *tile) (int, int) { return src(fr).rows, 256 })
	case sem.TileMove:
		return x.placed(kind)
	case sem.TileInterleave:
		return x.regionOf("dst0")
	case sem.TileMerge:
		return x.merged()
	case sem.TileImg2Col:
		return x.repeated(name)
	}
	return ownRegion
}

// rowsOf returns a region rule for a tile with one element per row, such as a row index.
// The rule covers the element in the first column of each valid row of the named operand.
func (x *regions) rowsOf(name string) regionRule {
	other, ok := x.tile(name)
	if !ok {
		return ownRegion
	}
	return shape(func(fr *frame, _ *tile) (int, int) { return other(fr).rows, min(other(fr).cols, 1) })
}

// dequantized returns the region rule for an operand of a dequantization. name is the
// name of the operand: the source, the scales or the offsets. The rule covers as many
// rows as the result has valid rows. For scales and offsets, it covers column 0.
func (x *regions) dequantized(name, result string) regionRule {
	dst, _ := x.tile(result)
	if name == "src" {
		return x.regionOf(result)
	}
	return shape(func(fr *frame, _ *tile) (int, int) { return dst(fr).rows, min(dst(fr).cols, 1) })
}

// padded returns the region rule for the result of a padding. It covers the rows that the
// instruction writes; if source and destination are the same memory, it omits the
// elements that stay unchanged.
func (x *regions) padded() regionRule {
	src, _ := x.tile("src")
	return func(fr *frame, u *tileUse, t *tile, list *runList) {
		s := src(fr)
		rows := filledRows(u.l, s, t)
		if &s.data[0] != &t.data[0] {
			if rows == u.l.rows {
				wholeTile(fr, u, t, list)
			} else {
				u.l.record(list, t, extent{rows: rows, cols: u.l.cols})
			}
			return
		}
		for r := range rows {
			from := s.inRow(r)
			u.l.record(list, t, extent{row: r, col: from, rows: 1, cols: u.l.cols - from})
		}
	}
}

// factor returns the region rule for an operand of a matrix product. name is the name of
// the operand in the instruction: one of the two matrices, its scales, the bias, or the
// sums.
func (x *regions) factor(kind sem.TileMatmul, name string) regionRule {
	lhs, _ := x.tile(kind.Lhs)
	rhs, _ := x.tile(kind.Rhs)
	depth := func(fr *frame) int { return min(lhs(fr).cols, rhs(fr).rows) }
	groups := func(fr *frame) int { return (depth(fr) + scaleGroup - 1) / scaleGroup }
	if (name == kind.LhsScale || name == kind.RhsScale) && analysis.ScalesBeside(x.op, x.op.Arg(name)) {
		return shape(func(*frame, *tile) (int, int) { return 0, 0 })
	}
	return shape(func(fr *frame, t *tile) (int, int) {
		m, n := lhs(fr).rows, rhs(fr).cols
		switch name {
		case kind.Lhs:
			return m, depth(fr)
		case kind.Rhs:
			return depth(fr), n
		case kind.LhsScale:
			return m, groups(fr)
		case kind.RhsScale:
			return groups(fr), n
		}
		if kind.Bias {
			return min(m, 1), n
		}
		return m, n
	})
}

// element returns a region rule for a single element. The named scalar operand holds the
// index of the element.
func (x *regions) element(name string) regionRule {
	n := x.p.slot(x.op.Arg(name))
	return func(fr *frame, u *tileUse, t *tile, list *runList) {
		list.add(int64(t.addr)+int64(fr.x[n])*int64(u.l.size), int64(u.l.size))
	}
}

// concatenated returns the region rule for the operand called name of a concatenation of
// two tiles. If the operand is a source tile, the rule covers the columns that the
// instruction copies in each row. A concatenation can also have two operands, src0Idx and
// src1Idx, which contain the number of columns to copy for each row of a source. For such
// an operand, the rule covers as many rows as the result has.
func (x *regions) concatenated(kind sem.TileConcat, name, result string) regionRule {
	if name == "src0Idx" || name == "src1Idx" {
		return x.rowsOf(result)
	}
	counts := x.counts(kind)
	second := name == "src1"
	return func(fr *frame, u *tileUse, t *tile, list *runList) {
		counts(fr, func(r, left, right int) {
			n := left
			if second {
				n = right
			}
			u.l.record(list, t, extent{row: r, rows: 1, cols: n})
		})
	}
}

// joined returns the region rule for the result of a concatenation. In each row it covers
// the columns of both sources.
func (x *regions) joined(kind sem.TileConcat) regionRule {
	counts := x.counts(kind)
	return func(fr *frame, u *tileUse, t *tile, list *runList) {
		counts(fr, func(r, left, right int) { u.l.record(list, t, extent{row: r, rows: 1, cols: left + right}) })
	}
}

// counts returns a function that enumerates the rows of the result of a concatenation.
// For each row r, this function calls its argument row. The arguments left and right of
// row are the numbers of columns that the instruction copies from the first and from the
// second source.
func (x *regions) counts(kind sem.TileConcat) func(fr *frame, row func(r, left, right int)) {
	dst, _ := x.tile(x.result())
	var src [2]func(fr *frame) *tile
	var idx [2]tileOperand
	for i, name := range []string{"src0", "src1"} {
		src[i], _ = x.tile(name)
		if kind.Counts {
			idx[i] = x.p.tileArg(x.op, name+"Idx")
		}
	}
	return func(fr *frame, row func(r, left, right int)) {
		d := dst(fr)
		for r := range d.rows {
			var n [2]int
			left := d.cols // what does not fit is cut off
			for i := range n {
				n[i] = src[i](fr).inRow(r)
				if kind.Counts {
					o := &idx[i]
					n[i] = min(n[i], int(num.Int(o.l.f, o.l.get(fr.t[o.at], r, 0)))/o.l.size)
				}
				n[i] = max(min(n[i], left), 0)
				left -= n[i]
			}
			row(r, n[0], n[1])
		}
	}
}

// counted returns the region rule for the reads of a histogram instruction. name is the
// name of an operand. For the operand "src", the rule covers the elements to count. For
// the second tile operand, it covers the filter values, with which the instruction
// compares the higher bytes of the elements.
func (x *regions) counted(name string) regionRule {
	if name == "src" {
		return ownRegion
	}
	src, _ := x.tile("src")
	top := x.p.layoutOf(x.op, sem.TileEndsOf(x.op).Src.Type()).size - 1
	n := isatile.HistogramByte(x.op)
	return shape(func(fr *frame, _ *tile) (int, int) {
		switch {
		case top <= n || src(fr).rows == 0:
			return 0, 0
		case top == 1:
			return src(fr).rows, 1
		}
		return top - n, 1
	})
}
