// This file maps each kind of meaning to the routine that emits it. A new kind needs
// an entry here.

package llvm

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/routine"
)

// Which routine emits which kind of meaning. An instruction is looked up by its kind,
// never by its name, so one that is added with a kind from these tables needs no code
// here.

type (
	// routines is a table of functions that emit operations. It has one function for each
	// kind of meaning: each Go type that describes what an instruction computes.
	routines = routine.Table[*function, routine.Done]
	rows     = []routine.Row[*function, routine.Done]
)

var (
	// writers has a function for each kind of meaning that the emitter supports.
	// rowWriters has functions that are used instead if an instruction processes logical
	// vectors (VMI), which can have any length.
	writers    routines
	rowWriters routines
)

func init() { // the routines write regions, so they lead back here
	rowWriters = routine.New(vmiWriters)
	writers = routine.New(scalarWriters, machineWriters, commWriters, simtWriters, viewWriters, tileWriters, vectorWriters, maskWriters, cubeWriters, ubWriters)
}

// Writes reports whether the emitter has a function for the given kind of meaning. That
// function can still reject a single operation that it does not support.
func Writes(kind ir.Meaning) bool {
	return writers.Has(kind) || rowWriters.Has(kind) || descriptions.Has(kind)
}

// write emits one operation: a call, a return, or an instruction by its kind of meaning.
func (f *function) write(op *ir.Op) {
	defer f.guard(op)
	switch {
	case op.Is(fn.Call):
		f.callFunc(op)
	case op.Is(fn.Return):
		f.giveBack(op)
	default:
		f.instruction(op)
	}
}

// instruction emits the checks of the tiles of op, and then op itself: it looks up the
// emitting function for the kind of meaning of op and calls it.
func (f *function) instruction(op *ir.Op) {
	f.checkSharing(op)
	f.checkExtents(op)
	ok := false
	if onRows(op) {
		_, ok = rowWriters.Run(f, op)
	}
	if !ok {
		_, ok = writers.Run(f, op)
	}
	if !ok && !f.described(op) {
		f.unsupported(op)
	}
}

// guard, as a deferred call, converts a panic into an error about op. A panic is a bug in
// this package.
func (f *function) guard(op *ir.Op) {
	if x := recover(); x != nil {
		f.errorf(op, "cannot be written as LLVM IR because of a bug in the LLVM IR emitter: %v", x).Note(ir.Loc{}, ir.ReportIt)
	}
}

// The function nothing is the emitting function for kinds of instructions that need no
// code: they order instructions, prefetch data, or assign addresses to tiles. Ordering
// instructions need no code because emitted code executes in program order, which is
// always a permitted order.
func nothing[S ir.Meaning](*function, *ir.Op, S) {}

// scalarWriters lists the emitting functions for scalars and control flow, one for each
// kind of meaning.
func scalarWriters() rows {
	return rows{
		routine.Does((*function).literal),
		routine.Does((*function).elementwise),
		routine.Does((*function).extended),
		routine.Does((*function).comparison),
		routine.Does((*function).choice),
		routine.Does((*function).cast),
		routine.Does((*function).reinterpret),
		routine.Does((*function).control),
		routine.Does((*function).jumpTo),
		routine.Does((*function).assert),
		routine.Does((*function).llvmAction),
		routine.Does((*function).memrefAction),
	}
}

// machineWriters lists the functions that emit code for the scalar unit, for DMA and for
// synchronization. There is one function for each kind of meaning.
func machineWriters() rows {
	return rows{
		routine.Does((*function).castPtr),
		routine.Does((*function).addPtr),
		routine.Does((*function).query),
		routine.Does((*function).copyBursts),
		routine.Does(nothing[sem.SetFlag]),
		routine.Does(nothing[sem.WaitFlag]),
		routine.Does(nothing[sem.Barrier]),
		routine.Does(nothing[sem.BufAcquire]),
		routine.Does(nothing[sem.BufRelease]),
		routine.Does(nothing[sem.MemoryFence]),
		routine.Does((*function).scope),
		routine.Does((*function).scopeYield),
		routine.Does((*function).loadScalar),
		routine.Does((*function).storeScalar),
		routine.Does((*function).setBit),
		routine.Does((*function).readRegister),
		routine.Does((*function).writeRegister),
		routine.Does((*function).storeAtomic),
		routine.Does((*function).local),
		routine.Does((*function).stop),
		routine.Does((*function).print),
		routine.Does((*function).crossSet),
		routine.Does((*function).crossWait),
		routine.Does((*function).syncAll),
		routine.Does(func(f *function, op *ir.Op, _ sem.QueueInit) { f.queueInit(op) }),
		routine.Does((*function).queueEntry),
		routine.Does((*function).queueScale),
		routine.Does(func(f *function, op *ir.Op, _ sem.LocalBuffer) { f.bufferAddress(op) }),
		routine.Does((*function).declareName),
	}
}

// commWriters lists the emitting functions for communication between cores, one for each
// kind of meaning.
func commWriters() rows {
	return rows{
		routine.Does((*function).commCopy),
		routine.Does((*function).commNotify),
		routine.Does((*function).commWait),
		routine.Does((*function).commCollective),
		routine.Does(nothing[sem.CommSession]),
		routine.Does((*function).commEvent),
		routine.Does(nothing[sem.Prefetch]),
	}
}

