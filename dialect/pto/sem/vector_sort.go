// This file defines the kinds of vector sort instructions.

package sem

import "ptogo/ir/effect"

// SortAct is the operation of an instruction that sorts or merges records in the unified
// buffer (kind VecSort). A record is a score with an index.
type SortAct uint8

// The operations from which a sort is composed: sorting groups of 32 elements, and
// merging sorted lists.
const (
	// SortGroups sorts groups of 32 scores into records of a score and an index.
	SortGroups SortAct = iota + 1
	// SortValues sorts groups of 32 elements without indices.
	SortValues
	// MergeLists merges four lists of records.
	MergeLists
	// MergeCounts returns the number of records that the last merge consumed from each
	// list.
	MergeCounts
)

// Doc returns the description of the sort or merge for reference pages.
func (m VecSort) Doc() string {
	return map[SortAct]string{
		SortGroups: "Sorts repeat_times groups of 32 scores, largest first and equal ones in their order, into records of eight bytes: " +
			"the score, and in the upper four bytes the index that belongs to it.",
		SortValues: "Sorts groups of 32 elements, largest first; bits 56 to 63 of config say how many.",
		MergeLists: "Merges four lists of such records; count holds their lengths in 16 bits each, " +
			"config holds the number of repeats and selects the lists to merge.",
		MergeCounts: "Returns how many records of each list the last merge consumed.",
	}[m.Act]
}

// Effects returns the effects of a sort or merge. A merge writes state, because it
// records how many records it consumed from each list. MergeCounts reads this state.
func (m VecSort) Effects() effect.Set {
	switch m.Act {
	case MergeLists:
		return effect.MayFault | effect.WritesState
	case MergeCounts:
		return effect.ReadsState
	}
	return effect.MayFault
}

// Doc returns a sentence for reference pages. It describes how the instruction accesses
// the special register AR.
func (m StreamEnd) Doc() string {
	if m.Store {
		return "Writes AR as 32 bits to destination + offset, in units of the size in the name."
	}
	return "Sets the special register AR to zero."
}

// Effects returns the effects of an instruction on the special register AR, which counts
// the bytes of unaligned stores. An instruction that stores AR to memory reads state and
// may fault. An instruction that clears AR writes state.
func (m StreamEnd) Effects() effect.Set {
	if m.Store {
		return effect.MayFault | effect.ReadsState
	}
	return effect.WritesState
}

// Doc returns a description for reference pages: the state with which a sequence of
// unaligned loads or stores starts.
func (m AlignInit) Doc() string {
	if m.Load {
		return "Makes the state of an unaligned load: it holds the 32 bytes around source."
	}
	return "Makes the empty state of an unaligned store."
}

// Effects returns the effects of an instruction that starts a sequence of unaligned
// accesses by filling an alignment register. If loads follow, the instruction reads
// memory and may fault. If stores follow, it has no effect.
func (m AlignInit) Effects() effect.Set {
	if m.Load {
		return effect.MayFault
	}
	return 0
}
