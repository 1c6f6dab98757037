// This file emits loads of MX scales.

package llvm

import (
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

const (
	// Operands in an MX format (microscaling) have one scale, a power of two, for each
	// group of 32 elements along k. The scales are in a separate memory. Their address is
	// the address of the operand divided by 16 (shifted by scaleShift bits). The scales
	// are stored in fractals of scaleFractal bytes: 16 rows with the scales of 2 groups
	// each. The fractals of a band of 16 rows are adjacent.
	scaleShift   = 4
	scaleFractal = 32
)

// scaleElement is the element type of scale memories.
var scaleElement = element{f: num.F8E8M0, t: ll.I8, mem: ll.I8, size: 1}

// scaleAddress emits the address of the MX scales (one factor per 32 elements) that
// belong to the operand at address p of memory space s.
func (c *code) scaleAddress(s sem.Space, p value.Value) value.Value {
	return c.offset(c.scaleMemory(s), c.LShr(c.addressOf(s, p), ll.Index(scaleShift)))
}

// scaleMemory returns the address of the memory that holds the MX scales (one factor per
// 32 elements) of the operands in buffer s, which is L0A or L0B.
func (m *module) scaleMemory(s sem.Space) value.Value {
	return m.memory("scales."+s.String(), int64(s.Size(m.opts.Target))>>scaleShift)
}

// scalesOf returns a tile that describes the MX scales of the operand at address p of
// memory space s. The tile has the given number of rows, and one scale for each of the
// groups of 32 elements in a row.
func (c *code) scalesOf(s sem.Space, p, rows, groups value.Value) *tile {
	return &tile{
		e: scaleElement, base: c.scaleAddress(s, p), rows: rows, cols: groups,
		pitch: c.RoundUpTo(groups, 2), box: box{rows: fractalRows, cols: 2},
	}
}

// loadScales emits a copy of MX scales from L1 to the memory for the scales of a cube
// operand. Each scale is the common factor of 32 operand elements.
func (f *function) loadScales(op *ir.Op, _ sem.LoadScales) {
	o := sem.ScaleLoadOf(op)
	src, dst, ok := f.cubeArgs(op, o.Source, o.Destination)
	if !ok {
		return
	}
	f.alignedOrTrap(src, scaleFractal)
	f.Call(f.copyFractals(scaleFractal), append([]value.Value{f.scaleAddress(dst.space, dst.p), src.p}, f.scaleControls(o)...)...)
}

// scaleControls returns the arguments for the helper function copyFractals when it loads
// MX scales: the first row and column, the numbers of rows and columns, and the strides.
// They are counted in fractals of scales. A row of scales has the memory layout of a
// column of operand elements, so rows and columns are exchanged.
func (f *function) scaleControls(o *sem.OperandLoad) []value.Value {
	if !o.Shaped {
		return f.fields(maxField, o.Controls[:]...)
	}
	n := f.fields(maxField, o.Shape[:]...)
	pairs := f.CeilQuo(n[1], 2*scaleGroup)
	return []value.Value{n[3], n[2], pairs, f.CeilQuo(n[0], fractalRows), pairs, pairs}
}
