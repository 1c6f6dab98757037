// This file emits declared tiles and views, which a queue fills in later.

package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// nowhere emits an address outside of every memory. It is the initial address of tiles
// and views that are declared, but not filled yet.
func (c *code) nowhere() value.Value { return c.Emit(llir.NewIntToPtr(ll.Index(1<<62), ll.Ptr)) }

// declareName emits the values that represent a tile or view which the program declares
// without contents. A later instruction, such as a pop from a queue, sets its address.
func (f *function) declareName(op *ir.Op, _ sem.Declare) {
	v := op.Result(0)
	if info, ok := pto.TileOf(v.Type()); ok {
		rows, cols := info.VRows, info.VCols
		if rows == ir.Dynamic {
			rows = info.Rows
		}
		if cols == ir.Dynamic {
			cols = info.Cols
		}
		f.setTile(v, f.nowhere(), ll.Index(info.Pitch()), ll.Index(rows), ll.Index(cols))
		return
	}
	ts, _ := partsOf(v.Type())
	p := parts{f.nowhere()}
	for range ts[1:] {
		p = append(p, ll.Index(0))
	}
	f.set(v, p...)
}

// declaredOrTrap emits a trap for an instruction that reads a declared tile to which no
// queue entry has been popped yet.
func (f *function) declaredOrTrap(op *ir.Op) {
	if !sem.ReadsTiles(op) {
		return
	}
	for _, e := range pto.Effects(op) {
		from := e.Value.Op()
		if from == nil || !pto.IsTile(e.Value.Type()) {
			continue
		}
		if _, ok := from.Def().Sem.(sem.Declare); ok {
			f.TrapIf(f.ICmp(enum.IPredEQ, f.val(e.Value), f.nowhere()))
		}
	}
}
