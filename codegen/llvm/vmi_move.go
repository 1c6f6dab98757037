// This file emits rearrangements of logical vectors.

package llvm

import (
	"slices"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Moves of the lanes of virtual vectors (vmi). Where the new place of each lane is
// known, a move is one shufflevector; where a mask or an index says it, lanes are moved
// one by one.

// rowCopy emits a change of the layout or of the element type of a logical vector. LLVM
// vectors have no layouts, so the emitted code only reinterprets the bits.
func (f *function) rowCopy(op *ir.Op, _ sem.Relayout) {
	to, _ := rowOf(op.Result(0).Type())
	x := f.val(op.Operand(0))
	if ll.WidthOf(x.Type())*ll.Lanes(x.Type()) != ll.WidthOf(to.t)*to.lanes {
		f.unsupported(op)
		return
	}
	f.set(op.Result(0), f.Bitcast(x, to.vector()))
}

// rowLiteral emits a constant logical vector.
func (f *function) rowLiteral(op *ir.Op, kind scalar.Literal) {
	d, ok := ir.AttrAs[ir.DenseAttr](op.Attr(kind.Attr))
	if r, _ := rowOf(op.Result(0).Type()); !ok || r.packed {
		f.unsupported(op)
		return
	}
	f.denseLiteral(op, d)
}

// rowChoice emits a selection of each lane from one of two logical vectors, or, with a
// scalar condition, of one of two values.
func (f *function) rowChoice(op *ir.Op, kind scalar.Choice) {
	if !isRow(op.Operand(0).Type()) {
		f.choice(op, kind)
		return
	}
	f.set(op.Result(0), f.Select(f.val(op.Operand(0)), f.val(op.Operand(1)), f.val(op.Operand(2))))
}

// rowRearrange emits an instruction that moves lanes within or between logical vectors.
func (f *function) rowRearrange(op *ir.Op, kind sem.VecRearrange) {
	switch kind.Kind {
	case sem.Interleave, sem.Deinterleave:
		f.rowPair(op, kind.Kind)
	case sem.Compact:
		f.rowCompact(op)
	case sem.CountBefore:
		f.rowCountBefore(op)
	case sem.Permute:
		f.rowPermute(op)
	case sem.Reinterpret:
		f.rowCopy(op, sem.Relayout{})
	default:
		f.unsupported(op)
	}
}

// rowPair emits an instruction with two logical vectors as operands and two as results.
// It interleaves the lanes of the operands, or separates interleaved lanes, depending on
// kind.
func (f *function) rowPair(op *ir.Op, kind sem.Rearrangement) {
	x, y := f.val(op.Operand(0)), f.val(op.Operand(1))
	n := ll.Lanes(x.Type())
	for k := range 2 {
		indices := make([]int, n)
		for i := range indices {
			if kind == sem.Deinterleave {
				indices[i] = 2*i + k
			} else {
				at := k*n + i
				indices[i] = at/2 + at%2*n
			}
		}
		v := op.Result(k)
		f.set(v, f.selected(op, v, f.Shuffle(x, y, indices)))
	}
}

// rowCompact emits an instruction that moves the selected lanes of a logical vector to
// the front.
func (f *function) rowCompact(op *ir.Op) {
	x, on := f.arrayOf(f.val(op.Operand(0))), f.arrayOf(f.val(sem.MaskOf(op).Value))
	out := f.emptyArray(x.t, x.n+1) // a lane that is not selected goes after the last
	f.Reduce("lane", ll.Index(int64(x.n)), []value.Value{ll.Index(0)}, func(i value.Value, n []value.Value) []value.Value {
		bit := on.get(i)
		out.put(f.Select(f.Trunc(bit, ll.I1), n[0], ll.Index(int64(x.n))), x.get(i))
		return []value.Value{f.Add(n[0], f.ZExt(bit, ll.I64))}
	})
	f.set(op.Result(0), f.Load(ll.VectorOf(x.n, x.t), out.p, out.align()))
}

// rowCountBefore emits an instruction that sets each lane to the number of selected lanes
// before it.
func (f *function) rowCountBefore(op *ir.Op) {
	r, _ := rowOf(op.Result(0).Type())
	t, ok := r.t.(*types.IntType)
	if !ok {
		f.unsupported(op)
		return
	}
	on, out := f.arrayOf(f.val(sem.MaskOf(op).Value)), f.emptyArray(t, r.lanes)
	f.Reduce("lane", ll.Index(int64(r.lanes)), []value.Value{ll.Integer(t, 0)}, func(i value.Value, n []value.Value) []value.Value {
		out.put(i, n[0])
		return []value.Value{f.Add(n[0], f.Resize(on.get(i), t, false))}
	})
	f.set(op.Result(0), out.vector())
}

// rowPermute emits an instruction that sets each lane to the source lane whose index is
// in another vector, modulo the number of lanes.
func (f *function) rowPermute(op *ir.Op) {
	o := sem.PermutationOf(op)
	x := f.arrayOf(f.val(o.Source.Value))
	numbers := f.arrayOf(f.ZExt(f.Bits(f.val(o.Index.Value)), ll.I64))
	out := f.emptyArray(x.t, numbers.n)
	f.Loop("lane", ll.Index(int64(out.n)), func(i value.Value) {
		out.put(i, x.get(f.Rem(numbers.get(i), int64(x.n))))
	})
	f.set(op.Result(0), out.vector())
}

// rowShuffle emits an instruction that selects lanes by constant indices.
func (f *function) rowShuffle(op *ir.Op, _ sem.PermuteBy) {
	var indices []int
	for _, k := range sem.PermutationOf(op).Numbers {
		indices = append(indices, int(k))
	}
	f.set(op.Result(0), f.ShuffleOne(f.val(op.Operand(0)), indices))
}

// rowChannels emits an instruction that distributes the lanes of one logical vector over
// n vectors in round-robin order, or that merges n vectors in the same order.
func (f *function) rowChannels(op *ir.Op, kind sem.LaneChannels) {
	if !kind.Merge {
		x, n := f.val(op.Operand(0)), op.NumResults()
		for k, v := range op.Results() {
			f.set(v, f.ShuffleOne(x, sequence(ll.Lanes(x.Type())/n, k, n)))
		}
		return
	}
	r, _ := rowOf(op.Result(0).Type())
	n := op.NumOperands()
	places := make([]lanePlace, r.lanes)
	for i := range places {
		places[i] = lanePlace{i % n, i / n}
	}
	f.set(op.Result(0), f.collect(f.all(op.Operands()), places))
}

// lanePlace is the position of a lane: the index of a vector and the index of the lane in
// it.
type lanePlace struct{ vector, lane int }

// collect emits a vector whose lanes are lanes of the vectors vs. The list places
// contains, for each lane of the result, the position of its source: a vector and a lane
// in it.
func (f *function) collect(vs []value.Value, places []lanePlace) value.Value {
	var out value.Value
	for k, x := range vs {
		indices := slices.Repeat([]int{-1}, len(places))
		for i, p := range places {
			if p.vector == k {
				indices[i] = p.lane
			}
		}
		y := f.Shuffle(x, ll.Poison(x.Type()), indices)
		if out == nil {
			out = y
			continue
		}
		here := laneNumbers(len(places), ll.I1, func(i int) int64 { return int64(min(indices[i]+1, 1)) })
		out = f.Select(here, y, out)
	}
	return out
}

// rowParts emits an instruction that splits a logical vector into vector registers, or
// combines registers into a logical vector.
func (f *function) rowParts(op *ir.Op, kind sem.Parts) {
	whole, parts := op.Operand(0), op.Results()
	if kind.Pack {
		whole, parts = op.Result(0), op.Operands()
	}
	r, _ := rowOf(whole.Type())
	places := make([]lanePlace, r.lanes)
	for i := range places {
		reg, lane, ok := lanemap.Place(whole.Type(), int64(i))
		if !ok || int(reg) >= len(parts) {
			f.unsupported(op)
			return
		}
		places[i] = lanePlace{int(reg), int(lane)}
	}
	bytes := 0 // bytes of a lane of a mask
	if m, ok := ir.As[pto.Mask](parts[0].Type()); ok {
		bytes = int(m.Bits) / 8
	}
	if kind.Pack {
		var vs []value.Value
		for _, v := range parts {
			x := f.val(v)
			if bytes > 0 {
				x = f.laneMask(x, bytes)
			}
			vs = append(vs, x)
		}
		f.set(whole, f.collect(vs, places))
		return
	}
	x := f.val(whole)
	for k, v := range parts {
		size := r.size
		if bytes > 0 {
			size = bytes
		}
		indices := sequence(pto.VectorBytes/size, r.lanes, 0) // zeros
		for i, p := range places {
			if p.vector == k {
				indices[p.lane] = i
			}
		}
		y := f.Shuffle(x, ll.Zero(x.Type()), indices)
		if bytes > 0 {
			y = f.maskOf(y, bytes)
		}
		f.set(v, y)
	}
}

// prefixMask emits a mask that selects the first lanes of each group of a logical vector.
// The number of selected lanes in a group is an operand of op, or follows from the name
// of a mask pattern. If op has neither, the mask selects all lanes.
func (f *function) prefixMask(op *ir.Op, _ sem.PrefixMask) {
	r, _ := rowOf(op.Result(0).Type())
	per := r.lanes / sem.GroupsOf(op)
	n := value.Value(ll.Index(int64(per)))
	if op.NumOperands() > 0 {
		n = f.signExtended(op.Operand(0))
	} else if k, ok := lanemap.Pattern(op); ok {
		n = ll.Index(k)
	}
	at := laneNumbers(r.lanes, ll.I64, func(i int) int64 { return int64(i % per) })
	f.set(op.Result(0), f.ICmp(enum.IPredSLT, at, n))
}

// rowTail emits the mask for one iteration of a loop over vectors. The operand of op is
// the number n of elements that remain. The first result is a mask of the first n lanes.
// The second result is the number of elements that remain for the next iteration: n minus
// the number of lanes of the mask, but not below 0.
func (f *function) rowTail(op *ir.Op, _ sem.MaskTail) {
	r, _ := rowOf(op.Result(0).Type())
	n := f.SExt(f.Resize(f.val(op.Operand(0)), ll.I32, true), ll.I64)
	f.set(op.Result(0), f.ICmp(enum.IPredSLT, counted(ll.I64, r.lanes), n))
	left := f.MaxInt(f.Sub(n, ll.Index(int64(r.lanes))), ll.Index(0))
	f.set(op.Result(1), f.Resize(left, intTypeOf(op.Result(1).Type()), false))
}
