package codegen

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// A record is a score and its index: the score at the start of eight bytes,
// the index in the upper four. As an i64, the score has its low bits.
const (
	recordBytes = 8
	sortedGroup = 32 // how many scores are sorted at a time
	mergedLists = 4
)

// scoreOf is the score of a record, of format f.
func (c *code) scoreOf(f num.Format, record value.Value) value.Value {
	return c.decode(f, c.carry(f, c.trunc(record, intType(f.Bits()))))
}

// recordOf makes a record.
func (f *function) recordOf(e element, score, idx value.Value) value.Value {
	low := f.resize(f.bits(score), i64, false)
	return f.or(low, f.shl(f.zext(f.resize(idx, i32, false), i64), index(32)))
}

// before tells whether a record comes in front of another one: the greater
// score does, and NaN in front of all.
func (c *code) before(f num.Format, a, b value.Value) value.Value {
	if f.IsInt() {
		p := enum.IPredUGT
		if f.Signed() {
			p = enum.IPredSGT
		}
		return c.icmp(p, c.trunc(a, intType(f.Bits())), c.trunc(b, intType(f.Bits())))
	}
	x, y := c.scoreOf(f, a), c.scoreOf(f, b)
	nan := c.and(c.isNaN(x), c.fcmp(enum.FPredORD, y, y))
	return c.or(c.fcmp(enum.FPredOGT, x, y), nan)
}

// sorter is the routine that sorts n records into dst, greatest first and
// equal ones in their order. The place of a record is the number of those that
// come in front of it.
func (c *code) sorter(f num.Format) *llir.Func {
	return c.private("sort."+f.String(), void, []types.Type{ptr, ptr, i64}, func(c *code, args []value.Value) value.Value {
		dst, src, n := args[0], args[1], args[2]
		c.loop("record", n, func(i value.Value) {
			x := c.load(i64, c.at(i64, src, i), 1)
			rank := c.reduce("other", n, []value.Value{index(0)}, func(k value.Value, acc []value.Value) []value.Value {
				y := c.load(i64, c.at(i64, src, k), 1)
				earlier := c.and(c.icmp(enum.IPredSLT, k, i), c.not(c.before(f, x, y)))
				front := c.or(c.before(f, y, x), earlier)
				return []value.Value{c.add(acc[0], c.zext(front, i64))}
			})[0]
			c.store(x, c.at(i64, dst, rank), 1)
		})
		return nil
	})
}

// sortGroups writes sorting scores in memory into records.
func (f *function) sortGroups(op *ir.Op) {
	e, ok := elementOfType(ir.ElementType(op.Arg("source").Type()))
	if !ok || e.packed || e.size > 4 {
		f.unsupported(op)
		return
	}
	dst, src, idx := f.arg(op, "destination"), f.arg(op, "source"), f.arg(op, "indices")
	group := f.slot(types.NewArray(sortedGroup, i64))
	f.loop("group", f.countArg(op, "repeat_times"), func(g value.Value) {
		first := f.mul(g, index(sortedGroup))
		f.loop("record", index(sortedGroup), func(i value.Value) {
			at := f.add(first, i)
			score := f.loadElement(e, f.at(e.mem, src, at))
			f.store(f.recordOf(e, score, f.load(i32, f.at(i32, idx, at), 1)), f.at(i64, group, i), 8)
		})
		f.call(f.sorter(e.f), f.at(i64, dst, first), group, index(sortedGroup))
	})
}

// tileSort writes sorting every 32 neighbours of a row into records.
func (f *function) tileSort(op *ir.Op) {
	src, ok := f.tileArg(op, "src")
	idx, ok2 := f.tileArg(op, "idx")
	dst, ok3 := f.tileArg(op, "dst")
	if !ok || !ok2 || !ok3 {
		return
	}
	if src.e.packed || src.e.size > 4 {
		f.unsupported(op)
		return
	}
	group := f.slot(types.NewArray(sortedGroup, i64))
	last := f.maxInt(f.sub(idx.rows, index(1)), index(0))
	groups := f.ceilQuo(src.cols, sortedGroup)
	f.loop("row", src.rows, func(r value.Value) {
		out := f.addr(&dst, r, index(0))
		from := f.minInt(r, last) // one row of indices may serve all
		f.loop("group", groups, func(g value.Value) {
			first := f.mul(g, index(sortedGroup))
			n := f.atMost(f.sub(src.cols, first), index(sortedGroup))
			f.loop("record", n, func(i value.Value) {
				c := f.add(first, i)
				record := f.recordOf(src.e, f.get(&src, r, c), f.bits(f.get(&idx, from, c)))
				f.store(record, f.at(i64, group, i), 8)
			})
			f.call(f.sorter(src.e.f), f.at(i64, out, first), group, n)
		})
	})
}