// simtWriters lists the emitting functions for SIMT work items, one for each kind of
// meaning.
func simtWriters() rows {
	return rows{
		routine.Does((*function).simtLaunch),
		routine.Does((*function).simtDims),
		routine.Does((*function).workItem),
		routine.Does((*function).lanesBeside),
		routine.Does((*function).vote),
		routine.Does((*function).laneShuffle),
		routine.Does((*function).laneReduce),
		routine.Does((*function).atomicAccess),
		routine.Does((*function).signedMap),
		routine.Does((*function).wideProduct),
		routine.Does((*function).permuteBytes),
		routine.Does((*function).simtConvert),
		routine.Does((*function).syncThreads),
		routine.Does(nothing[sem.ThreadFence]),
		routine.Does((*function).keptState),
	}
}

// viewWriters lists the emitting functions that create or change views and tiles without
// moving data. It has one function for each kind of meaning.
func viewWriters() rows {
	return rows{
		routine.Does((*function).makeView),
		routine.Does((*function).partView),
		routine.Does((*function).allocTile),
		routine.Does((*function).viewDim),
		routine.Does((*function).addressOfValue),
		routine.Does((*function).tileSlot),
		routine.Does((*function).placeTile),
		routine.Does(nothing[sem.ScaleAddress]),
		routine.Does((*function).subTile),
		routine.Does((*function).sameStorage),
		routine.Does((*function).setValid),
		routine.Does((*function).getValid),
	}
}

// tileWriters lists the emitting functions for tile instructions, one for each kind of
// meaning.
func tileWriters() rows {
	return rows{
		routine.Does((*function).tileLoad),
		routine.Does((*function).tileStore),
		routine.Does((*function).tileConvert),
		routine.Does((*function).tileMove),
		routine.Does((*function).tilePad),
		routine.Does((*function).tileTranspose),
		routine.Does((*function).tileConcat),
		routine.Does((*function).tileInterleave),
		routine.Does((*function).makePatches),
		routine.Does((*function).setPatches),
		routine.Does((*function).img2col),
		routine.Does((*function).tileMatmul),
		routine.Does((*function).setRounding),
		routine.Does((*function).tileSort),
		routine.Does((*function).tileMerge),
		routine.Does((*function).tileIndex),
		routine.Does((*function).tileTri),
		routine.Does((*function).tileGet),
		routine.Does((*function).tileSet),
		routine.Does((*function).tileGather),
		routine.Does((*function).tileGatherBlocks),
		routine.Does((*function).tileScatter),
		routine.Does((*function).memGather),
		routine.Does((*function).memScatter),
		routine.Does((*function).tileRandom),
		routine.Does((*function).tileHistogram),
		routine.Does((*function).pairSum),
		routine.Does((*function).addReluConvert),
		routine.Does((*function).tileQuantMX),
		routine.Does((*function).tileQuant),
		routine.Does((*function).tileDequant),
	}
}

// maskWriters lists the emitting functions for vector masks, one for each kind of
// meaning.
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

// vectorWriters lists the emitting functions for vector registers, one for each kind of
// meaning.
func vectorWriters() rows {
	return rows{
		routine.Does((*function).vecMap),
		routine.Does((*function).vecExtended),
		routine.Does((*function).vecCarry),
		routine.Does((*function).vecRound),
		routine.Does((*function).vecCompare),
		routine.Does((*function).vecSelect),
		routine.Does((*function).vecBroadcast),
		routine.Does((*function).vecIndex),
		routine.Does((*function).vecConvert),
		routine.Does((*function).vecWiden),
		routine.Does((*function).vecReduce),
		routine.Does((*function).vecHistogram),
		routine.Does((*function).vecRearrange),
		routine.Does((*function).vecLoad),
		routine.Does((*function).vecStore),
		routine.Does((*function).vecBlocks),
		routine.Does((*function).vecGather),
		routine.Does((*function).vecScatter),
		routine.Does((*function).vecSort),
		routine.Does((*function).transposeBlock),
		routine.Does((*function).alignInit),
		routine.Does((*function).alignLoad),
		routine.Does((*function).alignStore),
		routine.Does((*function).alignFlush),
		routine.Does((*function).streamEnd),
	}
}

// vmiWriters lists the emitting functions for logical vectors of any length (VMI), one
// for each kind of meaning.
func vmiWriters() rows {
	return rows{
		routine.Does((*function).rowMap),
		routine.Does((*function).rowExtended),
		routine.Does((*function).rowCarry),
		routine.Does((*function).rowWiden),
		routine.Does((*function).rowCompare),
		routine.Does((*function).rowConvert),
		routine.Does((*function).rowReduce),
		routine.Does((*function).rowBroadcast),
		routine.Does((*function).rowIndex),
		routine.Does((*function).prefixMask),
		routine.Does((*function).rowTail),
		routine.Does((*function).rowHistogram),
		routine.Does((*function).rowLoad),
		routine.Does((*function).rowStore),
		routine.Does((*function).rowGather),
		routine.Does((*function).rowScatter),
		routine.Does((*function).rowLiteral),
		routine.Does((*function).rowChoice),
		routine.Does((*function).rowRearrange),
		routine.Does((*function).rowShuffle),
		routine.Does((*function).rowChannels),
		routine.Does((*function).rowCopy),
		routine.Does((*function).rowParts),
	}
}

// cubeWriters lists the emitting functions for the cube unit, one for each kind of
// meaning.
func cubeWriters() rows {
	return rows{
		routine.Does((*function).mad),
		routine.Does((*function).loadFractals),
		routine.Does((*function).loadOperand),
		routine.Does((*function).loadScales),
		routine.Does((*function).loadParams),
		routine.Does((*function).fillWords),
		routine.Does((*function).storeProduct),
	}
}

// ubWriters lists the emitting functions for vector instructions on the unified buffer
// (targets a2 and a3), one per kind of meaning.
func ubWriters() rows {
	return rows{
		routine.Does((*function).ubMap),
		routine.Does((*function).ubMask),
	}
}
