// This file reads the operands of A2/A3 vector instructions.

package sem

import "ptogo/ir"

// UbRow is an operand of a UbMap: its start, and the distances of blocks and of steps, in
// blocks.
type UbRow struct{ Start, Block, Step Operand }

// UbRows holds the operands of a UbMap.
type UbRows struct {
	UbMap
	Dst UbRow
	Src []UbRow
	// Scalar is the last argument of the function.
	Scalar Operand
	Repeat Operand
}

// UbRowsOf returns the operands of a UbMap.
func UbRowsOf(op *ir.Op) *UbRows {
	kind, _ := op.Def().Sem.(UbMap)
	row := func(name string) UbRow {
		return UbRow{operand(op, name), operand(op, name+"BlockStride"), operand(op, name+"RepeatStride")}
	}
	u := &UbRows{UbMap: kind, Dst: row("dst"), Repeat: operand(op, "repeat")}
	for _, name := range []string{"src", "src0", "src1"} {
		if r := row(name); r.Start.Given() {
			u.Src = append(u.Src, r)
		}
	}
	if kind.Scalar != "" {
		u.Scalar = operand(op, kind.Scalar)
	}
	return u
}

// UbMaskOf returns the two operands of a UbMask.
func UbMaskOf(op *ir.Op) [2]Operand { return [2]Operand{operand(op, "mask0"), operand(op, "mask1")} }

// UbBlocks is the number of 32-byte blocks in a step of a UbMap, UbMaskLanes the number
// of lanes that a mask can select in them, and UbSteps the maximum number of steps.
const (
	UbBlocks    = 8
	UbMaskLanes = 128
	UbSteps     = 255
)

// The registers that select elements of a UbMap. The mask is stored inverted, so that the
// initial value zero selects all elements.
const (
	RegUbMask  = "UB_MASK"
	RegUbCount = "UB_COUNT"
)
