package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// Helpers of the vector unit go from memory to memory, which may be the same:
// what they read is put aside first.

const (
	groupsShift = 56 // where a control word says how many groups there are
	mostGroups  = 1<<(64-groupsShift) - 1
	blockSide   = 16 // rows and columns of a block that is transposed
)

// sortValues writes sorting groups of elements, greatest first.
func (f *function) sortValues(op *ir.Op) {
	e, ok := elementOfType(ir.ElementType(op.Arg("source").Type()))
	if !ok || e.packed || e.size > 4 {
		f.unsupported(op)
		return
	}
	config := f.arg(op, "config")
	f.trapIf(f.icmp(enum.IPredNE, f.and(config, index(1<<groupsShift-1)), index(0)))
	groups := f.lshr(config, index(groupsShift))
	dst := f.arg(op, "destination")
	from := f.aside(op, mostGroups*sortedGroup*int64(e.size), f.mul(groups, index(sortedGroup*int64(e.size))))
	group, sorted := f.slot(types.NewArray(sortedGroup, i64)), f.slot(types.NewArray(sortedGroup, i64))
	f.loop("group", groups, func(g value.Value) {
		first := f.mul(g, index(sortedGroup))
		f.loop("record", index(sortedGroup), func(i value.Value) {
			x := f.loadElement(e, f.at(e.mem, from, f.add(first, i)))
			f.store(f.recordOf(e, x, integer(i32, 0)), f.at(i64, group, i), 8)
		})
		f.call(f.sorter(e.f), sorted, group, index(sortedGroup))
		f.loop("element", index(sortedGroup), func(i value.Value) {
			x := f.carry(e.f, f.trunc(f.load(i64, f.at(i64, sorted, i), 8), intType(e.f.Bits())))
			f.storeElement(e, x, f.at(e.mem, dst, f.add(first, i)))
		})
	})
}

// transposeBlock writes swapping the rows and columns of a block.
func (f *function) transposeBlock(op *ir.Op) {
	f.trapIf(f.icmp(enum.IPredNE, f.arg(op, "config"), index(0)))
	t := intType(8 * pto.ByteSize(ir.ElementType(op.Arg("source").Type())))
	size := int(t.BitSize / 8)
	dst := f.arg(op, "destination")
	from := f.aside(op, int64(blockSide*blockSide*size), index(int64(blockSide*blockSide*size)))
	f.loop("row", index(blockSide), func(r value.Value) {
		f.loop("col", index(blockSide), func(c value.Value) {
			x := f.load(t, f.at(t, from, f.add(f.mul(r, index(blockSide)), c)), size)
			f.store(x, f.at(t, dst, f.add(f.mul(c, index(blockSide)), r)), size)
		})
	})
}

// aside is a copy of the first n bytes behind source, of which there are at most
// room.
func (f *function) aside(op *ir.Op, room int64, n value.Value) value.Value {
	p := f.slot(types.NewArray(uint64(room), i8))
	f.copyBytes(p, f.arg(op, "source"), n)
	return p
}
