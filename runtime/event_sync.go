// This file attaches the links of synchronization instructions to their events: which
// channel they use, and whether they raise or wait.

package runtime

import (
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// link registers a function that adds links (signals that are raised or waited for) to
// the event of op. The function tell runs each time after op has executed. Without
// listeners, link does nothing.
func (p *planner) link(op *ir.Op, tell func(fr *frame, r *recorder)) {
	if !p.listening() {
		return
	}
	if p.links == nil {
		p.links = map[*ir.Op]func(fr *frame, r *recorder){}
	}
	p.links[op] = tell
}

// linkFlag adds to the event of op, which listeners receive, the flag that op sets or
// waits for. src is the pipe that sets the flag, dst is the pipe that waits for it, and
// the function id returns its number.
func (p *planner) linkFlag(op *ir.Op, src, dst sem.Pipe, id func(fr *frame) int64) {
	_, raises := op.Def().Sem.(sem.SetFlag)
	p.link(op, func(fr *frame, r *recorder) {
		r.link(r.flag(src, dst, int(id(fr))), raises)
	})
}

// flag returns an identifier of a flag for events. Pipe src sets the flag, pipe dst waits
// for it, and id is its event number. If the simulated core represents several device
// cores, the two pipes can belong to different cores.
func (r *recorder) flag(src, dst sem.Pipe, id int) Channel {
	return Channel{Kind: FlagChannel, Rank: r.info.Rank, Block: r.info.Block, Core: r.coreWith(dst), From: r.coreWith(src), Src: src, Dst: dst, ID: id}
}

// coreWith returns the number, in Launch.Cores, of the device core of this block that has
// the pipe p.
func (r *recorder) coreWith(p sem.Pipe) int {
	if r.split() {
		switch p.Unit(r.stream.launch.Target) {
		case cubeUnit:
			return r.block[0].Number
		case vectorUnit:
			if r.info.Unit != vectorUnit {
				return r.block[1].Number
			}
		}
	}
	return r.info.Number
}

// linkBuffer adds a link to the event of op, which acquires or releases a buffer token.
// The link names the token and states how often it has been released. id is a function
// that returns the number of the token at run time.
func (p *planner) linkBuffer(op *ir.Op, id func(fr *frame) uint64) {
	_, raises := op.Def().Sem.(sem.BufRelease)
	p.link(op, func(fr *frame, r *recorder) {
		c := Channel{Kind: BufferChannel, Rank: r.info.Rank, Block: r.info.Block, Core: r.info.Number, From: r.info.Number, ID: int(id(fr))}
		if raises {
			r.link(c, true)
			return
		}
		r.links = append(r.links, Link{Channel: c, Number: r.stream.count(c).raised})
	})
}

// linkSignals makes the event of op contain links to the signals between cores that op
// raises (if raises is set) or waits for. reach states which cores receive a signal, and
// id returns its number.
func (p *planner) linkSignals(op *ir.Op, reach sem.Reach, raises bool, id func(fr *frame) (int, *Fault)) {
	vector := analysis.UnitFor(op, p.target) == vectorUnit
	p.link(op, func(fr *frame, r *recorder) {
		n, f := id(fr)
		if f != nil {
			return
		}
		for _, s := range r.signals(fr.core.signals(n, reach, raises, vector), raises) {
			c := Channel{Kind: CoreChannel, Rank: r.info.Rank, Block: r.info.Block, ID: s.number}
			cube, vector := r.cube(), r.member(s.sub)
			switch {
			case s.to >= 0:
				c.From, c.Core = vector, r.member(s.to)
			case s.from == cubeUnit:
				c.From, c.Core = cube, vector
			case s.from == vectorUnit:
				c.From, c.Core = vector, cube
			default:
				c.Block, c.From, c.Core = -1, -1, -1
			}
			r.link(c, raises)
		}
	})
}

// signals selects signals for the current event. The parameter all contains all signals
// that an instruction raises (if raises is set) or waits for. If the simulated core
// represents several device cores, the result contains only the signals of the device
// core to which the event belongs; otherwise it contains all of them.
func (r *recorder) signals(all []signal, raises bool) (own []signal) {
	switch {
	case !r.split():
		return all
	case r.info.Unit == cubeUnit:
		for _, s := range all {
			if r.member(s.sub) >= 0 {
				own = append(own, s)
			}
		}
		return own
	}
	for _, s := range all {
		switch {
		case s.to >= 0 && r.member(1) >= 0: // the vector cores hear each other
			for k := range vectorCores {
				if s.sub, s.to = r.info.Sub, k; !raises {
					s.sub, s.to = k, r.info.Sub
				}
				own = append(own, s)
			}
		case !raises && s.from == cubeUnit && s.sub == 0: // it waits on behalf of both
			s.sub = r.info.Sub
			own = append(own, s)
		case s.from == anyUnit || s.sub == r.info.Sub:
			own = append(own, s)
		}
	}
	return own
}

// link adds a link with channel c to the current event. If the parameter raises is true,
// the link states that the event raises a signal of the channel. If it is false, the link
// states that the event has waited for one. The signals of a channel are numbered, and
// the link contains the number of this signal.
func (r *recorder) link(c Channel, raises bool) {
	n, l := r.stream.count(c), Link{Channel: c, Raised: raises}
	if raises {
		n.raised++
		l.Number = n.raised
	} else {
		n.waited++
		l.Number = n.waited
	}
	r.links = append(r.links, l)
}

// withMeetingEvents wraps s, the step of a barrier across cores, so that it sends the
// event CoresLeave when the core continues. The step itself sends the event for the
// arrival (recorder.arrive).
func withMeetingEvents(o *opPlan, s step) step {
	return func(fr *frame) *Fault {
		r := fr.core.rec
		r.begin(o, sem.PipeS)
		if f := s(fr); f != nil {
			return f
		}
		if r.met != (Link{}) { // the core takes part
			r.begin(o, sem.PipeS)
			l := r.met
			l.Raised = false
			r.links = append(r.links, l)
			r.emit(fr, CoresLeave)
			r.met = Link{}
		}
		return nil
	}
}

// arrive sends the event that a core has reached a barrier across cores. kind is the
// number of the group of cores that meet: 0 for vector cores, 1 for cube cores and 2 for
// all cores. round counts the executions of this barrier, and all is the number of
// participating cores.
func (r *recorder) arrive(fr *frame, kind, round, all int) {
	if r == nil {
		return
	}
	c := Channel{Kind: CoresChannel, Rank: r.info.Rank, Block: -1, Core: -1, From: -1, ID: kind}
	r.met = Link{Channel: c, Raised: true, Number: round, Of: all}
	r.links = append(r.links, r.met)
	r.emit(fr, CoresArrive)
}
