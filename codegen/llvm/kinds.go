package llvm

import (
	"ptogo/dialect/cf"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/routine"
	"ptogo/ir/scalar"
)

// Which routine emits which kind of meaning. An instruction is looked up by its kind,
// never by its name, so one that is added with a kind from these tables needs no code
// here.

// Routines write operations, by their kind of meaning.
type (
	routines = routine.Table[*function, routine.Done]
	rows     = []routine.Row[*function, routine.Done]
)

var (
	writers    routines // for each kind that can be written
	rowWriters routines // used instead where an instruction works on vmi values
)

func init() { // the routines write regions, so they lead back here
	rowWriters = routine.New(vmiWriters)
	writers = routine.New(scalarWriters, machineWriters, commWriters, simtWriters, viewWriters, tileWriters, vectorWriters, maskWriters, cubeWriters, ubWriters)
}

// Writes reports whether there is a routine for a kind of meaning (ir.Def.Sem).
// What it does not take of the kind it says when it meets it.
func Writes(kind ir.Meaning) bool { return writers.Has(kind) || rowWriters.Has(kind) }

// write emits one operation.
func (f *function) write(op *ir.Op) {
	defer f.guard(op)
	kind := op.Def().Sem
	switch {
	case onRows(op) && rowWriters.Has(kind):
		f.shared(op)
		f.checkExtents(op)
		rowWriters.Run(f, op)
	case writers.Has(kind):
		f.shared(op)
		f.checkExtents(op)
		writers.Run(f, op)
	case op.Is(fn.Call):
		f.callFunc(op)
	case op.Is(fn.Return):
		f.giveBack(op)
	default:
		f.unsupported(op)
	}
}

// guard makes an error of a panic, which is a mistake of ours and none of the
// program.
func (f *function) guard(op *ir.Op) {
	if x := recover(); x != nil {
		f.errorf(op, "cannot be written as LLVM IR because of a mistake in this tool: %v", x).Note(ir.Loc{}, ir.ReportIt)
	}
}

// inOrder writes what orders instructions, asks for data ahead, or tells where
// tiles are placed that have places here: nothing. Instructions run in program
// order, which is one of the orders that is allowed.
func (f *function) inOrder(*ir.Op) {}

// scalarWriters write scalars and control flow.
func scalarWriters() rows {
	return rows{
		routine.Does((*function).literal),
		routine.Does((*function).elementwise),
		routine.Does((*function).extended),
		routine.DoesFor[scalar.Comparison]((*function).comparison),
		routine.DoesFor[scalar.Choice]((*function).choice),
		routine.DoesFor[scalar.Cast]((*function).cast),
		routine.DoesFor[scalar.Reinterpret]((*function).reinterpret),
		routine.Does((*function).control),
		routine.Does((*function).jumpTo),
		routine.DoesFor[cf.Check]((*function).assert),
		routine.Does((*function).llvmAction),
		routine.Does((*function).memrefAction),
	}
}

// machineWriters write the scalar unit and the machine.
func machineWriters() rows {
	return rows{
		routine.DoesFor[sem.CastPtr]((*function).castPtr),
		routine.DoesFor[sem.AddPtr]((*function).addPtr),
		routine.Does((*function).query),
		routine.DoesFor[sem.CopyBursts]((*function).copyBursts),
		routine.DoesFor[sem.SetFlag]((*function).inOrder),
		routine.DoesFor[sem.WaitFlag]((*function).inOrder),
		routine.DoesFor[sem.Barrier]((*function).inOrder),
		routine.DoesFor[sem.BufAcquire]((*function).inOrder),
		routine.DoesFor[sem.BufRelease]((*function).inOrder),
		routine.DoesFor[sem.MemoryFence]((*function).inOrder),
		routine.Does((*function).scope),
		routine.DoesFor[sem.ScopeYield]((*function).scopeYield),
		routine.DoesFor[sem.LoadElement]((*function).loadScalar),
		routine.DoesFor[sem.StoreElement]((*function).storeScalar),
		routine.Does((*function).setBit),
		routine.Does((*function).readRegister),
		routine.Does((*function).writeRegister),
		routine.Does((*function).storeAtomic),
		routine.DoesAt(sem.Local{}, (*function).declareLocal),
		routine.DoesAt(sem.Local{Act: sem.LocalGet}, (*function).localGet),
		routine.DoesAt(sem.Local{Act: sem.LocalSet}, (*function).localSet),
		routine.DoesAt(sem.Local{Events: true}, (*function).declareEvents),
		routine.DoesAt(sem.Local{Act: sem.LocalGet, Events: true}, (*function).eventGet),
		routine.DoesAt(sem.Local{Act: sem.LocalSet, Events: true}, (*function).eventSet),
		routine.DoesFor[sem.Stop]((*function).stop),
		routine.DoesFor[sem.Print]((*function).print),
		routine.DoesFor[sem.CrossSet]((*function).crossSet),
		routine.DoesFor[sem.CrossWait]((*function).crossWait),
		routine.DoesFor[sem.SyncAllCores]((*function).syncAll),
		routine.DoesFor[sem.QueueInit]((*function).queueInit),
		routine.Does((*function).queueEntry),
		routine.Does((*function).queueScale),
		routine.DoesFor[sem.LocalBuffer]((*function).bufferAddress),
		routine.DoesFor[sem.Declare]((*function).declareName),
	}
}

