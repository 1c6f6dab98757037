package runtime

import (
	"slices"

	"ptogo/dialect/cf"
	fn "ptogo/dialect/func"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/routine"
	"ptogo/ir/scalar"
)

// plans are the routines that plan operations, by their kind of meaning;
// rowPlans go before them where an instruction works on vmi values.
type (
	plans = routine.Table[*planner, step]
	rows  = []routine.Row[*planner, step]
)

var allPlans, rowPlans plans

func init() { // the routines plan regions, so they lead back here
	rowPlans = routine.New(vmiRoutines)
	allPlans = routine.New(scalarsRoutines, structureRoutines, otherDialectsRoutines, viewsRoutines, tilesRoutines, vectorsRoutines, masksRoutines, machineRoutines, queueRoutines, commRoutines, cubeRoutines, simtRoutines)
}

// step returns the step of one operation. It returns nil where there is nothing
// to execute.
func (p *planner) step(op *ir.Op) step {
	p.at = op
	if op.Form().Level == ir.SSA && slices.ContainsFunc(op.Results(), func(v *ir.Value) bool { return ir.Is[pto.Tile](v.Type()) }) {
		p.errorf(op, "is in Level-1 form and must be bufferized before execution")
		return nil
	}
	s, ok := step(nil), false
	if isVMI(op) {
		s, ok = rowPlans.Run(p, op)
	}
	if !ok {
		s, ok = allPlans.Run(p, op)
	}
	switch {
	case ok:
		for _, add := range additions {
			s = add(p, op, s)
		}
		return s
	case op.Is(fn.Call):
		return p.call(op)
	}
	return p.unplanned(op)
}

// additions extend the step of an operation, each where it has something to
// add. Each wraps the previous ones, so their order decides what runs first:
// the last one runs first and decides whether the others run.
var additions = []func(p *planner, op *ir.Op, s step) step{
	(*planner).withOverlapCheck, // closest to the instruction, since it may execute it on copies of its tiles
	(*planner).withPoppedCheck,  // before the bytes are compared: a tile that was never popped into has none
	(*planner).withoutData,      // drops the instruction and its checks, so what follows must not depend on them
	(*planner).withEvents,       // also for dropped instructions, because the timing model needs their events
	(*planner).withWatchers,     // around the events, which come between Before and After
	(*planner).withPipe,         // outermost: a pipe may execute all of the above later
}

// unplanned refuses an operation without a routine.
func (p *planner) unplanned(op *ir.Op) step {
	p.errorf(op, "cannot be executed yet")
	return nil
}

// nothing is the routine for what needs none: nothing is left to do.
func (p *planner) nothing(*ir.Op) step { return nil }

// scalarsRoutines plan scalars and what lives on the stack.
func scalarsRoutines() rows {
	return rows{
		routine.Makes((*planner).literal),
		routine.Makes(func(p *planner, op *ir.Op, kind scalar.Elementwise) step { return p.elementwise(op, kind.Fn) }),
		routine.Makes((*planner).extended),
		routine.MakesFor[scalar.Comparison]((*planner).comparison),
		routine.MakesFor[scalar.Choice]((*planner).choice),
		routine.MakesFor[scalar.Cast]((*planner).cast),
		routine.MakesFor[scalar.Reinterpret]((*planner).reinterpret),
		routine.MakesFor[sem.CastPtr]((*planner).castPtr),
		routine.MakesFor[sem.AddPtr]((*planner).addPtr),
		routine.MakesFor[sem.LoadElement]((*planner).loadElement),
		routine.MakesFor[sem.StoreElement]((*planner).storeElement),
		routine.MakesAt(sem.Local{}, (*planner).declareLocal),
		routine.MakesAt(sem.Local{Act: sem.LocalGet}, (*planner).localGet),
		routine.MakesAt(sem.Local{Act: sem.LocalSet}, (*planner).localSet),
		routine.MakesAt(sem.Local{Events: true}, (*planner).declareEvents),
		routine.MakesAt(sem.Local{Act: sem.LocalGet, Events: true}, (*planner).eventGet),
		routine.MakesAt(sem.Local{Act: sem.LocalSet, Events: true}, (*planner).eventSet),
		routine.Makes((*planner).setBit),
		routine.Makes((*planner).query),
	}
}

