// This file fits tiles and views to each other as the headers of the library do.

package cpp

import (
	"slices"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/frontend/llir"
)

// fit changes the tiles and views of a call whose extents differ. The library checks them
// in debug builds only; the headers for devices define what happens otherwise. PTO rejects
// such operands, so that fit states the extents that the device uses: for each call, the
// valid region of one operand follows from the others.
func (f *function) fit(v *llir.Value, c *libraryCall) {
	if len(c.args) < 2 {
		return
	}
	dst, src := c.args[0].tile, c.args[1].tile
	if movers[c.name] != "" {
		f.spaceLines(&c.args[1])
		src = c.args[1].tile
	}
	switch c.name {
	case "TLOAD":
		if dst != nil && c.args[1].kind == viewArgument {
			f.fitScales(dst, &c.args[1])
			f.fitCopy(v, &c.args[0], &c.args[1])
		}
	case "TSTORE":
		switch view := &c.args[0]; {
		case src == nil || view.kind != viewArgument:
		case src.plain():
			f.fitCopy(v, &c.args[1], view)
		case src.role == 0:
			f.fitBoxes(&c.args[1], view)
		}
	case "TMATMUL", "TMATMUL_BIAS", "TMATMUL_ACC": // the cube unit writes the rows of left and the columns of right
		var left, right *argument
		for i, a := range c.args {
			switch {
			case a.tile == nil:
			case a.tile.role == 2:
				left = &c.args[i]
			case a.tile.role == 3:
				right = &c.args[i]
			}
		}
		if left == nil || right == nil {
			return
		}
		for i := range c.args {
			if a := &c.args[i]; a.tile != nil && a.tile.role == 4 {
				f.fitAccumulator(a, left, right)
			}
		}
	case "TROWSUM", "TROWMAX", "TROWMIN", "TROWPROD": // the headers write one column
		if dst != nil {
			f.fitValid(&c.args[0], dst.validRows, 1)
		}
	case "TGATHER": // along columns, the headers copy the columns of src, and leave the others as they are
		pattern, axis := patternOf(c)
		switch {
		case len(c.args) != 2 || dst == nil || src == nil:
		case axis == "col":
			f.fitValid(&c.args[0], dst.validRows, min(dst.validCols, src.validCols))
		default:
			f.fitGathered(&c.args[0], src, pattern)
		}
	case "TSCATTER": // the headers fill dst with zeros, and scatter as many rows or columns as src has
		pattern, axis := patternOf(c)
		if len(c.args) != 2 || pattern == "P1111" || dst == nil || src == nil {
			return
		}
		rows, cols := min(dst.validRows, src.validRows), dst.validCols
		if axis == "col" {
			rows, cols = dst.validRows, min(dst.validCols, src.validCols)
		}
		if whole := c.args[0]; f.fitValid(&c.args[0], rows, cols) {
			fitted := c.args[0]
			zero := argument{kind: intArgument, v: numberOf(0)}
			whole = f.allocated(whole.from, *whole.tile)
			f.instruction(v, &libraryCall{name: "TEXPANDS", args: []argument{whole, zero}, block: c.block})
			f.drop(fitted)
			c.args[0] = f.allocated(fitted.from, *fitted.tile)
		}
	}
}

// fitScales gives a view of scales that the C++ describes as a matrix the extents of the
// tile. A load of scales in rows of pairs uses only the strides of the view, and the valid
// region of the tile, which it does not exceed.
func (f *function) fitScales(t *shapeOfTile, view *argument) {
	at := view.described
	if at == nil || at.Args[7].IsConst(2) {
		return
	}
	s := scaleLayouts[f.literal(at, 1)]
	rows, scales := t.rows, t.cols
	if s.boxes == 9 {
		rows, scales = scales, rows
	}
	f.drop(*view)
	*view = f.scaleView(at, s, numberOf(rows), numberOf(scales/2))
}

