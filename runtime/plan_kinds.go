package runtime

import (
	"slices"

	"ptogo/dialect/cf"
	fn "ptogo/dialect/func"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// family plans some kinds of meaning.
type family func(p *planner, op *ir.Op, kind any) (s step, ok bool)

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
	p.at = op
	if op.Form().Level == ir.SSA && slices.ContainsFunc(op.Results(), func(v *ir.Value) bool { return ir.Is[pto.Tile](v.Type()) }) {
		p.errorf(op, "is in Level-1 form and must be bufferized before execution")
		return nil
	}
	kind := op.Def().Sem
	for _, plan := range families() {
		if s, ok := plan(p, op, kind); ok {
			return p.scheduled(op, p.watched(op, p.heard(op, p.skipped(op, p.defined(op, p.shared(op, s))))))
		}
	}
	if op.Is(fn.Call) {
		return p.call(op)
	}
	p.errorf(op, "cannot be executed yet")
	return nil
}

// scalarStep plans operations on scalars.
func (p *planner) scalarStep(op *ir.Op, kind any) (step, bool) {
	switch kind := kind.(type) {
	case scalar.Literal:
		return p.literal(op, kind), true
	case scalar.Elementwise:
		return p.elementwise(op, kind.Fn), true
	case scalar.Extended:
		return p.extended(op, kind), true
	case scalar.Comparison:
		return p.comparison(op), true
	case scalar.Choice:
		return p.choice(op), true
	case scalar.Cast:
		return p.cast(op), true
	case scalar.Reinterpret:
		return p.reinterpret(op), true
	case sem.CastPtr:
		return p.castPtr(op), true
	case sem.AddPtr:
		return p.addPtr(op), true
	case sem.LoadElement:
		return p.loadElement(op), true
	case sem.StoreElement:
		return p.storeElement(op), true
	case sem.DeclareLocal:
		return p.declareLocal(op), true
	case sem.LocalGet:
		return p.localGet(op), true
	case sem.LocalSet:
		return p.localSet(op), true
	case sem.SetBit:
		return p.setBit(op, kind), true
	case sem.Query:
		return p.query(op, kind), true
	}
	return nil, false
}

// structureStep plans operations with regions.
func (p *planner) structureStep(op *ir.Op, kind any) (step, bool) {
	switch kind := kind.(type) {
	case scf.Control:
		return p.control(op, kind), true
	case cf.Check:
		return p.assert(op), true
	case sem.Scope:
		return p.scope(op, kind), true
	}
	return nil, false
}

// viewStep plans what describes memory: views, tiles and parts of them.
func (p *planner) viewStep(op *ir.Op, kind any) (step, bool) {
	switch kind := kind.(type) {
	case sem.MakeView:
		return p.makeView(op), true
	case sem.PartView:
		return p.partView(op), true
	case sem.ViewDim:
		return p.viewDim(op, kind), true
	case sem.AddressOf:
		return p.addressOf(op), true
	case sem.AllocTile:
		return p.allocTile(op), true
	case sem.TileSlot:
		return p.tileSlot(op), true
	case sem.ScaleAddress:
		return nil, true // a tile of scales has memory of its own here
	case sem.PlaceTile:
		return p.placeTile(op), true
	case sem.SubTile:
		return p.subTile(op), true
	case sem.SameStorage:
		return p.sameStorage(op), true
	case sem.SetValid:
		return p.setValid(op), true
	case sem.GetValid:
		return p.getValid(op, kind), true
	}
	return nil, false
}

// tileStep plans instructions that compute tiles.
func (p *planner) tileStep(op *ir.Op, kind any) (step, bool) {
	switch kind := kind.(type) {
	case sem.TileMap:
		return p.tileMap(op, kind), true
	case sem.TileLoad:
		return p.tileLoad(op), true
	case sem.TileStore:
		return p.tileStore(op), true
	case sem.TileReduce:
		return p.tileReduce(op, kind), true
	case sem.TileExpand:
		return p.tileExpand(op, kind), true
	case sem.TilePart:
		return p.tilePart(op, kind), true
	case sem.TileCompare:
		return p.tileCompare(op), true
	case sem.TileSelect:
		return p.tileSelect(op), true
	case sem.TileMatmul:
		return p.tileMatmul(op, kind), true
	case sem.TileConvert:
		return p.tileConvert(op, kind), true
	}
	return p.tileMoveStep(op, kind)
}

