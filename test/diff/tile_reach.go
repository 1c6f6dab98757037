package diff

import (
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// What an instruction reads of its operands, and writes of its results. Sources
// write valid regions and nothing else, so an instruction may read only those.
// The verifier requires it only where types and constants determine it.

// holds reports whether the valid region has at least the given numbers of rows and
// columns.
func (t region) holds(rows, cols int64) bool { return t.rows >= rows && t.cols >= cols }

// whole reports whether the valid region is the entire tile.
func (t region) whole() bool { return t.rows == t.Rows && t.cols == t.Cols }

// empty reports whether the region is known and has no elements. The fields Rows and Cols
// are the extents of the storage, and the fields rows and cols are those of the valid
// region.
func (t region) empty() bool { return t.Rows > 0 && t.rows*t.cols == 0 }

// lanes returns how many numbers a row of the valid region contains. This is the number
// of columns, or twice as many if each element packs two 4-bit numbers.
func (t region) lanes() int64 {
	if pto.FP4.Has(t.Elem) {
		return 2 * t.cols
	}
	return t.cols
}

func sameRegion(a, b region) bool { return a.rows == b.rows && a.cols == b.cols }

// result returns the type and the valid region of the first result of the instruction u.
// If the type does not determine the valid rows or columns, the method extent computes
// them from the operands.
func (p *palette) result(u *use) region {
	dst := p.region(u.outs[0])
	if dst.VRows == ir.Dynamic {
		dst.rows = p.extent(u, dst, 0)
	}
	if dst.VCols == ir.Dynamic {
		dst.cols = p.extent(u, dst, 1)
	}
	return dst
}

// extent returns the number of valid rows (axis 0) or columns (axis 1) of dst, the first
// result of the instruction u, if the type of dst leaves this number to run time. If a
// rule requires that another tile operand has the same number, extent returns the number
// of that operand. For certain kinds of instructions, such as elementwise ones, it
// computes the number from the source operands. In all other cases, it returns the number
// of rows or columns in the storage of dst.
func (p *palette) extent(u *use, dst region, axis int) int64 {
	of := func(t ir.Type) int64 { at := p.region(t); return []int64{at.rows, at.cols}[axis] }
	name := u.resultOf(0).Name
	for _, arg := range append(pto.TiedExtents(u.def, name, axis, p.target), name) {
		if t := u.in(arg); ir.Is[pto.Tile](t) {
			return of(t)
		}
	}
	room := []int64{dst.Rows, dst.Cols}[axis]
	switch u.def.Sem.(type) {
	case sem.TilePart, sem.TileInterleave:
		return min(max(of(u.in("src0")), of(u.in("src1"))), room)
	case sem.TileMap:
		if i := slices.IndexFunc(u.ins, ir.Is[pto.Tile]); i >= 0 {
			return of(u.ins[i])
		}
		return room
	case sem.TileGather:
		if u.in("indices").IsZero() {
			return room
		}
	case sem.TileTri, sem.TileRandom, sem.TileIndex, sem.TilePad, sem.TileHistogram:
		return room
	}
	return []int64{dst.rows, dst.cols}[axis]
}

// sensible reports whether the instruction u, with its operand types and attributes,
// reads only valid elements of its operands.
func (p *palette) sensible(u *use) bool {
	src := p.region(u.source())
	if fp := p.region(u.in("fp")); fp.Space == sem.FB && !fp.holds(1, src.cols) {
		return false
	}
	if len(u.outs) == 0 {
		return p.reaches(u, "idx", src)
	}
	dst := p.result(u)
	if old := u.in(u.resultOf(0).Name); isOpen(u.outs[0]) && ir.Is[pto.Tile](old) && !sameRegion(p.region(old), dst) {
		return false // if its buffer is kept, its region is too
	}
	return p.reads(u, src, dst)
}

// reads reports whether every element that the instruction u accesses is in the valid
// region or the storage of its operand. src and dst are the types and valid regions of
// the source and the result of u. The kind of the instruction determines how many
// elements each operand must have.
func (p *palette) reads(u *use, src, dst region) bool {
	switch kind := u.def.Sem.(type) {
	case sem.TileMap, sem.TileConvert, sem.TileAddReluConvert:
		return p.covered(u, dst)
	case sem.TileCompare:
		return p.covered(u, p.region(u.ins[0]))
	case sem.TileSelect:
		mask := p.region(u.ins[0])
		return p.covered(u, dst) && mask.rows >= dst.rows && 8*mask.cols*int64(pto.ByteSize(mask.Elem)) >= dst.cols
	case sem.TileExpand:
		return p.expands(u, dst)
	case sem.TileGatherBlocks:
		at := p.region(u.in("offsets"))
		return at.rows >= dst.rows && 32*at.cols >= dst.cols*int64(pto.ByteSize(dst.Elem))
	case sem.TileGather:
		rows, cols := spread(u, dst)
		return p.holdsOrNone(u, "indices", dst.rows, dst.cols) && (rows == 0 || src.holds(rows, cols))
	case sem.TileScatter:
		rows, cols := spread(u, src)
		idx := p.region(u.in("indexes"))
		return (idx.Rows == 0 || src.holds(idx.rows, idx.cols)) && rows <= dst.Rows && cols <= dst.Cols
	case sem.MemGather:
		return p.reaches(u, "idx", dst) && !isOpen(u.outs[0])
	case sem.TileSort:
		return p.region(u.in("idx")).holds(src.rows, src.cols) && dst.Cols*int64(pto.ByteSize(dst.Elem)) >= 8*src.cols
	case sem.TileMerge:
		return wholeRecords(u)
	case sem.TileMatmul:
		return p.multiplies(u, kind, dst)
	case sem.TileTranspose:
		return src.rows <= dst.Cols && src.cols <= dst.Rows
	case sem.TilePairSum:
		return src.holds(dst.rows, dst.cols)
	case sem.TileQuant:
		return src.holds(dst.rows, dst.cols) && p.rowsOf(u, dst.rows, "fp", "offset")
	case sem.TileDequant:
		scale := p.region(u.in("scale"))
		return src.holds(dst.rows, dst.cols) && scale.rows >= dst.rows && p.holdsOrNone(u, "offset", dst.rows, min(scale.cols, dst.cols))
	case sem.TileConcat:
		return p.rowsOf(u, dst.rows, "src0", "src1", "src0Idx", "src1Idx")
	case sem.TileHistogram:
		return p.rowsOf(u, src.rows, "idx")
	case sem.TileInterleave:
		return len(u.ins) < 2 || sameRegion(p.region(u.ins[0]), p.region(u.ins[1]))
	case sem.TilePart:
		return !kind.Arg || sameRegion(p.region(u.in("src0")), p.region(u.in("src0Idx"))) && sameRegion(p.region(u.in("src1")), p.region(u.in("src1Idx")))
	case sem.SubTile:
		return moveReaches(sem.TileMove{Src: true}, src, dst)
	case sem.TileMove:
		return moveReaches(kind, src, dst)
	}
	return true
}

// moveReaches reports whether a move of the given kind from src to dst reads only valid
// elements and stays inside both tiles. Some moves copy a rectangle out of a larger tile
// or into one. For these moves, the result is true only if the condition holds at every
// offset of the rectangle.
func moveReaches(kind sem.TileMove, src, dst region) bool {
	switch {
	case kind.Src:
		return src.whole() && dst.Rows <= src.Rows && dst.Cols <= src.Cols
	case kind.Dst:
		return src.whole() && src.Rows <= dst.Rows && src.Cols <= dst.Cols
	}
	return sameRegion(src, dst)
}

// multiplies reports whether the operands of u, a matrix product of the given kind, have
// enough valid rows and columns for the result dst.
func (p *palette) multiplies(u *use, kind sem.TileMatmul, dst region) bool {
	lhs, rhs := p.region(u.in(kind.Lhs)), p.region(u.in(kind.Rhs))
	rows := dst.rows
	if kind.Bias {
		rows = 1
	}
	groups := (lhs.cols + 31) / 32 // that have a scale
	return lhs.rows >= dst.rows && rhs.holds(lhs.cols, dst.cols) && p.holdsOrNone(u, kind.In, rows, dst.cols) &&
		(!kind.Scaled || p.holdsOrNone(u, kind.LhsScale, dst.rows, groups) && p.holdsOrNone(u, kind.RhsScale, groups, dst.cols))
}

// covered reports whether the valid regions of all operands of the instruction u, except
// masks, are at least as large as that of its result dst.
func (p *palette) covered(u *use, dst region) bool {
	for i, t := range u.ins {
		at := p.region(t)
		if at.Rows > 0 && !isMask(u, u.args[i]) && (at.rows < dst.rows || at.lanes() < dst.lanes()) {
			return false
		}
	}
	return true
}

// expands reports whether the operands of u have enough valid elements for the result
// dst. The instruction u broadcasts a row or column vector over a tile. The vector must
// be large enough along the axis that is not broadcast, and the other operand must have
// the valid region of dst.
func (p *palette) expands(u *use, dst region) bool {
	long := func(t region) bool {
		if u.def.Sem.(sem.TileExpand).Axis == sem.AlongRow {
			return t.rows >= dst.rows
		}
		return t.cols >= dst.cols
	}
	if len(u.ins) == 1 {
		return long(p.region(u.ins[0]))
	}
	a, b := p.region(u.ins[0]), p.region(u.ins[1])
	return sameRegion(a, dst) && long(b) || sameRegion(b, dst) && long(a)
}

// reaches reports whether operand arg of the instruction u, a tile of indices, has enough
// indices to select all elements of the region t. An index selects either one element or
// a complete row of t, as the attribute coalesce states. The tile therefore needs one
// index for each element, or one index for each row. Without the attribute, an index
// selects an element if the tile of indices has the same shape as t, and a row in all
// other cases. If u omits the operand, the result is true.
func (p *palette) reaches(u *use, arg string, t region) bool {
	if u.in(arg).IsZero() {
		return true
	}
	at, how := p.region(u.in(arg)), u.attr("coalesce")
	switch {
	case how == "#pto<coalesce elem>" || how == "" && sameRegion(at, t):
		return at.holds(t.rows, t.cols)
	case at.cols == 1:
		return at.rows >= t.rows
	}
	return at.holds(1, t.rows)
}

// holdsOrNone reports whether operand arg of the instruction u has at least the given
// numbers of valid rows and columns. It returns true if the operand is absent.
func (p *palette) holdsOrNone(u *use, arg string, rows, cols int64) bool {
	return u.in(arg).IsZero() || p.region(u.in(arg)).holds(rows, cols)
}

// rowsOf reports whether each operand that args lists has at least the given number of
// valid rows in the instruction u. Operands that u does not have are ignored.
func (p *palette) rowsOf(u *use, rows int64, args ...string) bool {
	return !slices.ContainsFunc(args, func(arg string) bool { return !p.holdsOrNone(u, arg, rows, 1) })
}

// spread computes the size of the tile that receives selected elements. The instruction u
// distributes elements over this tile with a mask pattern. The pattern selects every k-th
// position along rows or columns. t is the size of a tile that contains only the selected
// elements, without gaps, so the result has k times as many rows or columns. If u has no
// pattern, spread returns 0 and 0.
func spread(u *use, t region) (rows, cols int64) {
	_, pattern, ok := strings.Cut(u.attr("maskPattern"), "P")
	if !ok {
		return 0, 0
	}
	step := 4 / int64(max(strings.Count(pattern, "1"), 1))
	if strings.Contains(u.attr("axis"), "col") {
		return t.rows * step, t.cols
	}
	return t.rows, t.cols * step
}

// wholeRecords reports whether the valid columns of the sorted lists that u merges
// contain complete records. A record is a value with its index and occupies 8 bytes.
func wholeRecords(u *use) bool {
	for _, t := range u.ins {
		if info, ok := pto.TileOf(t); ok && (!info.StaticValid() || info.VCols*int64(pto.ByteSize(info.Elem))%8 != 0) {
			return false
		}
	}
	return true
}

// partWritten reports whether the instruction u may leave elements of its result tiles
// unwritten. At Level 1, where tiles are values, these elements are uninitialized
// storage.
func (p *palette) partWritten(u *use) bool {
	if len(u.outs) == 0 {
		return false
	}
	if slices.ContainsFunc(u.ins, func(t ir.Type) bool { return p.region(t).empty() }) {
		return true
	}
	src, dst := p.region(u.source()), p.result(u)
	src0, src1 := p.region(u.in("src0")), p.region(u.in("src1"))
	switch kind := u.def.Sem.(type) {
	case sem.TilePart:
		return !sameRegion(src0, dst) && !sameRegion(src1, dst)
	case sem.TileConcat:
		return kind.Counts || src0.cols+src1.cols != dst.cols
	case sem.TileMerge, sem.TileQuantMX, sem.TileCompare:
		return true
	case sem.TileGather:
		return !u.in("kValue").IsZero()
	case sem.TileLoad:
		return p.loadsLess(u, dst)
	case sem.SameStorage:
		return !src.whole() && (!sameRegion(src, dst) || src.Cols != dst.Cols || src.BLayout != dst.BLayout || src.SLayout != dst.SLayout ||
			pto.ByteSize(src.Elem) != pto.ByteSize(dst.Elem))
	case sem.TileMove:
		return !strings.HasSuffix("<single_mode_vec0>"+u.attr("accToVecMode"), "<single_mode_vec0>") || kind.Dst && u.in("dst").IsZero() && !sameRegion(src, dst)
	case sem.TileSort:
		return 8*src.cols != int64(pto.ByteSize(dst.Elem))*dst.cols || src.rows != dst.rows
	case sem.TileTranspose:
		return src.rows != dst.cols || src.cols != dst.rows
	case sem.TileHistogram:
		return dst.cols > 256 || src.rows != dst.rows // there are 256 bins
	case sem.TileInterleave, sem.TilePairSum, sem.TileGatherBlocks, sem.TileRandom:
		return src.Rows == 0 || !src.whole()
	}
	return false
}

// loadsLess reports whether u loads a view into a tile dst whose valid region is larger
// than the view.
func (p *palette) loadsLess(u *use, dst region) bool {
	v, _ := ir.As[pto.PartitionView](u.ins[0])
	dims := p.dimsOf(u, v.Shape)
	n := int64(1)
	for _, d := range dims {
		n *= d
	}
	return n != dst.rows*dst.cols || dims[len(dims)-1] != dst.cols
}