// commWriters write communication.
func commWriters() rows {
	return rows{
		routine.DoesFor[sem.CommCopy]((*function).commCopy),
		routine.DoesFor[sem.CommNotify]((*function).commNotify),
		routine.Does((*function).commWait),
		routine.Does((*function).commCollective),
		routine.DoesFor[sem.CommSession]((*function).inOrder),
		routine.DoesFor[sem.CommEvent]((*function).commEvent),
		routine.DoesFor[sem.Prefetch]((*function).inOrder),
	}
}

// simtWriters write what work items run.
func simtWriters() rows {
	return rows{
		routine.DoesFor[sem.SimtLaunch]((*function).simtLaunch),
		routine.DoesFor[sem.SimtDims]((*function).simtDims),
		routine.Does((*function).workItem),
		routine.Does((*function).lanesBeside),
		routine.Does((*function).vote),
		routine.Does((*function).laneShuffle),
		routine.Does((*function).laneReduce),
		routine.Does((*function).atomicAccess),
		routine.Does((*function).signedMap),
		routine.DoesFor[sem.WideProduct]((*function).wideProduct),
		routine.DoesFor[sem.PermuteBytes]((*function).permuteBytes),
		routine.DoesFor[sem.SimtConvert]((*function).simtConvert),
		routine.DoesFor[sem.SyncThreads]((*function).syncThreads),
		routine.DoesFor[sem.ThreadFence]((*function).inOrder),
		routine.DoesAt(sem.KeptState{}, (*function).keepState),
		routine.DoesAt(sem.KeptState{Resume: true}, (*function).resumeState),
	}
}

// viewWriters write what describes memory.
func viewWriters() rows {
	return rows{
		routine.DoesFor[sem.MakeView]((*function).makeView),
		routine.DoesFor[sem.PartView]((*function).partView),
		routine.DoesFor[sem.AllocTile]((*function).allocTile),
		routine.Does((*function).viewDim),
		routine.DoesFor[sem.AddressOf]((*function).addressOfValue),
		routine.DoesFor[sem.TileSlot]((*function).tileSlot),
		routine.DoesFor[sem.PlaceTile]((*function).placeTile),
		routine.DoesFor[sem.ScaleAddress]((*function).inOrder),
		routine.DoesFor[sem.SubTile]((*function).subTile),
		routine.DoesFor[sem.SameStorage]((*function).sameStorage),
		routine.DoesFor[sem.SetValid]((*function).setValid),
		routine.Does((*function).getValid),
	}
}

// tileWriters write tiles.
func tileWriters() rows {
	return rows{
		routine.Does((*function).tileMap),
		routine.DoesFor[sem.TileLoad]((*function).tileLoad),
		routine.DoesFor[sem.TileStore]((*function).tileStore),
		routine.DoesFor[sem.TileCompare]((*function).tileCompare),
		routine.DoesFor[sem.TileSelect]((*function).tileSelect),
		routine.Does((*function).tileReduce),
		routine.Does((*function).tileExpand),
		routine.Does((*function).tilePart),
		routine.Does((*function).tileConvert),
		routine.Does((*function).tileMove),
		routine.DoesFor[sem.TilePad]((*function).tilePad),
		routine.DoesFor[sem.TileTranspose]((*function).tileTranspose),
		routine.Does((*function).tileConcat),
		routine.Does((*function).tileInterleave),
		routine.DoesFor[sem.MakePatches]((*function).makePatches),
		routine.Does((*function).setPatches),
		routine.DoesFor[sem.TileImg2Col]((*function).img2col),
		routine.Does((*function).tileMatmul),
		routine.Does((*function).setRounding),
		routine.DoesFor[sem.TileSort]((*function).tileSort),
		routine.DoesFor[sem.TileMerge]((*function).tileMerge),
		routine.DoesFor[sem.TileIndex]((*function).tileIndex),
		routine.DoesFor[sem.TileTri]((*function).tileTri),
		routine.DoesFor[sem.TileGet]((*function).tileGet),
		routine.DoesFor[sem.TileSet]((*function).tileSet),
		routine.DoesFor[sem.TileGather]((*function).tileGather),
		routine.DoesFor[sem.TileGatherBlocks]((*function).tileGatherBlocks),
		routine.DoesFor[sem.TileScatter]((*function).tileScatter),
		routine.DoesFor[sem.MemGather]((*function).memGather),
		routine.DoesFor[sem.MemScatter]((*function).memScatter),
		routine.DoesFor[sem.TileRandom]((*function).tileRandom),
		routine.DoesFor[sem.TileHistogram]((*function).tileHistogram),
		routine.DoesFor[sem.TilePairSum]((*function).pairSum),
		routine.Does((*function).addReluConvert),
		routine.DoesFor[sem.TileQuantMX]((*function).tileQuantMX),
		routine.DoesFor[sem.TileQuant]((*function).tileQuant),
		routine.DoesFor[sem.TileDequant]((*function).tileDequant),
	}
}