// tileMoveStep plans instructions that move the elements of tiles.
func (p *planner) tileMoveStep(op *ir.Op, kind any) (step, bool) {
	switch kind := kind.(type) {
	case sem.TileMove:
		return p.tileMove(op, kind), true
	case sem.TilePad:
		return p.tilePad(op), true
	case sem.TileTranspose:
		return p.tileTranspose(op), true
	case sem.TileConcat:
		return p.tileConcat(op, kind), true
	case sem.TileInterleave:
		return p.tileInterleave(op, kind), true
	case sem.TileSort:
		return p.tileSort(op), true
	case sem.TileMerge:
		return p.tileMerge(op), true
	case sem.MakePatches:
		return p.makePatches(op), true
	case sem.SetPatches:
		return p.setPatches(op, kind), true
	case sem.TileImg2Col:
		return p.img2col(op), true
	}
	return nil, false
}

// vectorStep plans instructions on vector registers.
func (p *planner) vectorStep(op *ir.Op, kind any) (step, bool) {
	switch kind := kind.(type) {
	case sem.VecMap:
		return p.vecMap(op, kind), true
	case sem.VecExtended:
		return p.vecExtended(op, kind), true
	case sem.VecCarry:
		return p.vecCarry(op, kind), true
	case sem.VecCompare:
		return p.vecCompare(op), true
	case sem.VecSelect:
		return p.vecSelect(op), true
	case sem.VecConvert:
		return p.vecConvert(op, kind), true
	case sem.VecWiden:
		return p.vecWiden(op, kind), true
	case sem.VecRound:
		return p.vecRound(op), true
	case sem.VecBroadcast:
		return p.vecBroadcast(op), true
	case sem.VecIndex:
		return p.vecIndex(op), true
	case sem.VecReduce:
		return p.vecReduce(op, kind), true
	case sem.VecHistogram:
		return p.vecHistogram(op, kind), true
	case sem.VecRearrange:
		return p.vecRearrange(op, kind.Kind), true
	}
	return p.vectorMemoryStep(op, kind)
}

// vectorMemoryStep plans instructions between vector registers and memory.
func (p *planner) vectorMemoryStep(op *ir.Op, kind any) (step, bool) {
	switch kind := kind.(type) {
	case sem.VecLoad:
		return p.vecLoad(op), true
	case sem.VecStore:
		return p.vecStore(op), true
	case sem.VecBlocks:
		return p.vecBlocks(op, kind), true
	case sem.VecGather:
		return p.vecGather(op, kind), true
	case sem.VecScatter:
		return p.vecScatter(op), true
	case sem.AlignInit, sem.AlignPrime:
		return p.alignInit(op), true
	case sem.AlignLoad:
		return p.alignLoad(op), true
	case sem.AlignStore:
		return p.alignStore(op, kind), true
	case sem.AlignFlush:
		return p.alignFlush(op), true
	case sem.SprClear:
		return p.sprClear(op), true
	case sem.SprStore:
		return p.sprStore(op, kind), true
	case sem.SortGroups:
		return p.sortGroups(op), true
	case sem.SortValues:
		return p.sortValues(op), true
	case sem.TransposeBlock:
		return p.transposeBlock(op), true
	case sem.MergeSorted:
		return p.mergeSorted(op), true
	case sem.MergedCounts:
		return p.mergedCounts(op), true
	}
	return nil, false
}

