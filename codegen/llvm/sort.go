// This file emits sorting and merging of records.

package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

const (
	// A sort record has recordBytes bytes: the score at the start and the index in the
	// upper four bytes. As an i64, the score is in the lower bits. sortedGroup is the
	// number of scores that are sorted at a time. mergedLists is the largest number of
	// lists that are merged at a time.
	recordBytes = 8
	sortedGroup = 32
	mergedLists = 4
)

// scoreOf emits the score, of format f, of a sort record (an i64) as a float.
func (c *code) scoreOf(f num.Format, record value.Value) value.Value {
	return c.Decode(f, c.Carry(f, c.Trunc(record, ll.IntType(f.Bits()))))
}

// recordOf emits a sort record from the score and the index idx. The parameter e
// describes the type of the score.
func (f *function) recordOf(e element, score, idx value.Value) value.Value {
	low := f.Resize(f.Bits(score), ll.I64, false)
	return f.Or(low, f.Shl(f.ZExt(f.Resize(idx, ll.I32, false), ll.I64), ll.Index(32)))
}

// before emits a test whether the sort record a comes before b. Higher scores come first,
// and NaN comes before all numbers.
func (c *code) before(f num.Format, a, b value.Value) value.Value {
	if f.IsInt() {
		p := enum.IPredUGT
		if f.Signed() {
			p = enum.IPredSGT
		}
		return c.ICmp(p, c.Trunc(a, ll.IntType(f.Bits())), c.Trunc(b, ll.IntType(f.Bits())))
	}
	x, y := c.scoreOf(f, a), c.scoreOf(f, b)
	nan := c.And(c.IsNaN(x), c.FCmp(enum.FPredORD, y, y))
	return c.Or(c.FCmp(enum.FPredOGT, x, y), nan)
}

// sorter returns the helper function that sorts n records from src into dst by descending
// score. The sort is stable: the position of a record is the number of records that come
// before it.
func (c *code) sorter(f num.Format) *llir.Func {
	return c.private("sort."+f.String(), ll.Void, []types.Type{ll.Ptr, ll.Ptr, ll.I64}, func(c *code, args []value.Value) value.Value {
		dst, src, n := args[0], args[1], args[2]
		c.Loop("record", n, func(i value.Value) {
			x := c.Load(ll.I64, c.At(ll.I64, src, i), 1)
			rank := c.Reduce("other", n, []value.Value{ll.Index(0)}, func(k value.Value, acc []value.Value) []value.Value {
				y := c.Load(ll.I64, c.At(ll.I64, src, k), 1)
				earlier := c.And(c.ICmp(enum.IPredSLT, k, i), c.Not(c.before(f, x, y)))
				front := c.Or(c.before(f, y, x), earlier)
				return []value.Value{c.Add(acc[0], c.ZExt(front, ll.I64))}
			})[0]
			rank = c.And(rank, ll.Index(sortedGroup-1)) // which it is; the fence wants to see it
			c.Store(x, c.At(ll.I64, dst, rank), 1)
		})
		return nil
	})
}

// sortGroups emits an instruction that sorts each group of 32 scores in memory into
// records.
func (f *function) sortGroups(op *ir.Op) {
	o := sem.RecordSortOf(op)
	e, ok := elementOfType(ir.ElementType(o.Source.Type()))
	if !ok || e.packed || e.size > 4 {
		f.unsupported(op)
		return
	}
	dst, src, idx := f.val(o.Destination.Value), f.val(o.Source.Value), f.val(o.Indices.Value)
	group := f.Slot(types.NewArray(sortedGroup, ll.I64))
	f.Loop("group", f.number(o.Times), func(g value.Value) {
		first := f.Mul(g, ll.Index(sortedGroup))
		f.Loop("record", ll.Index(sortedGroup), func(i value.Value) {
			at := f.Add(first, i)
			score := f.loadElement(e, f.At(e.mem, src, at))
			f.Store(f.recordOf(e, score, f.Load(ll.I32, f.At(ll.I32, idx, at), 1)), f.At(ll.I64, group, i), 8)
		})
		f.Call(f.sorter(e.f), f.At(ll.I64, dst, first), group, ll.Index(sortedGroup))
	})
}

