// This file contains legality checks that the verifier and the engines share.

package analysis

import (
	"fmt"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// The functions in this file check what no engine can execute. Each returns the
// message of the diagnostic or the fault, without the name of the operation, or
// "" if the operation is legal.

// Subgroup is the number of work items, executions of a SIMT body, that exchange and
// combine values with each other.
const Subgroup = 32

// CheckShuffle returns a message if the groups within which op (kind sem.LaneShuffle)
// exchanges values do not fit a subgroup of 32 work items, and "" otherwise.
func CheckShuffle(op *ir.Op) string {
	if width := sem.ShuffleWidth(op); width < 1 || width > Subgroup {
		return fmt.Sprintf("shuffles groups of %d lanes, but a subgroup has %d", width, Subgroup)
	}
	return ""
}

// crossSignals is the number of signals of the cube core: a separate set for each of its
// vector cores.
const crossSignals = sem.Signals * sem.VectorCores

// CheckSignal returns a message if the signal number id is out of range, and ""
// otherwise.
func CheckSignal(id int64) string {
	if id < 0 || id >= crossSignals {
		return fmt.Sprintf("uses signal %d, but signals are numbered 0 to %d", id, crossSignals-1)
	}
	return ""
}

// CheckStoreAtomic returns a message if a store combines its elements with those in
// memory in a format of a different size, and "" otherwise.
func CheckStoreAtomic(store *sem.Store, elem num.Format) string {
	if a := store.Atomic; a.Fn != nil && a.Format.Bits() != elem.Bits() {
		return fmt.Sprintf("combines elements of %s as %s, which pto-run does not support", elem, a.Format)
	}
	return ""
}

// accumulatorCols is the number of columns of a fractal in the accumulator.
// accumulatorBytes is the size of an element of the accumulator in bytes. splitFractal is
// the fractal size for which the hardware splits columns of f32 into two boxes.
const (
	accumulatorCols  = 16
	accumulatorBytes = 4
	splitFractal     = 512
)

// BoxFromAccumulator returns the number of columns in a box (inner block) of the tile t
// in vec, which op fills with elements of the accumulator. Boxes of 32-bit elements have
// 16 columns, as in the accumulator, except for boxes of 512 bytes of f32: the headers let
// the hardware split channels for these (channelSplitEnable in a5/TMov.hpp of pto-isa). A
// move to a window does not: golden data of the public compiler have 16 columns there.
// problem is a message if such boxes do not fill the tile, or "".
func BoxFromAccumulator(op *ir.Op, t pto.TileInfo) (cols int64, problem string) {
	_, cols, _ = t.Box()
	move, _ := op.Def().Sem.(sem.TileMove)
	splits := !move.Dst && t.Elem == ir.F32 && t.BLayout == pto.ColMajor && t.Fractal == splitFractal
	if t.SLayout != pto.RowMajor || t.ElemBytes() != accumulatorBytes || splits {
		return cols, ""
	}
	cols = min(accumulatorCols, t.Cols)
	if t.Cols%cols != 0 {
		problem = fmt.Sprintf("moves to a tile of %dx%d elements, but its columns must be a multiple of %d, the width of a box", t.Rows, t.Cols, cols)
	}
	return cols, problem
}

// Texts of errors about queues between cores, which the runtime and the LLVM emitter
// report. The functions that report an error add the name of the operation before the
// text.
const (
	// NotReserved is the error for an import of local memory that no function reserves.
	NotReserved = "imports a buffer that is never reserved"
	// NoEntryType is the error for a push that converts elements to an unknown type,
	// because no instruction pops the entries.
	NoEntryType = "converts to elements of an unknown type: no 'pto.tpop_from_aic' reads this queue"
)

// CheckSlotView checks v, the result of an instruction that accesses a slot of a queue.
// It returns a message if v is not a view (a tensor in global memory), and "" otherwise.
func CheckSlotView(v *ir.Value) string {
	if !ir.Is[pto.TensorView](v.Type()) {
		return fmt.Sprintf("works on %s, but a slot of a queue is a !pto.tensor_view", v.Type())
	}
	return ""
}

// NoWholeBoxes returns an error text about an instruction that pushes a tile into a
// queue. It is for the following error: the consumer stores elements in boxes (inner
// blocks of a tile), but the numbers of rows and columns of the pushed tile are not
// multiples of the box extents. received describes the tile of the consumer.
func NoWholeBoxes(received pto.TileInfo) string {
	return fmt.Sprintf("writes %dx%d elements to a queue, but rows and columns must be multiples of the extents of a box", received.Rows, received.Cols)
}