// merger is the routine that merges four sorted lists into dst: of equal
// scores the earlier list goes first. It stops after n records, and with
// exhausted as soon as a list has run out. Lists and counts are arrays of
// addresses and numbers; taken receives how many records were taken of each.
func (c *code) merger(f num.Format) *llir.Func {
	params := []types.Type{ptr, i64, ptr, ptr, ptr, i1}
	return c.private("merge."+f.String(), void, params, func(c *code, args []value.Value) value.Value {
		dst, n, lists, counts, taken, exhausted := args[0], args[1], args[2], args[3], args[4], args[5]
		for i := range int64(mergedLists) {
			c.store(index(0), c.at(i64, taken, index(i)), 8)
		}
		c.reduce("record", n, []value.Value{integer(i1, 1)}, func(at value.Value, acc []value.Value) []value.Value {
			going := acc[0]
			from, best := c.firstList(f, lists, counts, taken)
			going = c.and(going, c.icmp(enum.IPredSGE, from, index(0)))
			ranOut := c.choose("take", going,
				func() value.Value {
					c.store(best, c.at(i64, dst, at), 1)
					slot := c.at(i64, taken, from)
					k := c.add(c.load(i64, slot, 8), index(1))
					c.store(k, slot, 8)
					return c.icmp(enum.IPredUGE, k, c.load(i64, c.at(i64, counts, from), 8))
				},
				func() value.Value { return integer(i1, 1) })
			return []value.Value{c.and(going, c.not(c.and(exhausted, ranOut)))}
		})
		return nil
	})
}

// firstList returns the number of the list whose next record comes first, or
// -1 if all have run out, and that record.
func (c *code) firstList(f num.Format, lists, counts, taken value.Value) (from, best value.Value) {
	from, best = index(-1), index(0)
	for i := range int64(mergedLists) {
		k := c.load(i64, c.at(i64, taken, index(i)), 8)
		has := c.icmp(enum.IPredULT, k, c.load(i64, c.at(i64, counts, index(i)), 8))
		list := c.load(ptr, c.at(ptr, lists, index(i)), 8)
		record := c.choose("has", has,
			func() value.Value { return c.load(i64, c.at(i64, list, k), 1) },
			func() value.Value { return index(0) })
		first := c.or(c.icmp(enum.IPredSLT, from, index(0)), c.before(f, record, best))
		take := c.and(has, first)
		from, best = c.sel(take, index(i), from), c.sel(take, record, best)
	}
	return from, best
}

// merging is the arrays that a merger works on.
type merging struct {
	f                    *function
	lists, counts, taken value.Value
}

func (f *function) newMerging() *merging {
	return &merging{
		f: f, lists: f.slot(types.NewArray(mergedLists, ptr)),
		counts: f.slot(types.NewArray(mergedLists, i64)), taken: f.slot(types.NewArray(mergedLists, i64)),
	}
}

// set describes list i: where it starts and how many records it has.
func (m *merging) set(i int64, list, n value.Value) {
	m.f.store(list, m.f.at(ptr, m.lists, index(i)), 8)
	m.f.store(n, m.f.at(i64, m.counts, index(i)), 8)
}

// run merges into dst, which has room for n records.
func (m *merging) run(format num.Format, dst, n, exhausted value.Value) {
	m.f.call(m.f.merger(format), dst, n, m.lists, m.counts, m.taken, exhausted)
}

// remember keeps how many records were taken of each list.
func (m *merging) remember() {
	for i := range int64(mergedLists) {
		m.f.setState(partName("merged", int(i)), m.f.load(i64, m.f.at(i64, m.taken, index(i)), 8))
	}
}

