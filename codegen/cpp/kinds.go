// This file maps each kind of meaning to the routine that emits it.

package cpp

import (
	"slices"
	"strings"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/routine"
)

// rows is a list of functions that emit C++ for operations. It has one function for each
// kind of meaning (Go type that describes what an instruction computes).
type rows = []routine.Row[*function, routine.Done]

// writers contains the emitting functions for kinds of meaning (Go types that describe
// what an instruction computes). If it has no function for the kind of an instruction,
// the instruction is emitted as a call of the library function that its definition
// describes.
var writers routine.Table[*function, routine.Done]

func init() { // the routines write regions, so they lead back here
	writers = routine.New(scalarWriters, viewWriters, tileWriters, syncWriters, commWriters)
}

// scalarWriters lists the emitting functions for scalar operations, pointers and control
// flow.
func scalarWriters() rows {
	return rows{
		routine.Does((*function).literal),
		routine.Does((*function).elementwise),
		routine.Does((*function).comparison),
		routine.Does((*function).choice),
		routine.Does((*function).cast),
		routine.Does((*function).reinterpret),
		routine.Does((*function).control),
		routine.Does((*function).jumpTo),
		routine.Does((*function).assert),
		routine.Does((*function).castPtr),
		routine.Does((*function).addPtr),
		routine.Does((*function).loadElement),
		routine.Does((*function).storeElement),
		routine.Does((*function).query),
		routine.Does((*function).setBit),
		routine.Does((*function).scope),
		routine.Does(func(f *function, op *ir.Op, _ sem.ScopeYield) { f.leave(op) }),
	}
}

// viewWriters lists the emitting functions for views and for declarations of tiles.
func viewWriters() rows {
	return rows{
		routine.Does((*function).makeView),
		routine.Does((*function).partView),
		routine.Does((*function).viewDim),
		routine.Does((*function).addressOf),
		routine.Does((*function).allocTile),
		routine.Does((*function).tileSlot),
		routine.Does((*function).placeTile),
		routine.Does((*function).subTile),
		routine.Does((*function).sameStorage),
		routine.Does((*function).setValid),
		routine.Does((*function).getValid),
		routine.Does((*function).declareName),
	}
}

// tileWriters lists the emitting functions for tile instructions that need more than a
// call template.
func tileWriters() rows {
	return rows{
		routine.Does((*function).mapTiles),
		routine.Does((*function).sumPairs),
		routine.Does((*function).countUp),
		routine.Does((*function).compareTiles),
		routine.Does((*function).selectTiles),
		routine.Does((*function).move),
		routine.Does((*function).load),
		routine.Does((*function).makePatches),
		routine.Does((*function).setPatches),
		routine.Does((*function).store),
		routine.Does((*function).multiply),
		routine.Does((*function).fillPad),
		routine.Does((*function).img2col),
		routine.Does((*function).getElement),
		routine.Does((*function).setElement),
		routine.Does((*function).random),
		routine.Does((*function).histogram),
		routine.Does((*function).quantMX),
		routine.Does((*function).scatterMemory),
	}
}

// syncWriters lists the emitting functions for synchronization and queues.
func syncWriters() rows {
	return rows{
		routine.Does((*function).setFlag),
		routine.Does((*function).waitFlag),
		routine.Does((*function).barrier),
		routine.Does((*function).getBuffer),
		routine.Does((*function).releaseBuffer),
		routine.Does((*function).crossSet),
		routine.Does((*function).crossWait),
		routine.Does((*function).syncAll),
		routine.Does((*function).fence),
		routine.Does((*function).writeRegister),
		routine.Does((*function).queueInit),
		routine.Does((*function).queueEntry),
		routine.Does((*function).queueScale),
		routine.Does((*function).bufferAddress),
	}
}

// commWriters lists the emitting functions for communication between ranks, stack
// storage, and debugging.
func commWriters() rows {
	return rows{
		routine.Does((*function).commCopy),
		routine.Does((*function).commNotify),
		routine.Does((*function).commWait),
		routine.Does((*function).commCollective),
		routine.Does((*function).commSession),
		routine.Does((*function).commEvent),
		routine.Does((*function).prefetchAsync),
		routine.Does((*function).onStack),
		routine.Does((*function).print),
		routine.Does((*function).stop),
	}
}

