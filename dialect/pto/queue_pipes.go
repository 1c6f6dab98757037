package pto

import "ptogo/ir"

// QueuePipes are the pipes in which a queue works, on a profile
// (pto-isa:include/pto/npu/a5/TPush.hpp and a2a3/TPush.hpp).
type QueuePipes struct {
	Reserve Pipe // waits for a free slot; S holds back the whole core
	Push    Pipe // copies a tile into the slot and signals
	Pop     Pipe // waits for a filled slot
	Copy    Pipe // brings an entry from global memory
	Free    Pipe // gives the slot back
}

// QueuePipesOf returns the pipes of one way of a queue, whose slots are in
// global memory or in that of the consumer.
func QueuePipesOf(way int, gm bool, t ir.Target) QueuePipes {
	p := QueuePipes{Push: PipeFix, Pop: PipeV, Copy: PipeMTE2, Free: PipeV}
	if way == ToCube {
		p.Push, p.Pop, p.Free = PipeMTE3, PipeMTE1, PipeMTE1
	}
	p.Reserve = p.Push
	switch {
	case t != A5:
		p.Reserve, p.Pop, p.Free = PipeS, PipeS, PipeMTE2
	case gm:
		if p.Pop = PipeMTE2; way == ToVector {
			p.Free = PipeMTE2
		}
	}
	return p
}
