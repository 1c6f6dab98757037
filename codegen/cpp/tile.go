// This file emits tile types and allocations.

package cpp

import (
	"fmt"
	"strconv"

	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// storage returns the type of the tile v with the extents that the library needs. The
// types differ only for a subtile, which is a part of another tile.
//
// The library derives the distance between rows from the number of columns in the type.
// The rows of a subtile are as far apart as those of the whole tile, so its type must
// have the number of columns of the whole tile. For column-major storage, the same holds
// with rows and columns exchanged. A subtile with a single line keeps its own extents.
//
// The other extent in the type (the number of rows of a row-major tile) is that of the
// subtile, because the library compares it with extents of other operands, for example in
// TMATMUL. L0A is an exception: the order of its boxes depends on the target, so the type
// of a subtile in L0A has both extents of the whole tile.
func (f *function) storage(v *ir.Value, t pto.TileInfo) pto.TileInfo {
	op := v.Op()
	if op == nil {
		return t
	}
	if _, part := op.Def().Sem.(sem.SubTile); !part {
		return t
	}
	src, ok := pto.TileOf(op.Operand(0).Type())
	if !ok {
		return t
	}
	if oneLine(t) {
		return t
	}
	src = f.storage(op.Operand(0), src)
	if t.BLayout == pto.ColMajor || t.Space == sem.L0A {
		if t.Space == sem.L0C && t.Rows < src.Rows {
			t.Compact = spaced
		}
		t.Rows = src.Rows
	}
	if t.BLayout != pto.ColMajor || t.Space == sem.L0A {
		t.Cols = src.Cols
	}
	return t
}

// oneLine reports whether t has a single line, whose bytes are a multiple of 32 as the
// library requires. As a subtile, it keeps its own extents, so that instructions that
// select elements by indices reach no others.
func oneLine(t pto.TileInfo) bool {
	lines, n := t.Rows, t.Cols
	if t.BLayout == pto.ColMajor {
		lines, n = n, lines
	}
	return t.SLayout == pto.NoneBox && lines == 1 && n*int64(pto.ByteSize(t.Elem))%32 == 0
}

// spaced is the compact mode of a part of an accumulator in this package. The distance of
// its lines of boxes is that of the whole tile; CompactMode::Normal would make the library
// derive the distance from the valid region of the part.
const spaced = 3

// declareTile emits the declaration of a C++ variable for the tile v. rows and cols are
// the C++ expressions for the valid extents that are dynamic in the type of the tile. The
// result name is the name of the variable, and ok is false after an error.
func (f *function) declareTile(op *ir.Op, v *ir.Value, rows, cols string) (name string, ok bool) {
	t, _ := pto.TileOf(v.Type())
	typ := f.typeOf(v)
	if typ == "" {
		f.errorf(op, "returns a tile of type %s, whose element type cannot be written as C++", v.Type())
		return "", false
	}
	f.warnOfLines(op, v, t)
	name = f.nameFor(v)
	f.names[v] = name
	perRow, perCol := packedAxis(t)
	var open []string
	if isOpen(t.VRows) {
		open = append(open, openExtent(t.VRows, rows, perRow))
	}
	if isOpen(t.VCols) {
		open = append(open, openExtent(t.VCols, cols, perCol))
	}
	switch {
	case f.shared[v]:
		f.declareOnTop(typ, name)
		if open != nil {
			f.line(name, " = ", typ, arguments(open), ";")
		}
	case open != nil:
		f.line(typ, " ", name, " = ", typ, arguments(open), ";")
	default:
		f.line(typ, " ", name, ";")
	}
	return name, true
}

// isOpen reports whether a valid extent n is a constructor argument of the C++ tile
// instead of a template argument of its type. This includes 0, which the library's types
// cannot express. Frontends use empty tiles for the idle vector core of a pair.
func isOpen(n int64) bool { return n == ir.Dynamic || n == 0 }

// openExtent returns the C++ expression for a valid extent of a tile that is an argument
// of the constructor. n is the extent in the tile type. If n is 0, the result is 0. In
// all other cases the extent is only known at run time: the parameter expr is the C++
// expression for it, and the result is this expression multiplied by factor.
func openExtent(n int64, expr string, factor int64) string {
	if n == 0 {
		return "0"
	}
	return scaled(expr, factor)
}

// warnOfLines warns of a tile that the library rejects, because the bytes of a row (or
// column) are not a multiple of 32 (pto-isa:include/pto/common/pto_tile.hpp, "must be 32
// bytes align").
func (f *function) warnOfLines(op *ir.Op, v *ir.Value, t pto.TileInfo) {
	t = f.storage(v, t)
	line, n := "rows", t.Cols
	if t.BLayout == pto.ColMajor {
		line, n = "columns", t.Rows
	}
	bytes := n * int64(pto.ByteSize(t.Elem))
	if t.SLayout != pto.NoneBox || bytes%32 == 0 {
		return
	}
	f.diags.Add(ir.Warning, op.Loc(), fmt.Sprintf("'%s' op makes a tile whose %s have %d bytes; the library compiles only multiples of 32", op.Name(), line, bytes)).
		Note(ir.Loc{}, "make the rows or columns of the tile longer and limit its valid region")
}

// scaled returns the C++ expression expr multiplied by factor.
func scaled(expr string, factor int64) string {
	if factor == 1 {
		return expr
	}
	return expr + " * " + strconv.FormatInt(factor, 10)
}

// allocTile emits the declaration of a tile and the assignment of its address.
func (f *function) allocTile(op *ir.Op, _ sem.AllocTile) {
	v := op.Result(0)
	if m, several := ir.As[pto.MultiTileBuf](v.Type()); several {
		f.allocSlots(op, m)
		return
	}
	rows, cols := f.extentArgs(op)
	name, ok := f.declareTile(op, v, rows, cols)
	if !ok {
		return
	}
	if at := sem.PlacingOf(op).Address; at.Given() {
		f.assignAddress(op, name, f.value(at.Value))
	}
}

// extentArgs returns the operands with the valid extents of a tile as C++ expressions, or
// "" for missing ones.
func (f *function) extentArgs(op *ir.Op) (rows, cols string) {
	tile := sem.PlacingOf(op)
	if tile.Rows.Given() {
		rows = f.value(tile.Rows.Value)
	}
	if tile.Cols.Given() {
		cols = f.value(tile.Cols.Value)
	}
	return rows, cols
}

// assignAddress emits a TASSIGN, which sets the address of a tile. name is the C++
// variable of the tile, and addr is the C++ expression for the address.
func (f *function) assignAddress(op *ir.Op, name, addr string) {
	f.startLine()
	f.b = append(append(append(append(append(f.b, "TASSIGN("...), name...), ", "...), addr...), ')')
	f.endLine(op)
}

// allocSlots handles the allocation of several consecutive tiles (slots of a
// multi-buffer). It emits no code. It records the address of the first tile and the valid
// extents, from which tileSlot declares a variable for one slot.
func (f *function) allocSlots(op *ir.Op, _ pto.MultiTileBuf) {
	at := sem.PlacingOf(op).Address
	if !at.Given() {
		f.errorf(op, "requires an address for its slots, but no pass has assigned one").Note(op.Loc(), "pto-plan-memory assigns one")
		return
	}
	v := op.Result(0)
	f.names[v] = f.value(at.Value)
	rows, cols := f.extentArgs(op)
	f.slotExtents[v] = [2]string{rows, cols}
}

// tileSlot emits the declaration of a tile variable for one slot of a multi-buffer.
func (f *function) tileSlot(op *ir.Op, _ sem.TileSlot) {
	tile := sem.PlacingOf(op)
	src := tile.Source.Value
	m, _ := ir.As[pto.MultiTileBuf](src.Type())
	slot, _ := pto.TileOf(m.Slot)
	open := f.slotExtents[src]
	name, ok := f.declareTile(op, op.Result(0), open[0], open[1])
	if !ok {
		return
	}
	at := f.extentOf(tile.Slot.Value).times(constant(slot.Footprint()))
	base := f.value(src)
	if !at.known() || at.n != 0 {
		base += " + " + at.String()
	}
	f.assignAddress(op, name, "(uint64_t)("+base+")")
}

// placeTile emits a C++ statement that changes the address of a tile. Usually the result
// of op is represented by the C++ variable of its operand, as in the code of the public
// compiler. If the program still uses the operand at its old address, placeTile declares
// a separate variable for the result.
func (f *function) placeTile(op *ir.Op, _ sem.PlaceTile) {
	tile, v := sem.PlacingOf(op), op.Result(0)
	src := tile.Source.Value
	name, ok := f.value(src), true
	if stays(src) {
		if name, ok = f.declareTile(op, v, name+".GetValidRow()", name+".GetValidCol()"); !ok {
			return
		}
	}
	f.names[v] = name
	f.assignAddress(op, name, "(uint64_t)"+f.value(tile.Address.Value))
}

// stays reports whether the address of the C++ variable for the tile must not change.
// This is the case if the tile is used by an operation other than those that change the
// address of the tile.
func stays(tile *ir.Value) bool {
	for u := range tile.Uses() {
		if _, moved := u.Owner().Def().Sem.(sem.PlaceTile); !moved {
			return true
		}
	}
	return false
}

// addressOfTile returns the address of a tile as an argument for TASSIGN.
func (f *function) addressOfTile(v *ir.Value) string {
	return "reinterpret_cast<uint64_t>(" + f.value(v) + ".data())"
}

// subTile emits the declaration of a tile variable for a rectangular part of a tile, in
// the same storage.
func (f *function) subTile(op *ir.Op, _ sem.SubTile) {
	part, v := sem.PlacingOf(op), op.Result(0)
	src := part.Source.Value
	from, ok := pto.TileOf(src.Type())
	offsets := f.extents(part.Offsets)
	if !ok || !pto.IsTile(v.Type()) || len(offsets) != 2 {
		f.errorf(op, "returns a part of type %s, which the C++ emitter does not support: expected a part of a tile, with a row offset and a column offset", v.Type())
		return
	}
	rows, cols := f.extentArgs(op)
	t, _ := pto.TileOf(v.Type())
	if rows == "" {
		rows = strconv.FormatInt(t.Rows, 10)
	}
	if cols == "" {
		cols = strconv.FormatInt(t.Cols, 10)
	}
	at, ok := partOffset(f.storage(src, from), t, offsets[0], offsets[1])
	if !ok {
		f.errorf(op, "selects a part of a boxed tile at an offset that is only known at run time, but C++ requires a constant offset")
		return
	}
	name, ok := f.declareTile(op, v, rows, cols)
	if !ok {
		return
	}
	addr := f.addressOfTile(src)
	if bytes := at.paren().times(constant(int64(pto.ByteSize(from.Elem)))); !bytes.known() || bytes.n != 0 {
		addr += " + (" + bytes.String() + ")"
	}
	f.assignAddress(op, name, addr)
}

// partOffset returns the distance in elements from the first element of tile t to the
// first element of a subtile at (row, col). If t consists of boxes, the subtile must
// start at the start of a box. As an exception, a subtile with fewer rows than a box may
// start inside a box. The bool result is false if the subtile starts elsewhere.
func partOffset(t, part pto.TileInfo, row, col extent) (extent, bool) {
	if t.SLayout == pto.NoneBox {
		if t.BLayout == pto.ColMajor {
			return col.paren().times(constant(t.Rows)).plus(row), true
		}
		return row.paren().times(constant(t.Cols)).plus(col), true
	}
	high, wide, ok := t.Box()
	if !ok {
		return extent{}, false
	}
	// Boxes lie along rows or along columns, as do the elements of a box.
	rowBox, colBox := row.over(high), col.over(wide)
	box, inside := rowBox.times(constant(t.Cols/wide)).plus(colBox), constant(0)
	if t.BLayout == pto.ColMajor {
		box = colBox.times(constant(t.Rows / high)).plus(rowBox)
	}
	rowStep, colStep := wide, int64(1)
	if t.SLayout == pto.ColMajor {
		rowStep, colStep = 1, high
	}
	if part.VRows == ir.Dynamic || part.VRows%high != 0 {
		inside = inside.plus(row.rest(high).times(constant(rowStep)))
	}
	if part.VCols == ir.Dynamic || part.VCols%wide != 0 {
		inside = inside.plus(col.rest(wide).times(constant(colStep)))
	}
	return box.paren().times(constant(high * wide)).plus(inside), true
}

// paren returns the extent e with its expression in parentheses, for use as a factor.
func (e extent) paren() extent {
	if e.known() {
		return e
	}
	return extent{expr: "(" + e.expr + ")"}
}

// over returns the quotient of the extent e divided by n, as an extent. The extent must
// be a multiple of n.
func (e extent) over(n int64) extent {
	if e.known() {
		return constant(e.n / n)
	}
	if n == 1 {
		return e
	}
	return extent{expr: e.paren().expr + " / " + strconv.FormatInt(n, 10)}
}

// rest returns the remainder of the extent e divided by n, as an extent.
func (e extent) rest(n int64) extent {
	if e.known() {
		return constant(e.n % n)
	}
	if n == 1 {
		return constant(0)
	}
	return extent{expr: "(" + e.paren().expr + " % " + strconv.FormatInt(n, 10) + ")"}
}

// sameStorage emits the declaration of a tile of another type with the same storage.
// There are two methods. If both types have element types of the same class, and boxes in
// both or in neither, it emits a call of the library's TRESHAPE. Otherwise it sets the
// new tile variable to the address of the old one. The CPU simulator does not support the
// second method for a tile that was popped from a queue, because it keeps such a tile
// outside the memory of the core.
func (f *function) sameStorage(op *ir.Op, _ sem.SameStorage) {
	src, v := op.Operand(0), op.Result(0)
	from, _ := pto.TileOf(src.Type())
	to, _ := pto.TileOf(v.Type())
	perRow, perCol := packedAxis(from)
	rows, cols := f.value(src)+".GetValidRow()"+divided(perRow), f.value(src)+".GetValidCol()"+divided(perCol)
	mostRows, mostCols := from.Rows, from.Cols
	if isatile.Crosswise(from, to) {
		rows, cols, mostRows, mostCols = cols, rows, mostCols, mostRows
	}
	rows, cols = atMost(rows, mostRows, to.Rows), atMost(cols, mostCols, to.Cols)
	name, ok := f.declareTile(op, v, rows, cols)
	if !ok {
		return
	}
	boxes := (from.SLayout == pto.NoneBox) == (to.SLayout == pto.NoneBox)
	if from.Elem == to.Elem && role(from) == role(to) && boxes && from.Rows*from.Cols == to.Rows*to.Cols && f.storage(src, from) == from {
		f.invoke(op, "TRESHAPE", nil, []string{name, f.value(src)})
		return
	}
	data := f.local("auto", f.value(src)+".data()")
	f.assignAddress(op, name, f.local("uint64_t", "reinterpret_cast<uint64_t>("+data+")"))
}

// atMost returns a C++ expression for the value of expr, limited to the parameter limit.
// most is the largest possible value of expr; if it is not above limit, the result is
// expr itself. The library rejects a valid extent that exceeds the tile.
func atMost(expr string, most, limit int64) string {
	if most <= limit {
		return expr
	}
	return fmt.Sprintf("(%[1]s < %[2]d ? %[1]s : %[2]d)", expr, limit)
}

// setValid emits a statement that changes the valid region of a tile.
func (f *function) setValid(op *ir.Op, _ sem.SetValid) {
	v := op.Operand(0)
	t, _ := pto.TileOf(v.Type())
	perRow, perCol := packedAxis(t)
	rows, cols := f.extentArgs(op)
	f.startLine()
	f.b = append(f.b, f.value(v)+".SetValidShape("+scaled(rows, perRow)+", "+scaled(cols, perCol)+")"...)
	f.endLine(op)
}

// getValid emits an expression that reads a valid extent of a tile.
func (f *function) getValid(op *ir.Op, kind sem.GetValid) {
	v := op.Operand(0)
	t, _ := pto.TileOf(v.Type())
	perRow, perCol := packedAxis(t)
	i := 0
	if kind.Rows {
		f.define(op.Result(i), f.value(v), ".GetValidRow()", divided(perRow))
		i++
	}
	if kind.Cols {
		f.define(op.Result(i), f.value(v), ".GetValidCol()", divided(perCol))
	}
}

// divided returns the text " / factor" to append to an expression, or "" for factor 1.
func divided(factor int64) string {
	if factor == 1 {
		return ""
	}
	return " / " + strconv.FormatInt(factor, 10)
}

// addressOf emits a C++ expression that reads the address of a tile or a view, and
// defines the result of op as this address.
func (f *function) addressOf(op *ir.Op, _ sem.AddressOf) {
	v := op.Operand(0)
	data := f.value(v) + ".data()"
	if w := f.views[v]; w != nil && w.cppType == "" {
		data = w.base
	}
	t := op.Result(0).Type()
	if ir.Is[ir.IntegerType](t) || pto.SpaceOf(v.Type()) == sem.BT {
		data = "reinterpret_cast<" + f.typeName(t) + ">(" + data + ")"
	}
	f.define(op.Result(0), data)
}

// declareName emits the declaration of a tile or view to which a later instruction
// assigns memory. Until then, a tile with a dynamic valid region has the complete tile as
// its valid region.
func (f *function) declareName(op *ir.Op, _ sem.Declare) {
	v := op.Result(0)
	if t, ok := pto.TileOf(v.Type()); ok {
		f.declareTile(op, v, strconv.FormatInt(t.Rows, 10), strconv.FormatInt(t.Cols, 10))
		return
	}
	f.variable(v)
}
