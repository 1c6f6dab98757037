// This file defines tiles as LLVM values and the loops over their elements.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// tile describes a tile by LLVM values: its layout, the address of its storage, and its
// valid region.
type tile struct {
	// e is the element type, info is the tile type, and base is the address of the
	// storage.
	e    element
	info pto.TileInfo
	base value.Value
	// rows and cols are the extents of the valid region.
	rows, cols value.Value
	// pitch is the distance between rows (or columns, if column-major) in elements. For a
	// subview, it is the pitch of the whole tile.
	pitch value.Value
	box   box
	// halves means that two 4-bit elements share a byte.
	halves bool
}

// box is the inner layout of a tile that is stored in boxes, rectangular blocks of rows x
// cols elements. The boxes are adjacent, and so are the elements inside a box.
type box struct {
	// rows and cols are the extents of a box in elements. They are 0 for a tile without
	// boxes.
	rows, cols int64
	// byCols means that the elements of a box are in column-major order.
	byCols bool
}

// extentType is the type of the stack variable that holds a dynamic valid region: rows
// and columns.
var extentType = types.NewStruct(ll.I64, ll.I64)

// boxOf returns the size and order of the boxes in which a tile type stores its elements.
// The bool result is false if the storage is not a multiple of the box size.
func boxOf(t pto.TileInfo) (box, bool) {
	rows, cols, ok := t.Box()
	if t.SLayout == pto.NoneBox {
		return box{}, true
	}
	return box{rows, cols, t.SLayout == pto.ColMajor}, ok
}

// tileElement returns the element type of a tile. ok is false if it is not supported.
func tileElement(t pto.TileInfo) (element, bool) {
	if t.Exponents() {
		return scaleElement, true
	}
	e, ok := elementOfType(t.Elem)
	if e.f == num.I4 { // two share a byte
		e.packed, e.t, e.mem = true, ll.I8, ll.I8
	}
	return e, ok
}

// tileStart returns the address at which the memory for tiles of type t begins. Tiles of
// scale exponents have a separate scale memory for each matrix operand. All other tiles
// are in the memory space of t.
func (c *code) tileStart(t pto.TileInfo) value.Value {
	switch {
	case t.Exponents() && t.SLayout == pto.ColMajor:
		return c.scaleMemory(sem.L0B)
	case t.Exponents():
		return c.scaleMemory(sem.L0A)
	}
	return c.space(t.Space)
}

// tileOf returns a description of the tile in the value v. ok is false after an error,
// for example for an unsupported layout.
func (f *function) tileOf(op *ir.Op, v *ir.Value) (tile, bool) {
	info, ok := pto.TileOf(v.Type())
	e, known := tileElement(info)
	if !ok || !known {
		f.errorf(op, "has an operand or result of type %s, which the LLVM IR emitter does not support yet", v.Type())
		return tile{}, false
	}
	b, ok := boxOf(info)
	if !ok {
		f.errorf(op, "has a tile of type %s, whose size must be a multiple of its boxes of %dx%d elements", v.Type(), b.rows, b.cols)
		return tile{}, false
	}
	p := f.parts(v)
	t := tile{e: e, info: info, base: p[0], pitch: p[1], box: b}
	if info.Halves() {
		t.halve()
	}
	t.rows, t.cols = f.validOf(info, p)
	return t, true
}

// halve changes the description t of a tile, so that its elements are 4-bit numbers, two
// of which share a byte.
func (t *tile) halve() { t.halves, t.e.t, t.e.packed = true, ll.ElementType(t.e.f), false }

// inNumbers returns a description of the tile t in which each number counts as an
// element. In t, an element packs rows x cols numbers (the parameters rows and cols). If
// this product is 1, the description is t itself.
func (f *code) inNumbers(t tile, rows, cols int64) tile {
	if rows*cols == 1 {
		return t
	}
	t.halve()
	t.rows, t.cols = f.Mul(t.rows, ll.Index(rows)), f.Mul(t.cols, ll.Index(cols))
	t.box.rows, t.box.cols = t.box.rows*rows, t.box.cols*cols
	if t.byCols() {
		t.pitch = f.Mul(t.pitch, ll.Index(rows))
	} else {
		t.pitch = f.Mul(t.pitch, ll.Index(cols))
	}
	return t
}

