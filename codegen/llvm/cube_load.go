// This file emits copies into L1 in fractals, copies of parameters, and fills.

package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// loadFractals emits a copy of matrices from global memory to L1 that changes their
// layout to fractals (blocks of 16 rows of 32 bytes).
func (f *function) loadFractals(op *ir.Op, _ sem.LoadFractals) {
	o := sem.FractalLoadOf(op)
	src, dst, ok := f.cubeArgs(op, o.Source, o.Destination)
	if !ok {
		return
	}
	f.alignedOrTrap(dst, blockBytes)
	n := f.fields(maxField, o.N)[0]
	d := f.fields(maxWideField, o.D)[0]
	var groups []value.Value // the number of matrices and the three strides of the destination, in blocks
	inner, outer := f.number(o.Inner), f.number(o.Outer)
	if o.Registers {
		word := f.regValue(sem.RegFractals, 0)
		for _, field := range sem.FractalFields {
			groups = append(groups, f.And(f.LShr(word, ll.Index(int64(field.From))), ll.Index(int64(field.Most()))))
		}
	} else {
		for _, g := range o.Groups {
			groups = append(groups, f.number(g))
		}
	}
	small := f.val(o.Small.Value)
	small = f.ICmp(enum.IPredNE, small, f.Int(small, 0))
	f.TrapIf(f.And(small, f.ICmp(enum.IPredUGT, d, ll.Index(sem.SmallUnit))))
	routine := f.fractalRoutine(src.e, o.Transposed)
	f.Loop("matrix", groups[0], func(g value.Value) {
		from := f.offset(src.p, f.Mul(g, outer))
		to := f.offset(dst.p, f.Mul(g, f.Mul(groups[3], ll.Index(blockBytes))))
		f.Call(routine, to, from, n, d, inner, f.Mul(groups[1], ll.Index(blockBytes)), f.Mul(groups[2], ll.Index(blockBytes)), small)
	})
}

// fractalCopy emits the copy of one matrix of n rows with d elements, or of d rows with n
// elements if transposed is set. All strides are in bytes.
type fractalCopy struct {
	c          *code
	e          element
	transposed bool
	// dst and src are the addresses of the fractals and of the source matrix.
	dst, src value.Value
	// n and d are the extents of the matrix in elements.
	n, d value.Value
	// inner is the distance in bytes between consecutive rows of the source.
	inner value.Value
}

// fractalRoutine returns the helper function that copies one matrix of n x d elements to
// fractals; transposed means that memory contains the transposed matrix. Its parameters
// are: the destination and source addresses, n, d, the distance between rows of the
// source, the distances between 32-byte blocks of the destination along n and along d,
// and an i1. The distances are in bytes. If the i1 is set, every row of the matrix
// occupies 4 elements of the destination.
func (c *code) fractalRoutine(e element, transposed bool) *llir.Func {
	name := "nd2nz."
	if transposed {
		name = "dn2nz."
	}
	params := []types.Type{ll.Ptr, ll.Ptr, ll.I64, ll.I64, ll.I64, ll.I64, ll.I64, ll.I1}
	return c.private(name+ll.IntType(8*e.size).String(), ll.Void, params, func(c *code, p []value.Value) value.Value {
		l := &fractalCopy{c: c, e: e, transposed: transposed, dst: p[0], src: p[1], n: p[2], d: p[3], inner: p[4]}
		c.WhenElse("small", p[7], l.small, func() { l.matrix(p[5], p[6]) })
		return nil
	})
}

// matrix emits the copy of an n x d matrix in blocks of 32 bytes. Each block contains
// adjacent elements of one row. In the destination, the parameter down is the distance in
// bytes between blocks of adjacent rows, and right is the distance between adjacent
// blocks of a row.
func (l *fractalCopy) matrix(down, right value.Value) {
	unit := int64(blockBytes / l.e.size)
	block := ll.VectorOf(blockBytes, ll.I8)
	l.c.Loop("blocks", l.c.CeilQuo(l.d, unit), func(b value.Value) {
		j := l.c.Mul(b, ll.Index(unit))
		count := l.c.MinInt(l.c.Sub(l.d, j), ll.Index(unit))
		whole := l.c.ICmp(enum.IPredEQ, count, ll.Index(unit))
		to := l.c.offset(l.dst, l.c.Mul(b, right))
		each := func(name string, count value.Value, fill bool) func() {
			return func() {
				l.c.Loop(name, l.n, func(i value.Value) {
					at := l.c.offset(to, l.c.Mul(i, down))
					if fill {
						l.c.Store(ll.Zero(block), at, 1)
					}
					l.gather(at, i, j, count)
				})
			}
		}
		l.c.WhenElse("whole", whole, each("row", ll.Index(unit), false), each("last", count, true))
	})
}

