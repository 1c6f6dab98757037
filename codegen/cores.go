package codegen

import (
	"reflect"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// LLVM IR is written for one core that runs alone. What other cores hear has no
// effect on it, and what it would wait for never comes.

// onlyGo says of kinds of meaning why they are for the Go engine.
var onlyGo = map[reflect.Type]string{
	reflect.TypeFor[pto.CrossWait]():     "waits for another core",
	reflect.TypeFor[pto.SyncAllCores]():  "waits for other cores",
	reflect.TypeFor[pto.QueueInit]():     "connects cores by a queue",
	reflect.TypeFor[pto.QueueAlloc]():    "uses a queue between cores",
	reflect.TypeFor[pto.QueueFree]():     "uses a queue between cores",
	reflect.TypeFor[pto.QueuePush]():     "uses a queue between cores",
	reflect.TypeFor[pto.QueuePop]():      "uses a queue between cores",
	reflect.TypeFor[pto.ReserveBuffer](): "reserves the buffer of a queue between cores",
	reflect.TypeFor[pto.ImportBuffer]():  "uses the buffer of a queue between cores",
}

// isOnlyGo reports an operation that is for the Go engine.
func (f *function) isOnlyGo(op *ir.Op) bool {
	why := onlyGo[reflect.TypeOf(op.Def().Sem)]
	if why != "" {
		f.errorf(op, "%s, and LLVM IR is written for one core that runs alone: it is for the Go engine", why)
	}
	return why != ""
}

// signals is how many signals there are between the cores of a block.
const signals = 32

// crossSet writes raising a signal, which nobody here waits for.
func (f *function) crossSet(op *ir.Op) {
	for _, name := range []string{"event_id_dyn", "event_id"} {
		if op.Arg(name) != nil {
			f.atMostOrTrap(f.countArg(op, name), signals-1)
			return
		}
	}
	if id, _ := op.Attr("event_id").AsInt(); id < 0 || id >= signals {
		f.errorf(op, "is about signal %d, but there are signals 0 to %d", id, signals-1)
	}
}