// tileSort emits a tile instruction that sorts each group of 32 elements of a row. The
// result consists of records, each of which contains an element and its index.
func (f *function) tileSort(op *ir.Op, _ sem.TileSort) {
	from, numbers, to := sem.TileSortOf(op)
	src, ok := f.tileOperand(op, from)
	idx, ok2 := f.tileOperand(op, numbers)
	dst, ok3 := f.tileOperand(op, to)
	if !ok || !ok2 || !ok3 {
		return
	}
	if src.e.packed || src.e.size > 4 {
		f.unsupported(op)
		return
	}
	group := f.Slot(types.NewArray(sortedGroup, ll.I64))
	last := f.MaxInt(f.Sub(idx.rows, ll.Index(1)), ll.Index(0))
	groups := f.CeilQuo(src.cols, sortedGroup)
	f.Loop("row", src.rows, func(r value.Value) {
		out := f.addr(&dst, r, ll.Index(0))
		indexRow := f.MinInt(r, last) // one row of indices may serve all
		f.Loop("group", groups, func(g value.Value) {
			first := f.Mul(g, ll.Index(sortedGroup))
			n := f.AtMost(f.Sub(src.cols, first), ll.Index(sortedGroup))
			f.Loop("record", n, func(i value.Value) {
				c := f.Add(first, i)
				record := f.recordOf(src.e, f.get(&src, r, c), f.Bits(f.get(&idx, indexRow, c)))
				f.Store(record, f.At(ll.I64, group, i), 8)
			})
			f.Call(f.sorter(src.e.f), f.At(ll.I64, out, first), group, n)
		})
	})
}

// merger returns the helper function that merges four sorted lists into dst. For equal
// scores, the record of the earlier list comes first. The function stops after n records.
// If its i1 parameter exhausted is true, it stops earlier if a list is used up. Its
// parameters lists and counts are arrays of addresses and lengths, and taken receives the
// number of records taken from each list.
func (c *code) merger(f num.Format) *llir.Func {
	params := []types.Type{ll.Ptr, ll.I64, ll.Ptr, ll.Ptr, ll.Ptr, ll.I1}
	return c.private("merge."+f.String(), ll.Void, params, func(c *code, args []value.Value) value.Value {
		dst, n, lists, counts, taken, exhausted := args[0], args[1], args[2], args[3], args[4], args[5]
		for i := range int64(mergedLists) {
			c.Store(ll.Index(0), c.At(ll.I64, taken, ll.Index(i)), 8)
		}
		c.Reduce("record", n, []value.Value{ll.Integer(ll.I1, 1)}, func(at value.Value, acc []value.Value) []value.Value {
			going := acc[0]
			from, best := c.firstList(f, lists, counts, taken)
			going = c.And(going, c.ICmp(enum.IPredSGE, from, ll.Index(0)))
			ranOut := c.Choose("take", going,
				func() value.Value {
					c.Store(best, c.At(ll.I64, dst, at), 1)
					from := c.And(from, ll.Index(mergedLists-1)) // which it is; the fence wants to see it
					slot := c.At(ll.I64, taken, from)
					k := c.Add(c.Load(ll.I64, slot, 8), ll.Index(1))
					c.Store(k, slot, 8)
					return c.ICmp(enum.IPredUGE, k, c.Load(ll.I64, c.At(ll.I64, counts, from), 8))
				},
				func() value.Value { return ll.Integer(ll.I1, 1) })
			return []value.Value{c.And(going, c.Not(c.And(exhausted, ranOut)))}
		})
		return nil
	})
}

// firstList emits a search for the list whose next record comes first in the merged
// order. The three array arguments have an entry for each list: the address of the list,
// its length in records, and the number of its records that the merge has already used.
// The code computes two results: the index of the list that was found, or -1 if all lists
// are used up, and the address of its next record.
func (c *code) firstList(f num.Format, lists, counts, taken value.Value) (from, best value.Value) {
	from, best = ll.Index(-1), ll.Index(0)
	for i := range int64(mergedLists) {
		k := c.Load(ll.I64, c.At(ll.I64, taken, ll.Index(i)), 8)
		has := c.ICmp(enum.IPredULT, k, c.Load(ll.I64, c.At(ll.I64, counts, ll.Index(i)), 8))
		list := c.Load(ll.Ptr, c.At(ll.Ptr, lists, ll.Index(i)), 8)
		record := c.Choose("has", has,
			func() value.Value { return c.Load(ll.I64, c.At(ll.I64, list, k), 1) },
			func() value.Value { return ll.Index(0) })
		first := c.Or(c.ICmp(enum.IPredSLT, from, ll.Index(0)), c.before(f, record, best))
		take := c.And(has, first)
		from, best = c.Select(take, ll.Index(i), from), c.Select(take, record, best)
	}
	return from, best
}

