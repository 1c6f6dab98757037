// This file determines which cores execute instructions of each kind.

package sem

import "ptogo/ir"

// OnCore is a kind whose operations say which cores execute them in a function that
// both kinds of cores run: AnyUnit for both.
type OnCore interface {
	CoreOf(op *ir.Op, t ir.Target) Unit
}

func (SimtLaunch) CoreOf(*ir.Op, ir.Target) Unit        { return VectorUnit }
func (m QueueInit) CoreOf(*ir.Op, ir.Target) Unit       { return m.From.Unit() }
func (SyncAllCores) CoreOf(op *ir.Op, _ ir.Target) Unit { return MeetingOf(op).Cores }

// CoreOf is the core of the entry where the handle of the queue gives the direction: that
// in whose memory the entry is, or else the cube core for the producer.
func (m QueueEntry) CoreOf(op *ir.Op, _ ir.Target) Unit {
	if m.From != QueueHandle {
		return m.Core()
	}
	if v := QueueUseOf(op).Entry; v != nil {
		switch SpaceOf(v.Type()) {
		case UB:
			return VectorUnit
		case L1, L0C:
			return CubeUnit
		}
	}
	if m.Fills() {
		return CubeUnit
	}
	return VectorUnit
}

func (SetFlag) CoreOf(op *ir.Op, t ir.Target) Unit {
	f := FlagOf(op)
	return coreOfFlag(f.Source, f.Destination, t)
}

func (WaitFlag) CoreOf(op *ir.Op, t ir.Target) Unit {
	f := FlagOf(op)
	return coreOfFlag(f.Destination, f.Source, t)
}

// coreOfFlag is the core that has both pipes of a flag. A flag between pipes of two
// cores has its set on one and its wait on the other, where nothing raises it.
func coreOfFlag(own, other Pipe, t ir.Target) Unit {
	if both := own.Unit(t) & other.Unit(t); both != 0 {
		return both
	}
	return own.Unit(t)
}

func (CrossSet) CoreOf(op *ir.Op, t ir.Target) Unit  { return coreOfSignal(op, t) }
func (CrossWait) CoreOf(op *ir.Op, t ir.Target) Unit { return coreOfSignal(op, t) }

func coreOfSignal(op *ir.Op, t ir.Target) Unit {
	p := PipeNamed(op.Attr("pipe"))
	if p == PipeMTE3 {
		return VectorUnit
	}
	return p.Unit(t)
}