// onStack emits an operation on an array or struct on the stack.
func (f *function) onStack(op *ir.Op, kind sem.Local) {
	switch kind {
	case sem.Local{}:
		f.declareLocal(op)
	case sem.Local{Act: sem.LocalGet}:
		f.localGet(op)
	case sem.Local{Act: sem.LocalSet}:
		f.localSet(op)
	case sem.Local{Events: true}:
		f.eventArray(op)
	case sem.Local{Act: sem.LocalGet, Events: true}:
		f.eventGet(op)
	case sem.Local{Act: sem.LocalSet, Events: true}:
		f.eventSet(op)
	}
}

// write emits the C++ code of one operation. If the kind of its meaning has an emitting
// function, write calls this function. Otherwise it emits a call of the C++ library.
func (f *function) write(op *ir.Op) {
	defer f.recovered(op)
	if op == f.watched {
		start := len(f.b)
		defer func() {
			f.statements = string(f.b[start:])
			for len(op.Regions()) == 0 && strings.HasPrefix(f.statements, "#") { // begins the code for the core of op
				_, f.statements, _ = strings.Cut(f.statements, "\n")
			}
		}()
	}
	switch info := pto.InfoOf(op.Def()); {
	case slices.ContainsFunc(op.Results(), func(v *ir.Value) bool { return ir.Is[pto.Tile](v.Type()) }):
		f.errorf(op, "has a Level 1 tile as its result, which must become a tile_buf first: run pto-bufferize")
	case info != nil && info.Cpp.None != "":
		f.errorf(op, "cannot be written as C++: %s", info.Cpp.None)
	case info != nil && microGroups[info.Group] && !f.plainAccess(op):
		f.micro(op)
	case !f.suitsDevice(op):
	case writers.Has(op.Def().Sem):
		f.guard(op)
		writers.Run(f, op)
	case op.Is(fn.Call):
		f.guard(op)
		f.callFunction(op)
	case op.Is(fn.Return):
		f.giveBack(op)
	case info != nil:
		f.guard(op)
		f.call(op)
	default:
		f.errorf(op, "cannot be written as C++")
	}
}

// microGroups are the groups of instructions below the tile level, which the C++ library
// does not offer.
var microGroups = map[string]bool{"vector": true, "predicate": true, "ub": true, "simt": true, "dma": true, "cube": true, "vmi": true}

// plainAccess reports whether op is a load or store of one number through a pointer
// (pto.load and pto.store) in a function that one core executes. C++ has an expression for
// it, unlike for the accesses of work items.
func (f *function) plainAccess(op *ir.Op) bool {
	switch op.Def().Sem.(type) {
	case sem.LoadElement, sem.StoreElement:
	default:
		return false
	}
	ptr, ok := ir.As[pto.PtrType](sem.ElementUseOf(op).Pointer.Value.Type())
	_, vector := ir.As[ir.VectorType](ptr.Elem)
	return ok && !vector && !pto.IsSimtEntry(f.op) && !sem.ElementUseOf(op).Hinted
}

// micro reports an error for an instruction below the tile level. It reports only one
// error per function.
func (f *function) micro(op *ir.Op) {
	if f.refused { // once is enough
		f.failed = true
		return
	}
	f.refused = true
	f.errorf(op, "is a micro instruction, but the C++ library only has tile instructions").
		Note(ir.Loc{}, "only the public compiler writes micro instructions for the device, as LLVM IR with intrinsics of the vendor; --emit=llvm writes LLVM IR for the host")
}

// recovered must be called by defer. It converts a panic during the emission of op into
// an error at op, with a note that asks the user to report the bug.
func (f *function) recovered(op *ir.Op) {
	if x := recover(); x != nil {
		f.errorf(op, "cannot be written as C++ because of a bug in the C++ emitter: %v", x).Note(ir.Loc{}, ir.ReportIt)
	}
}
