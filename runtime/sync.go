// This file compiles flags between the pipes of a core.

package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

const (
	// numPipes and numEvents are the numbers of pipes and event IDs in the table of
	// flags.
	numPipes  = 16
	numEvents = 16
)

// flags contains the flags of a core. The indices are the pipe that sets a flag, the pipe
// that waits for it, and the number of the flag (event ID). The element is the operation
// that set the flag, or nil if the flag is not set.
type flags [numPipes][numPipes][numEvents]*ir.Op

// flagOf returns a function that finds the flag which op sets or waits for. This function
// returns a pointer to the state of the flag: the operation that has set the flag, or nil
// if the flag is not set. It faults for an invalid event ID. flagOf itself reports an
// error if op names pipes without flags.
func (p *planner) flagOf(op *ir.Op) func(fr *frame) (**ir.Op, *Fault) {
	d := sem.FlagOf(op)
	src, dst := d.Source, d.Destination
	if src >= numPipes || dst >= numPipes {
		p.errorf(op, "must name a source pipe and a destination pipe that have flags")
		return nil
	}
	if d.Event.Given() {
		at := p.slot(d.Event.Value)
		p.linkFlag(op, src, dst, func(fr *frame) int64 { return int64(fr.x[at]) })
		return func(fr *frame) (**ir.Op, *Fault) {
			id := fr.x[at]
			if id >= numEvents {
				return nil, faultAt(op, "uses event %d, but a core has events 0 to %d", int64(id), numEvents-1)
			}
			return &fr.core.flags[src][dst][id], nil
		}
	}
	event := d.Event.Constant
	if !d.Event.Ok || event < 0 || event >= numEvents {
		p.errorf(op, "must use a constant event between 0 and %d", numEvents-1)
		return nil
	}
	p.linkFlag(op, src, dst, func(*frame) int64 { return event })
	return func(fr *frame) (**ir.Op, *Fault) { return &fr.core.flags[src][dst][event], nil }
}

// setFlag compiles op into a step, a function that sets a flag between two pipes. It
// faults if the flag is already set.
func (p *planner) setFlag(op *ir.Op, _ sem.SetFlag) step {
	find := p.flagOf(op)
	if find == nil {
		return nil
	}
	return func(fr *frame) *Fault {
		flag, f := find(fr)
		if f != nil {
			return f
		}
		if *flag != nil {
			return faultAt(op, "raises a flag again before a wait has consumed it").note((*flag).Loc(), "it was raised here")
		}
		*flag = op
		return nil
	}
}

// waitFlag compiles op into a step, a function that waits for a flag and clears it. If
// pipes run asynchronously (Options.Seed), the step waits until another pipe has set the
// flag. If instructions run in program order, only earlier instructions can have set the
// flag, so waiting cannot help. The step faults if the flag is not set.
func (p *planner) waitFlag(op *ir.Op, _ sem.WaitFlag) step {
	find := p.flagOf(op)
	if find == nil {
		return nil
	}
	return func(fr *frame) *Fault {
		flag, f := find(fr)
		if f != nil {
			return f
		}
		if f := fr.core.awaitOther(func() bool { return *flag != nil }, op, "waits for a flag that is never raised"); f != nil {
			return f
		}
		if *flag == nil {
			return faultAt(op, "waits for a flag that was never raised: the core would wait forever")
		}
		*flag = nil
		return nil
	}
}