// merging holds the arguments of the helper function that merges sorted lists. The
// arguments are three arrays on the stack: the addresses of the lists, the lengths of the
// lists, and the numbers of records that have been taken from the lists.
type merging struct {
	f                    *function
	lists, counts, taken value.Value
}

// newMerging allocates the stack arrays that a merge of sorted lists needs: addresses,
// lengths and counts of the lists.
func (f *function) newMerging() *merging {
	return &merging{
		f: f, lists: f.Slot(types.NewArray(mergedLists, ll.Ptr)),
		counts: f.Slot(types.NewArray(mergedLists, ll.I64)), taken: f.Slot(types.NewArray(mergedLists, ll.I64)),
	}
}

// set emits stores that define input list number i of a merge. The parameter list is the
// address of the first record, and n is the number of records.
func (m *merging) set(i int64, list, n value.Value) {
	m.f.Store(list, m.f.At(ll.Ptr, m.lists, ll.Index(i)), 8)
	m.f.Store(n, m.f.At(ll.I64, m.counts, ll.Index(i)), 8)
}

// run emits a call that merges the sorted lists of m into the memory at dst. The memory
// has space for n records with scores of the given format. If the parameter exhausted (an
// i1) is true, the merge ends as soon as one list has no more records.
func (m *merging) run(format num.Format, dst, n, exhausted value.Value) {
	m.f.Call(m.f.merger(format), dst, n, m.lists, m.counts, m.taken, exhausted)
}

// remember emits stores of record counts to core registers, one for each list. The count
// is the number of records that the merge has taken from the list. A later instruction
// can read these counts.
func (m *merging) remember() {
	for i := range int64(mergedLists) {
		m.f.setState(partName("merged", int(i)), m.f.Load(ll.I64, m.f.At(ll.I64, m.taken, ll.Index(i)), 8))
	}
}

// mergeSorted emits an instruction that merges four sorted lists of records in memory.
// Its control operand has three fields. The lowest byte is the number of repeats. A bit
// mask selects the lists that take part. A flag makes the instruction stop when one list
// is used up. Each repeat processes the records that follow those of the previous repeat.
func (f *function) mergeSorted(op *ir.Op) {
	o := sem.RecordMergeOf(op)
	e, ok := elementOfType(ir.ElementType(o.Destination.Type()))
	if !ok || e.packed || e.size > 4 {
		f.unsupported(op)
		return
	}
	count, config := f.val(o.Counts.Value), f.val(o.Configuration.Value)
	bit := func(i int64) value.Value { return f.Trunc(f.LShr(config, ll.Index(i)), ll.I1) }
	m := f.newMerging()
	var lengths [mergedLists]value.Value
	total := value.Value(ll.Index(0))
	for i := range lengths {
		n := f.And(f.LShr(count, ll.Index(int64(16*i))), ll.Index(0xFFFF))
		lengths[i] = f.Select(bit(int64(8+i)), n, ll.Index(0))
		total = f.Add(total, lengths[i])
	}
	repeats := f.Call2("llvm.umax", f.And(config, ll.Index(0xFF)), ll.Index(1))
	f.Loop("merge", repeats, func(k value.Value) {
		at := f.Mul(k, total)
		for i, source := range o.Sources {
			m.set(int64(i), f.At(ll.I64, f.val(source.Value), at), lengths[i])
		}
		m.run(e.f, f.At(ll.I64, f.val(o.Destination.Value), at), total, bit(12))
	})
	m.remember()
}

