// This file defines tiles at run time: their storage layout, valid region, and access
// by lines.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime/kernels"
)

// tile is a tile buffer at run time: its storage and its valid region. The layout of the
// tile's type determines where each element is in the storage.
type tile struct {
	data []byte
	// addr is the address of data in its memory space.
	addr uint64
	// rows and cols are the extents of the valid region.
	rows, cols int
	// pitch is the distance in elements between consecutive rows of the storage (columns
	// in a column-major tile). A subview has the pitch of the complete tile.
	pitch int
	// declared is the operation that declared the tile, as long as no queue entry has
	// been popped into it. It is nil for all other tiles.
	declared *ir.Op
}

// layout describes where each element of a tile type is in the tile's storage.
type layout struct {
	info pto.TileInfo
	f    num.Format
	// size is the number of bytes of an element.
	size int
	// rows and cols are the extents of the storage in elements.
	rows int
	cols int
	// room is the size of the storage in bytes.
	room int

	// byCols means that the elements of a column are adjacent, as opposed to those of a
	// row.
	byCols bool
	// boxed means that the tile is stored in boxes (blocks of boxRows x boxCols
	// elements). Boxes, and the elements inside a box, are contiguous.
	boxed     bool
	boxRows   int
	boxCols   int
	boxByCols bool
	// half means that two elements share a byte. Operands of matrix products with packed
	// types count single numbers as elements, not pairs.
	half bool
}

// newLayout returns the layout of the tile type that info describes. If the type has an
// inner layout of boxes (blocks of elements), the storage must consist of complete boxes;
// the result ok is false if it does not.
func newLayout(info pto.TileInfo) (l *layout, ok bool) {
	f, _ := ir.FormatOf(info.Elem)
	if info.Exponents() {
		f = num.F8E8M0
	}
	rows, cols, ok := info.Box()
	return &layout{
		info: info, f: f, size: int(info.ElemBytes()), rows: int(info.Rows), cols: int(info.Cols), room: int(info.Footprint()),
		byCols: info.BLayout == pto.ColMajor, half: info.Halves(),
		boxed: info.SLayout != pto.NoneBox, boxRows: int(rows), boxCols: int(cols), boxByCols: info.SLayout == pto.ColMajor,
	}, ok
}

// inNumbers returns a version of the layout l in which each number counts as one element.
// An element of l can contain two packed numbers, for example in FP4 formats. Such an
// element becomes into[0] rows and into[1] columns of the result.
func (l *layout) inNumbers(into [2]int) *layout {
	if into == [2]int{1, 1} {
		return l
	}
	n := *l
	n.half, n.rows, n.cols = true, l.rows*into[0], l.cols*into[1]
	n.boxRows, n.boxCols = l.boxRows*into[0], l.boxCols*into[1]
	return &n
}

// inNumbers returns the tile t as seen through a layout that counts each packed number as
// an element. In some formats, for example FP4, an element of t packs several numbers.
// The array into contains the number of rows (into[0]) and of columns (into[1]) that an
// element of t becomes. The parameter l is the original layout of t.
func (t *tile) inNumbers(l *layout, into [2]int) tile {
	n := *t
	n.rows, n.cols = t.rows*into[0], t.cols*into[1]
	if n.pitch *= into[1]; l.byCols {
		n.pitch = t.pitch * into[0]
	}
	return n
}

// memory returns the memory space in which tiles of this type are stored. The scales of
// MX operands (matrices with one scale per group of elements) are in separate memories.
func (l *layout) memory() sem.Space {
	switch {
	case l.info.Exponents() && l.info.SLayout == pto.ColMajor:
		return scalesB
	case l.info.Exponents():
		return scalesA
	}
	return l.info.Space
}

// roundUp returns the smallest multiple of m that is not less than n.
func roundUp(n, m int) int { return (n + m - 1) / m * m }

// stored returns the numbers of rows and columns of the storage. In a tile with an inner
// layout of boxes (blocks of elements), they are multiples of the box extents.
func (l *layout) stored() (rows, cols int) {
	r, c := l.info.Stored()
	return int(r), int(c)
}

// bytes returns the size of the tile's storage in bytes.
func (l *layout) bytes() int { return l.room }

