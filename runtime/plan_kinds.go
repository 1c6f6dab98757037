package runtime

import (
	"slices"

	"ptogo/dialect/cf"
	fn "ptogo/dialect/func"
	"ptogo/dialect/pto"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// family plans some kinds of meaning.
type family func(p *planner, op *ir.Op, sem any) (s step, ok bool)

// families plan the kinds of meaning that belong together; each says whether a
// kind is one of its own.
func families() []family {
	return []family{
		(*planner).rowStep,
		(*planner).scalarStep, (*planner).memrefStep, (*planner).structureStep, (*planner).viewStep,
		(*planner).tileStep, (*planner).tileMakeStep, (*planner).tileGatherStep, (*planner).tileQuantStep,
		(*planner).vectorStep, (*planner).maskStep, (*planner).machineStep, (*planner).queueStep, (*planner).eventStep, (*planner).commStep, (*planner).llvmStep, (*planner).cubeStep, (*planner).simtStep, (*planner).debugStep,
	}
}

// step plans one operation. It returns nil where there is nothing to execute.
func (p *planner) step(op *ir.Op) step {
	if op.Form().Level == ir.SSA && slices.ContainsFunc(op.Results(), func(v *ir.Value) bool { return ir.Is[pto.Tile](v.Type()) }) {
		p.errorf(op, "is in Level-1 form and must be bufferized before execution")
		return nil
	}
	sem := op.Def().Sem
	for _, plan := range families() {
		if s, ok := plan(p, op, sem); ok {
			return p.heard(op, p.defined(op, s))
		}
	}
	if op.Is(fn.Call) {
		return p.call(op)
	}
	p.errorf(op, "cannot be executed yet")
	return nil
}

// scalarStep plans operations on scalars.
func (p *planner) scalarStep(op *ir.Op, sem any) (step, bool) {
	switch sem := sem.(type) {
	case scalar.Literal:
		return p.literal(op, sem), true
	case scalar.Elementwise:
		return p.elementwise(op, sem.Fn), true
	case scalar.Extended:
		return p.extended(op, sem), true
	case scalar.Comparison:
		return p.comparison(op), true
	case scalar.Choice:
		return p.choice(op), true
	case scalar.Cast:
		return p.cast(op), true
	case scalar.Reinterpret:
		return p.reinterpret(op), true
	case pto.CastPtr:
		return p.castPtr(op), true
	case pto.AddPtr:
		return p.addPtr(op), true
	case pto.LoadElement:
		return p.loadElement(op), true
	case pto.StoreElement:
		return p.storeElement(op), true
	case pto.DeclareLocal:
		return p.declareLocal(op), true
	case pto.LocalGet:
		return p.localGet(op), true
	case pto.LocalSet:
		return p.localSet(op), true
	case pto.SetBit:
		return p.setBit(op, sem), true
	case pto.Query:
		return p.query(op, sem), true
	}
	return nil, false
}

// structureStep plans operations with regions.
func (p *planner) structureStep(op *ir.Op, sem any) (step, bool) {
	switch sem := sem.(type) {
	case scf.Control:
		return p.control(op, sem), true
	case cf.Check:
		return p.assert(op), true
	case pto.Scope:
		return p.scope(op, sem), true
	}
	return nil, false
}

// viewStep plans what describes memory: views, tiles and parts of them.
func (p *planner) viewStep(op *ir.Op, sem any) (step, bool) {
	switch sem := sem.(type) {
	case pto.MakeView:
		return p.makeView(op), true
	case pto.PartView:
		return p.partView(op), true
	case pto.ViewDim:
		return p.viewDim(op, sem), true
	case pto.AddressOf:
		return p.addressOf(op), true
	case pto.AllocTile:
		return p.allocTile(op), true
	case pto.TileSlot:
		return p.tileSlot(op), true
	case pto.ScaleAddress:
		return nil, true // a tile of scales has memory of its own here
	case pto.PlaceTile:
		return p.placeTile(op), true
	case pto.SubTile:
		return p.subTile(op), true
	case pto.SameStorage:
		return p.sameStorage(op), true
	case pto.SetValid:
		return p.setValid(op), true
	case pto.GetValid:
		return p.getValid(op, sem), true
	}
	return nil, false
}

// tileStep plans instructions that compute tiles.
func (p *planner) tileStep(op *ir.Op, sem any) (step, bool) {
	switch sem := sem.(type) {
	case pto.TileMap:
		return p.tileMap(op, sem), true
	case pto.TileLoad:
		return p.tileLoad(op), true
	case pto.TileStore:
		return p.tileStore(op), true
	case pto.TileReduce:
		return p.tileReduce(op, sem), true
	case pto.TileExpand:
		return p.tileExpand(op, sem), true
	case pto.TilePart:
		return p.tilePart(op, sem), true
	case pto.TileCompare:
		return p.tileCompare(op), true
	case pto.TileSelect:
		return p.tileSelect(op), true
	case pto.TileMatmul:
		return p.tileMatmul(op, sem), true
	case pto.TileConvert:
		return p.tileConvert(op, sem), true
	}
	return p.tileMoveStep(op, sem)
}

// tileMoveStep plans instructions that move the elements of tiles.
func (p *planner) tileMoveStep(op *ir.Op, sem any) (step, bool) {
	switch sem := sem.(type) {
	case pto.TileMove:
		return p.tileMove(op, sem), true
	case pto.TilePad:
		return p.tilePad(op), true
	case pto.TileTranspose:
		return p.tileTranspose(op), true
	case pto.TileConcat:
		return p.tileConcat(op, sem), true
	case pto.TileInterleave:
		return p.tileInterleave(op, sem), true
	case pto.TileSort:
		return p.tileSort(op), true
	case pto.TileMerge:
		return p.tileMerge(op), true
	case pto.MakePatches:
		return p.makePatches(op), true
	case pto.SetPatches:
		return p.setPatches(op, sem), true
	case pto.TileImg2Col:
		return p.img2col(op), true
	}
	return nil, false
}

// vectorStep plans instructions on vector registers.
func (p *planner) vectorStep(op *ir.Op, sem any) (step, bool) {
	switch sem := sem.(type) {
	case pto.VecMap:
		return p.vecMap(op, sem), true
	case pto.VecExtended:
		return p.vecExtended(op, sem), true
	case pto.VecCarry:
		return p.vecCarry(op, sem), true
	case pto.VecCompare:
		return p.vecCompare(op), true
	case pto.VecSelect:
		return p.vecSelect(op), true
	case pto.VecConvert:
		return p.vecConvert(op, sem), true
	case pto.VecWiden:
		return p.vecWiden(op, sem), true
	case pto.VecRound:
		return p.vecRound(op), true
	case pto.VecBroadcast:
		return p.vecBroadcast(op), true
	case pto.VecIndex:
		return p.vecIndex(op), true
	case pto.VecReduce:
		return p.vecReduce(op, sem), true
	case pto.VecHistogram:
		return p.vecHistogram(op, sem), true
	case pto.VecRearrange:
		return p.vecRearrange(op, sem.Kind), true
	}
	return p.vectorMemoryStep(op, sem)
}

// vectorMemoryStep plans instructions between vector registers and memory.
func (p *planner) vectorMemoryStep(op *ir.Op, sem any) (step, bool) {
	switch sem := sem.(type) {
	case pto.VecLoad:
		return p.vecLoad(op), true
	case pto.VecStore:
		return p.vecStore(op), true
	case pto.VecBlocks:
		return p.vecBlocks(op, sem), true
	case pto.VecGather:
		return p.vecGather(op, sem), true
	case pto.VecScatter:
		return p.vecScatter(op), true
	case pto.AlignInit, pto.AlignPrime:
		return p.alignInit(op), true
	case pto.AlignLoad:
		return p.alignLoad(op), true
	case pto.AlignStore:
		return p.alignStore(op, sem), true
	case pto.AlignFlush:
		return p.alignFlush(op), true
	case pto.SprClear:
		return p.sprClear(op), true
	case pto.SprStore:
		return p.sprStore(op, sem), true
	case pto.SortGroups:
		return p.sortGroups(op), true
	case pto.SortValues:
		return p.sortValues(op), true
	case pto.TransposeBlock:
		return p.transposeBlock(op), true
	case pto.MergeSorted:
		return p.mergeSorted(op), true
	case pto.MergedCounts:
		return p.mergedCounts(op), true
	}
	return nil, false
}

// maskStep plans instructions on masks.
func (p *planner) maskStep(op *ir.Op, sem any) (step, bool) {
	switch sem := sem.(type) {
	case pto.MaskPattern:
		return p.maskPattern(op, sem), true
	case pto.MaskTail:
		return p.maskTail(op, sem), true
	case pto.MaskLogic:
		return p.maskLogic(op, sem), true
	case pto.MaskRearrange:
		return p.maskRearrange(op, sem), true
	case pto.MaskLoad:
		return p.maskLoad(op, sem), true
	case pto.MaskStore:
		return p.maskStore(op, sem), true
	}
	return nil, false
}

// machineStep plans copies between memory spaces and synchronization.
func (p *planner) machineStep(op *ir.Op, sem any) (step, bool) {
	switch sem := sem.(type) {
	case pto.CopyBursts:
		return p.copyBursts(op, sem), true
	case pto.StoreAtomic:
		return p.storeAtomic(op, sem), true
	case pto.OperandRounding:
		return p.setRounding(op, sem), true
	case pto.WriteRegister:
		return p.writeRegister(op, sem), true
	case pto.ReadRegister:
		return p.readRegister(op, sem), true
	case pto.UbMap:
		return p.ubMap(op, sem), true
	case pto.UbMask:
		return p.setUbMask(op), true
	case pto.UbMaskMode:
		return p.ubMaskMode(sem), true
	case pto.SetFlag:
		return p.setFlag(op), true
	case pto.WaitFlag:
		return p.waitFlag(op), true
	case pto.CrossSet:
		return p.crossSet(op, sem.Reach), true
	case pto.CrossWait:
		return p.crossWait(op, sem.Reach), true
	case pto.SyncAllCores:
		return p.syncAll(op), true
	case pto.BufAcquire:
		return p.acquireBuffer(op), true
	case pto.BufRelease:
		return p.releaseBuffer(op), true
	case pto.Barrier, pto.MemoryFence:
		return nil, true // instructions run in order, and take effect at once
	}
	return nil, false
}

// cubeStep plans instructions of the cube unit.
func (p *planner) cubeStep(op *ir.Op, sem any) (step, bool) {
	switch sem := sem.(type) {
	case pto.Mad:
		return p.mad(op, sem), true
	case pto.LoadFractals:
		return p.loadFractals(op, sem), true
	case pto.LoadOperand:
		return p.loadOperand(op), true
	case pto.LoadScales:
		return p.loadScales(op), true
	case pto.LoadParams:
		return p.loadParams(op), true
	case pto.FillWords:
		return p.fillWords(op), true
	case pto.StoreProduct:
		return p.storeProduct(op, sem), true
	}
	return nil, false
}

// simtStep plans instructions of work items.
func (p *planner) simtStep(op *ir.Op, sem any) (step, bool) {
	switch sem := sem.(type) {
	case pto.SimtLaunch:
		return p.simtLaunch(op), true
	case pto.SimtDims:
		return p.simtDims(op), true
	case pto.WorkItem:
		return p.workItem(op, sem), true
	case pto.LaneMask:
		return p.laneMask(op, sem), true
	case pto.Vote:
		return p.vote(op, sem), true
	case pto.LaneShuffle:
		return p.laneShuffle(op, sem), true
	case pto.LaneReduce:
		return p.laneReduce(op, sem), true
	case pto.AtomicUpdate:
		return p.atomicUpdate(op, sem), true
	case pto.AtomicExchange:
		return p.atomicExchange(op), true
	case pto.AtomicCompare:
		return p.atomicCompare(op), true
	case pto.SignedMap:
		return p.elementwise(op, sem.For(op)), true
	case pto.WideProduct:
		return p.wideProduct(op), true
	case pto.PermuteBytes:
		return p.permuteBytes(op), true
	case pto.SimtConvert:
		c := pto.ConversionOf(op)
		return p.conversionStep(op, c, c.Rounding), true
	case pto.SyncThreads:
		return p.syncThreads(op), true
	case pto.ThreadFence:
		return nil, true // what is written is visible at once
	case pto.KeepState:
		return p.keepState(op), true
	case pto.ResumeState:
		return p.resumeState(op), true
	}
	return nil, false
}
