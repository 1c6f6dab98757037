// This file executes gathers and scatters between a tile and a table in global memory.
// The instruction determines the meaning of an index: a row of the table, or an element
// counted through the complete view. For some instructions, the shape of the indices
// selects one of the two.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// tileTable executes a gather from, or a scatter to, a table in global memory. Indices
// select rows or elements of the table.
type tileTable struct {
	op    *ir.Op
	table slot
	gm    pointee
	tile  tileOperand
	// rows and cols are the axes of the table (pto.TableAxes). boxes reports that the table
	// has boxes.
	rows, cols axis
	boxes      bool
	// index returns the table index for element (r, c) of the tile, or a fault.
	index func(fr *frame, r, c int) (int64, *Fault)
	// byRow reports whether indices select rows of the table. The column in the table is
	// then the column of the tile element.
	byRow func(fr *frame) bool
	// outside states how the instruction treats an index that is out of range.
	outside sem.OutOfBounds
	// atomic, if not nil, is the function that combines written elements with the
	// contents of memory.
	atomic *scalar.Fn
}

// memGather compiles pto.mgather into a step that loads elements of a table in global
// memory. An element with an index out of range becomes zero, if the instruction permits
// such indices.
func (p *planner) memGather(op *ir.Op, _ sem.MemGather) step {
	t := p.tileTable(op, reads)
	if t == nil {
		return nil
	}
	return p.checked(op, func(fr *frame) *Fault {
		d := fr.t[t.tile.at]
		return t.each(fr, func(gm []byte, r, c int) { // gm is nil outside of the table
			if to := t.tile.l.elem(d, r, c); copy(to, gm) == 0 {
				clear(to)
			}
		})
	})
}

// memScatter compiles pto.mscatter into a step that stores elements in a table in global
// memory. It writes elements in order, so that the last of several elements with the same
// index remains.
func (p *planner) memScatter(op *ir.Op, _ sem.MemScatter) step {
	t := p.tileTable(op, writes)
	if t == nil {
		return nil
	}
	t.gm.combines = t.atomic != nil
	return p.checked(op, func(fr *frame) *Fault {
		s, f := fr.t[t.tile.at], t.tile.l.f
		return t.each(fr, func(gm []byte, r, c int) {
			switch from := t.tile.l.elem(s, r, c); {
			case gm == nil: // skipped
			case t.atomic != nil && fr.core.lin != nil:
				fr.core.lin.combine(atomic{f, t.atomic}, gm, from)
			case t.atomic != nil:
				x, _ := t.atomic.Eval2(f, num.Load(f, gm), num.Load(f, from)) // these have no errors
				num.Store(f, gm, x)
			default:
				copy(gm, from)
			}
		})
	})
}

// tileTable returns the description of an instruction on a table in global memory. The
// instruction is a gather, which reads the table, or a scatter, which writes it; the
// parameter how is the constant reads or the constant writes, respectively. tileTable
// reports an error and returns nil if the runtime does not support the operands.
func (p *planner) tileTable(op *ir.Op, how access) *tileTable {
	d := sem.TableOf(op)
	mem, tile := d.Mem, p.tileOperand(op, d.Tile)
	if tile.l == nil || p.classOf(mem.Type()) != viewClass {
		if !p.failed {
			p.errorf(op, "has an operand \"mem\" of type %s, which pto-run does not support", mem.Type())
		}
		return nil
	}
	p.viewShape(op, mem.Type())
	t := &tileTable{
		op: op, table: p.slot(mem.Value), tile: tile, outside: d.Outside, atomic: d.Atomic,
		gm: newPlace(op, mem.Name, how),
	}
	rows, cols, boxes := pto.TableAxes(tile.l.info)
	t.rows, t.cols, t.boxes = axis(rows), axis(cols), boxes
	t.byRow = func(*frame) bool { return d.By == sem.IndexRows }
	if p.classOf(d.Index.Type()) == viewClass {
		t.index = p.viewIndex(op, d, tile)
		return t
	}
	x := p.tileOperand(op, d.Index)
	if x.l == nil {
		return nil
	}
	if d.By == sem.IndexByShape {
		t.byRow = func(fr *frame) bool { return fr.t[x.at].extent() != fr.t[tile.at].extent() }
	}
	t.index = func(fr *frame, r, c int) (int64, *Fault) {
		at := fr.t[x.at]
		switch {
		case !t.byRow(fr):
		case at.cols == 1:
			c = 0
		default:
			r, c = 0, r
		}
		if f := window(op, &x, r, c, 1, 1); f != nil {
			return 0, f
		}
		return x.position(at, r, c), nil
	}
	return t
}