// structureRoutines plan operations with regions.
func structureRoutines() rows {
	return rows{
		routine.Makes((*planner).control),
		routine.MakesFor[cf.Check]((*planner).assert),
		routine.Makes((*planner).scope),
	}
}

// otherDialectsRoutines plan what kernels use of memref and llvm.
func otherDialectsRoutines() rows {
	return rows{
		routine.Makes((*planner).memref),
		routine.Makes((*planner).llvm),
	}
}

// viewsRoutines plan what describes memory: views, tiles and parts of them.
func viewsRoutines() rows {
	return rows{
		routine.MakesFor[sem.MakeView]((*planner).makeView),
		routine.MakesFor[sem.PartView]((*planner).partView),
		routine.Makes((*planner).viewDim),
		routine.MakesFor[sem.AddressOf]((*planner).addressOf),
		routine.MakesFor[sem.AllocTile]((*planner).allocTile),
		routine.MakesFor[sem.TileSlot]((*planner).tileSlot),
		routine.MakesFor[sem.ScaleAddress]((*planner).nothing), // a tile of scales has memory of its own here
		routine.MakesFor[sem.PlaceTile]((*planner).placeTile),
		routine.MakesFor[sem.SubTile]((*planner).subTile),
		routine.MakesFor[sem.SameStorage]((*planner).sameStorage),
		routine.MakesFor[sem.SetValid]((*planner).setValid),
		routine.Makes((*planner).getValid),
	}
}

// tilesRoutines plan instructions on tiles.
func tilesRoutines() rows {
	return rows{
		routine.Makes((*planner).tileMap),
		routine.MakesFor[sem.TileLoad]((*planner).tileLoad),
		routine.MakesFor[sem.TileStore]((*planner).tileStore),
		routine.Makes((*planner).tileReduce),
		routine.Makes((*planner).tileExpand),
		routine.Makes((*planner).tilePart),
		routine.MakesFor[sem.TileCompare]((*planner).tileCompare),
		routine.MakesFor[sem.TileSelect]((*planner).tileSelect),
		routine.Makes((*planner).tileMatmul),
		routine.Makes((*planner).tileConvert),
		routine.Makes((*planner).tileMove),
		routine.MakesFor[sem.TilePad]((*planner).tilePad),
		routine.MakesFor[sem.TileTranspose]((*planner).tileTranspose),
		routine.Makes((*planner).tileConcat),
		routine.Makes((*planner).tileInterleave),
		routine.MakesFor[sem.TileSort]((*planner).tileSort),
		routine.MakesFor[sem.TileMerge]((*planner).tileMerge),
		routine.MakesFor[sem.MakePatches]((*planner).makePatches),
		routine.Makes((*planner).setPatches),
		routine.MakesFor[sem.TileImg2Col]((*planner).img2col),
		routine.MakesFor[sem.TileIndex]((*planner).tileIndex),
		routine.MakesFor[sem.TileTri]((*planner).tileTri),
		routine.MakesFor[sem.TileRandom]((*planner).tileRandom),
		routine.MakesFor[sem.TileGet]((*planner).tileGet),
		routine.MakesFor[sem.TileSet]((*planner).tileSet),
		routine.MakesFor[sem.TileGather]((*planner).tileGather),
		routine.MakesFor[sem.TileGatherBlocks]((*planner).tileGatherBlocks),
		routine.MakesFor[sem.TileScatter]((*planner).tileScatter),
		routine.MakesFor[sem.MemGather]((*planner).memGather),
		routine.MakesFor[sem.MemScatter]((*planner).memScatter),
		routine.MakesFor[sem.TileQuant]((*planner).tileQuant),
		routine.MakesFor[sem.TileDequant]((*planner).tileDequant),
		routine.MakesFor[sem.TileQuantMX]((*planner).tileQuantMX),
		routine.Makes((*planner).tileAddReluConvert),
		routine.MakesFor[sem.TilePairSum]((*planner).tilePairSum),
		routine.MakesFor[sem.TileHistogram]((*planner).tileHistogram),
	}
}

