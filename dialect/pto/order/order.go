// Package order says what orders two accesses of a kernel: the definition of
// happens-before that the race checker, passes that insert or verify
// synchronization and the timing model share.
//
// A core is ten timelines that run side by side. Issue is the scalar unit,
// which hands instructions to the pipes in program order; Scalar is its own
// accesses of memory, which need not be over when it hands out the next
// instruction; Copies and MoreCopies are asynchronous copies, which no barrier
// waits for; the others are pipes.
//
//	order.go    this page, and the timelines
//	rules.go    what differs between targets, and what is contested
//	clock.go    what is known to be over
//	core.go     what instructions of a core start after
//	channel.go  signals: what a raise hands to the wait that takes it
//	word.go     signals through words of memory, between ranks
//	scope.go    what orders accesses within a vecscope
//	cache.go    the data cache of the scalar unit
//
// An instruction of pipe P starts when
//
//   - the issue clock of its core is reached: it grows by waits of the scalar
//     unit, a barrier of all pipes, meetings of all cores, waits for memory, and
//     on A2/A3 by every wait for another core;
//   - what P itself has waited for is over: flags, signals, buffers, barriers;
//   - and, where P is in order, its instructions before are over.
//
// A signal that P raises says that all of this is so, and that all earlier
// instructions of P are over. Two accesses of a byte, one of which writes, race
// unless one is over before the other starts.
package order

import (
	"ptogo/dialect/pto/sem"
)

// Line is a timeline of a core.
type Line uint8

// The timelines.
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
	// NumPipes is the number of timelines up to the pipes.
	NumPipes
	// Copies and MoreCopies are the asynchronous copies of sessions. Only a wait for an
	// event of a session completes them.
	Copies     = NumPipes
	MoreCopies = NumPipes + 1
	NumLines   = NumPipes + 2

	NoLine Line = 255
)

// lineOfPipe is the timeline of each pipe. Pipes that the dialect numbers but no
// instruction uses share the timeline of a similar pipe.
var lineOfPipe = map[sem.Pipe]Line{
	sem.PipeS: Scalar, sem.PipeV: Vector, sem.PipeM: Cube, sem.PipeMTE1: MTE1, sem.PipeMTE2: MTE2, sem.PipeMTE3: MTE3, sem.PipeFix: Fix,
	// Pipes that the dialect numbers and no instruction uses run beside those
	// they are named after.
	sem.PipeMTE4: MTE2, sem.PipeMTE5: MTE3, sem.PipeV2: Vector,
}

// LineOf returns the timeline of the memory accesses of a pipe. It returns NoLine for
// operations that no single pipe executes.
func LineOf(p sem.Pipe) Line {
	if l, ok := lineOfPipe[p]; ok {
		return l
	}
	return NoLine
}

// Pipe returns the pipe of a timeline.
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

// String names a timeline in messages.
func (l Line) String() string {
	if l == Copies || l == MoreCopies {
		return "the copy engine"
	}
	return l.Pipe().String()
}

// IsCopies reports whether a timeline is one of asynchronous copies.
func (l Line) IsCopies() bool { return l == Copies || l == MoreCopies }

// Epoch is instruction N, counted from 1, of a timeline of a core.
type Epoch struct {
	Core int32
	Line Line
	N    uint32
}
