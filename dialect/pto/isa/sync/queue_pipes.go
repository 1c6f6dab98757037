// This file lists the pipes that queues use on each target.

package sync

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// QueuePipes are the pipes in which a queue works, on a profile
// (pto-isa:include/pto/npu/a5/TPush.hpp and a2a3/TPush.hpp).
type QueuePipes struct {
	Reserve sem.Pipe // waits for a free slot; S holds back the whole core
	Push    sem.Pipe // copies a tile into the slot and signals
	Pop     sem.Pipe // waits for a filled slot
	Copy    sem.Pipe // brings an entry from global memory
	Free    sem.Pipe // gives the slot back
}

// QueuePipesOf returns the pipes of one way of a queue, whose slots are in
// global memory or in that of the consumer.
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

// popPipe is the pipe that brings an entry, or waits for it where it is already
// in the memory of the consumer: a view stays in global memory. The headers of
// the NPU have it by direction; the compiler's table has PIPE_S on A5.
func popPipe(op *ir.Op, t ir.Target) sem.Pipe {
	gm := inGlobalMemory(op, t)
	if gm || t != sem.A5 {
		return QueuePipesOf(takenWay(op), gm, t).Copy
	}
	return QueuePipesOf(takenWay(op), gm, t).Pop
}

// freePipe is the pipe that gives a slot back.
func freePipe(op *ir.Op, t ir.Target) sem.Pipe {
	return QueuePipesOf(takenWay(op), inGlobalMemory(op, t), t).Free
}

// inGlobalMemory reports whether the entry of an instruction passes through
// global memory: where it is a view, or the handle says so.
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

// takenWay is the way of a queue that an instruction takes entries from. Without
// a core around it, it is one of the vector cores.
func takenWay(op *ir.Op) int { return sem.QueueEntryOf(op).Way(coreOf(op).Unit(), sem.ToVector) }
