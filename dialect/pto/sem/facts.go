// This file lists the effects of kinds that compute on registers and scalars.

package sem

import "ptogo/ir/effect"

// This file lists the effects of each kind other than its results, for the interface
// ir.Meaning. Effects that depend on a single operation are in facts_of.go.

// Effects returns 0 (no effects) for CommSession: the results of the instruction depend
// only on registers, scalars and types. The same holds for the kinds whose methods follow
// this one.
func (CommSession) Effects() effect.Set    { return 0 }
func (WorkItem) Effects() effect.Set       { return 0 }
func (MaskPattern) Effects() effect.Set    { return 0 }
func (MaskTail) Effects() effect.Set       { return 0 }
func (MaskLogic) Effects() effect.Set      { return 0 }
func (MaskRearrange) Effects() effect.Set  { return 0 }
func (MakePatches) Effects() effect.Set    { return 0 }
func (ScopeYield) Effects() effect.Set     { return 0 }
func (AddPtr) Effects() effect.Set         { return 0 }
func (SetBit) Effects() effect.Set         { return 0 }
func (LaneMask) Effects() effect.Set       { return 0 }
func (WideProduct) Effects() effect.Set    { return 0 }
func (PermuteBytes) Effects() effect.Set   { return 0 }
func (SimtConvert) Effects() effect.Set    { return 0 }
func (SignedFn) Effects() effect.Set       { return 0 }
func (MakeView) Effects() effect.Set       { return 0 }
func (VecCarry) Effects() effect.Set       { return 0 }
func (VecExtended) Effects() effect.Set    { return 0 }
func (VecCompare) Effects() effect.Set     { return 0 }
func (VecSelect) Effects() effect.Set      { return 0 }
func (VecConvert) Effects() effect.Set     { return 0 }
func (VecRound) Effects() effect.Set       { return 0 }
func (VecBroadcast) Effects() effect.Set   { return 0 }
func (VecIndex) Effects() effect.Set       { return 0 }
func (VecReduce) Effects() effect.Set      { return 0 }
func (VecHistogram) Effects() effect.Set   { return 0 }
func (VecRearrange) Effects() effect.Set   { return 0 }
func (LaneCompare) Effects() effect.Set    { return 0 }
func (LaneConvert) Effects() effect.Set    { return 0 }
func (GroupReduce) Effects() effect.Set    { return 0 }
func (GroupBroadcast) Effects() effect.Set { return 0 }
func (GroupIndex) Effects() effect.Set     { return 0 }
func (PrefixMask) Effects() effect.Set     { return 0 }
func (LaneHistogram) Effects() effect.Set  { return 0 }
func (PermuteBy) Effects() effect.Set      { return 0 }
func (LaneChannels) Effects() effect.Set   { return 0 }
func (Relayout) Effects() effect.Set       { return 0 }
func (Parts) Effects() effect.Set          { return 0 }
func (TransposeBlock) Effects() effect.Set { return 0 }
func (PlaceTile) Effects() effect.Set      { return 0 }
func (SameStorage) Effects() effect.Set    { return 0 }
func (ScaleAddress) Effects() effect.Set   { return 0 }
func (Declare) Effects() effect.Set        { return 0 }
func (Scope) Effects() effect.Set          { return 0 }

// Effects returns MayFault for TileLoad, because the instruction accesses memory with
// addresses or indices that can be out of bounds. The same holds for the kinds whose
// methods follow this one.
func (TileLoad) Effects() effect.Set         { return effect.MayFault }
func (TileStore) Effects() effect.Set        { return effect.MayFault }
func (TileGather) Effects() effect.Set       { return effect.MayFault }
func (TileGatherBlocks) Effects() effect.Set { return effect.MayFault }
func (TileScatter) Effects() effect.Set      { return effect.MayFault }
func (MemGather) Effects() effect.Set        { return effect.MayFault }
func (MemScatter) Effects() effect.Set       { return effect.MayFault }
func (TileSort) Effects() effect.Set         { return effect.MayFault }
func (TileMerge) Effects() effect.Set        { return effect.MayFault }
func (TileQuant) Effects() effect.Set        { return effect.MayFault }
func (TileQuantMX) Effects() effect.Set      { return effect.MayFault }
func (TileDequant) Effects() effect.Set      { return effect.MayFault }
func (TileGet) Effects() effect.Set          { return effect.MayFault }
func (TileSet) Effects() effect.Set          { return effect.MayFault }
func (TileHistogram) Effects() effect.Set    { return effect.MayFault }
func (TilePad) Effects() effect.Set          { return effect.MayFault }
func (TileRandom) Effects() effect.Set       { return effect.MayFault }
func (LoadElement) Effects() effect.Set      { return effect.MayFault }
func (StoreElement) Effects() effect.Set     { return effect.MayFault }
func (MaskLoad) Effects() effect.Set         { return effect.MayFault }
func (MaskStore) Effects() effect.Set        { return effect.MayFault }
func (VecLoad) Effects() effect.Set          { return effect.MayFault }
func (VecStore) Effects() effect.Set         { return effect.MayFault }
func (VecBlocks) Effects() effect.Set        { return effect.MayFault }
func (VecGather) Effects() effect.Set        { return effect.MayFault }
func (VecScatter) Effects() effect.Set       { return effect.MayFault }
func (AlignLoad) Effects() effect.Set        { return effect.MayFault }
func (LaneLoad) Effects() effect.Set         { return effect.MayFault }
func (LaneStore) Effects() effect.Set        { return effect.MayFault }
func (LaneGather) Effects() effect.Set       { return effect.MayFault }
func (LaneScatter) Effects() effect.Set      { return effect.MayFault }
func (TileSlot) Effects() effect.Set         { return effect.MayFault }
func (SubTile) Effects() effect.Set          { return effect.MayFault }
func (Print) Effects() effect.Set            { return effect.MayFault }
func (Prefetch) Effects() effect.Set         { return effect.MayFault }
func (ViewDim) Effects() effect.Set          { return effect.MayFault }
func (PartView) Effects() effect.Set         { return effect.MayFault }

