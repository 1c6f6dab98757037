// This file reads the operands of gathers from and scatters to tables in global
// memory.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Table holds the operands of an instruction that reads or writes entries of a table in
// global memory (kinds MemGather and MemScatter). Index holds the numbers of the entries,
// which are rows or elements.
type Table struct {
	Mem, Tile, Index Operand
	By               TableIndex
	Outside          OutOfBounds
	// Atomic is the function that combines a stored element with the contents of
	// memory, or nil.
	Atomic *scalar.Fn
}

// TableIndex determines whether an index selects a row or an element of a table in global
// memory.
type TableIndex uint8

// The units in which an index can count positions in a table in global memory: rows or
// elements.
const (
	// IndexByShape means elements if the index tile has the shape of the data tile, and
	// rows otherwise.
	IndexByShape TableIndex = iota
	IndexRows
	IndexElements
)

// OutOfBounds is how an instruction treats an index that exceeds the table.
type OutOfBounds uint8

// The ways in which an instruction treats an index past the end of a table. With
// OutFaults, the instruction faults.
const (
	OutFaults OutOfBounds = iota
	// OutSkips skips the write, or reads zero.
	OutSkips
	// OutClamps uses the last index.
	OutClamps
	// OutWraps uses the index modulo the number of entries.
	OutWraps
)

// TableOf decodes the operands of op, which reads or writes entries of a table in global
// memory (kinds MemGather and MemScatter).
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
