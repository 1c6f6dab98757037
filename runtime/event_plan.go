// This file wraps planned steps so that they report events. Plans without listeners
// contain none of it.

package runtime

import (
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// listening reports whether the launch will have listeners. Without listeners, the
// planner generates no code for events, so that events cost no time.
func (p *planner) listening() bool { return len(p.opts.Listeners) > 0 }

// withEvents wraps s, the Go function that executes op. The wrapper calls s and sends the
// events of op to the listeners. Without listeners, withEvents returns s unchanged.
func (p *planner) withEvents(op *ir.Op, s step) step {
	if !p.listening() || p.failed || len(op.Regions()) > 0 {
		return s
	}
	o := p.newOpPlan(op)
	scalar := pto.InfoOf(op.Def()) == nil || o.pipe == sem.NoPipe
	switch op.Def().Sem.(type) {
	case sem.QueueEntry:
		if s != nil {
			return withQueueEvents(o, s)
		}
	case sem.SyncAllCores:
		return withMeetingEvents(o, s)
	case sem.CommEvent:
		o.pipe, scalar = sem.PipeS, false
	case sem.Barrier, sem.MemoryFence:
		if scalar = false; s == nil { // the runtime executes in program order
			s = func(*frame) *Fault { return nil }
		}
	}
	if s == nil {
		return nil
	}
	if scalar && o.macro == nil {
		return withScalarEvent(o, s)
	}
	if o.uses = p.tileUses(op); o.macro != nil {
		return withMacroEvents(o, s)
	}
	return withInstructionEvent(o, s, p.links[op])
}

// withInstructionEvent wraps s, the step of an instruction. The wrapper sends one event
// with the memory accesses of the instruction and with the signals that it raises or waits
// for, which the function links adds.
func withInstructionEvent(o *opPlan, s step, links func(fr *frame, r *recorder)) step {
	kind := o.eventKind()
	return func(fr *frame) *Fault {
		r := fr.core.rec
		r.begin(o, o.pipe)
		r.recordUses(fr)
		if f := s(fr); f != nil {
			return f
		}
		if links != nil {
			links(fr, r)
			r.tell = links
		}
		if kind == Instruction && r.signal.Fulfils != nil {
			r.emit(fr, Await) // a test that has seen the signal
			return nil
		}
		r.emit(fr, kind)
		return nil
	}
}

// withScalarEvent wraps s, the step of an operation without a pipe. If the operation
// accesses memory, the wrapper sends an event of the scalar pipe. If it does not, the
// wrapper only increments a counter, Event.Scalars.
func withScalarEvent(o *opPlan, s step) step {
	pipe := scalarPipe(o.op, sem.PipeS)
	return func(fr *frame) *Fault {
		r := fr.core.rec
		r.begin(o, pipe)
		if f := s(fr); f != nil {
			return f
		}
		if r.used > 0 {
			r.emit(fr, Instruction)
			return nil
		}
		r.scalar()
		return nil
	}
}

// eventKind returns the kind of the event that the instruction causes, for example
// FlagSet.
func (o *opPlan) eventKind() EventKind {
	switch kind := o.op.Def().Sem.(type) {
	case sem.Barrier:
		if o.pipe == sem.PipeS && o.namesNoPipe {
			return TileBarrier
		}
		return PipeBarrier
	case sem.MemoryFence:
		if kind.Act == sem.FenceVector {
			return MemoryBarrier
		}
		return Fence
	case sem.SetFlag:
		return FlagSet
	case sem.WaitFlag:
		return FlagWait
	case sem.BufAcquire:
		return BufferGet
	case sem.BufRelease:
		return BufferRelease
	case sem.CrossSet:
		return SignalSet
	case sem.CrossWait:
		return SignalWait
	case sem.CommNotify:
		return Notify
	case sem.CommWait:
		if !kind.Test {
			return Await
		}
	case sem.CommEvent:
		return CopyWait
	}
	return Instruction
}

// eventPipe returns the hardware pipe that executes the instruction op on the target of
// the program. Listeners receive this pipe in Event.Pipe.
func (p *planner) eventPipe(op *ir.Op) sem.Pipe { return scalarPipe(op, pto.PipeFor(op, p.target)) }

// scalarPipe returns the pipe that executes op. This is the given pipe, except for scalar
// instructions inside a vecscope: the vector unit executes these, so scalarPipe returns
// PipeV.
func scalarPipe(op *ir.Op, pipe sem.Pipe) sem.Pipe {
	if pipe == sem.PipeS && insideScope(op) {
		return sem.PipeV
	}
	return pipe
}

// insideScope reports whether op is inside a vecscope or a SIMT section. The vector unit
// executes these regions, including their scalar operations.
func insideScope(op *ir.Op) bool {
	for o := op.Parent(); o != nil; o = o.Parent() {
		if s, ok := o.Def().Sem.(sem.Scope); ok && (s.Kind == sem.VectorFunction || s.Kind == sem.SimtSection) {
			return true
		}
	}
	return false
}

// withScopeEvents wraps body, the step of a vecscope, so that it sends the events
// ScopeBegin and ScopeEnd before and after the body.
func (p *planner) withScopeEvents(op *ir.Op, body step) step {
	if !p.listening() {
		return body
	}
	o := p.newOpPlan(op)
	return func(fr *frame) *Fault {
		r := fr.core.rec
		if r.scope != 0 {
			return body(fr) // scopes do not nest
		}
		r.stream.scopes++
		r.scope = r.stream.scopes
		r.begin(o, sem.PipeV)
		r.emit(fr, ScopeBegin)
		f := body(fr)
		if f == nil {
			r.begin(o, sem.PipeV)
			r.emit(fr, ScopeEnd)
		}
		r.scope = 0
		return f
	}
}

// withRounds extends loop, the step that executes the loop op, so that events of
// instructions in the loop contain the number of the current iteration (Event.Rounds).
// For this it inserts a step that counts iterations at the start of body, the compiled
// loop body. The function index returns the value of the induction variable; it is nil if
// the loop has none. withRounds returns the extended step.
func (p *planner) withRounds(op *ir.Op, body *block, index func(fr *frame) int64, loop step) step {
	if !p.listening() {
		return loop
	}
	body.steps = slices.Insert(body.steps, 0, func(fr *frame) *Fault {
		if r := fr.core.rec; len(r.rounds) > 0 {
			last := &r.rounds[len(r.rounds)-1]
			if last.Round++; index != nil {
				last.Index = index(fr)
			}
		}
		return nil
	})
	body.ops = slices.Insert(body.ops, 0, op)
	return func(fr *frame) *Fault {
		r := fr.core.rec
		depth := len(r.rounds)
		r.rounds = append(r.rounds, Round{Loop: op, Round: -1})
		f := loop(fr)
		r.rounds = r.rounds[:min(depth, len(r.rounds))]
		return f
	}
}
