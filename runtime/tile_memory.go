// This file executes copies between global memory and tiles.

package runtime

import (
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// tileCopy executes a load or store: a copy between a tensor view of global memory and a
// tile.
type tileCopy struct {
	op         *ir.Op
	view, tile slot
	l          *layout
	// size is the size of an element in bytes.
	size int
	// flipped is the layout of the transposed tile, for tiles with boxes.
	flipped *layout
	// rows and cols are the dimensions of the view that correspond to the rows and
	// columns of the tile.
	rows, cols axis
	gm         pointee
	load       bool
	// column means that a load can join the planes of its view (isatile.LoadsColumn).
	column bool
	// named reports that the view has five dimensions, which select boxes of MX scales.
	named bool
	// pad is the element with which a load fills the rest of each 32-byte block after a
	// row, or nil.
	pad []byte
	// describe computes the view from a memref operand, or from the view of a column
	// (packColumn); it is nil if the operand is the view.
	describe func(fr *frame)
}

// tileLoad compiles pto.tload into a step, a function that copies a view of global memory
// to a tile.
func (p *planner) tileLoad(op *ir.Op, _ sem.TileLoad) step {
	c := p.tileCopy(op, sem.TileCopyOf(op), reads)
	if c == nil {
		return nil
	}
	c.load, c.column = true, isatile.LoadsColumn(op)
	c.pad = padElement(c.l)
	p.sameSize(op, c)
	p.hearCopy(op, c)
	switch {
	case isatile.LoadPads(op):
		return c.described(p.paddedLoad(op, sem.TileCopyOf(op), c))
	case c.l.scales():
		return c.described(c.scales)
	}
	return c.described(c.exec)
}

// described returns a step that computes the view from a memref operand before it
// executes s. If the operand is a view, described returns s.
func (c *tileCopy) described(s step) step {
	if c.describe == nil {
		return s
	}
	return func(fr *frame) *Fault {
		c.describe(fr)
		return s(fr)
	}
}

// tileStore compiles pto.tstore into a step, a function that copies a tile to a view of
// global memory. If the tile is in the accumulator (L0C), the step also converts its
// elements.
func (p *planner) tileStore(op *ir.Op, _ sem.TileStore) step {
	d := sem.TileCopyOf(op)
	c := p.tileCopy(op, d, writes)
	if c == nil {
		return nil
	}
	if isatile.PacksColumn(op) {
		p.packColumn(c)
	}
	to := ir.ElementType(d.View.Type())
	p.hearCopy(op, c)
	if c.l.info.Space != sem.L0C && !d.Add {
		p.sameSize(op, c)
		return c.described(c.exec)
	}
	src := p.tileOperand(op, d.Tile)
	f, _ := ir.FormatOf(to)
	c.gm.combines = d.Add
	s := &fixpipeStore{tileCopy: *c, convert: p.fixpipe(op, &src, to), f: f, add: d.Add}
	if s.convert == nil {
		return nil
	}
	return c.described(s.exec)
}

// packColumn lets the store c of a column use a copy of its view in which neighboring rows
// are adjacent (isatile.PacksColumn). Events still show the view of the program.
func (p *planner) packColumn(c *tileCopy) {
	from, to, describe := c.view, p.cur.size[viewClass], c.describe
	p.cur.size[viewClass]++
	c.view, c.describe = to, func(fr *frame) {
		if describe != nil {
			describe(fr)
		}
		fr.w[to] = fr.w[from]
		fr.w[to].stride[isatile.PackedAxis] = 1
	}
}

// sameSize reports an error if the elements of view and tile have different sizes, which
// a plain copy does not support.
func (p *planner) sameSize(op *ir.Op, c *tileCopy) {
	if c.size != c.l.size {
		p.errorf(op, "copies between a view with elements of %d bytes and a tile with elements of %d bytes, which pto-run does not support", c.size, c.l.size)
	}
}

// tileCopy returns the copy between the view and the tile that d describes. The parameter
// how states whether op reads or writes the view. It reports an error and returns nil if
// the runtime does not support the types.
func (p *planner) tileCopy(op *ir.Op, d sem.TileCopy, how access) *tileCopy {
	v, t := d.View.Value, d.Tile
	view, describe := p.asView(op, v)
	l := p.layoutOf(op, t.Type())
	_, size := p.viewShape(op, v.Type())
	if l == nil || size == 0 {
		return nil
	}
	rows, cols := pto.ViewAxes(l.info)
	c := &tileCopy{
		op: op, view: view, describe: describe, tile: p.slot(t.Value), l: l, size: size, rows: axis(rows), cols: axis(cols),
		gm: pointee{op: op, name: d.View.Name, how: how, space: sem.GM},
	}
	if l.boxed {
		c.flipped = l.transposed()
	}
	if dims, ok := pto.ViewDims(v.Type()); ok {
		c.named = dims.Len() == pto.ViewRank
	}
	return c
}

// axes returns the dimensions of the view that correspond to rows and columns of the
// tile. The two are exchanged if the extents of the view match a boxed tile only after
// transposition: the data paths of the cube unit support that.
func (c *tileCopy) axes(w *view, t *tile) (rows, cols axis) {
	if c.l.boxed && c.l.rows > 1 && t.rows != t.cols && c.rows.length(w) == t.cols && c.cols.length(w) == t.rows {
		return c.cols, c.rows
	}
	if c.column && c.rows.length(w) != t.rows && matrixRows.length(w) == t.rows && w.planesFollow() {
		return matrixRows, matrixCols
	}
	return c.rows, c.cols
}

// extents returns the size of a copy between the view w and the tile t: the number of
// rows and the number of columns to copy. The results ra and ca are the dimensions of the
// view that correspond to the rows and to the columns of the tile. extents returns a
// fault if the extents of the view and of the tile do not match.
func (c *tileCopy) extents(w *view, t *tile) (rows, cols int, ra, ca axis, f *Fault) {
	ra, ca = c.axes(w, t)
	part := [2]int64{int64(ra.length(w)), int64(ca.length(w))}
	if wrong := isatile.CopyMismatch(c.load, part, [2]int64{int64(t.rows), int64(t.cols)}); wrong != "" {
		return 0, 0, nil, nil, faultAt(c.op, "requires equal extents of the view and the tile: %s", wrong)
	}
	return min(t.rows, int(part[0])), min(t.cols, int(part[1])), ra, ca, nil
}

// fixpipeStore executes a store of a tile that converts elements, or that adds them to
// the contents of memory.
type fixpipeStore struct {
	tileCopy
	convert func(fr *frame, cols int) (fixpipe, *Fault)
	// f is the format of the elements in memory.
	f   num.Format
	add bool
}

// exec converts all elements of the tile and stores them to the view. It returns a fault
// if an access is out of bounds.
func (s *fixpipeStore) exec(fr *frame) *Fault {
	w, t := &fr.w[s.view], fr.t[s.tile]
	conv, f := s.convert(fr, t.cols)
	if f != nil {
		return f
	}
	rows, cols, ra, ca, f := s.extents(w, t)
	if f != nil {
		return f
	}
	if rows == 0 || cols == 0 {
		return nil
	}
	whole := conv.rows != nil && !s.add && !s.l.half && ca.run(w, 0) >= cols
	for r := range rows {
		if whole && s.row(fr.core, w.addr+uint64(ra.offset(w, r)*int64(s.size)), t, conv.rows, r, cols) {
			continue
		}
		for c := range cols {
			at := ra.offset(w, r) + ca.offset(w, c)
			gm, f := s.gm.bytes(fr.core, w.addr+uint64(at*int64(s.size)), s.size)
			if f != nil {
				return f
			}
			x := conv.each(s.l.get(t, r, c), c)
			switch lin := fr.core.lin; {
			case s.add && lin != nil:
				lin.combine(atomic{s.f, scalar.Add}, gm, bytesOf([]uint64{x})[:s.size])
				continue
			case s.add:
				x, _ = scalar.Add.Eval2(s.f, num.Load(s.f, gm), x) // sums have no errors
			}
			num.Store(s.f, gm, x)
		}
	}
	return nil
}

// row converts row r of the tile with the function convert, and stores its cols elements
// at addr in global memory. If they are not completely inside the buffer to which the
// destination operand points, row stores nothing and returns false.
func (s *fixpipeStore) row(c *core, addr uint64, t *tile, convert convertFunc, r, cols int) bool {
	gm, f := s.gm.bytes(c, addr, cols*s.size)
	if f != nil {
		return false
	}
	n := cols * s.l.size
	flat := c.bytes(n + len(gm))
	corner{s.l, t, r, 0}.exchange(flat[:n], 1, cols, false)
	convert(flat[n:], flat[:n])
	copy(gm, flat[n:]) // memory may start anywhere, and elements do not
	return true
}

// exec copies the elements that are in both the view and the valid region of the tile.
// It copies contiguous ranges of elements at once.
func (c *tileCopy) exec(fr *frame) *Fault {
	w, t := &fr.w[c.view], fr.t[c.tile]
	rows, cols, ra, ca, f := c.extents(w, t)
	if f != nil {
		return f
	}
	along, across := ca, ra
	lines, n := rows, cols
	// Copy along the direction in which elements are adjacent in the view or, if there is
	// none, in the tile.
	byCols := !ca.dense(w) && (ra.dense(w) || c.l.run(t, true, 0) > c.l.run(t, false, 0))
	if byCols {
		along, across, lines, n = across, along, cols, rows
	}
	part := copiedLines{byCols: byCols, lines: lines, n: n}
	step, even := across.step(w)
	switch {
	case lines == 0 || n == 0: // the view may be empty, where no run can be asked for
	case even && !c.l.boxed && along.run(w, 0) >= n && c.l.run(t, byCols, 0) >= n:
		f = c.copyLines(fr.core, w, t, part, step)
	case even && c.l.boxed && !c.l.half && along.run(w, 0) >= n && fr.core.lin == nil:
		f = c.copyBoxes(fr.core, w, t, part, step, across, along)
	default:
		f = c.copyRuns(fr.core, w, t, part, across, along)
	}
	if f != nil {
		return f
	}
	if c.pad != nil {
		c.fillUp(t)
	}
	return nil
}

// copiedLines describes what a copy moves: rows (columns if byCols is set) and their
// length n in elements. The field first is the number of the first row, and lines is the
// number after the last one.
type copiedLines struct {
	byCols          bool
	first, lines, n int
}

// copyLines copies rows (or columns) that are contiguous in the tile and in the view. The
// parameter part contains their number and length, and the parameter step is the distance
// between rows in the view, in elements. If the rows follow each other without gaps, it
// copies everything at once.
func (c *tileCopy) copyLines(core *core, w *view, t *tile, part copiedLines, step int64) *Fault {
	size, apart := part.n*c.size, int(far(step, int64(c.size)))
	across := c.l.lineOffset(t, part.byCols, 1, 0)
	if size == apart && size == across && c.transfer(core, w.addr, t.data, part.lines*size) == nil {
		return nil
	}
	for line := range part.lines { // also to report which line is outside
		if f := c.transfer(core, w.addr+uint64(far(int64(line), int64(apart))), t.data[line*across:], size); f != nil {
			return f
		}
	}
	return nil
}

// copyBoxes copies rows (or columns) that are contiguous in the view to or from a tile with
// boxes (blocks of its inner layout), by way of a temporary array with the order of the
// view. A load of boxes that consist of rows needs no such array, if no listener hears of
// the bytes of each row. The parameter part contains the number and the length of the rows, and the
// parameter step is their distance in the view, in elements. The parameters across and
// along are those of copyRuns, which reports an access out of bounds. In symbolic
// execution, the bytes in local memory have expressions, which an array would not have.
func (c *tileCopy) copyBoxes(core *core, w *view, t *tile, part copiedLines, step int64, across, along axis) *Fault {
	size, apart := part.n*c.size, far(step, int64(c.size))
	to := corner{l: c.l, t: t}
	if part.byCols {
		to.l = c.flipped
	}
	if c.load && !to.l.boxByCols && step >= int64(part.n) {
		if all, ok := c.gm.unrecorded(core, w.addr, int64(part.lines-1), apart, size); ok {
			to.exchangeApart(all, int(step), part.lines, part.n, true)
			return nil
		}
	}
	flat := core.bytes(part.lines * size)
	if !c.load {
		to.exchange(flat, part.lines, part.n, false)
	}
	for line := range part.lines {
		gm, f := c.gm.bytes(core, w.addr+uint64(far(int64(line), apart)), size)
		if f != nil { // a shorter range of this line, which copyRuns finds
			part.first, part.lines = line, line+1
			return c.copyRuns(core, w, t, part, across, along)
		}
		if local := flat[line*size:][:size]; c.load {
			copy(local, gm)
		} else {
			core.put(gm, local)
		}
	}
	if c.load {
		to.exchange(flat, part.lines, part.n, true)
	}
	return nil
}

// copyRuns copies the rows (or columns) of a tile that the parameter part describes. It
// copies one range at a time that is contiguous both in the tile and in the view. The
// parameter along is the view dimension that corresponds to the position within a row.
// The parameter across is the view dimension that corresponds to the row number.
func (c *tileCopy) copyRuns(core *core, w *view, t *tile, part copiedLines, across, along axis) *Fault {
	for line := part.first; line < part.lines; line++ {
		start := across.offset(w, line)
		for i := 0; i < part.n; {
			k := min(part.n-i, along.run(w, i), c.l.run(t, part.byCols, i))
			addr := w.addr + uint64((start+along.offset(w, i))*int64(c.size))
			if f := c.transfer(core, addr, t.data[c.l.lineOffset(t, part.byCols, line, i):], k*c.size); f != nil {
				return f
			}
			i += k
		}
	}
	return nil
}

// transfer copies n bytes between global memory, at address addr, and the slice local. A
// load copies to the slice, and a store copies to global memory. transfer returns a fault
// if the bytes in global memory are out of bounds.
func (c *tileCopy) transfer(core *core, addr uint64, local []byte, n int) *Fault {
	gm, f := c.gm.bytes(core, addr, n)
	switch {
	case f != nil:
		return f
	case c.load:
		copy(local, gm)
	default:
		core.put(gm, local)
	}
	return nil
}

// run returns the number of elements of a row (column if byCols is set) that are adjacent
// in memory, starting at element i.
func (l *layout) run(t *tile, byCols bool, i int) int {
	n := l.cols
	if byCols {
		n = l.rows
	}
	switch {
	case l.boxed && byCols == l.boxByCols:
		n = l.boxCols
		if byCols {
			n = l.boxRows
		}
		return n - i%n
	case l.direct(t, byCols):
		return n - i
	}
	return 1
}

// runAt returns the number of elements that are adjacent in memory in the row of element (r, c),
// from this element on, or in its column if byCols is set.
func (l *layout) runAt(t *tile, byCols bool, r, c int) int {
	if byCols {
		return l.run(t, byCols, r)
	}
	return l.run(t, byCols, c)
}

// padBytes is the block size in bytes for tiles with padding. A load fills each row with
// padding elements up to the next multiple of this size.
const padBytes = 32

// padElement returns the bytes of the element with which a load pads a tile, or nil for
// no padding. The tile type selects the element: zero, the smallest or the largest value
// of the format. In formats with infinities, the smallest and largest values are
// infinities.
func padElement(l *layout) []byte {
	var bits uint64
	switch l.info.Pad {
	case pto.PadNull:
		return nil
	case pto.PadMax:
		bits = num.Extreme(l.f, false)
	case pto.PadMin:
		bits = num.Extreme(l.f, true)
	}
	b := make([]byte, l.f.Bytes())
	num.Store(l.f, b, bits)
	return b
}

// fillUp adds padding after each row of the valid region, up to a multiple of 32 bytes,
// as the DMA engine does. In a column-major tile, it adds padding after each column.
func (c *tileCopy) fillUp(t *tile) {
	if c.l.boxed {
		return
	}
	lines, n, end := c.fillEnd(t)
	for line := range lines {
		for i := n; i < end; i++ {
			copy(t.data[c.l.lineOffset(t, c.l.byCols, line, i):], c.pad)
		}
	}
}

// fillEnd computes which elements of a tile a load must pad. The first result is the
// number of rows, or of columns if the tile is column-major. The other two results are
// the same for each of these rows or columns: the index of its first padding element, and
// the index after its last one.
func (c *tileCopy) fillEnd(t *tile) (lines, from, end int) {
	lines, n := t.lines(c.l.byCols)
	all := c.l.cols
	if c.l.byCols {
		all = c.l.rows
	}
	return lines, n, min(all, (n*c.size+padBytes-1)/padBytes*padBytes/c.size)
}
