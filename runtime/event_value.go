// This file gives listeners access to operand values and to memory at the time of an
// event.

package runtime

import (
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// ValueKind is the type of data that a Value holds. It determines which fields of the
// Value are set.
type ValueKind uint8

// These are the kinds of values. They determine which fields of a Value are set.
const (
	// NoValue means that the instruction does not have the operand, or that the operand
	// has an unsupported type.
	NoValue ValueKind = iota // an operand that is left out, or of another kind
	// ScalarValue means that Bits is set, in the format of the operand's type. Pointers
	// are scalars, too.
	ScalarValue // Bits, in the format of the operand's type; pointers, too
	// TileValue means that Addr, Rows, Cols and Pitch are set.
	TileValue // Addr, Rows and Cols, Pitch
	// ViewValue means that Addr, Size and Stride are set.
	ViewValue // Addr, Size and Stride
	// MaskValue means that Mask is set.
	MaskValue // Mask
)

// Value is the value of an operand at the time when the instruction executed.
type Value struct {
	Kind ValueKind
	Bits uint64
	// Addr is the address of the first byte of a tile or view. It is an offset in the
	// memory space of the tile, or in the global buffer with number Buffer.
	Addr   int64
	Buffer int
	// Rows and Cols are the extents of the valid region of a tile. Pitch is the distance
	// in elements between consecutive rows, or columns in a column-major tile.
	Rows, Cols, Pitch int
	// Size and Stride, both in elements, describe a view. A view with fewer dimensions
	// than the arrays uses the last ones; the leading dimensions have size 1.
	Size, Stride [pto.ViewRank]int64
	// Mask has one bit for each byte of a vector register.
	Mask [pto.VectorBytes / 64]uint64
}

// Operand returns the value of operand i of Op. Numbers from Op.NumOperands() on select
// results. Operand reads the value from the state of the core, so it needs little time.
// It may be called only for these kinds of events: Instruction, the kinds that are
// declared from FlagSet to Fence, Notify and Await.
func (e *Event) Operand(i int) Value {
	if e.p == nil {
		return Value{}
	}
	return e.p.value(e.fr, i)
}

// Arg returns the value of the operand or result that has the given name in the
// definition of Op. If Op does not have it, the kind of the value is NoValue.
func (e *Event) Arg(name string) Value {
	if e.p == nil {
		return Value{}
	}
	return e.p.value(e.fr, e.p.named(name))
}

// Memory returns the memory that contains the bytes of an access: a global buffer, or a
// local memory of a core. Run.Start is an offset in it. A listener must not modify the
// memory, except to test which results depend on it.
func (e *Event) Memory(a Access) []byte {
	r := e.r
	if a.Space == sem.GM {
		if b := r.stream.launch.Buffers; a.Buffer >= 0 && a.Buffer < len(b) && b[a.Buffer] != nil {
			return b[a.Buffer].Data
		}
		return nil
	}
	switch n := a.Core - r.block[0].Number; {
	case n < 0 || n >= len(r.block):
	case !r.split():
		return r.cl.cores[n].spaces[a.Space].data
	case (a.Space == sem.UB) == (r.block[n].Unit == vectorUnit):
		return r.core.spaces[a.Space].data // one core has the memories of all
	default:
		return nil
	}
	for _, c := range r.cl.cores {
		if c.unit&cubeUnit != 0 {
			return c.unifiedBuffer((a.Core - len(r.stream.launch.Cores)) % vectorCores).data
		}
	}
	return nil
}

// opPlan holds the facts about an operation that its events need, computed once before
// execution.
type opPlan struct {
	op *ir.Op
	// order is Event.Order of a fence, and mode is Event.Mode of a buffer or signal
	// instruction.
	order string
	mode  int
	// pipe is the pipe that executes the instruction. namesNoPipe reports that the
	// instruction has no attribute for it.
	pipe        sem.Pipe
	namesNoPipe bool
	// macro lists the internal steps of a macro instruction; it is nil for others.
	macro *analysis.Macro
	// uses are the accesses to tiles.
	uses []tileUse
	// unit is the type of core that executes the operation on a device. It matters if one
	// simulated core represents several device cores.
	unit unit
	// homes are the storage locations of the operands, followed by those of the results.
	homes []home
	// names are the names of the operands and results in the instruction's definition.
	names []string

	// function is the compiled function that contains op.
	function *function
}

// unitFor returns the type of core that executes op on a device. If both core types can
// execute op, and op raises or awaits a signal, unitFor returns the cube core.
func (p *planner) unitFor(op *ir.Op) unit {
	u := analysis.UnitFor(op, p.target)
	switch op.Def().Sem.(type) {
	case sem.CrossSet, sem.CrossWait:
		if u == anyUnit {
			return cubeUnit
		}
	}
	return u
}

// newOpPlan collects the facts about op that its events need: its pipe and the type of its
// core, the names of operands and results, and their storage locations. A value that the
// runtime does not store gets an empty location. The accesses to tiles are omitted.
func (p *planner) newOpPlan(op *ir.Op) *opPlan {
	o := &opPlan{
		op: op, function: p.cur, mode: sem.SyncMode(op), namesNoPipe: sem.NamesNoPipe(op), macro: analysis.MacroOf(op, p.target),
		unit: p.unitFor(op), pipe: p.eventPipe(op),
	}
	if fence, ok := op.Def().Sem.(sem.MemoryFence); ok {
		if o.order = strings.TrimPrefix(op.Name(), "pto."); fence.Act == sem.FenceVector {
			o.order = sem.FenceKind(op)
		}
	}
	for _, v := range slices.Concat(op.Operands(), op.Results()) {
		o.homes = append(o.homes, p.knownHome(v))
	}
	for _, a := range op.OperandArgs() {
		o.names = append(o.names, a.Name)
	}
	for _, a := range op.ResultArgs() {
		o.names = append(o.names, a.Name)
	}
	return o
}

// argName returns the name of operand or result i in the instruction's definition, or ""
// if i is out of range.
func (o *opPlan) argName(i int) string {
	if i < 0 || i >= len(o.names) {
		return ""
	}
	return o.names[i]
}

// knownHome returns the storage location of v in a frame, the storage of a call. A frame
// has an array for each class of values, such as scalars or tiles. The location consists
// of the class of v and its index in the array of this class. If the planner has not
// assigned a location to v, knownHome returns an empty location.
func (p *planner) knownHome(v *ir.Value) home {
	at, ok := p.slots[v]
	if !ok {
		return home{}
	}
	return home{p.classOf(v.Type()), at}
}

// named returns the index of the operand or result with the given name, or -1. Results
// follow the operands.
func (o *opPlan) named(name string) int { return slices.Index(o.names, name) }

// value returns the value of operand or result i of the operation, for listeners. It
// reads the value from the frame fr, the storage of a call. It returns an empty Value if
// the runtime does not store the operand.
func (o *opPlan) value(fr *frame, i int) Value {
	if i < 0 || i >= len(o.homes) {
		return Value{}
	}
	at := o.homes[i].at
	switch o.homes[i].class {
	case scalarClass:
		return Value{Kind: ScalarValue, Bits: fr.x[at]}
	case tileClass:
		if t := fr.t[at]; t != nil {
			return Value{Kind: TileValue, Addr: int64(t.addr), Rows: t.rows, Cols: t.cols, Pitch: t.pitch}
		}
	case viewClass:
		w := &fr.w[at]
		buffer, off := globalPlace(w.addr)
		return Value{Kind: ViewValue, Addr: off, Buffer: buffer, Size: w.size, Stride: w.stride}
	case maskClass:
		return Value{Kind: MaskValue, Mask: fr.m[at]}
	}
	return Value{}
}