// validOf returns the number of rows and columns of the valid region of a tile. The
// parameter p contains the LLVM values that represent the tile. A dynamic valid region is
// loaded from its stack variable.
func (f *function) validOf(info pto.TileInfo, p parts) (rows, cols value.Value) {
	rows, cols = ll.Index(info.VRows), ll.Index(info.VCols)
	if info.VRows == ir.Dynamic {
		rows = f.Load(ll.I64, p[2], 8)
	}
	if info.VCols == ir.Dynamic {
		cols = f.Load(ll.I64, f.At(ll.I64, p[2], ll.Index(1)), 8)
	}
	return rows, cols
}

// tileArg returns a description of the tile in the operand with the given name. ok is
// false after an error.
func (f *function) tileArg(op *ir.Op, name string) (tile, bool) {
	v := op.Arg(name)
	if v == nil || !pto.IsTile(v.Type()) {
		f.unsupported(op)
		return tile{}, false
	}
	return f.tileOf(op, v)
}

// tileOperand returns a description of the tile in the operand o. ok is false after an
// error.
func (f *function) tileOperand(op *ir.Op, o sem.Operand) (tile, bool) {
	if !o.Given() || !pto.IsTile(o.Type()) {
		f.unsupported(op)
		return tile{}, false
	}
	return f.tileOf(op, o.Value)
}

// byCols reports whether the tile is column-major.
func (t *tile) byCols() bool { return t.info.BLayout == pto.ColMajor }

// place emits the index of element (r, c) in the storage of t, in elements.
func (f *code) place(t *tile, r, c value.Value) value.Value {
	if t.box.rows == 0 {
		if t.byCols() {
			r, c = c, r
		}
		return f.Add(f.Mul(r, t.pitch), c)
	}
	b := t.box
	br, bc := f.Quo(r, b.rows), f.Quo(c, b.cols)
	r, c = f.Rem(r, b.rows), f.Rem(c, b.cols)
	start := f.Add(f.Mul(br, f.Mul(t.pitch, ll.Index(b.rows))), f.Mul(bc, ll.Index(b.rows*b.cols)))
	if t.byCols() {
		start = f.Add(f.Mul(bc, f.Mul(t.pitch, ll.Index(b.cols))), f.Mul(br, ll.Index(b.rows*b.cols)))
	}
	in := f.Add(f.Mul(r, ll.Index(b.cols)), c)
	if b.byCols {
		in = f.Add(f.Mul(c, ll.Index(b.rows)), r)
	}
	return f.Add(start, in)
}

// addr emits the address of element (r, c) of the tile t. For 4-bit elements, it is the
// address of the byte that contains the element.
func (f *code) addr(t *tile, r, c value.Value) value.Value {
	if t.halves {
		return f.offset(t.base, f.Quo(f.place(t, r, c), 2))
	}
	return f.At(t.e.mem, t.base, f.place(t, r, c))
}

// get emits a load of element (r, c) of the tile t, and returns the loaded value.
func (f *code) get(t *tile, r, c value.Value) value.Value {
	if t.halves {
		return f.Trunc(f.nibble(t.base, f.place(t, r, c)), t.e.t)
	}
	return f.loadElement(t.e, f.addr(t, r, c))
}

// put emits a store of the value x to element (r, c) of the tile t.
func (f *code) put(t *tile, r, c, x value.Value) {
	if t.halves {
		f.setNibble(t.base, f.place(t, r, c), f.ZExt(x, ll.I8))
		return
	}
	f.storeElement(t.e, x, f.addr(t, r, c))
}

// loadElement emits a load of one element of type e from address p. An element of less
// than a byte occupies a byte in memory.
func (c *code) loadElement(e element, p value.Value) value.Value {
	return c.Trunc(c.Load(e.mem, p, e.size), e.t)
}

// storeElement emits a store of x, an element of type e, to address p. An element of less
// than a byte occupies a byte in memory.
func (c *code) storeElement(e element, x, p value.Value) {
	c.Store(c.ZExt(x, e.mem), p, e.size)
}

// over emits loops over the valid region of t. The parameter body is a function that
// emits the code for element (r, c). This code must not depend on the order of the
// elements. The inner loop runs over elements that are adjacent in memory, so that LLVM
// can vectorize it.
func (f *function) over(t *tile, body func(r, c value.Value)) {
	if t.box.rows > 0 {
		f.overBoxes(t, body)
		return
	}
	if t.byCols() {
		f.Loop("col", t.cols, func(c value.Value) {
			f.Elements("row", t.rows, func(r value.Value) { body(r, c) })
		})
		return
	}
	f.Loop("row", t.rows, func(r value.Value) {
		f.Elements("col", t.cols, func(c value.Value) { body(r, c) })
	})
}

