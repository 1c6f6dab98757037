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
	// Op is the name of the operation that failed, such as pto.tload.
	Op string
	// Text describes the error. It continues a sentence that starts with the name of the
	// operation.
	Text string
	// Block is the number of the block in its rank.
	Block int
	// Rank is the number of the rank in which the fault occurred.
	Rank  int
	Notes []ir.Note
	// Rounds are the current iterations of the loops that enclose the operation,
	// outermost loop first.
	Rounds []Round

	// Behind is the number of bytes by which an access exceeds the end of a global
	// buffer, or 0. On a device, other data can follow the buffer; see Buffer.Size.
	Behind int64

	// Range is the memory range of an access out of bounds, or nil.
	Range *ByteRange

	// Check is the name of the checker in package check that reports this type of fault:
	// "sync", "mem", or "".
	Check string

	// FewCores means that blocks which wait for each other need more cores than a chip has
	// (Options.Cores).
	FewCores bool
	// Rings means that a limit of the public runtime keeps a task of a graph from being
	// submitted, and Possible that this depends on the times of the tasks.
	Rings, Possible bool

	// PastView means that an instruction selects a region which exceeds its view.
	PastView bool

	// Undecided means that the operation depends on input data in a way that an
	// equivalence proof cannot follow. Because is the expression that depends on the
	// data, if there is one.
	Undecided bool
	Because   expr.Hash
	// Stopped means that Options.MaxSteps or Options.Stop ended the launch.
	Stopped bool

	// ranks is the number of ranks of the launch.
	ranks int
	// blocks is the number of blocks of each rank.
	blocks int
	// task is the name of the graph task in which the fault occurred, or "" outside
	// graphs.
	task string
	// waitsFor names the core for which the operation waits, as a continuation of the
	// text "waits here". It is "" if the operation does not wait for another core.
	waitsFor string
	// core is the name of the core in its block. It is "" if the block has only one core.
	core string
	// item names the SIMT work item in which the fault occurred, or is "".
	item string
}

// ByteRange is a range of bytes in a memory space, from First to Last inclusive. First
// can be negative for an access before the start.
type ByteRange struct {
	Space sem.Space
	// Buffer is the argument number of a buffer in gm, or -1 for local memory.
	Buffer int
	// Rank is the rank that owns the buffer.
	Rank        int
	First, Last int64
}

// Error returns a text of one line. It contains the location, the operation, the error,
// and the block, core and loop iterations. If the location refers to a source line of the
// frontend, the text ends with this line.
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

// Diag returns the fault as a compiler diagnostic, with the execution context as a note.
// Diagnostics can be printed with their source line.
func (f *Fault) Diag() *ir.Diag {
	d := &ir.Diag{Loc: f.Loc, Severity: ir.Error, Code: f.code(), Text: f.Text}
	if f.Op != "" {
		d.Text = "'" + f.Op + "' op " + f.Text
	}
	if at := f.Where(); at != "" {
		d.Note(ir.Loc{}, "in "+at)
	}
	d.Notes = append(d.Notes, f.Notes...)
	return d
}

// code returns the diagnostic code of the fault, which depends on the checker
// (Fault.Check) that reports this type of fault.
func (f *Fault) code() ir.Code {
	switch f.Check {
	case "mem":
		return ir.CodeFaultMemory
	case "sync":
		return ir.CodeFaultSync
	}
	return ir.CodeFault
}

// note appends a formatted note with location loc to the fault, and returns the fault.
//
//go:noinline
func (f *Fault) note(loc ir.Loc, format string, args ...any) *Fault {
	f.Notes = append(f.Notes, ir.Note{Loc: loc, Text: fmt.Sprintf(format, args...)})
	return f
}

// warnOnce passes a warning about the suspicious but legal operation op to Options.Warn.
// The parameter what is a function that creates the warning, as a fault value. A block
// warns only once per operation.
func (c *core) warnOnce(op *ir.Op, what func() *Fault) {
	if c.prog.opts.Warn == nil || c.warned[op] {
		return
	}
	c.warned[op] = true
	c.prog.opts.Warn(what().onCore(c))
}

// faultAt returns a fault of operation op. The formatted text continues a sentence that
// starts with the name of op.
func faultAt(op *ir.Op, format string, args ...any) *Fault {
	f := &Fault{Loc: op.Loc(), Op: op.Name(), Text: fmt.Sprintf(format, args...)}
	if synchronizes(op) {
		f.Check = "sync"
	}
	return f
}

// synchronizes reports whether op orders other operations or waits for them, for example
// a flag, barrier or queue instruction.
func synchronizes(op *ir.Op) bool {
	switch op.Def().Sem.(type) {
	case sem.SetFlag, sem.WaitFlag, sem.Barrier, sem.BufAcquire, sem.BufRelease, sem.CrossSet, sem.CrossWait, sem.SyncAllCores,
		sem.QueueEntry, sem.CommWait:
		return true
	}
	return false
}

// stopped marks the fault as a stop that Options.MaxSteps or Options.Stop has requested,
// and returns the fault.
func (f *Fault) stopped() *Fault {
	f.Stopped = true
	return f
}

// memory marks the fault as an invalid memory access, which the checker "mem" covers. It
// returns the fault.
func (f *Fault) memory() *Fault {
	f.Check = "mem"
	return f
}

// broken returns the fault for an operation whose execution panicked with value x. Such a
// panic is a bug of this package, never an error of the program.
func broken(op *ir.Op, x any) *Fault {
	return faultAt(op, "cannot be executed because of a bug in the runtime: %v%s", x, panicPlace()).
		note(ir.Loc{}, "please report it with the program and its arguments")
}

// panicPlace returns the position in the source code of ptogo at which the current panic
// started, as a suffix for a message.
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
