// This file determines which cores execute instructions of each kind.

package sem

import "ptogo/ir"

// OnCore is a kind whose operations determine which cores execute them, in a function
// that both kinds of cores run. AnyUnit means both.
type OnCore interface {
	CoreOf(op *ir.Op, t ir.Target) Unit
}

func (SimtLaunch) CoreOf(*ir.Op, ir.Target) Unit        { return VectorUnit }
func (m QueueInit) CoreOf(*ir.Op, ir.Target) Unit       { return m.From.Unit() }
func (SyncAllCores) CoreOf(op *ir.Op, _ ir.Target) Unit { return MeetingOf(op).Cores }

// CoreOf returns the core of the entry. If the handle of the queue determines the
// direction, it is the core whose memory contains the entry, or the cube core for the
// producer.
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

// coreOfFlag returns the core that has both pipes of a flag. For a flag between pipes of
// two cores, it returns the core of pipe own; such a flag never works.
func coreOfFlag(own, other Pipe, t ir.Target) Unit {
	if both := own.Unit(t) & other.Unit(t); both != 0 {
		return both
	}
	return own.Unit(t)
}

func (CrossSet) CoreOf(op *ir.Op, t ir.Target) Unit  { return coreOfSignal(op, t) }
func (CrossWait) CoreOf(op *ir.Op, t ir.Target) Unit { return coreOfSignal(op, t) }

// coreOfSignal returns the core that has the pipe of a signal.
func coreOfSignal(op *ir.Op, t ir.Target) Unit {
	p := PipeNamed(op.Attr("pipe"))
	if p == PipeMTE3 {
		return VectorUnit
	}
	return p.Unit(t)
}
