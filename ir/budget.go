// This file limits the memory and the time of code that works on programs.

package ir

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Budget limits the work on one program: the passes of a pipeline, a lowering, an emitter.
// Code that works on the program does not mention the budget. Each walk over operations
// (Op.Walk, Block.Ops) and each insertion of an operation asks it, after every askEvery
// operations, and panics with *Exceeded when it is exhausted. The pass manager and the
// tools convert this panic to an error.
type Budget struct {
	// Memory is the maximum memory of the program in bytes, estimated from the number of
	// its operations; 0 means no limit.
	Memory int64
	// Stop, if not nil, returns the reason why the work must end, or "". Several goroutines
	// can call it at the same time.
	Stop func() string

	// added is the number of inserted operations minus the number of removed ones.
	added atomic.Int64
	// Asked is the number of times that code has asked, for tests.
	Asked atomic.Int64
}

// Exceeded is the value of the panic that ends the work on a program when its budget is
// exhausted.
type Exceeded struct{ Text string }

// Error implements error.
func (e *Exceeded) Error() string { return e.Text }

const (
	// askEvery is the number of operations between two questions to the budget.
	askEvery = 1 << 10
	// bytesPerOperation is the memory of a typical operation with its operands, results
	// and attributes, and of the tables that passes keep for it.
	bytesPerOperation = 512
)

var (
	// budgets maps the root of each program with a budget to its *Budget, and active is
	// their number.
	budgets sync.Map
	active  atomic.Int32
	// insertions and removals count the operations that enter and leave blocks, in all
	// programs, while budgets are active.
	insertions, removals atomic.Uint32
)

// Begin makes the budget apply to the program with the given root, until the returned
// function is called. If the program already has a budget, that one remains.
func (b *Budget) Begin(root *Op) (end func()) {
	if _, has := budgets.LoadOrStore(root, b); has {
		return func() {}
	}
	active.Add(1)
	return func() {
		budgets.Delete(root)
		active.Add(-1)
	}
}

// budgetOf returns the budget of the program that contains op, or nil. An operation that
// is not in a program yet belongs to the only budget, if there is just one.
func budgetOf(op *Op) *Budget {
	for op.Parent() != nil {
		op = op.Parent()
	}
	if b, ok := budgets.Load(op); ok {
		return b.(*Budget)
	}
	var only *Budget
	if active.Load() == 1 {
		budgets.Range(func(_, b any) bool { only = b.(*Budget); return false })
	}
	return only
}

// ask panics if the budget of the program that contains op is exhausted. added is the
// number of operations by which the program has grown since the last question; it is
// negative if the program has become smaller.
func ask(op *Op, added int64) {
	if op == nil {
		return
	}
	if b := budgetOf(op); b != nil {
		b.ask(added)
	}
}

// ask panics if the budget is exhausted.
func (b *Budget) ask(added int64) {
	b.Asked.Add(1)
	n := b.added.Add(added)
	if added < 0 {
		return
	}
	if b.Stop != nil {
		if why := b.Stop(); why != "" {
			panic(&Exceeded{why})
		}
	}
	if b.Memory > 0 && n*bytesPerOperation > b.Memory {
		panic(&Exceeded{fmt.Sprintf("the program grows by more than %d operations, which need more than the limit of %d bytes of memory; --max-memory raises the limit", n, b.Memory)})
	}
}
