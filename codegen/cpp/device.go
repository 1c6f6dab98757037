// This file rejects and repairs operations on which the device library computes something
// else.

package cpp

import (
	"strconv"
	"strings"

	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// suitsDevice reports whether the device library executes op as this project does. If it
// does not (pto.DeviceRule), and the emitter does not repair the C++, suitsDevice adds an
// error about op.
func (f *function) suitsDevice(op *ir.Op) bool {
	for _, r := range pto.DeviceRules(op, f.opts.Target) {
		if r.Repaired || r.Written {
			continue
		}
		if msg := r.Broken(op, f.opts.Target, pto.ConstantOperands{Op: op}); msg != "" {
			d := f.errorf(op, "on target %s: %s", sem.ProfileName(f.opts.Target), msg)
			for _, n := range r.Notes() {
				d.Note(ir.Loc{}, n)
			}
			return false
		}
	}
	return true
}

// countUp emits tci. On A2/A3, the form that counts down with a scratch tile is wrong
// (rule "count down"), so the emitter calls the form without it. This form runs on the
// scalar unit and not on the vector unit, so barriers order it with its neighbors.
func (f *function) countUp(op *ir.Op, _ sem.TileIndex) {
	if !isatile.CountsDown(op, f.opts.Target) {
		f.call(op)
		if isatile.LeavesCountMode(op, f.opts.Target) {
			f.line("set_mask_norm();")
			f.line("set_vector_mask(-1, -1);")
		}
		return
	}
	dst, _ := ends(op)
	t, _ := pto.TileOf(dst.Type())
	f.line("pipe_barrier(PIPE_ALL);")
	f.invoke(op, "TCI", []string{f.typeOf(dst), elemType(t.Elem), "1"}, []string{f.value(dst), f.value(op.Operand(0))})
	f.line("pipe_barrier(PIPE_ALL);")
}

// sumPairs emits a call that adds pairs of columns.
func (f *function) sumPairs(op *ir.Op, _ sem.TilePairSum) {
	if isatile.OpensTiles(op, f.opts.Target) {
		f.callOpen(op)
		return
	}
	f.call(op)
}

// callOpen emits op, a call of the library, with tiles other than the first source whose
// types leave their valid regions open.
func (f *function) callOpen(op *ir.Op) {
	ends := sem.TileEndsOf(op)
	args := []string{f.openAlias(ends.Dst.Value)}
	for i := range op.NumOperands() {
		switch v := op.Operand(i); {
		case v == ends.Dst.Value:
		case v == ends.Src.Value || !isTile(v):
			args = append(args, f.value(v))
		default:
			args = append(args, f.openAlias(v))
		}
	}
	f.invoke(op, strings.ToUpper(pto.InfoOf(op.Def()).Name), nil, args)
}

// isTile reports whether v is a tile.
func isTile(v *ir.Value) bool {
	_, ok := pto.TileOf(v.Type())
	return ok
}

// openAlias declares a C++ tile with the storage and the valid region of the tile v, whose
// type leaves the valid region open, and returns its name.
func (f *function) openAlias(v *ir.Value) string {
	t, _ := pto.TileOf(v.Type())
	t = f.storage(v, t)
	t.VRows, t.VCols, t.Rows = ir.Dynamic, ir.Dynamic, max(t.Rows, 2) // the library treats tiles of one row differently
	name := f.unique(f.value(v) + "_open")
	f.line(f.tileType(t), " ", name, f.validArgs(t, f.value(v)), ";")
	f.line("TASSIGN(", name, ", ", f.addressOfTile(v), ");")
	return name
}

// sortIntoBoxes emits op, a tmov of a row-major tile from vec into boxes of mat, as a
// TINSERT for each column of boxes: in row-major tiles of that column, TINSERT copies 32
// bytes of each row.
func (f *function) sortIntoBoxes(op *ir.Op, dst, src *ir.Value) {
	from, _ := pto.TileOf(src.Type())
	to, _ := pto.TileOf(dst.Type())
	from = f.storage(src, from)
	size := int64(pto.ByteSize(to.Elem))
	block, stride := 32/size, strconv.FormatInt(to.Rows*32, 10)
	from.VRows, from.VCols = ir.Dynamic, ir.Dynamic
	to.VRows, to.VCols, to.Cols, to.BLayout, to.SLayout = ir.Dynamic, ir.Dynamic, block, pto.RowMajor, pto.NoneBox
	n := strconv.FormatInt(block, 10)
	at, part, boxes := f.unique("column"), f.unique(f.value(src)+"_part"), f.unique(f.value(dst)+"_boxes")
	valid := "(" + f.value(src) + ".GetValidRow(), " + n + ")"
	f.line("for (int64_t ", at, " = 0; ", at, " * ", n, " < ", f.value(src), ".GetValidCol(); ++", at, ") {")
	f.line("  ", f.tileType(from), " ", part, valid, ";")
	f.line("  TASSIGN(", part, ", ", f.addressOfTile(src), " + ", at, " * 32);")
	f.line("  ", f.tileType(to), " ", boxes, valid, ";")
	f.line("  TASSIGN(", boxes, ", ", f.addressOfTile(dst), " + ", at, " * ", stride, ");")
	f.line("  TINSERT(", boxes, ", ", part, ", 0, 0);")
	f.line("}")
}