// vectorsRoutines plan instructions on vector registers.
func vectorsRoutines() rows {
	return rows{
		routine.Makes((*planner).vecMap),
		routine.Makes((*planner).vecExtended),
		routine.Makes((*planner).vecCarry),
		routine.MakesFor[sem.VecCompare]((*planner).vecCompare),
		routine.MakesFor[sem.VecSelect]((*planner).vecSelect),
		routine.Makes((*planner).vecConvert),
		routine.Makes((*planner).vecWiden),
		routine.MakesFor[sem.VecRound]((*planner).vecRound),
		routine.MakesFor[sem.VecBroadcast]((*planner).vecBroadcast),
		routine.MakesFor[sem.VecIndex]((*planner).vecIndex),
		routine.Makes((*planner).vecReduce),
		routine.Makes((*planner).vecHistogram),
		routine.Makes((*planner).vecRearrange),
		routine.MakesFor[sem.VecLoad]((*planner).vecLoad),
		routine.MakesFor[sem.VecStore]((*planner).vecStore),
		routine.Makes((*planner).vecBlocks),
		routine.Makes((*planner).vecGather),
		routine.MakesFor[sem.VecScatter]((*planner).vecScatter),
		routine.MakesFor[sem.AlignInit]((*planner).alignInit),
		routine.MakesFor[sem.AlignLoad]((*planner).alignLoad),
		routine.Makes((*planner).alignStore),
		routine.MakesFor[sem.AlignFlush]((*planner).alignFlush),
		routine.MakesAt(sem.StreamEnd{}, (*planner).sprClear),
		routine.Makes((*planner).sprStore),
		routine.Makes((*planner).vecSort),
		routine.MakesFor[sem.TransposeBlock]((*planner).transposeBlock),
	}
}

// masksRoutines plan instructions on masks.
func masksRoutines() rows {
	return rows{
		routine.Makes((*planner).maskPattern),
		routine.Makes((*planner).maskTail),
		routine.Makes((*planner).maskLogic),
		routine.Makes((*planner).maskRearrange),
		routine.Makes((*planner).maskLoad),
		routine.Makes((*planner).maskStore),
	}
}

// vmiRoutines plan instructions on vmi values.
func vmiRoutines() rows {
	return rows{
		routine.Makes((*planner).rowMap),
		routine.Makes((*planner).rowExtended),
		routine.Makes((*planner).rowCarry),
		routine.Makes((*planner).rowWiden),
		routine.MakesFor[sem.LaneCompare]((*planner).rowCompare),
		routine.MakesFor[sem.LaneConvert]((*planner).rowConvert),
		routine.Makes((*planner).rowReduce),
		routine.MakesFor[sem.GroupBroadcast]((*planner).rowBroadcast),
		routine.MakesFor[sem.GroupIndex]((*planner).rowIndex),
		routine.MakesFor[sem.PrefixMask]((*planner).prefixMask),
		routine.MakesFor[sem.MaskTail]((*planner).rowTail),
		routine.Makes((*planner).rowHistogram),
		routine.MakesFor[sem.LaneLoad]((*planner).rowLoad),
		routine.MakesFor[sem.LaneStore]((*planner).rowStore),
		routine.Makes((*planner).rowGather),
		routine.MakesFor[sem.LaneScatter]((*planner).rowScatter),
		routine.Makes((*planner).rowLiteral),
		routine.MakesFor[scalar.Choice]((*planner).rowChoice),
		routine.Makes((*planner).rowRearrange),
		routine.MakesFor[sem.PermuteBy]((*planner).rowShuffle),
		routine.Makes((*planner).rowChannels),
		routine.MakesFor[sem.Relayout]((*planner).rowCopy),
		routine.Makes((*planner).rowParts),
	}
}

