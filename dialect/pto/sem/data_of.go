// This file lists the kinds that only change data.

package sem

import "ptogo/ir"

// How control and addresses depend on data, the contents of tiles and memory. A
// run that leaves out arithmetic asks these facts.

// OnlyData is a kind whose instructions affect only data. Without them, a program
// executes the same other instructions with the same addresses.
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

// FollowsData is a kind whose instructions may branch on data, or compute addresses or
// lengths from data. The method describes how, as a predicate for messages. It returns ""
// for instructions that do not.
type FollowsData interface{ FollowsData() string }

// addressesAreData is the predicate of instructions that compute addresses from data.
const addressesAreData = "reaches memory at addresses that are data"

func (MemGather) FollowsData() string   { return addressesAreData }
func (MemScatter) FollowsData() string  { return addressesAreData }
func (LaneGather) FollowsData() string  { return addressesAreData }
func (LaneScatter) FollowsData() string { return addressesAreData }
func (VecGather) FollowsData() string   { return addressesAreData }
func (VecScatter) FollowsData() string  { return addressesAreData }
func (VecBlocks) FollowsData() string   { return addressesAreData }
func (CommWait) FollowsData() string    { return "waits for data in memory" }

// FollowsData returns a predicate for copies whose lengths are in tiles.
func (m TileConcat) FollowsData() string {
	if m.Counts {
		return "copies as much as data says"
	}
	return ""
}

// FollowsData returns the reason why control flow in the section may depend on data, or
// "": each work item branches by itself.
func (s Scope) FollowsData() string {
	if s.Kind == SimtSection {
		return "executes work items, which may branch on data"
	}
	return ""
}

// GivesData is a kind whose results are data.
type GivesData interface{ GivesData() }

func (TileGet) GivesData()      {}
func (LoadElement) GivesData()  {}
func (AtomicChange) GivesData() {}

// TakesData is a kind that only stores v, one of the operands of op, or computes
// elements from it.
type TakesData interface {
	TakesData(op *ir.Op, v *ir.Value) bool
}

func (TileMap) TakesData(*ir.Op, *ir.Value) bool     { return true }
func (TileCompare) TakesData(*ir.Op, *ir.Value) bool { return true }
func (TileIndex) TakesData(*ir.Op, *ir.Value) bool   { return true }

// TakesData is true of the element that is stored.
func (TileSet) TakesData(op *ir.Op, v *ir.Value) bool { return TileElementOf(op).Value.Value == v }

// TakesData is true of the element that is stored.
func (StoreElement) TakesData(op *ir.Op, v *ir.Value) bool { return ElementUseOf(op).Value.Value == v }
