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
	// The scales of an MX operand are in a separate memory, at a sixteenth of the
	// operand's address. They are stored in fractals of 32 bytes: 16 rows with 2 groups
	// along k. The fractals of a band of 16 rows are adjacent.
	scaleShift   = 4
	scaleFractal = 32
)

// scaleElement is the element type of scale memories.
var scaleElement = element{f: num.F8E8M0, t: ll.I8, mem: ll.I8, size: 1}

// scaleAddress emits the address of the MX scales that belong to the operand at address p
// of memory space s.
func (c *code) scaleAddress(s sem.Space, p value.Value) value.Value {
	return c.offset(c.scaleMemory(s), c.LShr(c.addressOf(s, p), ll.Index(scaleShift)))
}

// scaleMemory returns the memory that holds the MX scales for the operand buffer s.
func (m *module) scaleMemory(s sem.Space) value.Value {
	return m.memory("scales."+s.String(), int64(s.Size(m.opts.Target))>>scaleShift)
}

// scalesOf describes the MX scales of the operand at address p of memory space s as a
// tile of rows x groups scales.
func (c *code) scalesOf(s sem.Space, p, rows, groups value.Value) *tile {
	return &tile{
		e: scaleElement, base: c.scaleAddress(s, p), rows: rows, cols: groups,
		pitch: c.RoundUpTo(groups, 2), box: box{rows: fractalRows, cols: 2},
	}
}

// loadScales emits a load of the MX scales of a cube operand from L1.
func (f *function) loadScales(op *ir.Op, _ sem.LoadScales) {
	o := sem.ScaleLoadOf(op)
	src, dst, ok := f.cubeArgs(op, o.Source, o.Destination)
	if !ok {
		return
	}
	f.alignedOrTrap(src, scaleFractal)
	f.Call(f.copyFractals(scaleFractal), append([]value.Value{f.scaleAddress(dst.space, dst.p), src.p}, f.scaleControls(o)...)...)
}

// scaleControls returns the arguments for the helper function copyFractals that loads MX
// scales, counted in fractals of scales. A row of scales has the memory layout of a
// column of operand elements, so rows and columns are exchanged.
func (f *function) scaleControls(o *sem.OperandLoad) []value.Value {
	if !o.Shaped {
		return f.fields(maxField, o.Controls[:]...)
	}
	n := f.fields(maxField, o.Shape[:]...)
	pairs := f.CeilQuo(n[1], 2*scaleGroup)
	return []value.Value{n[3], n[2], pairs, f.CeilQuo(n[0], fractalRows), pairs, pairs}
}