// pitch returns the distance in elements between consecutive rows (columns in a
// column-major tile), for a tile that is not a subview.
func (l *layout) pitch() int { return int(l.info.Pitch()) }

// offset returns the byte offset of element (r, c) in the storage of tile t.
func (l *layout) offset(t *tile, r, c int) int {
	if l.half {
		return l.number(t, r, c) / 2
	}
	return l.number(t, r, c) * l.size
}

// number returns the index, in elements, at which element (r, c) of tile t is stored.
func (l *layout) number(t *tile, r, c int) int {
	if !l.boxed {
		if l.byCols {
			r, c = c, r
		}
		return r*t.pitch + c
	}
	br, bc := r/l.boxRows, c/l.boxCols
	r, c = r%l.boxRows, c%l.boxCols
	at := br*t.pitch*l.boxRows + bc*l.boxRows*l.boxCols
	if l.byCols {
		at = bc*t.pitch*l.boxCols + br*l.boxRows*l.boxCols
	}
	in := r*l.boxCols + c
	if l.boxByCols {
		in = c*l.boxRows + r
	}
	return at + in
}

// lineOffset returns the byte offset of element i of a row in the storage of tile t. The
// parameter line is the number of the row, or of the column if byCols is set.
func (l *layout) lineOffset(t *tile, byCols bool, line, i int) int {
	if byCols {
		return l.offset(t, i, line)
	}
	return l.offset(t, line, i)
}

// elem returns the bytes of element (r, c) in the storage of t.
func (l *layout) elem(t *tile, r, c int) []byte {
	at := l.offset(t, r, c)
	return t.data[at : at+l.size]
}

// direct reports whether consecutive elements of a row of the tile t are adjacent in the
// storage. If byCols is set, it examines the elements of a column instead.
func (l *layout) direct(t *tile, byCols bool) bool {
	return !l.boxed && (l.byCols == byCols || t.pitch == 1)
}

// tileOperand is a tile operand of an instruction: its name, its slot (its index in the
// storage of a call), and its memory layout.
type tileOperand struct {
	name string
	at   slot
	l    *layout
}

// tileArg returns the tile operand of op with the given name. If op does not have it, the
// layout of the result is nil.
func (p *planner) tileArg(op *ir.Op, name string) tileOperand {
	if v := op.Arg(name); v != nil && pto.IsTile(v.Type()) {
		return p.tileValue(op, name, v)
	}
	return tileOperand{name: name}
}

// tileOperand returns a description of the tile operand o, through which steps access the
// tile at run time. If the operand is missing or not a tile, the layout of the result is
// nil.
func (p *planner) tileOperand(op *ir.Op, o sem.Operand) tileOperand {
	if o.Given() && pto.IsTile(o.Type()) {
		return p.tileValue(op, o.Name, o.Value)
	}
	return tileOperand{name: o.Name}
}

// tileValue returns a description of the tile v, an operand of op with the given name,
// through which steps access the tile at run time. It reports an error if the runtime
// does not support the tile's type.
func (p *planner) tileValue(op *ir.Op, name string, v *ir.Value) tileOperand {
	return tileOperand{name, p.slot(v), p.layoutOf(op, v.Type())}
}

// tileOut returns a description of the first tile operand that op writes, through which
// steps access the tile at run time. If op writes no tile, the layout of the result is
// nil.
func (p *planner) tileOut(op *ir.Op) tileOperand {
	for i, a := range op.Form().Operands {
		if from, to := op.ArgRange(i); (a.Role == ir.Out || a.Role == ir.InOut) && from < to {
			return p.tileValue(op, a.Name, op.Operand(from))
		}
	}
	p.errorf(op, "requires a tile as its output operand")
	return tileOperand{}
}

// lines returns the number of rows of the valid region and the length of a row in
// elements. If byCols is set, it returns the number of columns and the length of a
// column instead.
func (t *tile) lines(byCols bool) (lines, n int) {
	if byCols {
		return t.cols, t.rows
	}
	return t.rows, t.cols
}

