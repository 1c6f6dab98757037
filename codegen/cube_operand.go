package codegen

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Matrices of the cube unit lie in fractals of 16 rows, column of fractals
// after column of fractals. A row of a fractal of operands is 32 bytes long, one
// of the accumulator holds 16 elements.
const (
	fractalRows  = 16
	fractalBytes = fractalRows * blockBytes
	accCols      = 16
)

// The largest values of fields of instructions.
const (
	maxField     = 1<<16 - 1
	maxWideField = 1<<21 - 1
	maxExtent    = 1<<12 - 1
)

// cubeArg is a pointer operand of an instruction of the cube unit.
type cubeArg struct {
	e     element
	space sem.Space
	p     value.Value
}

// cubeArg returns a pointer operand. Elements of 4 bits share a byte: what
// reads and writes them one by one must see to that.
func (f *function) cubeArg(op *ir.Op, name string) (cubeArg, bool) {
	v := op.Arg(name)
	t := ir.ElementType(v.Type())
	e, ok := elementOfType(t)
	if format, known := ir.FormatOf(t); known && format.Bits() == 4 {
		e, ok = element{f: format, t: elementType(format), mem: i8, size: 1}, true
	}
	if !ok || !pto.AnyPtr.Check(v.Type(), nil) {
		f.errorf(op, "works on %s, which cannot be written as LLVM IR yet", v.Type())
		return cubeArg{}, false
	}
	return cubeArg{e, pto.SpaceOf(v.Type()), f.val(v)}, true
}

// cubeArgs returns source and destination of a copy.
func (f *function) cubeArgs(op *ir.Op) (src, dst cubeArg, ok bool) {
	if src, ok = f.cubeArg(op, "source"); ok {
		dst, ok = f.cubeArg(op, "destination")
	}
	return src, dst, ok
}

// blockElems is how many elements a block of 32 bytes holds.
func (e element) blockElems() int64 { return int64(blockBytes * 8 / e.f.Bits()) }

// halfBytes reports whether two elements share a byte.
func (e element) halfBytes() bool { return e.f.Bits() == 4 }

// fields returns operands that count and must fit fields.
func (f *function) fields(op *ir.Op, largest int64, names ...string) []value.Value {
	out := make([]value.Value, len(names))
	for i, name := range names {
		out[i] = f.countArg(op, name)
		f.atMostOrTrap(out[i], largest)
	}
	return out
}

// alignedOrTrap stops the program if an address is no multiple of n.
func (c *code) alignedOrTrap(a cubeArg, n int64) {
	at := c.addressOf(a.space, a.p)
	c.trapIf(c.icmp(enum.IPredNE, c.and(at, index(n-1)), index(0)))
}

// insideOrTrap stops the program if n bytes from p on are not all in a memory
// of so many bytes: instructions that copy operands into a workspace must not
// go beyond it.
func (c *code) insideOrTrap(start, p, n value.Value, size int64) {
	at, all := c.distance(p, start), index(size)
	c.trapIf(c.or(c.icmp(enum.IPredUGT, n, all), c.icmp(enum.IPredUGT, at, c.sub(all, n)))) // at+n is small where p is before start
}

// fractals describes a matrix of rows x cols elements in fractals as a tile.
func (c *code) fractals(e element, cols int64, p, rows, width value.Value) *tile {
	return &tile{
		e: e, info: pto.TileInfo{BLayout: pto.ColMajor}, base: p, rows: rows, cols: width,
		pitch: c.roundUpTo(rows, fractalRows), box: box{rows: fractalRows, cols: cols},
	}
}

// turned is the transpose of a matrix in fractals.
func (t *tile) turned() *tile {
	u := *t
	u.rows, u.cols = t.cols, t.rows
	u.box = box{rows: t.box.cols, cols: t.box.rows, byCols: true}
	u.info.BLayout = pto.ColMajor
	if t.byCols() {
		u.info.BLayout = pto.RowMajor
	}
	return &u
}

// loadOperand writes a load of an operand.
func (f *function) loadOperand(op *ir.Op) {
	src, dst, ok := f.cubeArgs(op)
	if !ok {
		return
	}
	f.alignedOrTrap(src, blockBytes)
	f.alignedOrTrap(dst, blockBytes)
	turn := value.Value(integer(i1, 0))
	if flag := op.Arg("transpose"); flag != nil {
		x := f.val(flag)
		turn = f.icmp(enum.IPredNE, x, f.int(x, 0))
	} else if on, _ := op.Attr("transpose").AsBool(); on {
		turn = integer(i1, 1)
	}
	args := func(turned bool) []value.Value {
		at := []value.Value{dst.p, src.p}
		if op.Arg("m_start") != nil {
			return append(at, f.fields(op, maxField, "m_start", "k_start", "m_step", "k_step", "src_stride", "dst_stride")...)
		}
		return append(at, f.shapeControls(op, src.e, dst.space, turned)...)
	}
	f.eitherWay("transpose", turn,
		func() { f.call(f.turnFractals(src.e), args(true)...) },
		func() { f.call(f.copyFractals(fractalBytes), args(false)...) })
}

