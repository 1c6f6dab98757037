package pto

import (
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
	if way == ToCube {
		p.Push, p.Pop, p.Free = sem.PipeMTE3, sem.PipeMTE1, sem.PipeMTE1
	}
	p.Reserve = p.Push
	switch {
	case t != sem.A5:
		p.Reserve, p.Pop, p.Free = sem.PipeS, sem.PipeS, sem.PipeMTE2
	case gm:
		if p.Pop = sem.PipeMTE2; way == ToVector {
			p.Free = sem.PipeMTE2
		}
	}
	return p
}
