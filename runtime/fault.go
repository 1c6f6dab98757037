// This file defines Fault, the error of a program at run time, and the helpers that
// create one.

package runtime

import (
	"fmt"
	"path"
	goruntime "runtime"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime/expr"
)

// Fault is an error of a program at run time, such as an access out of bounds, a
// division by zero, or a wait for a flag that is never raised.
type Fault struct {
	Loc ir.Loc
	Op  string // name of the operation
	// Text says what went wrong. It continues a sentence that starts with the name of the
	// operation.
	Text string
	// Block is the number of the block in its rank, and Rank the number of the rank, in
	// which the fault occurred.
	Block int
	Rank  int // the rank it happened in
	Notes []ir.Note
	// Rounds are the current iterations of the loops around the operation, outermost
	// first.
	Rounds []Round

	// Behind is the number of bytes by which an access exceeds the end of a global
	// buffer, or 0. On a device, other data can be there; see Buffer.Size.
	Behind int64

	// Range is the memory range of an access out of bounds, or nil.
	Range *ByteRange

	// Check is the name of the checker of package check that covers this kind of fault,
	// "sync" or "mem", or "".
	Check string

	// Undecided means that the operation depends on input data in a way that an
	// equivalence proof cannot follow. Because is the expression that depends on the
	// data, if there is one.
	Undecided bool
	Because   expr.Hash
	// Stopped means that Options.MaxSteps or Options.Stop ended the launch.
	Stopped bool

	ranks    int    // of the launch
	blocks   int    // of a rank
	task     string // of a graph, or ""
	waitsFor string // for whom, if that is another core, to be read after "waits here"
	core     string // of those of the block, or "" if there is one
	item     string // the work item, or ""
}

// ByteRange is a range of bytes of a memory space. It may start below 0.
type ByteRange struct {
	Space       sem.Space
	Buffer      int // the number of the argument in gm, else -1
	Rank        int // whose argument it is
	First, Last int64
}

// Error returns the fault in one line: the location, the operation, what went wrong, the
// block, core and loop iterations, and the source line of the frontend if the location
// contains one.
func (f *Fault) Error() string {
	d := f.Diag()
	s := "'" + f.Op + "' op " + f.Text
	if f.Loc.Known() {
		s = f.Loc.String() + ": " + s
	}
	if at := f.Where(); at != "" {
		s += " (" + at + ")"
	}
	if from := d.Origins(); len(from) > 0 {
		s += " (from " + from[0] + ")"
	}
	return s
}

// Diag returns the fault as a diagnostic, which can show the source line.
func (f *Fault) Diag() *ir.Diag {
	d := &ir.Diag{Loc: f.Loc, Severity: ir.Error, Code: f.code(), Text: "'" + f.Op + "' op " + f.Text}
	if at := f.Where(); at != "" {
		d.Note(ir.Loc{}, "in "+at)
	}
	d.Notes = append(d.Notes, f.Notes...)
	return d
}

// code returns the code of the diagnostic.
func (f *Fault) code() ir.Code {
	switch f.Check {
	case "mem":
		return ir.CodeFaultMemory
	case "sync":
		return ir.CodeFaultSync
	}
	return ir.CodeFault
}

// note appends a note to the fault and returns the fault.
func (f *Fault) note(loc ir.Loc, format string, args ...any) *Fault {
	f.Notes = append(f.Notes, ir.Note{Loc: loc, Text: fmt.Sprintf(format, args...)})
	return f
}

// warnOnce reports a suspicious operation to Options.Warn, but only once per operation
// and block.
func (c *core) warnOnce(op *ir.Op, what func() *Fault) {
	if c.prog.opts.Warn == nil || c.warned[op] {
		return
	}
	c.warned[op] = true
	c.prog.opts.Warn(what().onCore(c))
}

// faultAt returns a fault of operation op with the formatted text.
func faultAt(op *ir.Op, format string, args ...any) *Fault {
	f := &Fault{Loc: op.Loc(), Op: op.Name(), Text: fmt.Sprintf(format, args...)}
	if synchronizes(op) {
		f.Check = "sync"
	}
	return f
}

// synchronizes reports whether an operation orders others or waits for them.
func synchronizes(op *ir.Op) bool {
	switch op.Def().Sem.(type) {
	case sem.SetFlag, sem.WaitFlag, sem.Barrier, sem.BufAcquire, sem.BufRelease, sem.CrossSet, sem.CrossWait, sem.SyncAllCores,
		sem.QueueEntry, sem.CommWait:
		return true
	}
	return false
}

// stopped marks the fault as a stop requested by Options.MaxSteps or Options.Stop, and
// returns it.
func (f *Fault) stopped() *Fault {
	f.Stopped = true
	return f
}

// memory marks the fault as a memory access fault and returns it.
func (f *Fault) memory() *Fault {
	f.Check = "mem"
	return f
}

// broken returns the fault of an operation whose execution panicked with value x. A panic
// is a bug in this package, never an error of the program.
func broken(op *ir.Op, x any) *Fault {
	return faultAt(op, "cannot be executed because of a bug in the runtime: %v%s", x, panicPlace()).
		note(ir.Loc{}, "please report it with the program and its arguments")
}

// panicPlace returns the source position in our code of the panic that is being
// recovered.
func panicPlace() string {
	callers := make([]uintptr, 32)
	frames := goruntime.CallersFrames(callers[:goruntime.Callers(2, callers)])
	for panicked := false; ; {
		f, more := frames.Next()
		switch {
		case strings.HasPrefix(f.Function, "runtime."):
			panicked = true
		case panicked:
			return fmt.Sprintf(" (%s:%d)", path.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}
