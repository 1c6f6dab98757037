// This file emits popping entries from a queue.

package llvm

import (
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// pop emits an instruction that waits for a queue entry and reads it into a tile or view.
func (u *queueUse) pop() {
	f, op, v := u.f, u.op, u.Entry
	entry := u.take()
	if !pto.IsTile(v.Type()) {
		u.fill(v, entry)
		return
	}
	info, _ := pto.TileOf(v.Type())
	start, at := f.tileStart(info), u.local(entry)
	base := f.offset(start, at)
	f.insideOrTrap(start, base, ll.Index(info.Footprint()), int64(info.Space.Size(f.opts.Target)))
	if op.NumResults() == 0 { // it keeps the valid region that it has
		old := f.parts(v)
		f.set(v, append(parts{base, ll.Index(info.Pitch())}, old[2:]...)...)
	} else {
		valid := sem.PlacingOf(op)
		rows, cols := f.popped(valid.Rows, info.VRows, info.Rows), f.popped(valid.Cols, info.VCols, info.Cols)
		f.setTile(v, base, ll.Index(info.Pitch()), rows, cols)
	}
	if u.hasMemory() {
		u.fromMemory(v, u.inGlobal(entry))
	}
}

// popped emits one extent of the valid region of a popped tile. If the instruction has
// the operand o, the extent is this operand. If it does not, the extent is the constant
// in the parameter static. If this constant is Dynamic, the extent is the parameter
// limit, the extent of the whole tile.
func (f *function) popped(o sem.Operand, static, limit int64) value.Value {
	if static == ir.Dynamic {
		static = limit
	}
	return f.extent(o, static, limit)
}

// fromMemory emits the copy of a queue entry from global memory into the tile v. If the
// two vector cores share the entry, it copies only the share of this core. The parameter
// at is the address of the entry.
func (u *queueUse) fromMemory(v *ir.Value, at value.Value) {
	t, ok := u.f.tileOf(u.op, v)
	if !ok {
		return
	}
	row, col, pitch := value.Value(ll.Index(0)), value.Value(ll.Index(0)), t.cols
	if u.f.unit == vectorUnit {
		sub := u.part()
		row, col = u.partOf(sub, t.rows, t.cols)
		switch u.split {
		case isasync.EntryCols:
			pitch = u.f.Mul(t.cols, ll.Index(vectorCores))
		case isasync.EntryRowsOdd: // the first core has one row more
			row = u.f.Mul(sub, u.f.Add(t.rows, ll.Index(1)))
		case isasync.EntryColsOdd:
			col = u.f.Mul(sub, u.f.Add(t.cols, ll.Index(1)))
			pitch = u.f.Sub(u.f.Add(u.f.Mul(t.cols, ll.Index(vectorCores)), u.f.Mul(sub, ll.Index(2))), ll.Index(1))
		}
	}
	u.inMemory(&t, t.e, at, row, col, pitch, func(i, j, p value.Value) { u.f.put(&t, i, j, u.f.loadElement(t.e, p)) })
}

// inMemory emits a loop over the elements of the tile t, which is a rectangle of a queue
// entry in global memory. For each element (i, j), it calls the function body with the
// address p of the element in the entry. The parameter e is the element type. The
// parameter at is the address of the entry, and (row, col) is the position of the tile in
// the entry. The parameter pitch is the distance between rows of the entry, in elements.
func (u *queueUse) inMemory(t *tile, e element, at, row, col, pitch value.Value, body func(i, j, p value.Value)) {
	down, across := pitch, value.Value(ll.Index(1))
	if u.byCols() {
		down, across = ll.Index(1), t.rows
	}
	slot := u.f.offset(u.memory()[0], at)
	u.f.over(t, func(i, j value.Value) {
		n := u.f.Add(u.f.Mul(u.f.Add(row, i), down), u.f.Mul(u.f.Add(col, j), across))
		body(i, j, u.f.At(e.mem, slot, n))
	})
}
