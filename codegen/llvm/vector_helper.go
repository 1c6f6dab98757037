// This file emits instructions that sort or transpose small blocks of memory.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Helpers of the vector unit go from memory to memory, which may be the same:
// what they read is put aside first.

const (
	// mostGroups is the largest number of groups that a sort instruction accepts: the
	// largest value of the field in its configuration word.
	mostGroups = 1<<(64-sem.SortedGroupsFrom) - 1
	// blockSide is the number of rows and of columns of a block that is transposed.
	blockSide = 16 // rows and columns of a block that is transposed
)

// sortValues emits an instruction that sorts groups of elements in memory, largest first.
func (f *function) sortValues(op *ir.Op) {
	o := sem.HelperOf(op)
	e, ok := elementOfType(ir.ElementType(o.Source.Type()))
	if !ok || e.packed || e.size > 4 {
		f.unsupported(op)
		return
	}
	config := f.val(o.Configuration.Value)
	f.TrapIf(f.ICmp(enum.IPredNE, f.And(config, ll.Index(1<<sem.SortedGroupsFrom-1)), ll.Index(0)))
	groups := f.LShr(config, ll.Index(sem.SortedGroupsFrom))
	dst := f.val(o.Destination.Value)
	from := f.aside(o, mostGroups*sortedGroup*int64(e.size), f.Mul(groups, ll.Index(sortedGroup*int64(e.size))))
	group, sorted := f.Slot(types.NewArray(sortedGroup, ll.I64)), f.Slot(types.NewArray(sortedGroup, ll.I64))
	f.Loop("group", groups, func(g value.Value) {
		first := f.Mul(g, ll.Index(sortedGroup))
		f.Loop("record", ll.Index(sortedGroup), func(i value.Value) {
			x := f.loadElement(e, f.At(e.mem, from, f.Add(first, i)))
			f.Store(f.recordOf(e, x, ll.Integer(ll.I32, 0)), f.At(ll.I64, group, i), 8)
		})
		f.Call(f.sorter(e.f), sorted, group, ll.Index(sortedGroup))
		f.Loop("element", ll.Index(sortedGroup), func(i value.Value) {
			x := f.Carry(e.f, f.Trunc(f.Load(ll.I64, f.At(ll.I64, sorted, i), 8), ll.IntType(e.f.Bits())))
			f.storeElement(e, x, f.At(e.mem, dst, f.Add(first, i)))
		})
	})
}

// transposeBlock emits an instruction that transposes a block of 16 x 16 elements in
// memory.
func (f *function) transposeBlock(op *ir.Op, _ sem.TransposeBlock) {
	o := sem.HelperOf(op)
	f.TrapIf(f.ICmp(enum.IPredNE, f.val(o.Configuration.Value), ll.Index(0)))
	t := ll.IntType(8 * pto.ByteSize(ir.ElementType(o.Source.Type())))
	size := int(t.BitSize / 8)
	dst := f.val(o.Destination.Value)
	from := f.aside(o, int64(blockSide*blockSide*size), ll.Index(int64(blockSide*blockSide*size)))
	f.Loop("row", ll.Index(blockSide), func(r value.Value) {
		f.Loop("col", ll.Index(blockSide), func(c value.Value) {
			x := f.Load(t, f.At(t, from, f.Add(f.Mul(r, ll.Index(blockSide)), c)), size)
			f.Store(x, f.At(t, dst, f.Add(f.Mul(c, ll.Index(blockSide)), r)), size)
		})
	})
}

// aside emits a copy of the first n bytes of the memory at the source operand of o. The
// copy is on the stack, and aside returns its address. The stack array has capacity
// bytes, the maximum, because n is known only at run time.
func (f *function) aside(o sem.Helper, capacity int64, n value.Value) value.Value {
	p := f.Slot(types.NewArray(uint64(capacity), ll.I8))
	f.copyBytes(p, f.val(o.Source.Value), n)
	return p
}
