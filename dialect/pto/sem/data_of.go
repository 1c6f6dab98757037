// This file lists the kinds that only change data.

package sem

import "ptogo/ir"

// How control and addresses depend on data, the contents of tiles and memory. A
// run that leaves out arithmetic asks these facts.

// OnlyData marks kinds of instructions that change nothing but data: the contents of
// tiles and of memory. If such an instruction is skipped, the rest of the program still
// executes the same instructions with the same addresses. The timing of a program can
// therefore be computed without executing these instructions.
type OnlyData interface{ OnlyData() }

func (TileMap) OnlyData()            {}
func (TileReduce) OnlyData()         {}
func (TileExpand) OnlyData()         {}
func (TilePart) OnlyData()           {}
func (TileConvert) OnlyData()        {}
func (TileAddReluConvert) OnlyData() {}
func (TilePad) OnlyData()            {}
func (TileGather) OnlyData()         {}
func (TileGatherBlocks) OnlyData()   {}
func (TileScatter) OnlyData()        {}
func (TileSort) OnlyData()           {}
func (TileMerge) OnlyData()          {}
func (TileTranspose) OnlyData()      {}
func (TileMove) OnlyData()           {}
func (TileInterleave) OnlyData()     {}
func (TilePairSum) OnlyData()        {}
func (TileMatmul) OnlyData()         {}
func (TileIndex) OnlyData()          {}
func (TileTri) OnlyData()            {}
func (TileRandom) OnlyData()         {}
func (TileQuant) OnlyData()          {}
func (TileQuantMX) OnlyData()        {}
func (TileDequant) OnlyData()        {}
func (TileCompare) OnlyData()        {}
func (TileSelect) OnlyData()         {}
func (TileLoad) OnlyData()           {}
func (TileStore) OnlyData()          {}
func (TileSet) OnlyData()            {}
func (TileImg2Col) OnlyData()        {}
func (Mad) OnlyData()                {}

// FollowsData is implemented by kinds whose instructions may branch on data, or compute
// addresses or lengths from data. Data are the contents of tiles, registers and memory,
// unlike addresses and loop counters. The method returns a predicate for messages, such
// as "waits for data in memory". It returns "" if the instruction does not depend on data
// in this way.
type FollowsData interface{ FollowsData() string }

// addressesAreData is a predicate for messages about instructions that compute addresses
// from the contents of memory or registers. A message consists of the name of the
// instruction and the predicate.
const addressesAreData = "reaches memory at addresses that are data"

func (MemGather) FollowsData() string   { return addressesAreData }
func (MemScatter) FollowsData() string  { return addressesAreData }
func (LaneGather) FollowsData() string  { return addressesAreData }
func (LaneScatter) FollowsData() string { return addressesAreData }
func (VecGather) FollowsData() string   { return addressesAreData }
func (VecScatter) FollowsData() string  { return addressesAreData }
func (VecBlocks) FollowsData() string   { return addressesAreData }
func (CommWait) FollowsData() string    { return "waits for data in memory" }

// FollowsData returns a text for messages if the instruction reads the lengths to copy
// from tiles. Its effect then depends on data. FollowsData returns "" otherwise.
func (m TileConcat) FollowsData() string {
	if m.Counts {
		return "copies as much as data says"
	}
	return ""
}

// FollowsData returns the reason why the control flow of the region can depend on the
// contents of tiles and memory, as the predicate of a sentence in a message. Only SIMT
// code can do so: each of its work items reads data and may branch on it. For other
// regions, the result is "".
func (s Scope) FollowsData() string {
	if s.Kind == SimtSection {
		return "executes work items, which may branch on data"
	}
	return ""
}

// GivesData marks kinds whose instructions return elements of tiles or of memory as
// scalar results. A program whose control flow depends on such results cannot run without
// computing the elements.
type GivesData interface{ GivesData() }

func (TileGet) GivesData()      {}
func (LoadElement) GivesData()  {}
func (AtomicChange) GivesData() {}

// TakesData is implemented by kinds with scalar operands that affect only data. The
// method reports whether op only stores its operand v or computes elements from it; v
// then determines neither control flow nor addresses.
type TakesData interface {
	TakesData(op *ir.Op, v *ir.Value) bool
}

func (TileMap) TakesData(*ir.Op, *ir.Value) bool     { return true }
func (TileCompare) TakesData(*ir.Op, *ir.Value) bool { return true }
func (TileIndex) TakesData(*ir.Op, *ir.Value) bool   { return true }

// TakesData states for operand v of op whether v may depend on data without an effect on
// the timing. For TileSet, this is true for the stored value, and false for the row and
// column at which it is stored.
func (TileSet) TakesData(op *ir.Op, v *ir.Value) bool { return TileElementOf(op).Value.Value == v }

// TakesData returns true if v is the value that op stores, and false for the pointer and
// the offset.
func (StoreElement) TakesData(op *ir.Op, v *ir.Value) bool { return ElementUseOf(op).Value.Value == v }
