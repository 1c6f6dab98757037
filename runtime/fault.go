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
	Loc   ir.Loc
	Op    string // name of the operation
	Text  string // what went wrong, to be read after the name
	Block int    // the block it happened in, of its rank
	Rank  int    // the rank it happened in
	Notes []ir.Note
	// Rounds are the loops that the core was in, the outermost first.
	Rounds []Round

	// After is how many bytes past the end of a gm buffer an access
	// reached, or 0. Devices have memory there; see Buffer.Size.
	Behind int64

	// Range is the memory that an access out of bounds touches, or nil.
	Range *ByteRange

	// Check is the checker of package check that the fault is one of: "sync",
	// "mem", or "".
	Check string

	// Undecided says that the operation depends on inputs in a way that Options.Lineage
	// cannot follow; Because is what depends on them, if that is an expression.
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

// Error returns one line: place, operation and what went wrong, which block, core
// and rounds of loops it was in, and the line of the program that a frontend
// translated, as far as the operation determines it.
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

// note adds to a fault.
func (f *Fault) note(loc ir.Loc, format string, args ...any) *Fault {
	f.Notes = append(f.Notes, ir.Note{Loc: loc, Text: fmt.Sprintf(format, args...)})
	return f
}

// warnOnce reports what is suspicious about an operation, the first time that
// a block executes it so.
func (c *core) warnOnce(op *ir.Op, what func() *Fault) {
	if c.prog.opts.Warn == nil || c.warned[op] {
		return
	}
	c.warned[op] = true
	c.prog.opts.Warn(what().onCore(c))
}

// faultAt makes the fault of an operation.
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

// stopped marks a fault as an end that the options of the launch brought about.
func (f *Fault) stopped() *Fault {
	f.Stopped = true
	return f
}

// memory marks a fault as one of an access of memory.
func (f *Fault) memory() *Fault {
	f.Check = "mem"
	return f
}

// broken is the fault of an operation whose execution panicked, which is a
// mistake of this package and none of the program.
func broken(op *ir.Op, x any) *Fault {
	return faultAt(op, "cannot be executed because of a bug in the runtime: %v%s", x, panicPlace()).
		note(ir.Loc{}, "please report it with the program and its arguments")
}

// panicPlace says where in our code the panic that is being recovered happened.
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
