// This file reads the extents of views.

package bufferize

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// viewExtent emits the number of elements of a view along an axis: the product of the
// extents of the dimensions that form the axis. It inserts new operations before op. It
// returns nil if the value is not a view.
func viewExtent(op *ir.Op, view *ir.Value, axis pto.ViewAxis) *ir.Value {
	t, ok := ir.As[pto.PartitionView](view.Type())
	if !ok {
		return nil
	}
	var all *ir.Value
	for _, d := range axis.Dims(t.Shape.Len()) {
		if t.Shape.At(d) == 1 {
			continue
		}
		if n := viewDim(op, view, d); all == nil {
			all = n
		} else {
			all = ir.Before(op).Op(arith.MulI, []*ir.Value{all, n}, []ir.Type{ir.Index}).Result(0)
		}
	}
	if all == nil {
		return arith.Index(ir.Before(op), 1)
	}
	return all
}

// loadedExtent emits the number of rows (axis 0) or columns (axis 1) of the tile that op
// loads from a view.
func loadedExtent(op *ir.Op, axis int) *ir.Value {
	info, _ := pto.TileOf(op.Result(0).Type())
	rows, cols := pto.ViewAxes(info)
	return viewExtent(op, op.Operand(0), []pto.ViewAxis{rows, cols}[axis])
}

// viewDim returns the extent of dimension i of a view: a constant, the operand of
// the operation that creates the view, or a query at run time.
func viewDim(op *ir.Op, view *ir.Value, i int) *ir.Value {
	t, _ := ir.As[pto.PartitionView](view.Type())
	if n := t.Shape.At(i); n != ir.Dynamic {
		return arith.Index(ir.Before(op), n)
	}
	if def := view.Op(); def != nil {
		if _, ok := def.Def().Sem.(sem.PartView); ok {
			return def.Args("sizes")[i]
		}
	}
	return ask(op, isabase.GetTensorViewDim, view, arith.Index(ir.Before(op), int64(i)))
}

// ask inserts a new operation before op and returns its result, a value of type index.
// The definition d and the operands determine the new operation.
func ask(op *ir.Op, d *ir.Def, operands ...*ir.Value) *ir.Value {
	return ir.Before(op).Op(d, operands, []ir.Type{ir.Index}).Result(0)
}
