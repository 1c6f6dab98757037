// This file emits loads of the operand buffers, and describes fractals.

package llvm

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

const (
	// Matrices of the cube unit are stored as fractals, which are blocks of 16 rows. The
	// fractals of a column of fractals are adjacent. A row of an operand fractal is 32
	// bytes long; a row of an accumulator fractal has 16 elements.
	fractalRows  = 16
	fractalBytes = fractalRows * blockBytes
	accCols      = 16
)

const (
	// These are the largest values of 16-bit and 21-bit instruction fields, and the
	// largest extent of a product.
	maxField     = 1<<16 - 1
	maxWideField = 1<<21 - 1
	maxExtent    = 1<<12 - 1
)

// cubeArg is a pointer operand of an instruction of the cube unit: its element type, its
// memory space and its address.
type cubeArg struct {
	e     element
	space sem.Space
	p     value.Value
}

// cubeArg returns the element type, the memory space and the LLVM address of the pointer
// operand o of op. The result ok is false after an error. For 4-bit elements, the
// returned element size is 1 byte, although two elements share a byte. Code that accesses
// single elements must handle this case.
func (f *function) cubeArg(op *ir.Op, o sem.Operand) (cubeArg, bool) {
	v := o.Value
	t := ir.ElementType(v.Type())
	e, ok := elementOfType(t)
	if format, known := ir.FormatOf(t); known && format.Bits() == 4 {
		e, ok = element{f: format, t: ll.ElementType(format), mem: ll.I8, size: 1}, true
	}
	if !ok || !pto.AnyPtr.Check(v.Type(), nil) {
		f.errorf(op, "has an operand or result of type %s, which the LLVM IR emitter does not support yet", v.Type())
		return cubeArg{}, false
	}
	return cubeArg{e, pto.SpaceOf(v.Type()), f.val(v)}, true
}

// cubeArgs returns the source and the destination operand of a copy. The parameter from
// describes the source operand, and the parameter to describes the destination operand.
// The result ok is false after an error.
func (f *function) cubeArgs(op *ir.Op, from, to sem.Operand) (src, dst cubeArg, ok bool) {
	if src, ok = f.cubeArg(op, from); ok {
		dst, ok = f.cubeArg(op, to)
	}
	return src, dst, ok
}

// blockElems returns the number of elements in a block of 32 bytes, the unit of local
// memory.
func (e element) blockElems() int64 { return int64(blockBytes * 8 / e.f.Bits()) }

// halfBytes reports whether an element has 4 bits, so that two elements share a byte.
func (e element) halfBytes() bool { return e.f.Bits() == 4 }

// fields returns the values of operands that the hardware encodes in instruction fields.
// It emits a trap for values above largest.
func (f *function) fields(largest int64, operands ...sem.Operand) []value.Value {
	out := make([]value.Value, len(operands))
	for i, o := range operands {
		out[i] = f.number(o)
		f.AtMostOrTrap(out[i], largest)
	}
	return out
}

// alignedOrTrap emits a test of the address of the operand a at run time. The emitted
// code traps if the address is not a multiple of n bytes. The parameter n is a power of
// two.
func (c *code) alignedOrTrap(a cubeArg, n int64) {
	at := c.addressOf(a.space, a.p)
	c.TrapIf(c.ICmp(enum.IPredNE, c.And(at, ll.Index(n-1)), ll.Index(0)))
}

// insideOrTrap emits a check of an access to a memory: it traps unless the n bytes at
// address p are inside the memory. The parameter start is the address at which the memory
// begins, and size is its size in bytes. Instructions that copy operands into a workspace
// (scratch memory) need this check, because they must not write past the end of the
// workspace.
func (c *code) insideOrTrap(start, p, n value.Value, size int64) {
	at, all := c.distance(p, start), ll.Index(size)
	c.TrapIf(c.Or(c.ICmp(enum.IPredUGT, n, all), c.ICmp(enum.IPredUGT, at, c.Sub(all, n)))) // at+n is small where p is before start
}

