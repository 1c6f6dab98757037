// This file wraps planned steps so that they report events. Plans without listeners
// contain none of it.

package runtime

import (
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// listening reports whether the launch will have listeners. Without listeners, the
// planner generates no code for events, so that events cost no time.
func (p *planner) listening() bool { return len(p.opts.Listeners) > 0 }

// withEvents wraps s, the Go function that executes op. The wrapper calls s and sends the
// events of op to the listeners. Without listeners, withEvents returns s unchanged.
func (p *planner) withEvents(op *ir.Op, s step) step {
	switch {
	case !p.listening() || p.failed:
		return s
	case pto.InfoOf(op.Def()) == nil || len(op.Regions()) > 0:
		return p.withScalarEvent(op, s)
	}
	pipe := p.eventPipe(op)
	if kind, isQueue := queueKind(op); isQueue {
		return p.withQueueEvents(op, s, kind)
	}
	if m := analysis.MacroOf(op, p.target); m != nil && s != nil {
		return p.withMacroEvents(op, s, m)
	}
	switch kind := op.Def().Sem.(type) {
	case sem.SyncAllCores:
		return p.withMeetingEvents(op, s)
	case sem.Barrier, sem.MemoryFence:
		return p.withOrderEvent(op, kind, pipe)
	case sem.CommEvent:
		return p.withInstructionEvent(op, s, sem.PipeS)
	}
	if s == nil || pipe == sem.NoPipe {
		return p.withScalarEvent(op, s)
	}
	return p.withInstructionEvent(op, s, pipe)
}

// withInstructionEvent wraps s, the step of an instruction on the given pipe. The wrapper
// sends one event with the memory accesses of the instruction and with the signals that
// it raises or waits for.
func (p *planner) withInstructionEvent(op *ir.Op, s step, pipe sem.Pipe) step {
	o, uses, links, kind := p.newOpPlan(op), p.tileUses(op), p.links[op], eventKind(op)
	return func(fr *frame) *Fault {
		r := fr.core.rec
		r.begin(o, pipe)
		for i := range uses {
			uses[i].record(fr, r)
		}
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
func (p *planner) withScalarEvent(op *ir.Op, s step) step {
	if s == nil || len(op.Regions()) > 0 {
		return s
	}
	o, pipe := p.newOpPlan(op), p.scalarPipe(op, sem.PipeS)
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

// withOrderEvent returns a step for an instruction that only orders other instructions,
// for example a barrier. The step only sends an event, because the runtime executes in
// program order and needs no barriers. meaning is the kind of meaning of op, a Go value
// that describes what op does, and pipe is the pipe of the event.
func (p *planner) withOrderEvent(op *ir.Op, meaning ir.Meaning, pipe sem.Pipe) step {
	o, kind := p.newOpPlan(op), PipeBarrier
	var uses []tileUse
	switch fence, fences := meaning.(sem.MemoryFence); {
	case fences && fence.Act == sem.FenceVector:
		kind, o.order = MemoryBarrier, sem.FenceKind(op)
	case fences:
		kind, o.order = Fence, strings.TrimPrefix(op.Name(), "pto.")
	case pipe == sem.PipeS && sem.NamesNoPipe(op):
		kind, uses = TileBarrier, p.tileUses(op)
	}
	return func(fr *frame) *Fault {
		r := fr.core.rec
		r.begin(o, pipe)
		for i := range uses {
			uses[i].record(fr, r)
		}
		r.emit(fr, kind)
		return nil
	}
}

// eventKind returns the kind of the event that the instruction op causes, for example
// FlagSet.
func eventKind(op *ir.Op) EventKind {
	switch kind := op.Def().Sem.(type) {
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
func (p *planner) eventPipe(op *ir.Op) sem.Pipe { return p.scalarPipe(op, pto.PipeFor(op, p.target)) }

// scalarPipe returns the pipe that executes op. This is the given pipe, except for scalar
// instructions inside a vecscope: the vector unit executes these, so scalarPipe returns
// PipeV.
func (p *planner) scalarPipe(op *ir.Op, pipe sem.Pipe) sem.Pipe {
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