// shapeControls derives what a load copies from the shape of a matrix: first
// row and column, rows and columns, and the strides of both sides, in
// fractals. In L1 lies the matrix itself for L0A, and for L0B with a
// transposition; else the other one.
func (f *function) shapeControls(op *ir.Op, e element, to sem.Space, turned bool) []value.Value {
	names := []string{"m", "k", "start_row", "start_col"}
	if to == sem.L0B {
		names[0] = "n"
	}
	n := f.fields(op, maxField, names...)
	unit := e.blockElems()
	rows, cols := n[0], n[1] // of the destination
	f.multipleOrTrap(n[2], fractalRows)
	f.multipleOrTrap(n[3], unit)
	row, col := f.quo(n[2], fractalRows), f.quo(n[3], unit)
	if !turned {
		high := f.ceilQuo(rows, fractalRows)
		return []value.Value{row, col, high, f.ceilQuo(cols, unit), high, high}
	}
	// Whole squares are transposed.
	square := max(unit, fractalRows)
	rows, cols = f.roundUpTo(rows, square), f.roundUpTo(cols, square)
	high := f.quo(cols, fractalRows)
	return []value.Value{row, col, high, f.quo(rows, unit), high, f.quo(rows, fractalRows)}
}

// controlTypes are the parameters of what copies fractals: destination and
// source, first row and column, rows and columns, and the strides of source
// and destination, from column to column.
var controlTypes = []types.Type{ptr, ptr, i64, i64, i64, i64, i64, i64}

// copyFractals is the routine that copies fractals of so many bytes as they
// are.
func (c *code) copyFractals(bytes int64) *llir.Func {
	name := fmt.Sprintf("copy_fractals.%d", bytes)
	return c.private(name, void, controlTypes, func(c *code, a []value.Value) value.Value {
		dst, src, row, col, rows, cols, from, to := a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]
		size := c.mul(rows, index(bytes))
		c.loop("col", cols, func(j value.Value) {
			s := c.add(c.mul(c.add(col, j), from), row)
			d := c.mul(j, to)
			c.copyBytes(c.offset(dst, c.mul(d, index(bytes))), c.offset(src, c.mul(s, index(bytes))), size)
		})
		return nil
	})
}

// turnFractals is the routine that copies fractals so that rows become
// columns.
func (c *code) turnFractals(e element) *llir.Func {
	unit := e.blockElems()
	name := "turn_fractals." + bitsName(e)
	return c.private(name, void, controlTypes, func(c *code, a []value.Value) value.Value {
		dst, src, row, col, rows, cols, from, to := a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]
		src = c.offset(src, c.mul(c.add(c.mul(col, from), row), index(fractalBytes)))
		c.loop("row", c.mul(rows, index(fractalRows)), func(i value.Value) {
			c.loop("cols", cols, func(b value.Value) {
				s := c.mul(c.add(c.mul(b, c.mul(from, index(fractalRows))), i), index(unit))
				d := c.add(c.mul(c.mul(c.quo(i, unit), c.mul(to, index(fractalRows))), index(unit)), c.rest(i, unit))
				c.loop("col", index(unit), func(k value.Value) {
					j := c.add(c.mul(b, index(unit)), k)
					c.moveElement(e, dst, c.add(d, c.mul(j, index(unit))), src, c.add(s, k))
				})
			})
		})
		return nil
	})
}

// bitsName names routines that are the same for all elements of a width.
func bitsName(e element) string { return intType(e.f.Bits()).String() }

// moveElement copies element number s of a memory to place d of another.
func (c *code) moveElement(e element, dst, d, src, s value.Value) {
	if e.halfBytes() {
		c.setNibble(dst, d, c.nibble(src, s))
		return
	}
	t := intType(8 * e.size)
	c.store(c.load(t, c.at(t, src, s), e.size), c.at(t, dst, d), e.size)
}

// nibble is element number i of 4 bits, as i8: the first of a byte is the low
// half.
func (c *code) nibble(p, i value.Value) value.Value {
	x := c.load(i8, c.offset(p, c.quo(i, 2)), 1)
	shift := c.trunc(c.mul(c.rest(i, 2), index(4)), i8)
	return c.and(c.lshr(x, shift), integer(i8, 15))
}

// setNibble writes the low half of an i8 to element number i of 4 bits.
func (c *code) setNibble(p, i, x value.Value) {
	at := c.offset(p, c.quo(i, 2))
	shift := c.trunc(c.mul(c.rest(i, 2), index(4)), i8)
	keep := c.and(c.load(i8, at, 1), c.not(c.shl(integer(i8, 15), shift)))
	c.store(c.or(keep, c.shl(c.and(x, integer(i8, 15)), shift)), at, 1)
}
