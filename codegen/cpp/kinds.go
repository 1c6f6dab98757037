package cpp

import (
	"ptogo/dialect/cf"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/routine"
	"ptogo/ir/scalar"
)

// rows are routines that write operations, by their kind of meaning.
type rows = []routine.Row[*function, routine.Done]

// writers has the routine for each kind that is more than a call of the library.
var writers routine.Table[*function, routine.Done]

func init() { // the routines write regions, so they lead back here
	writers = routine.New(scalarWriters, viewWriters, tileWriters, syncWriters, commWriters)
}

func scalarWriters() rows {
	return rows{
		routine.Does((*function).literal),
		routine.Does((*function).elementwise),
		routine.DoesFor[scalar.Comparison]((*function).comparison),
		routine.DoesFor[scalar.Choice]((*function).choice),
		routine.DoesFor[scalar.Cast]((*function).cast),
		routine.DoesFor[scalar.Reinterpret]((*function).reinterpret),
		routine.Does((*function).control),
		routine.Does((*function).jumpTo),
		routine.DoesFor[cf.Check]((*function).assert),
		routine.DoesFor[sem.CastPtr]((*function).castPtr),
		routine.DoesFor[sem.AddPtr]((*function).addPtr),
		routine.DoesFor[sem.LoadElement]((*function).loadElement),
		routine.DoesFor[sem.StoreElement]((*function).storeElement),
		routine.Does((*function).query),
		routine.Does((*function).setBit),
		routine.Does((*function).scope),
		routine.DoesFor[sem.ScopeYield]((*function).leave),
	}
}

func viewWriters() rows {
	return rows{
		routine.DoesFor[sem.MakeView]((*function).makeView),
		routine.DoesFor[sem.PartView]((*function).partView),
		routine.Does((*function).viewDim),
		routine.DoesFor[sem.AddressOf]((*function).addressOf),
		routine.DoesFor[sem.AllocTile]((*function).allocTile),
		routine.DoesFor[sem.TileSlot]((*function).tileSlot),
		routine.DoesFor[sem.PlaceTile]((*function).placeTile),
		routine.DoesFor[sem.SubTile]((*function).subTile),
		routine.DoesFor[sem.SameStorage]((*function).sameStorage),
		routine.DoesFor[sem.SetValid]((*function).setValid),
		routine.Does((*function).getValid),
		routine.DoesFor[sem.Declare]((*function).declareName),
	}
}

func tileWriters() rows {
	return rows{
		routine.Does((*function).mapTiles),
		routine.DoesFor[sem.TileCompare]((*function).compareTiles),
		routine.DoesFor[sem.TileSelect]((*function).selectTiles),
		routine.Does((*function).move),
		routine.DoesFor[sem.TileLoad]((*function).load),
		routine.DoesFor[sem.TileStore]((*function).store),
		routine.Does((*function).multiply),
		routine.DoesFor[sem.TilePad]((*function).fillPad),
		routine.DoesFor[sem.TileGet]((*function).getElement),
		routine.DoesFor[sem.TileSet]((*function).setElement),
		routine.DoesFor[sem.TileRandom]((*function).random),
		routine.DoesFor[sem.TileHistogram]((*function).histogram),
		routine.DoesFor[sem.TileQuantMX]((*function).quantMX),
		routine.DoesFor[sem.MemScatter]((*function).scatterMemory),
	}
}

func syncWriters() rows {
	return rows{
		routine.DoesFor[sem.SetFlag]((*function).setFlag),
		routine.DoesFor[sem.WaitFlag]((*function).waitFlag),
		routine.DoesFor[sem.Barrier]((*function).barrier),
		routine.DoesFor[sem.BufAcquire]((*function).getBuffer),
		routine.DoesFor[sem.BufRelease]((*function).releaseBuffer),
		routine.DoesFor[sem.CrossSet]((*function).crossSet),
		routine.DoesFor[sem.CrossWait]((*function).crossWait),
		routine.DoesFor[sem.SyncAllCores]((*function).syncAll),
		routine.DoesFor[sem.MemoryFence]((*function).fence),
		routine.Does((*function).writeRegister),
		routine.DoesFor[sem.QueueInit]((*function).queueInit),
		routine.Does((*function).queueEntry),
		routine.Does((*function).queueScale),
		routine.DoesFor[sem.LocalBuffer]((*function).bufferAddress),
	}
}

// commWriters write communication, what lives on the stack, and debugging.
func commWriters() rows {
	return rows{
		routine.Does((*function).commCopy),
		routine.DoesFor[sem.CommNotify]((*function).commNotify),
		routine.Does((*function).commWait),
		routine.Does((*function).commCollective),
		routine.DoesFor[sem.CommSession]((*function).commSession),
		routine.Does((*function).commEvent),
		routine.DoesFor[sem.Prefetch]((*function).prefetchAsync),
		routine.DoesAt(sem.Local{}, (*function).declareLocal),
		routine.DoesAt(sem.Local{Act: sem.LocalGet}, (*function).localGet),
		routine.DoesAt(sem.Local{Act: sem.LocalSet}, (*function).localSet),
		routine.DoesAt(sem.Local{Events: true}, (*function).eventArray),
		routine.DoesAt(sem.Local{Act: sem.LocalGet, Events: true}, (*function).eventGet),
		routine.DoesAt(sem.Local{Act: sem.LocalSet, Events: true}, (*function).eventSet),
		routine.DoesFor[sem.Print]((*function).print),
		routine.DoesFor[sem.Stop]((*function).stop),
	}
}

// write emits one operation.
func (f *function) write(op *ir.Op) {
	defer f.recovered(op)
	if op == f.watched {
		start := len(f.b)
		defer func() { f.statements = string(f.b[start:]) }()
	}
	switch info := pto.InfoOf(op.Def()); {
	case info != nil && info.Cpp.None != "":
		f.errorf(op, "has no C++ form: %s", info.Cpp.None)
	case info != nil && microGroups[info.Group]:
		f.micro(op)
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
		f.errorf(op, "has no C++ form")
	}
}

// microGroups are the instructions below the library.
var microGroups = map[string]bool{"vector": true, "predicate": true, "ub": true, "simt": true, "dma": true, "cube": true, "vmi": true}

// micro refuses an instruction of the level below tiles.
func (f *function) micro(op *ir.Op) {
	if f.refused { // once is enough
		f.failed = true
		return
	}
	f.refused = true
	f.errorf(op, "is a micro instruction, and the C++ library has tile instructions only").
		Note(ir.Loc{}, "the public compiler writes kernels of micro instructions as LLVM IR with intrinsics of the vendor, which pto-opt does not yet; --emit=llvm is LLVM IR for the host")
}

// recovered makes an error of a panic, which is a mistake of ours and none of
// the program.
func (f *function) recovered(op *ir.Op) {
	if x := recover(); x != nil {
		f.errorf(op, "cannot be written as C++ because of a mistake in this tool: %v", x).Note(ir.Loc{}, ir.ReportIt)
	}
}
