// This file reads the operands of gathers from and scatters to tables in global
// memory.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Table is a MemGather or MemScatter with its operands: rows or elements of a
// table in global memory, by their numbers.
type Table struct {
	Mem, Tile, Index Operand
	By               TableIndex
	Outside          OutOfBounds
	// Atomic is the function that combines a stored element with the contents of
	// memory, or nil.
	Atomic *scalar.Fn
}

// TableIndex is what an index of a table selects, such as an element or a row.
type TableIndex uint8

// The units of indices.
const (
	// IndexByShape means elements if the index tile has the shape of the data tile, and
	// rows otherwise.
	IndexByShape TableIndex = iota
	IndexRows
	IndexElements
)

// OutOfBounds is how an instruction treats an out-of-range index.
type OutOfBounds uint8

// The treatments of an out-of-range index.
const (
	OutFaults OutOfBounds = iota
	// OutSkips writes nothing, and reads zero.
	OutSkips
	// OutClamps uses the last index.
	OutClamps
	// OutWraps uses the index modulo the number of entries.
	OutWraps
)

// TableOf returns the operands of a MemGather or MemScatter.
func TableOf(op *ir.Op) Table {
	t := Table{Mem: operand(op, "mem"), Tile: operand(op, "dst"), Index: operand(op, "idx"), Atomic: AtomicFn(keyword(op, "scatterAtomicOp"))}
	outside := keyword(op, "gatherOob")
	if _, ok := op.Def().Sem.(MemScatter); ok {
		t.Tile, outside = operand(op, "src"), keyword(op, "scatterOob")
	}
	switch keyword(op, "coalesce") {
	case "":
	case "row":
		t.By = IndexRows
	default:
		t.By = IndexElements
	}
	switch outside {
	case "zero", "skip":
		t.Outside = OutSkips
	case "clamp":
		t.Outside = OutClamps
	case "wrap":
		t.Outside = OutWraps
	}
	return t
}
