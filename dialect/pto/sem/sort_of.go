// This file reads the operands of sort instructions.

package sem

import "ptogo/ir"

// RecordSort is a VecSort of groups with its operands.
type RecordSort struct{ Source, Destination, Indices, Times Operand }

// RecordSortOf returns the operands of a VecSort of groups.
func RecordSortOf(op *ir.Op) RecordSort {
	return RecordSort{operand(op, "source"), operand(op, "destination"), operand(op, "indices"), operand(op, "repeat_times")}
}

// RecordMerge is a VecSort that merges with its operands.
type RecordMerge struct {
	Sources               [4]Operand
	Destination           Operand
	Counts, Configuration Operand
}

// RecordMergeOf returns the operands of a VecSort that merges.
func RecordMergeOf(op *ir.Op) (m RecordMerge) {
	copy(m.Sources[:], operands(op, "source0", "source1", "source2", "source3"))
	m.Destination, m.Counts, m.Configuration = operand(op, "destination"), operand(op, "count"), operand(op, "config")
	return m
}

// Helper is a VecSort of values or TransposeBlock with its operands.
type Helper struct{ Source, Destination, Configuration Operand }

// HelperOf returns the operands of a VecSort of values or TransposeBlock.
func HelperOf(op *ir.Op) Helper {
	return Helper{operand(op, "source"), operand(op, "destination"), operand(op, "config")}
}

// SortedGroup is the number of scores that are sorted at a time.
const SortedGroup = 32

// SortedGroupsFrom is the first bit of the number of groups in the control word of a
// VecSort of values.
const SortedGroupsFrom = 56
