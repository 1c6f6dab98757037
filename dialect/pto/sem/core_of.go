// This file determines which cores execute instructions of each kind.

package sem

import "ptogo/ir"

// OnCore is implemented by kinds whose operations run on one type of core although both
// types execute the enclosing function. CoreOf returns the cores that execute op on
// target t; AnyUnit means both types.
type OnCore interface {
	CoreOf(op *ir.Op, t ir.Target) Unit
}

func (SimtLaunch) CoreOf(*ir.Op, ir.Target) Unit        { return VectorUnit }
func (m QueueInit) CoreOf(*ir.Op, ir.Target) Unit       { return m.From.Unit() }
func (SyncAllCores) CoreOf(op *ir.Op, _ ir.Target) Unit { return MeetingOf(op).Cores }

// CoreOf returns the core that executes op, an instruction on an entry of a queue between
// the cube core and the vector cores. If neither the instruction nor its kind names the
// producer of the queue, the memory of the entry's tile determines the core: UB belongs
// to a vector core, L1 and L0C to the cube core. If the entry is in global memory, the
// cube core produces entries and the vector cores consume them.
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

// coreOfFlag returns the core type that executes an instruction on a flag on target t.
// The parameter own is the pipe that executes the instruction, and other is the second
// pipe of the flag. The result is the core type that has both pipes. If no core type has
// both, the flag cannot work, and the result is the core type of the pipe own.
func coreOfFlag(own, other Pipe, t ir.Target) Unit {
	if both := own.Unit(t) & other.Unit(t); both != 0 {
		return both
	}
	return own.Unit(t)
}

func (CrossSet) CoreOf(op *ir.Op, t ir.Target) Unit  { return coreOfSignal(op, t) }
func (CrossWait) CoreOf(op *ir.Op, t ir.Target) Unit { return coreOfSignal(op, t) }

// coreOfSignal returns the core type that has the pipe in attribute pipe of op, an
// instruction that sets or awaits a signal between cores.
func coreOfSignal(op *ir.Op, t ir.Target) Unit {
	p := PipeNamed(op.Attr("pipe"))
	if p == PipeMTE3 {
		return VectorUnit
	}
	return p.Unit(t)
}

// Unit is a set of core types (cube core, vector core): the cores that execute an
// operation, or the cores that one simulated core represents.
type Unit uint8

// The core types. A kernel without the attribute pto.kernel_kind runs on a single
// simulated core that represents both types, AnyUnit.
const (
	CubeUnit Unit = 1 << iota
	VectorUnit
	AnyUnit = CubeUnit | VectorUnit
)

// VectorCores is the number of vector cores that belong to one cube core. Together they
// form a block, the unit of a launch.
const VectorCores = 2