// spaceLines describes an accumulator that an instruction reads as a part of its whole
// storage. The distance of its lines of boxes is that of the whole tile in the headers,
// unless the tile is compact, whereas the boxes of a valid region in PTO are contiguous.
// The part can start at any row of the whole, which its address determines: the rows of a
// column of boxes follow each other.
func (f *function) spaceLines(a *argument) {
	if a.tile == nil || a.tile.role != 4 || a.tile.compact != 0 || a.tile.validRows < 0 || (a.tile.validRows+15)/16*16 >= a.tile.rows {
		return
	}
	const row = 16 * 4 // bytes of a row in a column of boxes
	part, t := *a, *a.tile
	at, column := part.from.Args[11], row*t.rows
	from := *part.from
	from.Args = slices.Clone(from.Args)
	f.drop(part)
	first := len(f.out)
	var start string
	if at.Op == "int" {
		from.Args[11] = &llir.Value{Op: "int", Int: at.Int / column * column, Type: at.Type}
		start = f.intConst(at.Int%column/row, "index")
	} else {
		off, base, line := f.fresh("off"), &llir.Value{Op: "sub", Type: at.Type}, f.fresh("row")
		address := f.i64(part.from, at)
		f.line(part.from, "%s = arith.remui %s, %s : i64", off, address, f.intConst(column, "i64"))
		f.names[base] = f.fresh("whole")
		f.line(part.from, "%s = arith.subi %s, %s : i64", f.names[base], address, off)
		f.line(part.from, "%s = arith.divui %s, %s : i64", line, off, f.intConst(row, "i64"))
		start = f.fresh("row")
		f.line(part.from, "%s = arith.index_cast %s : i64 to index", start, line)
		from.Args[11] = base
	}
	t.validRows, t.validCols = t.rows, t.cols
	whole := f.allocated(&from, t)
	zero, cols := f.intConst(0, "index"), f.index(part.from, part.from.Args[13], false)
	if n := part.tile.validCols; n >= 0 {
		cols = f.intConst(n, "index")
	}
	t = *part.tile
	if at.Op != "int" || at.Int%column != 0 { // a part that starts at the first row keeps its rows, which a move to two cores halves
		t.rows = (t.validRows + 15) / 16 * 16
	}
	a.tile, a.typ = &t, f.tileType(part.from, t)
	a.name, a.first = f.fresh("tile"), first
	f.line(part.from, "%s = pto.subview %s[%s, %s] sizes [%d, %d] valid [%s, %s] : %s -> %s", a.name, whole.name, start, zero, t.rows, t.cols,
		f.intConst(t.validRows, "index"), cols, whole.typ, a.typ)
	a.last = len(f.out)
}

// fitGathered gives the destination of a gather of a pattern along rows the rows that the
// headers write: they store the selected elements of all rows without gaps. Elements of 64
// bits have rows of the whole tile, divided by the period of the pattern. It does nothing if
// a row of that length does not end at a block.
func (f *function) fitGathered(a *argument, src *shapeOfTile, pattern string) {
	t := *a.tile
	selected, period := int64(0), int64(len(pattern)-1)
	for i := range src.validCols {
		if pattern[period-i%period] == '1' {
			selected++
		}
	}
	bytes := elements[t.elem].bytes
	t.rows, t.cols, t.validRows, t.validCols = src.validRows, selected, src.validRows, selected
	if bytes == 8 {
		t.cols = a.tile.cols * int64(strings.Count(pattern[1:], "1")) / period
	}
	if src.validRows <= 0 || selected == 0 || t.cols < selected || t.cols*bytes%32 != 0 || t.rows*t.cols > a.tile.rows*a.tile.cols ||
		a.tile.validRows < 0 || a.tile.validCols < 0 || a.exceeds {
		return
	}
	f.drop(*a)
	*a = f.allocated(a.from, t)
}

// columnsAsRows replaces tiles of one column by tiles of one row at the same address in a
// call of an instruction that maps elements, and reports whether all tiles are columns.
// Headers for devices accept columns, since their elements are contiguous, too.
func (f *function) columnsAsRows(b *bound, c *libraryCall) bool {
	if _, maps := b.def.Sem.(sem.TileMap); !maps {
		return false
	}
	for _, a := range c.args {
		if t := a.tile; t != nil && (!t.plain() || t.blayout != 1 || t.cols != 1 || t.validRows < 0 || t.validCols != 1 || a.exceeds) {
			return false
		}
	}
	for i, a := range c.args {
		if a.tile == nil {
			continue
		}
		t := *a.tile
		t.rows, t.cols, t.validRows, t.validCols, t.blayout = 1, t.rows, 1, t.validRows, 0
		f.drop(a)
		c.args[i] = f.allocated(a.from, t)
	}
	return true
}

// fitValid gives a tile another valid region, and reports whether it has. It does nothing
// if an extent is not known, or exceeds the tile.
func (f *function) fitValid(a *argument, rows, cols int64) bool {
	t := *a.tile
	if rows < 0 || cols < 0 || t.validRows < 0 || t.validCols < 0 || rows > t.rows || cols > t.cols || t.validRows == rows && t.validCols == cols {
		return false
	}
	t.validRows, t.validCols = rows, cols
	f.drop(*a)
	*a = f.allocated(a.from, t)
	return true
}

// fitAccumulator gives an accumulator the valid rows of left and the valid columns of
// right. It does nothing if these exceed the accumulator, or if its extents are the same
// values.
func (f *function) fitAccumulator(a, left, right *argument) {
	rows, cols := left.from.Args[12], right.from.Args[13]
	if left.tile.validRows >= 0 && right.tile.validCols >= 0 && a.tile.validRows >= 0 && a.tile.validCols >= 0 {
		f.fitValid(a, left.tile.validRows, right.tile.validCols)
		return
	}
	if sameValue(rows, a.from.Args[12]) && sameValue(cols, a.from.Args[13]) ||
		left.tile.validRows > a.tile.rows || right.tile.validCols > a.tile.cols {
		return
	}
	from := *a.from
	from.Args = slices.Clone(from.Args)
	from.Args[12], from.Args[13] = rows, cols
	t := *a.tile
	t.validRows, t.validCols = -1, -1
	f.drop(*a)
	*a = f.sized(&from, t)
}