// overBoxes is over for a tile that is stored in boxes: one box after the other.
func (f *function) overBoxes(t *tile, body func(r, c value.Value)) {
	// in returns the number of rows or columns that box number i and the valid region of n
	// have in common.
	in := func(n, i value.Value, size int64) value.Value {
		if n, ok := ll.ConstantInt(n); ok && n%size == 0 {
			return ll.Index(size)
		}
		return f.MinInt(f.Sub(n, f.Mul(i, ll.Index(size))), ll.Index(size))
	}
	box := func(i, j value.Value) {
		rows, cols := in(t.rows, i, t.box.rows), in(t.cols, j, t.box.cols)
		element := func(r, c value.Value) { body(f.InUnits(i, t.box.rows, r), f.InUnits(j, t.box.cols, c)) }
		if t.box.byCols {
			f.Loop("col", cols, func(c value.Value) {
				f.Elements("row", rows, func(r value.Value) { element(r, c) })
			})
			return
		}
		f.Loop("row", rows, func(r value.Value) {
			f.Elements("col", cols, func(c value.Value) { element(r, c) })
		})
	}
	high, wide := f.CeilQuo(t.rows, t.box.rows), f.CeilQuo(t.cols, t.box.cols)
	if t.byCols() {
		f.Loop("boxes", wide, func(j value.Value) {
			f.Loop("box", high, func(i value.Value) { box(i, j) })
		})
		return
	}
	f.Loop("boxes", high, func(i value.Value) {
		f.Loop("box", wide, func(j value.Value) { box(i, j) })
	})
}

// The method each emits loops over the valid region of t in row-major order. The function
// body emits the code for element (r, c).
func (f *function) each(t *tile, body func(r, c value.Value)) {
	f.Loop("row", t.rows, func(r value.Value) {
		f.Loop("col", t.cols, func(c value.Value) { body(r, c) })
	})
}

// allocTile emits pto.alloc_tile: the address and the valid region of a new tile.
func (f *function) allocTile(op *ir.Op, _ sem.AllocTile) {
	v := op.Result(0)
	info, _ := slotsOf(v.Type())
	if e, ok := elementOfType(info.Elem); !ok || info.Space.Size(f.opts.Target) == 0 {
		f.errorf(op, "allocates a tile of type %s, which the LLVM IR emitter does not support yet", v.Type())
		return
	} else if info.Bytes() != info.Rows*info.Cols*int64(e.size) {
		f.unsupported(op)
		return
	}
	at := value.Value(nil)
	if a := sem.PlacingOf(op).Address; a.Given() {
		at = f.val(a.Value)
	} else {
		at = ll.Index(f.tiles.at(op))
	}
	rows, cols := f.validExtents(op, info)
	f.setTile(v, f.offset(f.tileStart(info), at), ll.Index(info.Pitch()), rows, cols)
}

// setTile defines the LLVM values that represent the tile v: base is its address, and
// pitch is the distance between its rows. If the valid region is dynamic, rows and cols
// are its extents.
func (f *function) setTile(v *ir.Value, base, pitch, rows, cols value.Value) {
	p := parts{base, pitch}
	if info, _ := slotsOf(v.Type()); !info.StaticValid() {
		slot := f.Slot(extentType)
		f.Store(rows, slot, 8)
		f.Store(cols, f.At(ll.I64, slot, ll.Index(1)), 8)
		p = append(p, slot)
	}
	f.set(v, p...)
}

// extent emits one extent of a valid region. If the instruction has the operand o, the
// extent is this operand; the emitted code traps if it exceeds the parameter limit. If
// the instruction does not have it, the extent is the constant in the parameter static.
func (f *function) extent(o sem.Operand, static, limit int64) value.Value {
	if !o.Given() {
		return ll.Index(static)
	}
	n := f.val(o.Value)
	if _, ok := ll.ConstantInt(n); !ok {
		f.TrapIf(f.ICmp(enum.IPredUGT, n, ll.Index(limit)))
	}
	return n
}

// validExtents emits the numbers of valid rows and columns of the tile that op creates.
func (f *function) validExtents(op *ir.Op, info pto.TileInfo) (rows, cols value.Value) {
	to := sem.PlacingOf(op)
	return f.extent(to.Rows, info.VRows, info.Rows), f.extent(to.Cols, info.VCols, info.Cols)
}