// Effects returns MayFault and ReadsState for TileMatmul. The instruction may fault
// because it accesses memory. It reads state because registers or settings of the core
// affect the computation. For the same reasons, the methods of the other kinds that
// follow in this group return these effects.
func (TileMatmul) Effects() effect.Set { return effect.MayFault | effect.ReadsState }
func (TileImg2Col) Effects() effect.Set {
	return effect.MayFault | effect.ReadsState | effect.WritesState
}
func (Mad) Effects() effect.Set          { return effect.MayFault | effect.ReadsState }
func (LoadFractals) Effects() effect.Set { return effect.MayFault | effect.ReadsState }
func (LoadOperand) Effects() effect.Set  { return effect.MayFault | effect.ReadsState }
func (LoadScales) Effects() effect.Set   { return effect.MayFault | effect.ReadsState }
func (LoadParams) Effects() effect.Set   { return effect.MayFault | effect.ReadsState }
func (FillWords) Effects() effect.Set    { return effect.MayFault | effect.ReadsState }
func (StoreProduct) Effects() effect.Set { return effect.MayFault | effect.ReadsState }
func (CopyBursts) Effects() effect.Set   { return effect.MayFault | effect.ReadsState }
func (UbMap) Effects() effect.Set        { return effect.MayFault | effect.ReadsState }
func (AlignStore) Effects() effect.Set   { return effect.MayFault | effect.ReadsState }
func (AlignFlush) Effects() effect.Set   { return effect.MayFault | effect.ReadsState }

// Effects returns WritesState. An instruction of kind StoreAtomic changes a mode of the
// core, and this mode affects later stores. The kinds whose methods follow also change
// registers or modes of the core.
func (StoreAtomic) Effects() effect.Set     { return effect.WritesState }
func (SetPatches) Effects() effect.Set      { return effect.WritesState }
func (WriteRegister) Effects() effect.Set   { return effect.WritesState }
func (OperandRounding) Effects() effect.Set { return effect.WritesState }
func (ConfigSet) Effects() effect.Set       { return effect.WritesState }
func (SetValid) Effects() effect.Set        { return effect.WritesState }
func (SimtDims) Effects() effect.Set        { return effect.WritesState }
func (BufRelease) Effects() effect.Set      { return effect.WritesState }
func (Barrier) Effects() effect.Set         { return effect.WritesState }
func (MemoryFence) Effects() effect.Set     { return effect.WritesState }
func (ThreadFence) Effects() effect.Set     { return effect.WritesState }

// Effects returns ReadsState, because the contents of the register are state that earlier
// instructions have set.
func (ReadRegister) Effects() effect.Set { return effect.ReadsState }

// Effects returns Reserves, because the instruction reserves storage for a tile. A pass
// may delete the reservation if the result is not used.
func (AllocTile) Effects() effect.Set { return effect.Reserves }

// Effects returns GivesAddress for CastPtr, because the result is an address through
// which other instructions can access the memory of the operand. The result for AddressOf
// is the same.
func (CastPtr) Effects() effect.Set   { return effect.GivesAddress }
func (AddressOf) Effects() effect.Set { return effect.GivesAddress }

// Effects returns WritesState and Signals: the instruction raises a flag, and another
// pipe of the core waits for it.
func (SetFlag) Effects() effect.Set { return effect.WritesState | effect.Signals }

func (WaitFlag) Effects() effect.Set   { return effect.WritesState }
func (BufAcquire) Effects() effect.Set { return effect.WritesState }

// Effects returns MayFault for an instruction that stops the program with an error.
func (Stop) Effects() effect.Set { return effect.MayFault }

// Effects returns all effects that the launched function may have, because the launch
// executes that function.
func (SimtLaunch) Effects() effect.Set {
	return effect.MayFault | effect.ReadsState | effect.WritesState
}

// Effects returns Meets for Vote: work items exchange values with their subgroup, or wait
// for all work items of the launch. The same holds for the kinds whose methods follow
// this one.
func (Vote) Effects() effect.Set        { return effect.Meets }
func (LaneShuffle) Effects() effect.Set { return effect.Meets }
func (LaneReduce) Effects() effect.Set  { return effect.Meets }
func (SyncThreads) Effects() effect.Set { return effect.Meets }

// Effects returns MayFault, because the memory access can be out of bounds, and Signals,
// because other ranks may wait for the new contents of the memory. The methods of the
// kinds below do the same.
func (CommNotify) Effects() effect.Set     { return effect.MayFault | effect.Signals }
func (CommCopy) Effects() effect.Set       { return effect.MayFault | effect.Signals }
func (CommCollective) Effects() effect.Set { return effect.MayFault | effect.Signals }

func (CommEvent) Effects() effect.Set { return effect.ReadsState }
