package codegen

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// The scales of an operand lie in a memory beside it, at a sixteenth of its
// address: in fractals of 32 bytes, 16 rows of 2 groups along k. The fractals
// of a band of 16 rows follow each other.
const (
	scaleShift   = 4
	scaleFractal = 32
)

// scaleElement is an element of such a memory.
var scaleElement = element{f: num.F8E8M0, t: i8, mem: i8, size: 1}

// scaleAddress is where the scales lie that belong to an operand at p.
func (c *code) scaleAddress(s pto.Space, p value.Value) value.Value {
	return c.offset(c.scaleMemory(s), c.lshr(c.addressOf(s, p), index(scaleShift)))
}

// scaleMemory is the memory of the scales of a space.
func (m *module) scaleMemory(s pto.Space) value.Value {
	return m.memory("scales."+s.String(), int64(s.Size(m.opts.Target))>>scaleShift)
}

// scalesOf describes the scales of the operand at p.
func (c *code) scalesOf(s pto.Space, p, rows, groups value.Value) *tile {
	return &tile{
		e: scaleElement, base: c.scaleAddress(s, p), rows: rows, cols: groups,
		pitch: c.roundUpTo(groups, 2), box: box{rows: fractalRows, cols: 2},
	}
}

// loadScales writes a load of the scales of an operand.
func (f *function) loadScales(op *ir.Op) {
	src, dst, ok := f.cubeArgs(op)
	if !ok {
		return
	}
	f.alignedOrTrap(src, scaleFractal)
	f.call(f.copyScales(), append([]value.Value{f.scaleAddress(dst.space, dst.p), src.p}, f.scaleControls(op, dst.space)...)...)
}

// scaleControls are what a load copies, in fractals of scales: first row and
// column, rows and columns, and the strides of both sides.
func (f *function) scaleControls(op *ir.Op, to pto.Space) []value.Value {
	if op.Arg("x_start") != nil {
		return f.fields(op, maxField, "x_start", "y_start", "x_step", "y_step", "src_stride", "dst_stride")
	}
	names := []string{"m", "k", "start_row", "start_col"}
	if to == pto.L0B {
		names[0] = "n"
	}
	n := f.fields(op, maxField, names...)
	pairs := f.ceilQuo(n[1], 2*scaleGroup)
	return []value.Value{n[2], n[3], f.ceilQuo(n[0], fractalRows), pairs, pairs, pairs}
}

// copyScales is the routine that copies fractals of scales, whose parameters
// are those of copyFractals.
func (c *code) copyScales() *llir.Func {
	return c.private("copy_scales", void, controlTypes, func(c *code, a []value.Value) value.Value {
		dst, src, row, col, rows, cols, from, to := a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]
		size := c.mul(cols, index(scaleFractal))
		c.loop("row", rows, func(i value.Value) {
			s := c.add(c.mul(c.add(row, i), from), col)
			d := c.mul(i, to)
			c.copyBytes(c.offset(dst, c.mul(d, index(scaleFractal))), c.offset(src, c.mul(s, index(scaleFractal))), size)
		})
		return nil
	})
}
