// This file maps each kind of meaning to the routine that plans it. A new kind needs
// an entry here.

package runtime

import (
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/routine"
	"ptogo/ir/scalar"
)

type (
	// plans maps each kind of instruction to the function that compiles such an instruction
	// into a step. If an instruction works on logical vectors, rowPlans has priority.
	plans = routine.Table[*planner, step]
	rows  = []routine.Row[*planner, step]
)

// allPlans contains, for each kind of instruction, the function that compiles it into a
// step. rowPlans contains the functions for instructions on logical vectors.
var allPlans, rowPlans plans

func init() { // the routines plan regions, so they lead back here
	rowPlans = routine.New(vmiRoutines)
	allPlans = routine.New(scalarsRoutines, structureRoutines, otherDialectsRoutines, viewsRoutines, tilesRoutines, vectorsRoutines, masksRoutines, machineRoutines, queueRoutines, commRoutines, cubeRoutines, simtRoutines)
}

// step compiles op into a step, the function that executes op at run time. It returns nil
// if op needs no action at run time, or after it has reported an error.
func (p *planner) step(op *ir.Op) step {
	p.at = op
	if op.Form().Level == ir.SSA && slices.ContainsFunc(op.Results(), func(v *ir.Value) bool { return ir.Is[pto.Tile](v.Type()) }) {
		p.errorf(op, "is in Level 1 form, which pto-run does not support: run pto-bufferize first")
		return nil
	}
	s, ok := step(nil), false
	if p.isVMI(op) {
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

// additions are functions that wrap the step of each operation, the Go function that
// executes it. A wrapper adds checks, events or symbolic execution. Each function in the
// list wraps the result of the function before it. At run time the last wrapper therefore
// runs first, and it decides whether the wrappers inside it run.
var additions = []func(p *planner, op *ir.Op, s step) step{
	(*planner).withOverlapCheck, // closest to the instruction, since it may execute it on copies of its tiles
	(*planner).withPoppedCheck,  // before the bytes are compared: a tile that was never popped into has none
	(*planner).withLineage,      // on the instruction with its checks, which it executes on the planes of tokens, too
	(*planner).withoutData,      // drops the instruction and its checks, so what follows must not depend on them
	(*planner).withEvents,       // also for dropped instructions, because the timing model needs their events
	(*planner).withWatchers,     // around the events, which come between Before and After
	(*planner).withPipe,         // a pipe may execute all of the above later
	(*planner).onOwnCore,        // outermost: only the scalar unit of its core hands it to a pipe
}

// unplanned reports an error for an operation whose kind the runtime does not support,
// and returns nil.
func (p *planner) unplanned(op *ir.Op) step {
	p.errorf(op, "cannot be executed by pto-run yet")
	return nil
}

// nothing is the compile function for kinds of instructions that need no action at run
// time. It returns nil instead of a step.
func nothing[S ir.Meaning](*planner, *ir.Op, S) step { return nil }

// scalarsRoutines lists, for each kind of operation on scalars and on the stack, the
// function that compiles it.
func scalarsRoutines() rows {
	return rows{
		routine.Makes((*planner).literal),
		routine.Makes(func(p *planner, op *ir.Op, kind scalar.Elementwise) step { return p.elementwise(op, kind.Fn) }),
		routine.Makes((*planner).extended),
		routine.Makes((*planner).comparison),
		routine.Makes((*planner).choice),
		routine.Makes((*planner).cast),
		routine.Makes((*planner).reinterpret),
		routine.Makes((*planner).castPtr),
		routine.Makes((*planner).addPtr),
		routine.Makes((*planner).loadElement),
		routine.Makes((*planner).storeElement),
		routine.Makes((*planner).local),
		routine.Makes((*planner).setBit),
		routine.Makes((*planner).query),
	}
}

// structureRoutines lists, for each kind of operation with regions (such as loops and
// sections), the function that compiles it.
func structureRoutines() rows {
	return rows{
		routine.Makes((*planner).control),
		routine.Makes((*planner).assert),
		routine.Makes((*planner).scope),
	}
}

// otherDialectsRoutines lists, for each kind of operation of the memref and llvm
// dialects, the function that compiles it.
func otherDialectsRoutines() rows {
	return rows{
		routine.Makes((*planner).memref),
		routine.Makes((*planner).llvm),
	}
}

// viewsRoutines lists the functions that compile operations which create, inspect or
// change views, tiles and subviews. There is one function for each kind of operation.
func viewsRoutines() rows {
	return rows{
		routine.Makes((*planner).makeView),
		routine.Makes((*planner).partView),
		routine.Makes((*planner).viewDim),
		routine.Makes((*planner).addressOf),
		routine.Makes((*planner).allocTile),
		routine.Makes((*planner).tileSlot),
		routine.Makes(nothing[sem.ScaleAddress]), // a tile of scales has memory of its own here
		routine.Makes((*planner).placeTile),
		routine.Makes((*planner).subTile),
		routine.Makes((*planner).sameStorage),
		routine.Makes((*planner).setValid),
		routine.Makes((*planner).getValid),
	}
}

// tilesRoutines lists, for each kind of instruction that computes with tiles, the
// function that compiles it.
func tilesRoutines() rows {
	return rows{
		routine.Makes((*planner).tileMap),
		routine.Makes((*planner).tileLoad),
		routine.Makes((*planner).tileStore),
		routine.Makes((*planner).tileReduce),
		routine.Makes((*planner).tileExpand),
		routine.Makes((*planner).tilePart),
		routine.Makes((*planner).tileCompare),
		routine.Makes((*planner).tileSelect),
		routine.Makes((*planner).tileMatmul),
		routine.Makes((*planner).tileConvert),
		routine.Makes((*planner).tileMove),
		routine.Makes((*planner).tilePad),
		routine.Makes((*planner).tileTranspose),
		routine.Makes((*planner).tileConcat),
		routine.Makes((*planner).tileInterleave),
		routine.Makes((*planner).tileSort),
		routine.Makes((*planner).tileMerge),
		routine.Makes((*planner).makePatches),
		routine.Makes((*planner).setPatches),
		routine.Makes((*planner).img2col),
		routine.Makes((*planner).tileIndex),
		routine.Makes((*planner).tileTri),
		routine.Makes((*planner).tileRandom),
		routine.Makes((*planner).tileGet),
		routine.Makes((*planner).tileSet),
		routine.Makes((*planner).tileGather),
		routine.Makes((*planner).tileGatherBlocks),
		routine.Makes((*planner).tileScatter),
		routine.Makes((*planner).memGather),
		routine.Makes((*planner).memScatter),
		routine.Makes((*planner).tileQuant),
		routine.Makes((*planner).tileDequant),
		routine.Makes((*planner).tileQuantMX),
		routine.Makes((*planner).tileAddReluConvert),
		routine.Makes((*planner).tilePairSum),
		routine.Makes((*planner).tileHistogram),
	}
}

// vectorsRoutines lists, for each kind of instruction on vector registers, the function
// that compiles it.
func vectorsRoutines() rows {
	return rows{
		routine.Makes((*planner).vecMap),
		routine.Makes((*planner).vecExtended),
		routine.Makes((*planner).vecCarry),
		routine.Makes((*planner).vecCompare),
		routine.Makes((*planner).vecSelect),
		routine.Makes((*planner).vecConvert),
		routine.Makes((*planner).vecWiden),
		routine.Makes((*planner).vecRound),
		routine.Makes((*planner).vecBroadcast),
		routine.Makes((*planner).vecIndex),
		routine.Makes((*planner).vecReduce),
		routine.Makes((*planner).vecHistogram),
		routine.Makes((*planner).vecRearrange),
		routine.Makes((*planner).vecLoad),
		routine.Makes((*planner).vecStore),
		routine.Makes((*planner).vecBlocks),
		routine.Makes((*planner).vecGather),
		routine.Makes((*planner).vecScatter),
		routine.Makes((*planner).alignInit),
		routine.Makes((*planner).alignLoad),
		routine.Makes((*planner).alignStore),
		routine.Makes((*planner).alignFlush),
		routine.Makes((*planner).streamEnd),
		routine.Makes((*planner).vecSort),
		routine.Makes((*planner).transposeBlock),
	}
}

// masksRoutines lists, for each kind of instruction on vector masks, the function that
// compiles it.
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

// vmiRoutines lists, for each kind of instruction on logical vectors, the function that
// compiles it.
func vmiRoutines() rows {
	return rows{
		routine.Makes((*planner).rowMap),
		routine.Makes((*planner).rowExtended),
		routine.Makes((*planner).rowCarry),
		routine.Makes((*planner).rowWiden),
		routine.Makes((*planner).rowCompare),
		routine.Makes((*planner).rowConvert),
		routine.Makes((*planner).rowReduce),
		routine.Makes((*planner).rowBroadcast),
		routine.Makes((*planner).rowIndex),
		routine.Makes((*planner).prefixMask),
		routine.Makes((*planner).rowTail),
		routine.Makes((*planner).rowHistogram),
		routine.Makes((*planner).rowLoad),
		routine.Makes((*planner).rowStore),
		routine.Makes((*planner).rowGather),
		routine.Makes((*planner).rowScatter),
		routine.Makes((*planner).rowLiteral),
		routine.Makes((*planner).rowChoice),
		routine.Makes((*planner).rowRearrange),
		routine.Makes((*planner).rowShuffle),
		routine.Makes((*planner).rowChannels),
		routine.Makes((*planner).rowCopy),
		routine.Makes((*planner).rowParts),
	}
}

// machineRoutines lists, for each kind of DMA copy, special register instruction and
// synchronization instruction, the function that compiles it.
func machineRoutines() rows {
	return rows{
		routine.Makes((*planner).copyBursts),
		routine.Makes((*planner).storeAtomic),
		routine.Makes((*planner).setRounding),
		routine.Makes((*planner).writeRegister),
		routine.Makes((*planner).readRegister),
		routine.Makes((*planner).ubMap),
		routine.Makes((*planner).ubMask),
		routine.Makes((*planner).setFlag),
		routine.Makes((*planner).waitFlag),
		routine.Makes((*planner).crossSet),
		routine.Makes((*planner).crossWait),
		routine.Makes((*planner).syncAll),
		routine.Makes((*planner).acquireBuffer),
		routine.Makes((*planner).releaseBuffer),
		routine.Makes(nothing[sem.Barrier]),     // instructions run in order
		routine.Makes(nothing[sem.MemoryFence]), // and take effect at once
	}
}

// queueRoutines lists, for each kind of instruction on queues between cores, the function
// that compiles it.
func queueRoutines() rows {
	return rows{
		routine.Makes(func(p *planner, op *ir.Op, _ sem.QueueInit) step { return p.queueInit(op) }),
		routine.Makes((*planner).queueEntry),
		routine.Makes(func(p *planner, op *ir.Op, _ sem.LocalBuffer) step { return p.bufferAddress(op) }),
		routine.Makes((*planner).queueScale),
		routine.Makes(func(p *planner, op *ir.Op, _ sem.Declare) step { return p.declare(op) }),
	}
}

// commRoutines lists, for each kind of instruction for communication between ranks or for
// debugging, the function that compiles it.
func commRoutines() rows {
	return rows{
		routine.Makes((*planner).commCopy),
		routine.Makes((*planner).commNotify),
		routine.Makes((*planner).commWait),
		routine.Makes((*planner).commCollective),
		routine.Makes(nothing[sem.CommSession]),
		routine.Makes(nothing[sem.Prefetch]), // a copy has returned when it is over
		routine.Makes((*planner).commEvent),
		routine.Makes((*planner).print),
		routine.Makes((*planner).stop),
	}
}

// cubeRoutines lists, for each kind of instruction of the cube unit (matrix unit), the
// function that compiles it.
func cubeRoutines() rows {
	return rows{
		routine.Makes((*planner).mad),
		routine.Makes((*planner).loadFractals),
		routine.Makes((*planner).loadOperand),
		routine.Makes((*planner).loadScales),
		routine.Makes((*planner).loadParams),
		routine.Makes((*planner).fillWords),
		routine.Makes((*planner).storeProduct),
	}
}

// simtRoutines lists, for each kind of instruction of SIMT work items, the function that
// compiles it.
func simtRoutines() rows {
	return rows{
		routine.Makes((*planner).simtLaunch),
		routine.Makes((*planner).simtDims),
		routine.Makes((*planner).workItem),
		routine.Makes((*planner).laneMask),
		routine.Makes((*planner).vote),
		routine.Makes((*planner).laneShuffle),
		routine.Makes((*planner).laneReduce),
		routine.Makes((*planner).atomic),
		routine.Makes(func(p *planner, op *ir.Op, kind sem.SignedMap) step { return p.elementwise(op, kind.For(op)) }),
		routine.Makes((*planner).wideProduct),
		routine.Makes((*planner).permuteBytes),
		routine.Makes((*planner).simtConvert),
		routine.Makes((*planner).syncThreads),
		routine.Makes(nothing[sem.ThreadFence]), // what is written is visible at once
		routine.Makes((*planner).keptState),
	}
}
