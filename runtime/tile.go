package runtime

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// tile is a tile buffer while a kernel runs: its storage and its valid
// region. How elements lie in the storage, its layout says.
type tile struct {
	data       []byte
	addr       uint64 // where data starts in its space
	rows, cols int    // the valid region
	// pitch is the length of the storage along lines, in elements: its own,
	// or that of the tile it is a part of.
	pitch int
}

// layout says where the elements of a tile type lie.
type layout struct {
	info pto.TileInfo
	f    num.Format
	size int // bytes of an element
	rows int // of the storage
	cols int

	byCols bool // lines of neighbours are columns
	// boxed tiles consist of boxes that follow each other; the elements of a
	// box do too.
	boxed     bool
	boxRows   int
	boxCols   int
	boxByCols bool
}

// layoutOf returns the layout of a tile type; op is what needs it.
func (p *planner) layoutOf(op *ir.Op, t ir.Type) *layout {
	info, ok := pto.TileOf(t)
	f, known := ir.FormatOf(info.Elem)
	if !ok || !known {
		p.errorf(op, "works on %s, which cannot be executed yet", t)
		return nil
	}
	l := &layout{
		info: info, f: f, size: pto.ByteSize(info.Elem), rows: int(info.Rows), cols: int(info.Cols),
		byCols: info.BLayout == pto.ColMajor, boxed: info.SLayout != pto.NoneBox,
	}
	if l.boxed {
		// The long side of a box has 16 elements, the other what is left of it.
		l.boxRows, l.boxCols = 16, int(info.Fractal)/(16*l.size)
		if l.boxByCols = info.SLayout == pto.ColMajor; l.boxByCols {
			l.boxRows, l.boxCols = l.boxCols, l.boxRows
		}
		if l.boxRows == 0 || l.boxCols == 0 || l.rows%l.boxRows != 0 || l.cols%l.boxCols != 0 {
			p.errorf(op, "works on %s, whose %dx%d elements are no whole number of boxes of %dx%d", t, l.rows, l.cols, l.boxRows, l.boxCols)
			return nil
		}
	}
	return l
}

// bytes is the size of the storage.
func (l *layout) bytes() int { return l.rows * l.cols * l.size }

// pitch is the length of lines in a tile that is no part of another.
func (l *layout) pitch() int {
	if l.byCols {
		return l.rows
	}
	return l.cols
}

// offset is where element (r, c) starts.
func (l *layout) offset(t *tile, r, c int) int {
	if !l.boxed {
		if l.byCols {
			r, c = c, r
		}
		return (r*t.pitch + c) * l.size
	}
	br, bc := r/l.boxRows, c/l.boxCols
	r, c = r%l.boxRows, c%l.boxCols
	box := br*(t.pitch/l.boxCols) + bc
	if l.byCols {
		box = bc*(t.pitch/l.boxRows) + br
	}
	in := r*l.boxCols + c
	if l.boxByCols {
		in = c*l.boxRows + r
	}
	return (box*l.boxRows*l.boxCols + in) * l.size
}

// at is where place i of a line starts.
func (l *layout) at(t *tile, byCols bool, line, i int) int {
	if byCols {
		return l.offset(t, i, line)
	}
	return l.offset(t, line, i)
}

// elem is the storage of element (r, c).
func (l *layout) elem(t *tile, r, c int) []byte {
	at := l.offset(t, r, c)
	return t.data[at : at+l.size]
}

// direct reports whether the elements of a line follow each other.
func (l *layout) direct(t *tile, byCols bool) bool {
	return !l.boxed && (l.byCols == byCols || t.pitch == 1)
}

// tileOperand is an operand that is a tile.
type tileOperand struct {
	name string
	at   slot
	l    *layout
}

// tileArg plans a tile operand by its name; there is none if its layout is
// nil.
func (p *planner) tileArg(op *ir.Op, name string) tileOperand {
	if v := op.Arg(name); v != nil && pto.IsTile(v.Type()) {
		return p.tileValue(op, name, v)
	}
	return tileOperand{name: name}
}

func (p *planner) tileValue(op *ir.Op, name string, v *ir.Value) tileOperand {
	return tileOperand{name, p.slot(v), p.layoutOf(op, v.Type())}
}

// tileOut plans the first destination.
func (p *planner) tileOut(op *ir.Op) tileOperand {
	for i, a := range op.Form().Operands {
		if from, to := op.ArgRange(i); (a.Role == ir.Out || a.Role == ir.InOut) && from < to {
			return p.tileValue(op, a.Name, op.Operand(from))
		}
	}
	p.errorf(op, "has no tile to write")
	return tileOperand{}
}

// lines returns the number of lines of the valid region and their length.
func (t *tile) lines(byCols bool) (lines, n int) {
	if byCols {
		return t.cols, t.rows
	}
	return t.rows, t.cols
}

// cursor walks over the lines of a tile operand: rows, or columns.
type cursor struct {
	t       *tile
	l       *layout
	byCols  bool
	direct  bool // the elements of a line follow each other
	across  int  // bytes from line to line, if direct
	scratch []byte
}

// over returns a cursor over the lines of t.
func (l *layout) over(t *tile, byCols bool, scratch []byte) cursor {
	across := t.pitch * l.size
	if l.byCols != byCols {
		across = l.size // lines of one element each
	}
	return cursor{t: t, l: l, byCols: byCols, direct: l.direct(t, byCols), across: across, scratch: scratch}
}

