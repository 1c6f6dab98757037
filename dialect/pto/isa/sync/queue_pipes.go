// This file lists the pipes that queues use on each target.

package sync

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// QueuePipes are the pipes that execute the operations on a queue on a target
// (pto-isa:include/pto/npu/a5/TPush.hpp and a2a3/TPush.hpp).
type QueuePipes struct {
	// Reserve is the pipe that waits for a free slot. If it is S, the scalar pipe, the
	// whole core waits.
	Reserve sem.Pipe
	// Push is the pipe that copies a tile into the slot and then signals that the slot is
	// full.
	Push sem.Pipe
	// Pop is the pipe that waits for a filled slot.
	Pop sem.Pipe
	// Copy is the pipe that copies an entry from a slot in global memory to local memory.
	Copy sem.Pipe
	// Free is the pipe that signals that the slot is free again.
	Free sem.Pipe
}

// QueuePipesOf returns the pipes that execute the operations of a queue on target t. The
// parameter way is the direction of the queue, ToVector or ToCube. gm is true if the
// slots of the queue are in global memory, and false if they are in the local memory of
// the consumer.
func QueuePipesOf(way int, gm bool, t ir.Target) QueuePipes {
	p := QueuePipes{Push: sem.PipeFix, Pop: sem.PipeV, Copy: sem.PipeMTE2, Free: sem.PipeV}
	if way == sem.ToCube {
		p.Push, p.Pop, p.Free = sem.PipeMTE3, sem.PipeMTE1, sem.PipeMTE1
	}
	p.Reserve = p.Push
	switch {
	case t != sem.A5:
		p.Reserve, p.Pop, p.Free = sem.PipeS, sem.PipeS, sem.PipeMTE2
	case gm:
		if p.Pop = sem.PipeMTE2; way == sem.ToVector {
			p.Free = sem.PipeMTE2
		}
	}
	return p
}

// popPipe returns the pipe of a pop instruction. For a queue in global memory, it is the
// pipe that copies the entry to local memory. For a queue in the consumer's memory, it is
// the pipe that waits for the entry on A5, and the pipe for copies on A2/A3. An entry
// that is a tensor stays in global memory.
//
// The result follows the NPU headers, which select the pipe by the direction of the
// queue. The table of the public compiler differs: it has PIPE_S for all directions on
// A5.
func popPipe(op *ir.Op, t ir.Target) sem.Pipe {
	gm := inGlobalMemory(op, t)
	if gm || t != sem.A5 {
		return QueuePipesOf(takenWay(op), gm, t).Copy
	}
	return QueuePipesOf(takenWay(op), gm, t).Pop
}

// freePipe returns the pipe on which op releases the slot of a queue entry. It depends on
// the direction of the queue and on the memory of its slots.
func freePipe(op *ir.Op, t ir.Target) sem.Pipe {
	return QueuePipesOf(takenWay(op), inGlobalMemory(op, t), t).Free
}

// inGlobalMemory reports whether the queue entry that op pushes or pops is in global
// memory. This is the case if the entry is a tensor instead of a tile, or if the slots of
// the queue are in global memory.
func inGlobalMemory(op *ir.Op, t ir.Target) bool {
	use := sem.QueueUseOf(op)
	if use.Entry != nil && !IsTile(use.Entry.Type()) {
		return true
	}
	init := queueOfHandle(use.Handle)
	if init == nil {
		return false
	}
	set := sem.QueueSetUpOf(init)
	return set.Global(t) != nil
}

// takenWay returns the direction of the queue from which an instruction pops. If the core
// is undetermined, it assumes a vector core.
func takenWay(op *ir.Op) int { return sem.QueueEntryOf(op).Way(CoreOf(op).Unit(), sem.ToVector) }