// small emits the copy of a matrix in which each row occupies 4 elements of the
// destination, without gaps between rows. The rest of the last block of 32 bytes is
// filled with zeros.
func (l *fractalCopy) small() {
	size := ll.Index(int64(sem.SmallUnit * l.e.size))
	l.c.fillMemory(l.dst, 0, l.c.RoundUpTo(l.c.Mul(l.n, size), blockBytes))
	l.c.Loop("unit", l.n, func(i value.Value) {
		l.gather(l.c.offset(l.dst, l.c.Mul(i, size)), i, ll.Index(0), l.d)
	})
}

// gather emits the copy of count elements to the destination address in the parameter to.
// The source elements are those of row i of the n x d matrix, from column j on. In the
// memory of a transposed source, these elements are not adjacent.
func (l *fractalCopy) gather(to, i, j, count value.Value) {
	size := int64(l.e.size)
	if !l.transposed {
		l.c.copyBytes(to, l.c.offset(l.src, l.c.Add(l.c.Mul(i, l.inner), l.c.Mul(j, ll.Index(size)))), l.c.Mul(count, ll.Index(size)))
		return
	}
	from := l.c.offset(l.src, l.c.Mul(i, ll.Index(size)))
	t := ll.IntType(8 * l.e.size)
	l.c.Loop("element", count, func(k value.Value) {
		x := l.c.Load(t, l.c.offset(from, l.c.Mul(l.c.Add(j, k), l.inner)), l.e.size)
		l.c.Store(x, l.c.At(t, to, k), l.e.size)
	})
}

// fillMemory emits a memset: it sets n bytes at address p to a constant byte, the second
// argument.
func (c *code) fillMemory(p value.Value, to int64, n value.Value) {
	fn := c.Intrinsic("llvm.memset.p0.i64", ll.Void, ll.Ptr, ll.I8, ll.I64, ll.I1)
	c.Call(fn, p, ll.Integer(ll.I8, to), n, ll.Integer(ll.I1, 0))
}

// loadParams emits a copy of biases or quantization factors from L1 to the bias table or
// the fixpipe buffer.
func (f *function) loadParams(op *ir.Op, _ sem.LoadParams) {
	o := sem.ParamLoadOf(op, f.opts.Target)
	src, dst, ok := f.cubeArgs(op, o.Source, o.Destination)
	if !ok {
		return
	}
	unit := o.Unit
	widens := dst.space == sem.BT && src.e.f.Bits() == 16 && dst.e.f.Bits() == 32
	wider := int64(1)
	if widens {
		wider = 2
	}
	n := f.Mul(f.fields(maxField, o.Length)[0], ll.Index(unit))
	gap := func(o sem.Operand) value.Value { return f.Add(n, f.Mul(f.number(o), ll.Index(unit))) }
	from, to := gap(o.SourceGap), f.Mul(gap(o.DestGap), ll.Index(wider))
	f.Loop("burst", f.number(o.Count), func(i value.Value) {
		s, d := f.offset(src.p, f.Mul(i, from)), f.offset(dst.p, f.Mul(i, to))
		if !widens {
			f.copyBytes(d, s, n)
			return
		}
		f.Loop("bias", f.Quo(n, 2), func(k value.Value) {
			x := f.Decode(src.e.f, f.Load(src.e.mem, f.At(src.e.mem, s, k), src.e.size))
			f.Store(x, f.At(ll.F32, d, k), 4)
		})
	})
}

// fillWords emits an instruction that fills a range of L1 with a constant.
func (f *function) fillWords(op *ir.Op, _ sem.FillWords) {
	o := sem.FillOf(op)
	dst, ok := f.cubeArg(op, o.Dst)
	if !ok {
		return
	}
	dst.p = f.offset(dst.p, f.number(o.Offset))
	f.alignedOrTrap(dst, blockBytes)
	n := f.fields(sem.MaxFill, o.Repeat, o.Blocks, o.Gap)
	word := f.Resize(f.val(o.Word.Value), ll.I32, false)
	if o.Half {
		low := f.And(word, ll.Integer(ll.I32, maxField))
		word = f.Or(f.Shl(low, ll.Integer(ll.I32, 16)), low)
	}
	block := f.Splat(word, blockBytes/4)
	f.Loop("repeat", n[0], func(i value.Value) {
		at := f.offset(dst.p, f.Mul(f.Mul(i, f.Add(n[1], n[2])), ll.Index(blockBytes)))
		f.Loop("block", n[1], func(k value.Value) {
			f.Store(block, f.offset(at, f.Mul(k, ll.Index(blockBytes))), 4)
		})
	})
}
