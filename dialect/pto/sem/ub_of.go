// This file reads the operands of A2/A3 vector instructions.

package sem

import "ptogo/ir"

// UbRow is an operand of an instruction on rows of the unified buffer (kind UbMap): its
// start address, and the distances between blocks (Block) and between steps (Step), both
// in blocks of 32 bytes.
type UbRow struct{ Start, Block, Step Operand }

// UbRows holds the operands of an instruction that processes rows of the unified buffer
// (kind UbMap). The instruction executes several steps, each on 8 blocks of 32 bytes.
// Repeat is the number of steps.
type UbRows struct {
	UbMap
	Dst UbRow
	Src []UbRow
	// Scalar is the last argument of the function.
	Scalar Operand
	Repeat Operand
}

// UbRowsOf decodes the operands of op, which processes rows of the unified buffer (kind
// UbMap).
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

// UbMaskOf returns the operands mask0 and mask1 of op, which sets the mask of vector
// instructions (kind UbMask).
func UbMaskOf(op *ir.Op) [2]Operand { return [2]Operand{operand(op, "mask0"), operand(op, "mask1")} }

// Limits of UbMap instructions. Such an instruction processes the unified buffer in steps
// (repeats) of several blocks of 32 bytes. The constants are the number of blocks in a
// step, the number of lanes in these blocks that a mask can select, and the maximum
// number of steps.
const (
	UbBlocks    = 8
	UbMaskLanes = 128
	UbSteps     = 255
)

// The special registers that determine which elements a UbMap processes. UB_MASK holds
// one bit for each element. If UB_COUNT is not 0, UB_MASK holds the number of elements to
// process instead. The contents of UB_MASK are stored inverted, so that the initial value
// zero selects all elements.
const (
	RegUbMask  = "UB_MASK"
	RegUbCount = "UB_COUNT"
)