// viewIndex returns a function that reads table indices from a view of global memory. The
// function returns the index for element (r, c) of the tile. If indices select rows of the
// table, this is element r of the view. If they select elements of the table, it is
// element (r, c) of the view: the NPU headers multiply r by the row stride of the view
// (idxRowStride in MGather.hpp), also if the tile has fewer valid columns than the view. A
// view with a single row contains the indices of all rows of the tile, one after the other.
func (p *planner) viewIndex(op *ir.Op, d sem.Table, tile tileOperand) func(fr *frame, r, c int) (int64, *Fault) {
	_, size := p.viewShape(op, d.Index.Type())
	f, _ := ir.FormatOf(ir.ElementType(d.Index.Type()))
	at, gm := p.slot(d.Index.Value), newPlace(op, d.Index.Name, reads)
	byRow := d.By == sem.IndexRows
	return func(fr *frame, r, c int) (int64, *Fault) {
		w := &fr.w[at]
		var n int64
		switch {
		case byRow:
			n = wholeView.offset(w, r)
		case matrixRows.length(w) > 1:
			n = matrixRows.offset(w, r) + matrixCols.offset(w, c)
		default:
			n = wholeView.offset(w, r*fr.t[tile.at].cols+c)
		}
		b, fault := gm.bytes(fr.core, w.addr+uint64(n*int64(size)), size)
		if fault != nil {
			return 0, fault
		}
		return num.Int(f, num.Load(f, b)), nil
	}
}

// each calls the function do for each element of the tile, with the row and column of the
// element. The first argument of do is the global memory that starts at a table entry. An
// index tile contains the index of this entry. If the index is out of range and the
// instruction permits that, the argument is nil.
//
// An index can count elements or rows of the table. An element index is added to the
// start address of the table, so the strides of the table have no effect, unless the table
// has boxes. A row index is multiplied by the row stride.
func (t *tileTable) each(fr *frame, do func(gm []byte, r, c int)) *Fault {
	w, tile := &fr.w[t.table], fr.t[t.tile.at]
	byRow := t.byRow(fr)
	width, all := int64(t.cols.length(w)), int64(wholeView.length(w))
	if byRow {
		all = int64(t.rows.length(w))
	}
	for r := range tile.rows {
		for c := range tile.cols {
			n, f := t.index(fr, r, c)
			if f != nil {
				return f
			}
			n, inside, f := t.within(n, all)
			if f != nil {
				return f
			}
			if !inside {
				do(nil, r, c)
				continue
			}
			at := n // a place after the start, also where rows are apart
			switch {
			case byRow && int64(c) >= width:
				return faultAt(t.op, "accesses column %d of \"mem\", which has only %d columns", c, width)
			case byRow && t.boxes:
				at = t.rows.offset(w, int(n)) + t.cols.offset(w, c)
			case byRow:
				at = wholeView.offset(w, int(n*width)+c)
			case t.boxes:
				at = t.rows.offset(w, int(n/width)) + t.cols.offset(w, int(n%width))
			}
			b, f := t.gm.bytes(fr.core, w.addr+uint64(at*int64(t.tile.l.size)), t.tile.l.size)
			if f != nil {
				return f
			}
			do(b, r, c)
		}
	}
	return nil
}

// within applies the instruction's rule for out-of-range indices to the index n. The
// parameter all is the number of table entries. The result at is the index to use, and
// the result inside is false if the instruction skips the element. If the rule does not
// define an index for n, within returns a fault. Clamping and wrapping interpret n as an
// unsigned 32-bit number, so -1 is a large index.
func (t *tileTable) within(n, all int64) (at int64, inside bool, f *Fault) {
	if n >= 0 && n < all {
		return n, true, nil
	}
	switch {
	case t.outside == sem.OutSkips:
		return 0, false, nil
	case all > 0 && t.outside == sem.OutClamps:
		return min(int64(uint32(n)), all-1), true, nil
	case all > 0 && t.outside == sem.OutWraps:
		return int64(uint32(n)) % all, true, nil
	}
	return 0, false, faultAt(t.op, "accesses element %d of \"mem\", which has only %d elements", n, all)
}