// machineRoutines plan copies between memory spaces, registers and synchronization.
func machineRoutines() rows {
	return rows{
		routine.MakesFor[sem.CopyBursts]((*planner).copyBursts),
		routine.Makes((*planner).storeAtomic),
		routine.Makes((*planner).setRounding),
		routine.Makes((*planner).writeRegister),
		routine.Makes((*planner).readRegister),
		routine.MakesFor[sem.UbMap]((*planner).ubMap),
		routine.Makes((*planner).ubMask),
		routine.MakesFor[sem.SetFlag]((*planner).setFlag),
		routine.MakesFor[sem.WaitFlag]((*planner).waitFlag),
		routine.MakesFor[sem.CrossSet]((*planner).crossSet),
		routine.MakesFor[sem.CrossWait]((*planner).crossWait),
		routine.MakesFor[sem.SyncAllCores]((*planner).syncAll),
		routine.MakesFor[sem.BufAcquire]((*planner).acquireBuffer),
		routine.MakesFor[sem.BufRelease]((*planner).releaseBuffer),
		routine.MakesFor[sem.Barrier]((*planner).nothing),     // instructions run in order
		routine.MakesFor[sem.MemoryFence]((*planner).nothing), // and take effect at once
	}
}

// queueRoutines plan instructions on queues.
func queueRoutines() rows {
	return rows{
		routine.MakesFor[sem.QueueInit]((*planner).queueInit),
		routine.Makes((*planner).queueEntry),
		routine.MakesFor[sem.LocalBuffer]((*planner).bufferAddress),
		routine.Makes((*planner).queueScale),
		routine.MakesFor[sem.Declare]((*planner).declare),
	}
}

// commRoutines plan communication and debugging.
func commRoutines() rows {
	return rows{
		routine.MakesFor[sem.CommCopy]((*planner).commCopy),
		routine.MakesFor[sem.CommNotify]((*planner).commNotify),
		routine.Makes((*planner).commWait),
		routine.Makes((*planner).commCollective),
		routine.MakesFor[sem.CommSession]((*planner).nothing),
		routine.MakesFor[sem.Prefetch]((*planner).nothing), // a copy has returned when it is over
		routine.MakesFor[sem.CommEvent]((*planner).commEvent),
		routine.MakesFor[sem.Print]((*planner).print),
		routine.MakesFor[sem.Stop]((*planner).stop),
	}
}

// cubeRoutines plan instructions of the cube unit.
func cubeRoutines() rows {
	return rows{
		routine.MakesFor[sem.Mad]((*planner).mad),
		routine.MakesFor[sem.LoadFractals]((*planner).loadFractals),
		routine.MakesFor[sem.LoadOperand]((*planner).loadOperand),
		routine.MakesFor[sem.LoadScales]((*planner).loadScales),
		routine.MakesFor[sem.LoadParams]((*planner).loadParams),
		routine.MakesFor[sem.FillWords]((*planner).fillWords),
		routine.MakesFor[sem.StoreProduct]((*planner).storeProduct),
	}
}

// simtRoutines plan instructions of work items.
func simtRoutines() rows {
	return rows{
		routine.MakesFor[sem.SimtLaunch]((*planner).simtLaunch),
		routine.MakesFor[sem.SimtDims]((*planner).simtDims),
		routine.Makes((*planner).workItem),
		routine.Makes((*planner).laneMask),
		routine.Makes((*planner).vote),
		routine.Makes((*planner).laneShuffle),
		routine.Makes((*planner).laneReduce),
		routine.Makes((*planner).atomic),
		routine.Makes(func(p *planner, op *ir.Op, kind sem.SignedMap) step { return p.elementwise(op, kind.For(op)) }),
		routine.MakesFor[sem.WideProduct]((*planner).wideProduct),
		routine.MakesFor[sem.PermuteBytes]((*planner).permuteBytes),
		routine.MakesFor[sem.SimtConvert]((*planner).simtConvert),
		routine.MakesFor[sem.SyncThreads]((*planner).syncThreads),
		routine.MakesFor[sem.ThreadFence]((*planner).nothing), // what is written is visible at once
		routine.MakesAt(sem.KeptState{}, (*planner).keepState),
		routine.MakesAt(sem.KeptState{Resume: true}, (*planner).resumeState),
	}
}
