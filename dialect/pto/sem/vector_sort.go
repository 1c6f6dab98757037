// This file defines the kinds of vector sort instructions.

package sem

import "ptogo/ir/effect"

// SortAct is the step that a VecSort performs.
type SortAct uint8

// The steps of sorting, from groups of 32 to one list.
const (
	// SortGroups sorts groups of scores into records.
	SortGroups SortAct = iota + 1
	// SortValues sorts groups of elements.
	SortValues
	// MergeLists merges four lists of records.
	MergeLists
	// MergeCounts returns the numbers of records that the last merge consumed from each
	// list.
	MergeCounts
)

// Doc describes what happens to the records.
func (m VecSort) Doc() string {
	return map[SortAct]string{
		SortGroups: "Sorts repeat_times groups of 32 scores, largest first and equal ones in their order, into records of eight bytes: " +
			"the score, and in the upper four bytes the index that belongs to it.",
		SortValues: "Sorts groups of 32 elements, largest first; bits 56 to 63 of config say how many.",
		MergeLists: "Merges four lists of such records; count holds their lengths in 16 bits each, " +
			"config the number of repeats and which lists take part.",
		MergeCounts: "Gives how many records of each list the last merge took.",
	}[m.Act]
}

// Effects of a sort include writing state, because a merge records counts.
func (m VecSort) Effects() effect.Set {
	switch m.Act {
	case MergeLists:
		return effect.MayFault | effect.WritesState
	case MergeCounts:
		return effect.ReadsState
	}
	return effect.MayFault
}

// Doc describes what happens to the register.
func (m StreamEnd) Doc() string {
	if m.Store {
		return "Writes AR as 32 bits to destination + offset, in units of the size in the name."
	}
	return "Sets the special register AR to zero."
}

// Effects of the end of a stream.
func (m StreamEnd) Effects() effect.Set {
	if m.Store {
		return effect.MayFault | effect.ReadsState
	}
	return effect.WritesState
}

// Doc describes the purpose of the state.
func (m AlignInit) Doc() string {
	if m.Load {
		return "Makes the state of an unaligned load: it holds the 32 bytes around source."
	}
	return "Makes the empty state of an unaligned store."
}

// Effects of creating a state include a possible fault for loads, which read memory.
func (m AlignInit) Effects() effect.Set {
	if m.Load {
		return effect.MayFault
	}
	return 0
}
