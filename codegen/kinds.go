package codegen

import (
	"reflect"
	"slices"

	"ptogo/dialect/cf"
	fn "ptogo/dialect/func"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// writer is the routine for a kind of meaning.
type writer struct {
	kind  reflect.Type
	write func(f *function, op *ir.Op, kind any)
}

// with is a routine that looks at the parameters of the kind.
func with[S any](w func(*function, *ir.Op, S)) writer {
	return writer{reflect.TypeFor[S](), func(f *function, op *ir.Op, kind any) { w(f, op, kind.(S)) }}
}

// plain is a routine for a kind without parameters that matter here.
func plain[S any](w func(*function, *ir.Op)) writer {
	return writer{reflect.TypeFor[S](), func(f *function, op *ir.Op, _ any) { w(f, op) }}
}

// writers has the routine for each kind of meaning that can be written.
var writers = map[reflect.Type]func(f *function, op *ir.Op, kind any){}

// rowWriters are used instead where an instruction works on vmi values.
var rowWriters = map[reflect.Type]func(f *function, op *ir.Op, kind any){}

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
func Writes(kind any) bool {
	t := reflect.TypeOf(kind)
	return writers[t] != nil || rowWriters[t] != nil
}

// write writes one operation.
func (f *function) write(op *ir.Op) {
	defer f.guard(op)
	kind := op.Def().Sem
	w := writers[reflect.TypeOf(kind)]
	if onRows(op) && rowWriters[reflect.TypeOf(kind)] != nil {
		w = rowWriters[reflect.TypeOf(kind)]
	}
	switch {
	case w != nil:
		f.shared(op)
		w(f, op, kind)
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
		plain[sem.CastPtr]((*function).castPtr),
		plain[sem.AddPtr]((*function).addPtr),
		with((*function).query),
		plain[sem.CopyBursts]((*function).copyBursts),
		plain[sem.SetFlag]((*function).inOrder),
		plain[sem.WaitFlag]((*function).inOrder),
		plain[sem.Barrier]((*function).inOrder),
		plain[sem.BufAcquire]((*function).inOrder),
		plain[sem.BufRelease]((*function).inOrder),
		plain[sem.MemoryFence]((*function).inOrder),
		with((*function).scope),
		plain[sem.ScopeYield]((*function).scopeYield),
		plain[sem.LoadElement]((*function).loadScalar),
		plain[sem.StoreElement]((*function).storeScalar),
		with((*function).setBit),
		with((*function).readRegister),
		with((*function).writeRegister),
		with((*function).storeAtomic),
		plain[sem.DeclareLocal]((*function).declareLocal),
		plain[sem.LocalGet]((*function).localGet),
		plain[sem.LocalSet]((*function).localSet),
		plain[sem.EventArray]((*function).declareEvents),
		plain[sem.EventArrayGet]((*function).eventGet),
		plain[sem.EventArraySet]((*function).eventSet),
		plain[sem.Stop]((*function).stop),
		plain[sem.Print]((*function).print),
		with((*function).crossSet),
		with((*function).crossWait),
		plain[sem.SyncAllCores]((*function).syncAll),
		plain[sem.QueueInit]((*function).queueInit),
		with((*function).queueAlloc),
		with((*function).queuePush),
		with((*function).queuePop),
		with((*function).queueFree),
		with((*function).queueScale),
		plain[sem.ReserveBuffer]((*function).bufferAddress),
		plain[sem.ImportBuffer]((*function).bufferAddress),
		plain[sem.Declare]((*function).declareName),
	}
}

// commWriters write communication.
func commWriters() []writer {
	return []writer{
		plain[sem.CommCopy]((*function).commCopy),
		plain[sem.CommNotify]((*function).commNotify),
		with((*function).commWait),
		with((*function).commCollective),
		plain[sem.CommSession]((*function).inOrder),
		plain[sem.CommEvent]((*function).commEvent),
		plain[sem.Prefetch]((*function).inOrder),
	}
}

// simtWriters write what work items run.
func simtWriters() []writer {
	return []writer{
		plain[sem.SimtLaunch]((*function).simtLaunch),
		plain[sem.SimtDims]((*function).simtDims),
		with((*function).workItem),
		with((*function).lanesBeside),
		with((*function).vote),
		with((*function).laneShuffle),
		with((*function).laneReduce),
		with((*function).atomicUpdate),
		plain[sem.AtomicExchange]((*function).atomicExchange),
		plain[sem.AtomicCompare]((*function).atomicCompare),
		with((*function).signedMap),
		plain[sem.WideProduct]((*function).wideProduct),
		plain[sem.PermuteBytes]((*function).permuteBytes),
		plain[sem.SimtConvert]((*function).simtConvert),
		plain[sem.SyncThreads]((*function).syncThreads),
		plain[sem.ThreadFence]((*function).inOrder),
		plain[sem.KeepState]((*function).keepState),
		plain[sem.ResumeState]((*function).resumeState),
	}
}

// viewWriters write what describes memory.
func viewWriters() []writer {
	return []writer{
		plain[sem.MakeView]((*function).makeView),
		plain[sem.PartView]((*function).partView),
		plain[sem.AllocTile]((*function).allocTile),
		with((*function).viewDim),
		plain[sem.AddressOf]((*function).addressOfValue),
		plain[sem.TileSlot]((*function).tileSlot),
		plain[sem.PlaceTile]((*function).placeTile),
		plain[sem.ScaleAddress]((*function).inOrder),
		plain[sem.SubTile]((*function).subTile),
		plain[sem.SameStorage]((*function).sameStorage),
		plain[sem.SetValid]((*function).setValid),
		with((*function).getValid),
	}
}

// tileWriters write tiles.
func tileWriters() []writer {
	return []writer{
		with((*function).tileMap),
		plain[sem.TileLoad]((*function).tileLoad),
		plain[sem.TileStore]((*function).tileStore),
		plain[sem.TileCompare]((*function).tileCompare),
		plain[sem.TileSelect]((*function).tileSelect),
		with((*function).tileReduce),
		with((*function).tileExpand),
		with((*function).tilePart),
		with((*function).tileConvert),
		with((*function).tileMove),
		plain[sem.TilePad]((*function).tilePad),
		plain[sem.TileTranspose]((*function).tileTranspose),
		with((*function).tileConcat),
		with((*function).tileInterleave),
		plain[sem.MakePatches]((*function).makePatches),
		with((*function).setPatches),
		plain[sem.TileImg2Col]((*function).img2col),
		with((*function).tileMatmul),
		with((*function).setRounding),
		plain[sem.TileSort]((*function).tileSort),
		plain[sem.TileMerge]((*function).tileMerge),
		plain[sem.TileIndex]((*function).tileIndex),
		plain[sem.TileTri]((*function).tileTri),
		plain[sem.TileGet]((*function).tileGet),
		plain[sem.TileSet]((*function).tileSet),
		plain[sem.TileGather]((*function).tileGather),
		plain[sem.TileGatherBlocks]((*function).tileGatherBlocks),
		plain[sem.TileScatter]((*function).tileScatter),
		plain[sem.MemGather]((*function).memGather),
		plain[sem.MemScatter]((*function).memScatter),
		plain[sem.TileRandom]((*function).tileRandom),
		plain[sem.TileHistogram]((*function).tileHistogram),
		plain[sem.TilePairSum]((*function).pairSum),
		with((*function).addReluConvert),
		plain[sem.TileQuantMX]((*function).tileQuantMX),
		plain[sem.TileQuant]((*function).tileQuant),
		plain[sem.TileDequant]((*function).tileDequant),
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
		plain[sem.VecRound]((*function).vecRound),
		plain[sem.VecCompare]((*function).vecCompare),
		plain[sem.VecSelect]((*function).vecSelect),
		plain[sem.VecBroadcast]((*function).vecBroadcast),
		plain[sem.VecIndex]((*function).vecIndex),
		with((*function).vecConvert),
		with((*function).vecWiden),
		with((*function).vecReduce),
		with((*function).vecHistogram),
		with((*function).vecRearrange),
		plain[sem.VecLoad]((*function).vecLoad),
		plain[sem.VecStore]((*function).vecStore),
		with((*function).vecBlocks),
		with((*function).vecGather),
		plain[sem.VecScatter]((*function).vecScatter),
		plain[sem.SortGroups]((*function).sortGroups),
		plain[sem.MergeSorted]((*function).mergeSorted),
		plain[sem.SortValues]((*function).sortValues),
		plain[sem.TransposeBlock]((*function).transposeBlock),
		plain[sem.MergedCounts]((*function).mergedCounts),
		plain[sem.AlignInit]((*function).alignInit),
		plain[sem.AlignPrime]((*function).alignInit),
		plain[sem.AlignLoad]((*function).alignLoad),
		with((*function).alignStore),
		plain[sem.AlignFlush]((*function).alignFlush),
		plain[sem.SprClear]((*function).sprClear),
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
		plain[sem.LaneCompare]((*function).rowCompare),
		plain[sem.LaneConvert]((*function).rowConvert),
		with((*function).rowReduce),
		plain[sem.GroupBroadcast]((*function).rowBroadcast),
		plain[sem.GroupIndex]((*function).rowIndex),
		plain[sem.PrefixMask]((*function).prefixMask),
		plain[sem.MaskTail]((*function).rowTail),
		with((*function).rowHistogram),
		plain[sem.LaneLoad]((*function).rowLoad),
		plain[sem.LaneStore]((*function).rowStore),
		with((*function).rowGather),
		plain[sem.LaneScatter]((*function).rowScatter),
		with((*function).rowLiteral),
		plain[scalar.Choice]((*function).rowChoice),
		with((*function).rowRearrange),
		plain[sem.PermuteBy]((*function).rowShuffle),
		with((*function).rowChannels),
		plain[sem.Relayout]((*function).rowCopy),
		with((*function).rowParts),
	}
}

// cubeWriters write the cube unit.
func cubeWriters() []writer {
	return []writer{
		plain[sem.Mad]((*function).mad),
		plain[sem.LoadFractals]((*function).loadFractals),
		plain[sem.LoadOperand]((*function).loadOperand),
		plain[sem.LoadScales]((*function).loadScales),
		plain[sem.LoadParams]((*function).loadParams),
		plain[sem.FillWords]((*function).fillWords),
		plain[sem.StoreProduct]((*function).storeProduct),
	}
}

// ubWriters write rows of the unified buffer.
func ubWriters() []writer {
	return []writer{
		plain[sem.UbMap]((*function).ubMap),
		plain[sem.UbMask]((*function).setUbMask),
		with((*function).ubMaskMode),
	}
}
