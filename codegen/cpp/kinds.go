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

// plain makes a routine of a kind S of a function that does not look at its
// parameters.
func plain[S ir.Meaning](f func(*function, *ir.Op)) func(*function, *ir.Op, S) {
	return func(fn *function, op *ir.Op, _ S) { f(fn, op) }
}

func scalarWriters() rows {
	return rows{
		routine.Does((*function).literal),
		routine.Does((*function).elementwise),
		routine.Does(plain[scalar.Comparison]((*function).comparison)),
		routine.Does(plain[scalar.Choice]((*function).choice)),
		routine.Does(plain[scalar.Cast]((*function).cast)),
		routine.Does(plain[scalar.Reinterpret]((*function).reinterpret)),
		routine.Does((*function).control),
		routine.Does((*function).jumpTo),
		routine.Does(plain[cf.Check]((*function).assert)),
		routine.Does(plain[sem.CastPtr]((*function).castPtr)),
		routine.Does(plain[sem.AddPtr]((*function).addPtr)),
		routine.Does(plain[sem.LoadElement]((*function).loadElement)),
		routine.Does(plain[sem.StoreElement]((*function).storeElement)),
		routine.Does((*function).query),
		routine.Does((*function).setBit),
		routine.Does((*function).scope),
		routine.Does(plain[sem.ScopeYield]((*function).leave)),
	}
}

func viewWriters() rows {
	return rows{
		routine.Does(plain[sem.MakeView]((*function).makeView)),
		routine.Does(plain[sem.PartView]((*function).partView)),
		routine.Does((*function).viewDim),
		routine.Does(plain[sem.AddressOf]((*function).addressOf)),
		routine.Does(plain[sem.AllocTile]((*function).allocTile)),
		routine.Does(plain[sem.TileSlot]((*function).tileSlot)),
		routine.Does(plain[sem.PlaceTile]((*function).placeTile)),
		routine.Does(plain[sem.SubTile]((*function).subTile)),
		routine.Does(plain[sem.SameStorage]((*function).sameStorage)),
		routine.Does(plain[sem.SetValid]((*function).setValid)),
		routine.Does((*function).getValid),
		routine.Does(plain[sem.Declare]((*function).declareName)),
	}
}

func tileWriters() rows {
	return rows{
		routine.Does((*function).mapTiles),
		routine.Does(plain[sem.TileCompare]((*function).compareTiles)),
		routine.Does(plain[sem.TileSelect]((*function).selectTiles)),
		routine.Does((*function).move),
		routine.Does(plain[sem.TileLoad]((*function).load)),
		routine.Does(plain[sem.TileStore]((*function).store)),
		routine.Does((*function).multiply),
		routine.Does(plain[sem.TilePad]((*function).fillPad)),
		routine.Does(plain[sem.TileGet]((*function).getElement)),
		routine.Does(plain[sem.TileSet]((*function).setElement)),
		routine.Does(plain[sem.TileRandom]((*function).random)),
		routine.Does(plain[sem.TileHistogram]((*function).histogram)),
		routine.Does(plain[sem.TileQuantMX]((*function).quantMX)),
		routine.Does(plain[sem.MemScatter]((*function).scatterMemory)),
	}
}

func syncWriters() rows {
	return rows{
		routine.Does(plain[sem.SetFlag]((*function).setFlag)),
		routine.Does(plain[sem.WaitFlag]((*function).waitFlag)),
		routine.Does(plain[sem.Barrier]((*function).barrier)),
		routine.Does(plain[sem.BufAcquire]((*function).getBuffer)),
		routine.Does(plain[sem.BufRelease]((*function).releaseBuffer)),
		routine.Does(plain[sem.CrossSet]((*function).crossSet)),
		routine.Does(plain[sem.CrossWait]((*function).crossWait)),
		routine.Does(plain[sem.SyncAllCores]((*function).syncAll)),
		routine.Does(plain[sem.MemoryFence]((*function).fence)),
		routine.Does((*function).writeRegister),
		routine.Does(plain[sem.QueueInit]((*function).queueInit)),
		routine.Does((*function).queueEntry),
		routine.Does((*function).queueScale),
		routine.Does(plain[sem.LocalBuffer]((*function).bufferAddress)),
	}
}

// commWriters write communication, what lives on the stack, and debugging.
func commWriters() rows {
	return rows{
		routine.Does((*function).commCopy),
		routine.Does(plain[sem.CommNotify]((*function).commNotify)),
		routine.Does((*function).commWait),
		routine.Does((*function).commCollective),
		routine.Does(plain[sem.CommSession]((*function).commSession)),
		routine.Does((*function).commEvent),
		routine.Does(plain[sem.Prefetch]((*function).prefetchAsync)),
		routine.Does((*function).onStack),
		routine.Does(plain[sem.Print]((*function).print)),
		routine.Does(plain[sem.Stop]((*function).stop)),
	}
}

// onStack writes storage on the stack.
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
