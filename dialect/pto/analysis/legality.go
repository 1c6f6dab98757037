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

// Subgroup is the number of work items that combine values with each other.
const Subgroup = 32

// CheckShuffle rejects a sem.LaneShuffle whose groups do not fit a subgroup.
func CheckShuffle(op *ir.Op) string {
	if width := sem.ShuffleWidth(op); width < 1 || width > Subgroup {
		return fmt.Sprintf("shuffles groups of %d lanes, but a subgroup has %d", width, Subgroup)
	}
	return ""
}

// crossSignals is the number of signals that the cube core has: one set for each vector
// core.
const crossSignals = sem.Signals * sem.VectorCores

// CheckSignal rejects the number of a signal that no core has.
func CheckSignal(id int64) string {
	if id < 0 || id >= crossSignals {
		return fmt.Sprintf("uses signal %d, but signals are numbered 0 to %d", id, crossSignals-1)
	}
	return ""
}

// CheckStoreAtomic rejects a store that combines its elements with those in
// memory as numbers of another size.
func CheckStoreAtomic(store *sem.Store, elem num.Format) string {
	if a := store.Atomic; a.Fn != nil && a.Format.Bits() != elem.Bits() {
		return fmt.Sprintf("combines elements of %s as %s, which cannot be executed", elem, a.Format)
	}
	return ""
}

// A row of a box in the accumulator has accumulatorCols elements of accumulatorBytes
// bytes.
const (
	accumulatorCols  = 16
	accumulatorBytes = 4
)

// BoxFromAccumulator returns the columns of the boxes of a tile in vec that receives its
// elements from the accumulator. Boxes of 32-bit elements have 16 columns, as in the
// accumulator. problem describes a tile that these boxes do not fill, or is "".
func BoxFromAccumulator(t pto.TileInfo) (cols int64, problem string) {
	_, cols, _ = t.Box()
	if t.SLayout != pto.RowMajor || t.ElemBytes() != accumulatorBytes {
		return cols, ""
	}
	cols = min(accumulatorCols, t.Cols)
	if t.Cols%cols != 0 {
		problem = fmt.Sprintf("moves to a tile of %dx%d elements, but its columns must be a multiple of %d, the width of a box", t.Rows, t.Cols, cols)
	}
	return cols, problem
}

// Errors of instructions on queues, without details.
const (
	// NotReserved is the error for an import of local memory that no function reserves.
	NotReserved = "imports a buffer that is never reserved"
	// NoEntryType is the error for a push that converts elements to an unknown type,
	// because no instruction pops the entries.
	NoEntryType = "converts to elements of an unknown type: no 'pto.tpop_from_aic' reads this queue"
)

// CheckSlotView describes what is wrong with the result of an instruction that accesses a
// queue slot. It must be a view of a tensor.
func CheckSlotView(v *ir.Value) string {
	if !ir.Is[pto.TensorView](v.Type()) {
		return fmt.Sprintf("works on %s, but a slot of a queue is a !pto.tensor_view", v.Type())
	}
	return ""
}

// NoWholeBoxes is the fault of a push of a tile that the boxes of the receiver's
// layout do not fill.
func NoWholeBoxes(received pto.TileInfo) string {
	return fmt.Sprintf("writes %dx%d elements to a queue, but rows and columns must be multiples of the extents of a box", received.Rows, received.Cols)
}
