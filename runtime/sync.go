package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// How many pipes and events the flags of a core tell apart.
const (
	numPipes  = 16
	numEvents = 16
)

// flags holds for each pair of pipes and each event the operation that raised
// the flag, or nil.
type flags [numPipes][numPipes][numEvents]*ir.Op

// flagOf plans finding the flag that an operation is about.
func (p *planner) flagOf(op *ir.Op) func(fr *frame) (**ir.Op, *Fault) {
	src, ok := pipeOf(op, "src_pipe", "src_op")
	dst, ok2 := pipeOf(op, "dst_pipe", "dst_op")
	if !ok || !ok2 {
		p.errorf(op, "names no pipes that have flags")
		return nil
	}
	if v := op.Arg("event_id"); v != nil {
		at := p.slot(v)
		p.linkFlag(op, src, dst, func(fr *frame) int64 { return int64(fr.x[at]) })
		return func(fr *frame) (**ir.Op, *Fault) {
			id := fr.x[at]
			if id >= numEvents {
				return nil, faultAt(op, "is about event %d, but a core has events 0 to %d", int64(id), numEvents-1)
			}
			return &fr.core.flags[src][dst][id], nil
		}
	}
	event, ok := ir.AttrAs[ir.EnumAttr](op.Attr("event_id"))
	if !ok || event.Value < 0 || event.Value >= numEvents {
		p.errorf(op, "names no event that a core has")
		return nil
	}
	p.linkFlag(op, src, dst, func(*frame) int64 { return event.Value })
	return func(fr *frame) (**ir.Op, *Fault) { return &fr.core.flags[src][dst][event.Value], nil }
}

// pipeOf reads the pipe of one of two attributes: one names it, the other a
// kind of operation that it executes.
func pipeOf(op *ir.Op, pipe, kind string) (sem.Pipe, bool) {
	p := sem.PipeNamed(op.Attr(pipe))
	if p == sem.NoPipe {
		p = sem.PipeNamed(op.Attr(kind))
	}
	return p, p < numPipes
}

// setFlag plans raising a flag.
func (p *planner) setFlag(op *ir.Op) step {
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
			return faultAt(op, "raises a flag again that nobody waited for").note((*flag).Loc(), "it was raised here")
		}
		*flag = op
		return nil
	}
}

// waitFlag plans waiting for a flag. Instructions run in order, so a flag that
// is not up when it is waited for will never be.
func (p *planner) waitFlag(op *ir.Op) step {
	find := p.flagOf(op)
	if find == nil {
		return nil
	}
	return func(fr *frame) *Fault {
		flag, f := find(fr)
		if f != nil {
			return f
		}
		if f := fr.core.awaitOther(func() bool { return *flag != nil }, op, "waits for a flag that nobody raises"); f != nil {
			return f
		}
		if *flag == nil {
			return faultAt(op, "waits for a flag that nobody has raised: the core would wait forever")
		}
		*flag = nil
		return nil
	}
}