// maskStep plans instructions on masks.
func (p *planner) maskStep(op *ir.Op, kind any) (step, bool) {
	switch kind := kind.(type) {
	case sem.MaskPattern:
		return p.maskPattern(op, kind), true
	case sem.MaskTail:
		return p.maskTail(op, kind), true
	case sem.MaskLogic:
		return p.maskLogic(op, kind), true
	case sem.MaskRearrange:
		return p.maskRearrange(op, kind), true
	case sem.MaskLoad:
		return p.maskLoad(op, kind), true
	case sem.MaskStore:
		return p.maskStore(op, kind), true
	}
	return nil, false
}

// machineStep plans copies between memory spaces and synchronization.
func (p *planner) machineStep(op *ir.Op, kind any) (step, bool) {
	switch kind := kind.(type) {
	case sem.CopyBursts:
		return p.copyBursts(op), true
	case sem.StoreAtomic:
		return p.storeAtomic(kind), true
	case sem.OperandRounding:
		return p.setRounding(op, kind), true
	case sem.WriteRegister:
		return p.writeRegister(op, kind), true
	case sem.ReadRegister:
		return p.readRegister(op, kind), true
	case sem.UbMap:
		return p.ubMap(op), true
	case sem.UbMask:
		return p.setUbMask(op), true
	case sem.UbMaskMode:
		return p.ubMaskMode(kind), true
	case sem.SetFlag:
		return p.setFlag(op), true
	case sem.WaitFlag:
		return p.waitFlag(op), true
	case sem.CrossSet:
		return p.crossSet(op, kind.Reach), true
	case sem.CrossWait:
		return p.crossWait(op, kind.Reach), true
	case sem.SyncAllCores:
		return p.syncAll(op), true
	case sem.BufAcquire:
		return p.acquireBuffer(op), true
	case sem.BufRelease:
		return p.releaseBuffer(op), true
	case sem.Barrier, sem.MemoryFence:
		return nil, true // instructions run in order, and take effect at once
	}
	return nil, false
}

// cubeStep plans instructions of the cube unit.
func (p *planner) cubeStep(op *ir.Op, kind any) (step, bool) {
	switch kind.(type) {
	case sem.Mad:
		return p.mad(op), true
	case sem.LoadFractals:
		return p.loadFractals(op), true
	case sem.LoadOperand:
		return p.loadOperand(op), true
	case sem.LoadScales:
		return p.loadScales(op), true
	case sem.LoadParams:
		return p.loadParams(op), true
	case sem.FillWords:
		return p.fillWords(op), true
	case sem.StoreProduct:
		return p.storeProduct(op), true
	}
	return nil, false
}

// simtStep plans instructions of work items.
func (p *planner) simtStep(op *ir.Op, kind any) (step, bool) {
	switch kind := kind.(type) {
	case sem.SimtLaunch:
		return p.simtLaunch(op), true
	case sem.SimtDims:
		return p.simtDims(op), true
	case sem.WorkItem:
		return p.workItem(op, kind), true
	case sem.LaneMask:
		return p.laneMask(op, kind), true
	case sem.Vote:
		return p.vote(op, kind), true
	case sem.LaneShuffle:
		return p.laneShuffle(op, kind), true
	case sem.LaneReduce:
		return p.laneReduce(op, kind), true
	case sem.AtomicUpdate:
		return p.atomicUpdate(op, kind), true
	case sem.AtomicExchange:
		return p.atomicExchange(op), true
	case sem.AtomicCompare:
		return p.atomicCompare(op), true
	case sem.SignedMap:
		return p.elementwise(op, kind.For(op)), true
	case sem.WideProduct:
		return p.wideProduct(op), true
	case sem.PermuteBytes:
		return p.permuteBytes(op), true
	case sem.SimtConvert:
		c := sem.ConversionOf(op)
		return p.conversionStep(op, c, c.Rounding), true
	case sem.SyncThreads:
		return p.syncThreads(op), true
	case sem.ThreadFence:
		return nil, true // what is written is visible at once
	case sem.KeepState:
		return p.keepState(op), true
	case sem.ResumeState:
		return p.resumeState(op), true
	}
	return nil, false
}