// fractals returns a tile that describes a matrix of rows x width elements, so that code
// for tiles can access the matrix. The matrix is stored in fractals (blocks of 16 rows)
// at address p, and cols is the number of columns of a fractal.
func (c *code) fractals(e element, cols int64, p, rows, width value.Value) *tile {
	return &tile{
		e: e, info: pto.TileInfo{BLayout: pto.ColMajor}, base: p, rows: rows, cols: width,
		pitch: c.RoundUpTo(rows, fractalRows), box: box{rows: fractalRows, cols: cols},
	}
}

// transposed returns a description of the transposed matrix: rows and columns are
// exchanged, and the memory is the same.
func (t *tile) transposed() *tile {
	u := *t
	u.rows, u.cols = t.cols, t.rows
	u.box = box{rows: t.box.cols, cols: t.box.rows, byCols: true}
	u.info.BLayout = pto.ColMajor
	if t.byCols() {
		u.info.BLayout = pto.RowMajor
	}
	return &u
}

// loadOperand emits a load of an operand buffer (L0A or L0B) from L1.
func (f *function) loadOperand(op *ir.Op, _ sem.LoadOperand) {
	o := sem.OperandLoadOf(op)
	src, dst, ok := f.cubeArgs(op, o.Source, o.Destination)
	if !ok {
		return
	}
	f.alignedOrTrap(src, blockBytes)
	f.alignedOrTrap(dst, blockBytes)
	transposed := value.Value(ll.Integer(ll.I1, 0))
	if o.Transpose.Given() {
		x := f.val(o.Transpose.Value)
		transposed = f.ICmp(enum.IPredNE, x, f.Int(x, 0))
	} else if o.Transposed {
		transposed = ll.Integer(ll.I1, 1)
	}
	args := func(transposed bool) []value.Value {
		at := []value.Value{dst.p, src.p}
		if !o.Shaped {
			return append(at, f.fields(maxField, o.Controls[:]...)...)
		}
		return append(at, f.shapeControls(o, src.e, transposed)...)
	}
	f.WhenElse("transpose", transposed,
		func() { f.Call(f.transposeFractals(src.e), args(true)...) },
		func() { f.Call(f.copyFractals(fractalBytes), args(false)...) })
}

// shapeControls emits the parameters of an operand load, computed from the shape of the
// matrix. The results are the first row and column, the numbers of rows and columns, and
// the strides of source and destination, all in fractals. The parameter transposed means
// that the load transposes fractals. For a load of L0B without transposition, L1 must
// contain the transpose of the matrix; for all other loads, L1 contains the matrix
// itself.
func (f *function) shapeControls(o *sem.OperandLoad, e element, transposed bool) []value.Value {
	n := f.fields(maxField, o.Shape[:]...)
	unit := e.blockElems()
	rows, cols := n[0], n[1] // of the destination
	f.MultipleOrTrap(n[2], fractalRows)
	f.MultipleOrTrap(n[3], unit)
	row, col := f.Quo(n[2], fractalRows), f.Quo(n[3], unit)
	if !transposed {
		high := f.CeilQuo(rows, fractalRows)
		return []value.Value{row, col, high, f.CeilQuo(cols, unit), high, high}
	}
	// Whole squares are transposed.
	square := max(unit, fractalRows)
	rows, cols = f.RoundUpTo(rows, square), f.RoundUpTo(cols, square)
	high := f.Quo(cols, fractalRows)
	return []value.Value{row, col, high, f.Quo(rows, unit), high, f.Quo(rows, fractalRows)}
}

// controlTypes are the parameter types of the helper functions that copy fractals. The
// parameters are, in order: destination address, source address, first row, first column,
// number of rows, number of columns, and the strides of the source and of the
// destination. A stride is the distance between two columns of fractals.
var controlTypes = []types.Type{ll.Ptr, ll.Ptr, ll.I64, ll.I64, ll.I64, ll.I64, ll.I64, ll.I64}

