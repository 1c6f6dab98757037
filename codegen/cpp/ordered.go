// This file warns about functions without synchronization.

package cpp

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// warnUnordered warns about a function that uses several pipes without any
// synchronization. Such a function works in the simulator, which executes in program
// order, but not on a device.
func (f *function) warnUnordered() {
	var first, other *ir.Op
	pipe := sem.NoPipe
	for op := range f.op.Walk() {
		switch op.Def().Sem.(type) {
		case sem.SetFlag, sem.WaitFlag, sem.Barrier, sem.BufAcquire, sem.BufRelease:
			return
		}
		if op.Form().Level != ir.DPS {
			continue
		}
		switch p := pto.PipeFor(op, f.opts.Target); {
		case p == sem.NoPipe || p == sem.PipeS:
		case first == nil:
			first, pipe = op, p
		case other == nil && p != pipe:
			other = op
		}
	}
	if other == nil {
		return
	}
	f.diags.Add(ir.Warning, f.op.Loc(), "function @"+fn.Name(f.op)+" has no synchronization, but instructions of several pipes, which run side by side on a device").
		Note(first.Loc(), "this one is of "+pipe.String()).
		Note(other.Loc(), "this one of "+pto.PipeFor(other, f.opts.Target).String()+"; --enable-insert-sync inserts flags and barriers")
}
