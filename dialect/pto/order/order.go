// Package order defines which accesses of a kernel are ordered. The race checker, the
// passes that insert or verify synchronization, and the timing model share this
// definition of happens-before.
//
// A core has eight timelines that run in parallel. Issue is the scalar unit while it
// issues instructions to the pipes in program order. Scalar are the scalar unit's own
// memory accesses, which may be incomplete when it issues the next instruction. The
// others are pipes, the hardware queues of instructions.
//
//	order.go    the timelines
//	rules.go    differences between targets, and guarantees that are contested
//	clock.go    sets of instructions that are known to be complete (vector clocks)
//	core.go     which instructions are complete when an instruction starts
//	channel.go  signals: what a raise guarantees to the wait that consumes it
//	word.go     signals through words of memory, between ranks
//	scope.go    the order of accesses within a vecscope
//	cache.go    the data cache of the scalar unit
//
// An instruction of pipe P starts after all of these are complete:
//
//   - the instructions for which the scalar unit has waited: by waits, a barrier of all
//     pipes, barriers of all cores, waits for memory, and on A2/A3 any wait for another
//     core;
//   - the instructions for which P itself has waited, by flags, signals, buffer tokens
//     and barriers;
//   - if P executes in order, its earlier instructions.
//
// A signal that P raises guarantees the same, and that all earlier instructions of P
// are complete. Two accesses of a byte, at least one of which writes, race unless one
// is complete before the other starts.
package order

import (
	"ptogo/dialect/pto/sem"
)

// Line identifies a timeline of a core: a sequence of instructions that runs in parallel
// with the others. It is a pipe, the issue of instructions, or the memory accesses of the
// scalar unit.
type Line uint8

// The timelines of a core: the scalar unit, each pipe, and asynchronous copies.
const (
	// Issue is the scalar unit while it issues instructions.
	Issue Line = iota
	// Scalar are the memory accesses of the scalar unit.
	Scalar
	Vector
	Cube
	MTE1
	MTE2
	MTE3
	Fix
	// NumPipes is the number of timelines without those of asynchronous copies: the issue
	// of instructions, the accesses of the scalar unit, and the pipes.
	NumPipes
	// Copies and MoreCopies are the timelines of the asynchronous copies and prefetches
	// of sessions. A session is a queue of such operations. Only a wait for an event of
	// the session completes them.
	Copies     = NumPipes
	MoreCopies = NumPipes + 1
	NumLines   = NumPipes + 2

	NoLine Line = 255
)

// lineOfPipe maps each pipe to its timeline. Pipes that exist in the dialect but that no
// instruction uses have the timeline of a similar pipe.
var lineOfPipe = map[sem.Pipe]Line{
	sem.PipeS: Scalar, sem.PipeV: Vector, sem.PipeM: Cube, sem.PipeMTE1: MTE1, sem.PipeMTE2: MTE2, sem.PipeMTE3: MTE3, sem.PipeFix: Fix,
	// Pipes that the dialect numbers and no instruction uses run beside those
	// they are named after.
	sem.PipeMTE4: MTE2, sem.PipeMTE5: MTE3, sem.PipeV2: Vector,
}

// LineOf returns the timeline of the memory accesses of pipe p. Some values of p are not
// a single pipe: the pseudo pipe of operations that several pipes execute, and NoPipe.
// For them it returns NoLine.
func LineOf(p sem.Pipe) Line {
	if l, ok := lineOfPipe[p]; ok {
		return l
	}
	return NoLine
}

// LineOrScalar returns the timeline of pipe p, and that of the scalar unit if p is not a
// single pipe.
func LineOrScalar(p sem.Pipe) Line {
	if l := LineOf(p); l != NoLine {
		return l
	}
	return Scalar
}

// Pipe returns the pipe of the timeline l.
func (l Line) Pipe() sem.Pipe {
	switch l {
	case Vector:
		return sem.PipeV
	case Cube:
		return sem.PipeM
	case MTE1:
		return sem.PipeMTE1
	case MTE2:
		return sem.PipeMTE2
	case MTE3:
		return sem.PipeMTE3
	case Fix:
		return sem.PipeFix
	}
	return sem.PipeS
}

// String returns the name of the timeline for messages: the name of a pipe, or "the copy
// engine".
func (l Line) String() string {
	if l == Copies || l == MoreCopies {
		return "the copy engine"
	}
	return l.Pipe().String()
}

// IsCopies reports whether a timeline is one of asynchronous copies.
func (l Line) IsCopies() bool { return l == Copies || l == MoreCopies }

// Epoch identifies an instruction: it is instruction N, counted from 1, of timeline Line
// of core Core. A timeline is a sequence of instructions, such as those of a pipe. The
// timelines of a core run in parallel.
type Epoch struct {
	Core int32
	Line Line
	N    uint32
}
