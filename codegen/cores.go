package codegen

import (
	"reflect"

	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// But for kernels with parts for both kinds of cores (mixed.go), LLVM IR is
// written for one core that runs alone. What other cores hear has no effect on
// it, and what it would wait for never comes.

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
	if wait, ok := op.Def().Sem.(pto.CrossWait); ok && f.unit != anyUnit && wait.Reach != pto.ReachAll {
		return false
	}
	if why != "" {
		f.errorf(op, "%s, and LLVM IR is written for one core that runs alone: it is for the Go engine", why)
	}
	return why != ""
}

// signals is how many signals there are between the cores of a block.
const signals = 32

// crossSet writes raising a signal. Where one core runs alone nobody waits for
// it.
func (f *function) crossSet(op *ir.Op, sem pto.CrossSet) {
	n := f.signalID(op)
	if f.unit == anyUnit {
		return
	}
	for _, p := range f.told(n, sem.Reach) {
		f.count(p)
	}
}

// signalID is the number of a signal.
func (f *function) signalID(op *ir.Op) value.Value {
	for _, name := range []string{"event_id_dyn", "event_id"} {
		if op.Arg(name) != nil {
			n := f.countArg(op, name)
			f.atMostOrTrap(n, signals-1)
			return n
		}
	}
	id, _ := op.Attr("event_id").AsInt()
	if id < 0 || id >= signals {
		f.errorf(op, "is about signal %d, but there are signals 0 to %d", id, signals-1)
	}
	return index(id)
}
