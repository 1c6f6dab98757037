package codegen

import (
	"reflect"
	"slices"

	"ptogo/dialect/cf"
	fn "ptogo/dialect/func"
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// writer is the routine for a kind of meaning.
type writer struct {
	kind  reflect.Type
	write func(f *function, op *ir.Op, sem any)
}

// with is a routine that looks at the parameters of the kind.
func with[S any](w func(*function, *ir.Op, S)) writer {
	return writer{reflect.TypeFor[S](), func(f *function, op *ir.Op, sem any) { w(f, op, sem.(S)) }}
}

// plain is a routine for a kind without parameters that matter here.
func plain[S any](w func(*function, *ir.Op)) writer {
	return writer{reflect.TypeFor[S](), func(f *function, op *ir.Op, _ any) { w(f, op) }}
}

// writers has the routine for each kind of meaning that can be written.
var writers = map[reflect.Type]func(f *function, op *ir.Op, sem any){}

// rowWriters are used instead where an instruction works on vmi values.
var rowWriters = map[reflect.Type]func(f *function, op *ir.Op, sem any){}

func init() { // the routines write regions, so they lead back here
	for _, w := range vmiWriters() {
		rowWriters[w.kind] = w.write
	}
	for _, w := range slices.Concat(scalarWriters(), machineWriters(), commWriters(), simtWriters(), viewWriters(), tileWriters(), vectorWriters(), maskWriters(), cubeWriters(), ubWriters()) {
		writers[w.kind] = w.write
	}
}

// Writes reports whether there is a routine for a kind of meaning (ir.Def.Sem).
// What it does not take of the kind it says when it meets it.
func Writes(sem any) bool {
	t := reflect.TypeOf(sem)
	return writers[t] != nil || rowWriters[t] != nil
}

// write writes one operation.
func (f *function) write(op *ir.Op) {
	sem := op.Def().Sem
	w := writers[reflect.TypeOf(sem)]
	if onRows(op) && rowWriters[reflect.TypeOf(sem)] != nil {
		w = rowWriters[reflect.TypeOf(sem)]
	}
	switch {
	case w != nil:
		w(f, op, sem)
	case op.Is(fn.Call):
		f.callFunc(op)
	case op.Is(fn.Return):
		f.giveBack(op)
	default:
		f.unsupported(op)
	}
}

// inOrder writes what orders instructions, asks for data ahead, or tells where
// tiles are placed that have places here: nothing. Instructions run in program
// order, which is one of the orders that is allowed.
func (f *function) inOrder(*ir.Op) {}

// scalarWriters write scalars and control flow.
func scalarWriters() []writer {
	return []writer{
		with((*function).literal),
		with((*function).elementwise),
		with((*function).extended),
		plain[scalar.Comparison]((*function).comparison),
		plain[scalar.Choice]((*function).choice),
		plain[scalar.Cast]((*function).cast),
		plain[scalar.Reinterpret]((*function).reinterpret),
		with((*function).control),
		with((*function).jumpTo),
		plain[cf.Check]((*function).assert),
		with((*function).llvmAction),
		with((*function).memrefAction),
	}
}

// machineWriters write the scalar unit and the machine.
func machineWriters() []writer {
	return []writer{
		plain[pto.CastPtr]((*function).castPtr),
		plain[pto.AddPtr]((*function).addPtr),
		with((*function).query),
		with((*function).copyBursts),
		plain[pto.SetFlag]((*function).inOrder),
		plain[pto.WaitFlag]((*function).inOrder),
		plain[pto.Barrier]((*function).inOrder),
		plain[pto.BufAcquire]((*function).inOrder),
		plain[pto.BufRelease]((*function).inOrder),
		plain[pto.MemoryFence]((*function).inOrder),
		with((*function).scope),
		plain[pto.ScopeYield]((*function).scopeYield),
		plain[pto.LoadElement]((*function).loadScalar),
		plain[pto.StoreElement]((*function).storeScalar),
		with((*function).setBit),
		with((*function).readRegister),
		with((*function).writeRegister),
		with((*function).storeAtomic),
		plain[pto.DeclareLocal]((*function).declareLocal),
		plain[pto.LocalGet]((*function).localGet),
		plain[pto.LocalSet]((*function).localSet),
		plain[pto.EventArray]((*function).declareEvents),
		plain[pto.EventArrayGet]((*function).eventGet),
		plain[pto.EventArraySet]((*function).eventSet),
		plain[pto.Stop]((*function).stop),
		plain[pto.Print]((*function).print),
		with((*function).crossSet),
		with((*function).crossWait),
		plain[pto.SyncAllCores]((*function).syncAll),
		plain[pto.QueueInit]((*function).queueInit),
		with((*function).queueAlloc),
		with((*function).queuePush),
		with((*function).queuePop),
		with((*function).queueFree),
		with((*function).queueScale),
		plain[pto.ReserveBuffer]((*function).bufferAddress),
		plain[pto.ImportBuffer]((*function).bufferAddress),
		plain[pto.Declare]((*function).declareName),
	}
}

// commWriters write communication.
func commWriters() []writer {
	return []writer{
		plain[pto.CommCopy]((*function).commCopy),
		plain[pto.CommNotify]((*function).commNotify),
		with((*function).commWait),
		with((*function).commCollective),
		plain[pto.CommSession]((*function).inOrder),
		plain[pto.CommEvent]((*function).commEvent),
		plain[pto.Prefetch]((*function).inOrder),
	}
}

// simtWriters write what work items run.
func simtWriters() []writer {
	return []writer{
		plain[pto.SimtLaunch]((*function).simtLaunch),
		plain[pto.SimtDims]((*function).simtDims),
		with((*function).workItem),
		with((*function).lanesBeside),
		with((*function).vote),
		with((*function).laneShuffle),
		with((*function).laneReduce),
		with((*function).atomicUpdate),
		plain[pto.AtomicExchange]((*function).atomicExchange),
		plain[pto.AtomicCompare]((*function).atomicCompare),
		with((*function).signedMap),
		plain[pto.WideProduct]((*function).wideProduct),
		plain[pto.PermuteBytes]((*function).permuteBytes),
		plain[pto.SimtConvert]((*function).simtConvert),
		plain[pto.SyncThreads]((*function).syncThreads),
		plain[pto.ThreadFence]((*function).inOrder),
		plain[pto.KeepState]((*function).keepState),
		plain[pto.ResumeState]((*function).resumeState),
	}
}

// viewWriters write what describes memory.
func viewWriters() []writer {
	return []writer{
		plain[pto.MakeView]((*function).makeView),
		plain[pto.PartView]((*function).partView),
		plain[pto.AllocTile]((*function).allocTile),
		with((*function).viewDim),
		plain[pto.AddressOf]((*function).addressOfValue),
		plain[pto.TileSlot]((*function).tileSlot),
		plain[pto.PlaceTile]((*function).placeTile),
		plain[pto.ScaleAddress]((*function).inOrder),
		plain[pto.SubTile]((*function).subTile),
		plain[pto.SameStorage]((*function).sameStorage),
		plain[pto.SetValid]((*function).setValid),
		with((*function).getValid),
	}
}

// tileWriters write tiles.
func tileWriters() []writer {
	return []writer{
		with((*function).tileMap),
		plain[pto.TileLoad]((*function).tileLoad),
		plain[pto.TileStore]((*function).tileStore),
		plain[pto.TileCompare]((*function).tileCompare),
		plain[pto.TileSelect]((*function).tileSelect),
		with((*function).tileReduce),
		with((*function).tileExpand),
		with((*function).tilePart),
		with((*function).tileConvert),
		with((*function).tileMove),
		plain[pto.TilePad]((*function).tilePad),
		plain[pto.TileTranspose]((*function).tileTranspose),
		with((*function).tileConcat),
		with((*function).tileInterleave),
		plain[pto.MakePatches]((*function).makePatches),
		with((*function).setPatches),
		plain[pto.TileImg2Col]((*function).img2col),
		with((*function).tileMatmul),
		with((*function).setRounding),
		plain[pto.TileSort]((*function).tileSort),
		plain[pto.TileMerge]((*function).tileMerge),
		plain[pto.TileIndex]((*function).tileIndex),
		plain[pto.TileTri]((*function).tileTri),
		plain[pto.TileGet]((*function).tileGet),
		plain[pto.TileSet]((*function).tileSet),
		plain[pto.TileGather]((*function).tileGather),
		plain[pto.TileGatherBlocks]((*function).tileGatherBlocks),
		plain[pto.TileScatter]((*function).tileScatter),
		plain[pto.MemGather]((*function).memGather),
		plain[pto.MemScatter]((*function).memScatter),
		plain[pto.TileRandom]((*function).tileRandom),
		plain[pto.TileHistogram]((*function).tileHistogram),
		plain[pto.TilePairSum]((*function).pairSum),
		with((*function).addReluConvert),
		plain[pto.TileQuantMX]((*function).tileQuantMX),
		plain[pto.TileQuant]((*function).tileQuant),
		plain[pto.TileDequant]((*function).tileDequant),
	}
}

// maskWriters write masks.
func maskWriters() []writer {
	return []writer{
		with((*function).maskPattern),
		with((*function).maskTail),
		with((*function).maskLogic),
		with((*function).maskRearrange),
		with((*function).maskLoad),
		with((*function).maskStore),
	}
}

// vectorWriters write registers.
func vectorWriters() []writer {
	return []writer{
		with((*function).vecMap),
		with((*function).vecExtended),
		with((*function).vecCarry),
		plain[pto.VecRound]((*function).vecRound),
		plain[pto.VecCompare]((*function).vecCompare),
		plain[pto.VecSelect]((*function).vecSelect),
		plain[pto.VecBroadcast]((*function).vecBroadcast),
		plain[pto.VecIndex]((*function).vecIndex),
		with((*function).vecConvert),
		with((*function).vecWiden),
		with((*function).vecReduce),
		with((*function).vecHistogram),
		with((*function).vecRearrange),
		plain[pto.VecLoad]((*function).vecLoad),
		plain[pto.VecStore]((*function).vecStore),
		with((*function).vecBlocks),
		with((*function).vecGather),
		plain[pto.VecScatter]((*function).vecScatter),
		plain[pto.SortGroups]((*function).sortGroups),
		plain[pto.MergeSorted]((*function).mergeSorted),
		plain[pto.SortValues]((*function).sortValues),
		plain[pto.TransposeBlock]((*function).transposeBlock),
		plain[pto.MergedCounts]((*function).mergedCounts),
		plain[pto.AlignInit]((*function).alignInit),
		plain[pto.AlignPrime]((*function).alignInit),
		plain[pto.AlignLoad]((*function).alignLoad),
		with((*function).alignStore),
		plain[pto.AlignFlush]((*function).alignFlush),
		plain[pto.SprClear]((*function).sprClear),
		with((*function).sprStore),
	}
}

// vmiWriters write instructions on vmi values.
func vmiWriters() []writer {
	return []writer{
		with((*function).rowMap),
		with((*function).rowExtended),
		with((*function).rowCarry),
		with((*function).rowWiden),
		plain[pto.LaneCompare]((*function).rowCompare),
		plain[pto.LaneConvert]((*function).rowConvert),
		with((*function).rowReduce),
		plain[pto.GroupBroadcast]((*function).rowBroadcast),
		plain[pto.GroupIndex]((*function).rowIndex),
		plain[pto.PrefixMask]((*function).prefixMask),
		plain[pto.MaskTail]((*function).rowTail),
		with((*function).rowHistogram),
		plain[pto.LaneLoad]((*function).rowLoad),
		plain[pto.LaneStore]((*function).rowStore),
		with((*function).rowGather),
		plain[pto.LaneScatter]((*function).rowScatter),
		with((*function).rowLiteral),
		plain[scalar.Choice]((*function).rowChoice),
		with((*function).rowRearrange),
		plain[pto.PermuteBy]((*function).rowShuffle),
		with((*function).rowChannels),
		plain[pto.Relayout]((*function).rowCopy),
		with((*function).rowParts),
	}
}

// cubeWriters write the cube unit.
func cubeWriters() []writer {
	return []writer{
		with((*function).mad),
		with((*function).loadFractals),
		plain[pto.LoadOperand]((*function).loadOperand),
		plain[pto.LoadScales]((*function).loadScales),
		plain[pto.LoadParams]((*function).loadParams),
		plain[pto.FillWords]((*function).fillWords),
		with((*function).storeProduct),
	}
}

// ubWriters write rows of the unified buffer.
func ubWriters() []writer {
	return []writer{
		with((*function).ubMap),
		plain[pto.UbMask]((*function).setUbMask),
		with((*function).ubMaskMode),
	}
}
