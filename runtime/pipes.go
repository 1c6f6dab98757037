// This file decides which pipe executes an instruction in random schedules
// (Options.Seed), and what it must wait for.

package runtime

import (
	"math/rand/v2"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// With Options.Seed, the pipes of a core run concurrently, as in hardware. The scalar
// unit executes control flow and its own instructions. It issues all other instructions,
// with the current values of their operands, to the queue of their pipe. A random choice
// determines which pipe continues. Instructions that the target does not execute in order
// leave their queue in any order, up to the next instruction that enforces an order. If
// the synchronization of a program orders all its accesses, it computes the same results
// in every schedule. A program that can deadlock does so in some schedules.

// handed is an instruction that the scalar unit has issued to a pipe, which executes it
// later.
type handed struct {
	op  *ir.Op
	run step
	// fr is the frame with the values of the operands. If copied is set, it is a copy that
	// later instructions can overwrite after the execution.
	fr     *frame
	copied bool
	// orders means that the instruction must not be reordered with other instructions of
	// its pipe.
	orders bool
	// state is the state of the scalar unit at the time of issue.
	state unitState
	// ready, if not nil, reports whether the instruction can start. It is false while the
	// instruction waits for other pipes.
	ready func() bool
	// over, if not nil, is called when the instruction has ended.
	over func()
}

// unitState holds the registers that the scalar unit sets, and the stacks. An instruction
// uses their state at the time of issue, even if it executes later.
type unitState struct {
	registers []register
	atomic    atomic
	roundings []operandRounding
	patches   patches
	simtDims  [3]uint32
	stacks    stacks
}

// pipeQueue simulates a pipe with its queue of issued instructions. The field core
// contains the registers and other state with which the pipe executes its instructions.
// This state is a copy of its own, but it refers to the same memories as the core to
// which the pipe belongs.
type pipeQueue struct {
	pipe    sem.Pipe
	core    *core
	inOrder bool
	items   []handed
	busy    bool
	closed  bool
}

// longestQueue is the maximum number of issued instructions that wait in the queue of a
// pipe. While the queue is full, the scalar unit waits.
const longestQueue = 32

// pipeSet holds the simulated asynchronous pipes of a core, for runs in random order
// (Options.Seed).
type pipeSet struct {
	queues [numPipes]*pipeQueue
	rnd    *rand.Rand
	// issued counts the issued releases of each buffer token, and over counts those that
	// have been executed.
	issued [numBuffers]int
	// over counts the executed releases of each buffer token.
	over [numBuffers]int
	// copies are frames for the next instructions.
	copies frameCopies
}

// idle reports whether the queues of all pipes are empty and no pipe executes an
// instruction.
func (s *pipeSet) idle() bool {
	for _, q := range s.queues {
		if q != nil && !q.empty() {
			return false
		}
	}
	return true
}

// empty reports whether the pipe has no instruction in its queue and is not executing
// one.
func (q *pipeQueue) empty() bool { return len(q.items) == 0 && !q.busy }

// sidePipes lists the pipes that run concurrently with the scalar unit.
var sidePipes = []sem.Pipe{sem.PipeV, sem.PipeM, sem.PipeMTE1, sem.PipeMTE2, sem.PipeMTE3, sem.PipeFix}

// withPipe wraps s, the step of op, so that it issues the instruction to its pipe instead
// of executing it. Without Options.Seed, instructions execute in program order and
// withPipe returns s unchanged.
func (p *planner) withPipe(op *ir.Op, s step) step {
	if p.opts.Seed == 0 || s == nil && !isBarrier(op) || insideScope(op) {
		return s
	}
	pipe, waits := p.queueFor(op)
	if pipe != sem.PipeAll && !slices.Contains(sidePipes, pipe) {
		return s
	}
	if s == nil {
		s = func(*frame) *Fault { return nil }
	}
	orders, ready, choose, tiles, locals := ordersPipe(op), p.bufferTurns(op), p.freePipe(op), p.tileSlots(op), p.localSlots(op)
	return func(fr *frame) *Fault {
		c, pipe := fr.core, pipe
		if choose != nil {
			pipe = choose(c)
		}
		switch {
		case c.pipes == nil: // it belongs to what a pipe executes
			return s(fr)
		case pipe == sem.PipeAll:
			if f := c.finishPipes(op); f != nil {
				return f
			}
			return s(fr)
		case waits:
			return c.handAndWait(handed{op: op, run: s, fr: fr, orders: true, state: c.state()}, pipe)
		}
		h := handed{op: op, run: s, fr: c.pipes.copies.take(fr, tiles, locals), copied: len(locals) == 0, orders: orders, state: c.state()}
		if ready != nil {
			h.ready, h.over = ready(fr)
		}
		return c.hand(h, pipe)
	}
}

// localSlots returns the slots of the arrays and structs on the stack that the operations
// inside op use, and that are declared outside op.
func (p *planner) localSlots(op *ir.Op) (slots []slot) {
	for inner := range op.Walk() {
		for _, v := range inner.Operands() {
			if !ir.Is[pto.LocalArray](v.Type()) && !ir.Is[pto.Struct](v.Type()) || v.Op() == nil || op.Encloses(v.Op()) {
				continue
			}
			if at := p.slot(v); !slices.Contains(slots, at) {
				slots = append(slots, at)
			}
		}
	}
	return slots
}

// tileSlots returns the slots of the tiles that op and the operations inside it use.
func (p *planner) tileSlots(op *ir.Op) (slots []slot) {
	for inner := range op.Walk() {
		for _, v := range inner.Operands() {
			if p.classOf(v.Type()) != tileClass {
				continue
			}
			if at, ok := p.slots[v]; ok && !slices.Contains(slots, at) {
				slots = append(slots, at)
			}
		}
	}
	return slots
}

// queueFor returns the pipe to which op is issued in a run with asynchronous pipes. The
// result pipe is PipeS if the scalar unit executes op immediately, and PipeAll if all
// pipes must be idle first. The result waits means that the scalar unit waits until op
// has been executed, because it needs the result.
func (p *planner) queueFor(op *ir.Op) (pipe sem.Pipe, waits bool) {
	switch kind := op.Def().Sem.(type) {
	case sem.QueueEntry:
		return p.pipeOfEntries(op, kind), kind.Gives()
	case sem.Scope:
		if kind.Kind == sem.VectorFunction || kind.Kind == sem.SimtSection {
			return sem.PipeV, false
		}
		return sem.PipeS, false
	case sem.SimtLaunch:
		return sem.PipeV, false
	case sem.WriteRegister, sem.UbMask, sem.StoreAtomic, sem.OperandRounding, sem.SetPatches, sem.MakePatches, sem.SimtDims:
		return sem.PipeS, false // what instructions find set up is handed out with them
	case sem.ConfigSet:
		return sem.PipeFix, false
	case sem.MemoryFence:
		return sem.PipeS, false
	case sem.Local:
		if kind.Events {
			return sem.PipeS, false
		}
	case sem.Print, sem.CommCopy, sem.CommCollective:
		return sem.PipeAll, false
	case sem.BufRelease:
		if sem.BufferUseOf(op).Mode == 1 {
			return sem.PipeAll, false
		}
	case sem.Barrier:
		if pipe = p.eventPipe(op); pipe == sem.PipeS {
			return sem.PipeAll, false
		}
		return pipe, false
	}
	if pto.InfoOf(op.Def()) == nil || len(op.Regions()) > 0 {
		return sem.PipeS, false
	}
	if analysis.MacroOf(op, p.target) != nil {
		return sem.PipeAll, false
	}
	return p.eventPipe(op), op.NumResults() > 0
}

// pipeOfEntries returns the pipe that executes a queue instruction. It depends on the
// direction of the queue and on the kind of the instruction (reserve, push, pop or free).
func (p *planner) pipeOfEntries(op *ir.Op, kind sem.QueueEntry) sem.Pipe {
	way := kind.Way(pto.CoreOf(op).Unit(), sem.ToVector)
	pipes := isasync.QueuePipesOf(way, false, p.target)
	switch kind.Act {
	case sem.QueuePush:
		if pipe := pto.PipeFor(op, p.target); pipe != sem.PipeS {
			return pipe
		}
		return pipes.Push
	case sem.QueueAlloc:
		return pipes.Push
	case sem.QueuePop:
		return pipes.Copy
	}
	return pipes.Free
}

// freePipe returns a function that selects the pipe that frees a queue slot. This pipe
// depends on the executing core. For instructions that do not free a slot, freePipe
// returns nil.
func (p *planner) freePipe(op *ir.Op) func(c *core) sem.Pipe {
	if sem.QueueEntryOf(op).Act != sem.QueueFree {
		return nil
	}
	entry := sem.QueueUseOf(op).Entry
	gm := entry != nil && !pto.IsTile(entry.Type()) // a view of a slot in global memory
	at := [...]sem.Pipe{isasync.QueuePipesOf(sem.ToVector, gm, p.target).Free, isasync.QueuePipesOf(sem.ToCube, gm, p.target).Free}
	return func(c *core) sem.Pipe {
		if c.unit == cubeUnit {
			return at[sem.ToCube]
		}
		return at[sem.ToVector]
	}
}

// isBarrier reports whether op is a barrier, which waits for earlier instructions of one
// or all pipes.
func isBarrier(op *ir.Op) bool { _, ok := op.Def().Sem.(sem.Barrier); return ok }

// ordersPipe reports whether op must not be reordered with other instructions of its
// pipe, for example a flag or a barrier.
func ordersPipe(op *ir.Op) bool {
	switch kind := op.Def().Sem.(type) {
	case sem.SetFlag, sem.WaitFlag, sem.Barrier, sem.BufAcquire, sem.BufRelease, sem.CrossSet, sem.CrossWait, sem.ConfigSet:
		return true
	case sem.QueueEntry:
		return kind.Act == sem.QueuePush || kind.Act == sem.QueueFree
	}
	return false
}

// bufferTurns ensures that buffer tokens are acquired in program order, although the
// pipes execute their instructions in a random order. It returns nil if op neither
// acquires nor releases a token. Otherwise it returns a function that the runtime calls
// when op is issued.
//
// This function has two results, of which one is nil. For an acquisition, ready reports
// whether op can start: it returns true when all releases that were issued earlier have
// been executed. For a release, the runtime calls over when the release has been
// executed.
func (p *planner) bufferTurns(op *ir.Op) func(fr *frame) (ready func() bool, over func()) {
	switch op.Def().Sem.(type) {
	case sem.BufAcquire, sem.BufRelease:
	default:
		return nil
	}
	use := sem.BufferUseOf(op)
	id := p.bufferID(use.Buffer)
	switch op.Def().Sem.(type) {
	case sem.BufAcquire:
		if use.Mode != 0 {
			return nil
		}
		return func(fr *frame) (func() bool, func()) {
			s, n := fr.core.pipes, id(fr)%numBuffers
			target := s.issued[n]
			return func() bool { return s.over[n] >= target }, nil
		}
	case sem.BufRelease:
		return func(fr *frame) (func() bool, func()) {
			s, n := fr.core.pipes, id(fr)%numBuffers
			s.issued[n]++
			return nil, func() { s.over[n]++ }
		}
	}
	return nil
}
