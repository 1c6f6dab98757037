// This file emits sums and products in the exact order in which each target reduces.

package llvm

import (
	"math/bits"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// noSum is the bit pattern of -0 in f32. Adding it changes no number, not even the sign
// of a zero.
const noSum = 1 << 31

// rowSum emits the sum of the elements of one row of src in f32.
type rowSum struct {
	f   *function
	src *tile
	row value.Value
	// lanes is the number of lanes of a register.
	lanes int
	// scratch is a buffer of one register for an incomplete register at the end of a row.
	scratch value.Value
	// sums is a buffer for intermediate sums. It has space for half as many sums as a row
	// has registers, and for at least one.
	sums value.Value
}

// newRowSum returns a rowSum for rows of src that are added in the order q. It allocates
// the buffers immediately, so that the allocation is outside of loops.
func (f *function) newRowSum(src *tile, q scalar.Sequence) *rowSum {
	s := &rowSum{f: f, src: src, lanes: q.Lanes}
	if q.Of == scalar.ByEighths {
		s.lanes = 64
		return s
	}
	s.scratch = f.Slot(ll.VectorOf(s.lanes, src.e.mem))
	if q.Of == scalar.ByRepeats && src.info.Cols > int64(s.lanes) {
		s.sums = f.Slot(types.NewArray(uint64(max(1, src.info.Cols/int64(2*s.lanes))), ll.VectorOf(s.lanes, ll.F32)))
	}
	return s
}

// sum emits the sum of a row in the order of additions q. The order matters because each
// addition is rounded.
func (s *rowSum) sum(q scalar.Sequence, row value.Value) value.Value {
	f := s.f
	s.row = row
	switch {
	case q.Of == scalar.ByEighths:
		return s.eighths(int(s.src.info.Cols) / s.lanes)
	case q.Of == scalar.ByChunks:
		n := f.CeilQuo(s.src.cols, int64(s.lanes))
		return f.Reduce("chunk", n, []value.Value{ll.Float(ll.F32, 0)}, func(i value.Value, acc []value.Value) []value.Value {
			return []value.Value{f.FAdd(acc[0], f.total(s.register(i)))}
		})[0]
	case s.sums == nil:
		return f.total(s.register(ll.Index(0)))
	}
	return f.Choose("short", f.ICmp(enum.IPredSLE, s.src.cols, ll.Index(int64(s.lanes))),
		func() value.Value { return f.total(s.register(ll.Index(0))) }, s.repeats)
}

// treeOf emits additions of neighboring lanes of x. Each step halves the number of lanes.
// The parameter left is the number of lanes at which the steps end. treeOf returns the
// vector with the remaining sums.
func (c *code) treeOf(x value.Value, left int) value.Value {
	for n := ll.Lanes(x.Type()); n > left; n /= 2 {
		x = c.FAdd(c.ShuffleOne(x, sequence(n/2, 0, 2)), c.ShuffleOne(x, sequence(n/2, 1, 2)))
	}
	return x
}

// total emits the sum of all lanes of x by repeated additions of neighbors.
func (c *code) total(x value.Value) value.Value { return c.Extract(c.treeOf(x, 1), ll.Index(0)) }

// register emits a load of the i-th group of s.lanes elements of the row, as f32. Lanes
// after the end of the row are -0, which does not change a sum.
func (s *rowSum) register(i value.Value) value.Value {
	f, e := s.f, s.src.e
	first := f.Mul(i, ll.Index(int64(s.lanes)))
	at, rest := f.addr(s.src, s.row, first), f.Sub(s.src.cols, first)
	if n, ok := ll.ConstantInt(s.src.cols); !ok || n%int64(s.lanes) != 0 {
		at = f.Choose("whole", f.ICmp(enum.IPredSGE, rest, ll.Index(int64(s.lanes))),
			func() value.Value { return at },
			func() value.Value {
				f.Store(f.Splat(ll.ConstantOf(e.f, uint64(noSum)>>(32-8*e.size)), s.lanes), s.scratch, e.size)
				f.copyBytes(s.scratch, at, f.Mul(rest, ll.Index(int64(e.size))))
				return s.scratch
			})
	}
	x := f.Load(ll.VectorOf(s.lanes, e.mem), at, e.size)
	if e.f == num.F32 {
		return x
	}
	return f.Convert(e.f, num.F32, x, num.NearestEven, false)
}

// repeats emits the sum of a row in the order scalar.ByRepeats. The row consists of
// repeats, groups of as many elements as a register has lanes. The emitted code adds
// neighboring repeats lane by lane, round by round, until one register is left. Then it
// adds the lanes of this register.
func (s *rowSum) repeats() value.Value {
	f, t := s.f, ll.VectorOf(s.lanes, ll.F32)
	at := func(i value.Value) value.Value { return f.At(t, s.sums, i) }
	load := func(i value.Value) value.Value { return f.Load(t, at(i), 4) }
	onto := func(i value.Value, x value.Value) { f.Store(f.FAdd(load(i), x), at(i), 4) }
	whole := f.Quo(s.src.cols, int64(s.lanes))
	half := f.Quo(whole, 2)
	f.Loop("pair", half, func(i value.Value) {
		first := f.Mul(i, ll.Index(2))
		f.Store(f.FAdd(s.register(first), s.register(f.Add(first, ll.Index(1)))), at(i), 4)
	})
	f.When("one", f.ICmp(enum.IPredEQ, whole, ll.Index(1)), func() { f.Store(s.register(ll.Index(0)), at(ll.Index(0)), 4) })
	odd := f.ICmp(enum.IPredEQ, f.And(whole, ll.Index(1)), ll.Index(1))
	f.When("odd", f.And(odd, f.ICmp(enum.IPredNE, whole, ll.Index(1))), func() { onto(ll.Index(0), s.register(f.Sub(whole, ll.Index(1)))) })
	f.When("rest", f.ICmp(enum.IPredSGT, s.src.cols, f.Mul(whole, ll.Index(int64(s.lanes)))), func() { onto(ll.Index(0), s.register(whole)) })
	rounds := int64(bits.Len64(uint64(s.src.info.Cols) / uint64(2*s.lanes)))
	f.Reduce("round", ll.Index(rounds), []value.Value{half}, func(_ value.Value, acc []value.Value) []value.Value {
		left := acc[0]
		next := f.Quo(left, 2)
		f.Loop("pair", next, func(i value.Value) {
			first := f.Mul(i, ll.Index(2))
			f.Store(f.FAdd(load(first), load(f.Add(first, ll.Index(1)))), at(i), 4)
		})
		several := f.ICmp(enum.IPredSGT, next, ll.Index(0))
		odd := f.ICmp(enum.IPredEQ, f.And(left, ll.Index(1)), ll.Index(1))
		f.When("odd", f.And(several, odd), func() { onto(f.Sub(next, ll.Index(1)), load(f.Sub(left, ll.Index(1)))) })
		return []value.Value{next}
	})
	return f.total(load(ll.Index(0)))
}

// eighths emits the sum of a row of n registers, with the order of additions in
// scalar.ByEighths. First it computes vectors of 8 sums. If n is at most four, each
// register yields one vector: neighboring lanes are added until 8 sums remain. If n is
// larger, each register yields one sum, and the sums of 8 consecutive registers form one
// vector. Then eighths adds neighboring vectors until one remains, and finally adds the 8
// lanes of this vector.
func (s *rowSum) eighths(n int) value.Value {
	f := s.f
	var xs []value.Value
	if n <= 4 {
		for i := range n {
			xs = append(xs, f.treeOf(s.register(ll.Index(int64(i))), 8))
		}
	} else {
		for i := 0; i < n; i += 8 {
			x := ll.Zero(ll.VectorOf(8, ll.F32))
			for k := range 8 {
				x = f.Insert(x, f.total(s.register(ll.Index(int64(i+k)))), ll.Index(int64(k)))
			}
			xs = append(xs, x)
		}
	}
	for ; len(xs) > 1; xs = xs[:len(xs)/2] {
		for i := range len(xs) / 2 {
			xs[i] = f.FAdd(xs[2*i], xs[2*i+1])
		}
	}
	return f.total(xs[0])
}

// product emits the product of the elements of a row or column, in the order q that the
// hardware uses. It first multiplies elements that are q.Lanes apart, and then multiplies
// the remaining q.Lanes products. The parameter buf is the address of a buffer for them.
// The order matters because each multiplication is rounded.
func (l *tileLine) product(q scalar.Sequence, buf value.Value) value.Value {
	f, size := l.f, l.e.size
	at := func(i value.Value) value.Value { return f.At(l.e.t, buf, i) }
	load := func(i value.Value) value.Value { return f.Load(l.e.t, at(i), size) }
	onto := func(i, x value.Value) { f.Store(f.applyTo(l.op, l.fn, l.e, load(i), x), at(i), size) }
	there := f.AtMost(l.n, ll.Index(int64(q.Lanes)))
	f.Loop("lane", there, func(i value.Value) { f.Store(l.get(i), at(i), size) })
	f.Loop("more", f.Sub(l.n, there), func(i value.Value) {
		onto(f.And(i, ll.Index(int64(q.Lanes-1))), l.get(f.Add(i, there)))
	})
	if q.Of == scalar.ByHalves {
		for half := int64(q.Lanes / 2); half > 0; half /= 2 {
			f.Loop("half", f.Sub(there, ll.Index(half)), func(i value.Value) { onto(i, load(f.Add(i, ll.Index(half)))) })
			there = f.AtMost(there, ll.Index(half))
		}
		return load(ll.Index(0))
	}
	wide := func(i value.Value) value.Value { return f.Convert(l.e.f, num.F32, load(i), num.NearestEven, false) }
	x := f.Reduce("across", f.Sub(there, ll.Index(1)), []value.Value{wide(ll.Index(0))}, func(i value.Value, acc []value.Value) []value.Value {
		return []value.Value{f.FMul(acc[0], wide(f.Add(i, ll.Index(1))))}
	})[0]
	return f.Convert(num.F32, l.e.f, x, num.NearestEven, false)
}

// twos emits a reduction of a row or column from left to right. Each step combines the
// next two elements with each other, and the result of this with the accumulated result.
// If one element is left at the end, the last step combines it with the accumulated
// result.
func (l *tileLine) twos() value.Value {
	f := l.f
	rest := f.Sub(l.n, ll.Index(1))
	acc := f.Reduce("twos", f.Quo(rest, 2), []value.Value{l.get(ll.Index(0))}, func(i value.Value, acc []value.Value) []value.Value {
		first := f.Mul(i, ll.Index(2))
		both := f.applyTo(l.op, l.fn, l.e, l.get(f.Add(first, ll.Index(1))), l.get(f.Add(first, ll.Index(2))))
		return []value.Value{f.applyTo(l.op, l.fn, l.e, acc[0], both)}
	})[0]
	return f.Choose("last", f.ICmp(enum.IPredEQ, f.And(rest, ll.Index(1)), ll.Index(1)),
		func() value.Value { return f.applyTo(l.op, l.fn, l.e, acc, l.get(rest)) },
		func() value.Value { return acc })
}

// pairs emits a reduction of a row or column in steps. Each step combines neighbors in
// the buffer buf, so that half as many elements remain. If the number of elements is odd,
// the last element has no neighbor. It is combined with the first result of the step, or
// with the last result if toLast is set. The emitted loop always runs as many steps as
// the largest possible row needs. A shorter row is reduced to one element earlier; the
// remaining steps then have no effect.
func (l *tileLine) pairs(toLast bool, buf value.Value) value.Value {
	f, size := l.f, l.e.size
	at := func(i value.Value) value.Value { return f.At(l.e.t, buf, i) }
	load := func(i value.Value) value.Value { return f.Load(l.e.t, at(i), size) }
	f.Loop("copy", l.n, func(i value.Value) { f.Store(l.get(i), at(i), size) })
	rounds := ll.Index(int64(bits.Len64(uint64(l.most))))
	f.Reduce("round", rounds, []value.Value{l.n}, func(_ value.Value, acc []value.Value) []value.Value {
		n := acc[0]
		half := f.Quo(n, 2)
		last := load(f.Sub(n, ll.Index(1)))
		f.Loop("pair", half, func(i value.Value) {
			first := f.Mul(i, ll.Index(2))
			f.Store(f.applyTo(l.op, l.fn, l.e, load(first), load(f.Add(first, ll.Index(1)))), at(i), size)
		})
		several := f.ICmp(enum.IPredSGT, half, ll.Index(0))
		odd := f.ICmp(enum.IPredEQ, f.And(n, ll.Index(1)), ll.Index(1))
		f.When("odd", f.And(several, odd), func() {
			to := value.Value(ll.Index(0))
			if toLast {
				to = f.Sub(half, ll.Index(1))
			}
			f.Store(f.applyTo(l.op, l.fn, l.e, load(to), last), at(to), size)
		})
		return []value.Value{f.Select(several, half, n)}
	})
	return load(ll.Index(0))
}

// inOrder returns a function that emits the reduction of one row or column of the tile
// src in the order q, which the target prescribes. The parameter line of the returned
// function is the index of the row or column. The result is nil if the order does not
// matter, or if elements are combined from the first to the last. In these cases the
// caller emits a simple loop.
func (l *tileLine) inOrder(q scalar.Sequence, src *tile) func(line value.Value) value.Value {
	f := l.f
	switch q.Of {
	case scalar.ByRepeats, scalar.ByChunks, scalar.ByEighths:
		s := f.newRowSum(src, q)
		return func(line value.Value) value.Value {
			return f.Convert(num.F32, l.e.f, s.sum(q, line), num.NearestEven, false)
		}
	case scalar.InTwos:
		return func(value.Value) value.Value { return l.twos() }
	case scalar.InPairsToFirst, scalar.InPairsToLast:
		buf := f.Slot(types.NewArray(uint64(l.most), l.e.t))
		return func(value.Value) value.Value { return l.pairs(q.Of == scalar.InPairsToLast, buf) }
	case scalar.ByBlocks, scalar.ByHalves:
		buf := f.Slot(types.NewArray(uint64(q.Lanes), l.e.t))
		return func(value.Value) value.Value { return l.product(q, buf) }
	}
	return nil
}
