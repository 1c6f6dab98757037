package cpp

import (
	"reflect"
	"slices"

	"ptogo/dialect/cf"
	fn "ptogo/dialect/func"
	"ptogo/dialect/pto"
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

// writers has the routine for each kind of meaning that is more than a call of
// the library.
var writers = map[reflect.Type]func(f *function, op *ir.Op, kind any){}

func init() { // the routines write regions, so they lead back here
	for _, w := range slices.Concat(scalarWriters(), viewWriters(), tileWriters(), syncWriters(), commWriters()) {
		writers[w.kind] = w.write
	}
}

func scalarWriters() []writer {
	return []writer{
		with((*function).literal),
		with((*function).elementwise),
		plain[scalar.Comparison]((*function).comparison),
		plain[scalar.Choice]((*function).choice),
		plain[scalar.Cast]((*function).cast),
		plain[scalar.Reinterpret]((*function).reinterpret),
		with((*function).control),
		with((*function).jumpTo),
		plain[cf.Check]((*function).assert),
		plain[sem.CastPtr]((*function).castPtr),
		plain[sem.AddPtr]((*function).addPtr),
		plain[sem.LoadElement]((*function).loadElement),
		plain[sem.StoreElement]((*function).storeElement),
		with((*function).query),
		with((*function).setBit),
		with((*function).scope),
		plain[sem.ScopeYield]((*function).leave),
	}
}

func viewWriters() []writer {
	return []writer{
		plain[sem.MakeView]((*function).makeView),
		plain[sem.PartView]((*function).partView),
		with((*function).viewDim),
		plain[sem.AddressOf]((*function).addressOf),
		plain[sem.AllocTile]((*function).allocTile),
		plain[sem.TileSlot]((*function).tileSlot),
		plain[sem.PlaceTile]((*function).placeTile),
		plain[sem.SubTile]((*function).subTile),
		plain[sem.SameStorage]((*function).sameStorage),
		plain[sem.SetValid]((*function).setValid),
		with((*function).getValid),
		plain[sem.Declare]((*function).declareName),
	}
}

func tileWriters() []writer {
	return []writer{
		with((*function).mapTiles),
		plain[sem.TileCompare]((*function).compareTiles),
		with((*function).move),
		plain[sem.TileStore]((*function).store),
		plain[sem.TilePad]((*function).fillPad),
		plain[sem.TileGet]((*function).getElement),
		plain[sem.TileSet]((*function).setElement),
		plain[sem.TileRandom]((*function).random),
		plain[sem.TileHistogram]((*function).histogram),
		plain[sem.TileQuantMX]((*function).quantMX),
		plain[sem.MemScatter]((*function).scatterMemory),
	}
}

func syncWriters() []writer {
	return []writer{
		plain[sem.SetFlag]((*function).setFlag),
		plain[sem.WaitFlag]((*function).waitFlag),
		plain[sem.Barrier]((*function).barrier),
		plain[sem.BufAcquire]((*function).getBuffer),
		plain[sem.BufRelease]((*function).releaseBuffer),
		with((*function).crossSet),
		with((*function).crossWait),
		plain[sem.SyncAllCores]((*function).syncAll),
		plain[sem.MemoryFence]((*function).fence),
		with((*function).writeRegister),
		plain[sem.EventArray]((*function).eventArray),
		plain[sem.EventArrayGet]((*function).eventGet),
		plain[sem.EventArraySet]((*function).eventSet),
		plain[sem.QueueInit]((*function).queueInit),
		plain[sem.QueueAlloc]((*function).queueAlloc),
		plain[sem.QueuePush]((*function).queuePush),
		plain[sem.QueuePop]((*function).queuePop),
		plain[sem.QueueFree]((*function).queueFree),
		with((*function).queueScale),
		plain[sem.ReserveBuffer]((*function).bufferAddress),
		plain[sem.ImportBuffer]((*function).bufferAddress),
	}
}

// commWriters write communication, what lives on the stack, and debugging.
func commWriters() []writer {
	return []writer{
		with((*function).commCopy),
		plain[sem.CommNotify]((*function).commNotify),
		with((*function).commWait),
		with((*function).commCollective),
		plain[sem.CommSession]((*function).commSession),
		with((*function).commEvent),
		plain[sem.Prefetch]((*function).prefetchAsync),
		plain[sem.DeclareLocal]((*function).declareLocal),
		plain[sem.LocalGet]((*function).localGet),
		plain[sem.LocalSet]((*function).localSet),
		plain[sem.Print]((*function).print),
		plain[sem.Stop]((*function).stop),
	}
}

// write writes one operation.
func (f *function) write(op *ir.Op) {
	defer f.recovered(op)
	if op == f.watched {
		start := len(f.b)
		defer func() { f.statements = string(f.b[start:]) }()
	}
	kind := op.Def().Sem
	switch info := pto.InfoOf(op.Def()); {
	case info != nil && info.Cpp.None != "":
		f.errorf(op, "has no C++ form: %s", info.Cpp.None)
	case info != nil && microGroups[info.Group]:
		f.micro(op)
	case writers[reflect.TypeOf(kind)] != nil:
		f.guard(op)
		writers[reflect.TypeOf(kind)](f, op, kind)
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