// read returns n elements of a line from element i on.
func (c *cursor) read(line, i, n int) []byte {
	size := c.l.size
	if c.direct {
		from := line*c.across + i*size
		return c.t.data[from : from+n*size]
	}
	row := c.scratch[:n*size]
	for k := range n {
		copy(row[k*size:(k+1)*size], c.t.data[c.l.at(c.t, c.byCols, line, i+k):])
	}
	return row
}

// place returns where to compute n elements of a line from element i on.
func (c *cursor) place(line, i, n int) []byte {
	if c.direct {
		return c.read(line, i, n)
	}
	return c.scratch[:n*c.l.size]
}

// write puts a row that place returned into the line.
func (c *cursor) write(line, i, n int, row []byte) {
	if c.direct {
		return
	}
	size := c.l.size
	for k := range n {
		copy(c.t.data[c.l.at(c.t, c.byCols, line, i+k):], row[k*size:(k+1)*size])
	}
}

// dense reports whether lines of n elements follow each other without a gap,
// so that all of them are one line.
func (c *cursor) dense(n int) bool { return c.direct && c.across == n*c.l.size }

// storage hands out local memory to tiles that have no address. Every tile
// has memory of its own: sharing it is for a pass that knows when tiles die.
type storage struct {
	used  [pto.FB + 1]int
	tiles []stored
}

type stored struct {
	op   *ir.Op
	size int
}

// tileAlign is the alignment of tiles. Vector loads need 32 bytes.
const tileAlign = 32

// take reserves memory for a tile.
func (s *storage) take(op *ir.Op, space pto.Space, size int) uint64 {
	at := s.used[space]
	s.used[space] = (at + size + tileAlign - 1) &^ (tileAlign - 1)
	s.tiles = append(s.tiles, stored{op, size})
	return uint64(at)
}

// check reports spaces that are too small for the tiles in them.
func (s *storage) check(p *planner) {
	for sp := range s.used {
		space := pto.Space(sp)
		limit := space.Size(p.target)
		if s.used[sp] <= limit {
			continue
		}
		in := slices.DeleteFunc(slices.Clone(s.tiles), func(t stored) bool { return pto.SpaceOf(t.op.Result(0).Type()) != space })
		slices.SortStableFunc(in, func(a, b stored) int { return cmp.Compare(b.size, a.size) })
		p.errorf(in[0].op, "and %d other tiles need %d bytes of %s, which has %d on %s; the largest are %s",
			len(in)-1, s.used[sp], space.Loc(), limit, pto.ProfileName(p.target), largest(in[:min(3, len(in))])).
			Note(ir.Loc{}, "pto-opt --pto-plan-memory tells which of them are needed at the same time")
	}
}

func largest(tiles []stored) string {
	var parts []string
	for _, t := range tiles {
		parts = append(parts, fmt.Sprintf("%%%s with %d bytes", t.op.Result(0).Name(), t.size))
	}
	return strings.Join(parts, ", ")
}

// allocTile plans the start of a tile's life.
func (p *planner) allocTile(op *ir.Op) step {
	v := op.Result(0)
	l := p.layoutOf(op, v.Type())
	if l == nil {
		return nil
	}
	number, d := p.newTile(), p.slot(v)
	rows, cols := p.extent(op, "valid_row", l.info.VRows, l.rows), p.extent(op, "valid_col", l.info.VCols, l.cols)
	at := place{op: op, name: "result", how: occupies, space: l.info.Space}
	size := l.bytes()
	addr := p.tileAddress(op, l)
	return func(fr *frame) *Fault {
		a := addr(fr)
		if a%tileAlign != 0 {
			return at.misaligned(a, tileAlign)
		}
		data, f := at.bytes(fr.core, a, size)
		if f != nil {
			return f
		}
		t := &fr.tiles[number]
		*t = tile{data: data, addr: a, pitch: l.pitch()}
		if t.rows, f = rows(fr); f != nil {
			return f
		}
		if t.cols, f = cols(fr); f != nil {
			return f
		}
		fr.t[d] = t
		return nil
	}
}

// tileAddress returns how to find the address of a new tile.
func (p *planner) tileAddress(op *ir.Op, l *layout) func(fr *frame) uint64 {
	if v := op.Arg("addr"); v != nil {
		s := p.slot(v)
		return func(fr *frame) uint64 { return fr.x[s] }
	}
	if onlyScratch(op.Result(0)) {
		return func(*frame) uint64 { return 0 } // execution needs no scratch memory
	}
	a := p.store.take(op, l.info.Space, l.bytes())
	return func(*frame) uint64 { return a }
}

// onlyScratch reports whether a tile only serves as scratch memory.
func onlyScratch(v *ir.Value) bool {
	for u := range v.Uses() {
		op := u.Owner()
		scratch := false
		for i, a := range op.Form().Operands {
			from, to := op.ArgRange(i)
			scratch = scratch || a.Role == ir.Scratch && from <= u.Index() && u.Index() < to
		}
		if !scratch {
			return false
		}
	}
	return true
}

// extent returns how to find an extent of a valid region: in the type, or in
// an operand.
func (p *planner) extent(op *ir.Op, arg string, static int64, limit int) func(fr *frame) (int, *Fault) {
	v := op.Arg(arg)
	if v == nil {
		return func(*frame) (int, *Fault) { return int(static), nil }
	}
	s := p.slot(v)
	return func(fr *frame) (int, *Fault) {
		n := int64(fr.x[s])
		if n < 0 || n > int64(limit) {
			return 0, faultAt(op, "has %s = %d, but the tile has room for 0 to %d", arg, n, limit)
		}
		return int(n), nil
	}
}