// copyFractals returns the helper function that copies fractals of the given size in
// bytes without changing them.
func (c *code) copyFractals(bytes int64) *llir.Func {
	name := fmt.Sprintf("copy_fractals.%d", bytes)
	return c.private(name, ll.Void, controlTypes, func(c *code, a []value.Value) value.Value {
		dst, src, row, col, rows, cols, from, to := a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]
		size := c.Mul(rows, ll.Index(bytes))
		c.Loop("col", cols, func(j value.Value) {
			s := c.Add(c.Mul(c.Add(col, j), from), row)
			d := c.Mul(j, to)
			c.copyBytes(c.offset(dst, c.Mul(d, ll.Index(bytes))), c.offset(src, c.Mul(s, ll.Index(bytes))), size)
		})
		return nil
	})
}

// transposeFractals returns the helper function that copies fractals and transposes each
// of them.
func (c *code) transposeFractals(e element) *llir.Func {
	unit := e.blockElems()
	name := "turn_fractals." + bitsName(e)
	return c.private(name, ll.Void, controlTypes, func(c *code, a []value.Value) value.Value {
		dst, src, row, col, rows, cols, from, to := a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]
		src = c.offset(src, c.Mul(c.Add(c.Mul(col, from), row), ll.Index(fractalBytes)))
		c.Loop("row", c.Mul(rows, ll.Index(fractalRows)), func(i value.Value) {
			c.Loop("cols", cols, func(b value.Value) {
				s := c.Mul(c.Add(c.Mul(b, c.Mul(from, ll.Index(fractalRows))), i), ll.Index(unit))
				d := c.Add(c.Mul(c.Mul(c.Quo(i, unit), c.Mul(to, ll.Index(fractalRows))), ll.Index(unit)), c.Rem(i, unit))
				c.Loop("col", ll.Index(unit), func(k value.Value) {
					j := c.Add(c.Mul(b, ll.Index(unit)), k)
					c.moveElement(e, dst, c.Add(d, c.Mul(j, ll.Index(unit))), src, c.Add(s, k))
				})
			})
		})
		return nil
	})
}

// bitsName returns a name suffix such as i16 for helper functions that depend only on the
// width of the element type.
func bitsName(e element) string { return ll.IntType(e.f.Bits()).String() }

// moveElement emits a copy of the element with index s at address src to the element with
// index d at address dst.
func (c *code) moveElement(e element, dst, d, src, s value.Value) {
	if e.halfBytes() {
		c.setNibble(dst, d, c.nibble(src, s))
		return
	}
	t := ll.IntType(8 * e.size)
	c.Store(c.Load(t, c.At(t, src, s), e.size), c.At(t, dst, d), e.size)
}

// nibble emits a load of the 4-bit element with index i at address p, as i8. The element
// with the even index is in the lower half of its byte.
func (c *code) nibble(p, i value.Value) value.Value {
	x := c.Load(ll.I8, c.offset(p, c.Quo(i, 2)), 1)
	shift := c.Trunc(c.Mul(c.Rem(i, 2), ll.Index(4)), ll.I8)
	return c.And(c.LShr(x, shift), ll.Integer(ll.I8, 15))
}

// setNibble emits a store of the lower half of the i8 x to the 4-bit element with index i
// at address p.
func (c *code) setNibble(p, i, x value.Value) {
	at := c.offset(p, c.Quo(i, 2))
	shift := c.Trunc(c.Mul(c.Rem(i, 2), ll.Index(4)), ll.I8)
	keep := c.And(c.Load(ll.I8, at, 1), c.Not(c.Shl(ll.Integer(ll.I8, 15), shift)))
	c.Store(c.Or(keep, c.Shl(c.And(x, ll.Integer(ll.I8, 15)), shift)), at, 1)
}