// mergeSorted writes merging four lists of records in memory. The control word
// holds the number of repeats in its lowest byte, then which lists take part,
// then whether to stop when one of them runs out. With repeats, each goes on
// behind the last.
func (f *function) mergeSorted(op *ir.Op) {
	e, ok := elementOfType(ir.ElementType(op.Arg("destination").Type()))
	if !ok || e.packed || e.size > 4 {
		f.unsupported(op)
		return
	}
	count, config := f.arg(op, "count"), f.arg(op, "config")
	bit := func(i int64) value.Value { return f.trunc(f.lshr(config, index(i)), i1) }
	m := f.newMerging()
	var lengths [mergedLists]value.Value
	total := value.Value(index(0))
	for i := range lengths {
		n := f.and(f.lshr(count, index(int64(16*i))), index(0xFFFF))
		lengths[i] = f.sel(bit(int64(8+i)), n, index(0))
		total = f.add(total, lengths[i])
	}
	repeats := f.call2("llvm.umax", f.and(config, index(0xFF)), index(1))
	f.loop("merge", repeats, func(turn value.Value) {
		at := f.mul(turn, total)
		for i, name := range []string{"source0", "source1", "source2", "source3"} {
			m.set(int64(i), f.at(i64, f.arg(op, name), at), lengths[i])
		}
		m.run(e.f, f.at(i64, f.arg(op, "destination"), at), total, bit(12))
	})
	m.remember()
}

// mergedCounts writes asking how many records the last merge took of each
// list.
func (f *function) mergedCounts(op *ir.Op) {
	for i, v := range op.Results() {
		x := f.and(f.regValue("merged", i), index(0xFFFF))
		f.set(v, f.resize(x, intTypeOf(v.Type()), false))
	}
}

// tileMerge writes merging lists of records in tiles.
func (f *function) tileMerge(op *ir.Op) {
	dst, ok := f.destinationTile(op)
	if !ok {
		return
	}
	if v := op.Arg("blockLen"); v != nil {
		f.mergeBlocks(op, &dst, f.signExtended(v))
		return
	}
	srcs := op.Args("srcs")
	counts := op.Arg("excuted")
	if len(srcs) > mergedLists || counts != nil && (counts.Op() == nil || counts.Op().Block() != op.Block()) {
		f.unsupported(op) // what is written in a loop or a branch would need memory
		return
	}
	m := f.newMerging()
	for i := range int64(mergedLists) {
		list, n := value.Value(nullPtr{}), value.Value(index(0))
		if int(i) < len(srcs) {
			t, ok := f.tileOf(op, srcs[i])
			if !ok {
				return
			}
			list, n = t.base, f.quo(f.mul(t.cols, index(int64(t.e.size))), recordBytes)
		}
		m.set(i, list, n)
	}
	exhausted, _ := op.Attr("exhausted").AsBool()
	room := f.quo(f.mul(dst.cols, index(int64(dst.e.size))), recordBytes)
	m.run(dst.e.f, dst.base, room, constantBool(exhausted))
	m.remember()
	if counts != nil {
		f.set(counts, f.takenInto(f.val(counts)))
	}
}

// takenInto is a vector with how many records the last merge took of each list.
func (f *function) takenInto(x value.Value) value.Value {
	for i := range min(lanes(x.Type()), mergedLists) {
		n := f.regValue("merged", i)
		x = f.insert(x, f.resize(n, elementOf(x.Type()), false), index(int64(i)))
	}
	return x
}

// mergeBlocks merges each four neighbouring lists of a row.
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
	n := f.mul(blockLen, index(int64(src.e.size))) // bytes of a list
	f.trapIf(f.or(f.icmp(enum.IPredSLE, n, index(0)), f.icmp(enum.IPredNE, f.and(n, index(recordBytes-1)), index(0))))
	all := f.quo(f.mul(src.cols, index(int64(src.e.size))), recordBytes)
	per := f.lshr(n, index(3))
	four := f.mul(per, index(mergedLists))
	turns := f.udiv(f.add(all, f.sub(four, index(1))), four)
	m := f.newMerging()
	f.loop("merge", turns, func(turn value.Value) {
		start := f.mul(turn, four)
		end := f.minInt(f.add(start, four), all)
		for i := range int64(mergedLists) {
			from := f.minInt(f.add(start, f.mul(per, index(i))), end)
			to := f.minInt(f.add(from, per), end)
			m.set(i, f.at(i64, src.base, from), f.sub(to, from))
		}
		m.run(src.e.f, f.at(i64, dst.base, start), f.sub(end, start), integer(i1, 0))
	})
}