// cursor accesses the rows of a tile operand, or its columns if byCols is set,
// independently of the layout of the tile. If the elements of a row are not adjacent in
// memory, the cursor copies the row to a scratch buffer.
type cursor struct {
	t      *tile
	l      *layout
	byCols bool
	// direct means that the elements of a row (or column) are adjacent.
	direct bool
	// across is the distance in bytes between consecutive rows (or columns), if direct is
	// set.
	across  int
	scratch []byte
}

// over returns a cursor over the rows of tile t, or over its columns if byCols is set.
// The parameter scratch is the buffer for rows whose elements are not adjacent.
func (l *layout) over(t *tile, byCols bool, scratch []byte) cursor {
	across := t.pitch * l.size
	if l.byCols != byCols {
		across = l.size // lines of one element each
	}
	return cursor{t: t, l: l, byCols: byCols, direct: l.direct(t, byCols), across: across, scratch: scratch}
}

// read returns n elements of a row (or column) of the tile, starting at element i. The
// parameter line is the number of the row. The result is the storage of the tile, or a
// copy if the elements are not adjacent.
func (c *cursor) read(line, i, n int) []byte {
	size := c.l.size
	if c.direct {
		from := line*c.across + i*size
		return c.t.data[from : from+n*size]
	}
	row := c.scratch[:n*size]
	if c.strided() && n > 0 { // elements in steps of the pitch are a line across
		columnsOf[size](row, c.t.data[c.l.lineOffset(c.t, c.byCols, line, i):], n, 1, 1, c.t.pitch)
		return row
	}
	for k := range n {
		copy(row[k*size:(k+1)*size], c.t.data[c.l.lineOffset(c.t, c.byCols, line, i+k):])
	}
	return row
}

// linesFrom returns the memory of the rows (or columns) of a tile, starting at the row
// whose number is the parameter line. An assembly loop that processes several rows at
// once uses it as an operand. The elements of each row must be adjacent.
func (c *cursor) linesFrom(line int) kernels.Lines {
	return kernels.Lines{Data: c.t.data[line*c.across:], Pitch: c.across}
}

// spaced returns elems, the bytes from which the caller reads the first n elements of row
// (or column) 0 of a tile. The cursor c reads this tile. The result step is the distance
// in bytes between the starts of two of these elements.
//
// Usually elems is the memory of the tile. In two cases, it is a contiguous copy of the
// elements instead, and step is the element size. The first case is a tile with a varying
// distance between these elements. The second case is an overlap in memory with the tile
// d, which the caller is going to overwrite.
func (c *cursor) spaced(n int, d *tile) (elems []byte, step int) {
	if c.direct || !c.strided() || n == 0 || overlap(c.t.data, d.data) {
		return c.read(0, 0, n), c.l.size
	}
	return c.t.data[c.l.lineOffset(c.t, c.byCols, 0, 0):], c.t.pitch * c.l.size
}

// destination returns a buffer for n result elements of a row (or column), starting at
// element i. The parameter line is the number of the row. The buffer is the storage of
// the tile if the elements are adjacent, and scratch memory if they are not.
func (c *cursor) destination(line, i, n int) []byte {
	if c.direct {
		return c.read(line, i, n)
	}
	return c.scratch[:n*c.l.size]
}

// write copies n elements from the slice row to the storage of the tile. The parameter
// line is the index of the row (or column) to write, and i is the index of the first
// element in it. If the elements are adjacent in the storage, write does nothing, because
// the caller has then already stored them there: the method destination returned the
// storage itself as the buffer for results.
func (c *cursor) write(line, i, n int, row []byte) {
	if c.direct {
		return
	}
	size := c.l.size
	if c.strided() && n > 0 {
		columnsOf[size](c.t.data[c.l.lineOffset(c.t, c.byCols, line, i):], row, 1, n, c.t.pitch, n)
		return
	}
	for k := range n {
		copy(c.t.data[c.l.lineOffset(c.t, c.byCols, line, i+k):], row[k*size:(k+1)*size])
	}
}

// strided reports whether the elements of a row (or column) have a constant distance in
// memory.
func (c *cursor) strided() bool { return !c.l.boxed && !c.l.half }

// dense reports whether rows (or columns) of n elements follow each other in memory
// without gaps. Several of them can then be processed as one long row.
func (c *cursor) dense(n int) bool { return c.direct && c.across == n*c.l.size }
