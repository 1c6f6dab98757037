// This file splits a macro instruction, which several pipes execute in turn, into one
// event for each step.

package runtime

import (
	"slices"

	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
)

// withMacroEvents wraps s, the Go function that executes a macro instruction. Different
// pipes execute the internal steps of a macro instruction, which o.macro lists. The
// wrapper calls s and then sends one event for each internal step.
func withMacroEvents(o *opPlan, s step) step {
	return func(fr *frame) *Fault {
		r := fr.core.rec
		r.begin(o, o.macro.Steps[0].Pipe)
		r.recordUses(fr)
		if f := s(fr); f != nil {
			return f
		}
		r.macro(fr, o.macro)
		return nil
	}
}

// macro sends the events of a macro instruction, one for each internal step in m. It is
// called after execution, when the recorder has all memory accesses of the instruction.
// The event of a step contains only the accesses to operands that the step reads or
// writes. Between two steps, macro sends the events of the flags that order them.
func (r *recorder) macro(fr *frame, m *analysis.Macro) {
	touched, first := r.used, m.Steps[0].Pipe
	before := first
	for i, s := range m.Steps {
		if i > 0 {
			r.handOver(fr, m.Events, before, s.Pipe)
		}
		r.used = touched
		for k := range r.touched[:touched] {
			t := &r.touched[k]
			t.skip = !takesPart(&s, r.op.argName(t.to.Operand), t.to.Kind)
		}
		r.tellStep(fr, s.Pipe, Instruction)
		before = s.Pipe
	}
	if m.Back {
		r.handOver(fr, m.Events, before, first)
	}
	r.step = 0
}

// takesPart reports whether the internal step s of a macro instruction accesses the
// operand with the given name. If kind contains ReadAccess, takesPart checks whether s
// reads the operand; otherwise it checks whether s writes it.
func takesPart(s *analysis.MacroStep, name string, kind AccessKind) bool {
	if kind&ReadAccess != 0 {
		return slices.Contains(s.Reads, name)
	}
	return slices.Contains(s.Writes, name)
}

// tellStep sends an event for a step inside a macro instruction, an instruction that
// several pipes execute. pipe is the pipe that executes the step. tellStep also
// increments the number of the step.
func (r *recorder) tellStep(fr *frame, pipe sem.Pipe, kind EventKind) {
	r.pipe = pipe
	r.step++
	r.emit(fr, kind)
}

// handOver sends the flag events between two internal steps of a macro instruction.
// Different pipes execute these steps: the source pipe (the parameter from) and the
// destination pipe (the parameter to). The source pipe sets as many flags as the
// parameter events states, and the destination pipe waits for these flags.
func (r *recorder) handOver(fr *frame, events int, from, to sem.Pipe) {
	r.used = 0
	for _, kind := range []EventKind{FlagSet, FlagWait} {
		for id := range events {
			r.link(r.flag(from, to, id), kind == FlagSet)
		}
		pipe := from
		if kind == FlagWait {
			pipe = to
		}
		r.tellStep(fr, pipe, kind)
	}
}
