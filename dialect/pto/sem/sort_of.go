// This file reads the operands of sort instructions.

package sem

import "ptogo/ir"

// RecordSort holds the operands of an instruction that sorts groups of scores into
// records (kind VecSort). A record consists of a score and an index. Source holds the
// scores and Indices their indices. Times determines how many groups the instruction
// sorts.
type RecordSort struct{ Source, Destination, Indices, Times Operand }

// RecordSortOf decodes the operands of op, which sorts groups of scores into records
// (kind VecSort).
func RecordSortOf(op *ir.Op) RecordSort {
	return RecordSort{operand(op, "source"), operand(op, "destination"), operand(op, "indices"), operand(op, "repeat_times")}
}

// RecordMerge holds the operands of an instruction that merges up to four sorted lists of
// records (kind VecSort).
type RecordMerge struct {
	Sources               [4]Operand
	Destination           Operand
	Counts, Configuration Operand
}

// RecordMergeOf decodes the operands of op, which merges up to four sorted lists of
// records (kind VecSort).
func RecordMergeOf(op *ir.Op) (m RecordMerge) {
	copy(m.Sources[:], operands(op, "source0", "source1", "source2", "source3"))
	m.Destination, m.Counts, m.Configuration = operand(op, "destination"), operand(op, "count"), operand(op, "config")
	return m
}

// Helper holds the operands of one of two instructions on memory: the instruction that
// sorts elements and omits their indices (kind VecSort), and the instruction that
// transposes a block (kind TransposeBlock).
type Helper struct{ Source, Destination, Configuration Operand }

// HelperOf decodes the operands of op, which sorts elements without indices or transposes
// a block (kinds VecSort and TransposeBlock).
func HelperOf(op *ir.Op) Helper {
	return Helper{operand(op, "source"), operand(op, "destination"), operand(op, "config")}
}

// SortedGroup is the number of elements in a group that a sort instruction sorts
// independently of other groups.
const SortedGroup = 32

// SortedGroupsFrom is the lowest bit of the field with the number of groups in the 64-bit
// control word of an instruction that sorts groups of 32 elements without indices.
const SortedGroupsFrom = 56