// maskWriters write masks.
func maskWriters() rows {
	return rows{
		routine.Does((*function).maskPattern),
		routine.Does((*function).maskTail),
		routine.Does((*function).maskLogic),
		routine.Does((*function).maskRearrange),
		routine.Does((*function).maskLoad),
		routine.Does((*function).maskStore),
	}
}

// vectorWriters write registers.
func vectorWriters() rows {
	return rows{
		routine.Does((*function).vecMap),
		routine.Does((*function).vecExtended),
		routine.Does((*function).vecCarry),
		routine.DoesFor[sem.VecRound]((*function).vecRound),
		routine.DoesFor[sem.VecCompare]((*function).vecCompare),
		routine.DoesFor[sem.VecSelect]((*function).vecSelect),
		routine.DoesFor[sem.VecBroadcast]((*function).vecBroadcast),
		routine.DoesFor[sem.VecIndex]((*function).vecIndex),
		routine.Does((*function).vecConvert),
		routine.Does((*function).vecWiden),
		routine.Does((*function).vecReduce),
		routine.Does((*function).vecHistogram),
		routine.Does((*function).vecRearrange),
		routine.DoesFor[sem.VecLoad]((*function).vecLoad),
		routine.DoesFor[sem.VecStore]((*function).vecStore),
		routine.Does((*function).vecBlocks),
		routine.Does((*function).vecGather),
		routine.DoesFor[sem.VecScatter]((*function).vecScatter),
		routine.Does((*function).vecSort),
		routine.DoesFor[sem.TransposeBlock]((*function).transposeBlock),
		routine.DoesFor[sem.AlignInit]((*function).alignInit),
		routine.DoesFor[sem.AlignLoad]((*function).alignLoad),
		routine.Does((*function).alignStore),
		routine.DoesFor[sem.AlignFlush]((*function).alignFlush),
		routine.DoesAt(sem.StreamEnd{}, (*function).sprClear),
		routine.Does((*function).sprStore),
	}
}

// vmiWriters write instructions on vmi values.
func vmiWriters() rows {
	return rows{
		routine.Does((*function).rowMap),
		routine.Does((*function).rowExtended),
		routine.Does((*function).rowCarry),
		routine.Does((*function).rowWiden),
		routine.DoesFor[sem.LaneCompare]((*function).rowCompare),
		routine.DoesFor[sem.LaneConvert]((*function).rowConvert),
		routine.Does((*function).rowReduce),
		routine.DoesFor[sem.GroupBroadcast]((*function).rowBroadcast),
		routine.DoesFor[sem.GroupIndex]((*function).rowIndex),
		routine.DoesFor[sem.PrefixMask]((*function).prefixMask),
		routine.DoesFor[sem.MaskTail]((*function).rowTail),
		routine.Does((*function).rowHistogram),
		routine.DoesFor[sem.LaneLoad]((*function).rowLoad),
		routine.DoesFor[sem.LaneStore]((*function).rowStore),
		routine.Does((*function).rowGather),
		routine.DoesFor[sem.LaneScatter]((*function).rowScatter),
		routine.Does((*function).rowLiteral),
		routine.DoesFor[scalar.Choice]((*function).rowChoice),
		routine.Does((*function).rowRearrange),
		routine.DoesFor[sem.PermuteBy]((*function).rowShuffle),
		routine.Does((*function).rowChannels),
		routine.DoesFor[sem.Relayout]((*function).rowCopy),
		routine.Does((*function).rowParts),
	}
}

// cubeWriters write the cube unit.
func cubeWriters() rows {
	return rows{
		routine.DoesFor[sem.Mad]((*function).mad),
		routine.DoesFor[sem.LoadFractals]((*function).loadFractals),
		routine.DoesFor[sem.LoadOperand]((*function).loadOperand),
		routine.DoesFor[sem.LoadScales]((*function).loadScales),
		routine.DoesFor[sem.LoadParams]((*function).loadParams),
		routine.DoesFor[sem.FillWords]((*function).fillWords),
		routine.DoesFor[sem.StoreProduct]((*function).storeProduct),
	}
}

// ubWriters write rows of the unified buffer.
func ubWriters() rows {
	return rows{
		routine.DoesFor[sem.UbMap]((*function).ubMap),
		routine.Does((*function).ubMask),
	}
}