// sameValue reports whether two values are the same one or the same number.
func sameValue(a, b *llir.Value) bool {
	return a == b || a.Op == "int" && b.Op == "int" && a.Int == b.Int
}

// fitCopy fits the tile and the view of a copy between global memory and the unified
// buffer. It moves rows of as many elements as the tile has valid columns, and as many rows
// as the view has. On A2/A3, it skips as many elements between rows as the stride of the
// view exceeds its extent; on A5, the stride of the view is the distance of rows.
func (f *function) fitCopy(v *llir.Value, tile, view *argument) {
	t, at := *tile.tile, view.from
	layout := at.Args[1]
	boxed := t.role == 1 && t.blayout == 1 && t.slayout == 1
	inL1 := t.role == 1 && t.slayout == 0
	if !t.plain() && !boxed && !inL1 || t.validRows < 0 || t.validCols < 0 || tile.exceeds {
		return
	}
	n, s, known := constantExtents(at)
	if !known {
		f.fitOpenRows(view, t)
		return
	}
	outer := n[0] * n[1] * n[2]
	rows, cols := outer*n[3], n[4]
	switch {
	case boxed: // a load into L1 has the extents of the view
		if !layout.IsConst(0) || outer != 1 || rows > t.validRows || cols > t.validCols || rows == t.validRows && cols == t.validCols {
			return
		}
		t.validRows, t.validCols = rows, cols
	case inL1:
		if layout.IsConst(1) && t.blayout == 1 {
			rows, cols = n[3], outer*n[4]
		} else if !layout.IsConst(0) || t.blayout != 0 {
			return
		}
		if rows > t.rows || cols > t.cols || rows == t.validRows && cols == t.validCols {
			return
		}
		t.validRows, t.validCols = rows, cols
	case layout.IsConst(0) && t.blayout == 0:
		if rows == t.validRows && cols == t.validCols {
			return
		}
		if f.target != sem.A5 {
			s[3] += t.validCols - n[4]
		}
		n[4], t.validRows = t.validCols, rows
		t.rows = max(t.rows, rows)
	case layout.IsConst(1) && t.blayout == 1:
		rows, cols = n[3], outer*n[4]
		if rows == t.validRows && cols == t.validCols || rows != t.validRows && f.target != sem.A5 {
			return
		}
		n[3], t.validCols = t.validRows, cols
		t.cols = max(t.cols, cols)
	default:
		return
	}
	f.drop(*tile)
	f.drop(*view)
	*tile = f.allocated(tile.from, t)
	*view = f.viewOf(at, constants(n), constants(s))
}

// fitOpenRows fits a view to a tile t in the unified buffer if the extent of its rows is not
// a constant: each row has as many elements as the tile has valid columns. On A2/A3, where
// the distance of rows depends on this extent, the view must have one row.
func (f *function) fitOpenRows(view *argument, t shapeOfTile) {
	at := view.from
	n := slices.Clone(at.Args[3:8])
	one := n[0].IsConst(1) && n[1].IsConst(1) && n[2].IsConst(1)
	if !one || !t.plain() || !at.Args[1].IsConst(0) || t.blayout != 0 || !n[3].IsConst(t.validRows) || n[4].Op == "int" || t.validCols == 0 {
		return
	}
	if f.target != sem.A5 && t.validRows != 1 {
		return
	}
	n[4] = numberOf(t.validCols)
	f.drop(*view)
	*view = f.viewOf(at, n, at.Args[8:13])
}

// fitBoxes fits a tile with boxes in the unified buffer and the view to which it is stored. It
// stores as many rows as are valid, without gaps, and as many columns as the view has. On
// A2/A3, it skips as many elements between columns of boxes as the stride of the view exceeds
// its extent; on A5, the stride of the view is the distance of columns of boxes.
func (f *function) fitBoxes(tile, view *argument) {
	t, at := *tile.tile, view.from
	if t.blayout != 1 || t.slayout != 1 || !at.Args[1].IsConst(2) || t.validRows <= 0 || t.validCols < 0 || tile.exceeds {
		return
	}
	n, s, known := constantExtents(at)
	if !known {
		return
	}
	rows, cols := n[2]*n[3], n[0]*n[1]*n[4]
	if rows == t.validRows && cols == t.validCols || cols > t.cols || s[3] != n[4] || s[4] != 1 {
		return
	}
	if f.target != sem.A5 {
		s[1] += (t.validRows - rows) * n[4]
	}
	n[2], n[3], s[2] = 1, t.validRows, t.validRows*n[4]
	t.validCols = cols
	f.drop(*tile)
	f.drop(*view)
	*tile = f.allocated(tile.from, t)
	*view = f.viewOf(at, constants(n), constants(s))
}

// constants returns numbers as values of LLVM IR.
func constants(n [5]int64) []*llir.Value {
	var all []*llir.Value
	for _, x := range n {
		all = append(all, numberOf(x))
	}
	return all
}

// numberOf returns a number as a value of LLVM IR.
func numberOf(x int64) *llir.Value {
	return &llir.Value{Op: "int", Int: x, Type: &llir.Type{Kind: llir.Int, Bits: 64}}
}
