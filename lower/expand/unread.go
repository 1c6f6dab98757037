// This file finds stores that no instruction reads.

package expand

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// unread analyses whether any instruction reads given bytes of vec after a group of fused
// instructions. An instruction of the group has written these bytes. The analysis follows
// tile instructions with known addresses, and treats every other operation that may
// access vec as a reader.
type unread struct {
	f *ir.Op
	// writer is the plan of the instruction that has written the bytes.
	writer *kernel
	// bytes are the addresses of the bytes in vec.
	bytes analysis.Bytes
}

// fate is the effect of operations on the analysed bytes: they keep, overwrite or read
// them.
type fate uint8

const (
	// kept means that no operation reads the bytes or overwrites all of them.
	kept fate = iota
	// overwritten means that an operation overwrites all of the bytes before any
	// operation reads one of them.
	overwritten
	// read means that an operation may read one of the bytes.
	read
)

// after determines what the operations after op do first with the analysed bytes
// (u.bytes): read them, overwrite them, or neither. It examines the rest of the block of
// op, later iterations of the loops that contain op, and the operations after these
// loops.
func (u *unread) after(op *ir.Op) fate {
	for {
		if end := u.until(op.Next(), nil); end != kept {
			return end
		}
		block := op.Block()
		parent := block.Parent()
		if parent == nil || parent.Region(0).Entry() != block || block.Next() != nil {
			return read // blocks that jump to each other are not followed
		}
		if parent == u.f {
			if isCalled(u.f) {
				return read
			}
			return kept // local memory has no meaning after a launch
		}
		if parent.HasTrait(ir.LoopLike) && u.until(block.First(), op) == read {
			return read
		}
		op = parent
	}
}

// isCalled reports whether another function of the module calls the function f.
func isCalled(f *ir.Op) bool {
	for op := range f.Parent().Walk() {
		if analysis.CalleeOf(op) == f {
			return true
		}
	}
	return false
}

// until searches the operations of one block for the first operation that reads or
// overwrites the analysed bytes (u.bytes). It returns what this operation does, or kept
// if there is none. The search starts with op and ends before the operation end; if end
// is nil, it ends with the block.
func (u *unread) until(op, end *ir.Op) fate {
	for ; op != nil && op != end; op = op.Next() {
		if now := u.at(op); now != kept {
			return now
		}
	}
	return kept
}

// at returns what the operation op, including the operations of its regions, does with
// the analysed bytes: it reads them, overwrites them, or does neither.
func (u *unread) at(op *ir.Op) fate {
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			if u.until(b.First(), nil) == read {
				return read
			}
		}
	}
	info := pto.InfoOf(op.Def())
	_, names := op.Def().Sem.(sem.ScopeYield) // the tiles of a region, for later operations
	switch {
	case names || accessesNothing(op) || len(op.Regions()) > 0:
		return kept
	case info != nil && info.Group == "tile" && op.Form().Level == ir.DPS:
		return u.tileInstruction(op)
	case op.Is(fn.Call):
		return read
	}
	if use := sem.QueueUseOf(op); use.Act == sem.QueuePush {
		if b, known := within(use.Entry); known && !b.Meets(u.bytes) {
			return kept
		}
	}
	for _, v := range op.Operands() {
		if space := pto.SpaceOf(v.Type()); space != sem.GM && space != sem.NoSpace || ir.Is[ir.MemRefType](v.Type()) {
			return read
		}
	}
	return kept
}

// tileInstruction returns what the instruction op does to the analysed bytes: for
// example, whether it reads or overwrites them. It finds this out from the addresses of
// the operands of op.
func (u *unread) tileInstruction(op *ir.Op) fate {
	now := kept
	for k, a := range op.OperandArgs() {
		v := op.Operand(k)
		if pto.SpaceOf(v.Type()) != sem.UB || a.Role == ir.Scratch {
			continue
		}
		b, known := analysis.BytesOf(v)
		part, somewhere := within(v)
		switch {
		case a.Role != ir.Out && (!somewhere || part.Meets(u.bytes)):
			return read
		case op == u.writer.op && v == u.writer.out.value:
			now = overwritten // as the group writes it
		case known && b.Root == u.bytes.Root && b.From <= u.bytes.From && b.To >= u.bytes.To && writesAll(op, v):
			now = overwritten
		}
	}
	return now
}

// writesAll reports whether the instruction op writes every byte of the tile dst. This
// requires a tile without boxes whose valid region is the entire tile.
func writesAll(op *ir.Op, dst *ir.Value) bool {
	info, _ := pto.TileOf(dst.Type())
	_, loads := op.Def().Sem.(sem.TileLoad)
	return (loads || kernels.Has(op.Def().Sem)) && info.VRows == info.Rows && info.VCols == info.Cols && info.Compact == 0 && info.SLayout == pto.NoneBox
}