// mergedCounts emits an instruction that reads the numbers of records that the last merge
// took from each list.
func (f *function) mergedCounts(op *ir.Op) {
	for i, v := range op.Results() {
		x := f.And(f.regValue("merged", i), ll.Index(0xFFFF))
		f.set(v, f.Resize(x, intTypeOf(v.Type()), false))
	}
}

// tileMerge emits an instruction that merges sorted lists of records in tiles.
func (f *function) tileMerge(op *ir.Op, _ sem.TileMerge) {
	dst, ok := f.destinationTile(op)
	if !ok {
		return
	}
	o := sem.TileListsOf(op)
	if o.BlockLen.Given() {
		f.mergeBlocks(op, &dst, f.signExtended(o.BlockLen.Value))
		return
	}
	srcs, counts := o.Lists, o.Taken.Value
	if len(srcs) > mergedLists || counts != nil && (counts.Op() == nil || counts.Op().Block() != op.Block()) {
		f.unsupported(op) // what is written in a loop or a branch would need memory
		return
	}
	m := f.newMerging()
	for i := range int64(mergedLists) {
		list, n := value.Value(ll.Null), value.Value(ll.Index(0))
		if int(i) < len(srcs) {
			t, ok := f.tileOf(op, srcs[i].Value)
			if !ok {
				return
			}
			list, n = t.base, f.Quo(f.Mul(t.cols, ll.Index(int64(t.e.size))), recordBytes)
		}
		m.set(i, list, n)
	}
	room := f.Quo(f.Mul(dst.cols, ll.Index(int64(dst.e.size))), recordBytes)
	m.run(dst.e.f, dst.base, room, ll.ConstantBool(o.Exhausted))
	m.remember()
	if counts != nil {
		f.set(counts, f.takenInto(f.val(counts)))
	}
}

// takenInto emits the vector x with its first lanes replaced by the numbers of records
// that the last merge took from each list.
func (f *function) takenInto(x value.Value) value.Value {
	for i := range min(ll.Lanes(x.Type()), mergedLists) {
		n := f.regValue("merged", i)
		x = f.Insert(x, f.Resize(n, ll.ElementOf(x.Type()), false), ll.Index(int64(i)))
	}
	return x
}

// mergeBlocks emits an instruction that sorts by merging. The source tile consists of
// sorted lists of blockLen elements. The instruction merges each group of four adjacent
// lists into one list in dst. If fewer than four lists remain at the end, the emitted
// code does not write the corresponding elements of dst.
func (f *function) mergeBlocks(op *ir.Op, dst *tile, blockLen value.Value) {
	var src tile
	ok := false
	for _, v := range op.Operands() {
		if pto.IsTile(v.Type()) {
			src, ok = f.tileOf(op, v)
			break
		}
	}
	if !ok {
		f.unsupported(op)
		return
	}
	n := f.Mul(blockLen, ll.Index(int64(src.e.size))) // bytes of a list
	f.TrapIf(f.Or(f.ICmp(enum.IPredSLE, n, ll.Index(0)), f.ICmp(enum.IPredNE, f.And(n, ll.Index(recordBytes-1)), ll.Index(0))))
	all := f.Quo(f.Mul(src.cols, ll.Index(int64(src.e.size))), recordBytes)
	per := f.LShr(n, ll.Index(3))
	four := f.Mul(per, ll.Index(mergedLists))
	groups := f.UDiv(all, four)
	m := f.newMerging()
	f.Loop("merge", groups, func(group value.Value) {
		start := f.Mul(group, four)
		for i := range int64(mergedLists) {
			m.set(i, f.At(ll.I64, src.base, f.Add(start, f.Mul(per, ll.Index(i)))), per)
		}
		m.run(src.e.f, f.At(ll.I64, dst.base, start), four, ll.Integer(ll.I1, 0))
	})
}

// vecSort emits one of the vector instructions for sorting: sorting groups, merging
// lists, or reading the counts of a merge.
func (f *function) vecSort(op *ir.Op, kind sem.VecSort) {
	switch kind.Act {
	case sem.SortGroups:
		f.sortGroups(op)
	case sem.SortValues:
		f.sortValues(op)
	case sem.MergeLists:
		f.mergeSorted(op)
	case sem.MergeCounts:
		f.mergedCounts(op)
	}
}
